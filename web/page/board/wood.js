// Wood, as the exported pictures have it (tengen-render's grain.rs): nearly straight lines from one end to the other,
// in bands of varying darkness. The same numbers make the same board everywhere.

import { svg } from "../element.js";

const SEED = 0x7e46e001;

/** A small generator of numbers from 0 to 1: what it draws is part of the look of the board. */
export class Random {
  constructor(seed = SEED) {
    this.state = seed | 0;
  }

  bits() {
    this.state ^= this.state << 13;
    this.state ^= this.state >>> 17;
    this.state ^= this.state << 5;
    return this.state >>> 0;
  }

  next() {
    return (this.bits() >>> 8) / (1 << 24);
  }
}

/**
 * The stripes of a board of this size, as one path for each width and darkness.
 * @param {number} width
 * @param {number} height
 * @returns {{ d: string, width: number, opacity: number }[]}
 */
export function stripes(width, height) {
  const random = new Random();
  const found = [];
  // All lines lean alike, and each a little by itself.
  const lean = width * 0.012;
  for (let x = -width * 0.02; x < width * 1.02; ) {
    const band = random.bits() % 7 === 0;
    const line = band ? width * (0.008 + 0.022 * random.next()) : width * (0.0008 + 0.0017 * random.next());
    const opacity = band ? 0.05 + 0.05 * random.next() : 0.1 + 0.14 * random.next();
    const start = x + lean * (random.next() - 0.5);
    const first = start + lean * random.next();
    const second = lean * random.next();
    const end = x + lean * 0.5 + lean * (random.next() - 0.5);
    const way = [start, 0, first, height * 0.33, end - second, height * 0.67, end, height];
    const [x0, y0, ...rest] = way.map((value) => value.toFixed(1));
    found.push({ d: `M${x0} ${y0}C${rest.join(" ")}`, width: line, opacity });
    x += width * (0.006 + 0.024 * random.next() * random.next() + 0.006 * random.next());
  }
  return found;
}

/** @param {number} width @param {number} height */
export function grain(width, height) {
  return svg(
    "g",
    { class: "grain" },
    stripes(width, height).map(({ d, width: line, opacity }) =>
      svg("path", { d, "stroke-width": line.toFixed(2), "stroke-opacity": opacity.toFixed(3) }),
    ),
  );
}

/**
 * How a stone differs from the next one: where it lies, and which of a few kinds it is. A point always has the same.
 * @param {number} at
 */
export function variety(at) {
  let mixed = Math.imul(at + 1, 0x9e3779b1);
  mixed ^= mixed >>> 15;
  mixed = Math.imul(mixed, 0x85ebca6b) >>> 0;
  return {
    x: ((mixed & 0xff) / 255 - 0.5) * 1.1,
    y: (((mixed >>> 8) & 0xff) / 255 - 0.5) * 1.1,
    turn: ((mixed >>> 16) & 0xff) * (360 / 256),
    kind: (mixed >>> 24) % 3,
  };
}
