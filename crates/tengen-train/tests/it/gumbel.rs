//! What the search of self-play promises.

use rand_core::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;
use tengen_core::{Game, Ko, Move, Point, Rules, Setup, Size, Suicide};
use tengen_search::{Evaluator, Leaf, Rollouts, Tuning};
use tengen_train::{Gumbel, GumbelOptions, Noise, Plan, decided};

use crate::evaluators::{Counting, Flat, Opinionated, moves};
use crate::oracle;

fn position(diagram: &str, komi: &str) -> Game {
    let setup: Setup = diagram.parse().unwrap();
    Game::from_setup(&setup, Rules::default().with_komi(komi.parse().unwrap())).unwrap()
}

fn empty(size: &str) -> Game {
    Game::new(size.parse().unwrap(), Rules::default())
}

fn search(evaluator: &mut dyn Evaluator, game: &Game, options: GumbelOptions, seed: u64) -> Plan {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    Gumbel::new(options).search(evaluator, game, &mut rng)
}

fn quiet(simulations: u32, considered: u32) -> GumbelOptions {
    GumbelOptions {
        simulations,
        considered,
        noise: Noise::Off,
        ..GumbelOptions::default()
    }
}

/// White's stones are in atari at A5, and Black's in the corner at E5: whoever captures first wins.
const RACE: &str = "
    . O X X .
    X O O X X
    X X O O X
    . X X O O
    X X X X X";

#[test]
fn finds_the_capture_that_wins() {
    for (to_move, capture) in [("Black", Point::new(0, 0)), ("White", Point::new(4, 0))] {
        let game = position(&format!("{RACE}\n{to_move} to move"), "7");
        for seed in 0..5 {
            for evaluator in [
                &mut Counting as &mut dyn Evaluator,
                &mut Rollouts::new(&Tuning::default()),
            ] {
                let options = GumbelOptions {
                    simulations: 64,
                    ..GumbelOptions::default()
                };
                let plan = search(evaluator, &game, options, seed);
                assert_eq!(
                    plan.action,
                    Move::Play(capture),
                    "{to_move}, seed {seed}: {plan:?}"
                );
            }
        }
    }
}

#[test]
fn every_simulation_is_spent_and_no_more() {
    /// Counts what it is asked.
    struct Asked(u32);
    impl Evaluator for Asked {
        fn begin(&mut self, _game: &Game, _seed: u64) {}
        fn evaluate(&mut self, leaves: &mut [Leaf]) {
            self.0 += leaves.len() as u32;
            Flat.evaluate(leaves);
            // Without passes no game ends here, and each simulation asks once.
            leaves[0].evaluation.priors.pop();
        }
    }
    for simulations in 2..70 {
        for considered in [1, 2, 3, 5, 8, 16, 500] {
            let mut evaluator = Asked(0);
            let plan = search(
                &mut evaluator,
                &empty("5x6"),
                quiet(simulations, considered),
                1,
            );
            let visits: u32 = plan.moves.iter().map(|of| of.visits).sum();
            assert_eq!((visits, evaluator.0), (simulations, simulations + 1));
            let tried = plan.moves.iter().filter(|of| of.visits > 0).count() as u32;
            assert_eq!(tried, considered.min(simulations).min(30));
        }
    }
}

#[test]
fn halving_gives_the_better_half_twice_as_much() {
    let plan = search(&mut Opinionated, &empty("9"), quiet(64, 16), 1);
    let mut visits: Vec<u32> = plan
        .moves
        .iter()
        .map(|of| of.visits)
        .filter(|visits| *visits > 0)
        .collect();
    visits.sort_unstable();
    assert_eq!(visits, [1, 1, 1, 1, 1, 1, 1, 1, 3, 3, 3, 3, 7, 7, 15, 15]);
}

#[test]
fn does_what_the_plain_search_does() {
    let mut game = empty("4x3");
    for turn in 0..12 {
        for (simulations, considered) in [(2, 2), (30, 4), (100, 16), (300, 8)] {
            for value_scale in [0.02, 0.3] {
                let options = GumbelOptions {
                    value_scale,
                    score_weight: 0.0,
                    ..quiet(simulations, considered)
                };
                let plan = search(&mut Opinionated, &game, options, 1);
                let (action, expected, wins) = oracle::search(&game, &options);
                assert_eq!(plan.action, action, "turn {turn}");
                assert!((f64::from(plan.black_wins) - wins).abs() < 1e-5);
                for (found, (visits, policy)) in plan.moves.iter().zip(&expected) {
                    assert_eq!(found.visits, *visits, "turn {turn}: {found:?}");
                    assert!(
                        (f64::from(found.policy) - policy).abs() < 1e-4,
                        "{found:?} {policy}"
                    );
                }
            }
        }
        let drawn = moves(&game).nth(turn % 4).unwrap();
        game.play(drawn).unwrap();
    }
}

#[test]
fn the_improved_policy_is_a_policy_and_improves() {
    let game = position(&format!("{RACE}\nWhite to move"), "7");
    for simulations in [2, 3, 8, 50] {
        let plan = search(&mut Counting, &game, quiet(simulations, 16), 1);
        let sum: f32 = plan.moves.iter().map(|of| of.policy).sum();
        assert!((sum - 1.0).abs() < 1e-5, "{sum}");
        let gained = |of: &tengen_train::RootMove| of.policy - of.prior;
        for of in &plan.moves {
            assert!(of.policy >= 0.0);
            if of.visits > 0 && of.action == Move::Play(Point::new(4, 0)) {
                assert!(gained(of) > 0.2, "{of:?}");
            }
        }
    }
}

