import assert from "node:assert/strict";
import { test } from "node:test";

import { gradeOf } from "../page/board/layers.js";
import { diagram, due, exerciseOf, exercises, tried } from "../page/exercises.js";
import { factText, warningText, whyText } from "../page/facts.js";
import { mistakes, owners, playedMoves } from "../page/judged.js";
import { favourite, reachOf } from "../page/parts/graph.js";
import { parse, format } from "../page/route.js";
import { LANGUAGES, speak } from "../page/strings.js";
import { part, subject, summarize } from "../page/summary.js";
import { GameTree } from "../page/tree.js";

const DAY = 24 * 3600 * 1000;

/** A game whose moves lose so many points each, with the facts that say why. */
function game(/** @type {number[]} */ lost, /** @type {Record<number, any[]>} */ facts = {}) {
  const tree = new GameTree({
    parents: [null, ...lost.map((_, i) => i)],
    moves: ["", ...lost.map((_, i) => `${i % 2 ? "W" : "B"} A${i + 1}`)],
    main: lost.map((_, i) => i),
    has_comment: [],
  });
  const reviewed = new Map(
    lost.map((points, i) => [
      i,
      /** @type {any} */ ({
        node: i,
        lead: 0,
        winrate: 0.5,
        best: "B1",
        pv: ["B1", "B2"],
        good: ["B1", "C1"],
        settled: true,
        next: { node: i + 1, move: `A${i + 1}`, lost: points, lost_error: 0.1, pv: [], facts: facts[i] ?? [] },
      }),
    ]),
  );
  return { tree, reviewed, moves: playedMoves(reviewed, tree) };
}

const size = { width: 9, height: 9 };

test("a review says of every move of the main line what it lost", () => {
  const { tree, reviewed, moves } = game([0, 3, 0.5, 7]);
  assert.deepEqual(moves.map(({ node, before, number, color }) => [node, before, number, color]), [
    [1, 0, 1, "black"],
    [2, 1, 2, "white"],
    [3, 2, 3, "black"],
    [4, 3, 4, "white"],
  ]);
  assert.deepEqual(mistakes(moves).map(({ node }) => node), [4, 2]);
  // What was said about another move than the one that was played is not about this one.
  reviewed.get(1).next.node = 9;
  assert.deepEqual(playedMoves(reviewed, tree).map(({ node }) => node), [1, 3, 4]);
});

test("who is likelier to win is named", () => {
  assert.deepEqual(favourite(0.75), { player: "Black", rate: "75%" });
  assert.deepEqual(favourite(0.33), { player: "White", rate: "67%" });
});

test("a warning says why, and keeps the better move for later", () => {
  /** @type {any[]} */
  const facts = [
    { kind: "captured", stones: 2, at: "C3", region: null },
    { kind: "elsewhere", stones: 0, at: "E5", region: null },
  ];
  assert.equal(warningText(facts, "black"), "White captures 2 stones (at C3).");
  assert.match(whyText(facts, "black"), /E5/);
  assert.equal(warningText(facts.slice(1), "black"), "");
});

test("owners of points come as letters", () => {
  assert.deepEqual(owners("aku"), [-1, 0, 1]);
});

test("a game has three parts, whatever its size", () => {
  assert.deepEqual([1, 9, 10, 34, 35].map((n) => part(n, size)), [
    "opening",
    "opening",
    "middle",
    "middle",
    "endgame",
  ]);
  const large = { width: 19, height: 19 };
  assert.deepEqual([40, 41, 151, 152].map((n) => part(n, large)), ["opening", "middle", "middle", "endgame"]);
});

test("a summary counts by colour and by part, and finds the best and the worst", () => {
  const { moves } = game([0, 4, 0, 2, 0, 0, 3, 0, 0, 0, 6]);
  const { black, white } = summarize(moves, size);
  assert.equal(black.moves, 6);
  assert.equal(black.mean, 9 / 6);
  assert.equal(black.accuracy, 4 / 6);
  assert.deepEqual([black.mistakes, white.mistakes], [2, 2]);
  assert.deepEqual(black.worst.map(({ node }) => node), [11, 7]);
  // Black answered the larger mistake of White without a loss first of all.
  assert.deepEqual(black.best.map(({ node }) => node), [3, 5]);
  assert.deepEqual(black.parts.map(({ moves: count }) => count), [5, 1, 0]);
  assert.equal(white.subject, "opening");
});

test("what to work on is what cost most", () => {
  const fact = (/** @type {string} */ kind) => [{ kind, stones: 2, at: "A1", points: 4 }];
  const { moves } = game([3, 0, 3, 0, 5], { 0: fact("captured"), 2: fact("ladder"), 4: fact("dies") });
  assert.equal(subject(moves, size), "atari");
  assert.equal(subject(game([0, 0]).moves, size), null);
});

