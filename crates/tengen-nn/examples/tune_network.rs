//! Plays two tunings of a search that a network leads against each other, in one process.
//!
//!     cargo run --release -p tengen-nn --example tune_network -- --net b6c96.bin.gz --visits 100 --a exploration=0.6
//!
//! `--net` is a file of KataGo, `small` or `large`; the latter are the baselines, and `expert` adds rollouts to the
//! small one. `--a` and `--b` take `name=value,name=value`; without them a side plays as `Tuning::for_network` says.
//! `--early` lets searches end early. Pairs of games have the same random opening and exchanged colours. A game ends
//! when both sides agree on who wins.
//!
//! With `--positions N` no games are played: each tuning, `--b` and those of every `--try`, chooses a move in N
//! positions, and where they differ, each move is judged by a search of `--deep` visits of what follows it. So many
//! more tunings can be compared in the time of a match, by the win rate that their moves gain or lose on average.

#![allow(
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "an experiment, stopped by the first surprise"
)]

use std::sync::Arc;
use std::time::Instant;

use rand_core::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use tengen_core::{Color, Game, Komi, Move, Outcome, Point, Rules, Size};
use tengen_nn::katago::{self, KataGoEvaluator};
use tengen_nn::{Baseline, Expert, NetEvaluator};
use tengen_search::{
    Aim, Choice, Engine, Evaluator, Judge, Leaf, Level, Limits, Options, Raw, RawQuery, Stop, Task,
    Tuning,
};

/// Both sides must be so sure of who wins.
const CLEAR: f32 = 0.97;

struct Args {
    net: String,
    size: u8,
    games: usize,
    visits: [u32; 2],
    tunings: [Tuning; 2],
    early: bool,
    komi: Komi,
    seed: u64,
    /// Other tunings, to be compared by their moves in so many positions.
    tries: Vec<(String, Tuning)>,
    positions: usize,
    deep: u32,
}

/// An evaluator for a search with another tuning.
struct Tuned(Box<dyn Evaluator>, Tuning);

impl Evaluator for Tuned {
    fn batch(&self) -> usize {
        self.0.batch()
    }

    fn expand_after(&self) -> u32 {
        self.0.expand_after()
    }

    fn tuning(&self) -> Tuning {
        self.1
    }

    fn prepare(&mut self, game: &Game, aim: Aim) {
        self.0.prepare(game, aim);
    }

    fn begin(&mut self, game: &Game, seed: u64) {
        self.0.begin(game, seed);
    }

    fn evaluate(&mut self, leaves: &mut [Leaf]) {
        self.0.evaluate(leaves);
    }

    fn raw(&mut self, game: &Game, query: &RawQuery) -> Option<Raw> {
        self.0.raw(game, query)
    }
}

fn main() {
    let args = parse();
    let judge = judge(&args.net);
    if args.positions > 0 {
        compare(&args, &judge);
        return;
    }
    let started = Instant::now();
    let (mut points, mut squares, mut visits, mut moves) = (0.0, 0.0, [0_u64; 2], [0_u64; 2]);
    let mut pair = 0.0;
    for game in 0..args.games {
        let won = play(&args, &judge, game, &mut visits, &mut moves);
        points += won;
        pair += won;
        if game % 2 == 1 {
            squares += (pair - 1.0) * (pair - 1.0);
            pair = 0.0;
        }
        if (game + 1) % 10 == 0 || game + 1 == args.games {
            let games = (game + 1) as f64;
            let rate = points / games;
            // Two games of one opening are not independent, so that pairs are what varies.
            let pairs = games / 2.0;
            let error =
                ((squares / pairs - (2.0 * rate - 1.0).powi(2)).max(0.0) / pairs).sqrt() / 2.0;
            let pace = |side: usize| visits[side] as f64 / moves[side] as f64;
            println!(
                "{games:4} games: A {:5.1} % ± {:.1}, {:.0} and {:.0} visits a move, {:.0} s",
                100.0 * rate,
                196.0 * error,
                pace(0),
                pace(1),
                started.elapsed().as_secs_f64()
            );
        }
    }
}

