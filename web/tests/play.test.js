import assert from "node:assert/strict";
import { test } from "node:test";

import { emsOf, fitting } from "../page/board/layers.js";
import { Random, stripes, variety } from "../page/board/wood.js";
import { HOPELESS, hopeless, kindOf } from "../page/chances.js";
import { inviteLink, isLocal, secret } from "../page/invitation.js";
import { hoursText, tickTexts } from "../page/parts/chart.js";
import { restText } from "../page/parts/clock.js";
import { countText } from "../page/parts/counting.js";
import { fittingHandicap, fittingLevel, resultOf } from "../page/results.js";

/** @param {number} level @param {boolean} won @param {number} [handicap] */
const game = (level, won, handicap = 0) => ({ game: "g", size: 9, level, handicap, won });

test("the level that adapts goes up with wins, down with losses, and stays among the levels", () => {
  assert.equal(fittingLevel([], 10), 2);
  assert.equal(fittingLevel([game(2, true)], 10), 3);
  assert.equal(fittingLevel([game(2, true), game(3, true), game(4, true)], 10), 5);
  assert.equal(fittingLevel([game(2, false)], 10), 1);
  assert.equal(fittingLevel([game(2, false), game(1, false), game(1, false)], 10), 1);
  assert.equal(fittingLevel(Array.from({ length: 30 }, () => game(10, true)), 10), 10);
  // A win against somebody far weaker says nothing.
  assert.equal(fittingLevel([game(2, true), game(3, true), game(4, true), game(1, true)], 10), 5);
});

test("wins and losses in turn settle between two levels", () => {
  const games = [];
  for (let i = 0; i < 20; i += 1) {
    const level = fittingLevel(games, 10);
    // Whoever plays like this beats every level up to 4.
    games.push(game(level, level <= 4));
  }
  assert.ok([4, 5].includes(fittingLevel(games, 10)));
});

test("two losses in a row suggest a handicap, two wins a smaller one", () => {
  const next = { size: 9, level: 3 };
  assert.equal(fittingHandicap([], next), null);
  assert.equal(fittingHandicap([game(3, false)], next), null);
  assert.equal(fittingHandicap([game(3, true), game(3, false)], next), null);
  assert.equal(fittingHandicap([game(3, false), game(3, false)], next), 2);
  assert.equal(fittingHandicap([game(3, false, 2), game(3, false, 2)], next), 3);
  assert.equal(fittingHandicap([game(3, true, 2), game(3, true, 2)], next), 0);
  assert.equal(fittingHandicap([game(3, true), game(3, true)], next), null);
  assert.equal(fittingHandicap([game(3, false, 5), game(3, false, 5)], next), null, "nine by nine has no room for six");
  assert.equal(fittingHandicap([game(4, false), game(4, false)], next), null, "another opponent");
});

test("only games of one person against the engine are remembered", () => {
  const person = { kind: "person" };
  const engine = { kind: "engine", level: 4 };
  const sheet = (/** @type {any} */ more) =>
    /** @type {any} */ ({
      id: "x", width: 9, height: 9, handicap: 2, black: person, white: engine, phase: "finished",
      result: { winner: "black" }, ...more,
    });
  assert.deepEqual(resultOf(sheet({})), { game: "x", size: 9, level: 4, handicap: 2, won: true });
  assert.deepEqual(resultOf(sheet({ black: engine, white: person })), {
    game: "x", size: 9, level: 4, handicap: -2, won: false,
  });
  assert.equal(resultOf(sheet({ white: person })), null);
  assert.equal(resultOf(sheet({ black: engine })), null);
  assert.equal(resultOf(sheet({ phase: "playing" })), null);
  assert.equal(resultOf(sheet({ result: { winner: null } })), null);
  assert.equal(resultOf(sheet({ white: { kind: "program", name: "other" } })), null);
});

test("a battle is without hope when one side was for long enough", () => {
  const many = (/** @type {number} */ rate, n = HOPELESS.positions) => Array.from({ length: n }, () => rate);
  assert.equal(hopeless(many(0.01)), "black");
  assert.equal(hopeless(many(0.99)), "white");
  assert.equal(hopeless([0.5, ...many(0.99)]), "white");
  assert.equal(hopeless([...many(0.99), 0.9]), null);
  assert.equal(hopeless(many(0.99, HOPELESS.positions - 1)), null);
});

