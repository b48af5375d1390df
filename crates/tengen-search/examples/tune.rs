//! Plays two tunings of the search against each other, in one process, to find out which is better.
//!
//!     cargo run --release -p tengen-search --example tune -- --games 400 --visits 2000 --a exploration=0.5
//!
//! `--a` and `--b` take `name=value,name=value` and `--weights-a` and `--weights-b` a file of prior weights; without
//! them a side plays with the defaults. Pairs of games have the same random opening and exchanged colours.

#![allow(
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "an experiment, stopped by the first surprise"
)]

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use rand_core::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use tengen_core::{Color, Game, Komi, Move, Outcome, Rules, Size};
use tengen_search::{
    Choice, Engine, Evaluator, Level, Limits, Options, Rollouts, Stop, Task, Tuning, Weights,
};

struct Args {
    size: u8,
    games: usize,
    visits: [Option<u32>; 2],
    time: Option<f64>,
    tunings: [Tuning; 2],
    weights: [Option<Weights>; 2],
    threads: [usize; 2],
    levels: [u8; 2],
    parallel: usize,
    speed: bool,
    komi: Option<Komi>,
    seed: u64,
}

fn main() {
    let args = parse();
    if args.speed {
        speed(&args);
        return;
    }
    let next = AtomicUsize::new(0);
    let score = Mutex::new((0.0, 0, [0, 0], [0.0_f64; 2], [0_usize; 2]));
    let started = Instant::now();
    std::thread::scope(|scope| {
        for _ in 0..args.parallel {
            scope.spawn(|| {
                loop {
                    let game = next.fetch_add(1, Ordering::Relaxed);
                    if game >= args.games {
                        break;
                    }
                    let (points, seconds, moves) = play(&args, game);
                    let mut score = score.lock().unwrap();
                    score.0 += points;
                    score.1 += 1;
                    if points == 1.0 {
                        score.2[game % 2] += 1;
                    }
                    for side in 0..2 {
                        score.3[side] += seconds[side];
                        score.4[side] += moves[side];
                    }
                    if score.1 % 20 == 0 || score.1 == args.games {
                        let rate = score.0 / score.1 as f64;
                        let error = (rate * (1.0 - rate) / score.1 as f64).sqrt();
                        let pace = |side: usize| score.3[side] / score.4[side] as f64;
                        println!(
                            "{:4} games: A {:5.1} % ± {:.1} (black wins {}, white wins {}), \
                             {:.3} and {:.3} s a move, {:.0} s",
                            score.1,
                            100.0 * rate,
                            196.0 * error,
                            score.2[0],
                            score.2[1],
                            pace(0),
                            pace(1),
                            started.elapsed().as_secs_f64()
                        );
                    }
                }
            });
        }
    });
}

/// A's points in one game, and the seconds and moves of both.
fn play(args: &Args, number: usize) -> (f64, [f64; 2], [usize; 2]) {
    let mut engines = [0, 1].map(|side| {
        let seed = args.seed ^ (number as u64 * 2 + side as u64).wrapping_mul(0x1234_5678_9abc);
        engine(args, side, seed)
    });
    let size = Size::square(args.size).unwrap();
    let mut game = Game::new(size, "chinese".parse::<Rules>().unwrap());
    game.set_komi(args.komi.unwrap_or(Komi::from_halves(15)));
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(args.seed ^ (number / 2) as u64);
    for _ in 0..2 {
        loop {
            let inner = u32::from(args.size) - 4;
            let x = 2 + (rng.next_u32() % inner) as u8;
            let y = 2 + (rng.next_u32() % inner) as u8;
            if game.play(Move::Play(tengen_core::Point::new(x, y))).is_ok() {
                break;
            }
        }
    }
    let black = number % 2;
    let mut seconds = [0.0; 2];
    let mut moves = [0; 2];
    while !game.is_over() && game.turns().len() < 3 * size.area() {
        let side = match game.to_move() {
            Color::Black => black,
            Color::White => 1 - black,
        };
        let choice = Choice {
            task: Task {
                limits: Limits {
                    visits: args.visits[side],
                    time: args.time.map(Duration::from_secs_f64),
                    may_end_early: true,
                },
                ..Task::default()
            },
            level: Level::new(args.levels[side]).unwrap(),
            may_resign: true,
            cleanup: true,
        };
        let begun = Instant::now();
        let decision = engines[side].choose(&game, &choice, &Stop::new(), &mut |_| {});
        seconds[side] += begun.elapsed().as_secs_f64();
        moves[side] += 1;
        match decision.action {
            Some(action) => game.play(action).unwrap(),
            None => game.resign(game.to_move()),
        }
    }
    let points = match game.outcome() {
        Some(Outcome::Win(winner, _)) => {
            f64::from(u8::from((winner == Color::Black) == (black == 0)))
        }
        _ => 0.5,
    };
    (points, seconds, moves)
}

