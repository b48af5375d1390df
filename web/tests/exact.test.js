import assert from "node:assert/strict";
import { test } from "node:test";

import { describe } from "../page/board/describe.js";
import { provenGrades } from "../page/board/layers.js";
import { emptyState } from "../page/board/state.js";
import { index } from "../page/coordinates.js";
import { bounds, letters, verdict, words } from "../page/margin.js";
import { forcedBy, grouped, informed, offered, remarks } from "../page/proven.js";
import { speak } from "../page/strings.js";

/**
 * @param {string} move @param {number} lower @param {number} upper
 * @param {{ complete?: boolean, best?: boolean }} [more]
 */
const exact = (move, lower, upper, { complete = true, best = false } = {}) => ({ move, lower, upper, complete, best });

/** @param {Partial<Api.Exact>} [more] @returns {Api.Exact} */
const message = (more) => ({
  game: "g",
  node: 0,
  lower: 9,
  upper: 9,
  complete: true,
  ignored: [],
  moves: [],
  nodes: 1,
  done: true,
  more: false,
  ...more,
});

test("what is not proven yet is not called a loss", () => {
  const open = { complete: false };
  const moves = [exact("B2", 1, 16, { best: true, ...open }), exact("A1", -16, 16, open), exact("A2", -16, 0, open)];
  assert.deepEqual(provenGrades(moves, "black"), ["best", "guess", "bad"]);
  // For White the bounds stand the other way round.
  const best = exact("B2", -16, -1, { best: true, ...open });
  const mirrored = [best, exact("A1", -16, 16, open), exact("A2", 0, 16, open)];
  assert.deepEqual(provenGrades(mirrored, "white"), ["best", "guess", "bad"]);
  assert.deepEqual(provenGrades([exact("A1", 9, 9, { best: true }), exact("A2", 4, 4)], "black").at(1), "bad");
});

test("margins are told in letters and in words", () => {
  assert.deepEqual([9, -3, 0].map(letters), ["B+9", "W+3", "0"]);
  assert.deepEqual([9, -3, 0].map(words), ["Black by 9", "White by 3", "even"]);
  assert.equal(bounds(exact("A1", 9, 9)), "Black by 9");
  assert.equal(bounds(exact("A1", -3, 9)), "between White by 3 and Black by 9: the ko rule decides");
  assert.equal(bounds(exact("A1", -3, 9, { complete: false })), "between White by 3 and Black by 9, so far");
});

test("what is proven about a position is a sentence that claims no more than that", () => {
  /** @param {number} lower @param {number} upper @param {boolean} complete */
  const said = (lower, upper, complete) => verdict({ lower, upper, complete }, 16);
  assert.equal(said(9, 9, true), "Black wins by 9 points, whatever White does.");
  assert.equal(said(-1, -1, true), "White wins by 1 point, whatever Black does.");
  assert.equal(said(0, 0, true), "Even, whatever either player does.");
  assert.equal(said(1, 16, true), "Between Black by 1 and Black by 16: the ko rule decides.");
  assert.equal(said(1, 16, false), "Black by 1 or better for Black, so far.");
  assert.equal(said(-16, -2, false), "White by 2 or better for White, so far.");
  assert.equal(said(-2, 4, false), "Between White by 2 and Black by 4, so far.");
  assert.equal(said(-16, 16, false), "Nothing is proven yet.");
  assert.equal(said(-16, 16, true), "Between White by 16 and Black by 16: the ko rule decides.");
});

test("a certificate that the host was started with says more than was found", () => {
  /** @type {Api.StoredProof} */
  const stored = { color: "black", margin: 25, positions: 91_991_053, checked: false };
  assert.deepEqual(forcedBy({ lower: -25, upper: 25 }, 25), []);
  assert.deepEqual(forcedBy({ lower: -25, upper: 25, stored: [stored] }, 25), [
    { color: "black", margin: 25, stored },
  ]);
  // What was found and is as good is walked by the certificate, and what is better is not.
  assert.equal(forcedBy({ lower: 25, upper: 25, stored: [stored] }, 25)[0].stored, stored);
  assert.deepEqual(forcedBy({ lower: 3, upper: 25, stored: [{ ...stored, margin: 1 }] }, 25), [
    { color: "black", margin: 3 },
  ]);
  const white = { ...stored, color: /** @type {const} */ ("white"), margin: -2 };
  assert.deepEqual(forcedBy({ lower: 3, upper: 4, stored: [white] }, 25), [
    { color: "black", margin: 3 },
    { color: "white", margin: -2, stored: white },
  ]);
  // What was not checked is no proof.
  const found = { lower: -25, upper: 25, complete: false };
  assert.deepEqual(informed({ ...found, stored: [stored] }), { ...found, stored: [stored] });
  const sure = { ...stored, checked: true };
  assert.equal(verdict(informed({ ...found, stored: [sure] }), 25), "Black wins by 25 points, whatever White does.");
  assert.equal(informed({ ...found, stored: [{ ...white, checked: true }] }).upper, -2);
  const told = remarks(message({ stored: [stored] }), { komi: 0, handicap: 0 });
  assert.equal(
    told[0],
    "A certificate with answers in 91,991,053 positions says: Black by 25 or better for Black.",
  );
  assert.match(told[1], /^It is too large to be checked here/);
  const checked = remarks(message({ stored: [{ ...stored, checked: true }] }), { komi: 0, handicap: 0 });
  assert.match(checked[0], /proves: Black by 25/);
  assert.ok(!checked.some((line) => /too large/.test(line)));
});

