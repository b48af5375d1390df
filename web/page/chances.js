// What a loss of points and a chance to win mean: a slip or a blunder, a game without hope.

/**
 * What a move that loses so many points is: on a small board fewer of them decide the game.
 * @param {number} lost
 * @param {number} area the points of the board
 * @returns {"good" | "slip" | "blunder"}
 */
export function kindOf(lost, area) {
  const blunder = area <= 100 ? 4 : area <= 200 ? 6 : 8;
  return lost >= blunder ? "blunder" : lost >= blunder / 3 ? "slip" : "good";
}

/** How many positions in a row a side must win less often than this, each searched so often, to be without hope. */
export const HOPELESS = { share: 0.03, positions: 8, visits: 16 };

/**
 * The side that has been without hope for long enough; null if there is none.
 * @param {number[]} rates Black's chances in the last positions, the latest last
 * @returns {Api.Color | null}
 */
export function hopeless(rates) {
  const last = rates.slice(-HOPELESS.positions);
  if (last.length < HOPELESS.positions) return null;
  if (last.every((rate) => rate < HOPELESS.share)) return "black";
  return last.every((rate) => rate > 1 - HOPELESS.share) ? "white" : null;
}
