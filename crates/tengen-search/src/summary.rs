//! A tree in the words of an analysis.

use tengen_core::{Game, PointMap};

use crate::analysis::{Analysis, Candidate, Worth};
use crate::search::{Ownership, Seen};
use crate::selection::{radius, selection};
use crate::tree::{Node, Tree};
use crate::tuning::Tuning;

/// What is known about the root of a tree.
pub(crate) fn summary(game: &Game, tree: &Tree, seen: &Seen, tuning: &Tuning) -> Analysis {
    let root = tree.root();
    let worth = root.worth().map_or_else(
        || Worth {
            win_rate: 0.5,
            ..Worth::default()
        },
        |worth| Worth {
            win_rate: 1.0 - worth.win_rate,
            lead: -worth.lead,
            ..worth
        },
    );
    let selection = selection(tree, tuning, tuning.breadth(game.size()));
    let mut moves: Vec<Candidate> = tree
        .children(root)
        .iter()
        .zip(selection)
        .enumerate()
        .map(|(place, (child, selection))| {
            let seen = seen.by_move.get(place);
            Candidate {
                ownership: seen.map(Ownership::means).unwrap_or_default(),
                ownership_spread: seen.map(Ownership::spreads).unwrap_or_default(),
                selection,
                ..candidate(tree, child, worth, tuning)
            }
        })
        .collect();
    moves.sort_by(|a, b| {
        b.selection
            .total_cmp(&a.selection)
            .then(b.visits.cmp(&a.visits))
            .then(b.worth.win_rate.total_cmp(&a.worth.win_rate))
            .then(b.prior.total_cmp(&a.prior))
    });
    let mut analysis = Analysis {
        to_move: game.to_move(),
        visits: root.visits(),
        worth,
        moves,
        ownership: PointMap::new(0.0),
        ownership_spread: PointMap::new(0.0),
    };
    let points = game.size().points();
    let owners = seen.all.means().into_iter().zip(seen.all.spreads());
    for (point, (mean, spread)) in points.iter().zip(owners) {
        analysis.ownership[point] = mean;
        analysis.ownership_spread[point] = spread;
    }
    analysis
}

fn candidate(tree: &Tree, child: &Node, parent: Worth, tuning: &Tuning) -> Candidate {
    let worth = child.worth().unwrap_or(parent);
    let visits = child.visits();
    let mut variation = vec![child.action()];
    let mut variation_visits = vec![visits];
    let mut node = child;
    while let Some(next) = tree.children(node).iter().max_by_key(|next| next.visits())
        && next.visits() > 0
    {
        variation.push(next.action());
        variation_visits.push(next.visits());
        node = next;
    }
    let count = visits.max(1) as f32;
    let radius = match tuning.lcb_deviations > 0.0 {
        true => radius(child, tuning),
        // Games that were played are won or lost.
        false => {
            let variance = worth.win_rate * (1.0 - worth.win_rate);
            1.96 * (variance / count + 0.25 / (count * count)).sqrt()
        }
    };
    Candidate {
        action: child.action(),
        visits,
        worth,
        selection: visits as f32,
        lcb: worth.win_rate - radius,
        prior: child.prior(),
        variation,
        variation_visits,
        ownership: Vec::new(),
        ownership_spread: Vec::new(),
    }
}
