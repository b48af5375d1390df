// The networks that the module judges by: the baselines, which come after it, and those that somebody has brought.

import { Refusal } from "../socket.js";

/** What the module takes the number of a network for. */
const KIND = { small: 0, large: 1, own: 2 };

/** How large the file of a network may be, in bytes. */
export const MOST_BYTES = 400_000_000;

/** How many may be kept. */
const MOST = 16;

/**
 * Where networks come from and are kept.
 * @typedef {object} Source
 * @property {(which: "small" | "large") => Promise<ArrayBuffer>} baseline
 * @property {import("./storage.js").NetworkStorage} storage
 */

export class Networks {
  /**
   * @param {Source} source
   * @param {(act: (module: import("./module.js").Module) => import("./module.js").Output) => void} run
   */
  constructor(source, run) {
    this.source = source;
    this.run = run;
    /** Done when the module has the network that was chosen. */
    this.supplied = Promise.resolve();
    this.hasBaselines = false;
  }

  /** Gives a new module what it needs. */
  supply() {
    this.hasBaselines = false;
    this.supplied = this.bring().catch((failure) => console.warn("A network could not be used:", failure));
  }

  async bring() {
    const name = await this.source.storage.chosen();
    const bytes = name === null ? null : await this.source.storage.read(name);
    if (bytes) this.give(KIND.own, bytes);
    else await this.bringBaselines();
  }

  async bringBaselines() {
    if (this.hasBaselines) return;
    this.hasBaselines = true;
    try {
      // Whoever plays on a small board does not wait for the other one.
      this.give(KIND.small, await this.source.baseline("small"));
      this.give(KIND.large, await this.source.baseline("large"));
    } catch (failure) {
      this.hasBaselines = false;
      throw failure;
    }
  }

  /** @param {number} kind @param {ArrayBuffer} bytes @returns {string} what it is called */
  give(kind, bytes) {
    let network = "";
    let trouble = "";
    this.run((module) => {
      const output = module.addNetwork(kind, new Uint8Array(bytes));
      network = output.network ?? "";
      trouble = output.trouble ?? "";
      return output;
    });
    if (trouble || !network) throw new Refusal({ code: "unreadable", message: trouble || "It could not be read." });
    return network;
  }

  /**
   * Answers `networks.…`.
   * @param {string} method
   * @param {any} params
   * @returns {Promise<Api.NetworkList>}
   */
  async answer(method, params) {
    const { storage } = this.source;
    const name = params?.name ?? null;
    if (method === "networks.choose") {
      if (name === null) {
        await storage.choose(null);
        this.run((module) => module.dropNetwork());
        this.supplied = this.bringBaselines();
        await this.supplied;
      } else {
        const bytes = await storage.read(name);
        if (!bytes) throw new Refusal({ code: "invalid_params", message: "there is no such network" });
        this.give(KIND.own, bytes);
        await storage.choose(name);
      }
    } else if (method === "networks.delete") {
      if ((await storage.chosen()) === name) await this.answer("networks.choose", {});
      await storage.remove(name);
    } else if (method !== "networks.list") {
      throw new Refusal({ code: "unknown_method", message: "there is no such method" });
    }
    return this.list();
  }

  /** @returns {Promise<Api.NetworkList>} */
  async list() {
    const { storage } = this.source;
    const [kept, chosen] = await Promise.all([storage.list(), storage.chosen()]);
    const networks = kept.map(({ name, about, bytes }) => ({ name, about, bytes, chosen: name === chosen }));
    return { networks, most_bytes: MOST_BYTES };
  }

  /** Reads, keeps and chooses the network in a file. @param {File} file */
  async add(file) {
    const { storage } = this.source;
    if (file.size > MOST_BYTES) throw new Refusal({ code: "limit", message: "The file is too large.", data: limit() });
    const kept = await storage.list();
    if (kept.length >= MOST && !kept.some(({ name }) => name === file.name))
      throw new Refusal({ code: "limit", message: `At most ${MOST} networks are kept.`, data: limit() });
    const bytes = await file.arrayBuffer();
    const about = this.give(KIND.own, bytes);
    await storage.keep({ name: file.name, about, bytes: bytes.byteLength }, bytes);
    await storage.choose(file.name);
    return this.list();
  }
}

const limit = () => ({ what: "bytes of a network", limit: MOST_BYTES });
