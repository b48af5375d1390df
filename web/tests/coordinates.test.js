import assert from "node:assert/strict";
import { test } from "node:test";

import { hoshi, index, move, name, named } from "../page/coordinates.js";

const nineteen = { width: 19, height: 19 };

test("points have letters without I, and numbers from below", () => {
  assert.equal(name(nineteen, 0, 18), "A1");
  assert.equal(name(nineteen, 8, 0), "J19");
  assert.equal(index(nineteen, "Q16"), 3 * 19 + 15);
  assert.equal(index(nineteen, " q16 "), index(nineteen, "Q16"));
  assert.equal(name({ width: 25, height: 25 }, 24, 0), "Z25");
});

test("what is no point of the board has no index", () => {
  for (const wrong of ["I5", "A0", "A20", "T20", "U1", "", "pass", "Q", "16", "AA1", "A1x"])
    assert.equal(index(nineteen, wrong), -1, wrong);
  assert.equal(index({ width: 3, height: 5 }, "D1"), -1);
  assert.equal(index({ width: 3, height: 5 }, "C5"), 2);
});

test("names and indices of every point agree, on rectangles too", () => {
  for (const size of [nineteen, { width: 2, height: 25 }, { width: 13, height: 7 }]) {
    for (let at = 0; at < size.width * size.height; at += 1) assert.equal(index(size, named(size, at)), at);
  }
});

test("boards have their usual star points", () => {
  const names = (/** @type {{ width: number, height: number }} */ size) =>
    hoshi(size)
      .map((at) => named(size, at))
      .sort();
  assert.equal(hoshi(nineteen).length, 9);
  assert.deepEqual(names({ width: 9, height: 9 }), ["C3", "C7", "E5", "G3", "G7"]);
  assert.deepEqual(names({ width: 13, height: 13 }), ["D10", "D4", "G7", "K10", "K4"]);
  assert.deepEqual(names({ width: 5, height: 5 }), ["C3"]);
  assert.deepEqual(names({ width: 2, height: 2 }), []);
});

test("moves of a tree are taken apart", () => {
  assert.deepEqual(move("B Q16"), { color: "black", move: "Q16" });
  assert.deepEqual(move("W pass"), { color: "white", move: "pass" });
  for (const other of ["", "setup", "removed"]) assert.equal(move(other), null);
});
