//! Positions of recorded games.

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
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReplayError {
    /// The game has only so many moves.
    #[error("the game has only {0} moves")]
    TooFew(usize),
    /// The move of this turn, counted from 0, is illegal.
    #[error("move {turn}: {1}", turn = .0 + 1)]
    Illegal(usize, IllegalMove),
}
