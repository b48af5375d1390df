//! What ratings promise.

use tengen_train::{Results, UnknownPlayer, expected_score};

#[test]
fn known_strengths_are_found() {
    let strengths = [0.0, 120.0, -80.0, 400.0, 390.0];
    let mut results = Results::new(4);
    assert_eq!(results.add_player(), 4);
    for first in 0..strengths.len() {
        // Not all play all: a chain of opponents is enough.
        for second in first + 1..(first + 3).min(strengths.len()) {
            let share = expected_score(strengths[first] - strengths[second]);
            for game in 0..2000 {
                let won = f64::from(game) + 0.5 < 2000.0 * share;
                results
                    .add(first, second, f64::from(u8::from(won)))
                    .unwrap();
            }
        }
    }
    let ratings = results.ratings().against(0).unwrap();
    for (found, strength) in ratings.iter().zip(strengths) {
        assert!((found.value - strength).abs() < 2.0, "{found:?} {strength}");
    }
    assert_eq!((ratings[0].value, ratings[0].error), (0.0, 0.0));
    // Whoever is farther away in the chain is known less well.
    assert!(ratings[4].error > ratings[1].error);
}

#[test]
fn error_bars_are_those_of_theory() {
    let mut results = Results::new(2);
    for _ in 0..400 {
        results.add(0, 1, 0.5).unwrap();
    }
    let even = results.ratings().difference(0, 1).unwrap();
    // The curvature of 400 even games is 100, and a unit is 173.7 Elo.
    assert!(even.value.abs() < 1e-6);
    assert!((even.error - 1.96 * 173.72 / 10.0).abs() < 0.1, "{even:?}");
}

#[test]
fn nothing_but_wins_is_a_finite_rating() {
    let mut results = Results::new(3);
    for _ in 0..1000 {
        results.add(0, 1, 1.0).unwrap();
    }
    let ratings = results.ratings();
    let won = ratings.difference(0, 1).unwrap();
    assert!(won.value > 1000.0 && won.value < 4000.0, "{won:?}");
    // Who has not played is average, more or less anything.
    let idle = ratings.difference(2, 1).unwrap();
    assert!(idle.error > 500.0 && idle.error.is_finite());
    assert_eq!(ratings.difference(3, 0), Err(UnknownPlayer(3)));
    assert_eq!(results.add(0, 7, 1.0), Err(UnknownPlayer(7)));
    assert!(Results::new(0).ratings().against(0).is_ok());
}
