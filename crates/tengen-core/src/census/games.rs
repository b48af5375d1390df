//! Complete games, counted.

use std::collections::BTreeMap;

use super::CensusError;
use super::game_graph::{Graph, State};
use crate::game::Game;
use crate::moves::Move;
use crate::perft::moves;
use crate::rules::{Ko, MoveLimit, Repetition, RepetitionEffect, Rules};
use crate::size::Size;

/// The largest board whose games can be counted without a limit of moves: on 2×2 there are 386,356,909,593 of them, and
/// on 1×5 more than anybody will ever count one by one.
const LARGEST_AREA: usize = 4;

/// A larger limit of moves is as good as none: nobody waits for so many games.
const LONGEST: u32 = 1000;

/// Enough tasks to keep many threads busy to the end, few enough to be found in no time.
const MANY_TASKS: usize = 2000;

/// Entries of a counter's memory.
const MEMORY: usize = 1 << 20;

/// The number of complete games from the empty board.
///
/// A game is complete when enough passes in a row have ended it, or the limit of moves or a repetition that the rules
/// mention. Passes are always legal, and the empty board counts as seen.
///
/// ```
/// use tengen_core::{Rules, Size, census};
/// assert_eq!(census::games(Size::new(2, 1)?, &Rules::default())?, 9);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn games(size: Size, rules: &Rules) -> Result<u128, CensusError> {
    let games = Games::new(size, rules)?;
    let mut counter = games.counter();
    (0..games.tasks()).try_fold(games.settled(), |sum, task| {
        let count = counter.count(task)?;
        sum.checked_add(count).ok_or(CensusError::Overflow(size))
    })
}

/// A count of complete games, divided into tasks for as many threads as there are.
///
/// The number of games is that of [`Games::settled`] and, for each task, what [`GameCounter::count`] finds.
///
/// ```
/// use tengen_core::{Rules, Size, census::Games};
/// let games = Games::new(Size::new(3, 1)?, &Rules::default())?;
/// let mut counter = games.counter();
/// let mut sum = games.settled();
/// for task in 0..games.tasks() {
///     sum += counter.count(task)?;
/// }
/// assert_eq!(sum, 907);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Games {
    size: Size,
    settled: u128,
    plan: Plan,
}

/// How to count, and the beginnings of games that are left to be continued.
enum Plan {
    /// As paths in a graph, with the number of games that begin so or in a symmetric way.
    Graph(Graph, Vec<(State, u128)>),
    /// By playing all of them.
    Play(Box<Game>, Vec<Vec<Move>>),
}

impl Games {
    /// Prepares the count of the games on a board.
    pub fn new(size: Size, rules: &Rules) -> Result<Self, CensusError> {
        let limit = rules.max_moves.moves(size);
        let limited = limit.is_some_and(|moves| moves <= LONGEST);
        let ends_by_repetition = rules.repetition.effect != RepetitionEffect::PlayOn
            && rules.repetition.window.is_none();
        if rules.ko == Ko::Simple && !ends_by_repetition && !limited {
            return Err(CensusError::Endless);
        }
        if size.area() > LARGEST_AREA && !limited {
            return Err(CensusError::TooManyGames(size));
        }
        let graph = if is_path_in_graph(rules) {
            Graph::new(size, rules)
        } else {
            None
        };
        match graph {
            Some(graph) => Self::in_graph(size, graph),
            None => Ok(Self::played(Game::new(size, *rules))),
        }
    }

    fn in_graph(size: Size, graph: Graph) -> Result<Self, CensusError> {
        let overflow = CensusError::Overflow(size);
        let mut settled = 0_u128;
        let mut tasks = BTreeMap::from([(graph.canonical(graph.start()), 1_u128)]);
        while !tasks.is_empty() && tasks.len() < MANY_TASKS {
            let mut next = BTreeMap::new();
            for (state, ways) in tasks {
                settled = settled.checked_add(ways).ok_or(overflow)?;
                for (after, stones) in graph.next(state) {
                    let sum = next.entry(graph.canonical(after)).or_insert(0_u128);
                    let more = ways.checked_mul(u128::from(stones)).ok_or(overflow)?;
                    *sum = sum.checked_add(more).ok_or(overflow)?;
                }
            }
            tasks = next;
        }
        Ok(Self {
            size,
            settled,
            plan: Plan::Graph(graph, tasks.into_iter().collect()),
        })
    }

