//! `tengen bench`: fixed work from a fixed seed, and how fast it was done.

use std::hint::black_box;
use std::io::{self, Write};
use std::time::{Duration, Instant};

use anyhow::Result;
use clap::Args;
use rand_core::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;
use serde::Serialize;
use tengen_core::{
    Board, Color, Game, LightPlayouts, Move, Point, Preset, Rules, Size, random_move_among,
};

use tengen_search::{Engine, Limits, Options, Stop, Task};

use crate::failure::Usage;

/// Measure the rules (playouts, steps with exact superko masks, copies, scores and undos) and the search.
///
/// The work is fixed, so the signature (a hash of all that was computed) is the same on every machine; it changes
/// only when behaviour does. The rate is the best of several rounds on one core.
#[derive(Args)]
pub(crate) struct BenchArgs {
    /// Print one JSON object a line.
    #[arg(long)]
    json: bool,
    /// Print the names of the benchmarks and do nothing else.
    #[arg(long)]
    list: bool,
    /// Run only the benchmark with this name.
    #[arg(long, value_name = "NAME")]
    only: Option<String>,
    /// Seconds to spend on each benchmark.
    #[arg(long, default_value_t = 2.0, value_name = "SECONDS")]
    time: f64,
    /// Run exactly this many iterations once, for instruction counts; the signature is of that work.
    #[arg(long, value_name = "N")]
    iterations: Option<u64>,
}

/// One benchmark.
struct Benchmark {
    name: &'static str,
    side: u8,
    work: fn(Size, u64) -> Work,
    /// Iterations in a round: enough to measure, the same everywhere.
    iterations: u64,
}

/// What a round of a benchmark did.
struct Work {
    units: u64,
    signature: Signature,
    elapsed: Duration,
    /// Moves in a playout, where that is what was measured.
    mean_length: Option<f64>,
}

impl Work {
    fn since(started: Instant, units: u64, signature: Signature) -> Self {
        Self {
            units,
            signature,
            elapsed: started.elapsed(),
            mean_length: None,
        }
    }
}

const BENCHMARKS: [Benchmark; 14] = [
    benchmark("playouts-9x9", 9, playouts, 20_000),
    benchmark("playouts-13x13", 13, playouts, 10_000),
    benchmark("playouts-19x19", 19, playouts, 5_000),
    benchmark("steps-9x9", 9, steps, 10_000),
    benchmark("steps-19x19", 19, steps, 1_500),
    benchmark("copies-9x9", 9, copies, 500_000),
    benchmark("copies-19x19", 19, copies, 200_000),
    benchmark("scores-9x9", 9, scores, 1_000_000),
    benchmark("scores-19x19", 19, scores, 500_000),
    benchmark("undos-9x9", 9, undos, 5_000),
    benchmark("undos-19x19", 19, undos, 1_000),
    benchmark("search-9x9", 9, search, 10_000),
    benchmark("search-13x13", 13, search, 5_000),
    benchmark("search-19x19", 19, search, 2_500),
];

const fn benchmark(
    name: &'static str,
    side: u8,
    work: fn(Size, u64) -> Work,
    iterations: u64,
) -> Benchmark {
    Benchmark {
        name,
        side,
        work,
        iterations,
    }
}

/// A hash of everything that a benchmark computed, in order.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Signature(u64);

impl Signature {
    const fn new() -> Self {
        Self(0)
    }

    fn add(&mut self, value: u64) {
        self.0 = (self.0 ^ value)
            .wrapping_mul(0x9e37_79b9_7f4a_7c15)
            .rotate_left(29);
    }
}

#[derive(Serialize)]
struct Report {
    name: &'static str,
    per_second: f64,
    signature: String,
    /// How many units a round did: what instruction counts are divided by.
    units: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    mean_length: Option<f64>,
}

/// Runs the benchmarks and prints their rates.
pub(crate) fn run(args: &BenchArgs) -> Result<()> {
    let mut out = io::stdout().lock();
    if args.list {
        for benchmark in &BENCHMARKS {
            writeln!(out, "{}", benchmark.name)?;
        }
        return Ok(());
    }
    let chosen: Vec<&Benchmark> = BENCHMARKS
        .iter()
        .filter(|benchmark| {
            args.only
                .as_deref()
                .is_none_or(|only| only == benchmark.name)
        })
        .collect();
    if chosen.is_empty() {
        return Err(Usage::new("no such benchmark; `tengen bench --list` prints the names").into());
    }
    let mut total = Signature::new();
    if !args.json {
        writeln!(out, "{:<16} {:>14}  signature", "benchmark", "per second")?;
    }
    for benchmark in chosen {
        let (rate, work) = benchmark.measure(args)?;
        total.add(work.signature.0);
        if args.json {
            let report = Report {
                name: benchmark.name,
                per_second: rate,
                signature: format!("{:016x}", work.signature.0),
                units: work.units,
                mean_length: work.mean_length,
            };
            writeln!(out, "{}", serde_json::to_string(&report)?)?;
        } else {
            let length = work
                .mean_length
                .map(|length| format!("  {length:.1} moves"))
                .unwrap_or_default();
            writeln!(
                out,
                "{:<16} {:>14}  {:016x}{length}",
                benchmark.name,
                with_separators(rate),
                work.signature.0
            )?;
        }
        out.flush()?;
    }
    if !args.json && args.only.is_none() {
        writeln!(out, "signature {:016x}", total.0)?;
    }
    Ok(())
}

