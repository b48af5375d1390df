//! The search of self-play: few simulations, spent well.
//!
//! After Danihelka, Guez, Schrittwieser and Silver, "Policy improvement by planning with Gumbel" (ICLR 2022). The root
//! draws a few moves without replacement from the policy by Gumbel noise and finds the best of them by sequential
//! halving; below it, moves are chosen so that visits follow the improved policy. That policy is the softmax of logits
//! plus the values that were found, with moves never tried completed by what is known of the position. It is better
//! than the policy it began with even after two simulations.

use libm::exp;
use rand_core::Rng;
use rand_xoshiro::Xoshiro256PlusPlus;
use serde::{Deserialize, Serialize};
use tengen_core::Game;
use tengen_search::Evaluator;

use crate::dice;
use crate::plan::Plan;
use crate::planner::{Method, Planner};
use crate::tree::{Edge, LEAST_PRIOR, Node, Tree};

/// How a position is searched.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GumbelOptions {
    /// How many positions are looked at besides the root. With 0 or 1 the policy alone plays.
    pub simulations: u32,
    /// How many moves of the root are looked at.
    pub considered: u32,
    /// Whether the root explores.
    pub noise: Noise,
    /// How simulations are given to the moves of the root.
    pub halving: Halving,
    /// How values are compared with the policy.
    pub values: Values,
    /// How many visits the trust in values starts with.
    pub value_visits: f64,
    /// How much values weigh against the policy.
    pub value_scale: f64,
    /// What the score is worth beside winning.
    pub score_weight: f64,
}

impl Default for GumbelOptions {
    fn default() -> Self {
        Self {
            simulations: 64,
            considered: 16,
            noise: Noise::Gumbel,
            halving: Halving::Ranked,
            values: Values::AsTheyAre,
            value_visits: 50.0,
            value_scale: 1.0,
            score_weight: 0.05,
        }
    }
}

/// Whether the root explores.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Noise {
    /// The best moves of the policy are looked at.
    Off,
    /// Moves are drawn from the policy.
    Gumbel,
}

/// How simulations are given to the moves of the root.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Halving {
    /// In rounds: moves are put in order after each, and the better half goes on, rounded up.
    Ranked,
    /// As in the package mctx: the number of visits that the next move must have is fixed beforehand, the best of all
    /// with so many is next, and halves are rounded down.
    Counted,
}

/// How values are compared with the policy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Values {
    /// As they are: from 0 for a loss to 1 for a win.
    AsTheyAre,
    /// So that the worst of a position's moves has 0 and the best 1, as in the package mctx.
    Rescaled,
}

/// What values say about the moves of a node that were not tried, and how much they say.
struct Completion {
    /// What a move that was not tried is worth to the player to move.
    untried: f64,
    /// The logit that a value of 1 is worth.
    scale: f64,
}

/// Values that are closer to each other than this count as equal.
const SMALLEST_RANGE: f64 = 1e-8;

impl GumbelOptions {
    /// The move that is visited least for its share of the improved policy.
    ///
    /// A move that was not tried has the share of its prior times what all such moves have in common, so that the most
    /// likely of them stands for all. `shares` is memory for the tried moves' shares.
    pub(crate) fn select(&self, tree: &mut Tree, index: usize, shares: &mut Vec<f64>) -> usize {
        tree.bring_forward(index);
        let node = tree.nodes[index];
        let (first, tried) = (node.first as usize, node.tried as usize);
        if tried == 0 {
            tree.nodes[index].tried = 1;
            return first;
        }
        let edges = tree.moves_of(&node);
        let completion = self.completion(tree, &node, &edges[..tried]);
        // Everything is relative to a move that was not tried, whose logit gains nothing.
        shares.clear();
        let mut largest = 0.0_f64;
        for edge in &edges[..tried] {
            let value = tree.value(edge, node.to_move);
            let gain =
                completion.scale * (value.unwrap_or(completion.untried) - completion.untried);
            largest = largest.max(gain);
            shares.push(gain);
        }
        let untried = exp(-largest);
        let mut total = 0.0;
        let mut rest = 1.0;
        for (share, edge) in shares.iter_mut().zip(edges) {
            let prior = f64::from(edge.prior);
            rest -= prior;
            *share = prior * exp(*share - largest);
            total += *share;
        }
        total += rest.max(0.0) * untried;
        let visits = f64::from(node.visits);
        let mut best = (first, f64::MIN);
        for (place, (share, edge)) in shares.iter().zip(edges).enumerate() {
            let lack = share / total - f64::from(tree.visits(edge)) / visits;
            if lack > best.1 {
                best = (first + place, lack);
            }
        }
        if let Some(edge) = edges.get(tried)
            && f64::from(edge.prior) * untried / total > best.1
        {
            best.0 = first + tried;
            tree.nodes[index].tried += 1;
        }
        best.0
    }

