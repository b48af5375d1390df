// Runs the module: hands it what pages say, lets it think in slices, keeps its games, and starts it anew should it
// fail.

import { Module } from "./module.js";
import { Networks } from "./networks.js";

/** How long it thinks at a time, in milliseconds. What a page asks waits that long at most. */
const SLICE = 30;

/**
 * The pauses after failures, the longest after many in a row; who has worked for as long as `forgotten` begins with the
 * shortest. In milliseconds.
 */
const PAUSE = { shortest: 100, longest: 10_000, forgotten: 60_000 };

/** The pauses between two looks at the clock, in milliseconds. */
const TICK = { shortest: 20, longest: 1000 };

/**
 * @typedef {object} Line a page
 * @property {(text: string) => void} send
 * @property {() => void} opened
 * @property {() => void} closed
 */

/** Milliseconds since 1970 that go on steadily: clocks of games do not follow the one of the machine when it is set. */
const now = () => Math.round(performance.timeOrigin + performance.now());

/**
 * Lets other things happen for a moment. A timer would wait some milliseconds each time.
 * @returns {Promise<unknown>}
 */
function breath() {
  const channel = new MessageChannel();
  return new Promise((resolve) => {
    channel.port1.onmessage = (event) => {
      channel.port1.close();
      resolve(event);
    };
    channel.port2.postMessage(null);
  });
}

/**
 * A call that is not for the module, which knows nothing of storage.
 * @param {string} text
 * @returns {{ id: unknown, method: string, params: unknown } | null}
 */
function callOfNetworks(text) {
  if (!text.includes('"networks.')) return null;
  try {
    const call = JSON.parse(text);
    return String(call?.method).startsWith("networks.") ? call : null;
  } catch {
    // The module says what is wrong with it.
    return null;
  }
}

export class Desk {
  /**
   * @param {WebAssembly.Module} compiled
   * @param {import("./storage.js").Storage} storage
   * @param {import("./networks.js").Source} source where networks come from
   */
  constructor(compiled, storage, source) {
    this.compiled = compiled;
    this.storage = storage;
    this.networks = new Networks(source, (act) => this.run(act));
    /** @type {Module | null} */
    this.module = null;
    /** @type {Map<number, Line>} */
    this.lines = new Map();
    this.next = 1;
    this.busy = false;
    this.thinking = false;
    /** What is written or waits to be, so that nothing overtakes it. */
    this.line = Promise.resolve();
    this.written = true;
    this.pause = PAUSE.shortest;
    this.started = 0;
    /** @type {any} */
    this.alarm = null;
  }

  /** Starts the module with all games that are kept. */
  async start() {
    await this.line;
    const games = await this.storage.all();
    const module = new Module(this.compiled);
    for (const game of games) {
      const { trouble } = module.restore(game, now());
      // It stays in the storage: a later version may be able to read it.
      if (trouble) console.warn(`The game ${game.game} cannot be opened: ${trouble}`);
    }
    this.module = module;
    this.started = now();
    // Whoever wants to play need not wait for them.
    this.networks.supply();
    for (const line of this.lines.values()) line.opened();
  }

  /** A page comes. It is told when it may speak. @param {Line} line @returns {number} the number of the viewer */
  enter(line) {
    const viewer = this.next;
    this.next += 1;
    this.lines.set(viewer, line);
    if (this.module) line.opened();
    return viewer;
  }

  /** @param {number} viewer */
  leave(viewer) {
    if (this.lines.delete(viewer)) this.run((module) => module.leave(viewer, now()));
  }

  /** @param {number} viewer @param {string} text */
  hear(viewer, text) {
    const call = callOfNetworks(text);
    if (call) {
      this.answer(viewer, call.id, this.networks.answer(call.method, call.params));
      return;
    }
    this.run((module) => module.call(viewer, text, now()));
  }

  /** A page has brought the file of a network. @param {number} viewer @param {number} id @param {File} file */
  bring(viewer, id, file) {
    this.answer(viewer, id, this.networks.add(file));
  }

  /** Answers a call once it is done. @param {number} viewer @param {unknown} id @param {Promise<object>} work */
  async answer(viewer, id, work) {
    const message = await work.then(
      (result) => ({ id, result }),
      ({ code = "engine_failed", message, data = {} }) => ({ id, error: { code, message, data } }),
    );
    this.send([{ viewer, message }]);
  }

  /** @param {(module: Module) => import("./module.js").Output} act */
  run(act) {
    if (!this.module) return;
    try {
      this.take(act(this.module));
    } catch (failure) {
      this.fail(this.module, failure);
    }
  }

  /** @param {import("./module.js").Output} output */
  take({ saves, messages, busy, tick }) {
    if (saves.length > 0 || !this.written) this.keep(saves, messages);
    else this.send(messages);
    this.busy = busy;
    if (busy) this.think();
    clearTimeout(this.alarm);
    if (tick !== null) {
      const wait = Math.min(TICK.longest, Math.max(TICK.shortest, tick - now()));
      this.alarm = setTimeout(() => this.run((module) => module.tick(now())), wait);
    }
  }

  /**
   * Writes, and then sends.
   * @param {import("./module.js").Output["saves"]} saves
   * @param {import("./module.js").Output["messages"]} messages
   */
  keep(saves, messages) {
    this.written = false;
    const line = this.line.then(async () => {
      try {
        if (saves.length > 0) await this.storage.write(saves);
      } catch (failure) {
        console.error("A game could not be kept:", failure);
        const event = { event: "unsaved", games: saves.map((save) => save.game), message: String(failure) };
        for (const other of this.lines.values()) other.send(JSON.stringify(event));
      }
      this.send(messages);
      if (this.line === line) this.written = true;
    });
    this.line = line;
  }

  /** @param {import("./module.js").Output["messages"]} messages */
  send(messages) {
    for (const { viewer, message } of messages) this.lines.get(viewer)?.send(JSON.stringify(message));
  }

  /** Thinks until nothing is left to think about. */
  async think() {
    if (this.thinking) return;
    this.thinking = true;
    while (this.busy && this.module) {
      this.run((module) => module.work(SLICE, now()));
      await breath();
    }
    this.thinking = false;
  }

  /**
   * The module has failed, and nobody knows in which state it is. Another one begins with what is kept; pages ask
   * again.
   * @param {Module} module
   * @param {unknown} failure
   */
  fail(module, failure) {
    let reason = String(failure);
    try {
      reason = `${reason}: ${module.lastWords()}`;
    } catch {
      // It says nothing more.
    }
    console.error(reason);
    this.module = null;
    this.busy = false;
    clearTimeout(this.alarm);
    const lines = [...this.lines.values()];
    this.lines.clear();
    for (const line of lines) line.closed();
    if (now() - this.started > PAUSE.forgotten) this.pause = PAUSE.shortest;
    this.startAgain();
  }

  startAgain() {
    const start = () =>
      this.start().catch((failure) => {
        console.error(failure);
        this.startAgain();
      });
    setTimeout(start, this.pause);
    this.pause = Math.min(PAUSE.longest, this.pause * 2);
  }
}
