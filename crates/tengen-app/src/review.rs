//! The analysis of a whole game in the background: a quick look at every position, then closer ones at those that
//! matter.

use serde::Serialize;
use tengen_core::{Color, Move};

use crate::facts::Fact;
use crate::game_tree::GameTree;
use crate::job::JobId;
use crate::judgement::rounded;
use crate::room::Viewer;
use crate::verdict::{Next, Verdicts};

/// How many times as many visits as in the round before a position gets.
const CLOSER: u32 = 4;

/// Positions of the first closer look for each position of the game; each later one has the same share of those before
/// it. So each round costs about as much as the one before, and most is known about the few moves that cost most.
const CLOSER_LOOKS: f64 = 0.4;

/// As many get a closer look in any round: the ten worst moves, and those that may be among them.
const AT_LEAST: usize = 16;

/// But no more than this share of the round before, so that the review of a short game gets on, too.
const OF_SHORT_GAMES: f64 = 0.7;

/// A move that may have lost less is of no interest, in points.
const NEGLIGIBLE: f64 = 1.5;

/// A loss is known well if its standard error is as small, in points or as a share of it.
const PRECISE: f64 = 0.5;
const PRECISE_SHARE: f64 = 0.15;

/// What was found about the positions of a game, and what is still to be looked at.
#[derive(Clone, Debug, Default)]
pub(crate) struct Review {
    pub verdicts: Verdicts,
    /// How often anything was found.
    pub looks: u64,
    pub running: Option<Running>,
}

/// A review that has not ended.
#[derive(Clone, Debug)]
pub(crate) struct Running {
    pub viewer: Viewer,
    /// The visits of the last round.
    pub most: u32,
    pub round: Round,
    pub job: Option<JobId>,
}

/// A look at some positions of a game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Round {
    /// Its number; 0 is the first look at all positions.
    pub number: u32,
    /// The visits of each position.
    pub visits: u32,
    /// The positions, of which the first `done` have been looked at.
    pub nodes: Vec<usize>,
    pub done: usize,
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
    /// The standard error of that number.
    error: f64,
    /// The best move.
    #[cfg_attr(test, schemars(with = "crate::words::Move"))]
    best: String,
    /// The moves that are expected, the best one first.
    #[cfg_attr(test, schemars(with = "Vec<crate::words::Move>"))]
    pv: Vec<String>,
    /// Moves that are as good as the best one, which is the first.
    #[cfg_attr(test, schemars(with = "Vec<crate::words::Move>"))]
    good: Vec<String>,
    /// Whose each point will be, a letter a point, row by row: from `a` for White over `k` for nobody to `u` for
    /// Black.
    ownership: String,
    /// What the move was worth that was played here, found by the same search.
    #[serde(skip_serializing_if = "Option::is_none")]
    next: Option<NextMessage>,
    /// Would more visits hardly change what the move is worth that was played here?
    settled: bool,
}

/// What a move was worth, beside the best one.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(rename = "Next"))]
pub struct NextMessage {
    /// The node that it led to.
    #[cfg_attr(test, schemars(with = "crate::words::Node"))]
    node: usize,
    #[serde(flatten)]
    judged: JudgedMessage,
}

/// What a move is worth, beside the best one of the same search.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(rename = "Judged"))]
pub struct JudgedMessage {
    /// The move.
    #[serde(rename = "move")]
    #[cfg_attr(test, schemars(with = "crate::words::Move"))]
    action: String,
    /// How many times it was searched.
    visits: u32,
    /// The share of games that Black wins after it.
    winrate: f64,
    /// By how many points Black is ahead after it.
    lead: f64,
    /// How many points it cost the one who made it: 0 for the best move, and for one that falls behind it by less than
    /// two standard errors.
    lost: f64,
    /// The standard error of that number.
    lost_error: f64,
    /// The moves that are expected, this one first.
    #[cfg_attr(test, schemars(with = "Vec<crate::words::Move>"))]
    pv: Vec<String>,
    /// Why it is worse than the best one, the most important fact first.
    facts: Vec<Fact>,
}

