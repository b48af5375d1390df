// Why a move is worse than another, in a sentence made from facts.

import { colorName, known, sentences, t } from "./strings.js";

/** @param {Api.Color} color @returns {Api.Color} */
const other = (color) => (color === "black" ? "white" : "black");

/** @param {Api.Fact} fact @param {Api.Color} mover who made the move */
export function factText({ kind, stones, at, region }, mover) {
  const key = `fact_${kind}`;
  const where = `region_${region ?? "center"}`;
  if (!known(key) || !known(where)) return "";
  return t(key, {
    n: stones,
    point: at ?? "",
    region: t(where),
    player: colorName(mover),
    other: colorName(other(mover)),
  });
}

/** @param {Api.Fact[]} facts @param {Api.Color} mover */
export function whyText(facts, mover) {
  return sentences(facts.map((fact) => factText(fact, mover)));
}

/** Facts that give the better move away. */
const ANSWERS = new Set(["missed_capture", "missed_cut", "elsewhere", "passed"]);

/** Why a move that is not played yet would be a mistake, without the answer. @param {Api.Fact[]} facts
 * @param {Api.Color} mover */
export function warningText(facts, mover) {
  return whyText(facts.filter(({ kind }) => !ANSWERS.has(kind)), mover);
}

/** What is proven about a group, as a sentence. @param {Api.Fate} fate */
export function fateText({ fate, color, stones, at, instead }) {
  const move = instead.map((one) => (one === "pass" ? t("pass") : one)).join(t("list_comma"));
  return t(fate === "dead" ? "fate_dead" : "fate_alive", { n: stones, point: at, player: colorName(color), move });
}
