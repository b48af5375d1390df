// A board to look at and to play on: one picture for the eyes, one grid of named points for keyboards and screen
// readers.

import { named } from "../coordinates.js";
import { fill, h, set, svg } from "../element.js";
import { t } from "../strings.js";
import { describe } from "./describe.js";
import { CELL, ground, Layout, Paint } from "./ground.js";
import * as layers from "./layers.js";
import { emptyState } from "./state.js";

/**
 * @typedef {import("./state.js").BoardState} BoardState
 * @typedef {object} BoardOptions
 * @property {(at: number) => void} [point] somebody chose a point
 * @property {(at: number | null) => void} [hover] somebody looks at a point
 * @property {(key: string) => boolean} [key] another key while the board has the focus; true if it was of use
 * @property {boolean} [coordinates]
 * @property {() => "touch" | "always" | "never"} [confirm] when a move is shown before it is played
 * @property {boolean} [small] a board in a text, without an animation
 * @property {string} [still] what a picture shows that is only looked at: no point of it can be chosen
 */

const STEPS = /** @type {Record<string, [number, number]>} */ ({
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
});

/** More stones than this are taken off without a movement. */
const MOST_LEAVING = 40;

export class Board {
  /** @param {import("../coordinates.js").Size} size @param {BoardOptions} [options] */
  constructor(size, options = {}) {
    this.options = options;
    this.state = emptyState(size);
    this.layout = new Layout(size, options.coordinates ?? true);
    this.paint = new Paint();
    /** @type {Map<number, { color: string, stone: SVGElement, shadow: SVGElement }>} */
    this.stones = new Map();
    /** @type {SVGElement[]} */
    this.cells = [];
    this.focused = Math.floor(size.height / 2) * size.width + Math.floor(size.width / 2);
    /** @type {number | null} */
    this.preview = null;
    /** @type {number | null} */
    this.hovered = null;
    /** @type {number | null} the point that a message stands beside */
    this.explained = null;
    /** @type {any} */
    this.explaining = 0;

    const layer = (/** @type {string} */ name) => svg("g", { class: name });
    this.layers = {
      shadows: layer("shadows"),
      stones: layer("stones"),
      owned: layer("owners"),
      territory: layer("territories"),
      branches: layer("branches"),
      candidates: layer("candidates"),
      next: layer("nexts"),
      marks: layer("marks"),
      numbers: layer("numbers"),
      pointers: layer("pointers"),
      line: layer("line"),
      leaving: layer("leaving"),
      ghost: layer("ghosts"),
    };
    this.grid = svg("g", { class: "points" });
    this.picture = svg(
      "svg",
      {
        class: "board",
        viewBox: `0 0 ${this.layout.width} ${this.layout.height}`,
        role: options.still ? "img" : "grid",
        "aria-label": options.still ?? t("board_of", { width: size.width, height: size.height }),
      },
      svg(
        "g",
        { "aria-hidden": "true", class: "picture" },
        this.paint.definitions(),
        ground(this.layout, this.paint),
        ...Object.values(this.layers),
      ),
      options.still ? null : this.points(),
    );
    this.picture.style.setProperty("--arrow", `url(#${this.paint.arrow})`);
    this.bubble = h("div", { class: "bubble", hidden: true });
    this.question = h("div", { class: "confirm", hidden: true });
    this.root = h("div", { class: "board-frame" }, this.picture, this.bubble, this.question);
    this.root.style.setProperty("--ratio", String(this.layout.width / this.layout.height));
    if (!options.still) this.listen();
  }

  /** The grid of points that can be named, focused and chosen. */
  points() {
    const { size } = this.layout;
    const rows = [];
    for (let row = 0; row < size.height; row += 1) {
      const cells = [];
      for (let column = 0; column < size.width; column += 1) {
        const at = row * size.width + column;
        const cell = svg("rect", {
          class: "point",
          role: "gridcell",
          tabindex: at === this.focused ? 0 : -1,
          "data-at": at,
          "data-point": named(size, at),
          x: this.layout.x(at) - CELL / 2,
          y: this.layout.y(at) - CELL / 2,
          width: CELL,
          height: CELL,
          rx: 6,
        });
        this.cells.push(cell);
        cells.push(cell);
      }
      rows.push(svg("g", { role: "row" }, cells));
    }
    return rows;
  }

