//! What a search found.

use tengen_core::{Color, Move, PointMap};

/// What a search knows about a position.
///
/// All values are from the point of view of the player to move, ownership apart.
#[derive(Clone, Debug)]
pub struct Analysis {
    /// Whose position it is.
    pub to_move: Color,
    /// How many times the position was searched.
    pub visits: u32,
    /// What it is worth.
    pub worth: Worth,
    /// All legal moves, the best first.
    pub moves: Vec<Candidate>,
    /// Whose each point will be: 1 is Black's, -1 White's.
    pub ownership: PointMap<f32>,
    /// How much the owner of each point varied from one game to the next.
    pub ownership_spread: PointMap<f32>,
}

/// What a position or a move is worth to the player whose view it is.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Worth {
    /// The share of games that are won, a draw being half of one.
    pub win_rate: f32,
    /// The mean number of points by which the player is ahead, komi included.
    pub lead: f32,
    /// The standard deviation of the final score, as far as the evaluator tells it.
    pub lead_spread: f32,
    /// The standard deviation of the leads that visits found, without what the evaluator itself leaves open in each.
    pub lead_deviation: f32,
}

/// A move that the player may make.
#[derive(Clone, Debug, PartialEq)]
pub struct Candidate {
    /// The move.
    pub action: Move,
    /// How many times it was searched.
    pub visits: u32,
    /// How much speaks for playing it: its visits, with a correction where a network judges. The best move has most.
    pub selection: f32,
    /// What it leads to; that of the position for a move that was never searched.
    pub worth: Worth,
    /// A win rate that the move falls short of with small probability.
    pub lcb: f32,
    /// How likely the move seemed before it was searched; all moves together have 1.
    pub prior: f32,
    /// The moves that are expected to follow, this one first.
    pub variation: Vec<Move>,
    /// How many times each of them was searched.
    pub variation_visits: Vec<u32>,
    /// Whose each point will be after it, in reading order; nothing if this search did not try it.
    pub ownership: Vec<f32>,
    /// How much the owner of each point varied from one game to the next, likewise.
    pub ownership_spread: Vec<f32>,
}

impl Analysis {
    /// The best move: a pass if nothing was searched.
    pub fn best(&self) -> Move {
        self.moves.first().map_or(Move::Pass, |best| best.action)
    }
}
