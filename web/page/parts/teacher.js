// The teacher of a teaching game: looks at each move of its pupil, warns before a blunder, and says afterwards what it
// thinks of a move.

import { announcer } from "../announcer.js";
import { kindOf } from "../chances.js";
import { move } from "../coordinates.js";
import { fill, h, refill } from "../element.js";
import { warningText, whyText } from "../facts.js";
import { read, write } from "../settings.js";
import { sentences, t } from "../strings.js";
import { PLACE } from "../taught.js";
import { button, checkbox } from "./controls.js";
import { attempt, toasts } from "./toasts.js";

/** @typedef {Api.MoveJudged & { node: number | null }} Lesson a judged move, and the node that it was played at */

export class Teacher {
  /**
   * @param {import("../app.js").App} app
   * @param {import("../game.js").OpenGame} game
   * @param {{ draw: () => void, undo: () => Promise<unknown> }} view
   */
  constructor(app, game, view) {
    this.app = app;
    this.game = game;
    this.view = view;
    this.warns = read(PLACE).warns !== false;
    /** The moves that were judged, in the order in which they were played. @type {Lesson[]} */
    this.judged = [];
    /** The point that is being judged. @type {string | null} */
    this.looking = null;
    /** The better move that is shown. @type {string | null} */
    this.shown = null;
    /** Answers the warning that is open. @type {((plays: boolean) => void) | null} */
    this.answer = null;
    this.text = h("div", { class: "teacher-text" });
    this.root = h(
      "section",
      { class: "teacher", "aria-label": t("teacher") },
      h("h2", {}, t("teacher")),
      this.text,
      checkbox(t("teacher_warns"), this.warns, (warns) => {
        this.warns = warns;
        write(PLACE, { ...read(PLACE), warns });
      }),
    );
    fill(this.text, h("p", { class: "hint" }, t("teacher_hello")));
  }

  get area() {
    return this.game.size.width * this.game.size.height;
  }

  /**
   * Looks at a move before it is played. Says whether it is to be played.
   * @param {string} point
   * @returns {Promise<boolean>}
   */
  async consider(point) {
    this.shown = null;
    if (!this.warns) return true;
    const { game } = this;
    const { node } = game;
    this.looking = point;
    const focused = document.activeElement;
    fill(this.text, h("p", { class: "hint" }, t("teacher_looks", { move: point })));
    this.view.draw();
    try {
      const judged = await game.call("review.judge", { node, move: point });
      if (game.node !== node) return false;
      const lesson = { ...judged, node: null };
      if (kindOf(judged.lost, this.area) !== "blunder") {
        this.judged.push(lesson);
        return true;
      }
      const plays = await this.warn(judged);
      if (plays) this.judged.push(lesson);
      return plays;
    } catch (failure) {
      // A teacher who cannot look keeps nobody from playing.
      if (/** @type {any} */ (failure)?.code === "illegal_move") return true;
      if (/** @type {any} */ (failure)?.code !== "cancelled") toasts.refuse(failure);
      return true;
    } finally {
      this.looking = null;
      this.answer = null;
      this.view.draw();
      // The buttons of a warning are gone, and with them the focus.
      if (document.activeElement === document.body) /** @type {HTMLElement | null} */ (focused)?.focus?.();
    }
  }

  /** Warns, and waits for what the pupil says. @param {Api.MoveJudged} judged @returns {Promise<boolean>} */
  warn(judged) {
    const text = t("teacher_warning", { move: judged.move, n: round(judged.lost) });
    const why = warningText(judged.facts, this.game.view.to_move);
    announcer.say(sentences([text, why]));
    return new Promise((resolve) => {
      this.answer = resolve;
      const again = button(t("teacher_again"), () => resolve(false), { kind: "primary", "data-do": "again" });
      refill(
        this.text,
        h("p", { class: "teacher-warning" }, text),
        why !== "" && h("p", { class: "teacher-why" }, why),
        h(
          "div",
          { class: "button-row" },
          again,
          button(
            t("teacher_show"),
            () => {
              this.shown = judged.best;
              this.view.draw();
            },
            { icon: "bulb" },
          ),
          button(t("teacher_anyway"), () => resolve(true), { kind: "quiet", "data-do": "anyway" }),
        ),
      );
      again.focus();
    }).then((plays) => {
      fill(this.text, h("p", { class: "hint" }, t("teacher_hello")));
      return plays;
    });
  }

  /** A move is on the board: says what it was worth. @param {string} point @param {number} before the node before it */
  async comment(point, before) {
    const { game } = this;
    const { live } = game.sheet;
    const node = game.tree.path(live).find((one) => game.tree.parent(one) === before) ?? null;
    let lesson = this.judged.findLast((one) => one.node === null && one.move === point);
    if (!lesson) {
      try {
        lesson = { ...(await game.call("review.judge", { node: before, move: point })), node };
      } catch {
        return;
      }
      this.judged.push(lesson);
    }
    lesson.node = node;
    const kind = kindOf(lesson.lost, this.area);
    const color = node === null ? undefined : move(game.tree.moves[node] ?? "")?.color;
    const why = kind === "good" || !color ? "" : whyText(lesson.facts, color);
    const text = sentences([this.verdict(lesson, kind), why]);
    announcer.also(text);
    refill(
      this.text,
      h("p", { class: `teacher-comment ${kind}` }, text),
      kind !== "good" && button(t("teacher_back"), attempt(() => this.view.undo()), { icon: "undo" }),
    );
    // What was a mistake is told in the record, too, for the review.
    if (kind !== "good" && node !== null && game.tree.has(node))
      game.call("game.edit", { node, edits: [{ do: "comment", text }] }).catch(() => {});
  }

  /** @param {Api.MoveJudged} judged @param {"good" | "slip" | "blunder"} kind */
  verdict({ move, lost, best }, kind) {
    if (kind === "good") return lost < 0.5 ? t("teacher_good", { move }) : t("teacher_fair", { move });
    const better = best === "pass" ? t("pass") : best;
    return t(kind === "slip" ? "teacher_slip" : "teacher_blunder", { move, n: round(lost), better });
  }

  /** The game is over: how it went. */
  conclude() {
    if (this.judged.length === 0) return;
    const of = (/** @type {string} */ kind) =>
      this.judged.filter(({ lost }) => kindOf(lost, this.area) === kind).length;
    const [good, slips, blunders] = ["good", "slip", "blunder"].map(of);
    const worst = this.judged.reduce((one, other) => (other.lost > one.lost ? other : one));
    fill(
      this.text,
      h("p", {}, t("teacher_sum", { n: this.judged.length, good, slips, blunders })),
      kindOf(worst.lost, this.area) !== "good" &&
        h("p", { class: "hint" }, t("teacher_worst", { move: worst.move, n: round(worst.lost) })),
    );
  }

  close() {
    this.answer?.(false);
  }
}

/** Points as a person says them. @param {number} points */
function round(points) {
  return Math.max(1, Math.round(points));
}
