// The rules, one at a time, each with a board to try it on.

import { announcer } from "../announcer.js";
import { stateOf } from "../board/state.js";
import { Surface } from "../board/surface.js";
import { index, named } from "../coordinates.js";
import { fill, h, refill, say } from "../element.js";
import { OpenGame } from "../game.js";
import { LESSONS } from "../lessons.js";
import { button, choice } from "../parts/controls.js";
import { scoreTable } from "../parts/score.js";
import { attempt, toasts } from "../parts/toasts.js";
import { refusal } from "../parts/why.js";
import { format } from "../route.js";
import { colorName, t } from "../strings.js";

/** @typedef {import("../strings.js").Key} Key */

/** Words that belong to a lesson. @param {string} lesson @param {"title" | "text" | "task" | "done"} part */
function words(lesson, part) {
  return t(/** @type {Key} */ (`lesson_${lesson}_${part}`));
}

/** @param {import("../app.js").App} app @param {string | null} name */
export function learnView(app, name) {
  const at = Math.max(0, LESSONS.findIndex((lesson) => lesson.name === name));
  const lesson = LESSONS[at];
  const page = new LessonPage(app, lesson);
  const next = LESSONS[at + 1];
  const root = h(
    "div",
    { class: "learn" },
    h(
      "nav",
      { class: "lessons", "aria-label": t("lessons") },
      h(
        "ol",
        {},
        LESSONS.map((one) =>
          h(
            "li",
            {},
            h(
              "a",
              { href: format({ view: "learn", lesson: one.name }), "aria-current": one === lesson ? "page" : null },
              words(one.name, "title"),
            ),
          ),
        ),
      ),
    ),
    h(
      "article",
      { class: "lesson" },
      h("div", { class: "stage" }, page.holder),
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
        next
          ? h(
              "a",
              { class: "button next-lesson", href: format({ view: "learn", lesson: next.name }) },
              t("next_lesson", { title: words(next.name, "title") }),
            )
          : h("a", { class: "button next-lesson", href: format({ view: "home" }) }, t("lessons_over")),
      ),
    ),
  );
  return { root, title: words(lesson.name, "title"), close: () => page.close() };
}

class LessonPage {
  /** @param {import("../app.js").App} app @param {import("../lessons.js").Lesson} lesson */
  constructor(app, lesson) {
    this.app = app;
    this.lesson = lesson;
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
        white: { kind: "person" },
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
    if (sheet.phase === "playing") state.turn = view.to_move;
    else state.dead = new Set((sheet.dead ?? []).map((point) => index(size, point)));
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
    if (lesson.done({ view, sheet, refused }) && !this.done) {
      this.done = true;
      announcer.say(words(lesson.name, "done"));
    }
    say(this.feedback, this.done ? words(lesson.name, "done") : "");
    this.feedback.classList.toggle("on", this.done);
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
        button(t("undo"), attempt(() => game.act("game.undo")), { icon: "undo", "data-do": "undo" }),
      button(t("start_again"), () => this.begin(), { icon: "again", "data-do": "again" }),
    );
  }

  /** @param {number} at */
  point(at) {
    const { game } = this;
    if (!game) return;
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
