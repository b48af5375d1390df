// Moves and what they lose, in words.

import { MISTAKE } from "./judged.js";
import { colorName, number, sentences, t } from "./strings.js";

/** The name of a move. @param {string} name */
export function moveName(name) {
  return name === "pass" ? t("pass") : name;
}

/** How many points a move loses. @param {number} lost */
export function pointsLost(lost) {
  return t("lost_points", { n: lost });
}

/** A standard error, in tenths like what it belongs to. @param {number} error */
export function errorText(error) {
  return t("plus_minus", { n: number(error, { minimumFractionDigits: 1, maximumFractionDigits: 1 }) });
}

/** The same with its error. @param {{ lost: number, lost_error: number }} judged */
export function lostText({ lost, lost_error }) {
  return `${pointsLost(lost)} (${errorText(lost_error)})`;
}

/**
 * A move for those who listen: what it lost, if it is a mistake, and what is written about it.
 * @param {Api.View} view the position after it
 * @param {{ color: Api.Color, move: string }} played
 * @param {Api.Next} [judged]
 */
export function moveSaid(view, played, judged) {
  return sentences([
    `${view.number}. ${colorName(played.color)} ${moveName(played.move)}.`,
    judged && judged.lost >= MISTAKE && `${lostText(judged)}.`,
    view.comment && `${t("comment")}: ${view.comment}`,
  ]);
}
