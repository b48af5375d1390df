// The back end of the edition without a server. `cargo xtask site` puts this in place of the other one.

import { Room } from "../worker.js";

/** @returns {Backend} */
export function connect() {
  // Once it has been here, the page works without a network. Browsers offer this on safe connections only.
  navigator.serviceWorker
    ?.register("offline.js")
    .catch((failure) => console.warn("The page is not kept for use without a network.", failure));
  return new Room();
}
