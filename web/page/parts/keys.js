// All keys of the page, told when somebody presses a question mark.

import { h } from "../element.js";
import { t } from "../strings.js";
import { writes } from "./walker.js";

/** @type {[string[], import("../strings.js").Key][]} */
const KEYS = [
  [["←", "→"], "keys_arrows"],
  [["↑", "↓"], "keys_variations"],
  [["Home", "End"], "keys_home"],
  [["PgUp", "PgDn"], "keys_page"],
  [["Tab"], "keys_tab"],
  [["←", "↑", "→", "↓"], "keys_points"],
  [["Enter"], "keys_enter"],
  [["P", "U", "H", "E"], "keys_letters"],
  [["Ctrl+Z", "Ctrl+Y"], "keys_undo"],
  [["Esc"], "keys_escape"],
  [["?"], "keys_help"],
];

/** The list of keys. */
export function keyList() {
  return h(
    "dl",
    { class: "facts keys" },
    KEYS.flatMap(([keys, meaning]) => [
      h(
        "dt",
        {},
        keys.map((key) => h("kbd", {}, key)),
      ),
      h("dd", {}, t(meaning)),
    ]),
  );
}

export function openKeys() {
  const dialog = h(
    "dialog",
    { class: "sheet-dialog", "aria-label": t("keys"), onclose: () => dialog.remove() },
    h("h2", {}, t("keys")),
    keyList(),
    h("form", { method: "dialog", class: "dialog-buttons" }, h("button", { class: "button primary" }, t("close"))),
  );
  document.body.append(dialog);
  dialog.showModal();
}

/** Opens the list when a question mark is typed where nothing is written. */
export function listenForHelp() {
  document.addEventListener("keydown", (event) => {
    if (event.key !== "?" || event.ctrlKey || event.metaKey || event.altKey) return;
    const target = /** @type {Element} */ (event.target);
    if (writes(target) || target.closest("dialog")) return;
    event.preventDefault();
    openKeys();
  });
}
