// The count of a game in a sentence, for those who have not counted often.

import { number, t } from "../strings.js";

/**
 * How the points of a colour come about: "33 + 8 = 41".
 * @param {number[]} parts
 * @param {number} total
 */
export function sum(parts, total) {
  return `${parts.map((part) => number(part)).join(" + ")} = ${number(total)}`;
}

/** @param {Api.Score} score */
export function countText({ scoring, black, white }) {
  const parts = (/** @type {Api.ScoreSide} */ side) => {
    const counted =
      scoring === "territory"
        ? [side.territory, side.prisoners]
        : scoring === "area"
          ? [side.stones, side.territory]
          : [side.stones, side.territory, side.prisoners];
    // What White gets for moving second, or for Black's handicap.
    if (side.komi !== 0) counted.push(side.komi);
    if (side.handicap !== 0) counted.push(side.handicap);
    return sum(counted, side.total);
  };
  const rule = t(scoring === "territory" ? "count_territory" : "count_area");
  return `${rule} ${t("count_sums", { black: parts(black), white: parts(white) })}`;
}
