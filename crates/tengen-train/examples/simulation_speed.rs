//! What a simulation costs besides the network.
//!
//!     cargo run --release -p tengen-train --example simulation_speed
//!
//! The evaluator lists the legal moves and says nothing about them, so that all the time is that of the tree and the
//! rules.

#![allow(
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "an experiment, stopped by the first surprise"
)]

use std::time::Instant;

use rand_core::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;
use tengen_core::{Game, Move, Point, Rules, Size};
use tengen_search::{Evaluator, Leaf};
use tengen_train::{Gumbel, GumbelOptions, SelfPlay, decided, play_game};

/// Has an opinion about each point and none about who wins.
struct Trivial;

impl Evaluator for Trivial {
    fn begin(&mut self, _game: &Game, _seed: u64) {}

    fn evaluate(&mut self, leaves: &mut [Leaf]) {
        for leaf in leaves {
            let game = &leaf.game;
            let hash = game.board().hash();
            let opinion = |point: Point| 1.0 + (hash >> (point.index() % 56) & 0xff) as f32;
            leaf.evaluation.black_wins = 0.4 + (hash & 0xff) as f32 / 1280.0;
            leaf.evaluation.black_lead = 0.0;
            let legal = game.legal_moves();
            let priors = &mut leaf.evaluation.priors;
            priors.clear();
            let sensible = legal
                .iter()
                .filter(|point| !game.board().is_eye(*point, game.to_move()));
            priors.extend(sensible.map(|point| (Move::Play(point), opinion(point))));
            if priors.is_empty() {
                priors.push((Move::Pass, 1.0));
            }
        }
    }
}

fn main() {
    for side in [5, 9, 19] {
        for simulations in [16, 64, 800] {
            let options = GumbelOptions {
                simulations,
                ..GumbelOptions::default()
            };
            let mut gumbel = Gumbel::new(options);
            let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
            let mut game = Game::new(Size::square(side).unwrap(), Rules::default());
            let mut searches = 0;
            let started = Instant::now();
            while started.elapsed().as_secs_f64() < 1.0 {
                let plan = gumbel.search(&mut Trivial, &game, &mut rng);
                game.play(plan.action).unwrap();
                if game.is_over() || game.turns().len() > game.size().area() {
                    game.restart();
                }
                searches += 1;
            }
            let micros = started.elapsed().as_secs_f64() * 1e6;
            let each = micros / f64::from(searches * simulations);
            println!("{side}x{side}, {simulations} simulations: {each:.2} µs a simulation");
        }
    }
    let started = Instant::now();
    let (mut games, mut turns, mut bytes, mut positions) = (0, 0, 0, 0);
    let mut last = None;
    while started.elapsed().as_secs_f64() < 2.0 {
        let record = play_game(&mut Trivial, &SelfPlay::default(), games).unwrap();
        turns += record.moves.len();
        bytes += record.to_bytes().len();
        positions += record.positions();
        games += 1;
        last = Some(record);
    }
    let seconds = started.elapsed().as_secs_f64();
    println!(
        "self-play: {:.0} games an hour, {:.1} moves a game, {:.0} bytes a game, {:.0} a position",
        games as f64 / seconds * 3600.0,
        turns as f64 / games as f64,
        bytes as f64 / games as f64,
        bytes as f64 / positions as f64
    );
    let record = last.unwrap();
    let positions: Vec<Game> = (0..record.moves.len())
        .map(|turn| record.position(turn).unwrap())
        .collect();
    let started = Instant::now();
    let settled = (0..1000)
        .filter(|n| decided(&positions[n % positions.len()]).is_some())
        .count();
    let each = started.elapsed().as_secs_f64() * 1e3;
    println!("decided: {each:.2} µs a position, {settled} of 1000");
}
