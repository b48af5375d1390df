//! What a search found, for messages.

use serde::Serialize;
use tengen_core::Size;
use tengen_search::Analysis;

use crate::judgement::{Figures, Judged, Judgement, rounded};

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
    /// The share of games that Black wins after the best move.
    pub winrate: f64,
    /// By how many points Black is ahead after the best move.
    pub lead: f64,
    /// The standard error of that number.
    pub error: f64,
    /// Whose each point will be, from 1 for Black to -1, row by row.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ownership: Option<Vec<f64>>,
    /// The moves that were searched, 30 at most. The first has the best lead of those that can be compared.
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
    /// How many points less than with the best move its player has: 0 if that may be noise.
    pub lost: f64,
    /// The standard error of that number.
    pub lost_error: f64,
    /// Was it searched often enough to be compared with the best one?
    pub compared: bool,
    /// How likely it seemed at first.
    pub prior: f64,
    /// A share of games that its player, not Black, hardly falls short of.
    pub lcb: f64,
    /// The moves that are expected, this one first.
    #[cfg_attr(test, schemars(with = "Vec<crate::words::Move>"))]
    pub pv: Vec<String>,
}

/// Whether a message has whose each point will be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ownership {
    Shown,
    Hidden,
}

/// Whose each point will be, row by row.
pub(crate) fn ownership(analysis: &Analysis, size: Size) -> Vec<f64> {
    size.points()
        .iter()
        .map(|point| rounded(analysis.ownership[point].into(), 2))
        .collect()
}

impl CandidateMessage {
    fn new(judged: &Judged<'_>, size: Size) -> Self {
        let Figures { winrate, lead, .. } = judged.value;
        Self {
            action: judged.candidate.action.to_gtp(size),
            visits: judged.candidate.visits,
            winrate,
            lead,
            lost: judged.loss.points(),
            lost_error: judged.loss.error,
            compared: judged.compared,
            prior: rounded(judged.candidate.prior.into(), 4),
            lcb: rounded(judged.candidate.lcb.into(), 4),
            pv: judged.variation(size),
        }
    }
}

impl AnalysisMessage {
    pub(crate) fn new(
        (name, node): (&str, usize),
        size: Size,
        analysis: &Analysis,
        shown: Ownership,
    ) -> Self {
        let judgement = Judgement::of(analysis);
        let Figures {
            winrate,
            lead,
            error,
        } = judgement.value;
        let moves = judgement.moves.iter().take(MOVES);
        Self {
            game: name.to_owned(),
            node,
            visits: judgement.visits,
            winrate,
            lead,
            error,
            ownership: (shown == Ownership::Shown).then(|| ownership(analysis, size)),
            moves: moves
                .map(|judged| CandidateMessage::new(judged, size))
                .collect(),
            done: false,
        }
    }
}