test("it is told in every language", async () => {
  for (const code of ["zh", "ja", "ko"]) {
    await speak(code);
    for (const text of [
      verdict({ lower: 9, upper: 9, complete: true }, 16),
      bounds(exact("A1", -3, 9)),
      remarks(message(), { komi: 4, handicap: 0 }).join(""),
    ]) {
      assert.doesNotMatch(text, /[{}]|undefined|Black|White/, code);
    }
  }
  await speak("en");
});

test("moves with one result are one line, the best for whoever moves first", () => {
  const moves = [
    exact("A3", -9, -9),
    exact("B3", 3, 9),
    exact("B2", 9, 9, { best: true }),
    exact("C3", -9, -9),
    exact("pass", -9, -9),
  ];
  assert.deepEqual(grouped(moves, "black").map(({ best, names }) => [best, names]), [
    [true, ["B2"]],
    [false, ["B3"]],
    [false, ["A3", "C3", "Pass"]],
  ]);
  assert.deepEqual(grouped(moves, "white").map(({ names }) => names[0]), ["A3", "B3", "B2"]);
  // What is known of one and not yet of the other is not the same.
  assert.equal(grouped([exact("A1", 0, 4), exact("B1", 0, 4, { complete: false })], "black").length, 2);
});

test("what the value rests on and leaves out is said", () => {
  assert.deepEqual(remarks(message(), { komi: 0, handicap: 0 }), ["Counted by area, without komi."]);
  assert.deepEqual(
    remarks(message({ ko_rules: ["simple", "situational", "positional"] }), { komi: 9.5, handicap: 0 }),
    [
      "Confirmed by the checker: so it is under every ko rule.",
      "With komi 9.5: White wins by 0.5 points.",
      "Counted by area, without komi.",
    ],
  );
  assert.deepEqual(remarks(message({ ko_rules: ["simple"] }), { komi: 9, handicap: 0 })[0], "With komi 9: Draw.");
  assert.deepEqual(
    remarks(message(), { komi: 5, handicap: 2 }),
    ["Counted by area, without komi."],
    "handicap stones may be worth points, too",
  );
  const open = message({
    lower: -4,
    upper: 4,
    rule: { ko: "positional", lower: 1, upper: 1 },
    ignored: ["territory", "suicide", "history"],
  });
  assert.deepEqual(remarks(open, { komi: 0.5, handicap: 0 }), [
    "Under positional superko: Black by 1.",
    "With komi 0.5: Black wins by 0.5 points.",
    "Counted by area, without komi.",
    "By territory it may differ.",
    "Suicide is left out.",
    "As if the game began here: boards before it are not looked at.",
  ]);
});

test("results are named with their points, in the place of guesses", () => {
  const size = { width: 3, height: 3 };
  const state = emptyState(size);
  state.candidates = [{ move: "B2", visits: 10, winrate: 0.75, lead: 1, lost: 0, pv: ["B2"] }];
  state.proven = [exact("B2", 9, 9, { best: true })];
  assert.equal(describe(state, index(size, "B2")), "B2, empty, Black by 9");
  assert.equal(describe(state, index(size, "A1")), "A1, empty");
});

test("a proof to walk through is offered for what somebody forces, and not for what is true of every game", () => {
  assert.deepEqual(forcedBy({ lower: 9, upper: 9 }, 9), [{ color: "black", margin: 9 }]);
  assert.deepEqual(forcedBy({ lower: -9, upper: -9 }, 9), [{ color: "white", margin: -9 }]);
  assert.deepEqual(forcedBy({ lower: 1, upper: 4 }, 9), [
    { color: "black", margin: 1 },
    { color: "white", margin: 4 },
  ]);
  assert.deepEqual(forcedBy({ lower: -9, upper: 9 }, 9), []);
});

test("it is offered for boards as small as the host says", () => {
  /** @param {boolean} feature @param {number} [points] */
  const about = (feature, points) =>
    /** @type {any} */ ({
      features: { exact: feature },
      limits: points ? { points_of_an_exact_board: points } : undefined,
    });
  assert.ok(offered(about(true, 16), { width: 4, height: 4 }));
  assert.ok(!offered(about(true, 16), { width: 5, height: 4 }));
  assert.ok(!offered(about(false, 16), { width: 3, height: 3 }));
  assert.ok(!offered(about(true), { width: 3, height: 3 }));
});
