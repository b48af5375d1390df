// The rules, one at a time, each with a board to try it on.

import { announcer } from "../announcer.js";
import { Board } from "../board/board.js";
import { stateOf } from "../board/state.js";
import { Surface } from "../board/surface.js";
import { FIRST_GAME, request } from "../choices.js";
import { index, named } from "../coordinates.js";
import { fill, h, refill, say } from "../element.js";
import { OpenGame } from "../game.js";
import { LESSONS } from "../lessons.js";
import { button, choice } from "../parts/controls.js";
import { Exercise } from "../parts/exercise.js";
import { scoreTable } from "../parts/score.js";
import { attempt, toasts } from "../parts/toasts.js";
import { refusal } from "../parts/why.js";
import { format } from "../route.js";
import { read, write } from "../settings.js";
import { colorName, t } from "../strings.js";
import { teach } from "../taught.js";

/** @typedef {import("../strings.js").Key} Key */

/** Where it is kept which lessons were done. */
const PLACE = "tengen.lessons";

/** Milliseconds that a wrong move stays on the board. */
const TAKE_BACK = 1100;

/** @returns {Set<string>} */
function doneLessons() {
  return new Set(read(PLACE).done ?? []);
}

/** Words that belong to a lesson. @param {string} lesson @param {"title" | "text" | "task" | "done" | "wrong"} part */
function words(lesson, part) {
  return t(/** @type {Key} */ (`lesson_${lesson}_${part}`));
}

/** @param {import("../app.js").App} app @param {string | null} name */
export function learnView(app, name) {
  const before = doneLessons();
  const fresh = LESSONS.findIndex((lesson) => !before.has(lesson.name));
  const named = LESSONS.findIndex((lesson) => lesson.name === name);
  const at = named >= 0 ? named : Math.max(0, fresh);
  const lesson = LESSONS[at];
  const next = LESSONS[at + 1];
  const list = h("ol");
  const progress = h("progress", { max: LESSONS.length, value: before.size, "aria-label": t("lessons_progress") });
  const count = h("p", { class: "hint" });
  const onward = next
    ? h(
        "a",
        { class: "button next-lesson", href: format({ view: "learn", lesson: next.name }) },
        t("next_lesson", { title: words(next.name, "title") }),
      )
    : h(
        "a",
        { class: "button next-lesson", href: format({ view: "problems", set: null, problem: null }) },
        t("lessons_over"),
      );
  const show = () => {
    const done = doneLessons();
    fill(
      list,
      LESSONS.map((one) =>
        h(
          "li",
          {},
          h(
            "a",
            {
              href: format({ view: "learn", lesson: one.name }),
              class: done.has(one.name) ? "done" : "",
              "aria-current": one === lesson ? "page" : null,
            },
            words(one.name, "title"),
            done.has(one.name) &&
              h("span", { class: "tick" }, h("span", { class: "spoken" }, t("lesson_is_done")), "✓"),
          ),
        ),
      ),
    );
    progress.value = done.size;
    say(count, t("lessons_done", { n: done.size, total: LESSONS.length }));
  };
  const finished = () => {
    write(PLACE, { done: [...doneLessons().add(lesson.name)] });
    onward.classList.add("primary");
    show();
  };
  const page =
    lesson.kind === "exercise"
      ? new ExercisePage(app, lesson, finished)
      : lesson.kind === "game"
        ? new GamePage(app, lesson, finished)
        : new LessonPage(app, lesson, finished);
  if (before.has(lesson.name)) onward.classList.add("primary");
  show();
  const root = h(
    "div",
    { class: "learn" },
    h("nav", { class: "lessons", "aria-label": t("lessons") }, progress, count, list),
    h(
      "article",
      { class: "lesson" },
      page.holder && h("div", { class: "stage" }, page.holder),
      h(
        "div",
        { class: "lesson-text" },
        h("h1", { tabindex: -1 }, words(lesson.name, "title")),
        words(lesson.name, "text")
          .split("\n")
          .map((paragraph) => h("p", {}, paragraph)),
        page.choices,
        h("p", { class: "task" }, words(lesson.name, "task")),
        page.turn,
        page.feedback,
        page.buttons,
        page.score,
        onward,
      ),
    ),
  );
  return { root, title: words(lesson.name, "title"), close: () => page.close() };
}

