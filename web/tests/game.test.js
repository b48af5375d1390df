import assert from "node:assert/strict";
import { test } from "node:test";

import { changed, OpenGame } from "../page/game.js";

/** A position of a board of 3 × 3. */
function view(node, stones, to_move, more = {}) {
  const drawn = { illegal: [], marks: [], labels: [], lines: [] };
  const said = { comment: "", name: "", annotations: {}, children: [], siblings: [] };
  const captures = { black: 0, white: 0 };
  return { node, number: node, to_move, stones, last: null, ko: null, captures, ...drawn, ...said, ...more };
}

/** A game at its start. */
function sheet(more = {}) {
  const person = { kind: "person" };
  const tree = { parents: [null], moves: [""], main: [0], has_comment: [false] };
  const board = { width: 3, height: 3, rules: "chinese", komi: 0, handicap: 0 };
  const state = { phase: "playing", live: 0, to_move: "black", thinking: false, paused: false, clock: null };
  const record = { title: "", info: {}, style: { variations: "children", markup: true }, tree };
  const players = { black: person, white: person };
  return { id: "g", version: 1, keep: true, updated: 0, ...players, ...board, ...state, ...record, ...more };
}

const EMPTY = ".........";
const CENTRE = "....X....";

/** The change that a move in the centre makes. */
const MOVED = { live: 1, to_move: "white", added: [{ node: 1, parent: 0, move: "B B2" }] };

/** A back end that answers what it is told to. */
class Fake {
  constructor() {
    this.calls = [];
    this.listeners = new Map();
    this.state = "connected";
    this.answers = {
      watch: () => sheet(),
      unwatch: () => ({}),
      "game.view": ({ node }) => (node === 0 ? view(0, EMPTY, "black") : view(node, CENTRE, "white")),
    };
  }

  async call(method, params) {
    this.calls.push(method);
    return this.answers[method](params);
  }

  on(event, listener) {
    this.listeners.set(event, listener);
    return () => {};
  }

  onState() {
    return () => {};
  }

  /** Tells of a change. */
  tell(version, change) {
    this.listeners.get("game")({ event: "game", game: "g", version, change });
  }
}

/** An open game, and what it tells; what was called to open it is forgotten. */
async function opened(answers = {}) {
  const backend = new Fake();
  Object.assign(backend.answers, answers);
  const game = new OpenGame(/** @type {any} */ (backend), "g");
  await game.open(null);
  assert.deepEqual(backend.calls.slice(0, 2), ["watch", "game.view"]);
  backend.calls = [];
  return { backend, game };
}

/** Lets all that can happen happen. */
const settle = () => new Promise((resolve) => setTimeout(resolve, 0));

/** A promise that somebody else keeps. */
function later() {
  const made = {};
  made.promise = new Promise((resolve, reject) => Object.assign(made, { resolve, reject }));
  return made;
}

for (const first of ["answer", "event"]) {
  test(`a move is one call, and its stone is there at once, if the ${first} comes first`, async () => {
    const answer = later();
    const { backend, game } = await opened({ "game.play": () => answer.promise });
    const playing = game.play("B2");
    game.play("A1");
    assert.equal(game.shown.stones, CENTRE);
    assert.equal(game.tried?.point, "B2");
    assert.equal(game.view.stones, EMPTY, "what is known is what the back end has said");
    const played = { node: 1, version: 2, view: view(1, CENTRE, "white", { last: { color: "black", point: "B2" } }) };
    if (first === "event") backend.tell(2, MOVED);
    await settle();
    answer.resolve(played);
    await settle();
    if (first === "answer") backend.tell(2, MOVED);
    assert.equal(await playing, 1);
    assert.deepEqual(backend.calls, ["game.play"]);
    assert.equal(game.tried, null);
    assert.equal(game.view, played.view);
    assert.deepEqual([game.node, game.sheet.version, game.sheet.live, game.sheet.to_move], [1, 2, 1, "white"]);
    assert.deepEqual(game.tree.path(1), [0, 1]);
    assert.deepEqual(game.sheet.tree.main, [0, 1]);
  });
}

test("a move that is refused is taken back, and the reason is handed on", async () => {
  const failure = Object.assign(new Error("no"), { code: "illegal_move", data: { point: "B2", reason: "superko" } });
  const answer = later();
  const { backend, game } = await opened({ "game.play": () => answer.promise });
  const drawn = [];
  game.on(() => drawn.push(game.shown.stones));
  const playing = game.play("B2");
  answer.reject(failure);
  await assert.rejects(playing, failure);
  assert.deepEqual(drawn.slice(0, 2), [CENTRE, EMPTY]);
  assert.equal(drawn.at(-1), EMPTY);
  assert.deepEqual([game.tried, game.node, game.sheet.version], [null, 0, 1]);
  assert.deepEqual(backend.calls, ["game.play"]);
});

