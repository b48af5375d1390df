//! Values under superko, against an alpha-beta search that knows nothing but the rules.

use rand_core::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use tengen_core::{
    Board, ByColor, Color, Game, Ko, Komi, Move, Point, PointSet, Rules, Setup, Size, Suicide,
};
use tengen_solver::{Interval, Options, Solver};

fn rules(ko: Ko) -> Rules {
    Rules {
        ko,
        suicide: Suicide::Forbidden,
        ..Rules::TROMP_TAYLOR
    }
    .with_komi(Komi::from_halves(0))
}

/// Does Black get the margin? Everything is tried, but what cannot change the answer. `None` beyond so many moves.
fn black_gets(game: &mut Game, margin: i32, budget: &mut u32) -> Option<bool> {
    *budget = budget.checked_sub(1)?;
    if game.is_over() {
        return Some(game.score().margin_halves() / 2 >= margin);
    }
    let wanted = game.to_move() == Color::Black;
    let stones = game.legal_moves();
    let taking = game.board().capturing(game.to_move());
    let moves = (stones & taking).iter().chain((stones - taking).iter());
    let moves: Vec<Move> = moves.map(Move::Play).chain([Move::Pass]).collect();
    // Whoever likes the score as it stands tries to end the game.
    let moves: Vec<Move> = match (game.score().margin_halves() / 2 >= margin) == wanted {
        true => moves.into_iter().rev().collect(),
        false => moves,
    };
    for action in moves {
        game.play(action).unwrap();
        let answer = black_gets(game, margin, budget);
        game.undo();
        if answer? == wanted {
            return Some(wanted);
        }
    }
    Some(!wanted)
}

fn solver(setup: &Setup) -> Solver {
    let options = Options {
        memory: 1 << 20,
        ..Options::default()
    };
    Solver::new(setup, options).unwrap()
}

/// Compares the solver with brute force under both superko rules, and returns how many answers brute force had.
fn agree(solver: &mut Solver, budget: u32) -> usize {
    let setup = *solver.setup();
    let any_rule = solver.interval();
    let mut compared = 0;
    for ko in [Ko::Positional, Ko::Situational] {
        let mut game = Game::from_setup(&setup, rules(ko)).unwrap();
        let value = solver.solve_with_history(ko).value().unwrap();
        // What holds under every rule holds under this one.
        let within = any_rule.lower..=any_rule.upper;
        assert!(
            within.contains(&value),
            "{ko:?} {value} {any_rule}\n{setup}"
        );
        for (margin, expected) in [(value, true), (value + 1, false)] {
            if let Some(answer) = black_gets(&mut game, margin, &mut budget.clone()) {
                compared += 1;
                assert_eq!(answer, expected, "{ko:?} {margin} {value}\n{setup}");
            }
        }
    }
    compared
}

fn setup(size: Size, number: usize, to_move: Color) -> Option<Setup> {
    let mut stones = ByColor::<PointSet>::default();
    let mut digits = number;
    for point in size.points().iter().collect::<Vec<Point>>() {
        match digits % 3 {
            1 => _ = stones.black.insert(point),
            2 => _ = stones.white.insert(point),
            _ => {}
        }
        digits /= 3;
    }
    let board = Board::with_stones(size, stones).ok()?;
    Some(Setup::of(&board, to_move))
}

#[test]
fn brute_force_agrees_on_every_position_of_two_by_two() {
    let size = Size::square(2).unwrap();
    let mut compared = 0;
    for number in 0..81 {
        for to_move in Color::BOTH {
            if let Some(setup) = setup(size, number, to_move) {
                let mut solver = solver(&setup);
                solver.solve(&mut |_, _| {});
                compared += agree(&mut solver, 20_000);
            }
        }
    }
    assert!(compared > 400, "{compared} answers compared");
}

