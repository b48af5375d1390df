//! Values that others have published, with certificates that the checker accepts.

use std::ops::ControlFlow;

use rand_core::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use tengen_core::{Color, Move, Setup, Size};
use tengen_solver::certificate::Writer;
use tengen_solver::verify::{KoRule, verify};
use tengen_solver::{Bound, BoundStatus, Interval, Options, Solver, StrategyStage};

fn solver(size: &str) -> Solver {
    let size: Size = size.parse().unwrap();
    let options = Options {
        memory: 1 << 26,
        ..Options::default()
    };
    Solver::new(&Setup::empty(size), options).unwrap()
}

/// Writes the certificate of a bound and has it checked.
fn check(solver: &Solver, bound: Bound) -> Vec<&'static str> {
    check_written(solver, bound, solver.certificate(bound).unwrap())
}

fn check_written(solver: &Solver, bound: Bound, writer: Writer) -> Vec<&'static str> {
    let mut file = Vec::new();
    writer.finish(&mut file).unwrap();
    let theorem = verify(file.as_slice(), &mut |_| ControlFlow::Continue(())).unwrap();
    assert_eq!(theorem.claim.bound.prover, bound.prover);
    assert_eq!(theorem.claim.bound.margin, bound.margin);
    assert_eq!(theorem.claim.start, *solver.setup());
    theorem.ko_rules.granted().map(KoRule::name).collect()
}

const EVERY_RULE: [&str; 3] = ["simple", "situational", "positional"];

#[test]
fn intervals_of_empty_boards_with_certificates() {
    for (size, lower, upper) in [
        ("1x2", 0, 0),
        ("1x3", 3, 3),
        ("1x4", 4, 4),
        ("1x5", -5, 5),
        ("1x6", -6, 6),
        ("1x7", -7, 7),
        ("2x2", -4, 4),
        ("2x3", -6, 6),
        ("2x4", 8, 8),
        ("5x2", 10, 10),
        ("2x6", 12, 12),
        ("2x7", 14, 14),
        ("3x3", 9, 9),
        ("3x4", 4, 12),
    ] {
        let mut solver = solver(size);
        let interval = solver.solve(&mut |_, _| {});
        assert_eq!(interval, Interval { lower, upper }, "{size}");
        for color in Color::BOTH {
            let granted = check(&solver, interval.bound(color));
            assert_eq!(granted, EVERY_RULE, "{size} {color}");
        }
    }
}

/// A solver that has proven what Black forces on 4x4.
fn four_by_four() -> (Solver, Bound) {
    let mut solver = solver("4x4");
    let bound = Bound {
        prover: Color::Black,
        margin: 1,
    };
    assert_eq!(solver.prove(bound, &mut |_, _| {}), BoundStatus::Proven);
    (solver, bound)
}

#[test]
fn four_by_four_is_at_least_one() {
    let (solver, bound) = four_by_four();
    assert_eq!(check(&solver, bound), EVERY_RULE);
}

#[test]
fn a_proof_that_was_not_mended_says_so() {
    let (solver, bound) = four_by_four();
    for is_stopped in [false, true] {
        let mut repeating = None;
        let writer = solver.certificate_watched(bound, &mut |progress| {
            repeating = progress.repeating;
            if is_stopped && progress.stage == StrategyStage::Comparing {
                solver.stop().stop();
            }
        });
        assert_eq!(repeating.map(|lines| lines > 0), Some(is_stopped));
        let granted = check_written(&solver, bound, writer.unwrap());
        assert!(is_stopped || granted == EVERY_RULE, "{granted:?}");
    }
}

#[test]
fn three_by_five_belongs_to_black() {
    let mut solver = solver("3x5");
    let bound = Bound {
        prover: Color::Black,
        margin: 15,
    };
    assert_eq!(solver.prove(bound, &mut |_, _| {}), BoundStatus::Proven);
    assert_eq!(check(&solver, bound), EVERY_RULE);
    let line = solver.line(bound);
    assert_eq!(Some(line[0]), solver.winning_move(bound));
}

#[test]
fn proofs_of_random_positions_are_granted_every_rule() {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(8);
    let mut proofs = 0;
    for size in ["3x3", "2x5", "3x4"] {
        let size: Size = size.parse().unwrap();
        for _ in 0..12 {
            let mut setup = Setup::empty(size);
            for point in size.points() {
                match random.next_u32() % 5 {
                    0 => _ = setup.stones[Color::Black].insert(point),
                    1 => _ = setup.stones[Color::White].insert(point),
                    _ => {}
                }
            }
            setup.to_move = Color::BOTH[random.next_u32() as usize % 2];
            let options = Options {
                memory: 1 << 22,
                ..Options::default()
            };
            // Stones without liberties cannot stand.
            let Ok(mut solver) = Solver::new(&setup, options) else {
                continue;
            };
            let interval = solver.solve(&mut |_, _| {});
            for color in Color::BOTH {
                let bound = interval.bound(color);
                assert_eq!(check(&solver, bound), EVERY_RULE, "{bound} {setup:?}");
                proofs += 1;
            }
        }
    }
    assert!(proofs > 50, "{proofs}");
}

fn value(moves: &[(Move, Interval)], size: &str, point: &str) -> (i32, i32) {
    let action = Move::from_gtp(point, size.parse().unwrap()).unwrap();
    let found = moves.iter().find(|(other, _)| *other == action).unwrap();
    (found.1.lower, found.1.upper)
}

#[test]
fn first_moves_of_three_by_three() {
    let mut solver = solver("3x3");
    let moves = solver.moves(&mut |_, _| {});
    assert_eq!(moves.len(), 10);
    for (point, interval) in [
        ("B2", (9, 9)),
        ("A2", (3, 9)),
        ("B3", (3, 9)),
        ("C3", (-9, -9)),
    ] {
        assert_eq!(value(&moves, "3x3", point), interval, "{point}");
    }
}

#[test]
fn first_moves_of_two_by_seven() {
    let mut solver = solver("2x7");
    let moves = solver.moves(&mut |_, _| {});
    for (row, expected) in [-14, -2, 14, 14, 14, -2, -14].into_iter().enumerate() {
        let point = format!("A{}", 7 - row);
        assert_eq!(
            value(&moves, "2x7", &point),
            (expected, expected),
            "{point}"
        );
    }
}
