// What lies on the board: territory, marks, labels, suggestions, sequences.

import { index } from "../coordinates.js";
import { svg } from "../element.js";
import { letters } from "../margin.js";
import { number, percent, signed } from "../strings.js";
import { CELL } from "./ground.js";
import { variety } from "./wood.js";

/**
 * @typedef {import("./state.js").BoardState} BoardState
 * @typedef {import("./ground.js").Layout} Layout
 * @typedef {import("./ground.js").Paint} Paint
 */

const RADIUS = CELL * 0.475;

/** How many suggestions are shown, and how many moves of a sequence: more of them hide the board. */
const SHOWN = 10;

/**
 * A stone. No two neighbours are quite the same, and white ones have the lines of a shell.
 * @param {Layout} layout
 * @param {Paint} paint
 * @param {number} at
 * @param {Api.Color} color
 */
export function stone(layout, paint, at, color) {
  const { x, y, turn, kind } = variety(at);
  const [cx, cy] = [layout.x(at) + x, layout.y(at) + y];
  const body = svg("circle", { cx, cy, r: RADIUS, fill: paint.stone(color, kind) });
  const lines =
    color === "white" &&
    svg("path", {
      class: "shell",
      d: SHELLS[kind],
      transform: `translate(${cx.toFixed(2)} ${cy.toFixed(2)}) rotate(${turn.toFixed(0)})`,
    });
  return svg("g", { class: `stone ${color}` }, body, lines);
}

/** The growth lines of a shell, from side to side of a stone of radius 19 around the origin. */
const SHELLS = [
  "M-16 -8Q0 -12 16 -8M-18 -2Q0 -6 18 -2M-18 4Q0 0 18 4M-15.5 10Q0 6 15.5 10",
  "M-14.5 -11Q0 -14 14.5 -11M-17.5 -5Q0 -8.5 17.5 -5M-18.5 1Q0 -2.5 18.5 1M-17 7.5Q0 4 17 7.5M-12 14Q0 11.5 12 14",
  "M-17 -6Q0 -9 17 -6M-18.5 1.5Q0 -1 18.5 1.5M-16 9Q0 6.5 16 9",
];

/** @param {Layout} layout @param {Paint} paint @param {number} at */
export function shadow(layout, paint, at) {
  return svg("circle", {
    class: "shadow",
    cx: layout.x(at) + 1.5,
    cy: layout.y(at) + 3,
    r: RADIUS * 1.16,
    fill: `url(#${paint.shadow})`,
  });
}

/**
 * The class of what stands on a point, by which marks choose a colour that can be seen on it.
 * @param {BoardState} state
 * @param {number} at
 */
function on(state, at) {
  const there = state.stones[at];
  return there === "X" ? "on-black" : there === "O" ? "on-white" : "on-wood";
}

/** @param {BoardState} state @param {Layout} layout */
export function ownership(state, layout) {
  if (!state.ownership) return [];
  const squares = [];
  for (let at = 0; at < state.ownership.length; at += 1) {
    const value = state.ownership[at];
    const there = state.stones[at];
    // A living stone says itself whose its point is.
    if (Math.abs(value) < 0.15 || (there === "X" && value > 0) || (there === "O" && value < 0)) continue;
    const side = CELL * (0.18 + 0.34 * Math.min(1, Math.abs(value)));
    squares.push(
      svg("rect", {
        class: `owned ${value > 0 ? "black" : "white"}`,
        x: layout.x(at) - side / 2,
        y: layout.y(at) - side / 2,
        width: side,
        height: side,
        rx: 2,
        opacity: (0.35 + 0.55 * Math.min(1, Math.abs(value))).toFixed(2),
      }),
    );
  }
  return squares;
}

/** @param {BoardState} state @param {Layout} layout */
export function territory(state, layout) {
  return [...state.territory].map(([at, color]) => {
    const side = CELL * 0.34;
    return svg("rect", {
      class: `territory ${color}`,
      x: layout.x(at) - side / 2,
      y: layout.y(at) - side / 2,
      width: side,
      height: side,
      rx: 2,
    });
  });
}