#[test]
fn brute_force_agrees_on_every_late_position_of_two_by_three() {
    let size: Size = "2x3".parse().unwrap();
    let mut positions = 0;
    let mut compared = 0;
    for number in 0..729 {
        for to_move in Color::BOTH {
            let setup = setup(size, number, to_move).filter(|setup| stones(setup) >= 4);
            if let Some(setup) = setup {
                positions += 1;
                compared += agree(&mut solver(&setup), 1_000);
            }
        }
    }
    assert!(
        positions > 500 && compared > 2 * positions,
        "{compared} answers for {positions} positions"
    );
}

#[test]
fn brute_force_agrees_on_late_positions_of_three_by_three() {
    agree_on_random_boards("3x3", 7, 300);
    agree_on_ends_of_games("3x3", 2_500);
}

#[test]
fn brute_force_agrees_on_late_positions_of_three_by_four() {
    agree_on_ends_of_games("4x3", 2_500);
}

/// Compares the answers for random boards with at least so many stones.
fn agree_on_random_boards(size: &str, least: usize, positions: usize) {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(21);
    let size: Size = size.parse().unwrap();
    let mut compared = 0;
    let mut tried = 0;
    while tried < positions {
        let number = (random.next_u64() % 3_u64.pow(size.area() as u32)) as usize;
        let to_move = Color::BOTH[random.next_u32() as usize % 2];
        let setup = setup(size, number, to_move).filter(|setup| stones(setup) >= least);
        if let Some(setup) = setup {
            tried += 1;
            compared += agree(&mut solver(&setup), 400);
        }
    }
    assert!(
        compared > 2 * positions,
        "{compared} answers for {positions} boards of {size}"
    );
}

/// Compares the answers for positions a few moves before nobody wants to play on in a random game.
fn agree_on_ends_of_games(size: &str, positions: usize) {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(34);
    let size: Size = size.parse().unwrap();
    let mut compared = 0;
    for _ in 0..positions {
        let mut game = Game::new(size, rules(Ko::Positional));
        let mut turns = 0;
        while !game.is_over() && turns < 60 {
            let own = *game.board().stones(game.to_move());
            let is_eye = |point: &Point| {
                let around = PointSet::from(*point).neighbors() & *game.board().points();
                around.is_subset(&own)
            };
            let points: Vec<Point> = game.legal_moves().iter().filter(|p| !is_eye(p)).collect();
            let action = match points.len() {
                0 => Move::Pass,
                count => Move::Play(points[random.next_u32() as usize % count]),
            };
            game.play(action).unwrap();
            turns += 1;
        }
        for _ in 0..3 + random.next_u32() % 3 {
            game.undo();
        }
        let setup = Setup::of(game.board(), game.to_move());
        compared += agree(&mut solver(&setup), 400);
    }
    assert!(
        compared > 2 * positions,
        "{compared} answers for {positions} games on {size}"
    );
}

fn stones(setup: &Setup) -> usize {
    (setup.stones.black | setup.stones.white).len()
}

#[test]
fn superko_values_of_the_smallest_boards() {
    for (size, value) in [
        ("1x1", 0),
        ("1x2", 0),
        ("1x3", 3),
        ("1x4", 4),
        ("1x5", 0),
        ("2x2", 1),
        ("2x3", 0),
    ] {
        for ko in [Ko::Positional, Ko::Situational] {
            let mut solver = solver(&Setup::empty(size.parse().unwrap()));
            solver.solve(&mut |_, _| {});
            let expected = Interval {
                lower: value,
                upper: value,
            };
            assert_eq!(solver.solve_with_history(ko), expected, "{size} {ko:?}");
        }
    }
}

#[test]
fn positions_that_tell_the_superko_rules_apart() {
    for (diagram, positional, situational) in [("X.X.X.", 1, 6), ("OOO\n.X.\nWhite to move", 0, -1)]
    {
        for (ko, value) in [(Ko::Positional, positional), (Ko::Situational, situational)] {
            let mut solver = solver(&diagram.parse().unwrap());
            solver.solve(&mut |_, _| {});
            assert_eq!(
                solver.solve_with_history(ko).value(),
                Some(value),
                "{diagram} {ko:?}"
            );
        }
    }
}
