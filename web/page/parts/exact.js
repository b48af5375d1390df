// What is proven about a position of a small board, and about each of its moves.

import { announcer } from "../announcer.js";
import { fill, h, refill, say } from "../element.js";
import { bounds, verdict } from "../margin.js";
import { forcedBy, grouped, informed, remarks } from "../proven.js";
import { colorName, t } from "../strings.js";
import { button } from "./controls.js";
import { arrive } from "./focus.js";
import { attempt, toasts } from "./toasts.js";

/** @typedef {import("./proofwalk.js").Forced} Forced */

/** Milliseconds that somebody stays at a position before it is solved. */
const STAY = 120;

export class Exact {
  /**
   * @param {Backend} backend
   * @param {import("../game.js").OpenGame} game
   * @param {() => void} changed something else is to be drawn
   * @param {(active: boolean) => void} walking a walk through a proof takes the place of the board, or no longer
   */
  constructor(backend, game, changed, walking) {
    this.backend = backend;
    this.game = game;
    this.changed = changed;
    this.walking = walking;
    /** @type {import("./proofwalk.js").ProofWalk | null} */
    this.walk = null;
    /** Where a walk is shown, beside the board. */
    this.place = h("div", { class: "walk-place", hidden: true });
    this.on = false;
    /** @type {Api.Exact | null} */
    this.message = null;
    /** The position that was asked about. */
    this.asked = "";
    /** @type {any} */
    this.waiting = null;
    this.value = h("p", { class: "exact-value" });
    this.state = h("p", { class: "hint" });
    this.remarks = h("ul", { class: "exact-remarks" });
    this.moves = h("ul", { class: "exact-moves", "aria-label": t("exact_moves") });
    this.walks = h("div", { class: "button-row" });
    this.more = button(t("exact_more"), attempt(() => this.goOn()), { icon: "play" });
    this.root = h(
      "section",
      { class: "exact", "aria-label": t("exact"), hidden: true },
      this.value,
      this.state,
      this.walks,
      this.moves,
      this.remarks,
    );
    this.forget = [
      backend.on("exact", (event) => this.heard(event)),
      backend.onState((state) => state === "connected" && this.again()),
    ];
  }

  /** The moves to be drawn on the board that is looked at. */
  get shown() {
    return this.on && this.message?.node === this.game.node ? this.message.moves : [];
  }

  /** @param {boolean} on */
  turn(on) {
    this.on = on;
    this.follow();
  }

  /** Asks about this position, once somebody stays there. */
  follow() {
    const { game } = this;
    const { node, view, sheet } = game;
    const key = this.on ? JSON.stringify([node, view.stones, view.to_move, view.ko, sheet.rules]) : "";
    if (key !== this.asked) {
      this.asked = key;
      this.message = null;
      this.leaveWalk();
      clearTimeout(this.waiting);
      this.waiting = setTimeout(
        () => (this.on ? this.ask({}) : this.backend.call("exact.stop").catch(() => {})),
        this.on ? STAY : 0,
      );
    }
    this.show();
  }

  /** A new connection knows nothing of what was asked before. */
  again() {
    if (this.on && !this.message?.done) this.ask({});
  }

  /** @param {{ more?: boolean }} wish */
  ask(wish) {
    return this.game.call("exact.watch", { node: this.game.node, ...wish }).catch((failure) => toasts.refuse(failure));
  }

  async goOn() {
    if (this.message) this.message = { ...this.message, done: false, more: false };
    this.show();
    await this.ask({ more: true });
  }

  /** Lets somebody try what they like against the proof of what a player forces. @param {Forced} forced */
  async walkProof(forced) {
    const { ProofWalk } = await import("./proofwalk.js");
    this.leaveWalk();
    this.walk = new ProofWalk(this.backend, this.game, forced, () => this.leaveWalk());
    fill(this.place, this.walk.root);
    this.place.hidden = false;
    this.walking(true);
    arrive(this.walk.heading);
  }

  leaveWalk() {
    if (!this.walk) return;
    this.walk.close();
    this.walk = null;
    fill(this.place);
    this.place.hidden = true;
    this.walking(false);
  }

  /** @param {Extract<Api.Event, { event: "exact" }>} event */
  heard(event) {
    if (!this.on || event.game !== this.game.id || event.node !== this.game.node) return;
    if ("failed" in event) {
      // The position may have been changed, and is asked about again then.
      this.asked = "";
      return;
    }
    const { width, height } = this.game.size;
    this.message = event;
    if (event.done) announcer.say(verdict(informed(event), width * height));
    this.show();
    this.changed();
  }

  show() {
    const { message } = this;
    this.root.hidden = !this.on;
    if (!this.on) return;
    const { width, height } = this.game.size;
    const { sheet, view } = this.game;
    say(this.value, message ? verdict(informed(message), width * height) : t("exact_nothing"));
    const open = message?.done && !(message.complete && message.moves.every((one) => one.complete));
    say(
      this.state,
      message?.done ? (open ? t(message.more ? "exact_unfinished" : "exact_limit") : "") : t("exact_searching"),
    );
    this.state.hidden = this.state.textContent === "";
    this.more.hidden = !message?.more;
    // What is searched for may still be found to be better; a certificate that was brought is there at once.
    const area = width * height;
    const known = message?.done ? message : { lower: -area, upper: area, stored: message?.stored };
    const walks = forcedBy(known, area);
    this.walks.hidden = walks.length === 0 && this.more.hidden;
    refill(
      this.walks,
      this.more,
      walks.map((forced) =>
        button(
          walks.length > 1 ? t("walk_of", { player: colorName(forced.color) }) : t("walk"),
          attempt(() => this.walkProof(forced)),
          { icon: "book", "data-do": `walk-${forced.color}` },
        ),
      ),
    );
    const { moves, rule, ko_rules: granted, stored } = message ?? {};
    const key = JSON.stringify([moves, rule, granted, stored, sheet.komi]);
    if (this.moves.dataset.key === key) return;
    this.moves.dataset.key = key;
    fill(
      this.moves,
      message &&
        grouped(message.moves, view.to_move).map(({ best, names, one }) =>
          h(
            "li",
            { class: best ? "best" : "" },
            h("span", { class: "exact-names" }, names.join(t("list_comma"))),
            h("span", {}, bounds(one)),
          ),
        ),
    );
    fill(this.remarks, message && remarks(message, sheet).map((text) => h("li", { class: "hint" }, text)));
  }

  close() {
    this.walk?.close();
    clearTimeout(this.waiting);
    for (const forget of this.forget) forget();
    if (this.on) this.backend.call("exact.stop").catch(() => {});
  }
}
