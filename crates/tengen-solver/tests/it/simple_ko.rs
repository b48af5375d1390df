//! What `lower`, `upper` and the value under simple ko mean, against a brute force that shares nothing with the solver,
//! not even the rules.
//!
//! The game is that of `docs/solver.md`: simple ko, no suicide, two passes end it with the area score, and a game that
//! goes on for ever is worth what the reader likes: the worst for Black (`lower`), the worst for White (`upper`), or a
//! tie (simple ko).

use std::collections::HashMap;

use rand_core::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use tengen_core::{Color, Ko, Point, Setup, Size};
use tengen_solver::{Bound, BoundStatus, Interval, Options, Solver};

const EMPTY: u8 = 0;
const BLACK: u8 = 1;
const WHITE: u8 = 2;

/// A board as people write it down: the points row by row.
type Points = Vec<u8>;

/// Stones, who is to move, the point that simple ko forbids, and whether the last move was a pass.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Situation {
    points: Points,
    mover: u8,
    ko: Option<usize>,
    passed: bool,
}

enum Next {
    Situation(usize),
    /// The game ends with this margin for Black.
    End(i32),
}

/// All situations that can come of some positions, and what they are worth.
struct BruteForce {
    width: usize,
    height: usize,
    situations: Vec<Situation>,
    numbers: HashMap<Situation, usize>,
    moves: Vec<Vec<Next>>,
    /// What Black forces if endless games are lost for Black, lost for White, and ties.
    lower: Vec<i32>,
    upper: Vec<i32>,
    tied: Vec<i32>,
}

impl BruteForce {
    fn empty(size: Size) -> Self {
        Self {
            width: size.width().into(),
            height: size.height().into(),
            situations: Vec::new(),
            numbers: HashMap::new(),
            moves: Vec::new(),
            lower: Vec::new(),
            upper: Vec::new(),
            tied: Vec::new(),
        }
    }

    fn new(size: Size, starts: &[Setup]) -> Self {
        let mut all = Self::empty(size);
        for start in starts {
            let situation = situation(start);
            all.number(situation);
        }
        while all.moves.len() < all.situations.len() {
            let situation = all.situations[all.moves.len()].clone();
            let moves = all.play(&situation);
            all.moves.push(moves);
        }
        let area = size.area() as i32;
        all.lower = all.best_play(-area);
        all.upper = all.best_play(area);
        all.tied = all.with_ties();
        all
    }

    fn number(&mut self, situation: Situation) -> usize {
        let next = self.situations.len();
        let number = *self.numbers.entry(situation.clone()).or_insert(next);
        if number == next {
            self.situations.push(situation);
        }
        number
    }

    fn neighbours(&self, point: usize) -> Vec<usize> {
        let (x, y) = (point % self.width, point / self.width);
        let mut neighbours = Vec::new();
        if x > 0 {
            neighbours.push(point - 1);
        }
        if x + 1 < self.width {
            neighbours.push(point + 1);
        }
        if y > 0 {
            neighbours.push(point - self.width);
        }
        if y + 1 < self.height {
            neighbours.push(point + self.width);
        }
        neighbours
    }

    /// The connected points of the same kind, and the kinds of points beside them.
    fn connected(&self, points: &Points, from: usize) -> (Vec<usize>, Vec<u8>) {
        let mut found = vec![from];
        let mut beside = Vec::new();
        let mut next = 0;
        while next < found.len() {
            for neighbour in self.neighbours(found[next]) {
                if points[neighbour] != points[from] {
                    beside.push(points[neighbour]);
                } else if !found.contains(&neighbour) {
                    found.push(neighbour);
                }
            }
            next += 1;
        }
        (found, beside)
    }

    fn margin(&self, points: &Points) -> i32 {
        let owner = |point: usize| match points[point] {
            EMPTY => {
                let (_, beside) = self.connected(points, point);
                match (beside.contains(&BLACK), beside.contains(&WHITE)) {
                    (true, false) => 1,
                    (false, true) => -1,
                    _ => 0,
                }
            }
            BLACK => 1,
            _ => -1,
        };
        (0..points.len()).map(owner).sum()
    }

