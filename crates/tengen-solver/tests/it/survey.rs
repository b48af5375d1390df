//! A position and all of its moves, in portions.

use rand_core::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use tengen_core::{Color, Ko, Move, Setup, Size};
use tengen_solver::{Interval, MoveValue, Options, Solver, Survey, Values};

const OPTIONS: Options = Options {
    memory: 1 << 24,
    threads: std::num::NonZeroUsize::MIN,
    techniques: tengen_solver::Techniques::ALL,
};

fn solver(board: &str) -> Solver {
    let setup = match board.parse::<Size>() {
        Ok(size) => Setup::empty(size),
        Err(_) => board.replace('/', "\n").parse().unwrap(),
    };
    Solver::new(&setup, OPTIONS).unwrap()
}

fn finished(mut survey: Survey) -> Values {
    while !survey.is_done() {
        survey.go_on(20_000);
    }
    survey.values()
}

fn value(values: &Values, size: &str, point: &str) -> (i32, i32) {
    let action = Move::from_gtp(point, size.parse().unwrap()).unwrap();
    let found = values.moves.iter().find(|value| value.action == action);
    let Interval { lower, upper } = found.unwrap().interval;
    (lower, upper)
}

fn contains(outer: Interval, inner: Interval) -> bool {
    outer.lower <= inner.lower && inner.upper <= outer.upper
}

#[test]
fn a_survey_finds_what_solving_each_move_finds() {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(77);
    let mut surveyed = 0;
    for size in ["2x2", "2x3", "3x3", "2x4", "1x6"] {
        let size: Size = size.parse().unwrap();
        for number in 0..12 {
            let mut setup = Setup::empty(size);
            for point in size.points() {
                match random.next_u32() % 4 {
                    0 => _ = setup.stones[Color::Black].insert(point),
                    1 => _ = setup.stones[Color::White].insert(point),
                    _ => {}
                }
            }
            setup.to_move = Color::BOTH[random.next_u32() as usize % 2];
            let Ok(mut slow) = Solver::new(&setup, OPTIONS) else {
                continue;
            };
            let mut quick = Solver::new(&setup, OPTIONS).unwrap();
            if number % 3 == 0 {
                slow = slow.after_pass();
                quick = quick.after_pass();
            }
            let interval = slow.solve(&mut |_, _| {});
            let moves = slow.moves(&mut |_, _| {});
            let mut survey = Survey::new(quick, None, u64::MAX);
            while !survey.is_done() {
                survey.go_on(1);
                // What is said on the way is true.
                let values = survey.values();
                assert!(contains(values.interval, interval), "{setup:?}");
                for (known, (_, exact)) in values.moves.iter().zip(&moves) {
                    assert!(contains(known.interval, *exact), "{setup:?}");
                }
            }
            let values = survey.values();
            assert!(values.is_complete && values.is_finished);
            assert_eq!(values.interval, interval, "{setup:?}");
            let found = |value: &MoveValue| (value.action, value.interval);
            assert_eq!(values.moves.iter().map(found).collect::<Vec<_>>(), moves);
            assert!(values.moves.iter().all(|value| value.is_complete));
            surveyed += 1;
        }
    }
    assert!(surveyed > 30, "{surveyed}");
}

#[test]
fn the_size_of_portions_changes_nothing() {
    let survey = |portion: u64| {
        let mut survey = Survey::new(solver("3x4"), Some(Ko::Positional), 60_000);
        while !survey.is_done() {
            survey.go_on(portion);
        }
        survey.values()
    };
    let values = survey(1);
    assert!(!values.is_finished);
    assert_eq!(survey(7_000), values);
    assert_eq!(survey(u64::MAX), values);
}

#[test]
fn what_a_small_effort_knew_is_not_lost_in_a_larger_one() {
    let early = finished(Survey::new(solver("3x4"), None, 30_000));
    let mut late = Survey::new(solver("3x4"), None, u64::MAX);
    late.go_on(1);
    let mut values = late.values();
    assert_ne!(values.interval, early.interval);
    values.learn(&early);
    assert_eq!(values.interval, early.interval);
    for (value, before) in values.moves.iter().zip(&early.moves) {
        assert!(contains(before.interval, value.interval));
    }
}

#[test]
fn first_moves_of_three_by_three_with_the_word_of_the_checker() {
    let values = finished(Survey::new(solver("3x3"), Some(Ko::Positional), 1_000_000));
    assert_eq!(values.interval.value(), Some(9));
    for (points, expected) in [
        (["B2", "B2"], (9, 9)),
        (["A2", "B1"], (3, 9)),
        (["A1", "C3"], (-9, -9)),
    ] {
        for point in points {
            assert_eq!(value(&values, "3x3", point), expected, "{point}");
        }
    }
    let best = |value: &&MoveValue| values.is_best(value, Color::Black);
    let best: Vec<_> = values.moves.iter().filter(best).collect();
    assert_eq!(best.len(), 1);
    assert_eq!(values.granted.map(|rules| rules.len()), Some(3));
    assert_eq!(values.ruled, None);
}

#[test]
fn first_moves_of_four_by_four_within_the_effort_of_the_app() {
    let values = finished(Survey::new(solver("4x4"), None, 1_500_000));
    assert_eq!((values.interval.lower, values.interval.upper), (1, 16));
    for column in ["A", "B", "C", "D"] {
        for row in 1..=4 {
            let is_centre = matches!(column, "B" | "C") && matches!(row, 2 | 3);
            let expected = if is_centre { (1, 16) } else { (-16, -16) };
            let point = format!("{column}{row}");
            assert_eq!(value(&values, "4x4", &point), expected, "{point}");
        }
    }
}

#[test]
fn first_moves_in_the_middle_of_three_by_five() {
    let values = finished(Survey::new(solver("3x5"), None, 1_500_000));
    assert_eq!(values.interval.value(), Some(15));
    for (row, expected) in [-15, 15, 15, 15, -15].into_iter().enumerate() {
        let point = format!("B{}", row + 1);
        assert_eq!(value(&values, "3x5", &point), (expected, expected));
    }
}

#[test]
fn the_rule_decides_where_repetitions_do() {
    for (size, ko, expected) in [
        ("2x2", Ko::Positional, 1),
        ("2x3", Ko::Situational, 0),
        ("2x3", Ko::Positional, 0),
    ] {
        let values = finished(Survey::new(solver(size), Some(ko), 4_000_000));
        assert!(values.is_complete && values.interval.value().is_none());
        let exact = Interval {
            lower: expected,
            upper: expected,
        };
        assert_eq!(values.ruled, Some((ko, exact)), "{size}");
        assert_eq!(values.granted, None);
    }
    // Under simple ko nothing is searched: a repetition is no result, or what players make of it.
    let values = finished(Survey::new(solver("2x2"), Some(Ko::Simple), 4_000_000));
    assert!(values.is_finished && values.ruled.is_none());
}

#[test]
fn after_a_pass_another_one_ends_the_game() {
    let survey = Survey::new(solver("X.X/XXX/...").after_pass(), None, 100_000);
    let values = finished(survey);
    let pass = values.moves.last().unwrap();
    assert_eq!((pass.action, pass.interval.value()), (Move::Pass, Some(9)));
}
