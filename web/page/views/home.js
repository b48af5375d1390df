// The first view: a new game, and the games that can be gone on with.

import { CLOCKS, DEFAULTS, FIRST_GAME, request } from "../choices.js";
import { fill, h } from "../element.js";
import { icon } from "../icons.js";
import { button, checkbox, choice, field, select } from "../parts/controls.js";
import { gameList } from "../parts/gamelist.js";
import { LiveBoard } from "../parts/liveboard.js";
import { attempt } from "../parts/toasts.js";
import { fittingHandicap, fittingLevel, results } from "../results.js";
import { read, write } from "../settings.js";
import { aboutRank, known, number, opponentName, t } from "../strings.js";
import { teach } from "../taught.js";

/** @typedef {import("../choices.js").Choices} Choices */

const PLACE = "tengen.new";

/** How many games the first view shows before somebody asks for more. */
const RECENT = 4;

/** @param {import("../app.js").App} app */
export function homeView(app) {
  const { about, backend } = app;
  /** @type {Choices} */
  const choices = { ...DEFAULTS, ...read(PLACE) };
  if (!about.rules.some((rules) => rules.id === choices.rules)) choices.rules = about.rules[0].id;
  /** The highest level of the engine. */
  const highest = about.levels.length;

  const details = h("div", { class: "form-part" });
  const opponent = h("div", { class: "form-part" });
  const other = h("div", { class: "other-size" });

  /** @param {Choices} wanted @param {string | null} first a first move */
  const begin = async (wanted, first) => {
    const sheet = await backend.call("games.new", request(wanted));
    if (wanted.teaching && wanted.against === "engine") teach(sheet.id);
    if (first) await backend.call("game.play", { game: sheet.id, node: sheet.live, move: first });
    app.go({ view: "game", game: sheet.id, node: null });
  };
  const start = (/** @type {string | null} */ first = null) => attempt(() => begin(choices, first))();
  const live = new LiveBoard(app, choices, start);

  /** @param {Partial<Choices>} change */
  const change = (change) => {
    Object.assign(choices, change);
    if (choices.adapts) choices.level = fittingLevel(results(), highest);
    write(PLACE, choices);
    showSuggestion();
    live.show();
  };

  const suggestion = h("p", { class: "suggestion-text", hidden: true });
  /** Offers the handicap that the results against this level speak for. */
  const showSuggestion = () => {
    const size = choices.size === "other" ? Math.max(choices.width, choices.height) : Number(choices.size);
    const stones = choices.against === "engine" ? fittingHandicap(results(), { size, level: choices.level }) : null;
    suggestion.hidden = stones === null || String(stones) === choices.handicap || choices.color === "white";
    if (suggestion.hidden || stones === null) return;
    fill(
      suggestion,
      h("span", {}, t(stones > Number(choices.handicap) ? "handicap_more" : "handicap_less")),
      button(
        stones === 0 ? t("handicap_even") : t("handicap_take", { n: stones }),
        () => {
          handicaps.value = String(stones);
          change({ handicap: String(stones) });
        },
        { kind: "quiet" },
      ),
    );
  };

  const showOpponent = () => {
    if (choices.against === "engine")
      fill(
        opponent,
        levelField(choices, about.levels, change),
        colorField(choices, change),
        suggestion,
        about.features.review !== false &&
          checkbox(t("teaching"), choices.teaching, (teaching) => change({ teaching }), t("teaching_more")),
      );
    else if (choices.against === "battle")
      fill(
        opponent,
        h(
          "div",
          { class: "fields" },
          battleField("black", choices, about, change),
          battleField("white", choices, about, change),
        ),
        choice(
          t("pace"),
          [
            ["3000", t("pace_slow")],
            ["1000", t("pace_steady")],
            ["0", t("pace_fast")],
          ],
          choices.pace,
          (pace) => change({ pace }),
        ),
      );
    // An edition without a server knows nothing of invitations.
    else
      fill(
        opponent,
        about.features.invite !== undefined &&
          h("p", { class: "hint" }, t(about.features.invite ? "friend_link" : "friend_token")),
      );
  };
  const handicaps = select(
    ["0", "2", "3", "4", "5", "6", "7", "8", "9"].map((n) => [
      n,
      n === "0" ? t("handicap_none") : t("stones_n", { n: Number(n) }),
    ]),
    choices.handicap,
    (handicap) => change({ handicap }),
  );
  const showOther = () => {
    fill(
      other,
      choices.size === "other" && [
        sizeField(t("width"), "width", choices, about, change),
        h("span", { "aria-hidden": "true" }, "×"),
        sizeField(t("height"), "height", choices, about, change),
      ],
    );
  };
  fill(
    details,
    h(
      "div",
      { class: "fields" },
      field(
        t("rules"),
        select(
          about.rules.map(({ id }) => [id, ruleName(id)]),
          choices.rules,
          (rules) => change({ rules }),
        ),
      ),
      field(
        t("komi"),
        h("input", {
          type: "number",
          step: "0.5",
          min: -400,
          max: 400,
          value: choices.komi,
          placeholder: t("komi_usual"),
          oninput: (/** @type {Event} */ event) =>
            change({ komi: /** @type {HTMLInputElement} */ (event.target).value }),
        }),
      ),
      field(t("handicap"), handicaps),
      field(
        t("clock"),
        select(
          Object.keys(CLOCKS).map((name) => [name, clockName(name)]),
          choices.clock,
          (clock) => change({ clock }),
        ),
      ),
    ),
  );
  if (choices.adapts) choices.level = fittingLevel(results(), highest);
  showOpponent();
  showOther();
  showSuggestion();
  live.show();

  const more = h("details", { class: "more" }, h("summary", {}, t("more_options")), details);
  const form = h(
    "form",
    {
      class: "card new-game",
      onsubmit: (/** @type {Event} */ event) => {
        event.preventDefault();
        start();
      },
    },
    h("h2", {}, t("new_game")),
    choice(
      t("against"),
      [
        ["engine", t("against_engine")],
        ["person", t("against_person")],
        ["battle", t("against_battle")],
      ],
      choices.against,
      (against) => {
        change({ against });
        showOpponent();
        showSuggestion();
      },
      { hidden: true },
    ),
    choice(
      t("board_size"),
      [
        ["9", "9×9"],
        ["13", "13×13"],
        ["19", "19×19"],
        ["other", t("size_other")],
      ],
      choices.size,
      (size) => {
        change({ size });
        showOther();
      },
    ),
    other,
    opponent,
    more,
    h("button", { type: "submit", class: "button primary large" }, icon("play"), h("span", {}, t("start_game"))),
  );

  const newcomer = h(
    "section",
    { class: "card newcomer", hidden: true },
    h("h2", {}, t("newcomer")),
    h("p", { class: "hint" }, t("newcomer_more")),
    h(
      "div",
      { class: "button-row" },
      button(t("learn_rules"), () => app.go({ view: "learn", lesson: null }), { icon: "book", kind: "primary" }),
      about.may_play && button(t("first_game"), attempt(() => begin(FIRST_GAME, null)), { icon: "play" }),
    ),
  );
  const learn = button(t("learn_rules"), () => app.go({ view: "learn", lesson: null }), { icon: "book" });
  const games = gameList(app, {
    empty: t("no_games"),
    first: RECENT,
    heard: (all) => {
      // Who has finished a few games knows the way.
      const knows = all.filter((game) => game.phase !== "playing").length >= 3;
      newcomer.hidden = knows;
      learn.hidden = !knows;
      live.take(all);
    },
  });
  const root = h(
    "div",
    { class: "home" },
    h("header", { class: "hero" }, h("h1", { tabindex: -1 }, t("hello")), h("p", {}, t("hello_more"))),
    live.root,
    form,
    h(
      "div",
      { class: "stack home-side" },
      newcomer,
      h("section", { class: "card" }, h("h2", {}, t("continue_games")), games.root),
      h(
        "section",
        { class: "quick" },
        button(t("open_record"), () => app.go({ view: "open" }), { icon: "file" }),
        learn,
      ),
    ),
  );
  return {
    root,
    title: t("nav_play"),
    close() {
      games.close();
      live.close();
    },
  };
}