impl From<&Next> for JudgedMessage {
    fn from(next: &Next) -> Self {
        Self {
            action: next.action().to_owned(),
            visits: next.visits,
            winrate: next.winrate,
            lead: next.lead,
            lost: rounded(next.lost(), 2),
            lost_error: next.error,
            pv: next.line.clone(),
            facts: next.facts.clone(),
        }
    }
}

impl Round {
    /// The first look at all positions with so many visits, what is known already being done.
    pub(crate) fn first(review: &Review, tree: &GameTree, visits: u32) -> Self {
        let line = positions(tree).into_iter();
        let (known, rest): (Vec<usize>, Vec<usize>) =
            line.partition(|node| review.knows(tree, *node, visits));
        Self {
            number: 0,
            visits,
            done: known.len(),
            nodes: known.into_iter().chain(rest).collect(),
        }
    }

    /// A closer look at the positions that matter, with at most so many visits each; `None` if nothing is left to be
    /// done.
    pub(crate) fn closer(&self, review: &Review, tree: &GameTree, most: u32) -> Option<Self> {
        if self.visits >= most {
            return None;
        }
        let number = self.number + 1;
        let visits = match self.visits.saturating_mul(CLOSER) {
            // What is left would hardly be worth a round of its own.
            closer if closer.saturating_mul(2) > most => most,
            closer => closer,
        };
        let line = positions(tree);
        let share = |of: f64| (line.len() as f64 * of.powi(number.cast_signed())) as usize;
        let places = share(CLOSER_LOOKS).max(share(OF_SHORT_GAMES).min(AT_LEAST));
        let mut weighed: Vec<(f64, usize)> = line
            .into_iter()
            .filter(|node| !review.is_settled(tree, *node))
            .map(|node| (review.weight(tree, node), node))
            .collect();
        // The worst come first, so that the list of the worst moves is right early.
        weighed.sort_by(|(a, _), (b, _)| b.total_cmp(a));
        let nodes: Vec<usize> = weighed
            .into_iter()
            .take(places)
            .map(|(_, node)| node)
            .filter(|node| !review.knows(tree, *node, visits))
            .collect();
        let round = Self {
            number,
            visits,
            nodes,
            done: 0,
        };
        match round.nodes.is_empty() {
            true => round.closer(review, tree, most),
            false => Some(round),
        }
    }
}

/// The move that follows a node on the main line, unless it is one of the passes that end the game.
pub(crate) fn next_move(tree: &GameTree, node: usize) -> Option<(usize, Color, Move)> {
    let next = *tree.children(node).first()?;
    let (color, action) = tree.turn(next)?;
    (!is_agreed(tree, next)).then_some((next, color, action))
}

/// The positions of the main line that a review looks at.
fn positions(tree: &GameTree) -> Vec<usize> {
    let mut line = tree.main_line();
    if let Some(end) = line.iter().position(|node| is_agreed(tree, *node)) {
        line.truncate(end);
    }
    line
}

/// Did a node's move end the game, together with the pass before or after it? Players who pass agree on what is dead,
/// which a search that counts stones as they stand does not, and such a pass is no mistake.
fn is_agreed(tree: &GameTree, node: usize) -> bool {
    let passes = |node| matches!(tree.turn(node), Some((_, Move::Pass)));
    if !passes(node) {
        return false;
    }
    let mut count = 1 + usize::from(tree.parent(node).is_some_and(passes));
    let mut at = node;
    while let Some(next) = tree.children(at).first() {
        match tree.turn(*next) {
            Some((_, Move::Pass)) => count += 1,
            Some(_) => return false,
            None => {}
        }
        at = *next;
    }
    count >= 2
}

impl Review {
    /// Forgets nodes that are gone.
    pub(crate) fn forget(&mut self, tree: &GameTree) {
        self.verdicts.retain(|node, _| tree.get(*node).is_some());
        if let Some(Running { round, .. }) = &mut self.running {
            let (looked_at, rest) = round.nodes.split_at(round.done);
            let exists = |node: &&usize| tree.get(**node).is_some();
            round.done = looked_at.iter().filter(exists).count();
            let kept = looked_at.iter().chain(rest).filter(exists);
            round.nodes = kept.copied().collect();
        }
    }

