// A point in words, as a screen reader says it: "Q16, white, last move".

import { index, named } from "../coordinates.js";
import { bounds } from "../margin.js";
import { number as number_, percent, t } from "../strings.js";

/** @param {import("./state.js").BoardState} state @param {number} at */
export function describe(state, at) {
  const words = [named(state.size, at)];
  const there = state.stones[at];
  words.push(there === "X" ? t("black") : there === "O" ? t("white") : t("empty"));
  if (at === state.last) words.push(t("last_move"));
  if (at === state.ko) words.push(t("ko"));
  if (state.dead.has(at)) words.push(t("dead"));
  const number = state.numbers.get(at);
  if (number !== undefined && there !== ".") words.push(t("move_n", { n: number }));
  const owner = state.territory.get(at);
  if (owner) words.push(t(owner === "black" ? "territory_black" : "territory_white"));
  const illegal = state.illegal.get(at);
  if (illegal && state.turn && there === ".") words.push(t("not_playable"));
  for (const label of state.labels) if (label.at === at) words.push(t("labelled", { text: label.text }));
  for (const mark of state.marks)
    if (mark.at === at) words.push(t(KINDS[/** @type {keyof typeof KINDS} */ (mark.kind)] ?? "marked"));
  const proven = state.proven.find((one) => index(state.size, one.move) === at);
  if (proven) words.push(bounds(proven));
  const candidate =
    state.proven.length > 0 ? undefined : state.candidates.find((one) => index(state.size, one.move) === at);
  if (candidate)
    words.push(t("suggested", { rate: percent(state.mover === "black" ? candidate.winrate : 1 - candidate.winrate) }));
  if (state.next?.at === at && there === ".") words.push(t("next_played", { lost: number_(state.next.lost) }));
  const ahead = state.line.find((one) => one.at === at);
  if (ahead) words.push(t("ahead_n", { n: ahead.number }));
  return words.join(t("list_comma"));
}

const KINDS = /** @type {const} */ ({
  triangle: "mark_triangle",
  square: "mark_square",
  circle: "mark_circle",
  cross: "mark_cross",
});
