//! Temperature scaling (Guo and others 2017): win rates that mean what they say.

use std::sync::Arc;

use tengen_nn::Net;

use super::exam::{Question, ask};
use super::network::Network;

/// Temperatures between these are tried.
const TEMPERATURES: [f64; 2] = [0.2, 5.0];

/// The search for the best one halves the interval so often, about.
const NARROWINGS: usize = 40;

/// The temperature by which logits of win, draw and loss should be divided so that win rates fit the results of games
/// best, by cross entropy: above 1 if a network is too sure of itself. `None` if no game says who won.
pub fn best_temperature(net: &Arc<Net>, questions: &[Question]) -> Option<f64> {
    let network = Network::from(Arc::clone(net));
    let chances = ask(&network, questions, |question, output| {
        (output.win_draw_loss, question.result())
    });
    let known: Vec<([f32; 3], [f32; 3])> = chances
        .into_iter()
        .filter(|(_, result)| result.iter().sum::<f32>() > 0.0)
        .collect();
    if known.is_empty() {
        return None;
    }
    let loss = |logarithm: f64| -> f64 {
        let temperature = libm::exp(logarithm);
        known
            .iter()
            .map(|(said, result)| cross_entropy(said, result, temperature))
            .sum()
    };
    let [mut low, mut high] = TEMPERATURES.map(libm::log);
    // Ternary search: the loss has one minimum.
    for _ in 0..NARROWINGS {
        let third = (high - low) / 3.0;
        match loss(low + third) < loss(high - third) {
            true => high -= third,
            false => low += third,
        }
    }
    Some(libm::exp(f64::midpoint(low, high)))
}

/// The cross entropy of a result and of what was said, at another temperature.
fn cross_entropy(said: &[f32; 3], result: &[f32; 3], temperature: f64) -> f64 {
    let logits = said.map(|chance| libm::log(f64::from(chance).max(1e-12)) / temperature);
    let highest = logits.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let sum: f64 = logits.iter().map(|logit| libm::exp(logit - highest)).sum();
    let all = highest + libm::log(sum);
    let parts = logits.iter().zip(result);
    parts
        .map(|(logit, wanted)| f64::from(*wanted) * (all - logit))
        .sum()
}
