//! The local game played out in the simplest way, on the boards of the rules engine, beside the solver.

use std::collections::{HashMap, HashSet};

use rand_core::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use tengen_core::{Board, Color, PointSet, Setup, Size, Suicide};
use tengen_solver::certificate::local::{Goal, Supply, Threats};
use tengen_solver::local::{Finding, Problem, SCENARIOS};

use super::{check, solver};

/// A situation: stones, turn and ban, and the ko threats of attacker and defender.
type State = (Setup, [u8; 2]);

/// All situations of a problem, and what comes of the moves in each.
struct Game {
    problem: Problem,
    goal: Goal,
    states: Vec<State>,
    /// Where the game is over: is it won by the prover?
    ends: Vec<Option<bool>>,
    moves: Vec<Vec<usize>>,
}

/// How many ko threats stand for any number on boards as small as these.
const MANY: u8 = 3;

/// Problems with more situations are left out.
const MOST_STATES: usize = 3000;

fn count(supply: Supply) -> u8 {
    match supply {
        Supply::Count(count) => count,
        Supply::Any => MANY,
    }
}

impl Game {
    /// Finds all situations; `None` if there are too many.
    fn new(problem: Problem, goal: Goal, threats: Threats) -> Option<Self> {
        let threats = [count(threats.attacker), count(threats.defender)];
        let mut game = Self {
            problem,
            goal,
            states: vec![(problem.setup, threats)],
            ends: Vec::new(),
            moves: Vec::new(),
        };
        let mut numbers = HashMap::from([(game.states[0], 0)]);
        while game.moves.len() < game.states.len() {
            let state = game.states[game.moves.len()];
            let end = game.end(&state.0);
            game.ends.push(end);
            let next = match end {
                Some(_) => Vec::new(),
                None => game.next(&state),
            };
            let mut moves = Vec::new();
            for next in next {
                let number = *numbers.entry(next).or_insert(game.states.len());
                if number == game.states.len() {
                    game.states.push(next);
                }
                moves.push(number);
            }
            game.moves.push(moves);
            if game.states.len() > MOST_STATES {
                return None;
            }
        }
        Some(game)
    }

    /// Is the game over, and won by the prover?
    fn end(&self, setup: &Setup) -> Option<bool> {
        let target = self.problem.target & setup.stones[self.problem.defender];
        match self.goal {
            Goal::Capture => target.is_empty().then_some(true),
            Goal::Stand => target.is_empty().then_some(false),
            Goal::Live if target.is_empty() => Some(false),
            Goal::Live => self.some_cannot_be_captured(setup).then_some(true),
        }
    }

    fn next(&self, (setup, threats): &State) -> Vec<State> {
        let role = usize::from(setup.to_move == self.problem.defender);
        let mut next = Vec::new();
        for point in self.problem.region {
            let mut left = *threats;
            let mut unbanned = *setup;
            if setup.ko == Some(point) {
                if left[role] == 0 {
                    continue;
                }
                left[role] -= 1;
                unbanned.ko = None;
            }
            let mut board = unbanned.board().unwrap();
            if board.play(point, setup.to_move, Suicide::Forbidden).is_ok() {
                next.push((Setup::of(&board, !setup.to_move), left));
            }
        }
        if role == 1 || setup.ko.is_some() || self.goal == Goal::Live {
            let to_move = !setup.to_move;
            let ko = None;
            next.push((
                Setup {
                    to_move,
                    ko,
                    ..*setup
                },
                *threats,
            ));
        }
        next
    }

    /// Does some stone of the target stay whatever the attacker plays, if the defender never plays again?
    fn some_cannot_be_captured(&self, setup: &Setup) -> bool {
        let attacker = self.problem.attacker();
        let start = Setup { ko: None, ..*setup }.board().unwrap();
        let mut safe = self.problem.target & setup.stones[self.problem.defender];
        let mut seen: HashSet<[PointSet; 2]> = HashSet::new();
        let mut waiting = vec![start];
        while let Some(board) = waiting.pop() {
            let stones = Color::BOTH.map(|color| *board.stones(color));
            if !seen.insert(stones) {
                continue;
            }
            safe &= *board.stones(self.problem.defender);
            for point in self.problem.region {
                // The attacker may take where a ko was, since the defender passes in between.
                let mut after = Setup {
                    ko: None,
                    ..Setup::of(&board, attacker)
                }
                .board()
                .unwrap();
                if after.play(point, attacker, Suicide::Forbidden).is_ok() {
                    waiting.push(after);
                }
            }
        }
        !safe.is_empty()
    }

    fn is_prover(&self, state: usize) -> bool {
        let is_defender = self.states[state].0.to_move == self.problem.defender;
        is_defender == (self.goal != Goal::Capture)
    }