impl Benchmark {
    /// The best rate of the rounds that the time allows, and the work of a round.
    fn measure(&self, args: &BenchArgs) -> Result<(f64, Work)> {
        let size = Size::square(self.side)?;
        let iterations = args.iterations.unwrap_or(self.iterations);
        let started = Instant::now();
        let mut best = 0.0_f64;
        loop {
            let work = (self.work)(size, iterations);
            best = best.max(work.units as f64 / work.elapsed.as_secs_f64().max(1e-9));
            if args.iterations.is_some() || started.elapsed().as_secs_f64() >= args.time {
                return Ok((best, work));
            }
        }
    }
}

/// A generator that is the same for every round.
fn generator(size: Size) -> Xoshiro256PlusPlus {
    Xoshiro256PlusPlus::seed_from_u64(u64::from(size.width()))
}

fn playouts(size: Size, iterations: u64) -> Work {
    let mut rng = generator(size);
    let mut playouts = LightPlayouts::new(&Board::new(size), Color::Black);
    let mut signature = Signature::new();
    let mut moves = 0;
    let started = Instant::now();
    for _ in 0..iterations {
        let end = playouts.run(&mut rng);
        moves += u64::from(end.moves);
        signature.add(end.hash ^ end.margin as u64);
    }
    Work {
        mean_length: Some(moves as f64 / iterations as f64),
        ..Work::since(started, iterations, signature)
    }
}

/// Uniformly random legal moves, passes among them, with the mask of legal moves at every step. An iteration is a game
/// of at most two moves a point.
fn steps(size: Size, iterations: u64) -> Work {
    let mut rng = generator(size);
    let mut game = Game::new(size, Preset::Seed.rules());
    let mut signature = Signature::new();
    let mut units = 0;
    let started = Instant::now();
    for _ in 0..iterations {
        game.restart();
        while !game.is_over() {
            let legal = game.legal_moves();
            let action = random_move_among(&legal, size, &mut rng);
            game.play_unchecked(action);
            signature.add(game.board().hash());
            units += 1;
        }
    }
    Work::since(started, units, signature)
}

/// Games that stopped after so many random stones, or where no stone was legal.
fn random_games(size: Size, moves: usize) -> Vec<Game> {
    let mut rng = generator(size);
    let random_game = |_| {
        let mut game = Game::new(size, Rules::default());
        while game.turns().len() < moves {
            let legal = game.legal_moves();
            if legal.is_empty() {
                break;
            }
            if let stone @ Move::Play(_) = random_move_among(&legal, size, &mut rng) {
                game.play_unchecked(stone);
            }
        }
        game
    };
    (0..32).map(random_game).collect()
}

/// Copies of a whole game, history included, half way through.
fn copies(size: Size, iterations: u64) -> Work {
    let games = random_games(size, size.area() / 2);
    let mut copy = games[0].clone();
    let mut signature = Signature::new();
    let started = Instant::now();
    for game in games.iter().cycle().take(iterations as usize) {
        copy.clone_from(game);
        signature.add(black_box(&copy).board().hash());
    }
    Work::since(started, iterations, signature)
}

/// Area scores of boards that are nearly full.
fn scores(size: Size, iterations: u64) -> Work {
    let games = random_games(size, size.area());
    let mut signature = Signature::new();
    let started = Instant::now();
    for game in games.iter().cycle().take(iterations as usize) {
        signature.add(black_box(game).score().margin_halves() as u64);
    }
    Work::since(started, iterations, signature)
}

/// Taking back whole games, each copied first.
fn undos(size: Size, iterations: u64) -> Work {
    let games = random_games(size, 2 * size.area());
    let mut game = games[0].clone();
    let mut signature = Signature::new();
    let mut units = 0;
    let started = Instant::now();
    for finished in games.iter().cycle().take(iterations as usize) {
        game.clone_from(finished);
        while game.undo().is_some() {
            signature.add(game.board().hash());
            units += 1;
        }
    }
    Work::since(started, units, signature)
}

/// Rollouts of a search on one thread from the empty board, the tree that they grow included. An iteration is one of
/// them.
fn search(size: Size, iterations: u64) -> Work {
    let game = Game::new(size, Preset::Chinese.rules());
    let mut engine = Engine::new(Options {
        threads: 1,
        ..Options::default()
    });
    let task = Task {
        limits: Limits::visits(iterations as u32),
        ..Task::default()
    };
    let mut signature = Signature::new();
    let started = Instant::now();
    let analysis = engine.analyze(&game, &task, &Stop::new(), &mut |_| {});
    let elapsed = started.elapsed();
    for candidate in &analysis.moves {
        let place = candidate.action.point().map_or(0, Point::index);
        signature.add(place as u64);
        signature.add(u64::from(candidate.visits));
    }
    Work {
        units: u64::from(analysis.visits),
        signature,
        elapsed,
        mean_length: None,
    }
}

/// A whole number with a comma every three digits.
fn with_separators(number: f64) -> String {
    let digits = format!("{number:.0}");
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}
