// A friend elsewhere: a link that takes one seat of a game.

import { fill, h } from "../element.js";
import { inviteLink, isLocal, secret } from "../invitation.js";
import { colorName, t } from "../strings.js";
import { button, choice } from "./controls.js";
import { attempt } from "./toasts.js";

/** Offers a link to a seat of a game. @param {import("../game.js").OpenGame} game */
export function openInvitation(game) {
  /** @type {Api.Color} */
  let color = game.sheet.guest ?? "white";
  const result = h("div", { class: "invitation", "aria-live": "polite" });
  const make = attempt(async () => {
    const token = secret();
    await game.act("game.invite", { color, secret: token });
    const link = inviteLink(token, game.id, location);
    const field = h("input", { type: "text", readonly: true, value: link, "aria-label": t("invite_link") });
    fill(
      result,
      field,
      button(
        t("invite_copy"),
        attempt(async () => {
          field.select();
          // Pages without https may not write to the clipboard: the text is selected then.
          await navigator.clipboard?.writeText(link);
        }),
      ),
      isLocal(location.hostname) && h("p", { class: "hint" }, t("invite_local")),
    );
  });
  const dialog = h(
    "dialog",
    { class: "sheet-dialog", "aria-label": t("invite"), onclose: () => dialog.remove() },
    h("h2", {}, t("invite")),
    h("p", { class: "hint" }, t("invite_more")),
    choice(
      t("invite_color"),
      [
        ["black", colorName("black")],
        ["white", colorName("white")],
      ],
      color,
      (chosen) => {
        color = chosen;
        fill(result);
      },
    ),
    button(t("invite_make"), make, { kind: "primary" }),
    result,
    h("form", { method: "dialog", class: "dialog-buttons" }, h("button", { class: "button" }, t("close"))),
  );
  document.body.append(dialog);
  dialog.showModal();
}