/** A lesson whose board the solver answers. */
class ExercisePage {
  /**
   * @param {import("../app.js").App} app
   * @param {import("../lessons.js").Lesson} lesson
   * @param {() => void} finished
   */
  constructor(app, lesson, finished) {
    const { position = "", goal = "capture", target = [], region = [] } = lesson;
    const rows = position.split("\n").map((row) => row.replaceAll(" ", ""));
    /** @type {Api.Problem} */
    const problem = {
      title: null,
      width: rows[0].length,
      height: rows.length,
      position: rows.join("\n"),
      to_move: "black",
      target,
      region,
      goal,
      level: null,
      comment: "",
      tree: { parents: [null], moves: [""], right: [false], comments: [""] },
    };
    const shown = () => {
      const { stage, going } = this.exercise ?? { stage: "asked", going: false };
      const part = stage === "solved" ? "done" : stage === "wrong" ? "wrong" : null;
      say(this.feedback, part ? words(lesson.name, part) : going ? t("problem_going") : "");
      const look = { done: "on", wrong: "off", none: going ? "going" : "" }[part ?? "none"];
      this.feedback.className = `feedback ${look}`;
      if (stage === "solved") finished();
    };
    this.feedback = h("p", { class: "feedback", role: "status" });
    this.exercise = new Exercise(app, problem, { tried() {}, changed: shown }, { lit: false });
    this.holder = h("div", { class: "lesson-board" }, this.exercise.surface.root);
    this.buttons = this.exercise.buttons;
    /** @type {HTMLElement | null} */
    this.turn = null;
    /** @type {HTMLElement | null} */
    this.choices = null;
    /** @type {HTMLElement | null} */
    this.score = null;
  }

  close() {
    this.exercise.close();
  }
}

/** A lesson that begins a real game. */
class GamePage {
  /**
   * @param {import("../app.js").App} app
   * @param {import("../lessons.js").Lesson} lesson
   * @param {() => void} finished
   */
  constructor(app, lesson, finished) {
    const begin = attempt(async () => {
      const sheet = await app.backend.call("games.new", request(FIRST_GAME));
      // The teacher of the first view's first game sits here, too.
      teach(sheet.id);
      finished();
      app.go({ view: "game", game: sheet.id, node: null });
    });
    const { width, height } = lesson.board ?? { width: 9, height: 9 };
    const board = new Board({ width, height }, { coordinates: false, still: t("board_of", { width, height }) });
    /** @type {HTMLElement | null} */
    this.holder = h("div", { class: "lesson-board" }, board.root);
    /** @type {HTMLElement | null} */
    this.turn = null;
    /** @type {HTMLElement | null} */
    this.choices = null;
    /** @type {HTMLElement | null} */
    this.score = null;
    this.feedback = h("p", { class: "feedback", role: "status" });
    this.buttons = h(
      "div",
      { class: "button-row" },
      button(t("lesson_begin_game"), begin, { icon: "play", kind: "primary", "data-do": "begin" }),
    );
  }

  close() {}
}

class LessonPage {
  /**
   * @param {import("../app.js").App} app
   * @param {import("../lessons.js").Lesson} lesson
   * @param {() => void} finished
   */
  constructor(app, lesson, finished) {
    this.app = app;
    this.lesson = lesson;
    this.finished = finished;
    /** The move that is being taken back, with a word about it. */
    this.wrong = false;
    this.rules = lesson.rules;
    this.done = false;
    this.holder = h("div", { class: "lesson-board" });
    this.turn = h("p", { class: "status" });
    this.feedback = h("p", { class: "feedback", role: "status" });
    this.score = h("div");
    this.buttons = h("div", { class: "button-row" });
    this.choices = h("div");
    if (lesson.choices) {
      fill(
        this.choices,
        choice(
          t("count_by"),
          lesson.choices.map(([rules, key]) => [rules, t(/** @type {Key} */ (key))]),
          this.rules,
          (rules) => {
            this.rules = rules;
            this.begin();
          },
        ),
      );
    }
    /** @type {OpenGame | null} */
    this.game = null;
    /** @type {Surface | null} */
    this.surface = null;
    this.closed = false;
    this.begin();
    this.leave = app.backend.onState((state) => {
      // A lesson is not kept: after a break it begins again.
      if (state === "connected" && this.game) this.begin();
    });
  }

  async begin() {
    try {
      const { lesson, app } = this;
      const { position, board } = lesson;
      const rows = (position ?? "").split("\n").filter((row) => /^[.XO ]+$/.test(row));
      const sheet = await app.backend.call("games.new", {
        width: board?.width ?? rows[0].split(" ").length,
        height: board?.height ?? rows.length,
        rules: this.rules,
        black: { kind: "person" },
        white: lesson.kind === "match" ? { kind: "engine", level: 1 } : { kind: "person" },
        keep: false,
        ...(position ? { position } : {}),
        ...(lesson.komi === undefined ? {} : { komi: lesson.komi }),
        ...(board?.handicap ? { handicap: board.handicap } : {}),
      });
      if (this.closed) return;
      this.game?.close();
      this.surface?.close();
      const game = new OpenGame(app.backend, sheet.id);
      this.game = game;
      this.done = false;
      this.wrong = false;
      await game.open(null);
      if (this.closed || game !== this.game) return;
      this.surface = new Surface(game.size, { point: (at) => this.point(at), small: true });
      fill(this.holder, this.surface.root);
      game.on(() => this.show(null));
      this.show(null);
    } catch (failure) {
      if (!this.closed) toasts.refuse(failure);
    }
  }

