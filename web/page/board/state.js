// What a board shows, as plain values.

import { index, move as parse } from "../coordinates.js";

/**
 * A move that is suggested. One that cannot be compared with the best gets no figures.
 * @typedef {Pick<Api.Candidate, "move" | "visits" | "winrate" | "lead" | "lost" | "pv">
 *   & Partial<Pick<Api.Candidate, "compared">>} Suggested
 */

/**
 * @typedef {object} BoardState
 * @property {import("../coordinates.js").Size} size
 * @property {string} stones a character a point, from the top left: `.`, `X`, `O`
 * @property {number | null} last
 * @property {number | null} tried a stone that the back end has not confirmed yet
 * @property {number | null} ko
 * @property {Api.Color | null} turn whose stone a click puts down; null if none
 * @property {Map<number, Api.Illegal>} illegal
 * @property {{ at: number, kind: string }[]} marks
 * @property {{ at: number, text: string }[]} labels
 * @property {{ from: number, to: number, arrow: boolean }[]} lines
 * @property {Map<number, number>} numbers move numbers on stones
 * @property {Set<number>} dead
 * @property {Map<number, Api.Color>} territory
 * @property {number[] | null} ownership
 * @property {Suggested[]} candidates
 * @property {Api.ExactMove[]} proven moves whose results are proven, shown instead of candidates
 * @property {Api.Color} mover from whose side candidates are told
 * @property {{ at: number, color: Api.Color, number: number }[]} line a sequence of moves shown ahead
 * @property {number | null} highlight
 * @property {number[]} branches points of the moves that follow in the record
 * @property {{ at: number, lost: number, settled: boolean } | null} next what was played next, and what it lost
 * @property {boolean} rates are candidates told by chances instead of points?
 */

/**
 * @param {import("../coordinates.js").Size} size
 * @param {Pick<Api.View, "stones" | "last" | "ko" | "illegal" | "marks" | "labels" | "lines" | "to_move">} view
 * @param {{ point: string | null } | null} [tried] a move of which it is not known yet whether it is possible
 * @returns {BoardState}
 */
export function stateOf(size, view, tried = null) {
  /** @param {string} point */
  const at = (point) => index(size, point);
  /** @type {Map<number, Api.Color>} */
  const territory = new Map();
  const marks = [];
  for (const mark of view.marks ?? []) {
    if (mark.kind === "territory_black") territory.set(at(mark.point), "black");
    else if (mark.kind === "territory_white") territory.set(at(mark.point), "white");
    else marks.push({ at: at(mark.point), kind: mark.kind });
  }
  return {
    size,
    stones: view.stones,
    last: view.last ? positive(at(view.last.point)) : null,
    tried: tried?.point ? positive(at(tried.point)) : null,
    ko: view.ko ? positive(at(view.ko)) : null,
    turn: null,
    illegal: new Map((view.illegal ?? []).map((illegal) => [at(illegal.point), illegal])),
    marks,
    labels: (view.labels ?? []).map((label) => ({ at: at(label.point), text: label.text })),
    lines: (view.lines ?? []).map((line) => ({ from: at(line.from), to: at(line.to), arrow: line.arrow })),
    numbers: new Map(),
    dead: new Set(),
    territory,
    ownership: null,
    candidates: [],
    proven: [],
    mover: view.to_move,
    line: [],
    highlight: null,
    branches: [],
    next: null,
    rates: false,
  };
}

/** @param {number} at */
function positive(at) {
  return at >= 0 ? at : null;
}

/**
 * A board with nothing on it, for the time until the first answer.
 * @param {import("../coordinates.js").Size} size
 */
export function emptyState(size) {
  return stateOf(size, {
    to_move: "black",
    stones: ".".repeat(size.width * size.height),
    last: null,
    ko: null,
    illegal: [],
    marks: [],
    labels: [],
    lines: [],
  });
}

/**
 * The numbers of the moves of a path on the points where they were played, the latest on each. Stones that are gone are
 * left out by the board.
 * @param {import("../coordinates.js").Size} size
 * @param {string[]} moves
 * @param {number} [latest] only so many of the last moves
 */
export function moveNumbers(size, moves, latest = Infinity) {
  /** @type {Map<number, number>} */
  const numbers = new Map();
  let number = 0;
  const total = moves.filter((text) => parse(text)).length;
  for (const text of moves) {
    const move = parse(text);
    if (!move) continue;
    number += 1;
    const at = index(size, move.move);
    if (at >= 0 && number > total - latest) numbers.set(at, number);
  }
  return numbers;
}

/**
 * The moves of a principal variation as stones with numbers, each point once.
 * @param {import("../coordinates.js").Size} size
 * @param {string[]} moves
 * @param {Api.Color} first
 */
export function lineOf(size, moves, first) {
  /** @type {{ at: number, color: Api.Color, number: number }[]} */
  const line = [];
  /** @type {Set<number>} */
  const seen = new Set();
  moves.forEach((move, i) => {
    const at = index(size, move);
    if (at < 0 || seen.has(at)) return;
    seen.add(at);
    const black = (first === "black") === (i % 2 === 0);
    line.push({ at, color: black ? "black" : "white", number: i + 1 });
  });
  return line;
}
