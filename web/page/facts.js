// Why a move is worse than another, in a sentence made from facts.

import { colorName, known, t } from "./strings.js";

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
  return facts.map((fact) => factText(fact, mover)).filter(Boolean).join(" ");
}
