// What is proven about small boards, as lines to be shown.

import { bounds, words } from "./margin.js";
import { colorName, number, resultText, t } from "./strings.js";

/**
 * Whether boards of this size are solved here.
 * @param {Api.About} about
 * @param {import("./coordinates.js").Size} size
 */
export function offered(about, size) {
  return about.features.exact === true && size.width * size.height <= (about.limits?.points_of_an_exact_board ?? 0);
}

/**
 * Moves with the same result, the best for the one who moves first.
 * @param {Api.ExactMove[]} moves
 * @param {Api.Color} mover
 * @returns {{ best: boolean, names: string[], one: Api.ExactMove }[]}
 */
export function grouped(moves, mover) {
  /** @param {Api.ExactMove} one */
  const worth = (one) => (mover === "black" ? [one.lower, one.upper] : [-one.upper, -one.lower]);
  const sorted = [...moves].sort((a, b) => worth(b)[0] - worth(a)[0] || worth(b)[1] - worth(a)[1]);
  /** @type {{ best: boolean, names: string[], one: Api.ExactMove }[]} */
  const groups = [];
  for (const one of sorted) {
    const last = groups.at(-1);
    const name = one.move === "pass" ? t("pass") : one.move;
    if (last && last.one.lower === one.lower && last.one.upper === one.upper && last.one.complete === one.complete)
      last.names.push(name);
    else groups.push({ best: one.best, names: [name], one });
  }
  return groups;
}

/**
 * What each player forces, of which there is a proof to walk through: more than nothing at all. A certificate that the
 * host was started with may know more than what was found.
 * @param {{ lower: number, upper: number, stored?: Api.StoredProof[] }} bounds
 * @param {number} area the points of the board
 * @returns {import("./parts/proofwalk.js").Forced[]}
 */
export function forcedBy({ lower, upper, stored = [] }, area) {
  /** @param {Api.Color} color @param {number} margin @param {number} nothing */
  const best = (color, margin, nothing) => {
    const sign = color === "black" ? 1 : -1;
    const own = stored.filter((one) => one.color === color).sort((a, b) => sign * (b.margin - a.margin));
    const known = own.find((one) => sign * one.margin >= sign * margin);
    if (known) return [{ color, margin: known.margin, stored: known }];
    return margin === nothing ? [] : [{ color, margin }];
  };
  return [...best("black", lower, -area), ...best("white", upper, area)];
}

/**
 * What was found, with what certificates prove that were checked here.
 * @template {{ lower: number, upper: number, stored?: Api.StoredProof[] }} Known
 * @param {Known} message
 * @returns {Known}
 */
export function informed(message) {
  let { lower, upper } = message;
  for (const { color, margin, checked } of message.stored ?? []) {
    if (checked && color === "black") lower = Math.max(lower, margin);
    if (checked && color === "white") upper = Math.min(upper, margin);
  }
  return { ...message, lower, upper };
}

/**
 * What is to be said besides the value: under which rules it holds, what it means with komi, and what it leaves out.
 * @param {Api.Exact} message
 * @param {{ komi: number, handicap: number }} sheet
 */
export function remarks({ lower, upper, rule, ko_rules: granted, ignored, stored = [] }, { komi, handicap }) {
  const told = stored.map(({ color, margin, positions, checked }) =>
    t(checked ? "exact_stored" : "exact_claimed", {
      n: positions,
      result: words(margin),
      player: colorName(color),
    }),
  );
  if (stored.some((one) => !one.checked)) told.push(t("walk_unchecked"));
  if (granted?.length === 3) told.push(t("exact_every_rule"));
  if (rule)
    told.push(
      t(rule.ko === "positional" ? "exact_positional" : "exact_situational", {
        value: rule.lower === rule.upper ? words(rule.lower) : bounds({ ...rule, complete: false }),
      }),
    );
  const value = lower === upper ? lower : rule && rule.lower === rule.upper ? rule.lower : null;
  // With handicap stones White may get points that are no komi.
  if (value !== null && komi !== 0 && handicap === 0) {
    const rest = value - komi;
    told.push(
      t("exact_komi", {
        komi: number(komi),
        result: resultText(rest === 0 ? "0" : `${rest > 0 ? "B" : "W"}+${Math.abs(rest)}`),
      }),
    );
  }
  told.push(t("exact_counted"));
  if (ignored.includes("territory")) told.push(t("exact_not_territory"));
  if (ignored.includes("suicide")) told.push(t("exact_not_suicide"));
  if (ignored.includes("history")) told.push(t("exact_not_history"));
  return told;
}