    fn play(&mut self, from: &Situation) -> Vec<Next> {
        let other = 3 - from.mover;
        let pass = if from.passed {
            Next::End(self.margin(&from.points))
        } else {
            Next::Situation(self.number(Situation {
                points: from.points.clone(),
                mover: other,
                ko: None,
                passed: true,
            }))
        };
        let mut moves = vec![pass];
        for point in 0..from.points.len() {
            if from.points[point] != EMPTY || from.ko == Some(point) {
                continue;
            }
            let mut points = from.points.clone();
            points[point] = from.mover;
            let mut captured = Vec::new();
            for neighbour in self.neighbours(point) {
                if points[neighbour] == other {
                    let (chain, beside) = self.connected(&points, neighbour);
                    if !beside.contains(&EMPTY) {
                        captured.extend(chain);
                    }
                }
            }
            captured.sort_unstable();
            captured.dedup();
            for stone in &captured {
                points[*stone] = EMPTY;
            }
            let (chain, beside) = self.connected(&points, point);
            if !beside.contains(&EMPTY) {
                continue;
            }
            // A lone stone that has taken one stone and has no liberty but there could be taken back at once.
            let liberties = beside.iter().filter(|kind| **kind == EMPTY).count();
            let is_ko = captured.len() == 1 && chain.len() == 1 && liberties == 1;
            moves.push(Next::Situation(self.number(Situation {
                points,
                mover: other,
                ko: is_ko.then(|| captured[0]),
                passed: false,
            })));
        }
        moves
    }

    /// The value of every situation: begun with what endless games are worth, and made as much better as moves show,
    /// until nothing changes. So only games that end make a difference.
    fn best_play(&self, endless: i32) -> Vec<i32> {
        let mut values = vec![endless; self.situations.len()];
        loop {
            let mut has_changed = false;
            for number in 0..values.len() {
                let worth = |next: &Next| match next {
                    Next::Situation(next) => values[*next],
                    Next::End(margin) => *margin,
                };
                let moves = self.moves[number].iter().map(worth);
                let value = match self.situations[number].mover {
                    BLACK => moves.max(),
                    _ => moves.min(),
                };
                let value = value.expect("a pass is always legal");
                has_changed |= value != values[number];
                values[number] = value;
            }
            if !has_changed {
                return values;
            }
        }
    }

    /// The value where an endless game is a tie, margin by margin: a positive one Black has to reach in a game that
    /// ends; for any other it is enough that White never brings the game to an end below it.
    fn with_ties(&self) -> Vec<i32> {
        let area = (self.width * self.height) as i32;
        let mut values = vec![-area; self.situations.len()];
        for margin in 1 - area..=area {
            let wanted = if margin > 0 { BLACK } else { WHITE };
            // Who has to bring about an end that satisfies.
            let satisfies = |end: i32| (end >= margin) == (wanted == BLACK);
            let mut is_won = vec![false; values.len()];
            let mut has_changed = true;
            while has_changed {
                has_changed = false;
                for number in 0..values.len() {
                    let good = |next: &Next| match next {
                        Next::Situation(next) => is_won[*next],
                        Next::End(end) => satisfies(*end),
                    };
                    let mut moves = self.moves[number].iter();
                    let won = match self.situations[number].mover == wanted {
                        true => moves.any(good),
                        false => moves.all(good),
                    };
                    has_changed |= won && !is_won[number];
                    is_won[number] |= won;
                }
            }
            for (value, won) in values.iter_mut().zip(is_won) {
                if won == (wanted == BLACK) {
                    *value = margin;
                }
            }
        }
        values
    }