    fn played(mut game: Game) -> Self {
        let mut settled = 0;
        let mut lines = vec![Vec::new()];
        while !lines.is_empty() && lines.len() < MANY_TASKS {
            let mut longer = Vec::new();
            for line in lines {
                play_line(&mut game, &line);
                for action in moves(&game) {
                    game.play_unchecked(action);
                    if game.is_over() {
                        settled += 1;
                    } else {
                        longer.push(line.iter().copied().chain([action]).collect());
                    }
                    game.undo();
                }
            }
            lines = longer;
        }
        game.restart();
        Self {
            size: game.size(),
            settled,
            plan: Plan::Play(Box::new(game), lines),
        }
    }

    /// The number of tasks.
    pub fn tasks(&self) -> usize {
        match &self.plan {
            Plan::Graph(_, states) => states.len(),
            Plan::Play(_, lines) => lines.len(),
        }
    }

    /// The games that were counted when the tasks were made, because they end too early to be part of any.
    pub const fn settled(&self) -> u128 {
        self.settled
    }

    /// Something that can do the tasks, with a memory of its own.
    pub fn counter(&self) -> GameCounter<'_> {
        GameCounter {
            size: self.size,
            work: match &self.plan {
                Plan::Graph(graph, states) => Work::Graph(
                    Paths {
                        graph,
                        memory: vec![(0, 0); MEMORY].into_boxed_slice(),
                    },
                    states,
                ),
                Plan::Play(game, lines) => Work::Play(game.clone(), lines),
            },
        }
    }
}

/// Is a game a path in a [`Graph`]: does nothing but superko and two passes decide how it goes on?
fn is_path_in_graph(rules: &Rules) -> bool {
    let no_repetition = match rules.ko {
        Ko::Simple => false,
        Ko::Positional => true,
        // A board may come again with the other player to move.
        Ko::Situational => matches!(
            rules.repetition,
            Repetition {
                effect: RepetitionEffect::PlayOn,
                ..
            }
        ),
    };
    no_repetition && rules.passes == 2 && rules.max_moves == MoveLimit::None
}

/// Counts the games of one task after the other.
pub struct GameCounter<'a> {
    size: Size,
    work: Work<'a>,
}

enum Work<'a> {
    Graph(Paths<'a>, &'a [(State, u128)]),
    Play(Box<Game>, &'a [Vec<Move>]),
}

impl GameCounter<'_> {
    /// The number of games that a task stands for.
    ///
    /// # Panics
    ///
    /// If there is no such task: see [`Games::tasks`].
    pub fn count(&mut self, task: usize) -> Result<u128, CensusError> {
        let count = match &mut self.work {
            Work::Graph(paths, states) => {
                let (state, ways) = states[task];
                paths.count(state).and_then(|count| count.checked_mul(ways))
            }
            Work::Play(game, lines) => {
                play_line(game, &lines[task]);
                Some(continuations(game))
            }
        };
        count.ok_or(CensusError::Overflow(self.size))
    }
}

/// Brings a game to the end of a line.
fn play_line(game: &mut Game, line: &[Move]) {
    game.restart();
    for &action in line {
        game.play_unchecked(action);
    }
}

/// The number of ways to finish a game that is not over, found by playing all of them.
///
/// Not recursive: many passes in a row may be needed to end a game, and then games are longer than a stack is deep.
fn continuations(game: &mut Game) -> u128 {
    let mut count = 0;
    let mut untried = vec![moves(game)];
    while let Some(choices) = untried.last_mut() {
        if let Some(action) = choices.next() {
            game.play_unchecked(action);
            if game.is_over() {
                count += 1;
                game.undo();
            } else {
                untried.push(moves(game));
            }
        } else {
            untried.pop();
            if !untried.is_empty() {
                game.undo();
            }
        }
    }
    count
}

/// Counts paths, and remembers what it counted.
struct Paths<'a> {
    graph: &'a Graph,
    /// Keys of states with their counts; where two states meet, the later one stays.
    memory: Box<[(u128, u128)]>,
}

impl Paths<'_> {
    /// The number of ways to finish a game from here, or `None` if it is too large.
    fn count(&mut self, state: State) -> Option<u128> {
        // A handful of paths is counted sooner than looked up.
        if state.open() <= 2 {
            return self.count_next(state);
        }
        let key = state.key();
        let slot = slot(key, self.memory.len());
        let (known, count) = self.memory[slot];
        if known == key {
            return Some(count);
        }
        let count = self.count_next(state)?;
        self.memory[slot] = (key, count);
        Some(count)
    }

    fn count_next(&mut self, state: State) -> Option<u128> {
        // Both players pass, or a stone follows.
        let mut sum = 1_u128;
        let graph = self.graph;
        for (next, ways) in graph.next(state) {
            let count = self.count(next)?.checked_mul(u128::from(ways))?;
            sum = sum.checked_add(count)?;
        }
        Some(sum)
    }
}

