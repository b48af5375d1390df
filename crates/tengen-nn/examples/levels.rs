//! Plays each level of the engine against the one below it, in one process, and prints a table.
//!
//!     cargo run --release -p tengen-nn --example levels -- --size 9 --games 60
//!
//! `--from 5 --to 8` plays some of them, `--step 2` each against the one two below, `--novice` each against a program
//! that only captures, escapes and plays near stones, and `--net none` lets rollouts judge. Pairs of games have the
//! same two random stones before they begin, and exchanged colours. The highest level has 1,000 visits, or `--visits`.
//! Stones that are dead at the end are those that the judge of both finds.

#![allow(
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "an experiment, stopped by the first surprise"
)]

#[path = "../tests/it/novice.rs"]
mod novice;

use std::time::Instant;

use novice::Novice;
use rand_core::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use tengen_core::{Color, Game, Komi, Move, Outcome, Point, Preset, Reason, Size};
use tengen_nn::Expert;
use tengen_search::{Choice, Engine, Judge, Level, Limits, Options, Stop, Task};

struct Args {
    size: u8,
    games: u64,
    from: u8,
    to: u8,
    step: u8,
    visits: u32,
    seed: u64,
    novice: bool,
    judge: Judge,
}

/// What became of the games of one match.
#[derive(Default)]
struct Tally {
    points: f64,
    drawn: u32,
    resigned: u32,
    unfinished: u32,
    moves: usize,
    seconds: f64,
    own_moves: usize,
}

enum Player {
    Level(Level, Box<Engine>),
    Novice(Novice),
}

fn main() {
    let args = parse();
    let name = args.judge.name();
    println!(
        "{name}, {0}×{0}, {1} games each, seed {2}\n",
        args.size, args.games, args.seed
    );
    println!("| level | against | won | | resigned | moves | seconds a move |");
    println!("|---|---|---|---|---|---|---|");
    for number in args.from..=args.to {
        let rival = number.checked_sub(args.step).filter(|rival| *rival > 0);
        if !args.novice && rival.is_none() {
            continue;
        }
        let rival = rival.filter(|_| !args.novice);
        let mut tally = Tally::default();
        for game in 0..args.games {
            play(&args, number, rival, game, &mut tally);
        }
        print(&args, number, rival, &tally);
    }
}

fn print(args: &Args, number: u8, rival: Option<u8>, tally: &Tally) {
    let games = args.games as f64;
    let (low, high) = interval(tally.points / games, games);
    let against = rival.map_or_else(|| "novice".to_owned(), |rival| rival.to_string());
    let mut won = format!("{}", tally.points - 0.5 * f64::from(tally.drawn));
    if tally.drawn > 0 {
        won += &format!(", {} drawn", tally.drawn);
    }
    if tally.unfinished > 0 {
        won += &format!(", {} unfinished", tally.unfinished);
    }
    println!(
        "| {number} | {against} | {won} | {:.1} % ({:.1}…{:.1}) | {} | {:.0} | {:.4} |",
        100.0 * tally.points / games,
        100.0 * low,
        100.0 * high,
        tally.resigned,
        tally.moves as f64 / games,
        tally.seconds / tally.own_moves as f64,
    );
}

/// Wilson's interval, which holds the true share 95 times of 100.
fn interval(share: f64, games: f64) -> (f64, f64) {
    let z = 1.96;
    let middle = share + z * z / (2.0 * games);
    let spread = z * (share * (1.0 - share) / games + z * z / (4.0 * games * games)).sqrt();
    let scale = 1.0 + z * z / games;
    ((middle - spread) / scale, (middle + spread) / scale)
}