    /// What the values of the tried moves among these say about the others: the mixture of what the evaluator said
    /// about the node and of the values that were found, weighed by the policy.
    fn completion(&self, tree: &Tree, node: &Node, edges: &[Edge]) -> Completion {
        let (mut prior_sum, mut value_sum, mut visits, mut most) = (0.0, 0.0, 0, 0);
        let (mut low, mut high) = (f64::MAX, f64::MIN);
        for edge in edges {
            if let Some(value) = tree.value(edge, node.to_move) {
                let prior = f64::from(edge.prior).max(LEAST_PRIOR);
                prior_sum += prior;
                value_sum += prior * value;
                visits += tree.visits(edge);
                most = most.max(tree.visits(edge));
                (low, high) = (low.min(value), high.max(value));
            }
        }
        let raw = node.raw();
        let untried = match visits {
            0 => raw,
            _ => (raw + f64::from(visits) * value_sum / prior_sum) / f64::from(1 + visits),
        };
        let range = match self.values {
            Values::AsTheyAre => 1.0,
            // Moves that are illegal have the value of one that was not tried, so that there always is one.
            Values::Rescaled => (high.max(untried) - low.min(untried)).max(SMALLEST_RANGE),
        };
        Completion {
            untried,
            scale: (self.value_visits + f64::from(most)) * self.value_scale / range,
        }
    }

    /// For each move of the root, its logit and what the values say about it. `logits` may have noise.
    pub(crate) fn worth(&self, tree: &Tree, logits: &[f64]) -> Vec<f64> {
        let (root, edges) = (tree.root(), tree.root_edges());
        let completion = self.completion(tree, root, edges);
        let worth = |(edge, logit): (&Edge, &f64)| {
            let value = tree.value(edge, root.to_move);
            logit + completion.scale * value.unwrap_or(completion.untried)
        };
        edges.iter().zip(logits).map(worth).collect()
    }

    /// The improved policy of the root before it is normalised: the largest share is 1.
    pub(crate) fn improved(&self, tree: &Tree) -> Vec<f64> {
        let logits: Vec<f64> = tree.root_edges().iter().map(Edge::logit).collect();
        let worth = self.worth(tree, &logits);
        let largest = worth.iter().copied().fold(f64::MIN, f64::max);
        worth.iter().map(|worth| exp(worth - largest)).collect()
    }

    /// The logits of the root, with noise if there is to be some.
    pub(crate) fn draw(&self, edges: &[Edge], rng: &mut Xoshiro256PlusPlus, drawn: &mut Vec<f64>) {
        let logit = |edge: &Edge| match self.noise {
            Noise::Off => edge.logit(),
            Noise::Gumbel => edge.logit() + dice::gumbel(rng),
        };
        drawn.clear();
        drawn.extend(edges.iter().map(logit));
    }
}

/// Searches one position after another, in the same memory.
#[derive(Debug)]
pub struct Gumbel(Planner);

impl Gumbel {
    /// A search with these options.
    pub fn new(options: GumbelOptions) -> Self {
        Self(Planner::new(Method::Gumbel(options)))
    }

    /// Searches with other options from now on.
    pub const fn set_options(&mut self, options: GumbelOptions) {
        self.0.set_method(Method::Gumbel(options));
    }

    /// Searches a position. Everything random comes from the generator. A game that ended is counted as it stands.
    pub fn search<E: Evaluator + ?Sized>(
        &mut self,
        evaluator: &mut E,
        root: &Game,
        rng: &mut Xoshiro256PlusPlus,
    ) -> Plan {
        self.0.begin(root);
        evaluator.begin(root, rng.next_u64());
        self.0.finish(evaluator, rng);
        self.0.plan()
    }
}
