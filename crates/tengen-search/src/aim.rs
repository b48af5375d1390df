//! What a search is for.

use crate::level::Level;

/// What a search is for. An evaluator may judge for one purpose otherwise than for another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Aim {
    /// To find moves, as a player of this level would.
    Moves(Level),
    /// To see which stones live, in a position where nothing much is left to play for.
    Life,
}

impl Aim {
    /// To find the best moves.
    pub const BEST: Self = Self::Moves(Level::FULL);

    /// The limit of visits for such a search if rollouts judge.
    pub const fn rollouts(self) -> Option<u32> {
        match self {
            Self::Moves(level) => level.skill().rollouts,
            Self::Life => None,
        }
    }

    /// The limit of visits if a network judges.
    pub const fn visits(self) -> Option<u32> {
        match self {
            Self::Moves(level) => level.skill().visits,
            Self::Life => None,
        }
    }
}
