// A game that is open on the page: what the back end last said about it, and the position that is looked at.

import { GameTree } from "./tree.js";

/** How many positions are kept for going back and forth. */
const KEPT = 400;

export class OpenGame {
  /**
   * @param {Backend} backend
   * @param {string} id
   */
  constructor(backend, id) {
    this.backend = backend;
    this.id = id;
    /** @type {Api.Sheet} */
    this.sheet = /** @type {any} */ (null);
    /** @type {GameTree} */
    this.tree = /** @type {any} */ (null);
    /** @type {Api.View} */
    this.view = /** @type {any} */ (null);
    this.node = 0;
    /** Whether the position looked at is the one where the game stands, and stays so when it goes on. */
    this.following = true;
    /** @type {Set<(what: "sheet" | "view" | "clock") => void>} */
    this.listeners = new Set();
    /** @type {Map<number, Api.View>} */
    this.views = new Map();
    this.wanted = 0;
    /** @type {Promise<void> | null} */
    this.refreshing = null;
    this.again = false;
    this.closed = false;
    /** Whether somebody has deleted it. */
    this.gone = false;
    /** @type {(() => void)[]} */
    this.leave = [];
  }

  /** @param {number | null} node where to look first, or where the game stands */
  async open(node) {
    this.leave.push(
      this.backend.on("game", (event) => {
        if (event.game === this.id) this.refresh();
      }),
      this.backend.on("clock", (event) => {
        if (event.game !== this.id || !this.sheet?.clock) return;
        this.sheet.clock = { ...this.sheet.clock, ...event };
        this.tell("clock");
      }),
      this.backend.onState((state) => {
        if (state === "connected") this.refresh();
      }),
    );
    const [sheet] = await Promise.all([
      this.backend.call("game.get", { game: this.id }),
      this.backend.call("watch", { game: this.id }),
    ]);
    if (this.closed) return;
    this.take(sheet);
    const target = node !== null && this.tree.has(node) ? node : sheet.live;
    this.following = node === null || target === sheet.live;
    await this.look(target);
  }

  /** @param {Api.Sheet} sheet */
  take(sheet) {
    const chosen = this.tree?.chosen;
    if (this.sheet && this.sheet.version !== sheet.version) this.views.clear();
    this.sheet = sheet;
    this.tree = new GameTree(sheet.tree);
    if (chosen) this.tree.chosen = chosen;
  }

  /** Asks for the whole game again, once at a time: who asks meanwhile gets what is asked for after that. */
  async refresh() {
    if (this.closed || !this.sheet) return;
    this.again = true;
    this.refreshing ??= this.reload();
    await this.refreshing;
  }

  async reload() {
    try {
      while (this.again) {
        this.again = false;
        const sheet = await this.backend.call("game.get", { game: this.id });
        if (this.closed) return;
        this.take(sheet);
        const following = this.following && sheet.phase !== "review";
        const target = following || !this.tree.has(this.node) ? sheet.live : this.node;
        await this.look(target);
        this.tell("sheet");
      }
    } catch (failure) {
      // What could not be fetched is asked for again with the next connection; a game that is gone stays gone.
      if (/** @type {any} */ (failure)?.code === "no_game") {
        this.gone = true;
        this.tell("sheet");
      }
    } finally {
      this.refreshing = null;
    }
  }

  /**
   * Looks at a position.
   * @param {number} node
   */
  async look(node) {
    this.wanted = node;
    let view = this.views.get(node);
    if (!view) {
      view = /** @type {Api.View} */ (await this.backend.call("game.view", { game: this.id, node }));
      if (this.closed) return;
      this.keep(view);
    }
    // Somebody may have gone on while the answer was on its way.
    if (this.wanted !== node) return;
    this.node = node;
    this.view = view;
    this.following = this.sheet.phase !== "review" && node === this.sheet.live;
    this.tree.remember(node);
    this.tell("view");
    this.fetchNear();
  }

  /** @param {Api.View} view */
  keep(view) {
    if (this.views.size >= KEPT) this.views.clear();
    this.views.set(view.node, view);
  }

  /** Fetches the position that most likely comes next. */
  async fetchNear() {
    if (this.sheet.phase !== "review") return;
    const next = this.tree.next(this.node);
    if (next === null || this.views.has(next)) return;
    try {
      const { version } = this.sheet;
      const view = await this.backend.call("game.view", { game: this.id, node: next });
      if (!this.closed && version === this.sheet.version) this.keep(view);
    } catch {
      // It is asked for again when somebody goes there, and refused there.
    }
  }

  /** The size of the board. */
  get size() {
    return { width: this.sheet.width, height: this.sheet.height };
  }

  /** The moves from the start to the position that is looked at. */
  get moves() {
    return this.tree.path(this.node).map((node) => this.tree.moves[node]);
  }

  /**
   * @param {string} method
   * @param {object} [params]
   * @returns {Promise<any>}
   */
  call(method, params = {}) {
    return this.backend.call(method, { game: this.id, ...params });
  }

  /** @param {string} move */
  async play(move) {
    const { node, view } = await this.call("game.play", { node: this.node, move });
    if (view && view.node === node) this.views.set(node, view);
    if (this.sheet.phase === "review") {
      await this.refresh();
      await this.look(node);
    } else {
      this.following = true;
      await this.refresh();
    }
    return node;
  }

  /** @param {"sheet" | "view" | "clock"} what */
  tell(what) {
    for (const listener of [...this.listeners]) listener(what);
  }

  /** @param {(what: "sheet" | "view" | "clock") => void} listener */
  on(listener) {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  close() {
    this.closed = true;
    for (const leave of this.leave.splice(0)) leave();
    this.listeners.clear();
    this.backend.call("unwatch", { game: this.id }).catch(() => {});
  }
}
