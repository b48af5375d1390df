// Problems: the page's own set, and any collection that somebody opens. What was hard comes back.

import { fill, h, say } from "../element.js";
import { button } from "../parts/controls.js";
import { Exercise } from "../parts/exercise.js";
import { base64 } from "../parts/opener.js";
import { toasts } from "../parts/toasts.js";
import { choose, practice } from "../practice.js";
import { format } from "../route.js";
import { read, write } from "../settings.js";
import { problemName } from "../solution.js";
import { t } from "../strings.js";

/** The name of the page's own set in addresses and in what is kept. */
const OWN = "own";

/** Where the last collection is kept that somebody opened, and how large it may be for that. */
const PLACE = "tengen.problems";
const MOST_KEPT = 300_000;

/** @typedef {{ set: string, title: string, problems: Api.Problem[], names: string[] }} ProblemSet */

/** Sets that were read. @type {Map<string, ProblemSet>} */
const sets = new Map();

/** @param {string} set @param {string} title @param {Api.Problem[]} problems */
function remember(set, title, problems) {
  const made = { set, title, problems, names: problems.map(problemName) };
  sets.set(set, made);
  return made;
}

/** @param {import("../app.js").App} app @returns {Promise<ProblemSet>} */
async function ownSet(app) {
  const known = sets.get(OWN);
  if (known) return known;
  const answer = await fetch(new URL("../problems.sgf", import.meta.url));
  const { problems } = await app.backend.call("problems.read", { text: await answer.text() });
  return remember(OWN, t("problems_own"), problems);
}

/** The set of an address; null if it is not here. @param {import("../app.js").App} app @param {string} set */
async function setOf(app, set) {
  if (set === OWN) return ownSet(app);
  const known = sets.get(set);
  if (known) return known;
  const { name, text } = read(PLACE);
  if (typeof text !== "string" || name !== set) return null;
  const { problems } = await app.backend.call("problems.read", { base64: text, name });
  return remember(set, set, problems);
}

/** @param {import("../app.js").App} app @param {File} file */
async function openSet(app, file) {
  const text = base64(new Uint8Array(await file.arrayBuffer()));
  const { problems } = await app.backend.call("problems.read", { base64: text, name: file.name });
  if (problems.length === 0) throw { code: "unreadable", message: t("problems_none") };
  if (text.length < MOST_KEPT) write(PLACE, { name: file.name, text });
  remember(file.name, file.name, problems);
  app.go({ view: "problems", set: file.name, problem: null });
}

/** The levels of a set with the places of their problems; one without a name if it has none. @param {ProblemSet} set */
function levels({ problems }) {
  /** @type {Map<string, number[]>} */
  const found = new Map();
  problems.forEach(({ level }, i) => {
    const name = level ?? "";
    found.set(name, [...(found.get(name) ?? []), i]);
  });
  return found;
}

/**
 * @param {import("../app.js").App} app
 * @param {string | null} set
 * @param {number | null} number from 1 on
 */
export async function problemsView(app, set, number) {
  const found = await setOf(app, set ?? OWN).catch((failure) => {
    toasts.refuse(failure);
    return null;
  });
  if (!found) {
    const root = h(
      "div",
      { class: "card lost" },
      h("h1", { tabindex: -1 }, t("problems_gone")),
      button(t("problems"), () => app.go({ view: "problems", set: null, problem: null }), { kind: "primary" }),
    );
    return { root, title: t("problems"), close() {} };
  }
  if (number !== null && found.problems[number - 1]) return problemPage(app, found, number - 1);
  return listPage(app, found);
}

/** How far somebody has come. */
function rowsText() {
  const { days, problems } = practice.rows;
  const told = [];
  if (days > 1) told.push(t("problems_days", { n: days }));
  if (problems > 1) told.push(t("problems_row", { n: problems }));
  return told.join(" · ");
}

