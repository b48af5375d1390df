// The moves that an analysis suggests, as a table beside the board.

import { h, say } from "../element.js";
import { gradeOf, visits } from "../board/layers.js";
import { percent, signed, t } from "../strings.js";
import { favourite, leadText } from "./graph.js";

/** How many are listed. */
const LISTED = 8;

export class Suggestions {
  /**
   * @param {{ show: (candidate: Api.Candidate | null) => void, play: (candidate: Api.Candidate) => void }} actions
   */
  constructor(actions) {
    this.actions = actions;
    this.body = h("tbody");
    this.head = h("p", { class: "hint" });
    this.table = h(
      "table",
      { class: "suggestions" },
      h("caption", { class: "spoken" }, t("suggestions")),
      h(
        "thead",
        {},
        h(
          "tr",
          {},
          [t("move"), t("winrate"), t("lead"), t("lost"), t("visits")].map((name) => h("th", { scope: "col" }, name)),
        ),
      ),
      this.body,
    );
    this.root = h("div", { class: "suggestion-box" }, this.head, this.table);
    this.root.addEventListener("pointerleave", () => actions.show(null));
    /** @type {Api.Candidate[]} */
    this.moves = [];
    /** The buttons by rank. They stay while the numbers change. */
    /** @type {{ row: HTMLElement, button: HTMLButtonElement, cells: HTMLElement[] }[]} */
    this.rows = [];
    /** Was a button in use when there was nothing left to suggest? */
    this.interrupted = false;
  }

  /** @param {number} rank */
  make(rank) {
    const button = h("button", {
      type: "button",
      class: "suggestion",
      onfocus: () => this.actions.show(this.moves[rank] ?? null),
      onblur: () => this.actions.show(null),
      onclick: () => this.moves[rank] && this.actions.play(this.moves[rank]),
    });
    const cells = Array.from({ length: 4 }, () => h("td"));
    const row = h(
      "tr",
      { onpointerenter: () => this.actions.show(this.moves[rank] ?? null) },
      h("th", { scope: "row" }, button),
      cells,
    );
    return { row, button, cells };
  }

  /**
   * @param {Api.Analysis | { failed: string } | null} found
   * @param {Api.Color} mover
   * @param {string} idle what to say when there is none
   * @param {string | null} [next] the move that was played in the game
   */
  show(found, mover, idle, next = null) {
    const analysis = found === null || "failed" in found ? null : found;
    if (this.table.contains(document.activeElement)) this.interrupted = true;
    const moves = analysis?.moves ?? [];
    // The move of the game is always among them.
    this.moves = moves.filter((one, rank) => rank < LISTED || one.move === next);
    this.table.hidden = this.moves.length === 0;
    const head = (/** @type {Api.Analysis} */ of) =>
      t("analysis_head", { ...favourite(of.winrate), lead: leadText(of.lead), visits: visits(of.visits) });
    say(this.head, analysis ? head(analysis) : found && "failed" in found ? found.failed : idle);
    while (this.rows.length < this.moves.length) this.rows.push(this.make(this.rows.length));
    this.moves.forEach((candidate, rank) => {
      const { row, button, cells } = this.rows[rank];
      const kind = gradeOf(candidate, rank);
      row.className = candidate.move === next ? `${kind} played` : kind;
      say(button, candidate.move === "pass" ? t("pass") : candidate.move);
      if (candidate.move === next) button.title = t("played_here");
      else button.removeAttribute("title");
      const rate = mover === "black" ? candidate.winrate : 1 - candidate.winrate;
      const texts = [
        percent(rate),
        leadText(candidate.lead),
        kind === "guess" ? "?" : candidate.lost < 0.05 ? "0" : signed(-candidate.lost),
        visits(candidate.visits),
      ];
      texts.forEach((text, i) => say(cells[i], text));
    });
    // A row that stays is not touched: moving it would take the focus from its button.
    this.rows.forEach(({ row }, rank) => {
      if (rank >= this.moves.length) row.remove();
      else if (row.parentNode !== this.body) this.body.append(row);
    });
    if (this.table.hidden) return;
    // The same key plays the next suggestion.
    if (this.interrupted && document.activeElement === document.body) this.rows[0].button.focus();
    this.interrupted = false;
  }
}
