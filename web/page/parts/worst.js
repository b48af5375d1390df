// The moves of a reviewed game that cost most, as a list. Each leads to what would have been better.

import { h, refill } from "../element.js";
import { mistakes } from "../judged.js";
import { errorText, moveName } from "../losses.js";
import { colorName, signed, t } from "../strings.js";

/** How many are listed. */
const LISTED = 10;

export class WorstMoves {
  /** @param {(mistake: import("../judged.js").Played) => void} choose */
  constructor(choose) {
    this.choose = choose;
    this.root = h("div", { class: "worst" });
  }

  /** @param {import("../judged.js").Played[]} moves */
  show(moves) {
    const { root } = this;
    const worst = mistakes(moves).slice(0, LISTED);
    const key =
      worst.map(({ node, next, verdict }) => `${node}:${next.lost}:${verdict.best}:${verdict.settled}`).join() +
      (moves.length > 0);
    if (root.dataset.key === key) return;
    root.dataset.key = key;
    refill(
      root,
      moves.length > 0 && h("h2", {}, t("worst_moves")),
      moves.length > 0 && worst.length === 0 && h("p", { class: "hint" }, t("worst_none")),
      h("ol", {}, worst.map((one) => h("li", {}, this.row(one)))),
      worst.some(({ verdict }) => !verdict.settled) && h("p", { class: "hint" }, t("worst_open")),
    );
  }

  /** @param {import("../judged.js").Played} mistake */
  row(mistake) {
    const { node, next, verdict, color } = mistake;
    return h(
      "button",
      {
        type: "button",
        class: `worst-move${verdict.settled ? "" : " open"}`,
        "data-do": `look-${node}`,
        onclick: () => this.choose(mistake),
      },
      h("span", { class: `disc small ${color}`, "aria-hidden": "true" }),
      h(
        "span",
        { class: "worst-name" },
        t("worst_move", { n: mistake.number, player: colorName(color), move: moveName(next.move) }),
      ),
      h("span", { class: "worst-best" }, t("worst_better", { move: moveName(verdict.best) })),
      h("span", { class: "worst-lost" }, signed(-next.lost)),
      h("span", { class: "worst-error" }, errorText(next.lost_error)),
      !verdict.settled && h("span", { class: "spoken" }, t("unsettled")),
    );
  }
}
