// A walk through a proof: somebody tries whatever they like, and the proof answers, until there is nothing left to try.

import { announcer } from "../announcer.js";
import { moveNumbers, stateOf } from "../board/state.js";
import { Surface } from "../board/surface.js";
import { named } from "../coordinates.js";
import { h, refill, say } from "../element.js";
import { moveName } from "../losses.js";
import { words } from "../margin.js";
import { colorName, sentences, t } from "../strings.js";
import { button } from "./controls.js";
import { attempt, toasts } from "./toasts.js";
import { refusal } from "./why.js";

/** Milliseconds before an answer is shown: it is to be seen as one. */
const PAUSE = 320;

/** @param {Api.Color} color @returns {Api.Color} */
const other = (color) => (color === "black" ? "white" : "black");

/**
 * What a player forces, and the certificate that the host was started with, if it knows that from there.
 * @typedef {{ color: Api.Color, margin: number, stored?: Api.StoredProof }} Forced
 */

export class ProofWalk {
  /**
   * @param {Backend} backend
   * @param {import("../game.js").OpenGame} game
   * @param {Forced} forced
   * @param {() => void} leave somebody has seen enough
   */
  constructor(backend, game, forced, leave) {
    this.backend = backend;
    this.game = game;
    this.forced = forced;
    const { color, margin, stored } = forced;
    this.place = { game: game.id, node: game.node, color, margin };
    /** Where the other player was to move, the last at the end. @type {Api.Walked[]} */
    this.steps = [];
    /** @type {Api.Proof | null} */
    this.proof = null;
    /** The point that was tried and has no answer yet. @type {string | null} */
    this.tried = null;
    this.busy = false;
    this.seeking = false;
    this.closed = false;
    this.surface = new Surface(game.size, { point: (at) => this.point(at) });
    this.heading = h("h2", { tabindex: -1 }, t("walk"));
    const claim = stored?.checked === false ? "walk_claimed" : "walk_claim";
    this.claim = h(
      "p",
      { class: "walk-claim" },
      t(claim, { result: words(margin), player: colorName(color), other: colorName(other(color)) }),
    );
    this.text = h("p", { class: "trainer-text", role: "status" });
    this.line = h("p", { class: "walk-line" });
    this.about = h("p", { class: "hint" });
    this.buttons = h("div", { class: "button-row" });
    this.leave = leave;
    this.root = h(
      "section",
      { class: "trainer walk", "aria-label": t("walk") },
      this.heading,
      this.claim,
      this.surface.root,
      this.text,
      this.line,
      this.buttons,
      this.about,
    );
    this.forget = backend.on("proof", (event) => this.heard(event));
    attempt(() => this.advance([]))();
  }

  /** Where the walk has come to. */
  get at() {
    return this.steps.at(-1) ?? null;
  }

  /** @param {Extract<Api.Event, { event: "proof" }>} event */
  heard({ game, node, nodes, found }) {
    if (!this.seeking || game !== this.place.game || node !== this.place.node) return;
    say(this.text, found ? t("walk_writing") : t("walk_seeking", { n: nodes }));
  }

  /** Plays these moves and has the proof answer. @param {string[]} moves */
  async advance(moves) {
    this.busy = true;
    this.show();
    try {
      const shown = moves.length > 0 ? new Promise((resolve) => setTimeout(resolve, PAUSE)) : null;
      let walked = await this.backend.call("proof.walk", { ...this.place, moves });
      if (walked.state === "unknown") walked = await this.seek(moves, walked);
      await shown;
      if (!this.closed) this.steps.push(walked);
    } finally {
      this.busy = false;
      this.tried = null;
      if (!this.closed) this.show();
    }
  }

  /**
   * Has a proof found from here on.
   * @param {string[]} moves
   * @param {Api.Walked} before
   */
  async seek(moves, before) {
    this.seeking = true;
    say(this.text, t("walk_seeking", { n: 0 }));
    this.show();
    try {
      const { proof } = await this.backend.call("proof.find", { ...this.place, moves });
      if (proof === null) return before;
      this.proof ??= proof;
      return await this.backend.call("proof.walk", { ...this.place, moves });
    } catch (failure) {
      // Who stops it knows.
      if (/** @type {any} */ (failure).code !== "cancelled") throw failure;
      return before;
    } finally {
      this.seeking = false;
    }
  }

