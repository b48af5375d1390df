//! How strongly a search is drawn to moves that it knows little about.

use crate::tree::Node;
use crate::tuning::Tuning;

/// What all children of a node have in common when one of them is selected.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Exploration {
    /// Times its prior, divided by its visits and one, this is added to the value of a child.
    pub(crate) scale: f32,
    /// The value of a child without visits (FPU).
    pub(crate) first_play_urgency: f32,
}

impl Exploration {
    /// That of a node, which is so much wider than on a board of 9 × 9. `is_root` says whether the search began there.
    pub(crate) fn new(
        node: &Node,
        children: &[Node],
        tuning: &Tuning,
        breadth: f32,
        is_root: bool,
    ) -> Self {
        let visits = node.visits() as f32;
        // What the node is worth to the player who now chooses.
        let mut value = 1.0 - node.utility_sum() / visits.max(1.0);
        let mut reduction = match is_root {
            true => tuning.root_first_play_reduction,
            false => tuning.first_play_reduction,
        };
        if tuning.first_play_policy_power > 0.0 {
            let visited = children.iter().filter(|child| child.visits() > 0);
            let mass = visited.map(Node::prior).sum::<f32>().clamp(0.0, 1.0);
            let (own, mean) = (1.0 - node.own_utility(), 1.0 - node.mean_utility());
            value = own + libm::powf(mass, tuning.first_play_policy_power) * (mean - own);
            reduction *= mass.sqrt();
        }
        let mut constant = tuning.exploration;
        if tuning.exploration_log > 0.0 {
            let base = tuning.exploration_log_base;
            constant += tuning.exploration_log * libm::logf((visits + base) / base);
        }
        if tuning.exploration_by_spread > 0.0 {
            let spread = spread(node, tuning) / tuning.usual_spread;
            constant *= 1.0 + tuning.exploration_by_spread * (spread - 1.0);
        }
        Self {
            scale: constant * breadth * visits.sqrt(),
            first_play_urgency: value - reduction,
        }
    }

    /// What draws the search to a child of this value, prior and number of visits.
    #[inline]
    pub(crate) fn urgency(self, value: f32, prior: f32, visits: f32) -> f32 {
        value + self.scale * prior / (1.0 + visits)
    }

    /// The number of visits at which a child of this value and prior draws the search so much.
    pub(crate) fn visits_for(self, urgency: f32, value: f32, prior: f32) -> f32 {
        let gap = urgency - value;
        match gap > 0.0 {
            true => (self.scale * prior / gap - 1.0).max(0.0),
            false => f32::MAX,
        }
    }
}

/// The standard deviation of the utilities below a node, as if the usual one had been seen in a few visits before.
fn spread(node: &Node, tuning: &Tuning) -> f32 {
    let visits = node.ended() as f32;
    if visits <= 1.0 {
        return tuning.usual_spread;
    }
    let (usual, weight) = (tuning.usual_spread, tuning.usual_spread_visits);
    let sum = usual * usual * weight + node.utility_variance() * visits;
    (sum / (weight + visits - 1.0)).sqrt()
}
