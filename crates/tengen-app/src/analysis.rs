//! What a search found, for messages.

use serde::Serialize;
use tengen_core::{Color, Move, Size};
use tengen_search::{Analysis, Candidate, Worth};

/// The most moves that a message tells of.
const MOVES: usize = 30;

/// What a search found about a position. Numbers are Black's.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct AnalysisMessage {
    /// The game.
    #[cfg_attr(test, schemars(with = "crate::words::GameId"))]
    pub game: String,
    /// The node of the position.
    #[cfg_attr(test, schemars(with = "crate::words::Node"))]
    pub node: usize,
    /// How many times it was searched.
    pub visits: u32,
    /// The share of games that Black wins.
    pub winrate: f64,
    /// By how many points Black is ahead.
    pub lead: f64,
    /// The standard deviation of that number.
    pub spread: f64,
    /// Whose each point will be, from 1 for Black to -1, row by row.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ownership: Option<Vec<f64>>,
    /// The moves that were searched, the best first, 30 at most.
    pub moves: Vec<CandidateMessage>,
    /// Was this the last message?
    pub done: bool,
}

/// A move that was searched.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct CandidateMessage {
    /// The move.
    #[serde(rename = "move")]
    #[cfg_attr(test, schemars(with = "crate::words::Move"))]
    pub action: String,
    /// How many times it was searched.
    pub visits: u32,
    /// The share of games that Black wins after it.
    pub winrate: f64,
    /// By how many points Black is ahead after it.
    pub lead: f64,
    /// How many points less than with the best move its player has.
    pub lost: f64,
    /// How likely it seemed at first.
    pub prior: f64,
    /// A share of games that its player, not Black, hardly falls short of.
    pub lcb: f64,
    /// The moves that are expected, this one first.
    #[cfg_attr(test, schemars(with = "Vec<crate::words::Move>"))]
    pub pv: Vec<String>,
}

/// What is kept of the analysis of a position: a win rate and a lead, Black's, and the best move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Verdict {
    pub visits: u32,
    pub winrate: f64,
    pub lead: f64,
    /// The standard error of the lead.
    pub error: f64,
    pub best: Move,
    /// The lead after the best move, and its standard error.
    pub best_lead: f64,
    pub best_error: f64,
}

/// Whether a message has whose each point will be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ownership {
    Shown,
    Hidden,
}

/// A number with as many digits as anybody looks at.
pub(crate) fn rounded(value: f32, digits: i32) -> f64 {
    let scale = 10_f64.powi(digits);
    let rounded = (f64::from(value) * scale).round() / scale;
    // No negative zero.
    if rounded == 0.0 { 0.0 } else { rounded }
}

/// A mover's share of games as Black's.
fn of_black(share: f32, analysis: &Analysis) -> f32 {
    match analysis.to_move {
        Color::Black => share,
        Color::White => 1.0 - share,
    }
}

impl Verdict {
    pub(crate) fn of(analysis: &Analysis) -> Self {
        let sign = analysis.to_move.sign(1) as f32;
        let best = analysis.moves.first().filter(|best| best.visits > 0);
        let (best, best_visits) = best.map_or((analysis.worth, analysis.visits), |best| {
            (best.worth, best.visits)
        });
        Self {
            visits: analysis.visits,
            winrate: rounded(of_black(analysis.worth.win_rate, analysis), 4),
            lead: rounded(sign * analysis.worth.lead, 2),
            error: rounded(standard_error(analysis.worth, analysis.visits), 2),
            best: analysis.best(),
            best_lead: rounded(sign * best.lead, 2),
            best_error: rounded(standard_error(best, best_visits), 2),
        }
    }
}

/// How far the mean lead of so many visits may be off, as if they were independent.
fn standard_error(worth: Worth, visits: u32) -> f32 {
    worth.lead_spread / (visits.max(1) as f32).sqrt()
}

/// The moves that a candidate expects, by their names.
pub(crate) fn variation(candidate: &Candidate, size: Size) -> Vec<String> {
    let moves = candidate.variation.iter();
    moves.map(|action| action.to_gtp(size)).collect()
}

/// Whose each point will be, row by row.
pub(crate) fn ownership(analysis: &Analysis, size: Size) -> Vec<f64> {
    size.points()
        .iter()
        .map(|point| rounded(analysis.ownership[point], 2))
        .collect()
}

impl AnalysisMessage {
    pub(crate) fn new(
        (name, node): (&str, usize),
        size: Size,
        analysis: &Analysis,
        shown: Ownership,
    ) -> Self {
        let sign = analysis.to_move.sign(1) as f32;
        let best = analysis.moves.first().map_or(0.0, |best| best.worth.lead);
        let candidate = |candidate: &Candidate| CandidateMessage {
            action: candidate.action.to_gtp(size),
            visits: candidate.visits,
            winrate: rounded(of_black(candidate.worth.win_rate, analysis), 4),
            lead: rounded(sign * candidate.worth.lead, 2),
            lost: rounded((best - candidate.worth.lead).max(0.0), 2),
            prior: rounded(candidate.prior, 4),
            lcb: rounded(candidate.lcb, 4),
            pv: variation(candidate, size),
        };
        let searched = analysis.moves.iter().filter(|moved| moved.visits > 0);
        let verdict = Verdict::of(analysis);
        Self {
            game: name.to_owned(),
            node,
            visits: verdict.visits,
            winrate: verdict.winrate,
            lead: verdict.lead,
            spread: rounded(analysis.worth.lead_spread, 2),
            ownership: (shown == Ownership::Shown).then(|| ownership(analysis, size)),
            moves: searched.take(MOVES).map(candidate).collect(),
            done: false,
        }
    }
}
