//! The result of a game, as it is written down.

use serde::{Deserialize, Serialize};

use super::settings::Side;

/// The result of a game, a line of `results.jsonl`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct GameResult {
    /// Its number, from 1.
    pub(crate) game: u32,
    /// Who had Black.
    pub(crate) black: Side,
    /// The moves that nobody chose.
    pub(crate) opening: Vec<String>,
    /// As in SGF.
    pub(crate) result: String,
    pub(crate) winner: Option<Side>,
    pub(crate) end: End,
    /// Whose dead stones were taken off, where the board was counted.
    pub(crate) settled: Option<Settled>,
    /// Black's margin in half-points as the first and as the second player saw it, where they disagreed.
    pub(crate) disputed: Option<[i32; 2]>,
    /// What a player did wrong.
    pub(crate) reason: Option<String>,
    pub(crate) moves: usize,
    pub(crate) seconds: f64,
    pub(crate) first: Effort,
    pub(crate) second: Effort,
}

/// What a player spent on a game, in seconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Effort {
    /// The moves that it was asked for.
    pub(crate) moves: u32,
    /// CPU time, if it is known.
    pub(crate) cpu: Option<f64>,
    /// Time on the wall.
    pub(crate) wall: f64,
    /// The longest that a move took.
    pub(crate) slowest: f64,
}

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum End {
    Passes,
    Resignation,
    MaxMoves,
    Repetition,
    Time,
    Forfeit,
}

/// Whose dead stones were taken off before the board was counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Settled {
    /// Both players named the same.
    Agreed,
    /// Those of the first player, as the second names none.
    First,
    /// Those of the second player.
    Second,
    Referee,
    /// Nobody's: the board was counted as it stands.
    Board,
}

impl GameResult {
    /// What the game was worth to a player: 0, 1 for a draw or a void game, 2.
    pub(crate) fn halves(&self, side: Side) -> u32 {
        match self.winner {
            Some(winner) if winner == side => 2,
            Some(_) => 0,
            None => 1,
        }
    }

    /// What a player spent.
    pub(crate) const fn effort(&self, side: Side) -> &Effort {
        match side {
            Side::First => &self.first,
            Side::Second => &self.second,
        }
    }

    /// Did this player lose without losing the game on the board?
    pub(crate) fn is_forfeited_by(&self, side: Side) -> bool {
        matches!(self.end, End::Forfeit | End::Time) && self.winner == Some(side.other())
    }
}
