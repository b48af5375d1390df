// What happens, said aloud to those who listen: one live region for the whole page.

import { h } from "./element.js";

class Announcer {
  constructor() {
    this.region = h("div", { class: "spoken", role: "status", "aria-live": "polite" });
    this.timer = 0;
  }

  /** @param {string} text */
  say(text) {
    // Emptied first, so that the same words twice are said twice.
    this.region.textContent = "";
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      this.region.textContent = text;
    }, 60);
  }
}

export const announcer = new Announcer();
