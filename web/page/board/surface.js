// Where a game is played: a drawn board or one of text, as the settings say.

import { h } from "../element.js";
import { settings } from "../settings.js";
import { Board } from "./board.js";
import { TextBoard } from "./text.js";

/** @typedef {import("./board.js").BoardOptions & { command?: (word: string) => boolean }} SurfaceOptions */

export class Surface {
  /** @param {import("../coordinates.js").Size} size @param {SurfaceOptions} [options] */
  constructor(size, options = {}) {
    this.size = size;
    this.options = options;
    this.root = h("div", { class: "surface" });
    /** @type {import("./state.js").BoardState | null} */
    this.state = null;
    /** @type {Board | TextBoard} */
    this.board = this.make();
    this.forget = settings.on(() => this.remake());
  }

  make() {
    const { text, coordinates } = settings.values;
    const board = text
      ? new TextBoard(this.size, this.options)
      : new Board(this.size, { coordinates, confirm: () => settings.values.confirm, ...this.options });
    this.key = `${text} ${coordinates}`;
    this.root.replaceChildren(board.root);
    return board;
  }

  remake() {
    if (this.key === `${settings.values.text} ${settings.values.coordinates}`) return;
    this.board = this.make();
    if (this.state) this.board.show(this.state);
  }

  /** @param {import("./state.js").BoardState} state */
  show(state) {
    this.state = state;
    this.board.show(state);
  }

  /** @param {number | null} at @param {(Node | string)[]} content */
  explain(at, ...content) {
    this.board.explain(at, ...content);
  }

  close() {
    this.forget();
  }
}
