// The part of the address after #: which view, which game, which position. A reload comes back to it, and it can be
// sent to somebody.

/**
 * @typedef {{ view: "home" } | { view: "open" } | { view: "learn", lesson: string | null }
 *   | { view: "runs", run: string | null } | { view: "exercises" }
 *   | { view: "problems", set: string | null, problem: number | null } | { view: "sgf", text: string }
 *   | { view: "embed", text: string }
 *   | { view: "game", game: string, node: number | null } | { view: "unknown" }} Route
 */

/** @param {string} hash @returns {Route} */
export function parse(hash) {
  const [view = "", first, second, ...rest] = hash.replace(/^#?\/?/, "").split("/").map(decode);
  if (rest.length === 0) {
    if (view === "" && first === undefined) return { view: "home" };
    if (view === "open" && first === undefined) return { view: "open" };
    if (view === "exercises" && first === undefined) return { view: "exercises" };
    if (view === "learn" && second === undefined) return { view: "learn", lesson: first ?? null };
    if (view === "runs" && second === undefined) return { view: "runs", run: first ?? null };
    if (view === "problems")
      return { view: "problems", set: first ?? null, problem: /^\d+$/.test(second ?? "") ? Number(second) : null };
    if ((view === "sgf" || view === "embed") && first && second === undefined) return { view, text: first };
    if (view === "game" && first)
      return { view: "game", game: first, node: /^\d+$/.test(second ?? "") ? Number(second) : null };
  }
  return { view: "unknown" };
}

/** @param {string} part */
function decode(part) {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** @param {Route} route @returns {string} */
export function format(route) {
  const parts = /** @type {(string | number)[]} */ ([]);
  if (route.view === "open") parts.push("open");
  if (route.view === "exercises") parts.push("exercises");
  if (route.view === "learn") parts.push("learn", ...(route.lesson === null ? [] : [route.lesson]));
  if (route.view === "runs") parts.push("runs", ...(route.run === null ? [] : [route.run]));
  if (route.view === "problems" && route.set !== null) {
    parts.push("problems", route.set, ...(route.problem === null ? [] : [route.problem]));
  } else if (route.view === "problems") parts.push("problems");
  if (route.view === "sgf" || route.view === "embed") parts.push(route.view, route.text);
  if (route.view === "game") parts.push("game", route.game, ...(route.node === null ? [] : [route.node]));
  return `#/${parts.map(encodeURIComponent).join("/")}`;
}

/** @param {string} game */
export function gameLink(game) {
  return format({ view: "game", game, node: null });
}
