// What the form for a new game says, and what is asked of the back end for it.

/**
 * @typedef {object} Choices what the form says, kept for the next time
 * @property {"engine" | "person" | "battle"} against
 * @property {"9" | "13" | "19" | "other"} size
 * @property {number} width
 * @property {number} height
 * @property {number} level
 * @property {boolean} adapts whether the level follows the results
 * @property {boolean} teaching
 * @property {"black" | "white" | "random"} color
 * @property {string} rules
 * @property {string} komi empty for that of the rules
 * @property {string} handicap
 * @property {string} clock
 * @property {string} black who plays Black in a battle: the level of the engine, or the name of a program
 * @property {string} white
 * @property {string} pace milliseconds between two moves of a battle
 */

/** @type {Choices} */
export const DEFAULTS = {
  against: "engine",
  size: "9",
  width: 9,
  height: 9,
  level: 3,
  adapts: false,
  teaching: false,
  color: "black",
  rules: "chinese",
  komi: "",
  handicap: "0",
  clock: "none",
  black: "level:5",
  white: "level:3",
  pace: "1000",
};

/** The time controls that are offered. @type {Record<string, Api.ClockSettings | null>} */
export const CLOCKS = {
  none: null,
  blitz: { main_seconds: 60, byoyomi: { periods: 3, seconds: 10 } },
  normal: { main_seconds: 600, byoyomi: { periods: 5, seconds: 30 } },
  slow: { main_seconds: 2700, byoyomi: { periods: 3, seconds: 60 } },
  canadian: { main_seconds: 600, canadian: { stones: 25, seconds: 600 } },
  fischer: { main_seconds: 300, increment: 10 },
  absolute: { main_seconds: 900 },
};

/** What the form asks the back end for. @param {Choices} choices */
export function request(choices) {
  const side = Number(choices.size);
  const width = choices.size === "other" ? choices.width : side;
  const height = choices.size === "other" ? choices.height : side;
  const handicap = Number(choices.handicap);
  const { black, white } = seats(choices);
  return {
    width,
    height,
    rules: choices.rules,
    ...(choices.komi === "" ? {} : { komi: Number(choices.komi) }),
    ...(handicap > 0 ? { handicap } : {}),
    black,
    white,
    ...(CLOCKS[choices.clock] ? { clock: CLOCKS[choices.clock] } : {}),
    ...(choices.against === "battle" ? { pace: Number(choices.pace) } : {}),
  };
}

/** The game that a newcomer begins with: small, against the weakest opponent, with a teacher. @type {Choices} */
export const FIRST_GAME = { ...DEFAULTS, level: 1, teaching: true };

/** @param {Choices} choices @returns {{ black: Api.Seat, white: Api.Seat }} */
function seats(choices) {
  if (choices.against === "person") return { black: { kind: "person" }, white: { kind: "person" } };
  if (choices.against === "battle") return { black: seat(choices.black), white: seat(choices.white) };
  const color = choices.color === "random" ? (Math.random() < 0.5 ? "black" : "white") : choices.color;
  /** @type {Api.Seat} */
  const engine = { kind: "engine", level: choices.level };
  /** @type {Api.Seat} */
  const person = { kind: "person" };
  return color === "black" ? { black: person, white: engine } : { black: engine, white: person };
}

/**
 * A seat as the value of a choice: `person`, `level:3`, `program:gnugo`.
 * @param {string} text
 * @returns {Api.Seat}
 */
export function seat(text) {
  const at = text.indexOf(":");
  if (text.startsWith("level:")) return { kind: "engine", level: Number(text.slice(at + 1)) };
  if (text.startsWith("program:")) return { kind: "program", name: text.slice(at + 1) };
  return { kind: "person" };
}

/** @param {Api.Seat} seat @returns {string} */
export function seatValue(seat) {
  return seat.kind === "engine" ? `level:${seat.level}` : seat.kind === "program" ? `program:${seat.name}` : "person";
}
