// The module and its desk, without a browser.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, test } from "node:test";
import { gunzipSync } from "node:zlib";

import { Desk } from "../page/backend/wasm/desk.js";
import { fleetingStorage } from "../page/backend/wasm/storage.js";
import { fastest } from "../page/backend/wasm/variants.js";
import { Client } from "./client.js";

const folder = process.env.TENGEN_SITE;
assert.ok(folder, "TENGEN_SITE must be the folder that `cargo xtask site` has written");
const place = join(folder, "backend/wasm");
const fuzzed = new URL("../../fuzz/regressions/katago/", import.meta.url);

/** @param {string} file */
function moduleIn(file) {
  const bytes = readFileSync(join(place, file));
  return new WebAssembly.Module(file.endsWith(".gz") ? gunzipSync(bytes) : bytes);
}

const compiled = moduleIn(fastest());

/** @param {string | URL} path @returns {ArrayBuffer} */
function fileBytes(path) {
  const bytes = readFileSync(path);
  return bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
}

/** The baselines, as a web host would send them. @param {"small" | "large"} which */
const baseline = async (which) =>
  fileBytes(join(place, which === "small" ? "baseline.safetensors" : "baseline-large.safetensors"));

/** @type {Desk[]} */
const desks = [];
after(() => {
  // Nobody thinks or looks at a clock when the tests are done.
  for (const desk of desks) {
    desk.module = null;
    clearTimeout(desk.alarm);
  }
});

async function open(storage = fleetingStorage(), module = compiled) {
  const desk = new Desk(module, storage, { baseline, storage: storage.networks });
  desks.push(desk);
  await desk.start();
  return { desk, client: new Client(desk), storage };
}

const PERSON = { kind: "person" };

/** @param {object} [more] */
const small = (more) => ({ width: 5, height: 5, rules: "chinese", black: PERSON, white: PERSON, ...more });

test("what needs a server is not offered", async () => {
  const { client } = await open();
  const about = await client.call("about");
  assert.deepEqual(about.programs, []);
  for (const [name, offered] of [
    ["analysis", true],
    ["review", true],
    ["runs", false],
    ["programs", false],
    ["export_gif", false],
    ["networks", true],
  ])
    assert.equal(about.features[name], offered, name);
  await assert.rejects(client.call("runs.list"), { code: "unknown_method" });
  await assert.rejects(client.call("games.new", small({ white: { kind: "program", name: "sh" } })), {
    code: "invalid_params",
  });
});

test("a whole game against the engine ends with a score", async () => {
  const { client } = await open();
  const { id: game } = await client.call("games.new", small({ white: { kind: "engine", level: 1 } }));
  await client.call("watch", { game });
  const wanted = ["C3", "C2", "C4", "B3", "D3"];
  let sheet = await client.state(game);
  for (let turn = 0; sheet.phase === "playing"; turn += 1) {
    assert.ok(turn < 60, "the engine never stops");
    assert.equal(sheet.to_move, "black");
    const view = await client.call("game.view", { game, node: sheet.live });
    const move = wanted.find(
      (point) =>
        view.stones["ABCDE".indexOf(point[0]) + 5 * (5 - Number(point[1]))] === "." &&
        !view.illegal.some((/** @type {any} */ one) => one.point === point),
    );
    await client.call("game.play", { game, node: sheet.live, move: move ?? "pass" });
    sheet = await client.state(game);
  }
  if (sheet.phase === "marking") sheet = await client.call("game.accept", { game });
  assert.equal(sheet.phase, "finished");
  assert.ok(sheet.tree.moves.includes("B C3"));
  if (sheet.result.reason === "score")
    assert.equal(sheet.score.black.total - sheet.score.white.total, sheet.score.margin);
  else assert.equal(sheet.result.reason, "resignation");
});

test("refusals come from the rules", async () => {
  const { client } = await open();
  const { id: game } = await client.call("games.new", small());
  const { node } = await client.call("game.play", { game, node: 0, move: "C3" });
  await assert.rejects(
    client.call("game.play", { game, node, move: "C3" }),
    (/** @type {any} */ failure) => failure.code === "illegal_move" && failure.data.reason === "occupied",
  );
});

