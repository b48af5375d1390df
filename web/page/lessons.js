// The first hour: positions to play on, and what has to happen before a lesson is understood. The rules themselves are
// not here: a lesson only watches what the back end says.

/**
 * @typedef {object} Event what has happened on the board of a lesson
 * @property {Api.View} view
 * @property {Api.Sheet} sheet
 * @property {Api.Illegal | null} refused the move that was refused last, if the last one was
 *
 * @typedef {object} Lesson
 * @property {string} name part of the address, and of the names of its words
 * @property {"board" | "exercise" | "match" | "game"} [kind] a board to try things on, which is the usual; a problem
 *   that the solver answers; a game with the engine here; one that begins elsewhere
 * @property {string} rules
 * @property {string} [position]
 * @property {number} [komi]
 * @property {{ width: number, height: number, handicap?: number }} [board]
 * @property {[string, string][]} [choices] other rules under which the board can be looked at, with the names of
 *   their words
 * @property {boolean} [passing] whether passes are part of it
 * @property {"capture" | "save" | "live"} [goal] of an exercise
 * @property {string[]} [target] the stones that an exercise is about
 * @property {string[]} [region] where it is played
 * @property {[string, string][]} [labels] points with what is written on them while they are empty, so that a task can
 *   speak of them
 * @property {(event: Event) => boolean} [done]
 * @property {(event: Event) => boolean} [wrong] whether a move is to be taken back with a word
 */

/** The points of a rectangle between two corners, as people name them. @param {string} from @param {string} to */
export function rectangle(from, to) {
  const letters = "ABCDEFGHJKLMNOPQRSTUVWXYZ";
  const points = [];
  for (let column = letters.indexOf(from[0]); column <= letters.indexOf(to[0]); column += 1)
    for (let row = Number(from.slice(1)); row <= Number(to.slice(1)); row += 1) points.push(letters[column] + row);
  return points;
}

/** Black has moved and captured nothing. @param {Event} event */
const nothingCaptured = ({ view }) => view.number >= 1 && view.captures.black === 0;

/** @type {Lesson[]} */
export const LESSONS = [
  {
    name: "goal",
    rules: "chinese",
    position: ". . X . O . .\n. . X . O . .\n. . X . O . .\n. . X . O . .\n. . X . O . .\n. . X . O . .\n. . X . O . .",
    done: ({ view }) => view.number >= 1,
  },
  {
    name: "capture",
    rules: "chinese",
    position: ". . . . . . .\n. . . X . . .\n. . X O . . .\n. . . X . . .\n. . . . . . .\n. . . . . X O\n. . . . . X O",
    done: ({ view }) => view.captures.black >= 1,
    wrong: nothingCaptured,
  },
  {
    name: "atari",
    rules: "chinese",
    position: ". . . . . . .\n. . X . . . .\n. X O X . . .\n. . . . . . .\n. . . . O X O\n. . . . . O .\n. . . . . . .",
    // The stone in the middle of the right side gets away, or the white one in the upper left is captured.
    done: ({ view }) => view.number >= 1 && (view.stones[26] === "X" || view.captures.black >= 1),
    wrong: ({ view }) => view.number >= 1 && view.stones[26] !== "X" && view.captures.black === 0,
  },
  {
    name: "match",
    kind: "match",
    rules: "chinese",
    board: { width: 7, height: 7 },
    done: ({ view }) => view.captures.black >= 1,
    wrong: ({ view }) => view.captures.white >= 1,
  },
  {
    name: "suicide",
    rules: "chinese",
    position: ". X . . .\nX X . O .\n. . O . O\nX X . O .\n. X . . .\nWhite to move",
    labels: [
      ["A5", "A"],
      ["A1", "A"],
    ],
    done: ({ refused }) => refused?.reason === "suicide",
  },
  {
    name: "eyes",
    kind: "exercise",
    rules: "japanese",
    position: ". . . X O . .\nX X X X O . .\nO O O O O . .\n. . . . . . .\n. . . . . . .\n. . . . . . .\n. . . . . . .",
    goal: "live",
    target: ["A6", "B6", "C6", "D6", "D7"],
    region: [...rectangle("A6", "D7")],
  },
  {
    name: "ko",
    rules: "japanese",
    position: ". . . . . .\n. . X O . .\n. X O . O .\n. . X O . .\n. . . . . .\n. . . . . .",
    labels: [
      ["D4", "1"],
      ["C4", "2"],
    ],
    done: ({ refused }) => refused?.reason === "ko" || refused?.reason === "superko",
  },
  {
    name: "ladder",
    kind: "exercise",
    rules: "japanese",
    position: ". . . . . . .\n. . X X . . .\n. X O . . . .\n. X . . . . .\n. . . . . . .\n. . . . . . .\n. . . . . . .",
    goal: "capture",
    target: ["C5"],
    region: ["C5", "D5", "C4", "C3", "D4", "E4", "D3", "D2", "E3", "F3", "E2", "E1", "F2", "G2", "F1", "G1"],
  },
  {
    name: "net",
    kind: "exercise",
    rules: "japanese",
    position: ". . . . . . .\n. . . . X . .\n. . . X . . .\n. . X O . . .\n. . X . . . .\n. . . . . . .\n. . . . . . .",
    goal: "capture",
    target: ["D4"],
    region: ["D4", "D3", "D2", "E2", "E3", "E4", "E5", "F3", "F4", "F5"],
  },
  {
    name: "snapback",
    kind: "exercise",
    rules: "japanese",
    position: "X . . O O . .\nX O O X . O .\n. X X X . O .\n. . . . . . .\n. . . . . . .\n. . . . . . .\n. . . . . . .",
    goal: "capture",
    target: ["B6", "C6"],
    region: [...rectangle("B6", "C7")],
  },
  {
    name: "superko",
    rules: "chinese",
    position: ". O X . .\nO O X . X\nO O X X .\nO X X X .\n. O . X .\nWhite to move",
    labels: [
      ["C1", "1"],
      ["A1", "2"],
      ["B1", "3"],
    ],
    done: ({ refused }) => refused?.reason === "superko",
  },
  {
    name: "score",
    rules: "chinese",
    position: ". . X O . O .\n. X X O O . O\n. X . X O O .\nX . X X X O O\n. X . X O O .\n. . X X O . .\n. . X O O . .",
    choices: [
      ["chinese", "by_area"],
      ["japanese", "by_territory"],
    ],
    passing: true,
    komi: 0,
    done: ({ sheet }) => sheet.phase !== "playing",
  },
  {
    name: "dead",
    rules: "japanese",
    position: ". . X O . . .\n. O X O . . .\n. . X O . X .\nX X X O O . .\n. . X X O . .\n. X . X O O O\n. . . X O . .",
    passing: true,
    komi: 0,
    done: ({ sheet }) => sheet.phase === "finished",
  },
  {
    name: "handicap",
    rules: "japanese",
    board: { width: 9, height: 9, handicap: 4 },
    done: ({ view }) => view.number >= 1,
  },
  { name: "first_game", kind: "game", rules: "chinese", board: { width: 9, height: 9 } },
];
