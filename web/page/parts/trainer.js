// One exercise: find a better move than the one that was played. Any move is judged, and refuted if it is wrong.

import { announcer } from "../announcer.js";
import { lineOf, stateOf } from "../board/state.js";
import { Surface } from "../board/surface.js";
import { index, named } from "../coordinates.js";
import { h, refill, say } from "../element.js";
import { exercises } from "../exercises.js";
import { whyText } from "../facts.js";
import { moveName, pointsLost } from "../losses.js";
import { colorName, t } from "../strings.js";
import { button } from "./controls.js";
import { attempt } from "./toasts.js";
import { refusal } from "./why.js";

/** A move that loses less counts as solved, in points. */
const SOLVED = 0.75;

export class Trainer {
  /**
   * @param {import("../exercises.js").Exercise} exercise
   * @param {Api.View} view its position
   * @param {{ judge: (move: string) => Promise<Api.MoveJudged>, done: () => void, next?: () => void }} actions
   */
  constructor(exercise, view, actions) {
    this.exercise = exercise;
    this.view = view;
    this.actions = actions;
    /** @type {"asking" | "judging" | "wrong" | "solved" | "shown"} */
    this.stage = "asking";
    /** Was help or a second try needed? */
    this.helped = false;
    this.noted = false;
    /** @type {string[]} the moves on the board */
    this.line = [];
    /** @type {number | null} */
    this.mark = null;
    this.surface = new Surface(exercise.size, {
      point: (at) => this.point(at),
      command: () => false,
    });
    this.heading = h("h2", { tabindex: -1 }, t("exercise_task", { player: colorName(exercise.mover) }));
    this.text = h("p", { class: "trainer-text", role: "status" });
    this.buttons = h("div", { class: "button-row" });
    this.root = h(
      "section",
      { class: "trainer", "aria-label": t("your_turn") },
      this.heading,
      this.surface.root,
      this.text,
      this.buttons,
    );
    say(this.text, t("exercise_played", { move: moveName(exercise.played), lost: pointsLost(exercise.lost) }));
    this.show();
  }

  show() {
    const { exercise, view, stage } = this;
    const asking = stage === "asking" || stage === "wrong";
    const state = stateOf(exercise.size, { ...view, marks: [], labels: [], lines: [] });
    state.turn = asking ? exercise.mover : null;
    state.line = lineOf(exercise.size, this.line, exercise.mover);
    state.highlight = this.mark;
    this.surface.show(state);
    const over = stage === "solved" || stage === "shown";
    refill(
      this.buttons,
      !over && button(t("exercise_hint"), () => this.hint(), { icon: "bulb", "data-do": "hint" }),
      !over && button(t("exercise_solution"), () => this.solve(), { icon: "check", "data-do": "solution" }),
      over && this.actions.next && button(t("exercise_next"), this.actions.next, { icon: "forward", kind: "primary" }),
      stage === "shown" && button(t("exercise_again"), () => this.again(), { icon: "again" }),
      button(t("exercise_leave"), this.actions.done, { icon: "close", kind: "quiet", "data-do": "leave" }),
    );
  }

  /** @param {string} text */
  tell(text) {
    say(this.text, text);
    announcer.say(text);
  }

  /** @param {number} at */
  point(at) {
    if (this.stage !== "asking" && this.stage !== "wrong") return;
    const point = named(this.exercise.size, at);
    const illegal = this.view.illegal.find((one) => one.point === point);
    if (illegal) this.surface.explain(at, ...refusal(illegal, () => {}));
    else if (this.view.stones[at] === ".") attempt(() => this.play(point))();
  }

  /** @param {string} played */
  async play(played) {
    const { exercise } = this;
    this.mark = null;
    if (exercise.good.includes(played)) {
      this.solved(played === exercise.line[0] ? exercise.line : [played]);
      return;
    }
    if (played === exercise.played) {
      this.wrong(exercise.refutation, exercise.lost, exercise.facts);
      return;
    }
    this.stage = "judging";
    this.line = [played];
    this.tell(t("exercise_judging", { move: played }));
    this.show();
    try {
      const judged = await this.actions.judge(played);
      if (judged.is_good || judged.lost < SOLVED) this.solved(judged.pv);
      else this.wrong(judged.pv, judged.lost, judged.facts);
    } catch (failure) {
      this.stage = "asking";
      this.line = [];
      this.show();
      throw failure;
    }
  }

  /** @param {string[]} line @param {number} lost @param {Api.Fact[]} facts */
  wrong(line, lost, facts) {
    this.stage = "wrong";
    this.helped = true;
    this.line = line;
    const why = whyText(facts, this.exercise.mover);
    this.tell(`${t("exercise_wrong", { move: moveName(line[0]), lost: pointsLost(lost) })} ${why}`.trim());
    this.show();
  }

  /** @param {string[]} line */
  solved(line) {
    this.stage = "solved";
    this.line = line;
    this.note(!this.helped);
    this.tell(t("exercise_solved", { move: moveName(line[0]) }));
    this.show();
  }

  hint() {
    const { exercise } = this;
    const why = whyText(exercise.facts, exercise.mover);
    this.line = [];
    this.stage = "asking";
    // The reason first; then the place.
    if (!this.helped && why) this.tell(t("exercise_why", { move: moveName(exercise.played), why }));
    else {
      this.mark = Math.max(0, index(exercise.size, exercise.line[0]));
      this.tell(t("exercise_place"));
    }
    this.helped = true;
    this.show();
  }

  solve() {
    this.stage = "shown";
    this.mark = null;
    this.line = this.exercise.line;
    this.note(false);
    this.tell(t("exercise_shown", { move: moveName(this.exercise.line[0]) }));
    this.show();
  }

  again() {
    this.stage = "asking";
    this.line = [];
    this.helped = true;
    this.tell(t("exercise_task", { player: colorName(this.exercise.mover) }));
    this.show();
  }

  /** Only the first end of a try counts. @param {boolean} solved */
  note(solved) {
    if (this.noted) return;
    this.noted = true;
    exercises.note(this.exercise, solved);
  }

  close() {
    this.surface.close();
  }
}
