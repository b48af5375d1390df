// The back end of the edition without a server. `cargo xtask site` puts this in place of the other one.

import { Room } from "../worker.js";
import { fastest } from "./variants.js";

/** @returns {Backend} */
export function connect() {
  const room = new Room();
  // What is kept for later does not delay what is needed now.
  const stop = room.onState((state) => {
    if (state !== "connected") return;
    stop();
    keepForLater();
  });
  return room;
}

/** Once it has been here, the page works without a network. Browsers offer this on safe connections only. */
function keepForLater() {
  navigator.serviceWorker
    ?.register(`offline.js?module=${fastest()}`)
    .catch((failure) => console.warn("The page is not kept for use without a network.", failure));
}
