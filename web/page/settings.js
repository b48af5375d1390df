// What a person has chosen about how the page looks and behaves. It stays in the browser.

/**
 * @typedef {object} Values
 * @property {"system" | "light" | "dark"} theme
 * @property {"shadow" | "plain"} board
 * @property {boolean} coordinates
 * @property {boolean} numbers
 * @property {boolean} text
 * @property {boolean} sound
 * @property {"touch" | "always" | "never"} confirm
 * @property {string} language the code of a language, or "" for that of the browser
 */

/** @type {Values} */
const DEFAULTS = {
  theme: "system",
  board: "shadow",
  coordinates: true,
  numbers: false,
  text: false,
  sound: true,
  confirm: "touch",
  language: "",
};

const PLACE = "tengen.settings";

class Settings {
  constructor() {
    /** @type {Values} */
    this.values = { ...DEFAULTS, ...read(PLACE) };
    /** @type {Set<() => void>} */
    this.listeners = new Set();
    // Another tab may change them too.
    globalThis.addEventListener?.("storage", (event) => {
      if (event.key !== PLACE) return;
      this.values = { ...DEFAULTS, ...read(PLACE) };
      this.tell();
    });
  }

  /** @param {Partial<Values>} change */
  change(change) {
    this.values = { ...this.values, ...change };
    write(PLACE, this.values);
    this.tell();
  }

  tell() {
    for (const listener of [...this.listeners]) listener();
  }

  /** @param {() => void} listener */
  on(listener) {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }
}

/**
 * What was kept in this browser under a name; nothing if it cannot be read.
 * @param {string} place
 * @returns {Record<string, any>}
 */
export function read(place) {
  try {
    const value = JSON.parse(globalThis.localStorage?.getItem(place) ?? "{}");
    return value !== null && typeof value === "object" ? value : {};
  } catch {
    return {};
  }
}

/** @param {string} place @param {object} value */
export function write(place, value) {
  try {
    globalThis.localStorage?.setItem(place, JSON.stringify(value));
  } catch {
    // A browser that keeps nothing still plays.
  }
}

export const settings = new Settings();