/** Who may sit at a board, as choices. @param {Api.About} about @returns {[string, string][]} */
export function sitters(about) {
  return [
    ...about.levels.map(({ level, rank }) => {
      const words = t("engine_rank", { name: opponentName(level), level, rank: aboutRank(rank) });
      return /** @type {[string, string]} */ ([`level:${level}`, words]);
    }),
    ...about.programs.map((name) => /** @type {[string, string]} */ ([`program:${name}`, name])),
  ];
}

/**
 * The name of a rule set. Rules without a name are told by how they count.
 * @param {string} id
 */
export function ruleName(id) {
  const key = `rules_${id.replaceAll("-", "_")}`;
  if (known(key)) return t(key);
  return id.includes("scoreTERRITORY") ? t("rules_territory") : id.includes("scoreAREA") ? t("rules_area") : id;
}

/** @param {string} name */
function clockName(name) {
  const key = `clock_${name}`;
  return known(key) ? t(key) : name;
}

/** @param {Choices} choices @param {Api.Level[]} levels @param {(change: Partial<Choices>) => void} change */
function levelField(choices, levels, change) {
  const value = h("output", { class: "level-value" });
  const show = () => {
    const at = levels.find(({ level }) => level === choices.level) ?? levels[levels.length - 1];
    const name = opponentName(at.level);
    value.textContent = t("level_name", { level: at.level, name, rank: aboutRank(at.rank) });
  };
  const adapts = checkbox(t("level_adapts"), choices.adapts, (on) => {
    change({ adapts: on });
    slider.value = String(choices.level);
    slider.disabled = on;
    show();
  }, t("level_adapts_more"));
  const slider = h("input", {
    type: "range",
    min: 1,
    max: levels.length,
    step: 1,
    value: choices.level,
    disabled: choices.adapts,
    oninput: (/** @type {Event} */ event) => {
      change({ level: Number(/** @type {HTMLInputElement} */ (event.target).value) });
      show();
    },
  });
  show();
  const made = field(t("level"), slider);
  made.classList.add("level");
  made.querySelector("label")?.after(value);
  made.append(
    h(
      "details",
      { class: "ranks" },
      h("summary", {}, t("ranks_about")),
      h("p", { class: "hint" }, t("ranks_about_more")),
    ),
    adapts,
  );
  return made;
}

