// The tags of games, which are like folders in which a game may lie more than once.

import { spoken } from "./strings.js";

/** The tags of a game, each once. @param {{ tags?: string | null }} game */
export function tagsOf({ tags }) {
  const all = (tags ?? "").split(/[,;，；、]/).map((tag) => tag.trim());
  return [...new Set(all.filter((tag) => tag !== ""))];
}

/** The tags of games with how many games have each, by name. @param {{ tags?: string | null }[]} games */
export function countTags(games) {
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (const game of games) for (const tag of tagsOf(game)) counts.set(tag, (counts.get(tag) ?? 0) + 1);
  return [...counts].sort(([a], [b]) => a.localeCompare(b, spoken()));
}