test("a file in GBK is opened and saved again as text and as pictures", async () => {
  const { client } = await open();
  const bytes = Buffer.concat([
    Buffer.from("(;GM[1]FF[4]SZ[9]KM[7]PB["),
    Buffer.from([0xba, 0xda, 0xc6, 0xe5]),
    Buffer.from("]PW["),
    Buffer.from([0xb0, 0xd7, 0xc6, 0xe5]),
    Buffer.from("];B[ee];W[cc])"),
  ]);
  const { games } = await client.call("games.open", { name: "game.sgf", base64: bytes.toString("base64") });
  assert.equal(games.length, 1);
  const game = games[0].id;
  const { info } = await client.call("game.get", { game });
  assert.deepEqual([info.black, info.white], ["黑棋", "白棋"]);
  const record = await client.call("game.file", { game, kind: "sgf" });
  assert.match(record.name, /黑棋.*\.sgf$/);
  assert.match(record.text, /;B\[ee\];W\[cc\]/);
  for (const kind of ["svg", "animation"]) {
    const picture = await client.call("game.file", { game, kind });
    assert.equal(picture.type, "image/svg+xml");
    assert.match(picture.text, /^<svg /);
  }
  await assert.rejects(client.call("game.file", { game, kind: "exe" }), { code: "invalid_params" });
  await assert.rejects(client.call("game.file", { game: "nothing", kind: "sgf" }), { code: "no_game" });
});

test("an analysis goes on in slices, and calls are answered in between", async () => {
  const { client } = await open();
  const { id: game } = await client.call("games.new", small({ width: 9, height: 9 }));
  await client.call("analysis.watch", { game, node: 0, max_visits: 200_000, ownership: true });
  const found = () => client.events.filter((event) => event.event === "analysis");
  await client.until(() => found().length >= 2);
  await client.call("about");
  const [first, second] = found();
  assert.ok(first.visits > 0 && second.visits > first.visits);
  assert.ok(!found().some((event) => event.done));
  assert.equal(second.ownership.length, 81);
  assert.ok(second.moves[0].pv.length > 0);
  await client.call("analysis.stop");
  const count = found().length;
  await client.call("analysis.watch", { game, node: 0, max_visits: 50 });
  const last = await client.until(() => found().slice(count).find((event) => event.done));
  assert.ok(last.visits >= 50);
});

test("small boards are solved in slices, and calls are answered in between", async () => {
  const { client } = await open();
  const found = () => client.events.filter((event) => event.event === "exact");
  const { id: game } = await client.call("games.new", small({ width: 3, height: 3 }));
  await client.call("exact.watch", { game, node: 0 });
  const last = await client.until(() => found().find((event) => event.done));
  assert.deepEqual([last.lower, last.upper, last.complete, last.more], [9, 9, true, false]);
  assert.deepEqual(
    last.moves
      .filter((/** @type {Api.ExactMove} */ one) => one.best)
      .map((/** @type {Api.ExactMove} */ one) => one.move),
    ["B2"],
  );
  assert.equal(last.ko_rules.length, 3);
  const { id: larger } = await client.call("games.new", small({ width: 4, height: 4 }));
  await client.call("exact.watch", { game: larger, node: 0 });
  await client.until(() => found().find((event) => event.game === larger && !event.done));
  await client.call("about");
  await client.call("exact.stop");
  const count = found().length;
  await client.call("about");
  assert.equal(found().length, count);
});

test("a review looks at every position", async () => {
  const { client } = await open();
  const { games } = await client.call("games.open", { text: "(;GM[1]FF[4]SZ[9]KM[7];B[ee];W[gc];B[aa];W[cg])" });
  const game = games[0].id;
  await client.call("review.start", { game, visits: 30 });
  await client.until(() => client.events.find((event) => event.event === "review" && event.running === false));
  const { nodes } = await client.call("review.get", { game });
  assert.equal(nodes.length, 5);
});

test("games are kept, found again, and gone when they are deleted", async () => {
  const { client, storage } = await open();
  const { id: game } = await client.call("games.new", small());
  await client.call("game.play", { game, node: 0, move: "C3" });
  const { id: scratch } = await client.call("games.new", small({ keep: false }));
  assert.deepEqual((await storage.all()).map((kept) => kept.game), [game]);
  const again = await open(storage);
  const { games } = await again.client.call("games.list");
  assert.deepEqual(games.map((/** @type {any} */ one) => [one.id, one.moves]), [[game, 1]]);
  await assert.rejects(again.client.call("game.get", { game: scratch }), { code: "no_game" });
  await again.client.call("games.delete", { game });
  assert.deepEqual(await storage.all(), []);
});

