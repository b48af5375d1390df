// The first view: a new game, and the games that can be gone on with.

import { CLOCKS, DEFAULTS, request } from "../choices.js";
import { fill, h } from "../element.js";
import { icon } from "../icons.js";
import { button, choice, field, select } from "../parts/controls.js";
import { gameList } from "../parts/gamelist.js";
import { attempt } from "../parts/toasts.js";
import { read, write } from "../settings.js";
import { aboutRank, known, number, t } from "../strings.js";

/** @typedef {import("../choices.js").Choices} Choices */

const PLACE = "tengen.new";

/** @param {import("../app.js").App} app */
export function homeView(app) {
  const { about, backend } = app;
  /** @type {Choices} */
  const choices = { ...DEFAULTS, ...read(PLACE) };
  if (!about.rules.some((rules) => rules.id === choices.rules)) choices.rules = about.rules[0].id;

  const details = h("div", { class: "form-part" });
  const opponent = h("div", { class: "form-part" });
  const other = h("div", { class: "other-size" });

  const start = attempt(async () => {
    const sheet = await backend.call("games.new", request(choices));
    app.go({ view: "game", game: sheet.id, node: null });
  });

  /** @param {Partial<Choices>} change */
  const change = (change) => {
    Object.assign(choices, change);
    write(PLACE, choices);
  };

  const showOpponent = () => {
    if (choices.against === "engine")
      fill(opponent, levelField(choices, about.levels, change), colorField(choices, change));
    else if (choices.against === "battle")
      fill(
        opponent,
        h(
          "div",
          { class: "fields" },
          battleField("black", choices, about, change),
          battleField("white", choices, about, change),
        ),
      );
    else fill(opponent);
  };
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
      field(
        t("handicap"),
        select(
          ["0", "2", "3", "4", "5", "6", "7", "8", "9"].map((n) => [
            n,
            n === "0" ? t("handicap_none") : t("stones_n", { n: Number(n) }),
          ]),
          choices.handicap,
          (handicap) => change({ handicap }),
        ),
      ),
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
  showOpponent();
  showOther();

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

  const games = gameList(app, { empty: t("no_games") });
  const root = h(
    "div",
    { class: "home" },
    h("header", { class: "hero" }, h("h1", { tabindex: -1 }, t("hello")), h("p", {}, t("hello_more"))),
    h(
      "div",
      { class: "columns" },
      form,
      h(
        "div",
        { class: "stack" },
        h("section", { class: "card" }, h("h2", {}, t("continue_games")), games.root),
        h(
          "section",
          { class: "card quick" },
          button(t("open_record"), () => app.go({ view: "open" }), { icon: "file" }),
          button(t("learn_rules"), () => app.go({ view: "learn", lesson: null }), { icon: "book" }),
        ),
      ),
    ),
  );
  return { root, title: t("nav_play"), close: () => games.close() };
}

/** Who may sit at a board, as choices. @param {Api.About} about @returns {[string, string][]} */
export function sitters(about) {
  return [
    ...about.levels.map(
      ({ level, rank }) =>
        /** @type {[string, string]} */ ([`level:${level}`, t("engine_rank", { level, rank: aboutRank(rank) })]),
    ),
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
    const key = `level_${Math.ceil((at.level / levels.length) * 5)}`;
    const name = known(key) ? t(key) : "";
    value.textContent = t("level_name", { level: at.level, name, rank: aboutRank(at.rank) });
  };
  const slider = h("input", {
    type: "range",
    min: 1,
    max: levels.length,
    step: 1,
    value: choices.level,
    oninput: (/** @type {Event} */ event) => {
      change({ level: Number(/** @type {HTMLInputElement} */ (event.target).value) });
      show();
    },
  });
  show();
  const made = field(t("level"), slider);
  made.classList.add("level");
  made.querySelector("label")?.after(value);
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
