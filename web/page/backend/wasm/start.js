// The worker begins here. It is shared by all tabs where browsers can do that, so that they see the same games.
//
// A page says { open: true }, then the messages of docs/api.md as texts, and { close: true } at its end. It hears {
// opened: true } when it may speak, texts, and { closed: true } when it has to begin again. The file of a network comes
// as { network, id }, and is answered like a call.

import { Desk } from "./desk.js";
import { fleetingStorage, openStorage } from "./storage.js";
import { compile, fastest } from "./variants.js";

/** The files of the baselines. */
const BASELINES = { small: "baseline.safetensors", large: "baseline-large.safetensors" };

/** @param {"small" | "large"} which */
async function baseline(which) {
  const response = await fetch(new URL(BASELINES[which], import.meta.url));
  if (!response.ok) throw new Error(`${BASELINES[which]} is not there: ${response.status}`);
  return response.arrayBuffer();
}

async function storage() {
  try {
    return await openStorage();
  } catch (failure) {
    console.warn("This browser keeps nothing for this page: games are gone when it is closed.", failure);
    return fleetingStorage();
  }
}

const compiled = compile(new URL(fastest(), import.meta.url));
const desk = Promise.all([compiled, storage()]).then(async ([module, kept]) => {
  const desk = new Desk(module, kept, { baseline, storage: kept.networks });
  await desk.start();
  return desk;
});

/** @param {MessagePort | (typeof globalThis)} port */
async function serve(port) {
  /** @type {number | null} */
  let viewer = null;
  /** @type {any[]} */
  const early = [];
  port.onmessage = ({ data }) => early.push(data);
  const host = await desk.catch((failure) => {
    port.postMessage({ failed: String(failure) });
    throw failure;
  });
  const hear = (/** @type {any} */ data) => {
    if (typeof data === "string") {
      if (viewer !== null) host.hear(viewer, data);
      return;
    }
    if (data.network) {
      if (viewer !== null) host.bring(viewer, data.id, data.network);
      return;
    }
    if (viewer !== null) host.leave(viewer);
    viewer = null;
    if (!data.open) return;
    viewer = host.enter({
      send: (text) => port.postMessage(text),
      opened: () => port.postMessage({ opened: true }),
      closed: () => port.postMessage({ closed: true }),
    });
  };
  for (const data of early) hear(data);
  port.onmessage = ({ data }) => hear(data);
}

if ("SharedWorkerGlobalScope" in globalThis) {
  /** @type {any} */ (globalThis).onconnect = (/** @type {MessageEvent} */ event) => serve(event.ports[0]);
}
else serve(globalThis);
