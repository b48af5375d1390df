import assert from "node:assert/strict";
import { test } from "node:test";

import { choose, day, next, streak } from "../page/practice.js";
import { positionRecord, packed, unpacked } from "../page/share.js";
import { Solution, problemName } from "../page/solution.js";
import { format, parse } from "../page/route.js";

const DAY = 24 * 60 * 60_000;
const NOW = new Date(2026, 10, 18, 12).getTime();

test("a problem that was solved comes back at growing intervals", () => {
  let card;
  let now = NOW;
  const waits = [];
  for (let i = 0; i < 8; i += 1) {
    card = next(card, true, now);
    waits.push(Math.round((card.due - now) / DAY));
    now = card.due;
  }
  assert.deepEqual(waits, [1, 3, 7, 16, 35, 80, 180, 180]);
});

test("a problem that was not solved comes back soon, and begins again", () => {
  const good = next(next(undefined, true, NOW), true, NOW + DAY);
  assert.equal(good.times, 2);
  const bad = next(good, false, NOW + 2 * DAY);
  assert.equal(bad.times, 0);
  assert.ok(bad.due - (NOW + 2 * DAY) < DAY / 24);
  // Whoever solves it ahead of time does not put it off.
  assert.deepEqual({ ...next(good, true, NOW + DAY + 1000), seen: 0 }, { ...good, seen: 0 });
});

test("days in a row end with a day on which nothing was solved", () => {
  const days = [NOW - 4 * DAY, NOW - 2 * DAY, NOW - DAY].map(day);
  assert.equal(streak(days, NOW), 2);
  assert.equal(streak([...days, day(NOW)], NOW), 3);
  assert.equal(streak(days, NOW + 3 * DAY), 0);
  assert.equal(streak([], NOW), 0);
});

test("what is due comes before what is new", () => {
  const names = ["a", "b", "c"];
  const card = (/** @type {number} */ due) => ({ times: 1, due, seen: 0 });
  assert.equal(choose(names, {}, NOW), "a");
  assert.equal(choose(names, { a: card(NOW + DAY) }, NOW), "b");
  assert.equal(choose(names, { a: card(NOW + DAY), c: card(NOW - 1) }, NOW), "c");
  assert.equal(choose(names, { a: card(NOW - 5), c: card(NOW - 9) }, NOW), "c");
  assert.equal(choose(names, { a: card(NOW - 5), b: card(NOW + DAY) }, NOW, "a"), "c");
  assert.equal(choose(["a"], {}, NOW, "a"), null);
});

/** @type {Api.Problem} */
const PROBLEM = {
  title: "row",
  width: 5,
  height: 3,
  position: "...OX\nOOOOX\nXXXXX\nBlack to move",
  to_move: "black",
  target: ["D3"],
  region: [],
  goal: null,
  level: null,
  comment: "",
  tree: {
    parents: [null, 0, 1, 2, 0, 4],
    moves: ["setup", "B B3", "W A3", "B C3", "B A3", "W B3"],
    right: [true, true, true, true, false, false],
    comments: ["", "", "", "", "no", ""],
  },
};

test("a solution knows right moves, answers and where it ends", () => {
  const solution = new Solution(PROBLEM);
  assert.equal(solution.after(0, "B3"), 1);
  assert.equal(solution.after(0, "C3"), null);
  assert.equal(solution.reply(1), 2);
  assert.equal(solution.reply(4), 5);
  assert.equal(solution.reply(3), null);
  assert.deepEqual(solution.line(0), [1, 2, 3]);
  assert.equal(solution.right(4), false);
  assert.equal(solution.comment(4), "no");
});

test("who attacks is seen from the marked stones, and what the solver says is good for one of them", () => {
  const judged = (/** @type {Api.JudgedPosition["verdict"]} */ verdict) =>
    /** @type {Api.JudgedPosition} */ ({ verdict, decided: false, moves: [], reply: null, length: null });
  const attacks = new Solution(PROBLEM);
  assert.equal(attacks.attacks, true);
  assert.equal(attacks.wins(judged("dies")), true);
  assert.equal(attacks.wins(judged("lives")), false);
  assert.equal(attacks.wins(judged("open")), null);
  assert.equal(attacks.wins(judged("ko")), false);
  const saves = new Solution({ ...PROBLEM, to_move: "white" });
  assert.equal(saves.attacks, false);
  assert.equal(saves.wins(judged("seki")), true);
  assert.equal(new Solution({ ...PROBLEM, target: [] }).attacks, null);
  assert.equal(new Solution({ ...PROBLEM, target: [], goal: "live" }).attacks, false);
});

test("a problem has the same name whenever its set is opened", () => {
  assert.equal(problemName(PROBLEM, 2), problemName({ ...PROBLEM, title: "other" }, 2));
  assert.notEqual(problemName(PROBLEM, 2), problemName({ ...PROBLEM, position: "..." }, 2));
});

test("a record in an address comes out as it went in", async () => {
  const sgf = `(;GM[1]FF[4]CA[UTF-8]SZ[19]PB[古力]${";B[pd];W[dp]".repeat(60)})`;
  const text = await packed(sgf);
  assert.match(text, /^[\w-]+$/);
  assert.ok(text.length < sgf.length / 3);
  assert.equal(await unpacked(text), sgf);
  assert.equal(await unpacked("(;SZ[9];B[ee])"), "(;SZ[9];B[ee])");
  await assert.rejects(unpacked("nonsense"));
  const route = parse(format({ view: "sgf", text }));
  assert.deepEqual(route, { view: "sgf", text });
});

test("a position is written as a record that sets it up", () => {
  const record = positionRecord({ width: 3, height: 2, komi: 6.5 }, { stones: "X.OX..", to_move: "white" });
  assert.equal(record, "(;GM[1]FF[4]CA[UTF-8]SZ[3:2]KM[6.5]PL[W]AB[aa][ab]AW[ca])");
});

test("problems have addresses", () => {
  for (const route of /** @type {import("../page/route.js").Route[]} */ ([
    { view: "problems", set: null, problem: null },
    { view: "problems", set: "own", problem: null },
    { view: "problems", set: "my file.sgf", problem: 12 },
    { view: "embed", text: "abc" },
  ]))
    assert.deepEqual(parse(format(route)), route);
});
