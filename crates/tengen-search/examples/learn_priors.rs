//! Fits the weights of move features to what searches of the engine's own games found.
//!
//!     cargo run --release -p tengen-search --example learn_priors -- play games.bin --size 9 --games 200 --visits 800
//!     cargo run --release -p tengen-search --example learn_priors -- fit games.bin >
//!     crates/tengen-search/src/rollout/weights.txt
//!
//! `play` adds games to a file, so that several sizes can be mixed; `fit` says on standard error how often the move
//! that was searched most is the one that the priors like best, on games that it did not learn from.

#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    clippy::unwrap_used,
    reason = "an experiment, stopped by the first surprise"
)]

use std::fs::{File, OpenOptions};
use std::io::{BufReader, BufWriter, Read, Write};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use rand_core::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use tengen_core::{Game, Komi, Move, Point, Rules, Size};
use tengen_search::{Engine, Limits, Options, Stop, Task, Weights, prior_features};

/// A position: the features of each move, and the share of visits that a search gave it.
struct Sample {
    moves: Vec<(f32, Vec<u32>)>,
}

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let option = |name: &str, default: u32| {
        let place = words.iter().position(|word| word == name);
        place.map_or(default, |place| words[place + 1].parse().unwrap())
    };
    match words.first().map(String::as_str) {
        Some("play") => {
            let file = OpenOptions::new().create(true).append(true).open(&words[1]);
            let out = Mutex::new(BufWriter::new(file.unwrap()));
            let next = AtomicUsize::new(0);
            std::thread::scope(|scope| {
                for _ in 0..option("--parallel", 2) {
                    scope.spawn(|| {
                        loop {
                            let game = next.fetch_add(1, Ordering::Relaxed) as u32;
                            if game >= option("--games", 100) {
                                break;
                            }
                            let seed = option("--seed", 1).wrapping_mul(100_003) + game;
                            let size = option("--size", 9) as u8;
                            let samples = play(size, option("--visits", 800), u64::from(seed));
                            let mut out = out.lock().unwrap();
                            for sample in &samples {
                                write(&mut *out, sample);
                            }
                            out.flush().unwrap();
                        }
                    });
                }
            });
        }
        Some("fit") => {
            let mut input = BufReader::new(File::open(&words[1]).unwrap());
            let mut samples = Vec::new();
            while let Some(sample) = read(&mut input) {
                samples.push(sample);
            }
            print!("{}", fit(&mut samples));
        }
        _ => eprintln!("learn_priors play|fit FILE"),
    }
}

/// One game of the engine with itself, the first moves at random.
fn play(side: u8, visits: u32, seed: u64) -> Vec<Sample> {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut engine = Engine::new(Options {
        threads: 1,
        seed,
        ..Options::default()
    });
    let mut game = Game::new(
        Size::square(side).unwrap(),
        "chinese".parse::<Rules>().unwrap(),
    );
    game.set_komi(Komi::from_halves(15));
    for _ in 0..rng.next_u32() % 6 {
        let at = |rng: &mut Xoshiro256PlusPlus| 1 + (rng.next_u32() % (u32::from(side) - 2)) as u8;
        _ = game.play(Move::Play(Point::new(at(&mut rng), at(&mut rng))));
    }
    let mut samples = Vec::new();
    while !game.is_over() && game.turns().len() < game.size().area() * 3 / 2 {
        let task = Task {
            limits: Limits::visits(visits),
            ..Task::default()
        };
        let analysis = engine.analyze(&game, &task, &Stop::new(), &mut |_| {});
        let total: u32 = analysis
            .moves
            .iter()
            .map(|candidate| candidate.visits)
            .sum();
        let share = |action: Move| {
            let found = analysis
                .moves
                .iter()
                .find(|candidate| candidate.action == action);
            found.map_or(0.0, |candidate| candidate.visits as f32 / total as f32)
        };
        let moves = prior_features(&game)
            .into_iter()
            .map(|(action, features)| {
                let features = features.into_iter().map(|feature| feature as u32);
                (share(action), features.collect())
            })
            .collect();
        samples.push(Sample { moves });
        if analysis.worth.win_rate < 0.03 {
            break;
        }
        game.play(analysis.best()).unwrap();
    }
    samples
}

fn write(out: &mut impl Write, sample: &Sample) {
    let mut word = |value: u32| out.write_all(&value.to_le_bytes()).unwrap();
    word(sample.moves.len() as u32);
    for (share, features) in &sample.moves {
        word(share.to_bits());
        word(features.len() as u32);
        for feature in features {
            word(*feature);
        }
    }
}

fn read(input: &mut impl Read) -> Option<Sample> {
    let mut word = || {
        let mut bytes = [0; 4];
        input.read_exact(&mut bytes).ok()?;
        Some(u32::from_le_bytes(bytes))
    };
    let count = word()?;
    let mut moves = Vec::new();
    for _ in 0..count {
        let share = f32::from_bits(word()?);
        let features = word()?;
        moves.push((share, (0..features).map(|_| word()).collect::<Option<_>>()?));
    }
    Some(Sample { moves })
}

/// Weights that make the shares of visits likely, found by stochastic gradients with a step for each weight.
fn fit(samples: &mut [Sample]) -> Weights {
    // Visits are spread wider than belief: squares of shares come nearer to what was played.
    for sample in &mut *samples {
        let total: f32 = sample.moves.iter().map(|(share, _)| share * share).sum();
        for (share, _) in &mut sample.moves {
            *share *= *share / total;
        }
    }
    let (test, train): (Vec<_>, Vec<_>) = samples
        .iter()
        .enumerate()
        .partition(|(index, _)| index / 64 % 10 == 0);
    let mut fitted = Weights::none();
    let weights = fitted.values_mut();
    let mut squares = vec![1e-3_f32; Weights::FEATURES];
    for epoch in 0..12 {
        for (_, sample) in &train {
            let shares = softmax(sample, weights);
            for ((target, features), share) in sample.moves.iter().zip(shares) {
                let slope = share - target;
                for feature in features {
                    let feature = *feature as usize;
                    let gradient = slope + 1e-5 * weights[feature];
                    squares[feature] += gradient * gradient;
                    weights[feature] -= 0.1 * gradient / squares[feature].sqrt();
                }
            }
        }
        let mut loss = 0.0;
        let mut hits = 0;
        for (_, sample) in &test {
            let shares = softmax(sample, weights);
            let best = |values: &mut dyn Iterator<Item = f32>| {
                let pairs = values.enumerate();
                pairs
                    .max_by(|a, b| a.1.total_cmp(&b.1))
                    .map(|(index, _)| index)
            };
            let targets = sample.moves.iter().map(|(target, _)| *target);
            for (target, share) in targets.clone().zip(&shares) {
                loss -= target * share.max(1e-9).ln();
            }
            let same = best(&mut shares.iter().copied()) == best(&mut targets.into_iter());
            hits += u32::from(same);
        }
        let count = test.len() as f32;
        eprintln!(
            "epoch {epoch}: {} positions to learn from, {} to test, loss {:.3}, the same move {:.1} %",
            train.len(),
            test.len(),
            loss / count,
            100.0 * hits as f32 / count
        );
    }
    fitted
}

fn softmax(sample: &Sample, weights: &[f32]) -> Vec<f32> {
    let sum = |features: &Vec<u32>| features.iter().map(|f| weights[*f as usize]).sum::<f32>();
    let mut shares: Vec<f32> = sample.moves.iter().map(|(_, f)| sum(f).exp()).collect();
    let total: f32 = shares.iter().sum();
    for share in &mut shares {
        *share /= total;
    }
    shares
}
