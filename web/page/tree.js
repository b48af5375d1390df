// The tree of a game: who follows whom, and where each node is drawn.

import { move } from "./coordinates.js";

export class GameTree {
  /** @param {Api.Tree} tree */
  constructor(tree) {
    this.parents = tree.parents;
    this.moves = tree.moves;
    this.comments = tree.has_comment ?? [];
    const main = new Set(tree.main ?? []);
    /** @type {number[][]} */
    this.children = tree.parents.map(() => []);
    tree.parents.forEach((parent, node) => {
      if (typeof parent === "number" && parent >= 0 && node !== 0) this.children[parent].push(node);
    });
    // The main line comes first, whatever the order in which moves were added.
    for (const children of this.children) children.sort((a, b) => Number(main.has(b)) - Number(main.has(a)) || a - b);
    /** @type {Map<number, number>} */
    this.chosen = new Map();
  }

  get length() {
    return this.parents.length;
  }

  /** @param {number} node */
  has(node) {
    return node === 0 || (node > 0 && node < this.parents.length && typeof this.parents[node] === "number");
  }

  /** The nodes from the root to this one. @param {number} node */
  path(node) {
    const path = [];
    for (
      let at = /** @type {number | null} */ (node);
      at !== null && at !== undefined && at >= 0;
      at = at === 0 ? null : this.parents[at]
    )
      path.push(at);
    return path.reverse();
  }

  /** @param {number} node */
  parent(node) {
    return node === 0 ? null : this.parents[node];
  }

  /** The node after this one: where somebody went last time, or the main line. @param {number} node */
  next(node) {
    const children = this.children[node] ?? [];
    const chosen = this.chosen.get(node);
    return chosen !== undefined && children.includes(chosen) ? chosen : (children[0] ?? null);
  }

  /** The line through a node: from the root to it and on to its end. @param {number} node */
  line(node) {
    const line = this.path(node);
    for (let next = this.next(node); next !== null; next = this.next(next)) line.push(next);
    return line;
  }

  /** The main line, wherever somebody went. */
  main() {
    const line = [0];
    for (let next = this.children[0]?.[0]; next !== undefined; next = this.children[next][0]) line.push(next);
    return line;
  }

  /** Keeps in mind the way to a node, so that going forth leads there again. @param {number} node */
  remember(node) {
    const path = this.path(node);
    for (let i = 1; i < path.length; i += 1) this.chosen.set(path[i - 1], path[i]);
  }

  /**
   * The node beside this one among the variations of its parent, or of the last node before that has some.
   * @param {number} node
   * @param {1 | -1} step
   */
  sibling(node, step) {
    const parent = this.parent(node);
    if (parent === null) return null;
    const siblings = this.children[parent];
    const to = siblings.indexOf(node) + step;
    return siblings[to] ?? null;
  }

  /** How many moves lie between the root and a node. @param {number} node */
  number(node) {
    return this.path(node).filter((at) => move(this.moves[at])).length;
  }
}

/**
 * Where to draw each node: columns by depth, and for each branch the first row that is free along its whole length.
 * @param {GameTree} tree
 * @returns {{ columns: number[], rows: number[], width: number, height: number }}
 */
export function arrange(tree) {
  const columns = new Array(tree.length).fill(-1);
  const rows = new Array(tree.length).fill(-1);
  /** @type {number[]} the lowest row in use in each column */
  const used = [];
  let height = 1;
  /** @type {{ start: number, column: number, above: number }[]} */
  const stack = [{ start: 0, column: 0, above: -1 }];
  while (stack.length > 0) {
    const { start, column, above } = /** @type {{ start: number, column: number, above: number }} */ (stack.pop());
    const branch = [];
    for (let node = /** @type {number | undefined} */ (start); node !== undefined; node = tree.children[node][0])
      branch.push(node);
    let row = above + 1;
    // The column before is looked at as well, since the line to the parent passes there.
    for (let at = Math.max(0, column - 1); at < column + branch.length; at += 1)
      row = Math.max(row, above < 0 ? 0 : (used[at] ?? -1) + 1);
    branch.forEach((node, i) => {
      columns[node] = column + i;
      rows[node] = row;
      used[column + i] = row;
    });
    if (above >= 0) used[column - 1] = Math.max(used[column - 1] ?? 0, row);
    height = Math.max(height, row + 1);
    // Pushed so that the variation nearest to the end of the branch comes off first: those before it then go below it.
    branch.forEach((node, i) => {
      for (const other of tree.children[node].slice(1).reverse())
        stack.push({ start: other, column: column + i + 1, above: row });
    });
  }
  return { columns, rows, width: used.length, height };
}
