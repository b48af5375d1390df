// Points as people write them: a letter without I for the column, a number from below for the row.

const LETTERS = "ABCDEFGHJKLMNOPQRSTUVWXYZ";

/** @typedef {{ width: number, height: number }} Size */

/** @param {number} column */
export function letter(column) {
  return LETTERS[column];
}

/**
 * The name of a point; rows are counted from the top here.
 * @param {Size} size
 * @param {number} column
 * @param {number} row
 */
export function name(size, column, row) {
  return `${LETTERS[column]}${size.height - row}`;
}

/**
 * The index of a point in a string of the board, or -1 if there is no such point.
 * @param {Size} size
 * @param {string} point
 */
export function index(size, point) {
  const parts = /^([A-HJ-Z])([1-9][0-9]?)$/.exec(point.trim().toUpperCase());
  if (!parts) return -1;
  const column = LETTERS.indexOf(parts[1]);
  const row = size.height - Number(parts[2]);
  return column < size.width && row >= 0 && row < size.height ? row * size.width + column : -1;
}

/** @param {Size} size @param {number} at */
export function named(size, at) {
  return name(size, at % size.width, Math.floor(at / size.width));
}

/** The lines with star points along a side of this length. @param {number} length */
function stars(length) {
  if (length < 7) return length % 2 === 1 && length >= 5 ? [(length - 1) / 2] : [];
  const edge = length < 13 ? 2 : 3;
  const middle = length % 2 === 1 ? [(length - 1) / 2] : [];
  return [edge, ...middle, length - 1 - edge];
}

/** The star points that are drawn on a board, as indices. @param {Size} size */
export function hoshi(size) {
  const columns = stars(size.width);
  const rows = stars(size.height);
  /** @type {number[]} */
  const points = [];
  for (const row of rows) {
    for (const column of columns) {
      const centred = (column * 2 === size.width - 1 ? 1 : 0) + (row * 2 === size.height - 1 ? 1 : 0);
      // The middles of the sides are marked on large boards only.
      if (centred === 1 && Math.min(size.width, size.height) < 15) continue;
      points.push(row * size.width + column);
    }
  }
  return points;
}

/**
 * A move of a tree, such as "B Q16" or "W pass", taken apart. Nodes without a move give null.
 * @param {string} text
 * @returns {{ color: Api.Color, move: string } | null}
 */
export function move(text) {
  const parts = /^([BW]) (\S+)$/.exec(text);
  return parts ? { color: parts[1] === "B" ? "black" : "white", move: parts[2] } : null;
}
