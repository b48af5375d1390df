//! Where problems are looked for: in a game of the engine with itself.

use std::collections::HashSet;

use tengen_core::{Color, Game, Move, Point, PointSet, Rules, Setup, Size, Symmetry};
use tengen_search::{Choice, Engine, Level, Limits, Options, Stop, Task};
use tengen_solver::local::{Problem, Wanted};

use super::exercise::{Exercise, empty_points};

/// The sides of the boards, game by game.
const SIDES: [u8; 3] = [9, 7, 9];

/// Games are not played on after so many moves.
const MOST_MOVES: usize = 90;

/// The first moves make no problems.
const FIRST_MOVES: usize = 8;

/// How many points without stones a part of a board has at most: one around some stones, and one that is shut off.
const MOST_EMPTY_AROUND: usize = 8;
const MOST_EMPTY_INSIDE: usize = 10;

/// How many problems a game gives at most.
const OF_A_GAME: usize = 4;

/// A game, and what is found in it.
pub(super) struct Hunt {
    engine: Engine,
    choice: Choice,
    game: Game,
}

impl Hunt {
    pub(super) fn new(seed: u64, number: u64) -> Self {
        let side = SIDES[(number % SIDES.len() as u64) as usize];
        let size = Size::square(side).expect("boards may have these sides");
        let options = Options {
            threads: 1,
            seed: seed.wrapping_mul(1_000_003).wrapping_add(number),
            memory: 1 << 24,
        };
        // A player who sees the most urgent things and overlooks others: that makes problems.
        let choice = Choice {
            task: Task {
                limits: Limits::visits(48),
                ..Task::default()
            },
            level: Level::new(3).expect("there is a level 3"),
            ..Choice::default()
        };
        Self {
            engine: Engine::new(options),
            choice,
            game: Game::new(size, Rules::default()),
        }
    }

    /// Plays the game and offers what it finds. Problems that are known are left out.
    pub(super) fn exercises(
        mut self,
        known: &mut HashSet<Setup>,
        mut take: impl FnMut(Exercise) -> bool,
    ) {
        let stop = Stop::new();
        let mut taken = PointSet::EMPTY;
        let mut count = 0;
        while !self.game.is_over() && self.game.turns().len() < MOST_MOVES && count < OF_A_GAME {
            let decision = self
                .engine
                .choose(&self.game, &self.choice, &stop, &mut |_| {});
            let Some(action) = decision.action else { break };
            if self.game.play(action).is_err() {
                break;
            }
            let Move::Play(last) = action else { continue };
            if self.game.turns().len() < FIRST_MOVES {
                continue;
            }
            for (problem, is_shut_in) in self.problems(last, &taken) {
                for first in Color::BOTH {
                    let problem = tidied(&problem, first);
                    if !known.insert(essence(&problem)) {
                        continue;
                    }
                    let exercise = Exercise::of(&problem, Color::Black, is_shut_in);
                    if exercise.is_some_and(&mut take) {
                        count += 1;
                        taken |= problem_stones(&self.game, last);
                    }
                }
            }
        }
    }

    /// The problems around the last move: of each chain near it, and of all chains that are shut in with it.
    fn problems(&self, last: Point, taken: &PointSet) -> Vec<(Problem, bool)> {
        let setup = Setup {
            ko: None,
            ..self.game.position()
        };
        let board = self.game.board();
        let near = grown(&PointSet::from_iter([last]), board.points(), 3);
        let mut problems = Vec::new();
        for chain in board.chains() {
            if chain.stones.is_disjoint(&near) || !chain.stones.is_disjoint(taken) {
                continue;
            }
            let wanted = Wanted {
                target: Some(chain.stones),
                region: None,
            };
            if let Ok(problem) = Problem::find(&setup, wanted) {
                let mates = problem.region & setup.stones[chain.color];
                let all = Problem::new(&setup, &problem.region, &mates);
                let inside = all.unwrap_or(problem);
                if empty_points(&inside).len() <= MOST_EMPTY_INSIDE {
                    problems.push((inside, true));
                }
            }
            if chain.liberties.len() <= 3 {
                let regions = (1..=3)
                    .rev()
                    .map(|steps| grown(&chain.stones, board.points(), steps));
                let mut around = regions
                    .filter_map(|region| around(&setup, &region, &chain.stones))
                    .filter(|problem| empty_points(problem).len() <= MOST_EMPTY_AROUND);
                problems.extend(around.next().map(|problem| (problem, false)));
            }
        }
        problems
    }
}

/// The problem of a chain in a part of the board, without points of it that do not hang together with the chain.
fn around(setup: &Setup, region: &PointSet, target: &PointSet) -> Option<Problem> {
    let problem = Problem::new(setup, region, target).ok()?;
    let connected = target.flood(&problem.region);
    Problem::new(setup, &connected, target).ok()
}

/// The stones of the chain of a move and of those beside it.
fn problem_stones(game: &Game, last: Point) -> PointSet {
    let board = game.board();
    let around = grown(&PointSet::from_iter([last]), board.points(), 2);
    let chains = board.chains();
    let near = chains.filter(|chain| !chain.stones.is_disjoint(&around));
    near.fold(PointSet::EMPTY, |set, chain| set | chain.stones)
}

/// A set with all points that are so many steps away.
fn grown(set: &PointSet, within: &PointSet, steps: usize) -> PointSet {
    (0..steps).fold(*set, |set, _| (set | set.neighbors()) & *within)
}

/// The problem with Black to play in this player's place, without the stones that have nothing to do with it, turned
/// such that it is in the upper right of the board.
fn tidied(problem: &Problem, first: Color) -> Problem {
    let setup = problem.setup;
    let board = setup.board().expect("it is the position of a game");
    let concerned = problem.region | problem.region.neighbors();
    let chains = board.chains();
    let kept = chains
        .filter(|chain| !chain.stones.is_disjoint(&concerned))
        .fold(PointSet::EMPTY, |set, chain| set | chain.stones);
    let mut tidy = Setup {
        stones: setup.stones.map(|stones| stones & kept),
        to_move: first,
        ..setup
    };
    let mut defender = problem.defender;
    if first == Color::White {
        tidy = tidy.inverted();
        defender = !defender;
    }
    let size = setup.size;
    let far = |symmetry: &Symmetry| -> u32 {
        let turned = problem.region.iter();
        turned
            .map(|point| symmetry.apply(point, size))
            .map(|point| u32::from(point.y()) * 3 + u32::from(size.width() - 1 - point.x()) * 2)
            .sum()
    };
    let symmetry = Symmetry::all()
        .min_by_key(far)
        .expect("there are symmetries");
    Problem {
        setup: tidy.transformed(symmetry),
        region: symmetry.apply_to_set(&problem.region, size),
        target: symmetry.apply_to_set(&problem.target, size),
        defender,
    }
}

/// What tells a problem from others: the stones in its part of the board and beside it, and who is to save something.
fn essence(problem: &Problem) -> Setup {
    let concerned = problem.region | problem.region.neighbors();
    let setup = Setup {
        stones: problem.setup.stones.map(|stones| stones & concerned),
        to_move: problem.defender,
        ..problem.setup
    };
    setup.canonical().setup
}
