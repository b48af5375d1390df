//! What a search of self-play found.

use tengen_core::Move;
use tengen_search::Evaluation;

use crate::tree::Tree;

/// What a search found.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The move to play.
    pub action: Move,
    /// All moves that the evaluator named.
    pub moves: Vec<RootMove>,
    /// The probability that Black wins if the improved policy draws the move among those that were tried.
    pub black_wins: f32,
    /// By how many points Black will be ahead, likewise.
    pub black_lead: f32,
    /// What the evaluator said about the root.
    pub raw: Evaluation,
}

/// A move of the root.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RootMove {
    /// The move.
    pub action: Move,
    /// Its share of the evaluator's policy.
    pub prior: f32,
    /// Its share of the improved policy.
    pub policy: f32,
    /// How many simulations began with it.
    pub visits: u32,
    /// How likely Black wins after it, if it was tried.
    pub black_wins: Option<f32>,
}

impl Plan {
    /// What a tree says, where the moves of the root have these shares.
    pub(crate) fn of(tree: &Tree, action: Move, shares: &[f64], raw: Evaluation) -> Self {
        let edges = tree.root_edges();
        let total: f64 = shares.iter().sum();
        // In Gumbel's search half of the visits go to moves that turn out to be bad, so moves count by their shares and
        // not by their visits.
        let (mut tried, mut wins, mut lead) = (0.0, 0.0, 0.0);
        let mut moves = Vec::with_capacity(edges.len());
        for (edge, share) in edges.iter().zip(shares) {
            let mut black_wins = None;
            if let Some(child) = edge.child() {
                let child = &tree.nodes[child];
                let visits = f64::from(child.visits);
                tried += share;
                wins += share * child.sum.wins / visits;
                lead += share * child.sum.lead / visits;
                black_wins = Some((child.sum.wins / visits) as f32);
            }
            moves.push(RootMove {
                action: edge.action,
                prior: edge.prior,
                policy: (share / total) as f32,
                visits: tree.visits(edge),
                black_wins,
            });
        }
        let (black_wins, black_lead) = match tried > 0.0 {
            true => ((wins / tried) as f32, (lead / tried) as f32),
            false => (raw.black_wins, raw.black_lead),
        };
        Self {
            action,
            moves,
            black_wins,
            black_lead,
            raw,
        }
    }
}
