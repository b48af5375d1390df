// A question that wants an answer before anything is done.

import { h } from "../element.js";
import { t } from "../strings.js";

/** @param {string} question @param {string} yes @returns {Promise<boolean>} */
export function sure(question, yes) {
  return new Promise((resolve) => {
    const dialog = h(
      "dialog",
      {
        class: "sheet-dialog question",
        "aria-label": question,
        onclose: () => {
          dialog.remove();
          resolve(dialog.returnValue === "yes");
        },
      },
      h("p", {}, question),
      h(
        "form",
        { method: "dialog", class: "dialog-buttons" },
        h("button", { class: "button", value: "no" }, t("cancel")),
        h("button", { class: "button danger", value: "yes" }, yes),
      ),
    );
    document.body.append(dialog);
    dialog.showModal();
  });
}

/** Asks for a short text; null if there is none. @param {string} question @returns {Promise<string | null>} */
export function askText(question) {
  return new Promise((resolve) => {
    const input = h("input", { type: "text", maxlength: 12, "aria-label": question });
    const dialog = h(
      "dialog",
      {
        class: "sheet-dialog question",
        "aria-label": question,
        onclose: () => {
          dialog.remove();
          resolve(dialog.returnValue === "yes" && input.value.trim() !== "" ? input.value.trim() : null);
        },
      },
      h(
        "form",
        { method: "dialog" },
        h("p", {}, question),
        input,
        h(
          "div",
          { class: "dialog-buttons" },
          h("button", { class: "button primary", value: "yes" }, t("ok")),
          h("button", { class: "button", value: "no" }, t("cancel")),
        ),
      ),
    );
    document.body.append(dialog);
    dialog.showModal();
    input.focus();
  });
}
