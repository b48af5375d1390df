// The empty board: wood, lines, star points, coordinates.

import { hoshi, letter } from "../coordinates.js";
import { svg, unique } from "../element.js";

/** The distance between two lines, in the units of the picture. */
export const CELL = 40;

/** @typedef {import("../coordinates.js").Size} Size */

/** Where things are on a board. */
export class Layout {
  /** @param {Size} size @param {boolean} coordinates */
  constructor(size, coordinates) {
    this.size = size;
    const longer = Math.max(size.width, size.height);
    // Small boards are shown larger, so that their letters need not be as large.
    this.letters = Math.min(15, Math.max(5, 2.6 + longer * 0.65));
    this.edge = coordinates ? 24 + this.letters * 1.25 : 27;
    this.coordinates = coordinates;
    this.width = (size.width - 1) * CELL + 2 * this.edge;
    this.height = (size.height - 1) * CELL + 2 * this.edge;
  }

  /** @param {number} at */
  x(at) {
    return this.edge + (at % this.size.width) * CELL;
  }

  /** @param {number} at */
  y(at) {
    return this.edge + Math.floor(at / this.size.width) * CELL;
  }
}

/** @param {string} id @param {[number, string][]} stops @param {object} attributes */
function radial(id, stops, attributes) {
  return svg(
    "radialGradient",
    { id, ...attributes },
    stops.map(([offset, name]) => svg("stop", { offset, class: name })),
  );
}

/** Fillings that a board refers to by names of its own, since a page may show several boards. */
export class Paint {
  constructor() {
    this.black = unique("black");
    this.white = unique("white");
    this.shadow = unique("shadow");
    this.grain = unique("grain");
    this.arrow = unique("arrow");
  }

  definitions() {
    return svg(
      "defs",
      {},
      radial(
        this.black,
        [
          [0, "black-light"],
          [0.45, "black-middle"],
          [1, "black-dark"],
        ],
        { cx: 0.36, cy: 0.3, r: 0.75 },
      ),
      radial(
        this.white,
        [
          [0, "white-light"],
          [0.6, "white-middle"],
          [1, "white-dark"],
        ],
        { cx: 0.38, cy: 0.32, r: 0.78 },
      ),
      radial(
        this.shadow,
        [
          [0.62, "shadow-dark"],
          [1, "shadow-none"],
        ],
        { cx: 0.5, cy: 0.5, r: 0.5 },
      ),
      svg(
        "pattern",
        { id: this.grain, width: 520, height: 260, patternUnits: "userSpaceOnUse" },
        GRAIN.map((d) => svg("path", { d, class: "grain" })),
      ),
      svg(
        "marker",
        {
          id: this.arrow,
          viewBox: "0 0 10 10",
          refX: 8,
          refY: 5,
          markerWidth: 5,
          markerHeight: 5,
          orient: "auto-start-reverse",
        },
        svg("path", { d: "M0 0 10 5 0 10z", class: "arrow-head" }),
      ),
    );
  }
}

/** Long, slightly bent lines that repeat without a seam. */
const GRAIN = [
  "M0 12C130 4 260 22 520 12",
  "M0 38C180 46 330 28 520 38",
  "M0 61C120 56 300 70 520 61",
  "M0 90C200 82 320 100 520 90",
  "M0 113C150 120 380 104 520 113",
  "M0 146C170 138 300 156 520 146",
  "M0 171C130 178 340 162 520 171",
  "M0 203C210 196 330 214 520 203",
  "M0 232C150 238 360 224 520 232",
];

/** @param {Layout} layout @param {Paint} paint */
export function ground(layout, paint) {
  const { size, width, height, edge } = layout;
  const right = width - edge;
  const bottom = height - edge;
  let lines = "";
  for (let column = 0; column < size.width; column += 1) lines += `M${edge + column * CELL} ${edge}V${bottom}`;
  for (let row = 0; row < size.height; row += 1) lines += `M${edge} ${edge + row * CELL}H${right}`;
  const texts = [];
  const offset = 2 + layout.letters * 0.72;
  if (layout.coordinates) {
    for (let column = 0; column < size.width; column += 1) {
      const x = edge + column * CELL;
      for (const y of [offset, height - offset])
        texts.push(svg("text", { x, y, class: "coordinate", "font-size": layout.letters }, letter(column)));
    }
    for (let row = 0; row < size.height; row += 1) {
      const y = edge + row * CELL;
      for (const x of [offset, width - offset])
        texts.push(svg("text", { x, y, class: "coordinate", "font-size": layout.letters }, size.height - row));
    }
  }
  return svg(
    "g",
    {},
    svg("rect", { class: "wood", width, height }),
    svg("rect", { class: "wood-grain", width, height, fill: `url(#${paint.grain})` }),
    svg("path", { class: "lines", d: lines }),
    svg("rect", { class: "rim", x: edge, y: edge, width: right - edge, height: bottom - edge }),
    hoshi(size).map((at) => svg("circle", { class: "star", cx: layout.x(at), cy: layout.y(at), r: 3.6 })),
    texts,
  );
}