#[test]
fn superko_holds_in_the_tree() {
    /// Replays all that it is asked about, move by checked move.
    struct Strict {
        root: Game,
        longest: usize,
    }
    impl Evaluator for Strict {
        fn begin(&mut self, _game: &Game, _seed: u64) {}
        fn evaluate(&mut self, leaves: &mut [Leaf]) {
            for leaf in &*leaves {
                let mut game = self.root.clone();
                let turns = leaf.game.turns();
                for turn in &turns[game.turns().len()..] {
                    game.play(turn.action).unwrap();
                }
                assert_eq!(game.board().hash(), leaf.game.board().hash());
                self.longest = self.longest.max(turns.len());
            }
            Opinionated.evaluate(leaves);
        }
    }
    for ko in [Ko::Simple, Ko::Positional, Ko::Situational] {
        for suicide in [Suicide::Forbidden, Suicide::Allowed] {
            let rules = Rules {
                ko,
                suicide,
                ..Rules::default()
            };
            // Everything is captured again and again on a board as small as this.
            let mut root = Game::new(Size::square(2).unwrap(), rules);
            root.play(Move::Play(Point::new(0, 0))).unwrap();
            let mut evaluator = Strict {
                root: root.clone(),
                longest: 0,
            };
            let options = GumbelOptions {
                value_scale: 0.02,
                ..quiet(3000, 16)
            };
            search(&mut evaluator, &root, options, 1);
            assert!(evaluator.longest >= 9, "{}", evaluator.longest);
        }
    }
}

#[test]
fn two_passes_are_counted_exactly() {
    // White is ahead on the board, and Black has just passed.
    let mut game = position(". X O .\n. X O .\n. X O .\n. O O .", "0.5");
    game.play(Move::Pass).unwrap();
    let plan = search(&mut Flat, &game, quiet(40, 16), 1);
    assert_eq!(plan.action, Move::Pass);
    let pass = plan.moves.last().unwrap();
    assert!(pass.visits > 10 && pass.policy > 0.99, "{pass:?}");
    assert!(plan.black_wins < 0.4);
    // And if it is over already, the count is all there is.
    game.play(Move::Pass).unwrap();
    let plan = search(&mut Flat, &game, quiet(40, 16), 1);
    assert_eq!(
        (plan.black_wins, plan.black_lead, plan.moves.len()),
        (0.0, -6.5, 0)
    );
}

#[test]
fn one_seed_finds_the_same() {
    let game = empty("7");
    let found = |seed| search(&mut Opinionated, &game, GumbelOptions::default(), seed).moves;
    assert_eq!(found(1), found(1));
    assert_ne!(found(1), found(2));
    // A search leaves nothing behind for the next one.
    let mut twice = Gumbel::new(GumbelOptions::default());
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(9);
    twice.search(&mut Flat, &empty("9"), &mut rng);
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
    assert_eq!(
        twice.search(&mut Opinionated, &game, &mut rng).moves,
        found(1)
    );
}

#[test]
fn without_simulations_the_policy_plays() {
    let game = empty("3");
    let (_, priors) = Opinionated::judge(&game);
    let best = priors.iter().max_by(|a, b| a.1.total_cmp(&b.1)).unwrap().0;
    let sum: f32 = priors.iter().map(|(_, prior)| prior).sum();
    for simulations in [0, 1] {
        assert_eq!(
            search(&mut Opinionated, &game, quiet(simulations, 16), 1).action,
            best
        );
        let options = GumbelOptions {
            simulations,
            ..GumbelOptions::default()
        };
        let mut gumbel = Gumbel::new(options);
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
        let mut counts = vec![0.0_f32; priors.len()];
        for _ in 0..20_000 {
            let plan = gumbel.search(&mut Opinionated, &game, &mut rng);
            let place = priors
                .iter()
                .position(|(action, _)| *action == plan.action)
                .unwrap();
            counts[place] += 1.0 / 20_000.0;
            assert!(
                plan.moves
                    .iter()
                    .all(|of| (of.policy - of.prior).abs() < 1e-5)
            );
        }
        for ((_, prior), count) in priors.iter().zip(&counts) {
            assert!((prior / sum - count).abs() < 0.015, "{priors:?} {counts:?}");
        }
    }
}

#[test]
fn a_game_is_decided_when_every_point_is_settled() {
    let dead =
        |diagram: &str| decided(&position(diagram, "0")).map(|settlement| settlement.dead.len());
    assert_eq!(dead(". X . X O .\nX X X X O O\n. O . X O ."), Some(1));
    assert_eq!(dead(". X . X O .\nX X X X O O\n. O . X O O"), None);
    assert_eq!(dead(". X . X . O .\nX X X X . O O\n. O . X . O ."), None);
    assert_eq!(dead(". . .\n. . .\n. . ."), None);
    assert_eq!(dead(". X .\nX X X\n. X ."), Some(0));
}
