import assert from "node:assert/strict";
import { test } from "node:test";

import { describe } from "../page/board/describe.js";
import { emptyState, lineOf, moveNumbers, stateOf } from "../page/board/state.js";
import { boardText } from "../page/board/text.js";
import { index } from "../page/coordinates.js";
import { brief, fitting, grade } from "../page/board/layers.js";

const size = { width: 4, height: 3 };

/** @returns {Api.View} */
function view() {
  return {
    node: 2,
    number: 2,
    to_move: "black",
    stones: ".X..O....X..",
    last: { color: "white", point: "A2" },
    ko: "B2",
    captures: { black: 0, white: 1 },
    illegal: [{ point: "B2", reason: "ko" }],
    marks: [
      { point: "D3", kind: "triangle" },
      { point: "D1", kind: "territory_white" },
    ],
    labels: [{ point: "C1", text: "A" }],
    lines: [{ from: "A1", to: "D1", arrow: true }],
    comment: "",
    annotations: {},
    children: [],
  };
}

test("a view becomes the state of a board", () => {
  const state = stateOf(size, view());
  assert.equal(state.last, index(size, "A2"));
  assert.equal(state.ko, index(size, "B2"));
  assert.equal(state.territory.get(index(size, "D1")), "white");
  assert.deepEqual(state.marks, [{ at: index(size, "D3"), kind: "triangle" }]);
  assert.equal(state.illegal.get(index(size, "B2"))?.reason, "ko");
});

test("points are named for those who listen", () => {
  const state = stateOf(size, view());
  const said = (/** @type {string} */ point) => describe(state, index(size, point));
  assert.equal(said("A2"), "A2, white, last move");
  assert.equal(said("B3"), "B3, black");
  assert.equal(said("B2"), "B2, empty, ko");
  state.turn = "black";
  assert.equal(said("B2"), "B2, empty, ko, not playable");
  assert.equal(said("D3"), "D3, empty, Triangle");
  assert.equal(said("C1"), "C1, empty, label A");
  assert.equal(said("D1"), "D1, empty, White’s territory");
  state.dead.add(index(size, "B3"));
  assert.equal(said("B3"), "B3, black, dead");
  state.candidates = [{ move: "C2", visits: 10, winrate: 0.25, lead: -1, lost: 0, pv: ["C2"] }];
  assert.equal(said("C2"), "C2, empty, suggested, wins 25%");
  state.mover = "white";
  assert.equal(said("C2"), "C2, empty, suggested, wins 75%");
});

test("the board as text marks the last move and dead stones", () => {
  const state = stateOf(size, view());
  state.dead.add(index(size, "B1"));
  const rows = ["    A B C D", " 3  . X . .  3", " 2 (O). . .  2", " 1  . x . .  1", "    A B C D"];
  assert.equal(boardText(state), rows.join("\n"));
  state.last = index(size, "D3");
  assert.equal(boardText(state).split("\n")[1], " 3  . X .(.) 3");
});

test("move numbers are the latest on each point", () => {
  const moves = ["", "B A1", "W B1", "B pass", "W A1", "setup", "B D3"];
  const numbers = moveNumbers(size, moves);
  assert.equal(numbers.get(index(size, "A1")), 4);
  assert.equal(numbers.get(index(size, "B1")), 2);
  assert.equal(numbers.get(index(size, "D3")), 5);
  assert.deepEqual([...moveNumbers(size, moves, 2).values()].sort(), [4, 5]);
});

test("a continuation alternates colours and shows each point once", () => {
  const line = lineOf(size, ["A1", "pass", "B1", "A1", "C1"], "white");
  assert.deepEqual(line.map(({ color, number }) => [color, number]), [["white", 1], ["white", 3], ["white", 5]]);
});

test("an empty board has no stones and is nobody's turn", () => {
  const state = emptyState(size);
  assert.equal(state.stones, "............");
  assert.equal(state.turn, null);
});

test("moves are graded by the points that they lose", () => {
  assert.deepEqual(
    [grade(0, true), grade(0.3, false), grade(1, false), grade(3, false), grade(9, false)],
    ["best", "good", "fair", "poor", "bad"],
  );
});

test("figures on the board are short, and stay inside of their circles", () => {
  assert.deepEqual([0, 0.04, -0.3, 7.44, -9.94, -36.8, 128.3].map(brief), [
    "0", "0", "-0.3", "+7.4", "-9.9", "-37", "+128",
  ]);
  assert.equal(fitting("0", 31, 13), 13);
  assert.ok(fitting("+128", 31, 13) < 11);
});
