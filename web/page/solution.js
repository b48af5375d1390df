// A problem and its solution: which moves are right, and what the opponent answers. The rules are not here.

import { move } from "./coordinates.js";

/** What is on the way from a position to another. @typedef {{ node: number, move: string }} Step */

export class Solution {
  /** @param {Api.Problem} problem */
  constructor(problem) {
    this.problem = problem;
    const { parents } = problem.tree;
    /** @type {number[][]} */
    this.children = parents.map(() => []);
    parents.forEach((parent, node) => {
      if (parent !== null) this.children[parent].push(node);
    });
  }

  /** Whether the record has any moves. */
  get known() {
    return this.children[0]?.length > 0;
  }

  /** @param {number} node */
  right(node) {
    return this.problem.tree.right[node];
  }

  /** @param {number} node */
  comment(node) {
    return this.problem.tree.comments[node] ?? "";
  }

  /** The move of a node, as a point or a pass. @param {number} node */
  move(node) {
    return move(this.problem.tree.moves[node])?.move ?? "pass";
  }

  /** The node of a move after another node, or null. @param {number} node @param {string} played */
  after(node, played) {
    return this.children[node].find((child) => this.move(child) === played) ?? null;
  }

  /**
   * The answer to a move: the first one that leads on in the same way.
   * @param {number} node
   * @returns {number | null}
   */
  reply(node) {
    const children = this.children[node];
    return children.find((child) => this.right(child) === this.right(node)) ?? children[0] ?? null;
  }

  /** The right move at a node. @param {number} node @returns {number | null} */
  best(node) {
    return this.children[node].find((child) => this.right(child)) ?? null;
  }

  /** The right line from a node on. @param {number} node @returns {number[]} */
  line(node) {
    const line = [];
    for (let at = this.best(node); at !== null; at = this.best(at)) line.push(at);
    return line;
  }

  /** Whether the one who solves it attacks the marked stones; null if nothing is marked. */
  get attacks() {
    const { target, goal, to_move: mover, width, height, position } = this.problem;
    if (goal !== null && goal !== undefined) return goal === "capture";
    if (target.length === 0) return null;
    const rows = position.split("\n");
    const at = /^([A-HJ-Z])(\d+)$/.exec(target[0]);
    if (!at) return null;
    const column = "ABCDEFGHJKLMNOPQRSTUVWXYZ".indexOf(at[1]);
    const stone = column < width ? rows[height - Number(at[2])]?.[column] : undefined;
    return stone === undefined ? null : (stone === "X") !== (mover === "black");
  }

  /**
   * Whether a judgement is what the one who solves it wants; null if that is not known.
   * @param {Api.JudgedPosition} judged
   */
  wins({ verdict }) {
    const { attacks } = this;
    if (attacks === null || verdict === "open") return null;
    if (verdict === "dies") return attacks;
    if (verdict === "lives" || verdict === "seki" || verdict === "stands") return !attacks;
    return false;
  }
}

/**
 * A name for a problem that stays the same when its set is opened again.
 * @param {Api.Problem} problem
 * @param {number} number
 */
export function problemName(problem, number) {
  let hash = 0;
  for (const letter of problem.position) hash = (Math.imul(hash, 31) + letter.charCodeAt(0)) | 0;
  return `${number + 1}-${(hash >>> 0).toString(36)}`;
}