  /** @param {Api.Illegal | null} refused */
  show(refused) {
    const { game, lesson } = this;
    if (!game || !this.surface) return;
    const { sheet, view, size } = game;
    const state = stateOf(size, game.shown, game.tried);
    if (sheet.phase === "playing") state.turn = this.mayPlay ? view.to_move : null;
    else {
      state.dead = new Set((sheet.dead ?? []).map((point) => index(size, point)));
      for (const color of /** @type {Api.Color[]} */ (["black", "white"]))
        for (const point of sheet.territory?.[color] ?? []) state.territory.set(index(size, point), color);
    }
    if (!this.done)
      state.labels = (lesson.labels ?? [])
        .map(([point, text]) => ({ at: index(size, point), text }))
        .filter(({ at }) => state.stones[at] === ".");
    if (!refused) this.surface.show(state);
    say(
      this.turn,
      sheet.phase === "playing"
        ? t("status_turn", { player: colorName(view.to_move) })
        : sheet.phase === "marking"
          ? sheet.thinking
            ? t("status_settling")
            : t("status_marking")
          : "",
    );
    if (lesson.done?.({ view, sheet, refused }) && !this.done) {
      this.done = true;
      announcer.say(words(lesson.name, "done"));
      this.finished();
    }
    if (!this.done && !this.wrong && lesson.wrong?.({ view, sheet, refused })) this.regret();
    say(this.feedback, this.done ? words(lesson.name, "done") : this.wrong ? words(lesson.name, "wrong") : "");
    this.feedback.className = `feedback ${this.done ? "on" : this.wrong ? "off" : ""}`;
    const score = sheet.score ?? sheet.result?.parts;
    fill(this.score, score && scoreTable(score));
    refill(
      this.buttons,
      lesson.passing &&
        sheet.phase === "playing" &&
        button(t("pass"), attempt(() => game.play("pass")), { icon: "pass", kind: "primary", "data-do": "pass" }),
      sheet.phase === "marking" &&
        button(t("accept_score"), attempt(() => game.act("game.accept")), {
          icon: "check",
          kind: "primary",
          "aria-disabled": String(sheet.thinking),
          "data-do": "accept",
        }),
      sheet.phase === "playing" &&
        sheet.live !== 0 &&
        lesson.kind !== "match" &&
        button(t("undo"), attempt(() => game.act("game.undo")), { icon: "undo", "data-do": "undo" }),
      button(t("start_again"), () => this.begin(), { icon: "again", "data-do": "again" }),
    );
  }

  /** Whether a click puts a stone down. */
  get mayPlay() {
    const { game, lesson } = this;
    if (!game || this.wrong) return false;
    return lesson.kind !== "match" || (game.view.to_move === "black" && !this.done);
  }

  /** Lets a move that misses the point go back after a while; a game that is lost begins again. */
  async regret() {
    const { game, lesson } = this;
    this.wrong = true;
    announcer.say(words(lesson.name, "wrong"));
    if (lesson.kind === "match") return;
    await new Promise((resolve) => setTimeout(resolve, TAKE_BACK));
    if (this.closed || game !== this.game || !game) return;
    await game.act("game.undo").catch((failure) => toasts.refuse(failure));
    const said = this.feedback.textContent ?? "";
    this.wrong = false;
    this.show(null);
    // The word stays until the next move.
    say(this.feedback, said);
    this.feedback.className = "feedback off";
  }

  /** @param {number} at */
  point(at) {
    const { game } = this;
    if (!game || (game.sheet.phase === "playing" && !this.mayPlay)) return;
    const point = named(game.size, at);
    if (game.sheet.phase === "marking") {
      if (game.view.stones[at] !== ".") attempt(() => game.act("game.dead", { point }))();
      return;
    }
    if (game.sheet.phase !== "playing") return;
    const illegal = game.view.illegal.find((one) => one.point === point);
    if (illegal) {
      this.surface?.explain(at, ...refusal(illegal, null));
      this.show(illegal);
      return;
    }
    if (game.view.stones[at] !== ".") return;
    attempt(() => game.play(point))();
  }

  close() {
    this.closed = true;
    this.leave();
    this.game?.close();
    this.surface?.close();
  }
}
