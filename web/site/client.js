// A page without a screen, for tests of what is behind it.

/** The other end of a line to a desk. */
export class Client {
  /** @param {import("../page/backend/wasm/desk.js").Desk} desk */
  constructor(desk) {
    this.desk = desk;
    /** @type {any[]} */
    this.events = [];
    /** @type {Map<number, { resolve: (result: any) => void, reject: (failure: any) => void }>} */
    this.waiting = new Map();
    /** @type {Set<() => void>} */
    this.listeners = new Set();
    this.next = 1;
    this.openings = 0;
    this.closings = 0;
    this.enter();
  }

  enter() {
    this.viewer = this.desk.enter({
      send: (text) => this.hear(JSON.parse(text)),
      opened: () => {
        this.openings += 1;
        this.wake();
      },
      closed: () => {
        this.closings += 1;
        this.wake();
      },
    });
  }

  /** @param {any} message */
  hear(message) {
    if (message.event) this.events.push(message);
    else {
      const waiting = this.waiting.get(message.id);
      this.waiting.delete(message.id);
      if (message.error) waiting?.reject(Object.assign(new Error(message.error.message), message.error));
      else waiting?.resolve(message.result);
    }
    this.wake();
  }

  wake() {
    for (const listener of [...this.listeners]) listener();
  }

  /**
   * @param {string} method
   * @param {object} [params]
   * @returns {Promise<any>}
   */
  call(method, params = {}) {
    const id = this.next;
    this.next += 1;
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve, reject });
      this.desk.hear(this.viewer, JSON.stringify({ id, method, params }));
    });
  }

  /**
   * Waits until something is true, looking whenever something was heard.
   * @template T
   * @param {() => T} is
   * @returns {Promise<NonNullable<T>>}
   */
  until(is) {
    return new Promise((resolve) => {
      const look = () => {
        const found = is();
        if (!found) return;
        this.listeners.delete(look);
        resolve(/** @type {any} */ (found));
      };
      this.listeners.add(look);
      look();
    });
  }

  /**
   * How a game stands that this client watches, once nobody thinks any more.
   * @param {string} game
   * @returns {Promise<any>}
   */
  async state(game) {
    const sheet = await this.call("game.get", { game });
    if (!sheet.thinking) return sheet;
    const seen = this.events.length;
    await this.until(() => this.events.slice(seen).some((event) => event.event === "game" && event.game === game));
    return this.state(game);
  }
}
