//! What a position is worth by what its moves are worth.

use crate::tree::Node;
use crate::tuning::Tuning;

/// A child that seems better than its siblings by a normal amount, after a visit, differs from them by so much.
const VALUE_SPREAD: f32 = 0.29;

/// A child has at most so many times the visits that its prior asks for, before those beyond count as noise.
const LENIENCE: f32 = 2.0;

/// How much each child weighs in the value of its parent: as much as it has visits, but for
///
/// - noise pruning: visits beyond what its prior asks for, of a child that turned out worse than those before it;
/// - value weighting: a child that is worse than the others by more than chance weighs less, and a better one more.
#[derive(Debug, Default)]
pub(crate) struct Backup {
    shares: Vec<Share>,
}

/// What one child adds to its parent.
#[derive(Clone, Copy, Debug)]
struct Share {
    weight: f32,
    prior: f32,
    utility: f32,
    square: f32,
}

impl Backup {
    /// Makes the utility of a node the weighted mean of those of its children, which are in the order of their priors,
    /// and what was said of the node itself.
    pub(crate) fn weigh(&mut self, node: &Node, children: &[Node], tuning: &Tuning) {
        self.shares.clear();
        let visited = children.iter().filter(|child| child.ended() > 0);
        self.shares.extend(visited.map(|child| Share {
            weight: child.ended() as f32,
            prior: child.prior().max(1e-30),
            utility: child.mean_utility(),
            square: child.mean_utility_square(),
        }));
        let visits: f32 = self.shares.iter().map(|share| share.weight).sum();
        if self.shares.is_empty() {
            return;
        }
        let ended = node.ended() as f32;
        if tuning.noise_pruning > 0.0 {
            prune_noise(&mut self.shares, tuning.noise_pruning);
        }
        if tuning.value_weight_exponent > 0.0 {
            weigh_by_value(&mut self.shares, tuning.value_weight_exponent);
        }
        let own = node.own_utility();
        let own_weight = (ended - visits).max(1.0);
        let (mut weight, mut utility) = (own_weight, own_weight * own);
        let mut square = own_weight * own * own;
        for share in &self.shares {
            // What is good for the player who moves is bad for the one who led here.
            weight += share.weight;
            utility += share.weight * (1.0 - share.utility);
            square += share.weight * (1.0 - 2.0 * share.utility + share.square);
        }
        node.set_utility(utility / weight, square / weight);
    }
}

/// Takes from children that are worse than those with a larger prior what they have beyond their share of visits, the
/// more the worse they are.
fn prune_noise(shares: &mut [Share], scale: f32) {
    let (mut utility, mut weight, mut prior) = (0.0, 0.0, 0.0);
    for share in shares {
        if weight > 0.0 {
            let gap: f32 = utility / weight - share.utility;
            let most = LENIENCE * weight * share.prior / prior;
            if gap > 0.0 && share.weight > most {
                share.weight -= (share.weight - most) * (1.0 - libm::expf(-gap / scale));
            }
        }
        utility += share.weight * share.utility;
        weight += share.weight;
        prior += share.prior;
    }
}

/// Multiplies weights by a power of the chance that a child is no worse than the mean, and leaves their sum as it is.
fn weigh_by_value(shares: &mut [Share], exponent: f32) {
    let sum = |shares: &[Share]| shares.iter().map(|share| share.weight).sum::<f32>();
    let before = sum(shares);
    let mean = shares
        .iter()
        .map(|share| share.weight * share.utility)
        .sum::<f32>()
        / before;
    for share in &mut *shares {
        let spread = VALUE_SPREAD / share.weight.max(0.01).sqrt().sqrt();
        let chance = student((share.utility - mean) / spread) + 1e-4;
        share.weight *= libm::powf(chance, exponent);
    }
    let factor = before / sum(shares);
    for share in shares {
        share.weight *= factor;
    }
}

/// The distribution function of Student's distribution with three degrees of freedom.
fn student(t: f32) -> f32 {
    let t = t / 3_f32.sqrt();
    0.5 + (t / (1.0 + t * t) + libm::atanf(t)) / std::f32::consts::PI
}
