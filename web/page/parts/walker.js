// Buttons and keys that lead from move to move.

import { h, say } from "../element.js";
import { t } from "../strings.js";
import { button } from "./controls.js";
import { cameByTab } from "./focus.js";

/** How many moves a page is. */
const PAGE = 10;

/** Is something written or chosen there with keys? @param {Element} target */
export function writes(target) {
  return target.matches("textarea, select, [contenteditable], input:not([type=radio], [type=checkbox], [type=range])");
}

export class Walker {
  /** @param {import("../game.js").OpenGame} game */
  constructor(game) {
    this.game = game;
    this.place = h("span", { class: "walker-place" });
    this.buttons = {
      first: button(t("go_first"), () => this.go("Home"), { icon: "first", bare: true, kind: "quiet" }),
      back: button(t("go_back"), () => this.go("ArrowLeft"), { icon: "back", bare: true, kind: "quiet" }),
      forward: button(t("go_forward"), () => this.go("ArrowRight"), { icon: "forward", bare: true, kind: "quiet" }),
      last: button(t("go_last"), () => this.go("End"), { icon: "last", bare: true, kind: "quiet" }),
    };
    this.root = h(
      "nav",
      { class: "walker", "aria-label": t("go_moves") },
      this.buttons.first,
      this.buttons.back,
      this.place,
      this.buttons.forward,
      this.buttons.last,
    );
    this.listener = (/** @type {KeyboardEvent} */ event) => this.key(event);
    document.addEventListener("keydown", this.listener);
  }

  show() {
    const { tree, node, view } = this.game;
    const line = tree.line(node);
    // Records may have nodes with several moves, so that only what follows is counted here.
    const total = view.number + tree.number(line[line.length - 1]) - tree.number(node);
    say(this.place, t("walker_place", { n: view.number, total }));
    const start = node === 0;
    const end = tree.next(node) === null;
    // aria-disabled keeps the focus where it is, which disabled would not.
    for (const [one, off] of /** @type {[HTMLElement, boolean][]} */ ([
      [this.buttons.first, start],
      [this.buttons.back, start],
      [this.buttons.forward, end],
      [this.buttons.last, end],
    ])) {
      one.setAttribute("aria-disabled", String(off));
    }
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (event.altKey || event.ctrlKey || event.metaKey || event.defaultPrevented) return;
    const target = /** @type {Element} */ (event.target);
    if (writes(target) || target.closest("dialog, pre")) return;
    // Who came to a row of choices by keyboard walks along it; after a click the arrows are for moves again.
    if (cameByTab() && target.closest("[type=radio], [type=range], [role=tablist]")) return;
    if (this.go(event.key)) event.preventDefault();
  }

  /** Goes where a key leads; false if the key leads nowhere. @param {string} key */
  go(key) {
    const to = this.target(key);
    if (to === undefined) return false;
    if (to !== null && to !== this.game.wanted) this.game.look(to).catch(() => {});
    return true;
  }

  /** @param {string} key @returns {number | null | undefined} */
  target(key) {
    const { tree } = this.game;
    const node = this.game.wanted;
    const line = tree.line(node);
    const at = line.indexOf(node);
    switch (key) {
      case "ArrowLeft":
        return tree.parent(node);
      case "ArrowRight":
        return tree.next(node);
      case "ArrowUp":
        return tree.sibling(node, -1);
      case "ArrowDown":
        return tree.sibling(node, 1);
      case "Home":
        return 0;
      case "End":
        return line[line.length - 1];
      case "PageUp":
        return line[Math.max(0, at - PAGE)];
      case "PageDown":
        return line[Math.min(line.length - 1, at + PAGE)];
      default:
        return undefined;
    }
  }

  close() {
    document.removeEventListener("keydown", this.listener);
  }
}
