import assert from "node:assert/strict";
import { test } from "node:test";

import { CLOCKS, DEFAULTS, request, seat, seatValue } from "../page/choices.js";
import { timeText } from "../page/parts/clock.js";
import { curve, leadHeight, leadText } from "../page/parts/graph.js";
import { ticks } from "../page/parts/ticks.js";
import { editOf, nextLabel } from "../page/parts/tools.js";
import { format, parse } from "../page/route.js";
import { countTags, tagsOf } from "../page/tags.js";

test("addresses lead to views and back", () => {
  /** @type {import("../page/route.js").Route[]} */
  const routes = [
    { view: "home" },
    { view: "open" },
    { view: "learn", lesson: null },
    { view: "learn", lesson: "ko" },
    { view: "runs", run: "9x9 & more/less" },
    { view: "game", game: "a1b2", node: null },
    { view: "game", game: "a1b2", node: 17 },
  ];
  for (const route of routes) assert.deepEqual(parse(format(route)), route);
  assert.deepEqual(parse(""), { view: "home" });
  assert.deepEqual(parse("#/game/x/-1"), { view: "game", game: "x", node: null });
  for (const wrong of ["#/nowhere", "#/game", "#/game/x/1/2", "#/open/x"])
    assert.equal(parse(wrong).view, "unknown", wrong);
  assert.deepEqual(parse("#/learn/%E0%A4%A"), { view: "learn", lesson: "%E0%A4%A" });
});

test("games lie in as many folders as they have tags", () => {
  assert.deepEqual(tagsOf({ tags: " league,  lessons;league " }), ["league", "lessons"]);
  assert.deepEqual(tagsOf({ tags: "定石、布局，定石" }), ["定石", "布局"]);
  assert.deepEqual(tagsOf({ tags: null }), []);
  const games = [{ tags: "lessons, league" }, { tags: "league" }, {}];
  assert.deepEqual(countTags(games), [
    ["league", 2],
    ["lessons", 1],
  ]);
});

test("the form for a new game becomes a request", () => {
  assert.deepEqual(request(DEFAULTS), {
    width: 9,
    height: 9,
    rules: "chinese",
    black: { kind: "person" },
    white: { kind: "engine", level: 3 },
  });
  const other = request({
    ...DEFAULTS,
    size: "other",
    width: 13,
    height: 7,
    against: "battle",
    white: "program:GNU Go",
    komi: "-3.5",
    handicap: "2",
    clock: "blitz",
  });
  assert.deepEqual(other, {
    width: 13,
    height: 7,
    rules: "chinese",
    komi: -3.5,
    handicap: 2,
    black: { kind: "engine", level: 5 },
    white: { kind: "program", name: "GNU Go" },
    clock: CLOCKS.blitz,
    pace: 1000,
  });
  const white = request({ ...DEFAULTS, color: "white" });
  assert.deepEqual([white.black.kind, white.white.kind], ["engine", "person"]);
  const random = request({ ...DEFAULTS, color: "random" });
  assert.deepEqual([random.black.kind, random.white.kind].sort(), ["engine", "person"]);
});

test("seats are values of a choice and back", () => {
  for (const one of ["person", "level:7", "program:a:b"]) assert.equal(seatValue(seat(one)), one);
});

test("time is written as on a clock", () => {
  assert.deepEqual([0, 9.2, 60, 61, 3600, 3725, -3].map(timeText), [
    "0:00",
    "0:10",
    "1:00",
    "1:01",
    "1:00:00",
    "1:02:05",
    "0:00",
  ]);
});

test("curves leave gaps where nothing is known", () => {
  assert.equal(curve([0, 1, null, 0.5], 30, 10), "M0.0 10.0L10.0 0.0M30.0 5.0");
  assert.equal(leadHeight(0, 10), 0.5);
  assert.equal(leadHeight(-100, 10), 0);
  assert.equal(leadText(3.46), "B+3.5");
  assert.equal(leadText(-12), "W+12.0");
});

test("charts have round lines inside their bounds", () => {
  assert.deepEqual(ticks(0, 10, 5), [0, 2, 4, 6, 8, 10]);
  assert.deepEqual(ticks(-130, 260, 5), [-100, 0, 100, 200]);
  assert.ok(ticks(1, 1, 5).length > 0);
  assert.ok(Object.is(ticks(-100, 700, 3)[0], 0), "zero has no sign");
});

test("tools change what is there, and take it away again", () => {
  const view = /** @type {any} */ ({
    marks: [{ point: "A1", kind: "triangle" }],
    labels: [{ point: "B1", text: "A" }],
  });
  assert.deepEqual(editOf("triangle", "A1", view, "."), { do: "mark", point: "A1", kind: null });
  assert.deepEqual(editOf("square", "A1", view, "."), { do: "mark", point: "A1", kind: "square" });
  assert.deepEqual(editOf("letter", "C1", view, "."), { do: "label", point: "C1", text: "B" });
  assert.deepEqual(editOf("letter", "B1", view, "."), { do: "label", point: "B1", text: null });
  assert.deepEqual(editOf("black", "C1", view, "."), { do: "setup", point: "C1", color: "black" });
  assert.deepEqual(editOf("black", "C1", view, "X"), { do: "setup", point: "C1", color: null });
  assert.equal(editOf("arrow", "C1", view, "."), null);
  assert.equal(nextLabel("number", ["1", "2"]), "3");
});
