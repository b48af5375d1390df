//! The search of AlphaZero and MuZero: moves by their values and a bonus for what is likely and was seldom tried.

use libm::{log, pow};
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::dice;
use crate::gumbel::Values;
use crate::tree::{Edge, ROOT, Tree};

/// How a position is searched by PUCT.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PuctOptions {
    /// How many positions are looked at besides the root. With 0 the policy alone plays.
    pub simulations: u32,
    /// What the bonus of moves that are likely and were seldom tried begins with.
    pub exploration: f64,
    /// After about so many visits the bonus grows.
    pub exploration_base: f64,
    /// How values are compared with the bonus.
    pub values: Values,
    /// By how much a move that was not tried is taken to be worse than the position, where values are as they are: from
    /// 0 to 2.
    pub untried_reduction: f64,
    /// The noise of the root: Dirichlet's, if the share is above 0.
    pub noise: Dirichlet,
    /// At 0 the move that was tried most is played; at 1 moves are drawn by their visits.
    pub temperature: f64,
    /// What the score is worth beside winning.
    pub score_weight: f64,
}

/// Noise that is mixed into the priors of the root.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Dirichlet {
    /// Its share of the priors.
    pub share: f64,
    /// The parameter of the distribution: with less, fewer moves have most of the noise.
    pub alpha: f64,
}

impl Default for PuctOptions {
    fn default() -> Self {
        Self {
            simulations: 64,
            exploration: 1.25,
            exploration_base: 19652.0,
            values: Values::AsTheyAre,
            untried_reduction: 0.0,
            noise: Dirichlet {
                share: 0.25,
                alpha: 0.3,
            },
            temperature: 1.0,
            score_weight: 0.05,
        }
    }
}

impl PuctOptions {
    /// The move of a node with the largest sum of value and bonus. `priors` are those of the root with noise.
    pub(crate) fn select(&self, tree: &Tree, index: usize, priors: &[f32]) -> usize {
        let node = &tree.nodes[index];
        let edges = tree.moves_of(node);
        let mean = node.mean(node.to_move);
        let (mut least, mut most) = (mean, mean);
        for edge in edges {
            if let Some(value) = tree.value(edge, node.to_move) {
                least = least.min(value);
                most = most.max(value);
            }
        }
        // From 0 to 1 between siblings and their parent, or from -1 to 1 as they are.
        let scaled = |value: f64| match self.values {
            Values::Rescaled => (value - least) / (most - least).max(SMALLEST_RANGE),
            Values::AsTheyAre => 2.0 * value - 1.0,
        };
        let untried = match self.values {
            Values::Rescaled => 0.0,
            Values::AsTheyAre => (scaled(mean) - self.untried_reduction).max(-1.0),
        };
        let visits = f64::from(node.visits);
        let base = self.exploration_base;
        let bonus = (self.exploration + log((visits + base + 1.0) / base)) * visits.sqrt();
        let score = |place: usize, edge: &Edge| {
            let prior = match index {
                ROOT => priors[place],
                _ => edge.prior,
            };
            let value = tree.value(edge, node.to_move).map_or(untried, scaled);
            value + bonus * f64::from(prior) / f64::from(1 + tree.visits(edge))
        };
        let mut best = (0, f64::MIN);
        for (place, edge) in edges.iter().enumerate() {
            let score = score(place, edge);
            if score > best.1 {
                best = (place, score);
            }
        }
        node.first as usize + best.0
    }

    /// The priors of the root with noise.
    pub(crate) fn noisy(&self, edges: &[Edge], rng: &mut Xoshiro256PlusPlus, out: &mut Vec<f32>) {
        let Dirichlet { share, alpha } = self.noise;
        out.clear();
        out.extend(edges.iter().map(|edge| edge.prior));
        if share <= 0.0 || edges.is_empty() {
            return;
        }
        let drawn: Vec<f64> = edges.iter().map(|_| dice::gamma(rng, alpha)).collect();
        let total: f64 = drawn.iter().sum();
        for (prior, noise) in out.iter_mut().zip(&drawn) {
            let noise = match total > 0.0 {
                true => noise / total,
                false => 1.0 / drawn.len() as f64,
            };
            *prior = ((1.0 - share) * f64::from(*prior) + share * noise) as f32;
        }
    }

    /// The place of the move that is played.
    pub(crate) fn choose(&self, tree: &Tree, rng: &mut Xoshiro256PlusPlus) -> Option<usize> {
        let edges = tree.root_edges();
        let shares = visit_shares(tree);
        if self.temperature > 0.0 {
            let most = shares.iter().copied().fold(0.0, f64::max);
            let weights = shares.iter();
            let weights = weights.map(|share| pow(share / most, 1.0 / self.temperature));
            return dice::weighted(rng, weights);
        }
        let places = 0..edges.len();
        places.rev().max_by(|a, b| {
            let by_share = shares[*a].total_cmp(&shares[*b]);
            by_share.then(edges[*a].prior.total_cmp(&edges[*b].prior))
        })
    }
}

/// The shares of the root's moves in its visits; the priors if nothing was tried.
pub(crate) fn visit_shares(tree: &Tree) -> Vec<f64> {
    let edges = tree.root_edges();
    let total: u32 = edges.iter().map(|edge| tree.visits(edge)).sum();
    let share = |edge: &Edge| match total {
        0 => f64::from(edge.prior),
        _ => f64::from(tree.visits(edge)) / f64::from(total),
    };
    edges.iter().map(share).collect()
}

/// Values that are closer to each other than this count as equal.
const SMALLEST_RANGE: f64 = 1e-8;
