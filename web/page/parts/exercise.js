// A problem to be solved: on its board, against its solution and, where that has nothing to say, against the solver.

import { announcer } from "../announcer.js";
import { stateOf } from "../board/state.js";
import { Surface } from "../board/surface.js";
import { index, named } from "../coordinates.js";
import { fill, h, refill, say } from "../element.js";
import { OpenGame } from "../game.js";
import { Solution } from "../solution.js";
import { colorName, t } from "../strings.js";
import { button } from "./controls.js";
import { attempt, toasts } from "./toasts.js";
import { refusal } from "./why.js";

/** Milliseconds before an answer is played: it is to be seen as one. */
const PAUSE = 420;

/** @param {number} time */
const wait = (time) => new Promise((resolve) => setTimeout(resolve, time));

/**
 * @typedef {"asked" | "wrong" | "solved" | "shown"} Stage
 */

export class Exercise {
  /**
   * @param {import("../app.js").App} app
   * @param {Api.Problem} problem
   * @param {{ tried: (solved: boolean) => void, changed: () => void }} told what the first try came to; anything new
   * @param {{ lit?: boolean }} [options] whether the part of the board where it is played is brighter than the rest
   */
  constructor(app, problem, told, { lit = true } = {}) {
    this.app = app;
    this.lit = lit;
    this.problem = problem;
    this.told = told;
    this.solution = new Solution(problem);
    this.size = { width: problem.width, height: problem.height };
    this.region = new Set(problem.region.map((point) => index(this.size, point)));
    this.target = problem.target.map((point) => index(this.size, point));
    /** @type {OpenGame | null} */
    this.game = null;
    /** @type {Stage} */
    this.stage = "asked";
    /** @type {number | null} the node of the solution; null where it has nothing to say */
    this.at = 0;
    /** Positions to which a wrong move is taken back. @type {{ at: number | null, moves: number } | null} */
    this.before = null;
    this.busy = false;
    this.hinted = false;
    this.noted = false;
    /** Is the last move known to be right? */
    this.sure = false;
    /** Was it right, and is there more to do? */
    this.going = false;
    this.closed = false;
    /** How often it was begun: what an earlier time awaits is of no interest. */
    this.time = 0;
    this.surface = new Surface(this.size, { point: (at) => this.point(at) });
    this.feedback = h("p", { class: "feedback", role: "status" });
    this.remark = h("p", { class: "exercise-remark" });
    this.buttons = h("div", { class: "button-row" });
    this.leave = app.backend.onState((state) => {
      // It is not kept: after a break it begins again.
      if (state === "connected" && this.game) this.begin();
    });
    this.begin();
  }

  /** What is to be done, in words. */
  get task() {
    const { goal, to_move: mover, comment } = this.problem;
    const player = colorName(mover);
    if (goal === "capture") return t("problem_capture", { player });
    if (goal === "save") return t("problem_save", { player });
    if (goal === "live") return t("problem_live", { player });
    return comment.trim() || t("problem_play", { player });
  }

  async begin() {
    this.time += 1;
    const { time, app, problem } = this;
    this.busy = true;
    try {
      const person = /** @type {const} */ ({ kind: "person" });
      const sheet = await app.backend.call("games.new", {
        rules: "japanese",
        position: problem.position,
        komi: 0,
        black: person,
        white: person,
        keep: false,
      });
      const game = new OpenGame(app.backend, sheet.id);
      await game.open(null);
      if (this.closed || time !== this.time) {
        game.close();
        return;
      }
      this.game?.close();
      this.game = game;
      this.at = this.solution.known ? 0 : null;
      this.before = null;
      this.stage = "asked";
      this.hinted = false;
      this.going = false;
      this.busy = false;
      game.on(() => this.draw());
      this.show();
    } catch (failure) {
      if (!this.closed) toasts.refuse(failure);
    }
  }

  draw() {
    const { game } = this;
    if (!game) return;
    const state = stateOf(this.size, game.shown, game.tried);
    const open = this.stage === "asked" || this.stage === "wrong";
    if (open && !this.busy) state.turn = game.view.to_move;
    state.marks = this.target
      .filter((at) => state.stones[at] !== ".")
      .map((at) => ({ at, kind: "triangle" }));
    if (this.lit && this.region.size > 0)
      for (let at = 0; at < state.stones.length; at += 1)
        if (!this.region.has(at)) state.marks.push({ at, kind: "dim" });
    const best = this.hinted && this.stage === "asked" && this.at !== null ? this.solution.best(this.at) : null;
    if (best !== null) state.highlight = index(this.size, this.solution.move(best));
    this.surface.show(state);
  }

  show() {
    const { stage } = this;
    this.draw();
    const words = {
      asked: this.going ? t("problem_going") : "",
      wrong: this.proven ? t("problem_refuted") : t("problem_wrong"),
      solved: this.helped ? t("problem_solved_helped") : t("problem_solved"),
      shown: t("problem_shown"),
    }[stage];
    say(this.feedback, words);
    const look = { asked: this.going ? "going" : "", wrong: "off", solved: "on", shown: "on" }[stage];
    this.feedback.className = `feedback ${look}`;
    const comment = this.at !== null && this.at > 0 ? this.solution.comment(this.at).trim() : "";
    say(this.remark, comment);
    this.remark.hidden = comment === "";
    refill(
      this.buttons,
      stage === "wrong" &&
        button(t("problem_back"), attempt(() => this.takeBack()), { icon: "undo", kind: "primary", "data-do": "back" }),
      stage === "asked" &&
        this.solution.known &&
        button(t("problem_hint"), () => this.hint(), { icon: "bulb", "data-do": "hint" }),
      stage !== "solved" &&
        this.solution.known &&
        button(t("problem_solution"), attempt(() => this.reveal()), { icon: "check", "data-do": "solution" }),
      button(t("start_again"), () => this.begin(), { icon: "again", "data-do": "again" }),
    );
    this.told.changed();
  }

