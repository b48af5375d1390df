// Mistakes that somebody wants to do better: a list that stays in the browser and comes back at growing intervals.

import { read, write } from "./settings.js";

/**
 * @typedef {object} Exercise
 * @property {string} id
 * @property {string} title the game that it comes from
 * @property {string} game
 * @property {number} node the position, in that game
 * @property {number} number the number of the move that was played
 * @property {import("./coordinates.js").Size} size
 * @property {string} stones
 * @property {Api.Color} mover
 * @property {string} rules
 * @property {number} komi
 * @property {string} played
 * @property {number} lost
 * @property {string[]} line the better moves, the best one first
 * @property {string[]} good moves as good as the best one
 * @property {string[]} refutation what is expected after the move that was played
 * @property {Api.Fact[]} facts why it was a mistake
 * @property {number} step how often it was solved in a row
 * @property {number} due when it comes back, in milliseconds since 1970
 */

const PLACE = "tengen.exercises";
const DAY = 24 * 3600 * 1000;

/** After how many days an exercise comes back that was solved as often in a row. */
const INTERVALS = [1, 3, 7, 16, 35, 90];

/** The most that are kept; the ones that come back last give way. */
const MOST = 500;

/**
 * An exercise as it is after somebody has tried it.
 * @param {Exercise} exercise
 * @param {boolean} solved at the first try, without help
 * @param {number} now
 * @returns {Exercise}
 */
export function tried(exercise, solved, now) {
  const step = solved ? exercise.step + 1 : 0;
  const days = INTERVALS[Math.min(step, INTERVALS.length) - 1] ?? 0;
  // What was not solved comes back in ten minutes.
  return { ...exercise, step, due: now + (days ? days * DAY : 600_000) };
}

/**
 * Those whose time has come, the longest overdue first.
 * @param {Exercise[]} exercises
 * @param {number} now
 */
export function due(exercises, now) {
  return exercises.filter((one) => one.due <= now).sort((a, b) => a.due - b.due);
}

/**
 * The exercise that a mistake makes.
 * @param {import("./judged.js").Played} mistake
 * @param {Pick<Api.Sheet, "id" | "title" | "rules" | "komi" | "width" | "height">} sheet
 * @param {Pick<Api.View, "stones" | "to_move">} view the position before the mistake
 * @returns {Exercise}
 */
export function exerciseOf({ before, number, next, verdict }, sheet, view) {
  return {
    id: `${sheet.id}:${before}`,
    title: sheet.title,
    game: sheet.id,
    node: before,
    number,
    size: { width: sheet.width, height: sheet.height },
    stones: view.stones,
    mover: view.to_move,
    rules: sheet.rules,
    komi: sheet.komi,
    played: next.move,
    lost: next.lost,
    line: verdict.pv,
    good: verdict.good,
    refutation: next.pv,
    facts: next.facts,
    step: 0,
    due: 0,
  };
}

/** The position of an exercise as a diagram. @param {Exercise} exercise */
export function diagram({ stones, size, mover }) {
  const rows = Array.from({ length: size.height }, (_, row) => stones.slice(row * size.width, (row + 1) * size.width));
  return `${rows.join("\n")}\n${mover === "black" ? "Black" : "White"} to move`;
}

class Exercises {
  /** @returns {Exercise[]} */
  get all() {
    const { items } = read(PLACE);
    return Array.isArray(items) ? items : [];
  }

  /** @param {Exercise[]} items */
  keep(items) {
    write(PLACE, { items: [...items].sort((a, b) => a.due - b.due).slice(0, MOST) });
  }

  /**
   * Adds exercises; one that is there already stays as it is.
   * @param {Exercise[]} more
   * @returns {number} how many are new
   */
  add(more) {
    const { all } = this;
    const known = new Set(all.map((one) => one.id));
    const fresh = more.filter((one) => !known.has(one.id));
    if (fresh.length > 0) this.keep([...all, ...fresh]);
    return fresh.length;
  }

  /** Notes how a try ended; one that is not kept stays so. @param {Exercise} exercise @param {boolean} solved */
  note(exercise, solved) {
    const after = tried(exercise, solved, Date.now());
    this.keep(this.all.map((one) => (one.id === exercise.id ? after : one)));
  }

  /** @param {string} id */
  remove(id) {
    this.keep(this.all.filter((one) => one.id !== id));
  }
}

export const exercises = new Exercises();
