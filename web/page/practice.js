// When a problem comes back: sooner if it was hard, later each time that it was solved. It stays in the browser.

import { read, write } from "./settings.js";

const PLACE = "tengen.practice";

/** Days until a problem comes back, after it was solved so many times in a row. */
const DAYS = [1, 3, 7, 16, 35, 80, 180];

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

/**
 * @typedef {object} Card what is known about a problem
 * @property {number} times how often it was solved in a row
 * @property {number} due when it comes back, in milliseconds since 1970
 * @property {number} seen when it was last tried
 *
 * @typedef {object} Log
 * @property {Record<string, Card>} cards by the name of a set and that of a problem
 * @property {string[]} days the days on which something was solved, the latest last
 * @property {number} row how many were solved at the first try without a failure in between
 */

/** @returns {Log} */
function load() {
  const { cards = {}, days = [], row = 0 } = read(PLACE);
  return { cards, days, row };
}

/**
 * What becomes of a card when its problem was tried.
 * @param {Card | undefined} card
 * @param {boolean} solved at the first try and without help
 * @param {number} now
 * @returns {Card}
 */
export function next(card, solved, now) {
  if (!solved) return { times: 0, due: now + 10 * MINUTE, seen: now };
  // Whoever practises ahead of time gains nothing by it.
  if (card && card.times > 0 && card.due > now) return { ...card, seen: now };
  const times = (card?.times ?? 0) + 1;
  return { times, due: now + DAYS[Math.min(times, DAYS.length) - 1] * DAY, seen: now };
}

/** The name of a day. @param {number} now */
export function day(now) {
  const date = new Date(now);
  return `${date.getFullYear()}-${date.getMonth() + 1}-${date.getDate()}`;
}

/** How many days in a row something was solved, up to today or yesterday. @param {string[]} days @param {number} now */
export function streak(days, now) {
  const known = new Set(days);
  let at = known.has(day(now)) ? now : now - DAY;
  let count = 0;
  while (known.has(day(at))) {
    count += 1;
    at -= DAY;
  }
  return count;
}

/**
 * The problem to go on with: one that is due, else a new one, else none.
 * @param {string[]} names of the problems of a set, in its order
 * @param {Record<string, Card>} cards
 * @param {number} now
 * @param {string} [but] the one that was just done
 */
export function choose(names, cards, now, but) {
  const due = names.filter((name) => name !== but && cards[name] && cards[name].due <= now);
  due.sort((a, b) => cards[a].due - cards[b].due);
  return due[0] ?? names.find((name) => name !== but && !cards[name]) ?? null;
}

class Practice {
  /** @param {string} set @param {string} problem @returns {Card | undefined} */
  card(set, problem) {
    return load().cards[`${set}/${problem}`];
  }

  /** The cards of a set by the names of its problems. @param {string} set */
  cards(set) {
    const all = Object.entries(load().cards).filter(([name]) => name.startsWith(`${set}/`));
    return Object.fromEntries(all.map(([name, card]) => [name.slice(set.length + 1), card]));
  }

  /** Notes how a problem went. @param {string} set @param {string} problem @param {boolean} solved */
  note(set, problem, solved) {
    const log = load();
    const now = Date.now();
    const name = `${set}/${problem}`;
    log.cards[name] = next(log.cards[name], solved, now);
    log.row = solved ? log.row + 1 : 0;
    if (solved && !log.days.includes(day(now))) log.days = [...log.days, day(now)].slice(-400);
    write(PLACE, log);
  }

  /** Days in a row, and problems in a row. */
  get rows() {
    const { days, row } = load();
    return { days: streak(days, Date.now()), problems: row };
  }
}

export const practice = new Practice();