  /** Notes the first try: later ones change nothing about it. @param {boolean} solved */
  note(solved) {
    if (this.noted) return;
    this.noted = true;
    this.told.tried(solved);
  }

  get helped() {
    return this.revealed === true || this.failed === true;
  }

  hint() {
    this.hinted = true;
    this.revealed = true;
    this.show();
  }

  /** @param {number} at */
  point(at) {
    const { game } = this;
    if (!game || this.busy || this.stage === "solved" || this.stage === "shown") return;
    const point = named(this.size, at);
    const illegal = game.view.illegal.find((one) => one.point === point);
    if (this.region.size > 0 && !this.region.has(at)) {
      this.surface.explain(at, this.lit ? t("problem_outside") : t("problem_far"));
      return;
    }
    if (illegal) {
      this.surface.explain(at, ...refusal(illegal, null));
      return;
    }
    if (game.view.stones[at] !== ".") return;
    attempt(() => this.try(point))();
  }

  /** Somebody plays a move. @param {string} point */
  async try(point) {
    const game = /** @type {OpenGame} */ (this.game);
    const { time } = this;
    this.busy = true;
    this.hinted = false;
    this.going = false;
    const before = { at: this.at, moves: this.before && this.stage === "wrong" ? this.before.moves + 1 : 1 };
    const from = this.stage === "wrong" && this.before ? this.before.at : this.at;
    try {
      await game.play(point);
      const child = this.at === null ? null : this.solution.after(this.at, point);
      if (child !== null) await this.follow(child);
      else await this.askSolver(point);
      if (time !== this.time) return;
      const stage = /** @type {Stage} */ (this.stage);
      this.going = stage === "asked" && this.sure && game.view.to_move === this.problem.to_move;
      if (stage === "wrong") {
        // A reply was played besides; both go back.
        const replied = game.view.to_move === this.problem.to_move ? 1 : 0;
        this.before = { at: from, moves: before.moves + replied };
      }
    } finally {
      if (time === this.time) {
        this.busy = false;
        this.show();
      }
    }
  }

  /** The record knows the move. @param {number} child */
  async follow(child) {
    const game = /** @type {OpenGame} */ (this.game);
    const { time, solution } = this;
    const right = solution.right(child);
    this.at = child;
    this.proven = false;
    this.sure = right;
    if (!right) this.fail();
    const reply = solution.reply(child);
    if (reply !== null) {
      this.draw();
      await wait(PAUSE);
      if (time !== this.time) return;
      await game.play(solution.move(reply));
      this.at = reply;
    }
    if (right && (reply === null || solution.children[reply].length === 0)) this.solve();
  }

  /**
   * The record knows nothing of the move: the solver does, if there is not too much to find out.
   * @param {string} point
   */
  async askSolver(point) {
    const game = /** @type {OpenGame} */ (this.game);
    const { time, problem } = this;
    const known = this.at;
    this.at = null;
    this.proven = false;
    this.sure = false;
    let judged = null;
    try {
      judged = await game.call("problem.judge", {
        node: game.node,
        ...(problem.target.length > 0 ? { target: problem.target } : {}),
        ...(problem.region.length > 0 ? { region: problem.region } : {}),
      });
    } catch {
      // It is no problem that the solver understands: the record alone decides.
    }
    if (time !== this.time) return;
    const wins = judged === null ? null : this.solution.wins(judged);
    if (wins === null || judged === null) {
      if (this.solution.known) this.fail();
      announcer.say(t("problem_unknown", { point }));
      return;
    }
    this.sure = wins;
    if (!wins) {
      this.proven = true;
      if (known !== null || this.stage !== "wrong") this.fail();
    }
    if (wins && judged.decided) {
      this.solve();
      return;
    }
    if (judged.reply !== null && judged.reply !== "pass") {
      await wait(PAUSE);
      if (time !== this.time) return;
      await game.play(judged.reply);
    } else if (wins) this.solve();
  }

  fail() {
    this.stage = "wrong";
    this.failed = true;
    this.note(false);
    announcer.say(t("problem_wrong"));
  }

  solve() {
    this.stage = "solved";
    this.note(!this.helped);
    announcer.say(t("problem_solved"));
  }

  /** Takes a wrong move back, with all that followed. */
  async takeBack() {
    const { game, before } = this;
    if (!game || !before || this.busy) return;
    for (let i = 0; i < before.moves; i += 1) await game.act("game.undo");
    this.at = before.at;
    this.stage = "asked";
    this.going = false;
    this.before = null;
    this.show();
  }

  /** Plays the solution, move by move. */
  async reveal() {
    this.note(false);
    this.revealed = true;
    await this.begin();
    const { time, solution, game } = this;
    if (!game) return;
    this.stage = "shown";
    this.busy = true;
    this.show();
    for (const node of solution.line(0)) {
      await wait(PAUSE * 1.7);
      if (time !== this.time || this.closed) return;
      await game.play(solution.move(node));
      this.at = node;
      this.show();
    }
    this.busy = false;
  }

  close() {
    this.closed = true;
    this.time += 1;
    this.leave();
    this.game?.close();
    this.surface.close();
    fill(this.buttons);
  }
}