test("what loses points is a slip or a blunder, sooner on a small board", () => {
  assert.equal(kindOf(0, 81), "good");
  assert.equal(kindOf(2, 81), "slip");
  assert.equal(kindOf(5, 81), "blunder");
  assert.equal(kindOf(5, 361), "slip");
  assert.equal(kindOf(9, 361), "blunder");
});

test("a count is told as sums", () => {
  const side = { stones: 30, territory: 10, prisoners: 3, komi: 0, handicap: 0, total: 40 };
  const score = /** @type {any} */ ({ scoring: "area", black: side, white: { ...side, komi: 7, total: 47 } });
  assert.match(countText(score), /Black: 30 \+ 10 = 40\. White: 30 \+ 10 \+ 7 = 47\.$/);
  const territory = { ...score, scoring: "territory", black: { ...side, total: 13 }, white: { ...side, total: 13 } };
  assert.match(countText(territory), /prisoner.*Black: 10 \+ 3 = 13\./);
});

test("overtime is told from the start", () => {
  const side = { seconds: 60, overtime: false, running: true };
  assert.equal(restText(side, { main_seconds: 60, byoyomi: { periods: 3, seconds: 10 } }), "then 3 × 10 s");
  assert.equal(restText(side, { main_seconds: 60, canadian: { stones: 25, seconds: 600 } }), "then 25 stones in 10:00");
  assert.equal(restText(side, { main_seconds: 60, increment: 10 }), "+10 s a move");
  assert.equal(restText(side, { main_seconds: 60 }), "");
  const over = { ...side, overtime: true, periods: 1 };
  assert.equal(restText(over, { main_seconds: 60, byoyomi: { periods: 3, seconds: 10 } }), "last period");
});

test("an invitation is a link with a secret to the game", () => {
  const token = secret();
  assert.match(token, /^[a-z2-9]{32}$/);
  assert.notEqual(token, secret());
  const link = inviteLink(token, "abc", { origin: "http://host:8361", pathname: "/" });
  assert.equal(link, `http://host:8361/?token=${token}#/game/abc`);
  assert.deepEqual(["localhost", "127.0.0.1", "[::1]", "192.168.1.7"].map(isLocal), [true, true, true, false]);
});

test("the wood is the same every time, and covers the board", () => {
  assert.deepEqual(stripes(400, 400), stripes(400, 400));
  assert.ok(stripes(400, 400).length > 40);
  // The first numbers of the generator of tengen-render.
  const random = new Random();
  const drawn = [random.bits(), random.bits()];
  assert.ok(drawn.every((bits) => Number.isInteger(bits) && bits >= 0 && bits < 2 ** 32));
  assert.notEqual(drawn[0], drawn[1]);
});

test("stones differ a little, and a point's stone is always the same", () => {
  const all = Array.from({ length: 361 }, (_, at) => variety(at));
  assert.deepEqual(variety(7), variety(7));
  assert.equal(new Set(all.map(({ kind }) => kind)).size, 3);
  for (const { x, y } of all) assert.ok(Math.abs(x) <= 0.6 && Math.abs(y) <= 0.6);
});

test("values fit their circles", () => {
  for (const text of ["B+3", "W+25", "W+12.5", "黑+25"]) assert.ok(fitting(text, 33, 14) * emsOf(text) <= 33);
  assert.equal(fitting("0", 33, 14), 14);
});

test("numbers along a chart are told apart, and nothing is -0", () => {
  assert.deepEqual(tickTexts([0, 0.5, 1]), ["0", "0.5", "1"]);
  assert.deepEqual(tickTexts([1, 1.05, 1.1]), ["1", "1.05", "1.1"]);
  assert.deepEqual(tickTexts([-100, -0, 100]), ["-100", "0", "100"]);
  assert.equal(hoursText(-0), "0");
  assert.equal(hoursText(2.34), "2.3");
});