fn judge(net: &str) -> Judge {
    match net {
        "small" | "large" => {
            let baseline = match net {
                "small" => Baseline::ALL[0],
                _ => Baseline::ALL[1],
            };
            let net = baseline.net();
            Judge::new("baseline", move |options: &Options| {
                Box::new(NetEvaluator::new(Arc::clone(&net)).with_seed(options.seed))
            })
        }
        "expert" => Expert::baseline(),
        file => {
            let bytes = std::fs::read(file).unwrap();
            KataGoEvaluator::judge(&Arc::new(katago::Net::from_bytes(&bytes).unwrap()))
        }
    }
}

/// An engine with this tuning.
fn engine(judge: &Judge, tuning: Tuning, seed: u64) -> Engine {
    let options = Options {
        threads: 1,
        seed,
        memory: 1 << 28,
    };
    let evaluator = Tuned(judge.evaluator(&options), tuning);
    Engine::with_evaluators(options, vec![Box::new(evaluator)])
}

/// Compares the moves of all tunings.
fn compare(args: &Args, judge: &Judge) {
    let all = [("--b".to_owned(), args.tunings[1])];
    let all: Vec<(String, Tuning)> = all.into_iter().chain(args.tries.clone()).collect();
    // For each of them: differences to the first, their squares, and positions in which its move is another one.
    let mut sums = vec![(0.0_f64, 0.0_f64, 0_usize); all.len()];
    for number in 0..args.positions {
        let game = position(args, judge, number);
        let chosen: Vec<Move> = all
            .iter()
            .map(|(_, tuning)| {
                let task = Task {
                    limits: Limits::visits(args.visits[0]),
                    ..Task::default()
                };
                let mut engine = engine(judge, *tuning, number as u64);
                let found = engine.analyze(&game, &task, &Stop::new(), &mut |_| {});
                found.best()
            })
            .collect();
        let mut known: Vec<(Move, f64)> = Vec::new();
        if chosen.iter().any(|action| *action != chosen[0]) {
            for action in &chosen {
                if !known.iter().any(|(of, _)| of == action) {
                    known.push((*action, after(args, judge, &game, *action)));
                }
            }
        }
        let value = |action: Move| {
            let found = known.iter().find(|(of, _)| *of == action);
            found.map_or(0.0, |(_, value)| *value)
        };
        for (action, sum) in chosen.iter().zip(&mut sums) {
            let gain = value(*action) - value(chosen[0]);
            sum.0 += gain;
            sum.1 += gain * gain;
            sum.2 += usize::from(*action != chosen[0]);
        }
        if (number + 1) % 20 == 0 || number + 1 == args.positions {
            let count = (number + 1) as f64;
            println!("{} positions", number + 1);
            for ((name, _), (sum, squares, others)) in all.iter().zip(&sums) {
                let mean = sum / count;
                let error = ((squares / count - mean * mean) / count).sqrt();
                println!(
                    "  {:+.2} % ± {:.2}, {others} other moves: {name}",
                    100.0 * mean,
                    196.0 * error
                );
            }
        }
    }
}

/// What a move is worth to the player who makes it, by a long search of what follows.
fn after(args: &Args, judge: &Judge, game: &Game, action: Move) -> f64 {
    let mut game = game.clone();
    game.play(action).unwrap();
    let task = Task {
        limits: Limits::visits(args.deep),
        ..Task::default()
    };
    let mut engine = engine(judge, args.tunings[1], 1 << 32);
    let found = engine.analyze(&game, &task, &Stop::new(), &mut |_| {});
    1.0 - f64::from(found.worth.win_rate)
}

/// A position after some moves that were drawn from the policy, in which neither player has won yet.
fn position(args: &Args, judge: &Judge, number: usize) -> Game {
    let area = u32::from(args.size) * u32::from(args.size);
    for attempt in 0.. {
        let mut game = opening(args, 2 * number);
        let seed = args.seed ^ ((number as u64) << 20) ^ (attempt << 50);
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        let mut engine = engine(judge, args.tunings[1], seed);
        let moves = rng.next_u32() % (area / 2);
        for _ in 0..moves {
            let raw = engine.raw(&game, &RawQuery::default()).unwrap();
            let mut rest = rng.next_u32() as f32 / 2_f32.powi(32);
            let drawn = raw.policy.iter().position(|share| {
                rest -= share.unwrap_or(0.0);
                rest < 0.0
            });
            let points = game.size().points();
            let point = drawn.and_then(|place| points.iter().nth(place));
            game.play(point.map_or(Move::Pass, Move::Play)).unwrap();
            if game.is_over() {
                break;
            }
        }
        let raw = engine.raw(&game, &RawQuery::default()).unwrap();
        if !game.is_over() && (0.1..0.9).contains(&raw.wins[Color::Black]) {
            return game;
        }
    }
    unreachable!("there is a position at last")
}

