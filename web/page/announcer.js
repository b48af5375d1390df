// What happens, said aloud to those who listen: one live region for the whole page.

import { h } from "./element.js";

/** Milliseconds in which what is said belongs together: one's own move and the answer to it, for example. */
const TOGETHER = 900;

class Announcer {
  constructor() {
    this.region = h("div", { class: "spoken", role: "status", "aria-live": "polite" });
    /** @type {any} what is about to be said, if anything is */
    this.timer = null;
    /** @type {string[]} what was said lately, which is not to be cut off by what follows */
    this.lately = [];
    this.since = 0;
  }

  /** Says this in the place of what was said before, but for words that nobody has heard yet. @param {string} text */
  say(text) {
    if (this.timer === null) this.lately = [];
    this.also(text);
  }

  /** Says this after what was said a moment ago. @param {string} text */
  also(text) {
    const now = performance.now();
    if (this.timer === null && now - this.since > TOGETHER) this.lately = [];
    this.since = now;
    this.lately.push(text);
    // Emptied first, so that the same words twice are said twice.
    this.region.textContent = "";
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      this.timer = null;
      this.region.textContent = this.lately.join(" ");
    }, 60);
  }
}

export const announcer = new Announcer();
