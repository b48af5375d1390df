// How games against the engine ended, kept in this browser: what level comes next, and which handicap is fair.

import { read, write } from "./settings.js";

/**
 * @typedef {object} Result a finished game of one person against the engine
 * @property {string} game
 * @property {number} size the longer side of the board
 * @property {number} level
 * @property {number} handicap stones that the person had; negative if the engine had them
 * @property {boolean} won
 */

const PLACE = "tengen.results";

/** How many games are remembered. */
const KEPT = 200;

/** Where the level that adapts begins. */
const FIRST = 2;

/** @returns {Result[]} the oldest first */
export function results() {
  const { games } = read(PLACE);
  return Array.isArray(games) ? games : [];
}

/** Remembers a game, once. @param {Result} result */
export function remember(result) {
  const games = results();
  if (games.some((one) => one.game === result.game)) return;
  write(PLACE, { games: [...games, result].slice(-KEPT) });
}

/**
 * The result of a game for the person in it; null if it is no game of one person against the engine with a winner.
 * @param {Api.Sheet} sheet
 * @returns {Result | null}
 */
export function resultOf({ id, width, height, handicap, black, white, phase, result }) {
  if (phase !== "finished" || !result?.winner) return null;
  const [person, engine] = black.kind === "person" ? ["black", white] : ["white", black];
  if (engine.kind !== "engine" || (black.kind === "person") === (white.kind === "person")) return null;
  return {
    game: id,
    size: Math.max(width, height),
    level: engine.level,
    handicap: person === "black" ? handicap : -handicap,
    won: result.winner === person,
  };
}

/**
 * The level that suits whoever played these games: one that is beaten is too low, one that wins too high. Steps get
 * smaller when wins and losses alternate.
 * @param {Result[]} games
 * @param {number} levels the highest level
 */
export function fittingLevel(games, levels) {
  let level = FIRST;
  let step = Math.max(1, levels / 10);
  /** @type {boolean | null} */
  let before = null;
  for (const { level: other, handicap, won } of games) {
    // Two stones are about a level.
    const played = other - handicap / 2;
    if (before !== null && before !== won) step = Math.max(0.5, step * 0.75);
    before = won;
    if (won && played >= level - 1) level = Math.max(level, played) + step;
    else if (!won && played <= level + 1) level = Math.min(level, played) - step;
    level = Math.min(levels, Math.max(1, level));
  }
  return Math.round(level);
}

/** The handicaps that there are, from none on. */
const HANDICAPS = [0, 2, 3, 4, 5, 6, 7, 8, 9];

/**
 * The handicap for the next game against a level: two games lost in a row give one step more, two won one less. Null
 * if there is nothing to go by.
 * @param {Result[]} games
 * @param {{ size: number, level: number }} next
 */
export function fittingHandicap(games, { size, level }) {
  const last = games.filter((one) => one.size === size && one.level === level && one.handicap >= 0).slice(-2);
  if (last.length < 2 || last[0].won !== last[1].won) return null;
  const step = HANDICAPS.indexOf(last[1].handicap) + (last[1].won ? -1 : 1);
  const most = size < 13 ? 5 : 9;
  const stones = HANDICAPS[step];
  return stones === undefined || stones > most ? null : stones;
}