/// Where in a memory of this length, a power of two, a key has its place.
fn slot(key: u128, length: usize) -> usize {
    let folded = key as u64 ^ ((key >> 64) as u64).rotate_left(25);
    let product = u128::from(folded) * 0x9e37_79b9_7f4a_7c15;
    ((product >> 64) as u64 ^ product as u64) as usize & (length - 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Preset, Suicide};

    const SUPERKO: [Ko; 2] = [Ko::Positional, Ko::Situational];
    const SUICIDE: [Suicide; 3] = [Suicide::Forbidden, Suicide::MultiStone, Suicide::Allowed];

    fn rules(ko: Ko, suicide: Suicide) -> Rules {
        Rules {
            ko,
            suicide,
            ..Rules::default()
        }
    }

    fn count(text: &str, ko: Ko, suicide: Suicide) -> u128 {
        games(text.parse().unwrap(), &rules(ko, suicide)).unwrap()
    }

    #[test]
    fn agrees_with_the_published_numbers() {
        for (text, expected) in [
            ("1x1", [1, 1, 1, 2]),
            ("1x2", [9, 9, 9, 21]),
            ("3x1", [907, 907, 959, 19207]),
        ] {
            let counts = SUPERKO.map(|ko| {
                [Suicide::Forbidden, Suicide::Allowed].map(|suicide| count(text, ko, suicide))
            });
            assert_eq!(counts.as_flattened(), expected, "{text}");
        }
        assert_eq!(
            count("1x4", Ko::Positional, Suicide::Forbidden),
            719_178_893
        );
    }

    #[test]
    fn paths_are_games() {
        for length in 1..=3 {
            let size = Size::new(length, 1).unwrap();
            for ko in SUPERKO {
                for suicide in SUICIDE {
                    let rules = rules(ko, suicide);
                    let played = continuations(&mut Game::new(size, rules));
                    assert_eq!(games(size, &rules), Ok(played), "{size} {rules}");
                }
            }
        }
    }

    #[test]
    fn games_by_stones_played() {
        fn by_stones(game: &mut Game, stones: usize, counts: &mut Vec<u32>) {
            for action in moves(game) {
                let stones = stones + usize::from(action != Move::Pass);
                game.play_unchecked(action);
                if game.is_over() {
                    counts.resize(counts.len().max(stones + 1), 0);
                    counts[stones] += 1;
                } else {
                    by_stones(game, stones, counts);
                }
                game.undo();
            }
        }
        let mut counts = Vec::new();
        by_stones(
            &mut Game::new(Size::new(3, 1).unwrap(), Rules::default()),
            0,
            &mut counts,
        );
        assert_eq!(
            counts,
            [1, 6, 20, 28, 44, 48, 48, 64, 80, 96, 128, 148, 124, 60, 12]
        );
    }

    #[test]
    fn other_ends_are_played_out() {
        let size = Size::square(2).unwrap();
        let limited = |moves| Rules {
            max_moves: MoveLimit::Moves(moves),
            ..Rules::default()
        };
        // Five first moves and, after a stone, four answers; after a pass, five, one of which ends the game.
        assert_eq!(games(size, &limited(1)), Ok(5));
        assert_eq!(games(size, &limited(2)), Ok(4 * 4 + 5));
        let four = continuations(&mut Game::new(size, limited(6)));
        assert_eq!(games(size, &limited(6)), Ok(four));
        let three_passes = Rules {
            passes: 3,
            ..Rules::default()
        };
        let size = Size::new(2, 1).unwrap();
        let played = continuations(&mut Game::new(size, three_passes));
        assert_eq!(games(size, &three_passes), Ok(played));
        let many_passes = Rules {
            passes: u8::MAX,
            ..Rules::default()
        };
        let point = Size::square(1).unwrap();
        assert_eq!(games(point, &many_passes), Ok(1));
        let japanese = Preset::Japanese.rules();
        let played = continuations(&mut Game::new(size, japanese));
        assert_eq!(games(size, &japanese), Ok(played));
    }

    #[test]
    fn refuses_what_never_ends() {
        let size = Size::square(2).unwrap();
        assert_eq!(
            games(size, &Preset::PettingZoo.rules()),
            Err(CensusError::Endless)
        );
        let windowed = "koSIMPLEscoreAREAsui0repDRAWS8".parse().unwrap();
        assert_eq!(games(size, &windowed), Err(CensusError::Endless));
        let long = "koSIMPLEsui0max1000000".parse().unwrap();
        assert_eq!(games(size, &long), Err(CensusError::Endless));
        let size = Size::square(3).unwrap();
        assert_eq!(
            games(size, &Rules::default()),
            Err(CensusError::TooManyGames(size))
        );
    }
}
