// What a review says about the moves of a game, as plain values.

import { move } from "./coordinates.js";

/** A move that lost less is no mistake, in points. */
export const MISTAKE = 1;

/**
 * A move of the game that was judged.
 * @typedef {object} Played
 * @property {number} node the position after it
 * @property {number} before the position before it
 * @property {number} number
 * @property {Api.Color} color
 * @property {Api.Next} next what it is worth
 * @property {Api.Reviewed} verdict what was found about the position before it
 */

/**
 * The moves of the main line that were judged, in their order.
 * @param {Map<number, Api.Reviewed>} reviewed
 * @param {import("./tree.js").GameTree} tree
 * @returns {Played[]}
 */
export function playedMoves(reviewed, tree) {
  const moves = [];
  let number = 0;
  for (const node of tree.main()) {
    const played = move(tree.moves[node] ?? "");
    if (!played) continue;
    number += 1;
    const before = tree.parent(node);
    const verdict = before === null ? undefined : reviewed.get(before);
    if (before === null || !verdict?.next || verdict.next.node !== node) continue;
    moves.push({ node, before, number, color: played.color, next: verdict.next, verdict });
  }
  return moves;
}

/** The mistakes among moves, the worst first. @param {Played[]} moves */
export function mistakes(moves) {
  return moves.filter(({ next }) => next.lost >= MISTAKE).sort((a, b) => b.next.lost - a.next.lost);
}

/** Whose each point will be, from 1 for Black to -1, by the letters of a review. @param {string} letters */
export function owners(letters) {
  return [...letters].map((letter) => (letter.charCodeAt(0) - 107) / 10);
}
