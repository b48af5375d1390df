//! Values that depend on the ko rule, against an alpha-beta search that knows nothing but the rules.

use rand_core::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use tengen_core::{
    Board, ByColor, Color, Game, Ko, Komi, Move, Outcome, Point, PointSet, Repetition,
    RepetitionEffect, Rules, Setup, Size, Suicide,
};
use tengen_solver::{Interval, Options, Solver};

fn rules(ko: Ko) -> Rules {
    Rules {
        ko,
        suicide: Suicide::Forbidden,
        repetition: match ko {
            Ko::Simple => Repetition::all(RepetitionEffect::Draws),
            Ko::Positional | Ko::Situational => Repetition::PLAY_ON,
        },
        ..Rules::TROMP_TAYLOR
    }
    .with_komi(Komi::from_halves(0))
}

/// Does Black get the margin? Everything is tried, but what cannot change the answer. `None` beyond so many moves.
fn black_gets(game: &mut Game, margin: i32, budget: &mut u32) -> Option<bool> {
    *budget = budget.checked_sub(1)?;
    if let Some(outcome) = game.outcome() {
        let drawn_by_repetition = outcome == Outcome::Draw && game.passes() < 2;
        let value = if drawn_by_repetition {
            0
        } else {
            game.score().margin_halves() / 2
        };
        return Some(value >= margin);
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

fn agree(setup: &Setup, budget: u32) -> usize {
    let mut compared = 0;
    let mut solver = solver(setup);
    let any_rule = solver.solve(&mut |_, _| {});
    for ko in [Ko::Simple, Ko::Positional, Ko::Situational] {
        let game = Game::from_setup(setup, rules(ko)).unwrap();
        // What brute force cannot decide at all is not asked about.
        let middle = any_rule.lower + (any_rule.upper - any_rule.lower + 1) / 2;
        if black_gets(&mut game.clone(), middle, &mut budget.clone()).is_none() {
            continue;
        }
        let value = solver.solve_with_history(ko).value().unwrap();
        let about = [middle, value, value + 1, any_rule.lower, any_rule.upper + 1];
        for margin in about {
            let mut left = budget;
            let Some(answer) = black_gets(&mut game.clone(), margin, &mut left) else {
                continue;
            };
            compared += 1;
            assert_eq!(value >= margin, answer, "{ko:?} {margin} {value}\n{setup}");
            // What holds under every rule holds under this one.
            assert!(
                answer || margin > any_rule.lower,
                "{ko:?} {any_rule}\n{setup}"
            );
            assert!(
                !answer || margin <= any_rule.upper,
                "{ko:?} {any_rule}\n{setup}"
            );
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
                compared += agree(&setup, 20_000);
            }
        }
    }
    assert!(compared > 500, "{compared} answers compared");
}

#[test]
fn brute_force_agrees_on_late_positions() {
    let positions = 60;
    let mut random = Xoshiro256PlusPlus::seed_from_u64(21);
    for (size, least) in [("2x3", 4), ("3x3", 7), ("4x3", 10)] {
        let size: Size = size.parse().unwrap();
        let mut compared = 0;
        let mut tried = 0;
        while tried < positions {
            let number = (random.next_u64() % 3_u64.pow(size.area() as u32)) as usize;
            let to_move = Color::BOTH[random.next_u32() as usize % 2];
            let Some(setup) = setup(size, number, to_move) else {
                continue;
            };
            if (setup.stones.black | setup.stones.white).len() < least {
                continue;
            }
            tried += 1;
            compared += agree(&setup, 5_000);
        }
        assert!(
            compared > positions,
            "{compared} answers compared on {size}"
        );
    }
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
