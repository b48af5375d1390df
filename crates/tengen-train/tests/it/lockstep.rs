//! Searches of many games at once.

use std::sync::Arc;

use rand_core::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;
use tengen_core::{Color, Game, Move, Rules, Size};
use tengen_env::{Features, Layout, Planes};
use tengen_nn::{Architecture, Net};
use tengen_search::Stop;
use tengen_train::{
    Answers, GLOBALS, Gumbel, GumbelOptions, LeafArrays, Lockstep, LockstepError, Look, Method,
    Noise, Planner, PuctOptions,
};

use crate::evaluators::{Opinionated, moves};

const LOOK: Look = Look {
    features: Features::AlphaGoZero,
    layout: Layout::ChannelsLast,
    frame: None,
};

fn quiet() -> GumbelOptions {
    GumbelOptions {
        noise: Noise::Off,
        score_weight: 0.0,
        ..GumbelOptions::default()
    }
}

fn games(count: usize) -> Vec<Game> {
    let mut games = Vec::new();
    for index in 0..count {
        let mut game = Game::new(Size::new(4, 3).unwrap(), Rules::default());
        for _ in 0..index {
            let action = moves(&game).nth(index % 3).unwrap();
            game.play(action).unwrap();
        }
        games.push(game);
    }
    games
}

/// Answers as [`Opinionated`] does, with logits and values. The boards say which positions they are.
fn search(lockstep: &mut Lockstep, simulations: &[i32]) -> usize {
    let (rows, actions) = (lockstep.len(), lockstep.actions());
    let mut planes = vec![0.0; rows * lockstep.observer().len()];
    let mut globals = vec![0.0; rows * GLOBALS];
    let mut mask = vec![0; rows * actions.count()];
    let (mut to_move, mut numbers) = (vec![0; rows], vec![0; rows]);
    lockstep.begin(simulations).unwrap();
    let mut asked = 0;
    loop {
        let found = lockstep.advance(LeafArrays {
            planes: Planes::Floats(&mut planes),
            globals: &mut globals,
            mask: &mut mask,
            to_move: &mut to_move,
            games: &mut numbers,
        });
        if found == 0 {
            return asked;
        }
        asked += found;
        let mut logits = vec![f32::NAN; found * actions.count()];
        let mut values = Vec::new();
        for row in 0..found {
            let leaf = lockstep.leaf(row);
            let (wins, priors) = Opinionated::judge(leaf);
            for (action, prior) in priors {
                let place = actions.number(action);
                assert_eq!(mask[row * actions.count() + place], 1);
                logits[row * actions.count() + place] = prior.ln() + 3.0;
            }
            let sign = leaf.to_move().sign(1) as f32;
            assert_eq!(to_move[row], u8::from(leaf.to_move() == Color::White));
            values.push(sign * (2.0 * wins - 1.0));
        }
        let answers = Answers {
            logits: &logits,
            values: &values,
            leads: None,
        };
        lockstep.answer(answers).unwrap();
    }
}

#[test]
fn finds_what_each_game_finds_alone() {
    for threads in [1, 3] {
        let mut lockstep = Lockstep::new(games(7), Method::Gumbel(quiet()), LOOK, (5, 0), threads);
        search(&mut lockstep, &[64, 10, 0, 2, 100, 33, -1]);
        for (index, simulations) in [64, 10, 0, 2, 100, 33].into_iter().enumerate() {
            let options = GumbelOptions {
                simulations,
                ..quiet()
            };
            let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
            let game = &games(7)[index];
            let alone = Gumbel::new(options).search(&mut Opinionated, game, &mut rng);
            let found = lockstep.plan(index);
            assert_eq!(found.action, alone.action, "game {index}");
            for (found, alone) in found.moves.iter().zip(&alone.moves) {
                assert_eq!((found.action, found.visits), (alone.action, alone.visits));
                assert!((found.policy - alone.policy).abs() < 1e-4);
            }
        }
        assert_eq!(lockstep.plan(6).moves.len(), 0);
    }
}

