// A game that is open on the page: its sheet, kept up to date by the changes that the back end tells of, and the
// position that is looked at.

import { index } from "./coordinates.js";
import { GameTree } from "./tree.js";

/** How many positions are kept for going back and forth. */
const KEPT = 400;

/**
 * What is new: the sheet, the position that is looked at, a clock, or a move that is tried.
 * @typedef {"sheet" | "view" | "clock" | "tried"} News
 */

/**
 * The methods that answer with a sheet.
 * @typedef {keyof Api.Methods} Method
 * @typedef {{ [M in Method]: Api.Methods[M]["result"] extends Api.Sheet ? M : never }[Method]} Act
 */

export class OpenGame {
  /** @param {Backend} backend @param {string} id */
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
    /**
     * The position with a move about which the back end has not decided yet.
     * @type {{ view: Api.View, point: string | null } | null}
     */
    this.tried = null;
    /** Does the view follow the game? */
    this.following = true;
    /** @type {Set<(what: News) => void>} */
    this.listeners = new Set();
    /**
     * Positions, and the versions of the game that they are of.
     * @type {Map<number, { view: Api.View, version: number }>}
     */
    this.views = new Map();
    this.wanted = 0;
    /** @type {{ version: number, resolve: () => void }[]} who waits for a version of the game */
    this.waiting = [];
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
        if (event.game === this.id) this.hear(event.version, event.change);
      }),
      this.backend.on("clock", (event) => {
        if (event.game !== this.id || !this.sheet?.clock) return;
        this.sheet.clock = { ...this.sheet.clock, black: event.black, white: event.white };
        this.tell("clock");
      }),
      this.backend.onState((state) => {
        if (state === "connected") this.refresh();
      }),
    );
    const sheet = await this.backend.call("watch", { game: this.id });
    if (this.closed) return;
    this.take(sheet);
    const target = node !== null && this.tree.has(node) ? node : sheet.live;
    this.following = node === null || target === sheet.live;
    await this.look(target);
  }

  /** The game as a whole is new. @param {Api.Sheet} sheet */
  take(sheet) {
    if (this.sheet && this.sheet.version !== sheet.version) this.views.clear();
    this.become(sheet);
  }

  /** @param {Api.Sheet} sheet */
  become(sheet) {
    const chosen = this.tree?.chosen;
    this.sheet = sheet;
    this.tree = new GameTree(sheet.tree);
    if (chosen) this.tree.chosen = chosen;
    const reached = this.waiting.filter(({ version }) => version <= sheet.version);
    this.waiting = this.waiting.filter(({ version }) => version > sheet.version);
    for (const { resolve } of reached) resolve();
  }

  /** The back end tells of a change. @param {number} version @param {Api.Change} change */
  hear(version, change) {
    if (!this.sheet || this.closed) return;
    if (change.deleted) {
      this.gone = true;
      this.tell("sheet");
    } else if (version > this.sheet.version + 1) {
      // Something was missed.
      this.refresh();
    } else if (version > this.sheet.version) {
      this.forget(version, change);
      this.become(changed(this.sheet, version, change));
      // Who tries a move looks at what has become of it, whatever else happens meanwhile.
      if (this.tried === null) this.follow().catch(() => {});
    }
  }

  /** Forgets positions that a change may have made others. @param {number} version @param {Api.Change} change */
  forget(version, { added, removed, edited, main, rules }) {
    const drop = (/** @type {number} */ node) => {
      if ((this.views.get(node)?.version ?? version) < version) this.views.delete(node);
    };
    if (removed || edited || main || rules) {
      for (const node of [...this.views.keys()]) drop(node);
      return;
    }
    // A position tells which moves follow, and which were played instead.
    for (const { parent } of added ?? []) {
      drop(parent);
      for (const sibling of this.tree.children[parent] ?? []) drop(sibling);
    }
  }

  /** Looks at the position that is to be seen now that the game has changed. */
  async follow() {
    const { sheet } = this;
    const following = this.following && sheet.phase !== "review";
    await this.look(following || !this.tree.has(this.node) ? sheet.live : this.node);
    this.tell("sheet");
  }

  /** Waits until a version of the game is known. @param {number} version @returns {Promise<void>} */
  reached(version) {
    if (this.sheet.version >= version) return Promise.resolve();
    return new Promise((resolve) => this.waiting.push({ version, resolve }));
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
        const { version } = this.sheet;
        const sheet = await this.backend.call("game.get", { game: this.id });
        if (this.closed) return;
        // A change may have come meanwhile that this sheet does not know of.
        if (this.sheet.version === version || sheet.version > this.sheet.version) this.take(sheet);
        await this.follow();
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

  /** Looks at a position. @param {number} node */
  async look(node) {
    this.wanted = node;
    let view = this.views.get(node)?.view;
    if (!view) {
      view = await this.backend.call("game.view", { game: this.id, node });
      if (this.closed) return;
      this.keep(view, this.sheet.version);
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

  /** A position, without going there. @param {number} node @returns {Promise<Api.View>} */
  async peek(node) {
    const known = this.views.get(node)?.view;
    if (known) return known;
    const { version } = this.sheet;
    const view = await this.backend.call("game.view", { game: this.id, node });
    if (!this.closed && version === this.sheet.version) this.keep(view, version);
    return view;
  }

  /** @param {Api.View} view @param {number} version that of the game in which the position is so */
  keep(view, version) {
    if (this.views.size >= KEPT) this.views.clear();
    this.views.set(view.node, { view, version });
  }

  /** Fetches the position that most likely comes next. */
  async fetchNear() {
    if (this.sheet.phase !== "review") return;
    const next = this.tree.next(this.node);
    if (next === null || this.views.has(next)) return;
    try {
      const { version } = this.sheet;
      const view = await this.backend.call("game.view", { game: this.id, node: next });
      if (!this.closed && version === this.sheet.version) this.keep(view, version);
    } catch {
      // It is asked for again when somebody goes there, and refused there.
    }
  }

  /** The size of the board. */
  get size() {
    return { width: this.sheet.width, height: this.sheet.height };
  }

  /** The position to be drawn. */
  get shown() {
    return this.tried?.view ?? this.view;
  }

  /** The moves from the start to the position that is looked at. */
  get moves() {
    return this.tree.path(this.node).map((node) => this.tree.moves[node]);
  }

  /**
   * @template {keyof Api.Methods} M
   * @param {M} method
   * @param {Omit<Api.Methods[M]["params"], "game">} [params]
   * @returns {Promise<Api.Methods[M]["result"]>}
   */
  call(method, params) {
    return this.backend.call(method, /** @type {any} */ ({ game: this.id, ...params }));
  }

  /**
   * Does something to the game. What becomes of it is told as a change.
   * @template {Act} M
   * @param {M} method
   * @param {Omit<Api.Methods[M]["params"], "game">} [params]
   */
  async act(method, params) {
    const { version } = /** @type {Api.Sheet} */ (await this.call(method, params));
    await this.reached(version);
    await this.follow();
  }

  /** Edits the record. @param {Api.Edit[]} edits @param {number} [at] */
  async edit(edits, at = this.node) {
    const { node, version, view } = await this.call("game.edit", { node: at, edits });
    this.keep(view, version);
    await this.reached(version);
    // Somebody may have gone on meanwhile.
    await this.look(this.node === at ? node : this.node);
    this.tell("sheet");
  }

  /**
   * Plays a move. The stone is drawn at once, and taken back if the move is refused. Nothing is played while another
   * move is on its way.
   * @param {string} move
   */
  async play(move) {
    if (this.tried !== null) return this.node;
    this.tried = { view: withStone(this.view, this.size, move), point: move === "pass" ? null : move };
    this.tell("tried");
    try {
      const { node, version, view } = await this.call("game.play", { node: this.node, move });
      this.keep(view, version);
      await this.reached(version);
      this.tried = null;
      await this.look(this.sheet.phase === "review" ? node : this.sheet.live);
      this.tell("sheet");
      return node;
    } catch (failure) {
      this.tried = null;
      this.tell("tried");
      // Others may have changed the game meanwhile.
      this.follow().catch(() => {});
      throw failure;
    }
  }

  /** @param {News} what */
  tell(what) {
    for (const listener of [...this.listeners]) listener(what);
  }

  /** @param {(what: News) => void} listener */
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

/**
 * The sheet that a change makes of another.
 * @param {Api.Sheet} sheet
 * @param {number} version
 * @param {Api.Change} change
 * @returns {Api.Sheet}
 */
export function changed(sheet, version, change) {
  const { added = [], removed = [], nodes = [], main, edited: _, deleted: __, ...fields } = change;
  const before = sheet.tree;
  const tree = {
    parents: [...before.parents],
    moves: [...before.moves],
    main: main ?? [...before.main],
    has_comment: [...before.has_comment],
  };
  for (const { node, parent, move } of added) {
    tree.parents[node] = parent;
    tree.moves[node] = move;
    tree.has_comment[node] = false;
    if (!main && tree.main.at(-1) === parent) tree.main.push(node);
  }
  for (const node of removed) {
    tree.parents[node] = null;
    tree.moves[node] = "removed";
    tree.has_comment[node] = false;
  }
  for (const { node, move, has_comment } of nodes) {
    tree.moves[node] = move;
    tree.has_comment[node] = has_comment;
  }
  /** @type {any} */
  const next = { ...sheet, ...fields, version, tree };
  // What is null is gone; only the clock says so itself.
  for (const [name, value] of Object.entries(fields)) if (value === null && name !== "clock") delete next[name];
  return next;
}

/**
 * A position with one more stone, as far as the page can tell: what the stone captures, the back end says.
 * @param {Api.View} view
 * @param {import("./coordinates.js").Size} size
 * @param {string} move
 * @returns {Api.View}
 */
function withStone(view, size, move) {
  const at = index(size, move);
  if (at < 0) return view;
  const stone = view.to_move === "black" ? "X" : "O";
  const stones = view.stones.slice(0, at) + stone + view.stones.slice(at + 1);
  return { ...view, stones, last: null, ko: null, illegal: [] };
}