    /// Does Black get a margin, or White hold Black to it, by play from one situation that remembers nothing but the
    /// path? A situation that comes back could come back for ever. `None` beyond so many situations.
    fn forces(
        &mut self,
        at: &Situation,
        bound: Bound,
        path: &mut Vec<Situation>,
        budget: &mut u32,
    ) -> Option<bool> {
        if path.contains(at) {
            return Some(false);
        }
        *budget = budget.checked_sub(1)?;
        path.push(at.clone());
        let prover = match bound.prover {
            Color::Black => BLACK,
            Color::White => WHITE,
        };
        let wanted = at.mover == prover;
        let mut answer = Some(!wanted);
        for next in self.play(at) {
            let outcome = match next {
                Next::End(margin) => Some(bound.holds_for(margin)),
                Next::Situation(next) => {
                    let next = self.situations[next].clone();
                    self.forces(&next, bound, path, budget)
                }
            };
            if outcome != Some(!wanted) {
                answer = outcome;
                break;
            }
        }
        path.pop();
        answer
    }

    fn interval(&self, setup: &Setup) -> Interval {
        let number = self.numbers[&situation(setup)];
        Interval {
            lower: self.lower[number],
            upper: self.upper[number],
        }
    }

    fn simple_ko(&self, setup: &Setup) -> i32 {
        self.tied[self.numbers[&situation(setup)]]
    }
}

fn situation(setup: &Setup) -> Situation {
    let mut points = Vec::new();
    for y in 0..setup.size.height() {
        for x in 0..setup.size.width() {
            let point = Point::new(x, y);
            points.push(if setup.stones.black.contains(point) {
                BLACK
            } else if setup.stones.white.contains(point) {
                WHITE
            } else {
                EMPTY
            });
        }
    }
    Situation {
        points,
        mover: match setup.to_move {
            Color::Black => BLACK,
            Color::White => WHITE,
        },
        ko: None,
        passed: false,
    }
}

/// A position of a size by its number, if it can stand.
fn setup(size: Size, number: u64, to_move: Color) -> Option<Setup> {
    let mut setup = Setup::empty(size);
    setup.to_move = to_move;
    let mut digits = number;
    for y in 0..size.height() {
        for x in 0..size.width() {
            match digits % 3 {
                1 => _ = setup.stones.black.insert(Point::new(x, y)),
                2 => _ = setup.stones.white.insert(Point::new(x, y)),
                _ => {}
            }
            digits /= 3;
        }
    }
    setup.board().is_ok().then_some(setup)
}

fn all(size: Size) -> Vec<Setup> {
    let numbers = 0..3_u64.pow(size.area() as u32);
    let both = |number| Color::BOTH.map(|color| setup(size, number, color));
    numbers.flat_map(both).flatten().collect()
}

fn solver(setup: &Setup) -> Solver {
    let options = Options {
        memory: 1 << 20,
        ..Options::default()
    };
    Solver::new(setup, options).unwrap()
}

/// The solver says what brute force does about a position. Returns whether repetitions decide there.
fn agree(truth: &BruteForce, setup: &Setup) -> bool {
    let mut solver = solver(setup);
    let interval = solver.solve(&mut |_, _| {});
    let expected = truth.interval(setup);
    assert!(solver.is_exact(), "{interval} {expected}\n{setup}");
    assert_eq!(interval, expected, "\n{setup}");
    let simple = solver.solve_with_history(Ko::Simple);
    let tied = truth.simple_ko(setup);
    assert_eq!(simple, Interval::point(tied), "\n{setup}");
    interval.value().is_none()
}

