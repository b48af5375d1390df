// A reviewed game in a few numbers, and the way from there to exercises.

import { fill, h } from "../element.js";
import { lostText, moveName } from "../losses.js";
import { PARTS, summarize } from "../summary.js";
import { colorName, number, percent, t } from "../strings.js";
import { button } from "./controls.js";

/** @typedef {import("../judged.js").Played} Played */

const COLORS = /** @type {const} */ (["black", "white"]);

export class Summary {
  /** @param {{ look: (one: Played) => void, train: (color: Api.Color) => void }} actions */
  constructor(actions) {
    this.actions = actions;
    this.root = h("div", { class: "summary tab-stack" });
    this.key = "";
  }

  /** @param {Played[]} moves @param {import("../coordinates.js").Size} size */
  show(moves, size) {
    const key = moves.map(({ node, next }) => `${node}:${next.lost}`).join();
    if (this.key === key && this.root.firstChild) return;
    this.key = key;
    if (moves.length === 0) {
      fill(this.root, h("p", { class: "hint" }, t("summary_none")));
      return;
    }
    const found = summarize(moves, size);
    /** @param {string} name @param {(side: typeof found.black) => string} of */
    const row = (name, of) =>
      h("tr", {}, h("th", { scope: "row" }, name), COLORS.map((color) => h("td", {}, of(found[color]))));
    const points = (/** @type {number} */ mean) => number(mean, { minimumFractionDigits: 1, maximumFractionDigits: 1 });
    fill(
      this.root,
      h(
        "table",
        { class: "summary-table" },
        h("caption", { class: "spoken" }, t("tab_summary")),
        h(
          "thead",
          {},
          h("tr", {}, h("td"), COLORS.map((color) => h("th", { scope: "col" }, colorName(color)))),
        ),
        h(
          "tbody",
          {},
          row(t("summary_accuracy"), (side) => percent(side.accuracy)),
          row(t("summary_mean"), (side) => points(side.mean)),
          row(t("summary_mistakes"), (side) => number(side.mistakes)),
          PARTS.map((part, i) => {
            const told = (/** @type {typeof found.black} */ { parts }) =>
              parts[i].moves ? points(parts[i].mean) : "–";
            return row(t(/** @type {const} */ (`part_${part}`)), told);
          }),
        ),
      ),
      h("p", { class: "hint" }, t("summary_help")),
      COLORS.map((color) => this.side(color, found[color])),
    );
  }

  /** @param {Api.Color} color @param {ReturnType<typeof summarize>["black"]} side */
  side(color, side) {
    const { look, train } = this.actions;
    const link = (/** @type {Played} */ one, /** @type {string} */ text) =>
      button(t("summary_move", { n: one.number, move: moveName(one.next.move) }) + text, () => look(one), {
        kind: "quiet",
        "data-do": `summary-${one.node}`,
      });
    return h(
      "section",
      { class: "summary-side" },
      h("h2", {}, h("span", { class: `disc small ${color}`, "aria-hidden": "true" }), colorName(color)),
      side.best.length > 0 &&
        h("div", { class: "summary-row" }, h("span", {}, t("summary_best")), side.best.map((one) => link(one, ""))),
      side.worst.length > 0 &&
        h(
          "div",
          { class: "summary-row" },
          h("span", {}, t("summary_worst")),
          side.worst.map((one) => link(one, ` · ${lostText(one.next)}`)),
        ),
      side.subject && h("p", { class: "summary-focus" }, t(/** @type {const} */ (`focus_${side.subject}`))),
      side.mistakes > 0 && button(t("train_mistakes", { n: side.mistakes }), () => train(color), { icon: "play" }),
      side.mistakes === 0 && h("p", { class: "hint" }, t("worst_none")),
    );
  }
}
