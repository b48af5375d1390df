// A score in all its parts.

import { h } from "../element.js";
import { number, resultText, t } from "../strings.js";

/** @param {Api.Score} score @param {string} [caption] */
export function scoreTable(score, caption = t("score")) {
  const territory = score.scoring === "territory";
  /** @type {[string, keyof Api.ScoreSide, boolean][]} */
  const rows = [
    [t("score_territory"), "territory", true],
    [t("score_stones"), "stones", !territory],
    [t("score_prisoners"), "prisoners", territory || score.scoring === "area_and_prisoners"],
    [t("score_handicap"), "handicap", score.black.handicap !== 0 || score.white.handicap !== 0],
    [t("score_komi"), "komi", true],
  ];
  const cells = (/** @type {keyof Api.ScoreSide} */ part) => [
    h("td", {}, number(score.black[part])),
    h("td", {}, number(score.white[part])),
  ];
  return h(
    "table",
    { class: "score" },
    h("caption", {}, caption),
    h(
      "thead",
      {},
      h(
        "tr",
        {},
        h("td"),
        h("th", { scope: "col" }, disc("black"), t("black_player")),
        h("th", { scope: "col" }, disc("white"), t("white_player")),
      ),
    ),
    h(
      "tbody",
      {},
      rows
        .filter(([, , counts]) => counts)
        .map(([label, part]) => h("tr", {}, h("th", { scope: "row" }, label), cells(part))),
    ),
    h(
      "tfoot",
      {},
      h("tr", {}, h("th", { scope: "row" }, t("score_total")), cells("total")),
      h("tr", {}, h("th", { scope: "row" }, t("score_result")), h("td", { colspan: 2 }, resultText(score.text))),
    ),
  );
}

/** @param {Api.Color} color */
export function disc(color) {
  return h("span", { class: `disc small ${color}`, "aria-hidden": "true" });
}