fn play(args: &Args, number: u8, rival: Option<u8>, round: u64, tally: &mut Tally) {
    let size = Size::square(args.size).unwrap();
    let rules = Preset::Chinese.rules().with_komi(Komi::from_halves(15));
    let mut game = Game::new(size, rules);
    let mut random = Xoshiro256PlusPlus::seed_from_u64(args.seed ^ (round / 2) << 8);
    while game.turns().len() < 2 {
        let mut coordinate = || 2 + (random.next_u32() % u32::from(args.size - 4)) as u8;
        _ = game.play(Move::Play(Point::new(coordinate(), coordinate())));
    }
    let seed = |side: u64| (args.seed << 32) + 2 * round + side;
    let mut players = [
        player(args, Some(number), seed(0)),
        player(args, rival, seed(1)),
    ];
    let black = (round % 2) as usize;
    let most = 3 * size.area();
    while !game.is_over() && game.turns().len() < most {
        let side = match game.to_move() {
            Color::Black => black,
            Color::White => 1 - black,
        };
        let begun = Instant::now();
        let action = choose(args, &mut players[side], &game);
        if side == 0 {
            tally.seconds += begun.elapsed().as_secs_f64();
            tally.own_moves += 1;
        }
        match action {
            Some(action) => game.play(action).unwrap(),
            None => {
                tally.resigned += 1;
                game.resign(game.to_move());
            }
        }
    }
    tally.moves += game.turns().len();
    tally.unfinished += u32::from(!game.is_over());
    match outcome(args, &game) {
        Outcome::Win(winner, _) if (winner == Color::Black) == (black == 0) => tally.points += 1.0,
        Outcome::Win(..) => {}
        _ => {
            tally.points += 0.5;
            tally.drawn += 1;
        }
    }
}

/// Who wins, with the stones that are dead off the board.
fn outcome(args: &Args, game: &Game) -> Outcome {
    if let Some(outcome @ Outcome::Win(_, Reason::Resignation)) = game.outcome() {
        return outcome;
    }
    let settlement = engine(args, 1).settle(game, &Stop::new());
    game.score_settled(&settlement).outcome(game.rules().ties)
}

fn player(args: &Args, level: Option<u8>, seed: u64) -> Player {
    match level {
        Some(level) => Player::Level(Level::new(level).unwrap(), Box::new(engine(args, seed))),
        None => Player::Novice(Novice::new(seed)),
    }
}

fn engine(args: &Args, seed: u64) -> Engine {
    args.judge.engine(Options {
        threads: 1,
        seed,
        memory: 1 << 26,
    })
}

fn choose(args: &Args, player: &mut Player, game: &Game) -> Option<Move> {
    let (level, engine) = match player {
        Player::Level(level, engine) => (*level, engine),
        Player::Novice(novice) => return Some(novice.choose(game)),
    };
    let limits = Limits::visits(args.visits);
    let choice = Choice {
        task: Task {
            limits,
            ..Task::default()
        },
        level,
        may_resign: true,
        ..Choice::default()
    };
    let decision = engine.choose(game, &choice, &Stop::new(), &mut |_| {});
    decision.action
}

fn parse() -> Args {
    let mut args = Args {
        size: 9,
        games: 60,
        from: 1,
        to: Level::FULL.number(),
        step: 1,
        visits: 1000,
        seed: 1,
        novice: false,
        judge: Expert::baseline(),
    };
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        let mut value = || words.next().unwrap();
        match word.as_str() {
            "--size" => args.size = value().parse().unwrap(),
            "--games" => args.games = value().parse().unwrap(),
            "--from" => args.from = value().parse().unwrap(),
            "--to" => args.to = value().parse().unwrap(),
            "--step" => args.step = value().parse().unwrap(),
            "--visits" => args.visits = value().parse().unwrap(),
            "--seed" => args.seed = value().parse().unwrap(),
            "--novice" => args.novice = true,
            "--net" => match value().as_str() {
                "none" => args.judge = Judge::default(),
                "baseline" => args.judge = Expert::baseline(),
                other => panic!("no judge is called {other}"),
            },
            other => panic!("unknown word {other}"),
        }
    }
    args
}