/// A's points in one game. Visits and moves of both are added.
fn play(
    args: &Args,
    judge: &Judge,
    number: usize,
    visits: &mut [u64; 2],
    moves: &mut [u64; 2],
) -> f64 {
    let mut engines = [0, 1].map(|side| {
        let seed = args.seed ^ (number as u64 * 2 + side as u64).wrapping_mul(0x1234_5678_9abc);
        engine(judge, args.tunings[side], seed)
    });
    let mut game = opening(args, number);
    let black = number % 2;
    let mut chances = [0.5; 2];
    while !game.is_over() && game.turns().len() < 3 * game.size().area() {
        let side = match game.to_move() {
            Color::Black => black,
            Color::White => 1 - black,
        };
        let choice = Choice {
            task: Task {
                limits: Limits {
                    may_end_early: args.early,
                    ..Limits::visits(args.visits[side])
                },
                ..Task::default()
            },
            level: Level::FULL,
            may_resign: false,
            cleanup: true,
        };
        let decision = engines[side].choose(&game, &choice, &Stop::new(), &mut |_| {});
        visits[side] += u64::from(decision.analysis.visits);
        moves[side] += 1;
        let win_rate = decision.analysis.worth.win_rate;
        chances[side] = match side {
            0 => win_rate,
            _ => 1.0 - win_rate,
        };
        if chances.iter().all(|chance| *chance > CLEAR) {
            return 1.0;
        }
        if chances.iter().all(|chance| *chance < 1.0 - CLEAR) {
            return 0.0;
        }
        game.play(decision.action.unwrap()).unwrap();
    }
    match game.outcome() {
        Some(Outcome::Win(winner, _)) => {
            f64::from(u8::from((winner == Color::Black) == (black == 0)))
        }
        _ => 0.5,
    }
}

/// A position after a random stone of each.
fn opening(args: &Args, number: usize) -> Game {
    let size = Size::square(args.size).unwrap();
    let mut game = Game::new(size, "chinese".parse::<Rules>().unwrap());
    game.set_komi(args.komi);
    let seed = args.seed.wrapping_mul(1 << 20) ^ (number / 2) as u64;
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    for _ in 0..2 {
        let inner = u32::from(args.size) - 4;
        let mut line = || 2 + (rng.next_u32() % inner) as u8;
        while game.play(Move::Play(Point::new(line(), line()))).is_err() {}
    }
    game
}

fn parse() -> Args {
    let mut args = Args {
        net: "small".to_owned(),
        size: 9,
        games: 100,
        visits: [100; 2],
        tunings: [Tuning::for_network(); 2],
        early: false,
        komi: Komi::from_halves(14),
        seed: 1,
        tries: Vec::new(),
        positions: 0,
        deep: 400,
    };
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        let mut value = || words.next().unwrap();
        match word.as_str() {
            "--net" => args.net = value(),
            "--size" => args.size = value().parse().unwrap(),
            "--games" => args.games = value().parse().unwrap(),
            "--visits" => args.visits = [value().parse().unwrap(); 2],
            "--visits-a" => args.visits[0] = value().parse().unwrap(),
            "--visits-b" => args.visits[1] = value().parse().unwrap(),
            "--komi" => args.komi = value().parse().unwrap(),
            "--seed" => args.seed = value().parse().unwrap(),
            "--early" => args.early = true,
            "--positions" => args.positions = value().parse().unwrap(),
            "--deep" => args.deep = value().parse().unwrap(),
            "--try" => {
                let (text, mut tuning) = (value(), args.tunings[1]);
                tune(&mut tuning, &text);
                args.tries.push((text, tuning));
            }
            "--a" => tune(&mut args.tunings[0], &value()),
            "--b" => tune(&mut args.tunings[1], &value()),
            other => panic!("unknown word {other}"),
        }
    }
    args
}

fn tune(tuning: &mut Tuning, text: &str) {
    for pair in text.split(',') {
        let (name, value) = pair.split_once('=').unwrap();
        tuning.set(name, value.parse().unwrap()).unwrap();
    }
}
