//! Which move to play, by visits and by what they are sure of.

use crate::puct::Exploration;
use crate::tree::{Node, Tree};
use crate::tuning::Tuning;

/// No utility is further than this from the middle of all.
const UTILITY_RADIUS: f32 = 0.5;

/// A move that is surest to be good counts as if it had at most this many times the visits of another one, squared.
const MOST_CERTAIN: f32 = 5.0;

/// How much speaks for each child of the root, in their order: their visits, if the tuning wants no more.
///
/// Visits that the search would not have made, had it known all that it knows now, do not count. The move with the best
/// lower confidence bound (LCB) of its utility gets so many that none has more, if the difference is large enough.
pub(crate) fn selection(tree: &Tree, tuning: &Tuning, breadth: f32) -> Vec<f32> {
    let root = tree.root();
    let children = tree.children(root);
    let mut values: Vec<f32> = children.iter().map(|child| child.visits() as f32).collect();
    if tuning.lcb_deviations <= 0.0 {
        return values;
    }
    // Before much is searched, a visit says less than a prior.
    let goodness = |child: &Node| child.visits().saturating_sub(1) as f32 + 2.0 * child.prior();
    let most = children
        .iter()
        .enumerate()
        .max_by(|(_, a), (_, b)| goodness(a).total_cmp(&goodness(b)));
    let Some((most, best)) = most else {
        return values;
    };
    let exploration = Exploration::new(root, children, tuning, breadth, true);
    let urgency = exploration.urgency(best.mean_utility(), best.prior(), best.visits() as f32);
    for (place, child) in children.iter().enumerate() {
        if place != most && child.ended() > 0 {
            let wanted = exploration.visits_for(urgency, child.mean_utility(), child.prior());
            values[place] = values[place].min(wanted.ceil());
        }
    }
    let most = values[most];
    prefer_certain(children, &mut values, most, tuning);
    values
}

/// Gives the move with the best lower confidence bound as much as no other one has, among those with enough visits.
fn prefer_certain(children: &[Node], values: &mut [f32], most: f32, tuning: &Tuning) {
    let bounds: Vec<(f32, f32)> = children
        .iter()
        .map(|child| {
            let radius = radius(child, tuning);
            (child.mean_utility() - radius, radius)
        })
        .collect();
    let least = (tuning.lcb_least_share * most).max(f32::MIN_POSITIVE);
    let surest = (0..children.len())
        .filter(|&place| values[place] >= least)
        .max_by(|&a, &b| bounds[a].0.total_cmp(&bounds[b].0));
    let Some(surest) = surest else {
        return;
    };
    let mut value = values[surest];
    for (place, (bound, radius)) in bounds.iter().enumerate() {
        let excess = bounds[surest].0 - bound;
        if place != surest && excess >= 0.0 {
            // How many times wider would its interval have to be for this move to be as uncertain?
            let factor = (radius + excess) / (radius + excess / MOST_CERTAIN);
            value = value.max(factor * factor * values[place]);
        }
    }
    values[surest] = value;
}

/// How far the true utility of a child may be below the mean that was seen.
pub(crate) fn radius(child: &Node, tuning: &Tuning) -> f32 {
    let visits = child.ended() as f32;
    if visits <= 0.0 {
        return 2.0 * UTILITY_RADIUS * tuning.lcb_deviations;
    }
    // With few visits the variance that was seen says little: as if the largest one had been seen as well.
    let prior = 1.0 / (visits * visits);
    let seen = child.utility_variance().max(1e-8);
    let variance = seen + UTILITY_RADIUS * UTILITY_RADIUS * prior / (visits + prior);
    let count = (visits + prior) * (visits + prior) / (visits + prior * prior);
    tuning.lcb_deviations * (variance / count).sqrt()
}
