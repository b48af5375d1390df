// By how much somebody wins, in letters and in words. Margins are Black's.

import { colorName, number, t } from "./strings.js";

/** As short as possible: "B+9". @param {number} margin */
export function letters(margin) {
  if (margin === 0) return number(0);
  return `${t(margin > 0 ? "black_letter" : "white_letter")}+${number(Math.abs(margin))}`;
}

/** @param {number} margin */
export function words(margin) {
  if (margin === 0) return t("exact_even");
  return t("exact_by", { winner: colorName(margin > 0 ? "black" : "white"), n: Math.abs(margin) });
}

/** What is proven about a move or a position. @param {{ lower: number, upper: number, complete: boolean }} bounds */
export function bounds({ lower, upper, complete }) {
  if (lower === upper) return words(lower);
  return t(complete ? "exact_between" : "exact_so_far", { low: words(lower), high: words(upper) });
}

/**
 * What is proven about a position, as a sentence.
 * @param {{ lower: number, upper: number, complete: boolean }} bounds
 * @param {number} area the points of the board
 */
export function verdict({ lower, upper, complete }, area) {
  if (lower === upper) {
    if (lower === 0) return t("exact_draw");
    const [winner, other] =
      lower > 0 ? [colorName("black"), colorName("white")] : [colorName("white"), colorName("black")];
    return t("exact_wins", { winner, other, n: Math.abs(lower) });
  }
  if (complete) return t("exact_decides", { low: words(lower), high: words(upper) });
  if (lower === -area && upper === area) return t("exact_nothing");
  if (upper === area) return t("exact_at_least", { low: words(lower) });
  if (lower === -area) return t("exact_at_most", { high: words(upper) });
  return t("exact_known", { low: words(lower), high: words(upper) });
}