test("nobody hears of a move before it is kept", async () => {
  const storage = fleetingStorage();
  /** @type {(() => void)[]} */
  const held = [];
  const slow = {
    all: storage.all,
    write: (/** @type {any} */ saves) =>
      new Promise((/** @type {(nothing: void) => void} */ resolve) =>
        held.push(() => storage.write(saves).then(resolve)),
      ),
  };
  const { client } = await open(slow);
  let told = false;
  const made = client.call("games.new", small()).then((sheet) => {
    told = true;
    return sheet;
  });
  // A question that needs no writing does not overtake, either.
  const asked = client.call("about").then(() => assert.ok(told));
  // What could be told without the writing would be told by the time that the writing is asked for.
  while (held.length === 0) await new Promise((resolve) => setImmediate(resolve));
  await new Promise((resolve) => setImmediate(resolve));
  assert.ok(!told);
  held.shift()?.();
  const { id } = await made;
  await asked;
  assert.deepEqual((await storage.all()).map(({ game }) => game), [id]);
});

test("storage that is full is said, and the game goes on", async (context) => {
  context.mock.method(console, "error", () => {});
  const full = { ...fleetingStorage(), write: () => Promise.reject(new Error("no space left")) };
  const { client } = await open(full);
  const { id } = await client.call("games.new", small());
  const event = client.events.find(({ event }) => event === "unsaved");
  assert.deepEqual(event.games, [id]);
  assert.match(event.message, /no space left/);
});

test("a module that fails says why, and is started again with all games", async (context) => {
  const { mock } = context.mock.method(console, "error", () => {});
  const { client, desk } = await open();
  const { id: game } = await client.call("games.new", small());
  await client.call("game.play", { game, node: 0, move: "C3" });
  const broken = desk.module;
  // No memory is that large.
  desk.run((module) => module.read(module.exports.buffer(-1)));
  assert.match(String(mock.calls[0].arguments[0]), /capacity overflow/);
  assert.equal(client.closings, 1);
  client.enter();
  await client.until(() => client.openings === 2);
  assert.notEqual(desk.module, broken);
  const sheet = await client.call("game.get", { game });
  assert.deepEqual(sheet.tree.moves.filter((/** @type {string} */ move) => move.startsWith("B")), ["B C3"]);
});

test("a flag falls although nobody does anything", async () => {
  const { client } = await open();
  const { id: game } = await client.call("games.new", small({ clock: { main_seconds: 1 } }));
  await client.call("watch", { game });
  const event = await client.until(() => client.events.find((event) => event.event === "game" && event.change.result));
  assert.equal(event.change.result.reason, "time");
});

test("nonsense is refused and disturbs nobody", async () => {
  const { client, desk } = await open();
  const { id: game } = await client.call("games.new", small());
  for (const text of [
    "",
    "null",
    "{",
    '{"id":1}',
    '{"id":1,"method":7}',
    `{"id":1,"method":"about","params":${"[".repeat(100_000)}`,
    "\u0000",
  ])
    desk.hear(client.viewer ?? 0, text);
  await assert.rejects(client.call("no.such", {}), { code: "unknown_method" });
  await assert.rejects(client.call("game.play", { game, node: 0, move: "Z99" }));
  assert.equal((await client.call("game.get", { game })).id, game);
  assert.equal(client.closings, 0);
});

/** A file as a page would hand it over. @param {string} name @param {string} [as] */
const brought = (name, as = `${name}.bin`) => new File([readFileSync(new URL(name, fuzzed))], as);

test("a browser takes the fastest module that it reads", () => {
  assert.equal(fastest(() => true), "tengen-vectors.wasm.gz");
  assert.equal(fastest(() => false), "tengen.wasm");
});

test("rollouts play until the networks are there", async () => {
  const storage = fleetingStorage();
  /** @type {(bytes: ArrayBuffer) => void} */
  let arrive = () => {};
  const slow = () => new Promise((resolve) => (arrive = resolve));
  const desk = new Desk(compiled, storage, { baseline: slow, storage: storage.networks });
  desks.push(desk);
  await desk.start();
  const client = new Client(desk);
  assert.equal((await client.call("about")).engine.network, null);
  const { id: game } = await client.call("games.new", small());
  assert.match((await client.call("game.hint", { game })).move, /^[A-E][1-5]$/);
  arrive(await baseline("small"));
  while (!(await client.call("about")).engine.network) await new Promise((resolve) => setImmediate(resolve));
  assert.equal((await client.call("about")).engine.network, "baseline network 6x64 up to 9x9");
});

