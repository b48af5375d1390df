// The words of lessons, problems, editing and sharing in English.

export default {
  // Lessons.
  lessons_progress: "Lessons done",
  lessons_done: "{n} of {total} done",
  lesson_is_done: "done",
  lesson_begin_game: "Start a 9×9 game",
  lesson_goal_title: "The goal of the game",
  lesson_goal_text:
    "Two players take turns and put stones on the crossings of the lines. Whoever surrounds more of the board wins." +
    "\nHere Black has the left side and White the right one. The points between the walls are still open.",
  lesson_goal_task: "It is Black’s turn. Put a stone on any empty point.",
  lesson_goal_done: "That is a move. Stones stay where they are, unless they are captured.",
  lesson_capture_wrong: "Nothing was captured. Look for a white stone with one empty point beside it, and play there.",
  lesson_atari_title: "Atari",
  lesson_atari_text:
    "A chain with one liberty left is in atari: the next move can capture it. You can capture first, or give " +
    "your own " +
    "stones more liberties by adding a stone.",
  lesson_atari_task: "A black stone is in atari, and so is a white one. Save yours, or capture the other.",
  lesson_atari_done: "Well seen. Before each move, look which chains are in atari.",
  lesson_atari_wrong: "Both stones are still in atari. Play on the last liberty of one of them.",
  lesson_match_title: "First capture wins",
  lesson_match_text:
    "A small game against the engine, which plays like a beginner here: whoever captures a stone first has won." +
    "\nMind your own liberties, and count those of the others.",
  lesson_match_task: "You are Black. Capture a white stone before White captures one of yours.",
  lesson_match_done: "You have captured first. Well played!",
  lesson_match_wrong: "White was first this time. Start again: you know more now.",
  lesson_eyes_title: "Two eyes",
  lesson_eyes_text:
    "A group with two separate eyes can never be captured, since the opponent cannot fill both at once. " +
    "Black’s group " +
    "in the corner is surrounded and has room for two eyes, if Black is quick.",
  lesson_eyes_task: "It is Black’s turn. Make two eyes with one move.",
  lesson_eyes_done: "Two eyes: this group lives for ever. The solver has proven it.",
  lesson_eyes_wrong: "White takes the vital point, and only one eye is left. Try the point in the middle.",
  lesson_ladder_title: "The ladder",
  lesson_ladder_text:
    "A stone that gets two liberties whenever it runs can be chased: give atari again and again, from the side to " +
    "which it would like to go, until it reaches the edge.",
  lesson_ladder_task: "It is Black’s turn. Capture the marked stone, atari by atari, down to the edge.",
  lesson_ladder_done: "Captured. If a white stone stood in the way, the ladder would fail: look ahead first.",
  lesson_ladder_wrong: "Now White gets three liberties and escapes. Give atari from the other side.",
  lesson_net_title: "The net",
  lesson_net_text:
    "Not every capture needs atari. A net is a loose move at a distance: whichever way the stone runs, it runs into " +
    "your stones.",
  lesson_net_task: "It is Black’s turn. Catch the marked stone so that it cannot get out.",
  lesson_net_done: "Caught. It has liberties left, but no way out.",
  lesson_net_wrong: "White gets out. Leave some room, and close both exits with one stone.",
  lesson_snapback_title: "Snapback",
  lesson_snapback_text:
    "Sometimes you give one stone to take many: the opponent captures it, and has only one liberty after that. You " +
    "play on the same point again.",
  lesson_snapback_task: "It is Black’s turn. Sacrifice a stone, and capture the marked ones.",
  lesson_snapback_done: "Snapback! It is no ko, because more than one stone is taken back.",
  lesson_snapback_wrong: "White connects. Play where White wants to connect.",
  lesson_first_game_title: "Your first game",
  lesson_first_game_text:
    "You know all that is needed. Play on 9×9 against the engine at its easiest, with a teacher at your side. Take " +
    "moves back and ask for a hint as often as you like.\nPlay in the open first, then along the borders. When " +
    "nothing is left to win, pass.",
  lesson_first_game_task: "Start the game. Afterwards, look at it in a review: it shows what mattered.",
  lesson_first_game_done: "Have fun!",

  // Problems.
  problems: "Problems",
  problems_own: "Tengen’s problems",
  problems_own_more: "From games of the engine. For each of them it is proven that one move solves it, and no other.",
  problems_n: { one: "{n} problem", other: "{n} problems" },
  problems_progress: "Problems solved",
  problems_solved: "{n} of {total} solved",
  problems_due: { one: "{n} to be repeated", other: "{n} to be repeated" },
  problems_days: { one: "{n} day in a row", other: "{n} days in a row" },
  problems_row: { one: "{n} right in a row", other: "{n} right in a row" },
  problems_begin: "Begin",
  problems_go_on: "Go on",
  problems_open: "Open a collection (SGF)",
  problems_none: "There is no problem in this file.",
  problems_gone: "This collection is not here any more. Open its file again.",
  problems_all: "All problems",
  problem_n: "Problem {n}",
  problem_was_wrong: "not solved yet",
  problem_was_solved: "solved",
  problem_is_due: "to be repeated",
  rank_kyu: "about {n} kyu",
  rank_dan: "about {n} dan",
  problem_capture: "{player} to play: capture the marked stones.",
  problem_save: "{player} to play: save the marked stones.",
  problem_live: "{player} to play: make the marked stones live.",
  problem_play: "{player} to play.",
  problem_where: "It is played on the bright part of the board.",
  problem_outside: "The problem is played on the bright part of the board.",
  problem_far: "That is too far away. Look nearer to the marked stones.",
  problem_wrong: "That does not work. See the answer, play on against it, or take the move back.",
  problem_refuted: "That does not work: it is proven. Play on against the solver, or take the move back.",
  problem_solved: "Solved!",
  problem_solved_helped: "Solved. It will come back soon.",
  problem_shown: "This is the solution.",
  problem_unknown: "The solution says nothing about {point}.",
  problem_going: "Right so far. Go on.",
  problem_back: "Take it back",
  problem_hint: "Hint",
  problem_solution: "Solution",
  problem_next: "Next problem",
  problem_skip: "Another one",

  // Editing and sharing.
  edit_undo: "Undo",
  edit_redo: "Redo",
  new_board: "New board",
  copy_branch: "Copy from here on",
  paste_branch: "Paste behind this move",
  branch_copied: "Copied. Go to any move, of this game or another one, and paste it there.",
  nothing_copied: "Nothing was copied yet.",
  removed_undo: "Removed.",
  numbers_from_here: "Numbers from here",
  share: "Share",
  share_game: "Link to the game",
  share_position: "Link to the position",
  copy_sgf: "Copy as SGF",
  copy_image: "Copy as a picture",
  print: "Print",
  copied: "Copied.",
  not_copied: "The browser did not allow it.",
  share_long: "The game is too long for a link. Save it as a file.",
  embed: "Copy for a web page",
  shared_opening: "Opening what was shared…",
  info_tags: "Tags",
  games_by_tag: "Games by tag",
  games_all: "All",
  search: "Search",
  search_games: "Search by player, date, result or tag",
  search_position: "This position in my games",
  search_board: "Whole board",
  search_corner: "This corner",
  search_next: "What was played next",
  search_found: { one: "{n} game", other: "{n} games" },
  search_nothing: "No other game has this position.",
  search_move: "move {n}",
};
