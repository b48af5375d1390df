// The link with which a friend elsewhere takes a seat.

import { gameLink } from "./route.js";

/** The letters of a secret: none that is taken for another. */
const LETTERS = "abcdefghijkmnpqrstuvwxyz23456789";

/** A secret that nobody guesses: 160 random bits. */
export function secret() {
  const bytes = crypto.getRandomValues(new Uint8Array(32));
  return Array.from(bytes, (byte) => LETTERS[byte % LETTERS.length]).join("");
}

/** @param {string} token @param {string} game @param {{ origin: string, pathname: string }} place */
export function inviteLink(token, game, { origin, pathname }) {
  return `${origin}${pathname}?token=${token}${gameLink(game)}`;
}

/** Does a name lead to the machine itself, wherever it is opened? @param {string} hostname */
export function isLocal(hostname) {
  return /^(localhost|127\.|\[?::1\]?$)/.test(hostname);
}