/// A bound that is asked for alone is decided as brute force does.
fn agree_on_bounds(truth: &BruteForce, setup: &Setup) {
    let expected = truth.interval(setup);
    let tied = truth.simple_ko(setup);
    let area = setup.size.area() as i32;
    for prover in Color::BOTH {
        for margin in [-area, -1, 0, 1, expected.lower, expected.upper + 1, tied] {
            if margin.abs() > area {
                continue;
            }
            let bound = Bound { prover, margin };
            let mut solver = solver(setup);
            let verdict = match expected.implies(bound) {
                true => BoundStatus::Proven,
                false => BoundStatus::Refuted,
            };
            assert_eq!(
                solver.prove(bound, &mut |_, _| {}),
                verdict,
                "{bound}\n{setup}"
            );
            let ruled = solver.prove_with_history(Ko::Simple, bound, &mut |_, _| {});
            assert_eq!(
                ruled.implies(bound),
                bound.holds_for(tied),
                "{bound}\n{setup}"
            );
            assert_ne!(
                ruled.implies(bound),
                ruled.implies(bound.opposite()),
                "{bound}\n{setup}"
            );
        }
    }
}

/// So many positions of a size with at least so many stones.
fn random(size: Size, least: usize, count: usize) -> Vec<Setup> {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(77);
    let mut found = Vec::new();
    while found.len() < count {
        let number = random.next_u64() % 3_u64.pow(size.area() as u32);
        let color = Color::BOTH[random.next_u32() as usize % 2];
        let has_enough = |setup: &Setup| (setup.stones.black | setup.stones.white).len() >= least;
        found.extend(setup(size, number, color).filter(has_enough));
    }
    found
}

#[test]
fn every_position_of_two_by_two_and_two_by_three() {
    for (size, open_least) in [("2x2", 10), ("2x3", 100)] {
        let size: Size = size.parse().unwrap();
        let setups = all(size);
        let truth = BruteForce::new(size, &setups);
        let open = setups.iter().filter(|setup| agree(&truth, setup)).count();
        assert!(open >= open_least, "{open} positions of {size} are open");
        for setup in setups.iter().step_by(7) {
            agree_on_bounds(&truth, setup);
        }
    }
}

#[test]
fn random_positions_of_two_by_four_and_three_by_three() {
    for size in ["2x4", "3x3"] {
        let size: Size = size.parse().unwrap();
        let setups = random(size, 0, 300);
        let truth = BruteForce::new(size, &setups);
        let open = setups.iter().filter(|setup| agree(&truth, setup)).count();
        assert!(open > 2, "{open} positions of {size} are open");
        for setup in &setups[..20] {
            agree_on_bounds(&truth, setup);
        }
    }
}

/// On 3x4 there are too many situations for all of them, so that positions near the end are played out.
#[test]
fn random_positions_of_three_by_four() {
    let size: Size = "3x4".parse().unwrap();
    let mut compared = 0;
    for setup in random(size, 10, 150) {
        let mut solver = solver(&setup);
        let interval = solver.solve(&mut |_, _| {});
        assert!(solver.is_exact(), "{interval}\n{setup}");
        let mut play = BruteForce::empty(size);
        for prover in Color::BOTH {
            let forced = interval.bound(prover);
            let more = Bound::new(prover, forced.margin + prover.sign(1));
            for (bound, expected) in [(forced, true), (more, false)] {
                let start = situation(&setup);
                let truth = play.forces(&start, bound, &mut Vec::new(), &mut 3_000);
                compared += usize::from(truth.is_some());
                assert_ne!(truth, Some(!expected), "{bound} {interval}\n{setup}");
            }
        }
    }
    assert!(compared > 150, "{compared} answers of brute force");
}

/// The positions with which two meanings of simple ko, and intervals that were not exact, were found.
#[test]
fn positions_that_had_two_answers() {
    for (diagram, interval) in [
        (".OO.\nOX.O\nBlack to move", (-1, -1)),
        ("XXOX\n.X..\nWhite to move", (1, 1)),
        (".O.\nX.O\nO.O\nBlack to move", (9, 9)),
    ] {
        let setup: Setup = diagram.parse().unwrap();
        let truth = BruteForce::new(setup.size, &[setup]);
        let (lower, upper) = interval;
        assert_eq!(
            truth.interval(&setup),
            Interval { lower, upper },
            "{diagram}"
        );
        agree(&truth, &setup);
        agree_on_bounds(&truth, &setup);
    }
}
