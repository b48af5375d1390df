// Which games of this browser are teaching games.

import { read, write } from "./settings.js";

/** Where it is kept, with what the teacher was asked to do. */
export const PLACE = "tengen.teaching";

/** How many teaching games are remembered. */
const KEPT = 100;

/** @returns {string[]} */
function taught() {
  const { games } = read(PLACE);
  return Array.isArray(games) ? games : [];
}

/** Makes a game a teaching game. @param {string} game */
export function teach(game) {
  write(PLACE, { ...read(PLACE), games: [...taught(), game].slice(-KEPT) });
}

/** @param {string} game */
export function isTaught(game) {
  return taught().includes(game);
}
