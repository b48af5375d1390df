// The dialog in which the settings are changed.

import { h } from "../element.js";
import { settings } from "../settings.js";
import { LANGUAGES, t } from "../strings.js";
import { checkbox, choice, field, select } from "./controls.js";
import { keyList } from "./keys.js";
import { networkPicker } from "./networks.js";

/** @param {import("../app.js").App} app */
export function openSettings(app) {
  const { values } = settings;
  const dialog = h(
    "dialog",
    { class: "sheet-dialog settings", "aria-label": t("settings"), onclose: () => dialog.remove() },
    h("h2", {}, t("settings")),
    choice(
      t("theme"),
      [
        ["system", t("theme_system")],
        ["light", t("theme_light")],
        ["dark", t("theme_dark")],
      ],
      values.theme,
      (theme) => settings.change({ theme }),
    ),
    choice(
      t("board_style"),
      [
        ["shadow", t("board_shadow")],
        ["plain", t("board_plain")],
      ],
      values.board,
      (board) => settings.change({ board }),
    ),
    choice(
      t("confirm_moves"),
      [
        ["touch", t("confirm_touch")],
        ["always", t("confirm_always")],
        ["never", t("confirm_never")],
      ],
      values.confirm,
      (confirm) => settings.change({ confirm }),
    ),
    h(
      "div",
      { class: "checks" },
      checkbox(t("show_coordinates"), values.coordinates, (coordinates) => settings.change({ coordinates })),
      checkbox(t("show_numbers"), values.numbers, (numbers) => settings.change({ numbers })),
      checkbox(t("text_mode"), values.text, (text) => settings.change({ text })),
      checkbox(t("sound"), values.sound, (sound) => settings.change({ sound })),
    ),
    field(
      t("language"),
      select(
        /** @type {[string, string][]} */ ([["", t("language_browser")], ...Object.entries(LANGUAGES)]),
        values.language,
        (language) => settings.change({ language }),
      ),
    ),
    networkPicker(app),
    h(
      "details",
      { class: "more" },
      h("summary", {}, t("keys")),
      keyList(),
    ),
    h("form", { method: "dialog", class: "dialog-buttons" }, h("button", { class: "button primary" }, t("close"))),
  );
  document.body.append(dialog);
  dialog.showModal();
}