test("exercises come back at growing intervals, and soon if they were not solved", () => {
  const fresh = /** @type {any} */ ({ id: "a", step: 0, due: 0 });
  let exercise = fresh;
  const days = [];
  for (let i = 0; i < 7; i += 1) {
    exercise = tried(exercise, true, 0);
    days.push(exercise.due / DAY);
  }
  assert.deepEqual(days, [1, 3, 7, 16, 35, 90, 90]);
  const failed = tried(exercise, false, 0);
  assert.deepEqual([failed.step, failed.due], [0, 600_000]);
  const list = [{ ...fresh, due: 5 }, { ...fresh, id: "b", due: 2 }, { ...fresh, id: "c", due: 9 }];
  assert.deepEqual(due(list, 5).map(({ id }) => id), ["b", "a"]);
});

test("a mistake becomes an exercise that needs its game no longer", () => {
  const { moves } = game([4]);
  const sheet = { id: "g1", title: "Ada – Bo", rules: "chinese", komi: 7, width: 3, height: 2 };
  const made = exerciseOf(moves[0], sheet, { stones: "X.O...", to_move: "white" });
  assert.equal(diagram(made), "X.O\n...\nWhite to move");
  assert.deepEqual([made.id, made.played, made.lost], ["g1:0", "A1", 4]);
  assert.deepEqual([made.line, made.good], [["B1", "B2"], ["B1", "C1"]]);
});

test("exercises are kept, each once", () => {
  /** @type {Map<string, string>} */
  const kept = new Map();
  globalThis.localStorage = /** @type {any} */ ({
    getItem: (/** @type {string} */ key) => kept.get(key) ?? null,
    setItem: (/** @type {string} */ key, /** @type {string} */ value) => kept.set(key, value),
  });
  const one = /** @type {any} */ ({ id: "a", step: 0, due: 0 });
  assert.equal(exercises.add([one, { ...one, id: "b" }]), 2);
  assert.equal(exercises.add([{ ...one, due: 99 }]), 0);
  exercises.note(one, true);
  assert.deepEqual(exercises.all.map(({ id, step }) => [id, step]), [["b", 0], ["a", 1]]);
  exercises.remove("b");
  assert.deepEqual(exercises.all.map(({ id }) => id), ["a"]);
  kept.set("tengen.exercises", "{");
  assert.deepEqual(exercises.all, []);
  delete (/** @type {any} */ (globalThis).localStorage);
});

test("every fact is a sentence in every language", async () => {
  const kinds = [
    "captured", "missed_capture", "dies", "lives", "self_atari", "left_in_atari", "ladder", "cut_off", "missed_cut",
    "region", "elsewhere", "passed",
  ];
  for (const code of Object.keys(LANGUAGES)) {
    await speak(code);
    for (const kind of kinds) {
      const fact = /** @type {any} */ ({ kind, stones: 3, at: "C3", region: "lower_left", points: 6 });
      const text = factText(fact, "black");
      assert.ok(text.length > 3 && !/[{}]|undefined/.test(text), `${code} ${kind}: ${text}`);
    }
  }
  await speak("en");
  const facts = /** @type {any[]} */ ([
    { kind: "cut_off", stones: 3, at: "D5", points: 3 },
    { kind: "region", stones: 0, region: "upper_right", points: 8 },
    { kind: "unheard_of", stones: 1, points: 1 },
  ]);
  assert.equal(whyText(facts, "black"), "White cuts off 3 stones at D5. It loses the upper right corner.");
});

test("the scale of the graph has room for all leads, up to a limit", () => {
  assert.equal(reachOf([]), 10);
  assert.equal(reachOf([{ lead: -23 }, null]), 25);
  assert.equal(reachOf([{ lead: 200 }]), 60);
});

test("exercises have an address", () => {
  assert.deepEqual(parse(format({ view: "exercises" })), { view: "exercises" });
  assert.equal(parse("#/exercises/x").view, "unknown");
});

test("a move that cannot be compared is neither good nor bad, unless it lost for sure", () => {
  assert.equal(gradeOf({ lost: 0, compared: true }, 0), "best");
  assert.equal(gradeOf({ lost: 0, compared: true }, 1), "good");
  assert.equal(gradeOf({ lost: 0, compared: false }, 1), "guess");
  assert.equal(gradeOf({ lost: 9, compared: false }, 1), "bad");
  assert.equal(gradeOf({ lost: 0 }, 0), "best");
});