#[test]
fn a_move_keeps_what_follows_it() {
    let methods = [
        Method::Gumbel(quiet()),
        Method::Puct(PuctOptions {
            score_weight: 0.0,
            ..PuctOptions::default()
        }),
    ];
    for method in methods {
        let mut lockstep = Lockstep::new(games(4), method, LOOK, (5, 0), 1);
        search(&mut lockstep, &[200; 4]);
        let plans: Vec<_> = (0..4).map(|index| lockstep.plan(index)).collect();
        let actions = plans.iter().map(|plan| plan.action);
        let actions: Vec<i32> = actions
            .map(|action| lockstep.actions().number(action) as i32)
            .collect();
        lockstep.play(&actions, true).unwrap();
        assert_eq!(search(&mut lockstep, &[0; 4]), 0);
        for (index, plan) in plans.iter().enumerate() {
            let played = plan.moves.iter().find(|of| of.action == plan.action);
            let kept = lockstep.plan(index);
            let visits: u32 = kept.moves.iter().map(|of| of.visits).sum();
            // One of the visits was that of the position itself.
            assert_eq!(visits, played.unwrap().visits - 1);
            let wins = f64::from(kept.black_wins);
            assert!((0.0..=1.0).contains(&wins));
        }
        // A tree that was cut goes on like any other.
        search(&mut lockstep, &[50; 4]);
        lockstep.play(&[-1; 4], true).unwrap();
        assert_eq!(lockstep.game(2).turns().len(), 3);
        let pass = lockstep.actions().pass() as i32;
        lockstep.play(&[pass; 4], false).unwrap();
        // Everything is forgotten, so that each game that goes on is asked about again.
        let over = (0..4).filter(|index| lockstep.game(*index).is_over());
        let going_on = 4 - over.count();
        assert_eq!(search(&mut lockstep, &[0; 4]), going_on);
    }
}

#[test]
fn a_search_that_is_left_and_gone_on_with_finds_the_same() {
    let game = &games(3)[2];
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(3);
    let expected = Gumbel::new(quiet()).search(&mut Opinionated, game, &mut rng);
    let mut planner = Planner::new(Method::Gumbel(quiet()));
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(3);
    planner.begin(game);
    let mut asked = 0;
    while let Some(leaf) = planner.advance(&mut rng) {
        let (wins, priors) = Opinionated::judge(&leaf.game);
        leaf.evaluation.black_wins = wins;
        leaf.evaluation.priors = priors;
        asked += 1;
    }
    assert!(asked > 30);
    assert_eq!(planner.plan().moves, expected.moves);
    let line = planner.variation();
    assert_eq!(line[0], expected.action);
    let mut played = game.clone();
    for action in line {
        played.play(action).unwrap();
    }
}

#[test]
fn a_network_is_asked_on_every_thread_and_says_the_same() {
    let architecture = Architecture {
        blocks: 1,
        channels: 16,
    };
    let net = Arc::new(Net::random(architecture, 1).unwrap());
    let found = |threads| {
        let method = Method::Gumbel(GumbelOptions::default());
        let mut lockstep = Lockstep::new(games(5), method, LOOK, (5, 0), threads);
        lockstep.begin(&[32; 5]).unwrap();
        lockstep.finish(&net, &Stop::new());
        (0..5)
            .map(|index| lockstep.plan(index).moves)
            .collect::<Vec<_>>()
    };
    assert_eq!(found(1), found(3));
}

#[test]
fn wrong_answers_are_refused() {
    let mut lockstep = Lockstep::new(games(1), Method::Gumbel(quiet()), LOOK, (5, 0), 1);
    assert!(matches!(
        lockstep.begin(&[1, 2]),
        Err(LockstepError::Length {
            found: 2,
            right: 1,
            ..
        })
    ));
    assert!(matches!(
        lockstep.play(&[99], true),
        Err(LockstepError::Action {
            game: 0,
            action: 99,
            ..
        })
    ));
    search(&mut lockstep, &[1]);
    let mut other = games(1).remove(0);
    other.play(Move::Pass).unwrap();
    lockstep.replace(0, &other);
    assert_eq!(lockstep.game(0).turns().len(), 1);
}
