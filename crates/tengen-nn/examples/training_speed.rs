//! How many positions a second networks learn from and judge, on one core.
//!
//!     cargo run --release -p tengen-nn --example training_speed -- 6x96 19 8
//!
//! The arguments are blocks and channels, the side of the board, how many boards learn together, and how many seconds
//! to measure. With `judge` in place of the number of boards, single positions are judged. Time is that of the
//! processor where the operating system tells it, so that other programs disturb little; the best of several
//! measurements counts.

#![allow(
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "an experiment, stopped by the first surprise"
)]

use std::thread;
use std::time::{Duration, Instant};

use tengen_core::{Game, Komi, Move, Rules, Size, Symmetry};
use tengen_nn::{
    Architecture, Example, Inputs, Learning, LearningState, Net, Target, Trainer, Workspace,
};

/// Positions of a step of learning.
const BATCH: usize = 64;

/// Positions that are judged one after another.
const JUDGED: usize = 16;

/// No measurement is shorter than so many seconds.
const SHORTEST: f64 = 0.25;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let get = |place: usize, otherwise: &str| {
        let argument = arguments.get(place).map(String::as_str);
        argument.unwrap_or(otherwise).to_owned()
    };
    let (name, side, group) = (get(0, "6x96"), get(1, "19"), get(2, "8"));
    let seconds: f64 = get(3, "5").parse().unwrap();
    let (blocks, channels) = name.split_once('x').unwrap();
    let architecture = Architecture {
        blocks: blocks.parse().unwrap(),
        channels: channels.parse().unwrap(),
    };
    let size = Size::square(side.parse().unwrap()).unwrap();
    let net = Net::random(architecture, 1).unwrap();
    let (count, mut work): (usize, Box<dyn FnMut()>) = if group == "judge" {
        let positions: Vec<_> = (0..JUDGED)
            .map(|seed| {
                let game = position(size, 12 * seed, seed);
                [(Inputs::new(&game), Symmetry::IDENTITY)]
            })
            .collect();
        let mut workspace = Workspace::default();
        let judge = move || {
            for position in &positions {
                std::hint::black_box(net.evaluate(&mut workspace, position));
            }
        };
        (JUDGED, Box::new(judge))
    } else {
        let examples: Vec<Example> = (0..BATCH).map(|seed| example(size, seed)).collect();
        let group: usize = group.parse().unwrap();
        let groups: Vec<Vec<Example>> = examples.chunks(group).map(<[Example]>::to_vec).collect();
        let mut trainer = Trainer::new(&net, LearningState::new(net.weights().to_vec()), 1);
        let learn = move || {
            trainer.step(&groups, &Learning::default());
        };
        (BATCH, Box::new(learn))
    };
    let clock = Clock::new();
    work();
    let (start, mut best) = (clock.seconds(), f64::INFINITY);
    while clock.seconds() - start < seconds {
        let before = clock.seconds();
        let (mut rounds, mut taken) = (0, 0.0);
        while taken < SHORTEST {
            work();
            rounds += 1;
            taken = clock.seconds() - before;
        }
        best = best.min(taken / f64::from(rounds));
    }
    println!("{:.1}", count as f64 / best);
}

/// The time of the processor that this thread had, or of the clock on the wall.
struct Clock(Instant);

impl Clock {
    fn new() -> Self {
        Self(Instant::now())
    }

    fn seconds(&self) -> f64 {
        // The operating system counts the time of a thread only when it stops running, or at the next tick.
        thread::sleep(Duration::from_micros(1));
        let nanoseconds = std::fs::read_to_string("/proc/thread-self/schedstat")
            .ok()
            .and_then(|text| text.split(' ').next()?.parse::<f64>().ok());
        match nanoseconds {
            Some(nanoseconds) => nanoseconds * 1e-9,
            None => self.0.elapsed().as_secs_f64(),
        }
    }
}

/// A game after some moves that depend on the seed alone.
fn position(size: Size, moves: usize, seed: usize) -> Game {
    let mut game = Game::new(size, Rules::default().with_komi(Komi::from_halves(15)));
    for turn in 0..moves {
        let legal = game.legal_moves();
        let point = legal.nth((seed * 31 + turn * 7919 + 5) % legal.len().max(1));
        game.play(point.map_or(Move::Pass, Move::Play)).unwrap();
        if game.is_over() {
            game.resume();
        }
    }
    game
}

fn example(size: Size, seed: usize) -> Example {
    let game = position(size, 2 * seed, seed);
    let area = size.area();
    let mut policy = vec![0.0; area + 1];
    policy[area] = 0.1;
    let legal = game.legal_moves();
    let move_made = legal.nth(seed * 17 % legal.len().max(1));
    for (number, point) in size.points().iter().enumerate() {
        if Some(point) == move_made {
            policy[number] = 0.9;
        }
    }
    Example {
        inputs: Inputs::new(&game),
        symmetry: Symmetry::IDENTITY,
        target: Target {
            policy,
            legal,
            win_draw_loss: [1.0, 0.0, 0.0],
            lead: Some(seed as f32 - 32.0),
            ownership: (0..area).map(|place| (place % 3) as f32 - 1.0).collect(),
        },
    }
}