/** @param {BoardState} state @param {Layout} layout */
export function marks(state, layout) {
  /** @type {SVGElement[]} */
  const drawn = [];
  for (const { at, kind } of state.marks) {
    if (at < 0) continue;
    const x = layout.x(at);
    const y = layout.y(at);
    const name = `mark ${on(state, at)}`;
    const r = CELL * 0.25;
    if (kind === "triangle")
      drawn.push(svg("path", { class: name, d: `M${x} ${y - r * 1.1}L${x + r} ${y + r * 0.62}H${x - r}z` }));
    else if (kind === "square")
      drawn.push(svg("rect", { class: name, x: x - r * 0.8, y: y - r * 0.8, width: r * 1.6, height: r * 1.6 }));
    else if (kind === "circle") drawn.push(svg("circle", { class: name, cx: x, cy: y, r: r * 0.95 }));
    else if (kind === "cross")
      drawn.push(
        svg("path", {
          class: name,
          d: `M${x - r * 0.75} ${y - r * 0.75}l${r * 1.5} ${r * 1.5}m0 ${-r * 1.5}l${-r * 1.5} ${r * 1.5}`,
        }),
      );
    else if (kind === "selected")
      drawn.push(
        svg("rect", {
          class: `${name} selected`,
          x: x - r * 0.7,
          y: y - r * 0.7,
          width: r * 1.4,
          height: r * 1.4,
          rx: 3,
        }),
      );
    else if (kind === "dim")
      drawn.push(svg("rect", { class: "dim", x: x - CELL / 2, y: y - CELL / 2, width: CELL, height: CELL }));
  }
  for (const { at, text } of state.labels) {
    if (at < 0) continue;
    if (on(state, at) === "on-wood")
      drawn.push(svg("circle", { class: "label-ground", cx: layout.x(at), cy: layout.y(at), r: CELL * 0.36 }));
    const size = text.length > 2 ? 13 : text.length > 1 ? 16 : 20;
    drawn.push(
      svg("text", { class: `label ${on(state, at)}`, x: layout.x(at), y: layout.y(at), "font-size": size }, text),
    );
  }
  for (const { from, to, arrow } of state.lines) {
    if (from < 0 || to < 0) continue;
    drawn.push(
      svg("line", {
        class: `link ${arrow ? "arrow" : ""}`,
        x1: layout.x(from),
        y1: layout.y(from),
        x2: layout.x(to),
        y2: layout.y(to),
      }),
    );
  }
  return drawn;
}

/**
 * Crosses over dead stones, since paleness alone is easily overlooked. Once the territory is marked, that says it.
 * @param {BoardState} state
 * @param {Layout} layout
 */
export function dead(state, layout) {
  const r = CELL * 0.2;
  return [...state.dead]
    .filter((at) => !state.territory.has(at))
    .map((at) =>
      svg("path", {
        class: `mark ${on(state, at)}`,
        d: `M${layout.x(at) - r} ${layout.y(at) - r}l${2 * r} ${2 * r}m0 ${-2 * r}l${-2 * r} ${2 * r}`,
      }),
    );
}

/**
 * The last move, the ko, and the point that a message speaks of.
 * @param {BoardState} state
 * @param {Layout} layout
 */
export function pointers(state, layout) {
  const drawn = [];
  const { last, ko, highlight } = state;
  if (
    last !== null &&
    !state.numbers.has(last) &&
    !state.labels.some((label) => label.at === last) &&
    !state.marks.some((mark) => mark.at === last)
  ) {
    drawn.push(
      svg("circle", { class: `last ${on(state, last)}`, cx: layout.x(last), cy: layout.y(last), r: CELL * 0.2 }),
    );
  }
  if (ko !== null) {
    const side = CELL * 0.36;
    drawn.push(
      svg("rect", {
        class: "ko",
        x: layout.x(ko) - side / 2,
        y: layout.y(ko) - side / 2,
        width: side,
        height: side,
        rx: 2,
      }),
    );
  }
  if (highlight !== null)
    drawn.push(svg("circle", { class: "highlight", cx: layout.x(highlight), cy: layout.y(highlight), r: CELL * 0.52 }));
  return drawn;
}