    /// Has a position been looked at as closely as that, the move that was played there included?
    fn knows(&self, tree: &GameTree, node: usize, visits: u32) -> bool {
        let verdict = self.verdicts.get(&node);
        let is_close = verdict.is_some_and(|verdict| verdict.visits >= visits);
        is_close && (!self.expects_move(tree, node) || self.next(tree, node).is_some())
    }

    /// Is there a move at a node that a search can judge: one of the player whose turn it is?
    fn expects_move(&self, tree: &GameTree, node: usize) -> bool {
        let verdict = self.verdicts.get(&node);
        let next = next_move(tree, node);
        next.is_some_and(|(_, color, _)| {
            verdict.is_none_or(|verdict| verdict.place.ends_with(color.letter()))
        })
    }

    /// What is known about the move that was played at a node, with the node that it led to and its player.
    fn next(&self, tree: &GameTree, node: usize) -> Option<(usize, Color, &Next)> {
        let (to, color, action) = next_move(tree, node)?;
        let next = self.verdicts.get(&node)?.next.as_ref()?;
        (next.action() == action.to_gtp(tree.size())).then_some((to, color, next))
    }

    /// How many points the move that was played at a node may have lost: by what the search there says, or by what the
    /// position after it is worth.
    fn weight(&self, tree: &GameTree, node: usize) -> f64 {
        let Some((to, color, next)) = self.next(tree, node) else {
            return 0.0;
        };
        let lead = |node| self.verdicts.get(&node).map(|verdict| verdict.lead);
        let drop = match (lead(node), lead(to)) {
            (Some(before), Some(after)) => f64::from(color.sign(1) as f32) * (before - after),
            _ => 0.0,
        };
        drop.max(next.behind + next.error)
    }

    /// Would more visits hardly change what the move is worth that was played at a node?
    pub(crate) fn is_settled(&self, tree: &GameTree, node: usize) -> bool {
        let Some((_, _, next)) = self.next(tree, node) else {
            return !self.expects_move(tree, node);
        };
        let is_precise = next.error <= PRECISE.max(PRECISE_SHARE * next.behind);
        let weight = self.weight(tree, node);
        // What the position after the move says must fit, too.
        weight < NEGLIGIBLE || is_precise && weight <= next.behind + 2.0 * PRECISE
    }

    /// How many positions of the round were looked at, and how many there are; of those that are known if none goes on.
    pub(crate) fn progress(&self) -> (usize, usize) {
        let known = self.verdicts.len();
        let running = self.running.as_ref();
        running.map_or((known, known), |running| {
            (running.round.done, running.round.nodes.len())
        })
    }

    /// The number of the round.
    pub(crate) fn round(&self) -> u32 {
        self.running
            .as_ref()
            .map_or(0, |running| running.round.number)
    }

    /// What was found about a position, and about the move that was played there.
    pub(crate) fn message(&self, tree: &GameTree, node: usize) -> Option<ReviewedMessage> {
        let verdict = self.verdicts.get(&node)?;
        let next = self.next(tree, node).map(|(node, _, next)| NextMessage {
            node,
            judged: next.into(),
        });
        Some(ReviewedMessage {
            node,
            visits: verdict.visits,
            winrate: verdict.winrate,
            lead: verdict.lead,
            error: verdict.error,
            best: verdict.best().to_owned(),
            pv: verdict.line.clone(),
            good: verdict.good.clone(),
            ownership: verdict.owners.clone(),
            next,
            settled: self.is_settled(tree, node),
        })
    }

    /// All that was found.
    pub(crate) fn messages(&self, tree: &GameTree) -> Vec<ReviewedMessage> {
        let nodes = self.verdicts.keys();
        nodes.filter_map(|node| self.message(tree, *node)).collect()
    }
}