  listen() {
    /** @param {Event} event */
    const at = (event) => {
      const cell = /** @type {Element} */ (event.target).closest?.(".point");
      return cell ? Number(cell.getAttribute("data-at")) : null;
    };
    let touch = false;
    this.picture.addEventListener("pointerdown", (event) => {
      touch = event.pointerType === "touch";
    });
    // A click must not take the focus into the grid, where arrows walk over points instead of moves.
    this.picture.addEventListener("mousedown", (event) => event.preventDefault());
    this.picture.addEventListener("click", (event) => {
      const point = at(event);
      if (point !== null) this.choose(point, touch);
    });
    this.picture.addEventListener("pointermove", (event) => {
      if (event.pointerType !== "touch") this.hover(at(event));
    });
    this.picture.addEventListener("pointerleave", () => this.hover(null));
    this.picture.addEventListener("focusin", (event) => {
      const point = at(event);
      if (point !== null) {
        this.rove(point);
        this.options.hover?.(point);
      }
    });
    this.picture.addEventListener("focusout", () => this.options.hover?.(null));
    this.picture.addEventListener("keydown", (event) => this.key(event));
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const { width, height } = this.layout.size;
    const column = this.focused % width;
    const row = Math.floor(this.focused / width);
    const step = STEPS[event.key];
    if (step) {
      const to = [Math.min(width - 1, Math.max(0, column + step[0])), Math.min(height - 1, Math.max(0, row + step[1]))];
      this.focus(to[1] * width + to[0]);
    } else if (event.key === "Home") {
      this.focus(event.shiftKey ? column : row * width);
    } else if (event.key === "End") {
      this.focus(event.shiftKey ? (height - 1) * width + column : row * width + width - 1);
    } else if (event.key === "Enter" || event.key === " ") {
      this.choose(this.focused, false);
    } else if (event.key === "Escape") {
      if (this.preview !== null || !this.bubble.hidden) this.settle();
      else /** @type {HTMLElement | null} */ (document.activeElement)?.blur();
    } else if (!this.options.key?.(event.key)) {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  }

  /** @param {number} at */
  focus(at) {
    this.rove(at);
    /** @type {HTMLElement} */ (/** @type {unknown} */ (this.cells[at])).focus();
  }

  /** Makes a point the one that the Tab key comes to. @param {number} at */
  rove(at) {
    if (at === this.focused) return;
    set(this.cells[this.focused], { tabindex: -1 });
    this.focused = at;
    set(this.cells[at], { tabindex: 0 });
  }

  /** @param {number} at @param {boolean} touch */
  choose(at, touch) {
    this.explain(null);
    const mode = this.options.confirm?.() ?? "touch";
    const asks = mode === "always" || (mode === "touch" && touch);
    if (asks && this.playable(at) && this.preview !== at) {
      this.ask(at);
      return;
    }
    this.settle();
    this.options.point?.(at);
  }

  /** @param {number} at */
  playable(at) {
    return this.state.turn !== null && this.state.stones[at] === "." && !this.state.illegal.has(at);
  }

  /** Shows a move before it is played, and asks. @param {number} at */
  ask(at) {
    this.preview = at;
    const name = named(this.layout.size, at);
    fill(
      this.question,
      h("button", { type: "button", class: "button quiet", onclick: () => this.settle() }, t("cancel")),
      h(
        "button",
        { type: "button", class: "button primary", onclick: () => this.choose(at, true) },
        t("play_at", { point: name }),
      ),
    );
    this.question.hidden = false;
    this.ghost();
  }

  /** Forgets a move that was shown, and a message. */
  settle() {
    this.preview = null;
    this.question.hidden = true;
    this.explain(null);
    this.ghost();
  }

  /** @param {number | null} at */
  hover(at) {
    if (at === this.hovered) return;
    this.hovered = at;
    // Who looks elsewhere has read it, unless the way leads to a button in it.
    const read = at !== null && this.explained !== null && at !== this.explained;
    if (read && !this.bubble.querySelector("button")) this.explain(null);
    this.ghost();
    this.options.hover?.(at);
  }

  /** Draws the stone that would be put down. */
  ghost() {
    const { turn } = this.state;
    const at = this.preview ?? this.hovered;
    const shown = at !== null && this.playable(at) && turn !== null;
    const firm = at === this.preview;
    const drawn = [];
    if (shown) {
      if (firm) {
        const { layout } = this;
        drawn.push(
          svg("path", {
            class: "cross-hair",
            d: `M${layout.x(at)} ${layout.edge}V${layout.height - layout.edge}` +
              `M${layout.edge} ${layout.y(at)}H${layout.width - layout.edge}`,
          }),
        );
      }
      drawn.push(svg("g", { class: firm ? "ghost firm" : "ghost" }, layers.stone(this.layout, this.paint, at, turn)));
    }
    fill(this.layers.ghost, ...drawn);
    this.picture.classList.toggle(
      "refusing",
      this.hovered !== null && turn !== null && this.state.illegal.has(this.hovered),
    );
  }

  /**
   * Says beside a point why nothing can be played there. It goes away by itself, sooner if nothing in it can be chosen.
   * @param {number | null} at
   * @param {(Node | string)[]} content
   */
  explain(at, ...content) {
    clearTimeout(this.explaining);
    this.bubble.hidden = at === null;
    this.explained = at;
    if (at === null) return;
    const x = this.layout.x(at) / this.layout.width;
    const y = this.layout.y(at) / this.layout.height;
    const below = y < 0.5;
    this.bubble.classList.toggle("below", below);
    this.bubble.style.setProperty("--x", `${(Math.min(0.72, Math.max(0.28, x)) * 100).toFixed(1)}%`);
    this.bubble.style.setProperty(
      "--y",
      `${((y + ((below ? 0.7 : -0.7) * CELL) / this.layout.height) * 100).toFixed(1)}%`,
    );
    fill(this.bubble, ...content);
    const stays = this.bubble.querySelector("button") ? 10_000 : 2500;
    this.explaining = setTimeout(() => this.explain(null), stays);
  }

  /** @param {BoardState} state */
  show(state) {
    const before = this.state;
    this.state = state;
    if (before.stones !== state.stones) this.settle();
    this.lay(before.stones !== state.stones && before.stones.length === state.stones.length);
    for (const [at, { stone, shadow, color }] of this.stones) {
      const dead = state.dead.has(at);
      set(stone, { class: `stone ${color}${dead ? " dead" : ""}` });
      set(shadow, { class: dead ? "shadow dead" : "shadow" });
    }
    fill(this.layers.owned, layers.ownership(state, this.layout));
    fill(this.layers.territory, layers.territory(state, this.layout));
    fill(this.layers.branches, layers.branches(state, this.layout));
    fill(this.layers.candidates, layers.candidates(state, this.layout), layers.proven(state, this.layout));
    fill(this.layers.next, layers.next(state, this.layout));
    fill(this.layers.marks, layers.marks(state, this.layout), layers.dead(state, this.layout));
    fill(this.layers.numbers, layers.numbers(state, this.layout));
    fill(this.layers.pointers, layers.pointers(state, this.layout));
    fill(this.layers.line, layers.line(state, this.layout, this.paint));
    this.ghost();
    this.picture.classList.toggle("waiting", state.turn === null);
    this.cells.forEach((cell, at) => set(cell, { "aria-label": describe(state, at) }));
  }

  /** Puts stones down and takes them off where the board differs. @param {boolean} moving */
  lay(moving) {
    const { stones } = this.state;
    let changed = 0;
    /** @type {{ stone: SVGElement, shadow: SVGElement, at: number }[]} */
    const gone = [];
    for (let at = 0; at < stones.length; at += 1) {
      const there = stones[at] === "X" ? "black" : stones[at] === "O" ? "white" : null;
      const drawn = this.stones.get(at);
      if ((drawn?.color ?? null) === there) continue;
      if (drawn) {
        drawn.stone.remove();
        drawn.shadow.remove();
        gone.push({ ...drawn, at });
        this.stones.delete(at);
      }
      if (there) {
        const piece = {
          color: there,
          stone: layers.stone(this.layout, this.paint, at, there),
          shadow: layers.shadow(this.layout, this.paint, at),
        };
        this.stones.set(at, piece);
        this.layers.stones.append(piece.stone);
        this.layers.shadows.append(piece.shadow);
        changed += 1;
      }
    }
    const newest = this.state.tried ?? this.state.last;
    const last = newest === null ? undefined : this.stones.get(newest);
    // Only a single new stone falls; jumping through a record does not make the whole board move.
    const calm = this.options.small || matchMedia("(prefers-reduced-motion: reduce)").matches;
    if (!moving || calm) return;
    if (changed === 1 && last) {
      last.stone.animate(
        [
          { opacity: 0.3, transform: "translateY(-9%) scale(1.16)" },
          { opacity: 1, transform: "translateY(0) scale(1)" },
        ],
        { duration: 150, easing: "cubic-bezier(0.3, 0, 0.2, 1)" },
      );
      last.shadow.animate([{ opacity: 0 }, { opacity: 1 }], { duration: 150, easing: "ease-in" });
    }
    // What was captured is lifted off; so is a single stone that is taken back.
    if (gone.length > 0 && changed <= 1 && gone.length <= MOST_LEAVING)
      this.lift(gone.filter(({ at }) => !this.stones.has(at)));
  }

  /** Lets stones that are no longer on the board fade away. @param {{ stone: SVGElement, at: number }[]} gone */
  lift(gone) {
    for (const { stone } of gone) {
      this.layers.leaving.append(stone);
      const leaving = stone.animate(
        [
          { opacity: 1, transform: "scale(1)" },
          { opacity: 0, transform: "translateY(-12%) scale(1.08)" },
        ],
        { duration: 220, easing: "ease-in" },
      );
      leaving.onfinish = () => stone.remove();
      leaving.oncancel = () => stone.remove();
    }
  }
}