test("a variation that is there already is entered with one call", async () => {
  const tree = { parents: [null, 0], moves: ["", "B B2"], main: [0, 1], has_comment: [false, false] };
  const review = sheet({ phase: "review", tree });
  const played = { node: 1, version: 1, view: view(1, CENTRE, "white") };
  const { backend, game } = await opened({ watch: () => review, "game.play": () => played });
  // The next position was fetched ahead.
  await settle();
  backend.calls = [];
  await game.play("B2");
  assert.deepEqual([game.node, game.view.stones], [1, CENTRE]);
  assert.deepEqual(backend.calls, ["game.play"]);
});

test("a move of somebody else is a change, and its position is asked for", async () => {
  const { backend, game } = await opened();
  backend.tell(2, MOVED);
  await settle();
  assert.deepEqual([game.node, game.view.stones, game.sheet.to_move], [1, CENTRE, "white"]);
  assert.deepEqual(backend.calls, ["game.view"]);
});

test("a change that says nothing about positions asks for nothing", async () => {
  const { backend, game } = await opened();
  backend.tell(2, { paused: true, trouble: "no engine" });
  await settle();
  assert.deepEqual([game.sheet.paused, game.sheet.trouble], [true, "no engine"]);
  backend.tell(3, { paused: false, trouble: null });
  assert.equal("trouble" in game.sheet, false);
  await settle();
  assert.deepEqual(backend.calls, []);
});

test("what is heard twice changes nothing, and who has missed something asks again", async () => {
  const { backend, game } = await opened({ "game.get": () => changed(sheet(), 4, { ...MOVED, paused: true }) });
  backend.tell(1, { paused: true });
  await settle();
  assert.deepEqual([game.sheet.paused, backend.calls.length], [false, 0]);
  backend.tell(4, { paused: true });
  await settle();
  assert.deepEqual([game.sheet.version, game.sheet.paused, game.node], [4, true, 1]);
  assert.deepEqual(backend.calls, ["game.get", "game.view"]);
});

test("a change that overtakes the whole game is not undone by it", async () => {
  const answer = later();
  const { backend, game } = await opened({ "game.get": () => answer.promise });
  const refreshing = game.refresh();
  backend.tell(2, MOVED);
  answer.resolve(sheet());
  await refreshing;
  assert.deepEqual([game.sheet.version, game.node], [2, 1]);
});

test("an edit is one call, and an act without a new position too", async () => {
  const noted = view(0, EMPTY, "black", { comment: "well" });
  const { backend, game } = await opened({
    "game.edit": () => ({ node: 0, version: 2, view: noted }),
    "game.pause": () => ({ ...sheet(), version: 3 }),
  });
  const editing = game.edit([{ do: "comment", text: "well" }]);
  await settle();
  backend.tell(2, { edited: [0], nodes: [{ node: 0, move: "", has_comment: true }] });
  await editing;
  assert.equal(game.view, noted);
  assert.deepEqual(game.tree.comments, [true]);
  const pausing = game.act("game.pause");
  await settle();
  backend.tell(3, { paused: true });
  await pausing;
  assert.equal(game.sheet.paused, true);
  assert.deepEqual(backend.calls, ["game.edit", "game.pause"]);
});

test("a game that is deleted is gone", async () => {
  const { backend, game } = await opened();
  backend.tell(2, { deleted: true });
  assert.equal(game.gone, true);
});

test("changes keep the tree: nodes that come, go and change, and another main line", () => {
  const added = [
    { node: 1, parent: 0, move: "B A1" },
    { node: 2, parent: 1, move: "W A2" },
    { node: 3, parent: 0, move: "B C3" },
  ];
  const grown = changed(sheet(), 2, { added });
  const moves = ["", "B A1", "W A2", "B C3"];
  const has_comment = moves.map(() => false);
  assert.deepEqual(grown.tree, { parents: [null, 0, 1, 0], moves, main: [0, 1, 2], has_comment });
  const promoted = changed(grown, 3, { main: [0, 3], nodes: [{ node: 3, move: "B C3", has_comment: true }] });
  assert.deepEqual([promoted.tree.main, promoted.tree.has_comment], [[0, 3], [false, false, false, true]]);
  const cut = changed(promoted, 4, { removed: [1, 2] });
  assert.deepEqual([cut.tree.parents, cut.tree.moves], [[null, null, null, 0], ["", "removed", "removed", "B C3"]]);
  assert.deepEqual(grown.tree.main, [0, 1, 2], "the sheet before is as it was");
  assert.equal(changed(sheet({ clock: {} }), 2, { clock: null }).clock, null);
});
