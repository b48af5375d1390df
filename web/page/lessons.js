// The lessons about the rules: positions to play on, and what has to happen before a lesson is understood. The rules
// themselves are not here: a lesson only watches what the back end says.

/**
 * @typedef {object} Event what has happened on the board of a lesson
 * @property {Api.View} view
 * @property {Api.Sheet} sheet
 * @property {Api.Illegal | null} refused the move that was refused last, if the last one was
 *
 * @typedef {object} Lesson
 * @property {string} name part of the address, and of the names of its words
 * @property {string} rules
 * @property {string} [position]
 * @property {number} [komi]
 * @property {{ width: number, height: number, handicap?: number }} [board]
 * @property {[string, string][]} [choices] other rules under which the board can be looked at, with the names of
 *   their words
 * @property {boolean} [passing] whether passes are part of it
 * @property {(event: Event) => boolean} done
 */

/** @type {Lesson[]} */
export const LESSONS = [
  {
    name: "capture",
    rules: "chinese",
    position: ". . . . . . .\n. . . X . . .\n. . X O . . .\n. . . X . . .\n. . . . . . .\n. . . . . X O\n. . . . . X O",
    done: ({ view }) => view.captures.black >= 1,
  },
  {
    name: "suicide",
    rules: "chinese",
    position: ". X . . .\nX X . O .\n. . O . O\nX X . O .\n. X . . .\nWhite to move",
    done: ({ refused }) => refused?.reason === "suicide",
  },
  {
    name: "ko",
    rules: "japanese",
    position: ". . . . . .\n. . X O . .\n. X O . O .\n. . X O . .\n. . . . . .\n. . . . . .",
    done: ({ refused }) => refused?.reason === "ko" || refused?.reason === "superko",
  },
  {
    name: "superko",
    rules: "chinese",
    position: ". O X . .\nO O X . X\nO O X X .\nO X X X .\n. O . X .\nWhite to move",
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
];
