// A reviewed game in a few numbers: how well each side played, in which part of the game, and what to work on.

import { MISTAKE, mistakes } from "./judged.js";

/** @typedef {import("./judged.js").Played} Played @typedef {"opening" | "middle" | "endgame"} Part */

export const PARTS = /** @type {const} */ (["opening", "middle", "endgame"]);

/** A move that lost less counts as accurate, in points. */
const ACCURATE = 1;

/** How many moves a list has. */
const LISTED = 3;

/** What mistakes have in common, by the fact that says why they are mistakes. */
const SUBJECTS = /** @type {Record<Api.FactKind, Subject>} */ ({
  captured: "atari",
  self_atari: "atari",
  left_in_atari: "atari",
  ladder: "atari",
  missed_capture: "capture",
  dies: "life",
  lives: "life",
  cut_off: "cut",
  missed_cut: "cut",
  region: "area",
  elsewhere: "area",
  passed: "area",
});

/** @typedef {"atari" | "capture" | "life" | "cut" | "area" | Part} Subject */

/**
 * The part of the game in which a move was played: about 40 moves are the opening of a game on 19×19.
 * @param {number} number
 * @param {import("./coordinates.js").Size} size
 * @returns {Part}
 */
export function part(number, { width, height }) {
  const area = width * height;
  return number <= area / 9 ? "opening" : number <= area * 0.42 ? "middle" : "endgame";
}

/** @param {Played[]} moves */
function figures(moves) {
  const lost = moves.reduce((sum, { next }) => sum + next.lost, 0);
  return {
    moves: moves.length,
    /** Points lost a move. */
    mean: moves.length ? lost / moves.length : 0,
    /** The share of moves that lose next to nothing. */
    accuracy: moves.length ? moves.filter(({ next }) => next.lost < ACCURATE).length / moves.length : 0,
    mistakes: moves.filter(({ next }) => next.lost >= MISTAKE).length,
  };
}

/**
 * What one side may work on: what its mistakes have in common that cost most.
 * @param {Played[]} moves
 * @param {import("./coordinates.js").Size} size
 * @returns {Subject | null}
 */
export function subject(moves, size) {
  /** @type {Map<Subject, number>} */
  const costs = new Map();
  for (const { next, number } of mistakes(moves)) {
    const why = next.facts[0] ? SUBJECTS[next.facts[0].kind] : part(number, size);
    costs.set(why, (costs.get(why) ?? 0) + next.lost);
  }
  return [...costs].sort((a, b) => b[1] - a[1])[0]?.[0] ?? null;
}

/**
 * @param {Played[]} moves all moves that were judged, in their order
 * @param {import("./coordinates.js").Size} size
 */
export function summarize(moves, size) {
  const side = (/** @type {Api.Color} */ color) => {
    const own = moves.filter((one) => one.color === color);
    return {
      ...figures(own),
      parts: PARTS.map((name) => figures(own.filter(({ number }) => part(number, size) === name))),
      worst: mistakes(own).slice(0, LISTED),
      /** Moves without a loss right after a mistake of the other side. */
      best: own
        .map((one) => ({ one, before: moves.find((other) => other.node === one.before) }))
        .filter(({ one, before }) => one.next.lost === 0 && (before?.next.lost ?? 0) >= MISTAKE)
        .sort((a, b) => (b.before?.next.lost ?? 0) - (a.before?.next.lost ?? 0))
        .slice(0, LISTED)
        .map(({ one }) => one),
      subject: subject(own, size),
    };
  };
  return { black: side("black"), white: side("white") };
}
