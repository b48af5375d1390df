//! The priors of the position that a search begins with.

use tengen_core::{Game, Move, Symmetry};

use crate::evaluator::{Evaluation, Evaluator, Leaf};
use crate::raw::RawQuery;
use crate::tree::{Node, Tree};
use crate::tuning::Tuning;

/// Are the priors of the root others than those that its evaluator names?
fn are_refined(tuning: &Tuning) -> bool {
    tuning.root_symmetries > 1.0 || tuning.root_policy_temperature != 1.0
}

/// Makes priors of the root of what the evaluator said of the position.
pub(crate) fn refine(
    evaluator: &mut dyn Evaluator,
    game: &Game,
    priors: &mut [(Move, f32)],
    tuning: &Tuning,
) {
    if tuning.root_symmetries > 1.0 {
        average(evaluator, game, priors, tuning.root_symmetries as usize);
    }
    if tuning.root_policy_temperature != 1.0 {
        flatten(priors, tuning.root_policy_temperature);
    }
}

/// Gives a tree that is searched further the priors of a root, which it did not have as a node below another one.
pub(crate) fn refresh(tree: &Tree, evaluator: &mut dyn Evaluator, game: &Game, tuning: &Tuning) {
    let children = tree.children(tree.root());
    if children.is_empty() || !are_refined(tuning) {
        return;
    }
    let mut leaf = [Leaf {
        game: game.clone(),
        wants_priors: true,
        evaluation: Evaluation::default(),
    }];
    evaluator.evaluate(&mut leaf);
    let [Leaf { evaluation, .. }] = &mut leaf;
    refine(evaluator, game, &mut evaluation.priors, tuning);
    let prior = |child: &Node| {
        let mut named = evaluation.priors.iter();
        named.find(|(action, _)| *action == child.action())
    };
    for child in children {
        if let Some((_, prior)) = prior(child) {
            child.set_prior(*prior);
        }
    }
}

/// The mean of what a network says of stones in so many symmetries. Their sum stays as it is, and so does a pass.
fn average(evaluator: &mut dyn Evaluator, game: &Game, priors: &mut [(Move, f32)], count: usize) {
    let size = game.size();
    let mut sums = vec![0.0; size.area()];
    for symmetry in Symmetry::onto_itself(size).take(count) {
        let query = RawQuery {
            symmetry: Some(symmetry),
            ..RawQuery::default()
        };
        let Some(raw) = evaluator.raw(game, &query) else {
            return;
        };
        for (sum, share) in sums.iter_mut().zip(&raw.policy) {
            *sum += share.unwrap_or(0.0);
        }
    }
    let stones = || {
        let points = priors.iter().filter_map(|(action, _)| action.point());
        points.map(|point| sums[size.index(point)])
    };
    let before: f32 = priors
        .iter()
        .filter(|(action, _)| *action != Move::Pass)
        .map(|(_, prior)| prior)
        .sum();
    let after: f32 = stones().sum();
    if after <= 0.0 {
        return;
    }
    for (action, prior) in priors {
        if let Some(point) = action.point() {
            *prior = sums[size.index(point)] * before / after;
        }
    }
}

/// Makes priors flatter with a temperature above 1 and sharper with one below it. Together they stay 1.
fn flatten(priors: &mut [(Move, f32)], temperature: f32) {
    let most = priors.iter().map(|(_, prior)| *prior).fold(0.0, f32::max);
    if most <= 0.0 {
        return;
    }
    for (_, prior) in &mut *priors {
        *prior = libm::powf(*prior / most, 1.0 / temperature);
    }
    let sum: f32 = priors.iter().map(|(_, prior)| prior).sum();
    for (_, prior) in priors {
        *prior /= sum;
    }
}
