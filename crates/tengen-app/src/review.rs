//! The analysis of a whole game in the background.

use std::collections::BTreeMap;

use serde::Serialize;
use tengen_core::{Color, Size};

use crate::analysis::Verdict;
use crate::game_tree::GameTree;
use crate::job::JobId;
use crate::room::Viewer;

/// What was found about the positions of a game, and what is still to be looked at.
#[derive(Debug, Default)]
pub(crate) struct Review {
    pub verdicts: BTreeMap<usize, Verdict>,
    pub running: Option<Running>,
}

/// A review that has not ended.
#[derive(Debug)]
pub(crate) struct Running {
    pub viewer: Viewer,
    pub visits: u32,
    /// The positions, of which the first `done` have been looked at.
    pub nodes: Vec<usize>,
    pub done: usize,
    pub job: Option<JobId>,
}

/// What a review has found about a position.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ReviewedMessage {
    /// The node of the position.
    #[cfg_attr(test, schemars(with = "crate::words::Node"))]
    node: usize,
    /// How many times it was searched.
    visits: u32,
    /// The share of games that Black wins.
    winrate: f64,
    /// By how many points Black is ahead.
    lead: f64,
    /// The best move.
    #[cfg_attr(test, schemars(with = "crate::words::Move"))]
    best: String,
    /// How many points the move that led to the node cost the one who made it: 0 for the best move, and for one that
    /// falls behind it by less than the standard error.
    #[serde(skip_serializing_if = "Option::is_none")]
    lost: Option<f64>,
    /// The standard error of that number.
    #[serde(skip_serializing_if = "Option::is_none")]
    lost_error: Option<f64>,
}

impl Review {
    /// Forgets nodes that are gone.
    pub(crate) fn forget(&mut self, tree: &GameTree) {
        self.verdicts.retain(|node, _| tree.get(*node).is_some());
        if let Some(running) = &mut self.running {
            let (looked_at, rest) = running.nodes.split_at(running.done);
            let exists = |node: &&usize| tree.get(**node).is_some();
            running.done = looked_at.iter().filter(exists).count();
            let kept = looked_at.iter().chain(rest).filter(exists);
            running.nodes = kept.copied().collect();
        }
    }

    /// Has a position been looked at as closely as that?
    pub(crate) fn knows(&self, node: usize, visits: u32) -> bool {
        let verdict = self.verdicts.get(&node);
        verdict.is_some_and(|verdict| verdict.visits >= visits)
    }

    /// What was found about a position, and what the move that led to it has cost.
    pub(crate) fn message(&self, tree: &GameTree, node: usize) -> Option<ReviewedMessage> {
        let verdict = self.verdicts.get(&node)?;
        // The position after the move is compared with the position after the best one: the lead before both is a mean
        // over moves that nobody would play.
        let lost = || {
            let (color, action) = tree.turn(node)?;
            let before = self.verdicts.get(&tree.parent(node)?)?;
            if action == before.best {
                return Some((0.0, 0.0));
            }
            let lost = match color {
                Color::Black => before.best_lead - verdict.lead,
                Color::White => verdict.lead - before.best_lead,
            };
            let error = before.best_error.hypot(verdict.error);
            let two_digits = |value: f64| (value * 100.0).round() / 100.0;
            let lost = if lost > error { lost } else { 0.0 };
            Some((two_digits(lost), two_digits(error)))
        };
        let (lost, lost_error) = lost().unzip();
        Some(ReviewedMessage {
            node,
            visits: verdict.visits,
            winrate: verdict.winrate,
            lead: verdict.lead,
            best: best_move(verdict, tree.size()),
            lost,
            lost_error,
        })
    }

    /// All that was found.
    pub(crate) fn messages(&self, tree: &GameTree) -> Vec<ReviewedMessage> {
        let nodes = self.verdicts.keys();
        nodes.filter_map(|node| self.message(tree, *node)).collect()
    }
}

pub(crate) fn best_move(verdict: &Verdict, size: Size) -> String {
    verdict.best.to_gtp(size)
}
