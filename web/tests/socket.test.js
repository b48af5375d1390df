import assert from "node:assert/strict";
import { test } from "node:test";

import { Socket } from "../page/backend/socket.js";

/** A WebSocket whose other end is the test. */
class Wire {
  /** @type {Wire[]} */
  static all = [];
  constructor() {
    /** @type {any[]} */
    this.said = [];
    /** @type {any} */
    this.onopen = this.onmessage = this.onclose = null;
    Wire.all.push(this);
  }
  /** @param {string} text */
  send(text) {
    this.said.push(JSON.parse(text));
  }
  close() {
    this.onclose?.();
  }
  /** @param {object} message */
  hear(message) {
    this.onmessage({ data: JSON.stringify(message) });
  }
  get last() {
    return this.said[this.said.length - 1];
  }
}

function connect() {
  Wire.all = [];
  const socket = new Socket("ws://somewhere/api/live", { make: () => /** @type {any} */ (new Wire()), first: 1 });
  return socket;
}

/** @param {() => boolean} is */
async function until(is) {
  while (!is()) await new Promise((resolve) => setTimeout(resolve, 1));
}

test("calls wait for the connection, and answers find their calls in any order", async () => {
  const socket = connect();
  const first = socket.call("about");
  const [wire] = Wire.all;
  assert.equal(wire.said.length, 0);
  wire.onopen();
  const second = socket.call("games.list", {});
  assert.deepEqual(wire.said.map((message) => message.method), ["about", "games.list"]);
  wire.hear({ id: wire.said[1].id, result: { games: [] } });
  wire.hear({ id: wire.said[0].id, result: { version: "1" } });
  assert.deepEqual(await first, { version: "1" });
  assert.deepEqual(await second, { games: [] });
  socket.close();
});

test("a refusal has its code and data", async () => {
  const socket = connect();
  const [wire] = Wire.all;
  wire.onopen();
  const call = socket.call("game.play", { game: "g", node: 0, move: "A1" });
  wire.hear({ id: wire.last.id, error: { code: "illegal_move", message: "no", data: { reason: "ko" } } });
  await assert.rejects(
    call,
    (/** @type {any} */ failure) => failure.code === "illegal_move" && failure.data.reason === "ko",
  );
  socket.close();
});

test("events reach those who listen, and only them", () => {
  const socket = connect();
  const [wire] = Wire.all;
  wire.onopen();
  /** @type {any[]} */
  const heard = [];
  const leave = socket.on("game", (message) => heard.push(message.version));
  wire.hear({ event: "game", version: 1 });
  wire.hear({ event: "clock", version: 2 });
  leave();
  wire.hear({ event: "game", version: 3 });
  assert.deepEqual(heard, [1]);
  socket.close();
});

test("after a break it connects again, watches what was watched, and says so", async () => {
  const socket = connect();
  /** @type {string[]} */
  const states = [];
  socket.onState((state) => states.push(state));
  Wire.all[0].onopen();
  socket.call("watch", { game: "a" });
  socket.call("watch", { game: "b" });
  socket.call("unwatch", { game: "a" });
  socket.call("analysis.watch", { game: "b", node: 3, ownership: true });
  for (const { id } of [...Wire.all[0].said]) Wire.all[0].hear({ id, result: {} });
  Wire.all[0].close();
  await until(() => Wire.all.length === 2);
  Wire.all[1].onopen();
  assert.deepEqual(
    Wire.all[1].said.map(({ method, params }) => [method, params.game]),
    [
      ["watch", "b"],
      ["analysis.watch", "b"],
    ],
  );
  assert.deepEqual(states, ["connected", "reconnecting", "connected"]);
  socket.close();
});

test("a question that was on its way is asked again, a move is not", async () => {
  const socket = connect();
  Wire.all[0].onopen();
  const question = socket.call("game.get", { game: "a" });
  const move = socket.call("game.play", { game: "a", node: 0, move: "A1" });
  const refused = assert.rejects(move, (/** @type {any} */ failure) => failure.code === "interrupted");
  Wire.all[0].close();
  await refused;
  await until(() => Wire.all.length === 2);
  Wire.all[1].onopen();
  assert.deepEqual(Wire.all[1].said.map(({ method }) => method), ["game.get"]);
  Wire.all[1].hear({ id: Wire.all[1].last.id, result: { id: "a" } });
  assert.deepEqual(await question, { id: "a" });
  socket.close();
});

test("closing it for good refuses what still waits", async () => {
  const socket = connect();
  const call = socket.call("about");
  const refused = assert.rejects(call, (/** @type {any} */ failure) => failure.code === "offline");
  socket.close();
  await refused;
  assert.equal(Wire.all.length, 1);
});