/** @param {Choices} choices @param {(change: Partial<Choices>) => void} change */
function colorField(choices, change) {
  const disc = (/** @type {string} */ name) => h("span", { class: `disc small ${name}`, "aria-hidden": "true" });
  const label = (/** @type {string} */ name, /** @type {string} */ text) =>
    h("span", { class: "with-disc" }, disc(name), text);
  return choice(
    t("your_color"),
    [
      ["black", label("black", t("black_player"))],
      ["white", label("white", t("white_player"))],
      ["random", label("both", t("color_random"))],
    ],
    choices.color,
    (color) => change({ color }),
  );
}

/**
 * @param {Api.Color} color
 * @param {Choices} choices
 * @param {Api.About} about
 * @param {(change: Partial<Choices>) => void} change
 */
function battleField(color, choices, about, change) {
  const offered = sitters(about);
  const value = offered.some(([one]) => one === choices[color]) ? choices[color] : "level:5";
  choices[color] = value;
  return field(
    color === "black" ? t("black_player") : t("white_player"),
    select(offered, value, (chosen) => change({ [color]: chosen })),
  );
}

/**
 * @param {string} label
 * @param {"width" | "height"} which
 * @param {Choices} choices
 * @param {Api.About} about
 * @param {(change: Partial<Choices>) => void} change
 */
function sizeField(label, which, choices, about, change) {
  return field(
    label,
    h("input", {
      type: "number",
      min: about.sizes.min,
      max: about.sizes.max,
      required: true,
      value: choices[which],
      oninput: (/** @type {Event} */ event) =>
        change({ [which]: Number(/** @type {HTMLInputElement} */ (event.target).value) }),
    }),
    t("from_to", { from: number(about.sizes.min), to: number(about.sizes.max) }),
  );
}
