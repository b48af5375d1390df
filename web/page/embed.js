// Boards in pages of others: one script tag, and <tengen-board> shows a record that can be walked through. The board
// comes from the edition of the app that this file belongs to, in a frame of its own. This is no module: pages of
// others load those from their own hosts only.

{
  const script = /** @type {HTMLScriptElement | null} */ (document.currentScript);
  const home = new URL("./", script?.src ?? location.href);

  class TengenBoard extends HTMLElement {
    static observedAttributes = ["packed", "src"];

    connectedCallback() {
      // The text between the tags comes after the tag.
      if (document.readyState === "loading")
        document.addEventListener("DOMContentLoaded", () => this.begin(), { once: true });
      else this.begin();
    }

    begin() {
      if (!this.frame) {
        this.sgf = this.textContent?.trim() ?? "";
        this.frame = document.createElement("iframe");
        this.frame.title = this.getAttribute("label") ?? "Go";
        this.frame.setAttribute("loading", "lazy");
        this.frame.setAttribute("frameborder", "0");
        this.frame.width = this.getAttribute("width") ?? "420";
        this.frame.height = this.getAttribute("height") ?? "520";
        this.replaceChildren(this.frame);
      }
      this.show();
    }

    attributeChangedCallback() {
      if (this.frame) this.show();
    }

    /** The record: packed, in a file, or as the text between the tags. */
    async record() {
      const packed = this.getAttribute("packed");
      if (packed) return packed;
      const source = this.getAttribute("src");
      return source ? (await fetch(source)).text() : (this.sgf ?? "");
    }

    async show() {
      const record = await this.record();
      if (this.frame) this.frame.src = new URL(`#/embed/${encodeURIComponent(record)}`, home).href;
    }
  }

  // The tag may be there twice, and the element is the same.
  if (!customElements.get("tengen-board")) customElements.define("tengen-board", TengenBoard);
}
