// A mistake beside the better move: both on boards of their own with what is expected to follow, and why.

import { announcer } from "../announcer.js";
import { Board } from "../board/board.js";
import { lineOf, stateOf } from "../board/state.js";
import { fill, h, say } from "../element.js";
import { fateText, whyText } from "../facts.js";
import { lostText, moveName } from "../losses.js";
import { colorName, sentences, t } from "../strings.js";
import { button } from "./controls.js";
import { arrive } from "./focus.js";
import { leadText } from "./graph.js";

/** How many moves of a continuation are drawn and named. */
const AHEAD = 8;

/**
 * A board with a continuation, and its moves in words.
 * @param {string} title
 * @param {string} kind
 * @param {{
 *   size: import("../coordinates.js").Size, view: Api.View, line: string[], lead: number,
 * }} what
 */
function side(title, kind, { size, view, line, lead }) {
  const names = line.slice(0, AHEAD).map((one, i) => `${i + 1} ${moveName(one)}`);
  const board = new Board(size, { small: true, coordinates: false, still: `${title}. ${names.join(", ")}` });
  board.show({
    ...stateOf(size, { ...view, marks: [], labels: [], lines: [] }),
    line: lineOf(size, line.slice(0, AHEAD), view.to_move),
  });
  return h(
    "figure",
    { class: `compared ${kind}` },
    h("figcaption", {}, h("strong", {}, title), h("span", { class: "compared-lead" }, leadText(lead))),
    board.root,
    h("p", { class: "compared-line" }, names.join(" · ")),
  );
}

export class Comparison {
  /** @param {{ close: () => void, train: (mistake: import("../judged.js").Played) => void,
   *   enter: (mistake: import("../judged.js").Played) => void }} actions */
  constructor(actions) {
    this.actions = actions;
    this.heading = h("h2", { tabindex: -1 });
    this.proven = h("p", { class: "comparison-proven", hidden: true });
    this.root = h("section", { class: "comparison", "aria-label": t("compare") });
  }

  /**
   * @param {import("../judged.js").Played} mistake
   * @param {Api.View} view the position before it
   * @param {import("../coordinates.js").Size} size
   */
  show(mistake, view, size) {
    const { next, verdict, color } = mistake;
    const { close, train, enter } = this.actions;
    this.prove([]);
    fill(
      this.heading,
      t("worst_move", { n: mistake.number, player: colorName(color), move: moveName(next.move) }),
      h("span", { class: "comparison-lost" }, lostText(next)),
    );
    fill(
      this.root,
      this.heading,
      h(
        "div",
        { class: size.width > 9 ? "compared-pair large" : "compared-pair" },
        side(t("compare_played", { move: moveName(next.move) }), "worse", {
          size,
          view,
          line: next.pv,
          lead: next.lead,
        }),
        side(t("compare_better", { move: moveName(verdict.best) }), "better", {
          size,
          view,
          line: verdict.pv,
          lead: verdict.lead,
        }),
      ),
      h("p", { class: "comparison-why" }, whyText(next.facts, color) || t("fact_none")),
      this.proven,
      !verdict.settled && h("p", { class: "hint" }, t("not_settled")),
      h(
        "div",
        { class: "button-row" },
        button(t("your_turn"), () => train(mistake), { icon: "play", kind: "primary" }),
        button(t("compare_enter"), () => enter(mistake), { icon: "plus" }),
        button(t("back_to_board"), close, { icon: "close", kind: "quiet" }),
      ),
    );
    arrive(this.heading);
  }

  /** Says what is proven about groups, once that is known. @param {Api.Fate[]} fates */
  prove(fates) {
    say(this.proven, sentences(fates.map(fateText)));
    this.proven.hidden = fates.length === 0;
    if (fates.length > 0) announcer.also(this.proven.textContent ?? "");
  }
}
