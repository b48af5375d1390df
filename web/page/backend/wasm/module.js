// The WebAssembly module of crates/tengen-wasm: texts in, texts out.

/**
 * What there is to do: records to write (or to delete, without a text), then messages to send.
 * @typedef {object} Output
 * @property {{ game: string, sgf: string | null }[]} saves
 * @property {{ viewer: number, message: object }[]} messages
 * @property {boolean} busy is there something to think about?
 * @property {number | null} tick when the time has to be told at the latest, in milliseconds since 1970
 * @property {string} [network] who judges from now on, if that has changed
 * @property {string} [trouble]
 */

/**
 * The functions of crates/tengen-wasm/src/exports.rs. Times are milliseconds since 1970; lengths are those of the text
 * that is left.
 * @typedef {object} Exports
 * @property {WebAssembly.Memory} memory
 * @property {() => void} open
 * @property {(length: number) => number} buffer
 * @property {() => number} text
 * @property {() => number} length
 * @property {(viewer: number, now: number) => number} call
 * @property {(now: number) => number} restore
 * @property {(kind: number) => number} add_network
 * @property {() => number} drop_network
 * @property {(viewer: number, now: number) => number} leave
 * @property {(now: number) => number} tick
 * @property {(time: number, now: number) => number} work
 */

const encoder = new TextEncoder();
const decoder = new TextDecoder();

export class Module {
  /** @param {WebAssembly.Module} compiled */
  constructor(compiled) {
    const instance = new WebAssembly.Instance(compiled, { host: { milliseconds: () => performance.now() } });
    this.exports = /** @type {Exports} */ (/** @type {unknown} */ (instance.exports));
    this.exports.open();
  }

  /** @param {number} viewer @param {string} text @param {number} now */
  call(viewer, text, now) {
    this.write(text);
    return this.read(this.exports.call(viewer, now));
  }

  /** @param {{ game: string, sgf: string }} kept @param {number} now */
  restore(kept, now) {
    this.write(JSON.stringify(kept));
    return this.read(this.exports.restore(now));
  }

  /**
   * Lets it judge by a network: 0 and 1 are the baselines for small and for large boards, 2 is one of somebody's.
   * @param {number} kind
   * @param {Uint8Array} bytes
   */
  addNetwork(kind, bytes) {
    this.writeBytes(bytes);
    return this.read(this.exports.add_network(kind));
  }

  /** Lets it judge by the baselines again. */
  dropNetwork() {
    return this.read(this.exports.drop_network());
  }

  /** @param {number} viewer @param {number} now */
  leave(viewer, now) {
    return this.read(this.exports.leave(viewer, now));
  }

  /** @param {number} now */
  tick(now) {
    return this.read(this.exports.tick(now));
  }

  /** Thinks for so many milliseconds. @param {number} time @param {number} now */
  work(time, now) {
    return this.read(this.exports.work(time, now));
  }

  /** What a function that has panicked left as its reason. */
  lastWords() {
    return this.textOf(this.exports.length());
  }

  /** @param {string} text */
  write(text) {
    this.writeBytes(encoder.encode(text));
  }

  /** @param {Uint8Array} bytes */
  writeBytes(bytes) {
    const place = this.exports.buffer(bytes.length);
    new Uint8Array(this.exports.memory.buffer, place, bytes.length).set(bytes);
  }

  /** @param {number} length @returns {Output} */
  read(length) {
    return JSON.parse(this.textOf(length));
  }

  /** @param {number} length */
  textOf(length) {
    return decoder.decode(new Uint8Array(this.exports.memory.buffer, this.exports.text(), length));
  }
}