    /// Is a situation won if these are? An attacker without a move gives up.
    fn by_moves(&self, state: usize, won: impl Fn(usize) -> bool) -> bool {
        match self.ends[state] {
            Some(won) => won,
            None if self.is_prover(state) => self.moves[state].iter().any(|next| won(*next)),
            None => self.moves[state].iter().all(|next| won(*next)),
        }
    }

    /// Does the prover reach the goal? Situations are won if that follows from those that were won before.
    fn value(&self) -> bool {
        let mut won = vec![false; self.states.len()];
        loop {
            let mut changed = false;
            for state in (0..self.states.len()).rev() {
                if !won[state] && self.by_moves(state, |next| won[next]) {
                    won[state] = true;
                    changed = true;
                }
            }
            if !changed {
                return won[0];
            }
        }
    }

    /// The same with nothing remembered but the line itself, on which no situation may come twice; `None` if that takes
    /// too long.
    fn value_with_history(&self, budget: &mut u32) -> Option<bool> {
        fn look(game: &Game, line: &mut Vec<usize>, budget: &mut u32) -> Option<bool> {
            *budget = budget.checked_sub(1)?;
            let state = line[line.len() - 1];
            if let Some(won) = game.ends[state] {
                return Some(won);
            }
            let wanted = game.is_prover(state);
            for next in &game.moves[state] {
                let won = if line.contains(next) {
                    false
                } else {
                    line.push(*next);
                    let won = look(game, line, budget)?;
                    line.pop();
                    won
                };
                if won == wanted {
                    return Some(wanted);
                }
            }
            Some(!wanted)
        }
        look(self, &mut vec![0], budget)
    }
}

/// A problem on a few points of a small board.
fn random_problem(random: &mut Xoshiro256PlusPlus) -> Option<Problem> {
    let sizes = ["4x3", "5x2", "3x4", "4x4", "6x2"];
    let mut below = |limit: usize| random.next_u32() as usize % limit;
    let size: Size = sizes[below(sizes.len())].parse().unwrap();
    let mut board = Board::new(size);
    for _ in 0..4 + below(12) {
        let color = Color::BOTH[below(2)];
        let playable = board.playable(color, Suicide::Forbidden);
        if let Some(point) = playable.nth(below(playable.len().max(1))) {
            board.play_unchecked(point, color, |_| {});
        }
    }
    let points = size.points();
    let mut region = PointSet::from(points.nth(below(points.len()))?);
    for _ in 0..3 + below(6) {
        let around = region.neighbors() & (points - region);
        region.extend(around.nth(below(around.len().max(1))));
    }
    let mover = Color::BOTH[below(2)];
    let setup = Setup {
        ko: None,
        ..Setup::of(&board, mover)
    };
    let defender = Color::BOTH[below(2)];
    let stones = region & *board.stones(defender);
    let chain = board.chain_at(stones.nth(below(stones.len().max(1)))?)?;
    let target = if below(2) == 0 { chain.stones } else { stones };
    let problem = Problem::new(&setup, &region, &target).ok()?;
    let is_small = problem.region.len() <= 7;
    is_small.then_some(problem)
}

#[test]
fn the_solver_agrees_with_plain_play() {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(21);
    let mut tried = 0;
    let (mut proven, mut impossible, mut with_history) = (0, 0, 0);
    while tried < 40 {
        let Some(problem) = random_problem(&mut random) else {
            continue;
        };
        tried += 1;
        let mut solver = solver(problem);
        for threats in SCENARIOS {
            let mut found = [false; 3];
            for (at, goal) in Goal::ALL.into_iter().enumerate() {
                let Some(game) = Game::new(problem, goal, threats) else {
                    continue;
                };
                let value = game.value();
                let finding = solver.prove(goal, threats, problem.setup.to_move);
                let told = format!("{goal:?} {threats:?}\n{}", problem.setup.board().unwrap());
                match finding {
                    Finding::Proven => assert!(value, "{told}"),
                    Finding::Impossible => assert!(!value, "{told}"),
                    Finding::Open => panic!("{told}"),
                }
                if let Some(plain) = game.value_with_history(&mut 5000) {
                    assert_eq!(plain, value, "{told}");
                    with_history += 1;
                }
                found[at] = value;
                if value {
                    proven += 1;
                    check(&mut solver, goal, threats, problem.setup.to_move);
                } else {
                    impossible += 1;
                }
            }
            let [captured, stands, lives] = found;
            assert!(!(captured && stands) && (stands || !lives));
        }
    }
    assert!(
        proven > 100 && impossible > 100 && with_history > 100,
        "{proven} proven, {impossible} impossible, {with_history} with history"
    );
}
