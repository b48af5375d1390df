// Training runs: what a network has learned so far, in curves, and the games that it played.

import { fill, h } from "../element.js";
import { chart, hoursText } from "../parts/chart.js";
import { button, field, select } from "../parts/controls.js";
import { attempt, toasts } from "../parts/toasts.js";
import { format } from "../route.js";
import { number, resultText, t } from "../strings.js";

/** @typedef {import("../parts/chart.js").Line} Line */

/** @param {import("../app.js").App} app @param {string | null} run */
export function runsView(app, run) {
  const root = h(
    "div",
    { class: "runs" },
    h("header", { class: "hero" }, h("h1", { tabindex: -1 }, run ?? t("nav_runs")), h("p", {}, t("runs_more"))),
  );
  const content = h("div", { class: "stack" }, h("p", { class: "loading" }, t("loading")));
  root.append(content);
  (run === null ? showList(app, content) : showRun(app, run, content)).catch((failure) => {
    fill(content);
    toasts.refuse(failure);
  });
  return { root, title: run ?? t("nav_runs"), close() {} };
}

/** @param {import("../app.js").App} app @param {HTMLElement} content */
async function showList({ backend }, content) {
  const { runs } = await backend.call("runs.list");
  fill(
    content,
    runs.length === 0
      ? h("p", { class: "empty" }, t("runs_none"))
      : h(
          "ul",
          { class: "plain-list card" },
          runs.map((/** @type {any} */ one) =>
            h(
              "li",
              {},
              h("a", { href: format({ view: "runs", run: one.run }) }, one.run),
              h(
                "span",
                { class: "hint" },
                t("run_about", { generations: one.generations, games: one.games, hours: hoursText(one.hours) }),
              ),
            ),
          ),
        ),
  );
}

/** @param {import("../app.js").App} app @param {string} run @param {HTMLElement} content */
async function showRun(app, run, content) {
  const data = await app.backend.call("runs.get", { run });
  /** @param {keyof Api.Curves} name @param {string} title @returns {Line} */
  const curve = (name, title) => ({
    name: title,
    points: data.generations.flatMap((x, i) => {
      const y = data.curves[name][i];
      return y === null ? [] : [{ x, y }];
    }),
  });
  const games = h("section", { class: "card" });
  fill(
    content,
    h(
      "p",
      { class: "hint" },
      t("run_about", {
        generations: data.totals.generations,
        games: data.totals.games,
        hours: hoursText(data.totals.hours),
      }),
    ),
    h(
      "div",
      { class: "charts" },
      chart(
        t("chart_elo"),
        data.elo.length > 0
          ? [
              {
                name: t("chart_elo"),
                points: data.elo.map((/** @type {any} */ one) => ({ x: one.generation, y: one.elo, error: one.error })),
              },
            ]
          : [],
      ),
      chart(
        t("chart_versus"),
        data.versus.map((/** @type {any} */ one) => ({
          name: one.name,
          points: one.points.map((/** @type {any} */ point) => ({ x: point.generation, y: point.share })),
        })),
      ),
      chart(
        t("chart_policy"),
        [curve("policy", t("chart_policy"))].filter((line) => line.points.length > 0),
      ),
      chart(
        t("chart_value"),
        [curve("value", t("chart_value"))].filter((line) => line.points.length > 0),
      ),
      chart(
        t("chart_lead"),
        [curve("lead", t("chart_lead")), curve("ownership", t("chart_ownership"))].filter(
          (line) => line.points.length > 0,
        ),
      ),
      chart(
        t("chart_moves"),
        [curve("moves", t("chart_moves"))].filter((line) => line.points.length > 0),
      ),
      chart(
        t("chart_black"),
        [curve("black_wins", t("chart_black"))].filter((line) => line.points.length > 0),
      ),
      chart(
        t("chart_komi"),
        data.fair_komi.map((/** @type {any} */ one) => ({
          name: one.size,
          points: one.points.map((/** @type {any} */ point) => ({ x: point.generation, y: point.komi })),
        })),
      ),
    ),
    games,
  );
  await showGames(app, run, null, 0, games);
}

/**
 * @param {import("../app.js").App} app
 * @param {string} run
 * @param {number | null} generation
 * @param {number} offset
 * @param {HTMLElement} place
 */
async function showGames(app, run, generation, offset, place) {
  const data = await app.backend.call("runs.games", { run, offset, ...(generation === null ? {} : { generation }) });
  const again = (/** @type {number | null} */ of, /** @type {number} */ from) =>
    attempt(() => showGames(app, run, of, from, place))();
  const open = (/** @type {number} */ index) =>
    attempt(async () => {
      const { games } = await app.backend.call("runs.open", { run, generation: data.generation ?? 0, index });
      app.go({ view: "game", game: games[0].id, node: null });
    });
  fill(
    place,
    h("h2", {}, t("run_games")),
    data.generations.length === 0
      ? h("p", { class: "empty" }, t("run_no_games"))
      : [
          field(
            t("generation"),
            select(
              data.generations.map((one) => /** @type {[string, string]} */ ([String(one), number(one)])).reverse(),
              String(data.generation),
              (value) => again(Number(value), 0),
            ),
          ),
          data.games.length === 0 && h("p", { class: "empty" }, t("run_no_games")),
          h(
            "ul",
            { class: "run-games" },
            data.games.map((one) =>
              h(
                "li",
                {},
                button(
                  [
                    t("game_n", { n: one.index + 1 }),
                    `${one.width}×${one.height}`,
                    t("moves_n", { n: one.moves }),
                    resultText(one.result ?? ""),
                  ].join(" · "),
                  open(one.index),
                  { kind: "quiet" },
                ),
              ),
            ),
          ),
          h(
            "div",
            { class: "button-row" },
            offset > 0 && button(t("earlier"), () => again(data.generation, 0), { kind: "quiet" }),
            offset + data.games.length < data.total &&
              button(t("show_more"), () => again(data.generation, offset + data.games.length), { kind: "quiet" }),
          ),
        ],
  );
}
