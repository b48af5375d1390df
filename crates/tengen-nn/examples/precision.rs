//! Compares what a network says with what it says when its file has 16 or 8 bits a number.
//!
//!     cargo run --release -p tengen-nn --example precision -- net.safetensors 19 2000
//!
//! The second number is the side of the board, the third how many positions are asked about. They come from games in
//! which moves are drawn from the network's own policy. Without a file it is both baselines, each as it is.

#![allow(
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "an experiment, stopped by the first surprise"
)]

use rand_core::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use tengen_core::{Game, Komi, Move, Preset, Size, Symmetry};
use tengen_nn::{Baseline, Inputs, Net, Output, Precision, Workspace, softmax};

/// How far two networks are apart, summed over positions.
#[derive(Default)]
struct Distance {
    divergence: f64,
    same_move: usize,
    win: f64,
    lead: f64,
    positions: usize,
}

impl Distance {
    fn add(&mut self, one: &Output, two: &Output) {
        let [p, q] = [one, two].map(|output| probabilities(&output.policy));
        let terms = p.iter().zip(&q).filter(|(p, _)| **p > 0.0);
        let terms = terms.map(|(p, q)| p * (p / q.max(1e-12)).ln());
        self.divergence += f64::from(terms.sum::<f32>());
        self.same_move += usize::from(best(&p) == best(&q));
        let win = |output: &Output| output.win_draw_loss[0] + output.win_draw_loss[1] / 2.0;
        self.win += f64::from((win(one) - win(two)).abs());
        self.lead += f64::from((one.lead - two.lead).abs());
        self.positions += 1;
    }

    fn print(&self, name: &str) {
        let per = |sum: f64| sum / self.positions as f64;
        println!(
            "{name}: KL {:.5}, same first move {:.2} %, win rate {:.3} %, lead {:.3}, {} positions",
            per(self.divergence),
            100.0 * per(self.same_move as f64),
            100.0 * per(self.win),
            per(self.lead),
            self.positions,
        );
    }
}

fn probabilities(logits: &[f32]) -> Vec<f32> {
    let mut values = logits.to_vec();
    softmax(&mut values);
    values
}

fn best(values: &[f32]) -> Option<usize> {
    (0..values.len()).max_by(|a, b| values[*a].total_cmp(&values[*b]))
}

/// A move of the policy, among those that are legal.
fn draw(game: &Game, policy: &[f32], random: &mut Xoshiro256PlusPlus) -> Move {
    let points: Vec<_> = game.legal_moves().iter().collect();
    let weights: Vec<f32> = points
        .iter()
        .map(|point| policy[game.size().index(*point)])
        .collect();
    let pass = *policy.last().unwrap();
    let all = weights.iter().sum::<f32>() + pass;
    let mut left = all * (random.next_u32() as f32 / u32::MAX as f32);
    for (point, weight) in points.iter().zip(weights) {
        left -= weight;
        if left < 0.0 {
            return Move::Play(*point);
        }
    }
    Move::Pass
}

fn compare(name: &str, net: &Net, side: u8, positions: usize) {
    let smaller = [Precision::Half, Precision::Byte].map(|precision| {
        let again = Net::from_bytes(&net.to_bytes_with(precision, &[])).unwrap();
        (precision, again, Distance::default())
    });
    let mut smaller = Vec::from(smaller);
    let mut workspace = Workspace::default();
    let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
    let size = Size::new(side, side).unwrap();
    let rules = Preset::Chinese.rules().with_komi(Komi::from_halves(15));
    let mut game = Game::new(size, rules);
    for _ in 0..positions {
        let position = [(Inputs::new(&game), Symmetry::IDENTITY)];
        let said = net.evaluate(&mut workspace, &position).remove(0);
        for (_, net, distance) in &mut smaller {
            distance.add(&said, &net.evaluate(&mut workspace, &position).remove(0));
        }
        let action = draw(&game, &probabilities(&said.policy), &mut random);
        game.play(action).unwrap();
        if game.is_over() || game.turns().len() > 2 * size.area() {
            game = Game::new(size, rules);
        }
    }
    for (precision, _, distance) in &smaller {
        let name = format!("{name} on {side}x{side}, {} bits", precision.bits());
        distance.print(&name);
    }
}

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let number = |place: usize, usual: usize| {
        let text = args.get(place);
        text.map_or(usual, |text| text.parse().unwrap())
    };
    match args.first() {
        Some(file) => {
            let net = Net::from_bytes(&std::fs::read(file).unwrap()).unwrap();
            let side = u8::try_from(number(1, 19)).unwrap();
            compare(file, &net, side, number(2, 1000));
        }
        None => {
            for baseline in Baseline::ALL {
                let side = baseline.longest_side();
                compare(baseline.name(), &baseline.net(), side, 1000);
            }
        }
    }
}
