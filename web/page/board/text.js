// The board as text, and moves that are typed: for terminals in braille, for copying, for those who like it.

import { index, letter } from "../coordinates.js";
import { fill, h, say, unique } from "../element.js";
import { t } from "../strings.js";
import { emptyState } from "./state.js";

/** @typedef {import("./state.js").BoardState} BoardState */

/** @param {BoardState} state @returns {string} */
export function boardText(state) {
  const { width, height } = state.size;
  const letters = "   " + Array.from({ length: width }, (_, column) => ` ${letter(column)}`).join("");
  const lines = [letters];
  for (let row = 0; row < height; row += 1) {
    const number = String(height - row).padStart(2);
    let line = `${number} `;
    for (let column = 0; column < width; column += 1) {
      const at = row * width + column;
      const before = at === state.last ? "(" : at - 1 === state.last && column > 0 ? ")" : " ";
      const sign = state.dead.has(at) ? state.stones[at].toLowerCase() : state.stones[at];
      line += before + sign;
    }
    line += state.last === row * width + width - 1 ? ")" : " ";
    lines.push(`${line} ${number.trim()}`);
  }
  lines.push(letters);
  return lines.join("\n");
}

export class TextBoard {
  /**
   * @param {import("../coordinates.js").Size} size
   * @param {{ point?: (at: number) => void, command?: (word: string) => boolean }} options
   */
  constructor(size, options) {
    this.options = options;
    this.state = emptyState(size);
    const id = unique("typed");
    this.text = h("pre", { class: "board-text", tabindex: 0, "aria-label": t("board_as_text") });
    this.input = h("input", {
      id,
      type: "text",
      autocomplete: "off",
      autocapitalize: "characters",
      spellcheck: "false",
      placeholder: t("typed_example"),
    });
    this.note = h("p", { class: "note", role: "status" });
    this.root = h(
      "div",
      { class: "text-mode" },
      this.text,
      h(
        "form",
        {
          class: "typed",
          onsubmit: (/** @type {Event} */ event) => {
            event.preventDefault();
            this.enter();
          },
        },
        h("label", { for: id }, t("typed_move")),
        this.input,
        h("button", { class: "button", type: "submit" }, t("play_verb")),
      ),
      this.note,
    );
  }

  enter() {
    const word = this.input.value.trim();
    if (word === "") return;
    this.input.value = "";
    fill(this.note);
    const at = index(this.state.size, word);
    if (at >= 0) this.options.point?.(at);
    else if (!this.options.command?.(word.toLowerCase())) say(this.note, t("typed_unknown", { word }));
  }

  /** @param {number | null} at @param {(Node | string)[]} content */
  explain(at, ...content) {
    fill(this.note, ...(at === null ? [] : content));
  }

  /** @param {BoardState} state */
  show(state) {
    this.state = state;
    say(this.text, boardText(state));
  }
}
