// Small line drawings for buttons. They say nothing to screen readers: the button has a name.

import { svg } from "./element.js";

const PATHS = {
  back: "M15 5l-7 7 7 7",
  forward: "M9 5l7 7-7 7",
  first: "M18 5l-7 7 7 7M6 5v14",
  last: "M6 5l7 7-7 7M18 5v14",
  up: "M5 15l7-7 7 7",
  down: "M5 9l7 7 7-7",
  undo: "M9 7L4 12l5 5M4 12h10a6 6 0 0 1 0 12",
  pass: "M5 12h14M13 6l6 6-6 6",
  flag: "M6 21V4h11l-2.5 4L17 12H6",
  bulb: "M9 18h6M10 21h4M12 3a6 6 0 0 0-3.5 10.9c.5.4.8 1 .8 1.6h5.4c0-.6.3-1.2.8-1.6A6 6 0 0 0 12 3z",
  scales: "M12 4v16M7 20h10M5 7h14M5 7l-3 7a3 3 0 0 0 6 0zM19 7l-3 7a3 3 0 0 0 6 0z",
  gear:
    "M12 9a3 3 0 1 0 0 6 3 3 0 0 0 0-6zM10.3 2.8h3.4l.5 2.5 1.9.8 2.1-1.4 2.4 2.4-1.4 2.1.8 1.9 2.5.5v3.4l-2.5.5" +
    "-.8 1.9 1.4 2.1-2.4 2.4-2.1-1.4-1.9.8-.5 2.5h-3.4l-.5-2.5-1.9-.8-2.1 1.4-2.4-2.4 1.4-2.1-.8-1.9-2.5-.5v-3.4" +
    "l2.5-.5.8-1.9-1.4-2.1 2.4-2.4 2.1 1.4 1.9-.8z",
  file: "M6 3h8l4 4v14H6zM14 3v4h4",
  download: "M12 4v11M7 11l5 5 5-5M5 20h14",
  play: "M7 5l12 7-12 7z",
  pause: "M8 5v14M16 5v14",
  close: "M6 6l12 12M18 6L6 18",
  check: "M5 12.5l4.5 4.5L19 7",
  chart: "M4 19V5M4 19h16M7 15l4-5 3 3 5-7",
  trash: "M5 7h14M10 7V4h4v3M7 7l1 13h8l1-13",
  book: "M4 5c3-1.5 6-1 8 1 2-2 5-2.5 8-1v14c-3-1.5-6-1-8 1-2-2-5-2.5-8-1zM12 6v14",
  plus: "M12 5v14M5 12h14",
  again: "M20 12a8 8 0 1 1-2.3-5.6M20 3v4h-4",
  star: "M12 4l2.4 5 5.6.7-4.1 3.8 1.1 5.5-5-2.8-5 2.8 1.1-5.5L4 9.7 9.6 9z",
  numbers: "M4.5 8.5L7 7v10M11.5 9.2A2.3 2.3 0 1 1 15.6 10.7L11.5 17h4.6M19.5 17v.01",
  friend: "M9 11a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7zM2.5 20c.4-4 3-6.5 6.5-6.5s6.1 2.5 6.5 6.5M19 8v6M16 11h6",
  pen: "M5 19l1-4L16 5l3 3L9 18z",
};

/** @typedef {keyof typeof PATHS} IconName */

/** @param {IconName} name */
export function icon(name) {
  return svg(
    "svg",
    { class: "icon", viewBox: name === "undo" ? "0 2 24 24" : "0 0 24 24", "aria-hidden": "true" },
    svg("path", { d: PATHS[name] }),
  );
}
