//! What a network says about a position before any search.

use tengen_core::{ByColor, Symmetry};

/// How a network is asked.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct RawQuery {
    /// How the position is turned before the network sees it; what it says is turned back. `None` is as a search does.
    pub symmetry: Option<Symmetry>,
    /// How much of its optimistic policy counts, from 0 to 1, if the network has one and the default is not wanted.
    pub optimism: Option<f32>,
    /// Is nothing hidden from it that a search would hide, such as that a pass by a player who is behind ends the game?
    pub plainly: bool,
}

/// What a network says about a position before any search.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Raw {
    /// How likely each player is to win; each has half of the draws.
    pub wins: ByColor<f32>,
    /// How likely the game is to be void.
    pub no_result: f32,
    /// By how many points Black is ahead, komi included.
    pub black_lead: f32,
    /// The mean of the final score as Black sees it, if the network tells it from the lead.
    pub black_score: Option<f32>,
    /// The standard deviation of the final score.
    pub score_spread: Option<f32>,
    /// How long it takes until the winner is clear, in no particular unit.
    pub time_left: Option<f32>,
    /// By how much the win rate is expected to change within a few turns, between a loss at -1 and a win at 1.
    pub win_error: Option<f32>,
    /// By how much the score is expected to change within a few turns.
    pub score_error: Option<f32>,
    /// How likely each move is, the points in reading order and then the pass; `None` where it is illegal.
    pub policy: Vec<Option<f32>>,
    /// Whose each point will be, in reading order: 1 is Black's, -1 White's.
    pub ownership: Vec<f32>,
}

/// A network that judges.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Model {
    /// What it calls itself.
    pub name: String,
    /// The version of its format.
    pub version: u32,
    /// How many positions it judges at once.
    pub batch: usize,
    /// Does it imitate players of a rank that it is told?
    pub imitates: bool,
}
