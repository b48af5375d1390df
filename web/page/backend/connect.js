// Which back end the page talks to. An edition without a server has another file in this place, and the rest of the
// page is the same.

import { Socket } from "./socket.js";

/** @returns {Backend} */
export function connect() {
  return new Socket(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/api/live`);
}