/** @param {BoardState} state @param {Layout} layout */
export function numbers(state, layout) {
  const drawn = [];
  for (const [at, value] of state.numbers) {
    if (
      state.stones[at] === "." ||
      state.labels.some((label) => label.at === at) ||
      state.marks.some((mark) => mark.at === at)
    )
      continue;
    const size = value > 99 ? 14 : 17;
    drawn.push(
      svg(
        "text",
        {
          class: `number ${on(state, at)} ${at === state.last ? "newest" : ""}`,
          x: layout.x(at),
          y: layout.y(at),
          "font-size": size,
        },
        value,
      ),
    );
  }
  return drawn;
}

/** How good a move is, in five steps, by the points that it loses. @param {number} lost @param {boolean} best */
export function grade(lost, best) {
  if (best) return "best";
  if (lost < 0.75) return "good";
  if (lost < 2) return "fair";
  if (lost < 5) return "poor";
  return "bad";
}

/**
 * The class of a suggestion: one that cannot be compared, and has not lost anything for sure, is neither good nor bad.
 * @param {Pick<import("./state.js").Suggested, "lost" | "compared">} candidate
 * @param {number} rank
 */
export function gradeOf({ lost, compared }, rank) {
  return compared === false && lost === 0 ? "guess" : grade(lost, rank === 0);
}

/** @param {BoardState} state @param {Layout} layout */
export function candidates(state, layout) {
  if (state.line.length > 0 || state.proven.length > 0) return [];
  const drawn = [];
  for (const [rank, candidate] of state.candidates.entries()) {
    const at = index(state.size, candidate.move);
    if (at < 0 || state.stones[at] !== "." || rank >= SHOWN) continue;
    const x = layout.x(at);
    const y = layout.y(at);
    // Moves that were hardly looked at get no figures, which would be guesses.
    const told = candidate.compared !== false;
    drawn.push(
      svg(
        "g",
        { class: `candidate ${gradeOf(candidate, rank)}`, opacity: told ? 1 : 0.55 },
        svg("circle", { cx: x, cy: y, r: told ? RADIUS : RADIUS * 0.55 }),
        told && figure("candidate-main", x, y - 5, worth(state, candidate, rank), 31),
        told && svg("text", { class: "candidate-side", x, y: y + 9 }, visits(candidate.visits)),
      ),
    );
  }
  return drawn;
}

/** How wide bold letters of a wide font are, as shares of its size; all others are as wide as a digit at most. */
const WIDE = /** @type {Record<string, number>} */ ({
  W: 1.12, "+": 0.86, "-": 0.45, "%": 1, ".": 0.4, ",": 0.4, 黑: 1, 黒: 1, 白: 1, 흑: 1, 백: 1,
});

/** @param {string} text */
export function emsOf(text) {
  return [...text].reduce((sum, letter) => sum + (WIDE[letter] ?? 0.78), 0);
}

/**
 * The size of letters in which a text is at most so wide.
 * @param {string} text
 * @param {number} room
 * @param {number} most
 */
export function fitting(text, room, most) {
  return Math.min(most, Math.floor((room / emsOf(text)) * 10) / 10);
}

/**
 * A figure that stays inside of its circle.
 * @param {string} kind @param {number} x @param {number} y @param {string} text @param {number} room
 */
function figure(kind, x, y, text, room) {
  return svg("text", { class: kind, "font-size": fitting(text, room, 13), x, y }, text);
}

/**
 * The figure of a suggestion: a chance, the lead after the best move, or what another one loses.
 * @param {BoardState} state
 * @param {import("./state.js").Suggested} candidate
 * @param {number} rank
 */
function worth({ mover, rates }, { winrate, lead, lost }, rank) {
  if (rates) return percent(mover === "black" ? winrate : 1 - winrate);
  return brief(rank === 0 ? (mover === "black" ? lead : -lead) : -lost);
}