test("a network of KataGo is kept, chosen, left and deleted, and what is none is refused in one line", async () => {
  const { client, desk, storage } = await open();
  await desk.networks.supplied;
  const network = async () => (await client.call("about")).engine.network;
  const usual = await network();
  assert.match(usual, /^baseline networks 6x64 up to 9x9 and \d+x\d+ up to 19x19$/);
  const tiny = "network tiny (2x1, KataGo's version 8)";
  for (const name of ["a-whole-network", "a-compressed-network"]) {
    const { networks } = await desk.networks.add(brought(name));
    assert.equal(networks.at(-1)?.name, `${name}.bin`);
    assert.equal(networks.filter(({ chosen }) => chosen).length, 1);
    assert.equal(await network(), tiny);
  }
  const { id: game } = await client.call("games.new", small());
  await client.call("analysis.watch", { game, node: 0, max_visits: 30 });
  await client.until(() => client.events.find((event) => event.event === "analysis" && event.done));
  for (const name of ["cut-off-gzip", "cut-off-in-a-block-within", "much-promised"])
    await assert.rejects(desk.networks.add(brought(name)), (/** @type {any} */ failure) => {
      assert.equal(failure.code, "unreadable");
      return failure.message.length > 10 && !failure.message.includes("\n");
    });
  assert.equal(await network(), tiny);
  // Whoever comes back finds the network that was chosen.
  const { client: later, desk: again } = await open(storage);
  await again.networks.supplied;
  assert.equal((await later.call("about")).engine.network, tiny);

  await client.call("networks.choose", {});
  assert.equal(await network(), usual);
  await client.call("networks.choose", { name: "a-whole-network.bin" });
  assert.equal(await network(), tiny);
  const { networks } = await client.call("networks.delete", { name: "a-whole-network.bin" });
  assert.deepEqual(networks.map((/** @type {Api.NetworkMessage} */ { name }) => name), ["a-compressed-network.bin"]);
  assert.equal(await network(), usual);
  await assert.rejects(client.call("networks.choose", { name: "gone" }), { code: "invalid_params" });
  await assert.rejects(client.call("networks.what", {}), { code: "unknown_method" });
});

/** What a module finds out about a position of 9 × 9 with some visits. @param {string} file */
async function found(file) {
  const storage = fleetingStorage();
  await storage.write([{ game: "same", sgf: "(;GM[1]FF[4]SZ[9]KM[7]RU[Chinese];B[ee];W[gc];B[cg];W[cc])" }]);
  const { client, desk } = await open(storage, moduleIn(file));
  await desk.networks.supplied;
  await client.call("analysis.watch", { game: "same", node: 4, max_visits: 200 });
  const done = await client.until(() => client.events.find((event) => event.event === "analysis" && event.done));
  return done.moves.slice(0, 3).map((/** @type {any} */ one) => ({ move: one.move, winrate: one.winrate }));
}

/** What the engine of the server found out, move by move. @type {any[]} */
const written = JSON.parse(readFileSync(new URL("../../testdata/analyses.json", import.meta.url), "utf8"));

for (const { judge, sgf, visits, moves } of written)
  test(`${judge} and ${visits} visits find what they find in the server: ${sgf.match(/SZ.(\d+)/)[1]}`, async () => {
    const storage = fleetingStorage();
    await storage.write([{ game: "same", sgf }]);
    const never = () => new Promise(() => {});
    const desk = new Desk(compiled, storage, {
      baseline: judge === "rollouts" ? never : baseline,
      storage: storage.networks,
    });
    desks.push(desk);
    await desk.start();
    const client = new Client(desk);
    if (judge !== "rollouts") await desk.networks.supplied;
    await client.call("analysis.watch", { game: "same", node: 4, max_visits: visits });
    const done = await client.until(() => client.events.find((event) => event.event === "analysis" && event.done));
    const found = done.moves.slice(0, moves.length);
    assert.deepEqual(
      found.map((/** @type {any} */ one) => ({ move: one.move, visits: one.visits, winrate: one.winrate })),
      moves,
    );
  });

test("both modules find the same moves", async () => {
  // Neither fuses multiplication and addition, and both add in the same order.
  assert.deepEqual(await found("tengen-vectors.wasm.gz"), await found("tengen.wasm"));
});
