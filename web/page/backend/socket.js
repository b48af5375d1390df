// A server behind a WebSocket. The connection may break at any time: it comes back, what was watched is watched again,
// and calls that change nothing are made again.

/** @typedef {ConnectionState} State */

/** A refusal: by the server, or because it cannot be reached. */
export class Refusal extends Error {
  /** @param {Failure} failure */
  constructor(failure) {
    super(failure.message);
    this.code = failure.code;
    this.data = failure.data ?? {};
  }
}

/**
 * @typedef {object} Waiting
 * @property {string} method
 * @property {object} params
 * @property {(result: any) => void} resolve
 * @property {(failure: Refusal) => void} reject
 * @property {any} timer
 * @property {number} id
 */

/** Calls that may be made twice. */
const REPEATABLE = /^(about|watch|unwatch|analysis\.(watch|stop)|[a-z]+\.(get|list|view|games))$/;

/** How long a call waits for a connection, and for an answer. */
const TIMEOUT = { connection: 15_000, answer: 120_000 };

/** @implements {Backend} */
export class Socket {
  /**
   * @param {string} address
   * @param {{ make?: (address: string) => WebSocket, first?: number }} [options] how to connect, and the first pause
   *   before trying again, in milliseconds
   */
  constructor(address, { make = (to) => new WebSocket(to), first = 250 } = {}) {
    this.address = address;
    this.make = make;
    this.first = first;
    this.pause = first;
    /** @type {State} */
    this.state = "connecting";
    this.next = 1;
    /** @type {Map<number, Waiting>} */
    this.sent = new Map();
    /** @type {Waiting[]} */
    this.queue = [];
    /** @type {Map<string, Set<(message: any) => void>>} */
    this.listeners = new Map();
    /** @type {Set<(state: State) => void>} */
    this.stateListeners = new Set();
    /** @type {Map<string, number>} */
    this.watched = new Map();
    /** @type {object | null} */
    this.analysed = null;
    /** @type {WebSocket | null} */
    this.socket = null;
    this.closed = false;
    /** @type {any} */
    this.retry = null;
    globalThis.addEventListener?.("online", () => this.hurry());
    globalThis.document?.addEventListener("visibilitychange", () => {
      if (!document.hidden) this.hurry();
    });
    this.connect();
  }

  connect() {
    clearTimeout(this.retry);
    this.retry = null;
    const socket = this.make(this.address);
    this.socket = socket;
    socket.onopen = () => this.opened();
    socket.onmessage = (event) => this.heard(String(event.data));
    socket.onclose = () => {
      if (this.socket === socket) this.broken();
    };
  }

  /** Tries at once if a connection is being waited for. */
  hurry() {
    if (this.retry !== null) this.connect();
  }

  opened() {
    this.pause = this.first;
    for (const game of this.watched.keys()) this.write({ id: 0, method: "watch", params: { game } });
    if (this.analysed) this.write({ id: 0, method: "analysis.watch", params: this.analysed });
    this.enter("connected");
    for (const waiting of this.queue.splice(0)) this.send(waiting);
  }

  broken() {
    this.socket = null;
    if (this.closed) return;
    for (const waiting of [...this.sent.values()]) {
      this.sent.delete(waiting.id);
      if (REPEATABLE.test(waiting.method)) this.enqueue(waiting);
      // Whether it has happened is unknown, so it must not happen twice; the page looks at the game again.
      else this.fail(waiting, { code: "interrupted", message: "The connection broke before the answer came." });
    }
    this.enter("reconnecting");
    this.retry = setTimeout(() => this.connect(), this.pause * (0.8 + 0.4 * Math.random()));
    this.pause = Math.min(5000, this.pause * 1.7);
  }

  /** @param {State} state */
  enter(state) {
    if (this.state === state) return;
    this.state = state;
    for (const listener of [...this.stateListeners]) listener(state);
  }

  /** @param {string} text */
  heard(text) {
    const message = JSON.parse(text);
    if (message.event) {
      for (const listener of [...(this.listeners.get(message.event) ?? [])]) listener(message);
      return;
    }
    const waiting = this.sent.get(message.id);
    if (!waiting) return;
    this.sent.delete(message.id);
    clearTimeout(waiting.timer);
    if (message.error) waiting.reject(new Refusal(message.error));
    else waiting.resolve(message.result);
  }

  /** @param {string} method @param {object} [params] @returns {Promise<any>} */
  call(method, params = {}) {
    this.remember(method, params);
    return new Promise((resolve, reject) => {
      /** @type {Waiting} */
      const waiting = { id: this.next, method, params, resolve, reject, timer: null };
      this.next += 1;
      if (this.state === "connected") this.send(waiting);
      else this.enqueue(waiting);
    });
  }

  /** Keeps in mind what is to be watched, for the next connection. @param {string} method @param {any} params */
  remember(method, params) {
    if (method === "watch") this.watched.set(params.game, 1);
    if (method === "unwatch") this.watched.delete(params.game);
    if (method === "analysis.watch") this.analysed = params;
    if (method === "analysis.stop") this.analysed = null;
  }

  /** @param {Waiting} waiting */
  enqueue(waiting) {
    clearTimeout(waiting.timer);
    this.queue.push(waiting);
    waiting.timer = setTimeout(() => {
      this.queue = this.queue.filter((other) => other !== waiting);
      this.fail(waiting, { code: "offline", message: "The server cannot be reached." });
    }, TIMEOUT.connection);
  }

  /** @param {Waiting} waiting */
  send(waiting) {
    clearTimeout(waiting.timer);
    this.sent.set(waiting.id, waiting);
    waiting.timer = setTimeout(() => {
      this.sent.delete(waiting.id);
      this.fail(waiting, { code: "no_answer", message: "The server did not answer." });
    }, TIMEOUT.answer);
    this.write({ id: waiting.id, method: waiting.method, params: waiting.params });
  }

  /** @param {object} message */
  write(message) {
    this.socket?.send(JSON.stringify(message));
  }

  /** @param {Waiting} waiting @param {Failure} failure */
  fail(waiting, failure) {
    clearTimeout(waiting.timer);
    waiting.reject(new Refusal(failure));
  }

  /** @param {string} event @param {(message: any) => void} listener */
  on(event, listener) {
    const all = this.listeners.get(event) ?? new Set();
    this.listeners.set(event, all);
    all.add(listener);
    return () => {
      all.delete(listener);
    };
  }

  /** @param {(state: State) => void} listener */
  onState(listener) {
    this.stateListeners.add(listener);
    return () => {
      this.stateListeners.delete(listener);
    };
  }

  /** @param {string} game @param {string} kind @param {number} [node] */
  async file(game, kind, node) {
    const query = node === undefined ? "" : `?node=${node}`;
    return { address: `/games/${encodeURIComponent(game)}.${kind}${query}`, name: "" };
  }

  /**
   * Gives the server the file of a network, which it reads, keeps and chooses.
   * @param {File} network
   * @returns {Promise<Api.NetworkList>}
   */
  async addNetwork(network) {
    const address = `/networks/${encodeURIComponent(network.name)}`;
    const response = await fetch(address, { method: "PUT", body: network });
    const answer = await response.json();
    if (!response.ok) throw new Refusal(answer);
    return answer;
  }

  /** Ends the connection for good. */
  close() {
    this.closed = true;
    clearTimeout(this.retry);
    for (const waiting of [...this.queue.splice(0), ...this.sent.values()]) {
      this.fail(waiting, { code: "offline", message: "The page was closed." });
    }
    this.sent.clear();
    this.socket?.close();
  }
}