/** @param {import("../app.js").App} app @param {ProblemSet} found */
function listPage(app, found) {
  const cards = practice.cards(found.set);
  const now = Date.now();
  const due = found.names.filter((name) => cards[name] && cards[name].due <= now).length;
  const solved = found.names.filter((name) => (cards[name]?.times ?? 0) > 0).length;
  const next = choose(found.names, cards, now) ?? found.names[0];
  const to = (/** @type {number} */ i) => format({ view: "problems", set: found.set, problem: i + 1 });
  const input = h("input", {
    type: "file",
    accept: ".sgf,application/x-go-sgf",
    class: "spoken",
    "aria-label": t("problems_open"),
    onchange: async () => {
      const [file] = input.files ?? [];
      if (file) await openSet(app, file).catch((failure) => toasts.refuse(failure));
    },
  });
  const open = button(t("problems_open"), () => input.click(), { icon: "file" });
  const root = h(
    "div",
    { class: "problems" },
    h(
      "header",
      { class: "problems-head" },
      h("h1", { tabindex: -1 }, found.title),
      h(
        "p",
        { class: "lead" },
        found.set === OWN ? t("problems_own_more") : t("problems_n", { n: found.names.length }),
      ),
      h("progress", { max: found.names.length, value: solved, "aria-label": t("problems_progress") }),
      h(
        "p",
        { class: "hint" },
        [
          t("problems_solved", { n: solved, total: found.names.length }),
          due > 0 ? t("problems_due", { n: due }) : "",
          rowsText(),
        ]
          .filter((text) => text !== "")
          .join(" · "),
      ),
      h(
        "div",
        { class: "button-row" },
        h(
          "a",
          { class: "button primary", href: to(found.names.indexOf(next)) },
          solved > 0 ? t("problems_go_on") : t("problems_begin"),
        ),
        open,
        input,
        found.set !== OWN &&
          h("a", { class: "button", href: format({ view: "problems", set: null, problem: null }) }, t("problems_own")),
      ),
    ),
    [...levels(found)].map(([level, places]) =>
      h(
        "section",
        { class: "problem-level" },
        level !== "" && h("h2", {}, levelName(level)),
        h(
          "ol",
          { class: "problem-grid" },
          places.map((i) => {
            const card = cards[found.names[i]];
            const state = !card ? "new" : card.times === 0 ? "failed" : card.due <= now ? "due" : "done";
            return h(
              "li",
              {},
              h(
                "a",
                { class: `problem-link ${state}`, href: to(i), "aria-label": problemLabel(i + 1, state) },
                String(i + 1),
              ),
            );
          }),
        ),
      ),
    ),
  );
  return { root, title: found.title, close() {} };
}

/** @param {number} number @param {string} state */
function problemLabel(number, state) {
  const told = { new: "", failed: t("problem_was_wrong"), due: t("problem_is_due"), done: t("problem_was_solved") };
  const more = told[/** @type {keyof typeof told} */ (state)];
  return [t("problem_n", { n: number }), more].filter((text) => text !== "").join(t("list_comma"));
}

/** A rank as records write it, such as 15k, in words. @param {string} level */
function levelName(level) {
  const parts = /^(\d+) ?(k|kyu|d|dan)$/i.exec(level.trim());
  if (!parts) return level;
  const n = Number(parts[1]);
  return /^k/i.test(parts[2]) ? t("rank_kyu", { n }) : t("rank_dan", { n });
}

/** @param {import("../app.js").App} app @param {ProblemSet} found @param {number} at */
function problemPage(app, found, at) {
  const problem = found.problems[at];
  const name = found.names[at];
  const count = h("p", { class: "hint" });
  const ahead = h("div", { class: "button-row" });
  const exercise = new Exercise(app, problem, {
    tried: (solved) => practice.note(found.set, name, solved),
    changed: () => show(),
  });
  const link = (/** @type {number} */ i, /** @type {string} */ label, /** @type {string} */ kind) =>
    h("a", { class: `button ${kind}`, href: format({ view: "problems", set: found.set, problem: i + 1 }) }, label);
  function show() {
    say(count, rowsText());
    const done = exercise.stage === "solved" || exercise.stage === "shown";
    const chosen = choose(found.names, practice.cards(found.set), Date.now(), name);
    const next = chosen === null ? (at + 1) % found.names.length : found.names.indexOf(chosen);
    fill(
      ahead,
      link(next, done ? t("problem_next") : t("problem_skip"), done ? "primary next-problem" : "quiet"),
      h(
        "a",
        { class: "button quiet", href: format({ view: "problems", set: found.set, problem: null }) },
        t("problems_all"),
      ),
    );
  }
  const title = t("problem_n", { n: at + 1 });
  const root = h(
    "div",
    { class: "problem" },
    h("div", { class: "stage" }, exercise.surface.root),
    h(
      "div",
      { class: "panel problem-panel" },
      h("p", { class: "hint" }, problem.level ? `${found.title} · ${levelName(problem.level)}` : found.title),
      h("h1", { tabindex: -1 }, title),
      h("p", { class: "task" }, exercise.task),
      problem.region.length > 0 && h("p", { class: "hint" }, t("problem_where")),
      exercise.feedback,
      exercise.remark,
      exercise.buttons,
      ahead,
      count,
    ),
  );
  show();
  return { root, title, close: () => exercise.close() };
}