/** Points on the board: of ten and more, tenths are of no interest. @param {number} points */
export function brief(points) {
  if (Math.abs(points) < 0.05) return number(0);
  return Math.abs(points) < 9.95 ? signed(points) : number(Math.round(points), { signDisplay: "always" });
}

/** The move that was played next, and what it lost. @param {BoardState} state @param {Layout} layout */
export function next(state, layout) {
  if (state.next === null || state.line.length > 0 || state.next.at < 0) return [];
  const { at, lost, settled } = state.next;
  const [x, y] = [layout.x(at), layout.y(at)];
  const told = state.candidates.some((one) => one.compared !== false && index(state.size, one.move) === at);
  return [
    svg("circle", { class: `next-move${settled ? "" : " open"}`, cx: x, cy: y, r: RADIUS }),
    !told && svg("circle", { class: `next-ground ${grade(lost, lost === 0)}`, cx: x, cy: y, r: RADIUS * 0.82 }),
    !told && figure("candidate-main next-lost", x, y, brief(-lost), 34),
  ].filter((one) => one !== false);
}

/**
 * How good moves are by what is proven about them. What may still turn out to be better than the best is no loss yet.
 * @param {Api.ExactMove[]} moves
 * @param {Api.Color} mover
 */
export function provenGrades(moves, mover) {
  /** The least and the most that a move is worth for the one who makes it. @param {Api.ExactMove} one */
  const worth = ({ lower, upper }) => (mover === "black" ? [lower, upper] : [-upper, -lower]);
  const best = Math.max(...moves.map((one) => worth(one)[0]));
  return moves.map((one) => {
    const [least, most] = worth(one);
    return !one.best && !one.complete && most > best ? "guess" : grade(best - least, one.best);
  });
}

/**
 * The proven result of every move: one number, or the least and the most.
 * @param {BoardState} state
 * @param {Layout} layout
 */
export function proven(state, layout) {
  if (state.line.length > 0) return [];
  const grades = provenGrades(state.proven, state.mover);
  return state.proven.flatMap((one, i) => {
    const at = index(state.size, one.move);
    if (at < 0 || state.stones[at] !== ".") return [];
    const x = layout.x(at);
    const y = layout.y(at);
    const [least, most] = [letters(one.lower), letters(one.upper)];
    const figures =
      least === most
        ? [svg("text", { class: "proven-value", "font-size": fitting(least, 33, 14), x, y }, least)]
        : [
            svg("text", { class: "proven-value", "font-size": fitting(least, 27, 10.5), x, y: y - 7.5 }, least),
            svg("path", { class: "candidate-range", d: `M${x - 7} ${y}h14` }),
            svg("text", { class: "proven-value", "font-size": fitting(most, 27, 10.5), x, y: y + 8.5 }, most),
          ];
    return [
      svg(
        "g",
        { class: `candidate ${grades[i]}${one.complete ? "" : " open"}` },
        svg("circle", { cx: x, cy: y, r: RADIUS }),
        figures,
      ),
    ];
  });
}

/** @param {number} count */
export function visits(count) {
  return count < 1000 ? number(count) : number(count, { notation: "compact", maximumFractionDigits: 1 });
}

/** @param {BoardState} state @param {Layout} layout @param {Paint} paint */
export function line(state, layout, paint) {
  return state.line
    .slice(0, SHOWN)
    .flatMap(({ at, color, number: value }) => [
      svg("g", { class: "ahead" }, stone(layout, paint, at, color)),
      svg(
        "text",
        {
          class: `number ${color === "black" ? "on-black" : "on-white"}`,
          x: layout.x(at),
          y: layout.y(at),
          "font-size": 17,
        },
        value,
      ),
    ]);
}

/** The moves that follow in the record, faintly. @param {BoardState} state @param {Layout} layout */
export function branches(state, layout) {
  if (state.line.length > 0) return [];
  return state.branches
    .filter((at) => at >= 0 && state.stones[at] === "." && at !== state.next?.at)
    .map((at, i) =>
      svg("circle", { class: `branch ${i === 0 ? "first" : ""}`, cx: layout.x(at), cy: layout.y(at), r: CELL * 0.14 }),
    );
}
