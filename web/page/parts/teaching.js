// What takes the place of the board while a mistake is looked at: the comparison with the better move, and exercises.

import { h, fill } from "../element.js";
import { exerciseOf, exercises } from "../exercises.js";
import { mistakes } from "../judged.js";
import { arrive } from "./focus.js";
import { attempt } from "./toasts.js";

/** How many moves of the better continuation become a variation of the record. */
const ENTERED = 6;

/** @typedef {import("../judged.js").Played} Played */

export class Teaching {
  /** @param {import("../game.js").OpenGame} game @param {(active: boolean) => void} changed */
  constructor(game, changed) {
    this.game = game;
    this.changed = changed;
    /** @type {number | null} the position that it is about */
    this.node = null;
    /** @type {import("./trainer.js").Trainer | null} */
    this.trainer = null;
    /** @type {import("./compare.js").Comparison | null} */
    this.comparison = null;
    /** What had the focus before, and gets it back. @type {Element | null} */
    this.from = null;
    this.root = h("div", {
      class: "teaching",
      hidden: true,
      onkeydown: (/** @type {KeyboardEvent} */ event) => {
        // On the board it leaves the board, and closes what is open there.
        const { target } = event;
        if (event.key === "Escape" && !(target instanceof Element && target.closest(".board, dialog"))) this.leave();
      },
    });
  }

  /** Shows a mistake beside the better move. @param {Played} mistake */
  async compare(mistake) {
    const [view, { Comparison }] = await Promise.all([this.game.peek(mistake.before), import("./compare.js")]);
    this.stop();
    this.begin(mistake.before);
    this.comparison = new Comparison({
      close: () => this.leave(),
      train: (mistake) => attempt(() => this.train([mistake]))(),
      enter: (mistake) => attempt(() => this.enter(mistake))(),
    });
    fill(this.root, this.comparison.root);
    this.comparison.show(mistake, view, this.game.size);
    this.prove(mistake);
    await this.game.look(mistake.before);
  }

  /** Says what the solver proves about the groups around a mistake, if it is found out. @param {Played} mistake */
  async prove({ before, next, verdict }) {
    try {
      // It may be about a group near the better move, or near the answer to the mistake.
      for (const better of [verdict.best, next.pv[1]].filter(Boolean)) {
        const { fates } = await this.game.call("review.fates", { node: before, move: next.move, better });
        if (this.node !== before) return;
        this.comparison?.prove(fates);
        if (fates.length > 0) return;
      }
    } catch {
      // It is an addition: without it the reason stands as it is.
    }
  }

  /** Lets somebody do better, one mistake after the other. @param {Played[]} queue */
  async train(queue) {
    const { game } = this;
    const [mistake, ...rest] = queue;
    if (!mistake) return;
    const [view, { Trainer }] = await Promise.all([game.peek(mistake.before), import("./trainer.js")]);
    const made = exerciseOf(mistake, game.sheet, view);
    exercises.add([made]);
    const exercise = exercises.all.find((one) => one.id === made.id) ?? made;
    this.stop();
    this.begin(mistake.before);
    this.trainer = new Trainer(exercise, view, {
      judge: (move) => game.call("review.judge", { node: mistake.before, move }),
      done: () => this.leave(),
      next: rest.length > 0 ? attempt(() => this.train(rest)) : undefined,
    });
    fill(this.root, this.trainer.root);
    arrive(this.trainer.heading);
    await game.look(mistake.before);
  }

  /** All mistakes of a player, in their order. @param {Played[]} moves @param {Api.Color} color */
  async trainAll(moves, color) {
    const own = mistakes(moves.filter((one) => one.color === color)).sort((a, b) => a.number - b.number);
    const { game } = this;
    const made = await Promise.all(own.map(async (one) => exerciseOf(one, game.sheet, await game.peek(one.before))));
    exercises.add(made);
    await this.train(own);
  }

  /** Makes the better continuation a variation of the record. @param {Played} mistake */
  async enter({ before, verdict }) {
    const { game } = this;
    let node = before;
    let first = before;
    for (const move of verdict.pv.slice(0, ENTERED)) {
      ({ node } = await game.call("game.play", { node, move }));
      if (first === before) first = node;
    }
    this.leave();
    await game.refresh();
    await game.look(first);
  }

  /** Somebody looks at a position: another one ends what is shown. @param {number} node */
  follow(node) {
    if (this.node !== null && this.node !== node && this.game.wanted === node) this.leave();
  }

  /** @param {number} node */
  begin(node) {
    const { activeElement, body } = document;
    if (activeElement !== body && !this.root.contains(activeElement)) this.from = activeElement;
    this.node = node;
    this.root.hidden = false;
    this.changed(true);
  }

  stop() {
    this.comparison = null;
    this.trainer?.close();
    this.trainer = null;
    fill(this.root);
  }

  leave() {
    const { from, root } = this;
    const focused = root.contains(document.activeElement);
    this.stop();
    this.node = null;
    this.from = null;
    root.hidden = true;
    this.changed(false);
    if (focused && from?.isConnected) /** @type {HTMLElement} */ (from).focus();
  }

  close() {
    this.trainer?.close();
  }
}