fn engine(args: &Args, side: usize, seed: u64) -> Engine {
    let options = Options {
        threads: args.threads[side],
        seed,
        memory: 1 << 29,
    };
    let Some(weights) = &args.weights[side] else {
        return Engine::new(options);
    };
    let rollouts = || Rollouts::with_weights(&args.tunings[side], weights.clone());
    let evaluators = (0..options.threads).map(|_| Box::new(rollouts()) as Box<dyn Evaluator>);
    Engine::with_evaluators(options, evaluators.collect())
}

/// How many rollouts a second from the empty board, tree included.
fn speed(args: &Args) {
    let game = Game::new(Size::square(args.size).unwrap(), Rules::default());
    for _ in 0..3 {
        let mut engine = engine(args, 0, 1);
        let task = Task {
            limits: Limits::time(Duration::from_secs(2)),
            ..Task::default()
        };
        let analysis = engine.analyze(&game, &task, &Stop::new(), &mut |_| {});
        println!(
            "{} rollouts a second, {:.3}, lead {:.2}",
            analysis.visits / 2,
            analysis.worth.win_rate,
            analysis.worth.lead
        );
        for candidate in analysis.moves.iter().take(5) {
            println!(
                "  {:?} {} {:.3} prior {:.3} {:?}",
                candidate.action,
                candidate.visits,
                candidate.worth.win_rate,
                candidate.prior,
                &candidate.variation[..candidate.variation.len().min(6)]
            );
        }
    }
}

fn parse() -> Args {
    let mut args = Args {
        size: 9,
        games: 200,
        visits: [None; 2],
        time: None,
        tunings: [Tuning::default(); 2],
        weights: [None, None],
        threads: [1; 2],
        levels: [Level::FULL.number(); 2],
        parallel: 2,
        speed: false,
        komi: None,
        seed: 1,
    };
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        let mut value = || words.next().unwrap();
        match word.as_str() {
            "--size" => args.size = value().parse().unwrap(),
            "--games" => args.games = value().parse().unwrap(),
            "--visits" => args.visits = [Some(value().parse().unwrap()); 2],
            "--visits-a" => args.visits[0] = Some(value().parse().unwrap()),
            "--visits-b" => args.visits[1] = Some(value().parse().unwrap()),
            "--time" => args.time = Some(value().parse().unwrap()),
            "--threads-a" => args.threads[0] = value().parse().unwrap(),
            "--threads-b" => args.threads[1] = value().parse().unwrap(),
            "--level-a" => args.levels[0] = value().parse().unwrap(),
            "--level-b" => args.levels[1] = value().parse().unwrap(),
            "--parallel" => args.parallel = value().parse().unwrap(),
            "--komi" => args.komi = Some(value().parse().unwrap()),
            "--seed" => args.seed = value().parse().unwrap(),
            "--speed" => args.speed = true,
            "--weights-a" => args.weights[0] = Some(read(&value())),
            "--weights-b" => args.weights[1] = Some(read(&value())),
            "--a" => tune(&mut args.tunings[0], &value()),
            "--b" => tune(&mut args.tunings[1], &value()),
            other => panic!("unknown word {other}"),
        }
    }
    args
}

fn read(file: &str) -> Weights {
    std::fs::read_to_string(file).unwrap().parse().unwrap()
}

fn tune(tuning: &mut Tuning, text: &str) {
    for pair in text.split(',') {
        let (name, value) = pair.split_once('=').unwrap();
        tuning.set(name, value.parse().unwrap()).unwrap();
    }
}