  /** @param {number} at */
  point(at) {
    const now = this.at;
    if (this.busy || now?.state !== "open") return;
    const point = named(this.game.size, at);
    const illegal = now.illegal.find((one) => one.point === point);
    if (illegal) this.surface.explain(at, ...refusal(illegal, null));
    else if (now.stones[at] === ".") this.try(point);
  }

  /** @param {string} reply */
  try(reply) {
    const now = this.at;
    if (this.busy || now?.state !== "open") return;
    this.tried = reply;
    attempt(() => this.advance([...now.moves, reply]))();
  }

  back() {
    if (this.busy || this.steps.length < 2) return;
    this.steps.pop();
    this.show();
  }

  again() {
    this.steps.length = 0;
    attempt(() => this.advance([]))();
  }

  /** What is to be said about where the walk has come to. @param {Api.Walked} now */
  words(now) {
    const { color } = this.forced;
    const player = colorName(color);
    const answer = now.reply === null ? "" : t("walk_answer", { player, move: moveName(now.reply) });
    const then = {
      open: t("walk_try", { player: colorName(other(color)) }),
      sure: t("walk_sure", { player }),
      over: t("walk_over", { result: words(now.margin ?? 0) }),
      unknown: t("walk_none"),
    }[now.state];
    return sentences([answer, then]);
  }

  show() {
    const now = this.at;
    const { size, view } = this.game;
    const drawn = now ?? view;
    const tried = this.tried && this.tried !== "pass" ? { point: this.tried } : null;
    const state = stateOf(size, { ...drawn, marks: [], labels: [], lines: [] }, tried);
    if (tried && now) {
      const cells = [...state.stones];
      cells[state.tried ?? 0] = now.to_move === "black" ? "X" : "O";
      state.stones = cells.join("");
    }
    const moves = now?.moves ?? [];
    const letters = view.to_move === "black" ? ["B", "W"] : ["W", "B"];
    state.numbers = moveNumbers(size, moves.map((move, i) => `${letters[i % 2]} ${move}`));
    if (now?.state === "open" && !this.busy) state.turn = now.to_move;
    this.surface.show(state);
    if (now && !this.busy) {
      const text = this.words(now);
      if (this.text.textContent !== text) announcer.say(text);
      say(this.text, text);
    }
    say(this.line, moves.map((move, i) => `${i + 1} ${moveName(move)}`).join(" · "));
    this.line.hidden = moves.length === 0;
    const { proof } = this;
    const { stored } = this.forced;
    say(
      this.about,
      sentences([
        stored ? t("walk_stored", { n: stored.positions }) : "",
        stored?.checked === false ? t("walk_unchecked") : "",
        proof ? t("walk_size", { n: proof.positions, replies: proof.replies }) : "",
        proof?.ko_rules.length === 3 ? t("exact_every_rule") : "",
      ]),
    );
    this.about.hidden = this.about.textContent === "";
    const open = now?.state === "open";
    refill(
      this.buttons,
      open && button(t("pass"), () => this.try("pass"), { icon: "pass", "data-do": "try-pass" }),
      button(t("walk_back"), () => this.back(), { icon: "back", "data-do": "back" }),
      button(t("start_again"), () => this.again(), { icon: "again", "data-do": "again" }),
      button(t("exercise_leave"), this.leave, { icon: "close", kind: "quiet", "data-do": "leave" }),
    );
    for (const one of this.buttons.querySelectorAll("button")) {
      const off = one.dataset.do === "back" ? this.steps.length < 2 || this.busy : this.busy;
      if (one.dataset.do !== "leave") one.setAttribute("aria-disabled", String(off));
    }
  }

  close() {
    this.closed = true;
    this.forget();
    this.surface.close();
    if (this.seeking) this.backend.call("proof.stop").catch((failure) => toasts.refuse(failure));
  }
}
