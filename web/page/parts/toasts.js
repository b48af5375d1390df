// Short messages at the edge of the page, for what went wrong and what was done.

import { h } from "../element.js";
import { failureText, t } from "../strings.js";
import { button } from "./controls.js";

class Toasts {
  constructor() {
    this.root = h("div", { class: "toasts", role: "alert" });
  }

  /**
   * @param {string} text
   * @param {"note" | "error"} [kind]
   * @param {{ label: string, press: () => void }} [action] something to do about it
   */
  show(text, kind = "note", action) {
    const toast = h("div", { class: `toast ${kind}` }, h("p", {}, text));
    if (action)
      toast.append(
        button(action.label, () => {
          toast.remove();
          action.press();
        }, { kind: "quiet", "data-do": "toast" }),
      );
    toast.append(button(t("dismiss"), () => toast.remove(), { icon: "close", bare: true, kind: "quiet" }));
    while (this.root.children.length > 2) this.root.firstElementChild?.remove();
    this.root.append(toast);
    setTimeout(() => toast.remove(), kind === "error" ? 12_000 : 6000);
  }

  /** @param {unknown} failure */
  refuse(failure) {
    // A call that a newer one replaced is no news.
    if (/** @type {any} */ (failure)?.code === "cancelled") return;
    this.show(failureText(failure), "error");
  }
}

export const toasts = new Toasts();

/** Does something and says so if it is refused. @param {() => Promise<unknown>} work */
export function attempt(work) {
  return async () => {
    try {
      await work();
    } catch (failure) {
      toasts.refuse(failure);
    }
  };
}
