// Boards in pages of others: one script tag, and <tengen-board> shows a record that can be walked through. The board
// comes from the edition of the app that this file belongs to, in a frame of its own.

import { packed } from "./share.js";

class TengenBoard extends HTMLElement {
  static observedAttributes = ["packed", "src"];

  connectedCallback() {
    if (!this.frame) {
      this.frame = document.createElement("iframe");
      this.frame.title = this.getAttribute("label") ?? "Go";
      this.frame.setAttribute("loading", "lazy");
      this.frame.setAttribute("frameborder", "0");
      this.frame.width = this.getAttribute("width") ?? "420";
      this.frame.height = this.getAttribute("height") ?? "520";
      this.sgf = this.textContent ?? "";
      this.replaceChildren(this.frame);
    }
    this.show();
  }

  attributeChangedCallback() {
    if (this.frame) this.show();
  }

  /** The record: packed, in a file, or as the text between the tags. */
  async record() {
    const text = this.getAttribute("packed");
    if (text) return text;
    const source = this.getAttribute("src");
    const sgf = source ? await (await fetch(source)).text() : (this.sgf ?? "");
    return packed(sgf);
  }

  async show() {
    const text = await this.record();
    if (this.frame) this.frame.src = new URL(`./#/embed/${text}`, import.meta.url).href;
  }
}

customElements.define("tengen-board", TengenBoard);
