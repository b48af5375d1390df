// Words and numbers in the language of the reader. The words themselves are in strings/, a file for each language.

import en from "./strings/en.js";

/** @typedef {keyof typeof en} Key @typedef {{ black: Api.Seat, white: Api.Seat, guest?: Api.Color | null }} Seats */

/** The languages, each by the name that its readers know. */
export const LANGUAGES = /** @type {const} */ ({ en: "English", zh: "中文", ja: "日本語", ko: "한국어" });

/** @type {Record<string, string | Record<string, string>>} */
let words = en;
let language = "en";
let plural = new Intl.PluralRules("en");

/** The language to use, of those that a person prefers. @param {readonly string[]} wanted */
export function choose(wanted) {
  for (const tag of wanted) {
    const stem = tag.toLowerCase().split("-")[0];
    if (stem in LANGUAGES) return stem;
  }
  return "en";
}

/** @param {string} code */
export async function speak(code) {
  if (code !== "en") words = (await import(`./strings/${code}.js`)).default;
  else words = en;
  language = code;
  plural = new Intl.PluralRules(code);
}

export function spoken() {
  return language;
}

/**
 * The words for a key. Of several forms, that for the number `n` is taken; names in braces are replaced. With two
 * particles behind a colon, the one that fits the name follows it: `{player:이/가}`. With a bar, it stands alone.
 * @param {Key} key
 * @param {Record<string, string | number>} [values]
 */
export function t(key, values = {}) {
  const entry = words[key];
  const form = typeof entry === "string" ? entry : (entry[plural.select(Number(values.n))] ?? entry.other);
  return form.replace(HOLE, (_, name, closed, open, alone) => {
    const value = values[name];
    const text = typeof value === "number" ? number(value) : String(value);
    const particle = closed === undefined ? "" : endsClosed(text, closed) ? closed : open;
    return alone ? particle : text + particle;
  });
}

const HOLE = /\{(\w+)(?::([^/}|]+)\/([^/}|]+)(\|)?)?\}/g;

/**
 * Does a Korean reader end a word with a consonant, so that the first of two particles follows it?
 * @param {string} word
 * @param {string} particle
 */
export function endsClosed(word, particle) {
  const last = word.trim().at(-1)?.toUpperCase() ?? "";
  const code = last.charCodeAt(0);
  if (code >= 0xac00 && code <= 0xd7a3) {
    const final = (code - 0xac00) % 28;
    // After ㄹ it is 로, as after a vowel.
    return final !== 0 && !(final === 8 && particle === "으로");
  }
  return (particle === "으로" ? "036MN" : "013678LMNR").includes(last);
}

/** Whether there are words for a key that was put together. @param {string} key @returns {key is Key} */
export function known(key) {
  return Object.hasOwn(en, key);
}

/** @param {number} value @param {Intl.NumberFormatOptions} [options] */
export function number(value, options = { maximumFractionDigits: 1 }) {
  return formatter(options).format(value);
}

/** @type {Map<string, Intl.NumberFormat>} */
const formatters = new Map();

/** @param {Intl.NumberFormatOptions} options */
function formatter(options) {
  const key = language + JSON.stringify(options);
  let made = formatters.get(key);
  if (!made) {
    made = new Intl.NumberFormat(language, options);
    formatters.set(key, made);
  }
  return made;
}

/** @param {number} value */
export function percent(value) {
  return number(value, { style: "percent", maximumFractionDigits: 0 });
}

/** A number with its sign, as leads and losses are told. @param {number} value */
export function signed(value) {
  return number(value, { signDisplay: "exceptZero", minimumFractionDigits: 1, maximumFractionDigits: 1 });
}

/** @param {number} time milliseconds since 1970 */
export function when(time) {
  const ago = (time - Date.now()) / 1000;
  const format = new Intl.RelativeTimeFormat(language, { numeric: "auto" });
  const far = Math.abs(ago);
  if (far < 60) return format.format(0, "second");
  if (far < 3600) return format.format(Math.round(ago / 60), "minute");
  if (far < 86400) return format.format(Math.round(ago / 3600), "hour");
  if (far < 86400 * 30) return format.format(Math.round(ago / 86400), "day");
  return new Intl.DateTimeFormat(language, { dateStyle: "medium" }).format(time);
}

