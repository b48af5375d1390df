// Mistakes that somebody wants to do better, one after the other when their time has come.

import { fill, h, refill } from "../element.js";
import { diagram, due, exercises } from "../exercises.js";
import { moveName, pointsLost } from "../losses.js";
import { button } from "../parts/controls.js";
import { arrive } from "../parts/focus.js";
import { attempt } from "../parts/toasts.js";
import { Trainer } from "../parts/trainer.js";
import { t, when } from "../strings.js";

/** @param {import("../app.js").App} app */
export function exercisesView(app) {
  const page = new ExercisesPage(app);
  return { root: page.root, title: t("exercises"), close: () => page.close() };
}

class ExercisesPage {
  /** @param {import("../app.js").App} app */
  constructor(app) {
    this.app = app;
    /** @type {Trainer | null} */
    this.trainer = null;
    /** @type {string | null} the board of the exercise */
    this.scratch = null;
    this.closed = false;
    this.body = h("div", { class: "exercises-body" });
    this.root = h("div", { class: "exercises" }, h("h1", { tabindex: -1 }, t("exercises")), this.body);
    this.list();
  }

  list() {
    this.leave();
    const all = exercises.all;
    const now = Date.now();
    const ready = due(all, now);
    const rest = all.filter((one) => one.due > now).sort((a, b) => a.due - b.due);
    refill(
      this.body,
      all.length === 0 && h("p", { class: "hint" }, t("exercises_none")),
      all.length > 0 && h("p", {}, t("exercises_due", { n: ready.length })),
      ready.length > 0 &&
        button(t("exercises_start"), attempt(() => this.train(ready[0])), { icon: "play", kind: "primary" }),
      h(
        "ul",
        { class: "exercise-list" },
        [...ready, ...rest].map((one) =>
          h(
            "li",
            {},
            h("span", { class: `disc small ${one.mover}`, "aria-hidden": "true" }),
            h("span", { class: "exercise-name" }, nameOf(one)),
            h("span", { class: "hint" }, pointsLost(one.lost)),
            h(
              "span",
              { class: "hint" },
              one.due <= now ? t("exercise_now") : t("exercise_due", { when: when(one.due) }),
            ),
            button(t("your_turn"), attempt(() => this.train(one)), { kind: "quiet" }),
            button(
              t("exercise_remove"),
              () => {
                exercises.remove(one.id);
                this.list();
              },
              { icon: "trash", bare: true, kind: "quiet" },
            ),
          ),
        ),
      ),
    );
  }

  /** @param {import("../exercises.js").Exercise} exercise */
  async train(exercise) {
    const { backend } = this.app;
    this.leave();
    const person = /** @type {const} */ ({ kind: "person" });
    const sheet = await backend.call("games.new", {
      position: diagram(exercise),
      rules: exercise.rules,
      komi: exercise.komi,
      black: person,
      white: person,
      keep: false,
    });
    const view = await backend.call("game.view", { game: sheet.id, node: 0 });
    if (this.closed) {
      backend.call("games.delete", { game: sheet.id }).catch(() => {});
      return;
    }
    this.scratch = sheet.id;
    const more = due(exercises.all, Date.now()).filter((one) => one.id !== exercise.id);
    this.trainer = new Trainer(exercise, view, {
      judge: (move) => backend.call("review.judge", { game: sheet.id, node: 0, move }),
      done: () => this.list(),
      next: more.length > 0 ? attempt(() => this.train(more[0])) : undefined,
    });
    fill(this.body, h("p", { class: "hint" }, nameOf(exercise)), this.trainer.root);
    arrive(this.trainer.heading);
  }

  leave() {
    this.trainer?.close();
    this.trainer = null;
    if (this.scratch) this.app.backend.call("games.delete", { game: this.scratch }).catch(() => {});
    this.scratch = null;
  }

  close() {
    this.closed = true;
    this.leave();
  }
}

/** What an exercise is called. @param {import("../exercises.js").Exercise} exercise */
function nameOf({ title, number, played }) {
  return t("exercise_name", { title, n: number, move: moveName(played) });
}
