// Moves and what they lose, in words.

import { number, t } from "./strings.js";

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
