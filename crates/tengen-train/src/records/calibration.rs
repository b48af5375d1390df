//! Win rates that mean what they say: temperature scaling (Guo and others 2017), and a bias for the player to move.

use std::sync::Arc;

use tengen_nn::Net;

use super::exam::{Question, ask};
use super::network::Network;

/// Temperatures between these are tried.
const TEMPERATURES: [f64; 2] = [0.2, 5.0];

/// Biases between these are tried.
const BIASES: [f64; 2] = [-2.0, 2.0];

/// The search for the best one narrows the interval so often, each time by a third.
const NARROWINGS: usize = 30;

/// What makes win rates fit results.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Calibration {
    /// The logits of win, draw and loss are divided by it: it is above 1 if a network is too sure of itself.
    pub temperature: f64,
    /// It is added to what the logit of a win is above that of a loss, once they were divided: it is below 0 if a
    /// network thinks too well of the player to move.
    pub bias: f64,
}

/// The calibration with which win rates fit the results of games best, by cross entropy. `None` if no game says who
/// won.
pub fn best_calibration(net: &Arc<Net>, questions: &[Question]) -> Option<Calibration> {
    let network = Network::from(Arc::clone(net));
    let chances = ask(&network, questions, |question, output| {
        let logit = |chance: f32| libm::log(f64::from(chance).max(1e-12));
        (output.win_draw_loss.map(logit), question.result())
    });
    let known: Vec<([f64; 3], [f32; 3])> = chances
        .into_iter()
        .filter(|(_, result)| result.iter().sum::<f32>() > 0.0)
        .collect();
    if known.is_empty() {
        return None;
    }
    let loss = |logarithm: f64, bias: f64| -> f64 {
        let calibration = Calibration {
            temperature: libm::exp(logarithm),
            bias,
        };
        let answers = known.iter();
        answers
            .map(|(logits, result)| cross_entropy(logits, result, calibration))
            .sum()
    };
    // The loss has one minimum, in both together, and so in each for the best of the other.
    let best_logarithm = |bias| lowest(TEMPERATURES.map(libm::log), |it| loss(it, bias));
    let bias = lowest(BIASES, |bias| loss(best_logarithm(bias), bias));
    Some(Calibration {
        temperature: libm::exp(best_logarithm(bias)),
        bias,
    })
}

/// Where a function with one minimum is lowest, by ternary search.
fn lowest([mut low, mut high]: [f64; 2], function: impl Fn(f64) -> f64) -> f64 {
    for _ in 0..NARROWINGS {
        let third = (high - low) / 3.0;
        match function(low + third) < function(high - third) {
            true => high -= third,
            false => low += third,
        }
    }
    f64::midpoint(low, high)
}

/// The cross entropy of a result and of what was said, with another calibration.
fn cross_entropy(said: &[f64; 3], result: &[f32; 3], calibration: Calibration) -> f64 {
    let Calibration { temperature, bias } = calibration;
    let mut logits = said.map(|logit| logit / temperature);
    logits[0] += bias / 2.0;
    logits[2] -= bias / 2.0;
    let highest = logits.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let sum: f64 = logits.iter().map(|logit| libm::exp(logit - highest)).sum();
    let all = highest + libm::log(sum);
    let parts = logits.iter().zip(result);
    parts
        .map(|(logit, wanted)| f64::from(*wanted) * (all - logit))
        .sum()
}
