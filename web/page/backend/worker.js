// The same code as the server's, as WebAssembly in a worker of this page: no server is needed.

import { Socket } from "./socket.js";

/** @typedef {MessagePort | Worker} Port */

/** What the worker is asked with a file and not with a text. */
const ADD_NETWORK = "networks.add";

/** How wide a picture of pixels is. */
const WIDTH = 1200;

/** A connection to the worker that looks like one to a server. */
class Line {
  /** @param {Port} port */
  constructor(port) {
    this.port = port;
    this.open = true;
    /** @type {() => void} */
    this.onopen = () => {};
    /** @type {(event: { data: string }) => void} */
    this.onmessage = () => {};
    /** @type {() => void} */
    this.onclose = () => {};
    port.onmessage = ({ data }) => {
      if (!this.open) return;
      if (typeof data === "string") this.onmessage({ data });
      else if (data.opened) this.onopen();
      else this.end();
      if (data.failed) console.error(data.failed);
    };
    port.postMessage({ open: true });
  }

  /** @param {string | object} text */
  send(text) {
    this.port.postMessage(text);
  }

  close() {
    this.port.postMessage({ close: true });
    this.end();
  }

  end() {
    this.open = false;
    this.onclose();
  }
}

/** @returns {Port} */
function startWorker() {
  const address = new URL("./wasm/start.js", import.meta.url);
  /** @type {WorkerOptions} */
  const options = { type: "module", name: "tengen" };
  if (!("SharedWorker" in globalThis)) return new Worker(address, options);
  return new SharedWorker(address, options).port;
}

/** @implements {Backend} */
export class Room extends Socket {
  /** @param {Port} [port] where the worker is; by default one is started */
  constructor(port = startWorker()) {
    super("", { make: () => /** @type {WebSocket} */ (/** @type {unknown} */ (new Line(port))) });
    // A page that is left may come back as it was; until then nobody thinks for it.
    globalThis.addEventListener?.("pagehide", () => this.socket?.close());
    globalThis.addEventListener?.("pageshow", () => this.hurry());
  }

  /** @override @param {File} network @returns {Promise<Api.NetworkList>} */
  addNetwork(network) {
    return this.call(ADD_NETWORK, { network });
  }

  /** A file cannot be part of a text. @override @param {any} message */
  write(message) {
    const { id, method, params } = message;
    if (method !== ADD_NETWORK) super.write(message);
    else /** @type {any} */ (this.socket)?.send({ id, network: params.network });
  }

  /**
   * @override
   * @param {string} game
   * @param {string} kind
   * @param {number} [node]
   */
  async file(game, kind, node) {
    const { name, type, text } = await this.call("game.file", { game, kind: kind === "png" ? "svg" : kind, node });
    const blob = new Blob([text], { type });
    if (kind !== "png") return { address: URL.createObjectURL(blob), name };
    return { address: URL.createObjectURL(await pixels(blob)), name: name.replace(/svg$/, "png") };
  }
}

/** A drawing as pixels. @param {Blob} drawing @returns {Promise<Blob>} */
async function pixels(drawing) {
  const address = URL.createObjectURL(drawing);
  try {
    const image = new Image();
    image.src = address;
    await image.decode();
    const canvas = document.createElement("canvas");
    canvas.width = WIDTH;
    canvas.height = Math.round((WIDTH * image.height) / image.width);
    canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
    return await new Promise((resolve, reject) =>
      canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("no picture"))), "image/png"),
    );
  } finally {
    URL.revokeObjectURL(address);
  }
}
