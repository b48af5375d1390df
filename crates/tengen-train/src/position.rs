//! Positions of recorded games.

use std::fmt;

use tengen_core::{Game, IllegalMove, Move};
use tengen_env::Actions;

use crate::record::GameRecord;

impl GameRecord {
    /// The game after so many of its moves.
    pub fn position(&self, turn: usize) -> Result<Game, ReplayError> {
        let moves = self
            .moves
            .get(..turn)
            .ok_or(ReplayError::TooFew(self.moves.len()))?;
        let actions = Actions::on(self.size);
        let mut game = Game::new(self.size, self.rules);
        for (turn, number) in moves.iter().enumerate() {
            let action = actions.action(usize::from(*number));
            let played = action
                .ok_or(IllegalMove::OffBoard)
                .and_then(|action: Move| game.play(action));
            played.map_err(|reason| ReplayError::Illegal(turn, reason))?;
        }
        Ok(game)
    }
}

/// Why a record could not be replayed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReplayError {
    /// The game has only so many moves.
    TooFew(usize),
    /// The move of this turn, counted from 0, is illegal.
    Illegal(usize, IllegalMove),
}

impl fmt::Display for ReplayError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooFew(moves) => write!(f, "the game has only {moves} moves"),
            Self::Illegal(turn, reason) => write!(f, "move {}: {reason}", turn + 1),
        }
    }
}

impl std::error::Error for ReplayError {}
