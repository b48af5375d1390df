// The empty board: wood, lines, star points, coordinates.

import { hoshi, letter } from "../coordinates.js";
import { svg, unique } from "../element.js";
import { grain } from "./wood.js";

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
    // Between the letters and a stone on the edge there is room for a shadow and a little more.
    this.edge = coordinates ? 29 + this.letters * 1.3 : 28;
    // A large board is shown smaller, and its star points must still be found.
    this.star = Math.min(5, 2.4 + longer * 0.12);
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

/** The kinds of stones of a colour: where the light falls on each. */
const LIGHTS = [
  { cx: 0.36, cy: 0.3 },
  { cx: 0.39, cy: 0.28 },
  { cx: 0.34, cy: 0.33 },
];

/** Fillings that a board refers to by names of its own, since a page may show several boards. */
export class Paint {
  constructor() {
    this.black = unique("black");
    this.white = unique("white");
    this.shadow = unique("shadow");
    this.wood = unique("wood");
    this.arrow = unique("arrow");
  }

  /** @param {Api.Color} color @param {number} kind */
  stone(color, kind) {
    return `url(#${this[color]}-${kind})`;
  }

  definitions() {
    return svg(
      "defs",
      {},
      LIGHTS.map((light, kind) =>
        radial(
          `${this.black}-${kind}`,
          [
            [0, "black-light"],
            [0.18, "black-soft"],
            [0.5, "black-middle"],
            [1, "black-dark"],
          ],
          { ...light, r: 0.76 },
        ),
      ),
      LIGHTS.map((light, kind) =>
        radial(
          `${this.white}-${kind}`,
          [
            [0, "white-light"],
            [0.45, "white-soft"],
            [0.8, "white-middle"],
            [1, "white-dark"],
          ],
          { ...light, r: 0.8 },
        ),
      ),
      svg(
        "linearGradient",
        { id: this.wood, x1: 0, y1: 0, x2: 1, y2: 1 },
        svg("stop", { offset: 0, class: "wood-light" }),
        svg("stop", { offset: 1, class: "wood-dark" }),
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
    svg("rect", { class: "wood", width, height, fill: `url(#${paint.wood})` }),
    grain(width, height),
    svg("path", { class: "lines", d: lines }),
    svg("rect", { class: "rim", x: edge, y: edge, width: right - edge, height: bottom - edge }),
    hoshi(size).map((at) => svg("circle", { class: "star", cx: layout.x(at), cy: layout.y(at), r: layout.star })),
    texts,
  );
}
