import assert from "node:assert/strict";
import { test } from "node:test";

import { GameTree, arrange } from "../page/tree.js";

/**
 * A tree from the parents of its nodes; every node but the root is a move.
 * @param {(number | null)[]} parents
 * @param {number[]} main
 */
function tree(parents, main) {
  return new GameTree({
    parents,
    moves: parents.map((_, node) => (node === 0 ? "" : `${node % 2 === 1 ? "B" : "W"} A${node}`)),
    main,
    has_comment: parents.map(() => false),
  });
}

// 0 ─ 1 ─ 2 ─ 3
//       └ 4 ─ 5
//   └ 6
const branched = tree([null, 0, 1, 2, 1, 4, 0], [0, 1, 2, 3]);

test("paths, lines and siblings follow the tree", () => {
  assert.deepEqual(branched.path(5), [0, 1, 4, 5]);
  assert.deepEqual(branched.line(1), [0, 1, 2, 3]);
  assert.equal(branched.sibling(2, 1), 4);
  assert.equal(branched.sibling(4, -1), 2);
  assert.equal(branched.sibling(4, 1), null);
  assert.equal(branched.sibling(0, 1), null);
  assert.equal(branched.parent(0), null);
  assert.equal(branched.number(5), 3);
});

test("going forth leads where somebody was last", () => {
  const walked = tree([null, 0, 1, 2, 1, 4, 0], [0, 1, 2, 3]);
  walked.remember(5);
  assert.equal(walked.next(1), 4);
  assert.deepEqual(walked.line(0), [0, 1, 4, 5]);
  walked.remember(2);
  assert.equal(walked.next(1), 2);
});

test("the main line comes first even if it was added last", () => {
  const late = tree([null, 0, 0, 2], [0, 2, 3]);
  assert.deepEqual(late.children[0], [2, 1]);
  assert.equal(late.next(0), 2);
});

test("removed nodes are nowhere", () => {
  const cut = new GameTree({
    parents: [null, 0, null, 1],
    moves: ["", "B A1", "removed", "W A2"],
    main: [0, 1, 3],
    has_comment: [false, false, false, false],
  });
  assert.equal(cut.has(2), false);
  assert.equal(cut.has(3), true);
  assert.equal(cut.has(9), false);
  const { columns, rows } = arrange(cut);
  assert.deepEqual([columns[2], rows[2]], [-1, -1]);
});

test("no two nodes are drawn at the same place, and no line runs through a node", () => {
  let seed = 12345;
  const random = () => {
    seed = (seed * 1103515245 + 12345) % 2147483648;
    return seed / 2147483648;
  };
  for (let round = 0; round < 60; round += 1) {
    /** @type {(number | null)[]} */
    const parents = [null];
    for (let node = 1; node < 80; node += 1) parents.push(random() < 0.7 ? node - 1 : Math.floor(random() * node));
    const grown = tree(parents, [0]);
    const { columns, rows, width, height } = arrange(grown);
    const places = new Map();
    for (let node = 0; node < parents.length; node += 1) {
      const place = `${columns[node]} ${rows[node]}`;
      assert.ok(!places.has(place), `nodes ${places.get(place)} and ${node} are both at ${place}`);
      places.set(place, node);
      assert.ok(columns[node] < width && rows[node] < height);
    }
    parents.forEach((parent, node) => {
      if (parent === null) return;
      assert.equal(columns[node], columns[parent] + 1);
      assert.ok(rows[node] >= rows[parent]);
      // The line goes down in the column of the parent and then over to the node.
      for (let row = rows[parent] + 1; row <= rows[node]; row += 1)
        assert.ok(
          !places.has(`${columns[parent]} ${row}`),
          `the line to ${node} runs through ${places.get(`${columns[parent]} ${row}`)}`,
        );
    });
  }
});

test("a game of ten thousand moves is arranged without recursion", () => {
  const parents = Array.from({ length: 10_000 }, (_, node) => (node === 0 ? null : node - 1));
  const { width, height } = arrange(tree(parents, []));
  assert.deepEqual([width, height], [10_000, 1]);
});