/**
 * Sentences one after the other, with a space between them where the language has one.
 * @param {(string | false | null | undefined)[]} parts
 */
export function sentences(parts) {
  return parts.filter(Boolean).join(language === "zh" || language === "ja" ? "" : " ");
}

/** @param {Api.Color} color */
export function colorName(color) {
  return t(color === "black" ? "black_player" : "white_player");
}

/** What the engine is called at a level. @param {number} level */
export function opponentName(level) {
  const key = `opponent_${level}`;
  return known(key) ? t(key) : number(level);
}

/** Who sits at a side of the board. @param {Api.Seat} seat @param {Api.Color} color */
export function seatName(seat, color) {
  if (seat.kind === "engine") return t("engine_level", { name: opponentName(seat.level), level: seat.level });
  if (seat.kind === "program") return seat.name;
  return seat.name ? seat.name : colorName(color);
}

/** About which rank this is. @param {string} rank as records write it: `12k`, `1d` */
export function aboutRank(rank) {
  return t(rank.endsWith("d") ? "rank_dan" : "rank_kyu", { n: Number.parseInt(rank, 10) });
}

/** Whether whoever reads the page was invited to a seat. */
let invited = false;

/** @param {boolean} is */
export function beInvited(is) {
  invited = is;
}

/**
 * Whether exactly one person plays, and it is this one: whoever reads the page.
 * @param {Seats} seats
 * @param {Api.Color} color
 */
export function isYou({ black, white, guest }, color) {
  const seat = color === "black" ? black : white;
  // A friend elsewhere has one seat, and whoever invited them the other.
  if (guest && seat.kind === "person" && !seat.name) return invited ? color === guest : color !== guest;
  return seat.kind === "person" && !seat.name && (black.kind !== "person" || white.kind !== "person");
}

/** Who plays a colour, as one says it to the players. @param {Seats} seats @param {Api.Color} color */
export function playerName(seats, color) {
  return isYou(seats, color) ? t("you") : seatName(seats[color], color);
}

/** What a refusal means, in the language of the reader where there are words for it. @param {unknown} failure */
export function failureText(failure) {
  const { code = "", message = String(failure), data = {} } = /** @type {any} */ (failure) ?? {};
  if (code === "illegal_move") return illegalText(data ?? {});
  const key = `error_${code}`;
  return known(key) ? t(key, { ...data, message }) : message;
}

/** Why a move cannot be played. @param {{ reason?: string, number?: number | null }} illegal */
export function illegalText({ reason = "", number: earlier }) {
  if (reason === "superko" && typeof earlier === "number")
    return earlier > 0 ? t("why_superko_n", { n: earlier }) : t("why_superko_start");
  const key = `why_${reason}`;
  return known(key) ? t(key) : t("why_other");
}

/**
 * A result in words for those who played: whether they won, if one of them is whoever reads this.
 * @param {string} text
 * @param {Seats} seats
 */
export function outcomeText(text, seats) {
  const result = resultText(text);
  const winner = /^b\+/i.test(text) ? "black" : /^w\+/i.test(text) ? "white" : null;
  if (winner === null) return result;
  if (isYou(seats, winner)) return t("you_win", { result });
  return isYou(seats, winner === "black" ? "white" : "black") ? t("you_lose", { result }) : result;
}

/** A result such as "B+3.5" in words. @param {string} text */
export function resultText(text) {
  const parts = /^([BW])\+(.*)$/i.exec(text);
  if (!parts) return /^(0|draw|jigo)$/i.test(text) ? t("result_draw") : text;
  const winner = colorName(parts[1].toUpperCase() === "B" ? "black" : "white");
  if (/^r/i.test(parts[2])) return t("result_resign", { winner });
  if (/^t/i.test(parts[2])) return t("result_time", { winner });
  if (/^f/i.test(parts[2])) return t("result_forfeit", { winner });
  const points = Number(parts[2]);
  return Number.isFinite(points) && parts[2] !== ""
    ? t("result_points", { winner, n: points })
    : t("result_wins", { winner });
}
