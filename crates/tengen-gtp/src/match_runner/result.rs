//! The result of a game, as it is written down.

use serde::{Deserialize, Serialize};

use super::settings::Side;

/// The result of a game, a line of `results.jsonl`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GameResult {
    /// Its number, from 1.
    pub game: u32,
    /// Who had Black.
    pub black: Side,
    /// The moves that nobody chose.
    pub opening: Vec<String>,
    /// As in SGF.
    pub result: String,
    /// Who won; nobody in a draw or a void game.
    pub winner: Option<Side>,
    /// How it ended.
    pub end: End,
    /// Whose dead stones were taken off, where the board was counted.
    pub settled: Option<Settled>,
    /// Black's margin in half-points as the first and as the second player saw it, where they disagreed.
    pub disputed: Option<[i32; 2]>,
    /// What a player did wrong.
    pub reason: Option<String>,
    /// How many moves were made.
    pub moves: usize,
    /// How long the game took, in seconds.
    pub seconds: f64,
    /// What the first player spent.
    pub first: Effort,
    /// What the second player spent.
    pub second: Effort,
}

/// What a player spent on a game, in seconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Effort {
    /// The moves that it was asked for.
    pub moves: u32,
    /// CPU time, if it is known.
    pub cpu: Option<f64>,
    /// Wall-clock time.
    pub wall: f64,
    /// The longest that a move took.
    pub slowest: f64,
}

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum End {
    /// By passes.
    Passes,
    /// A player resigned.
    Resignation,
    /// After as many moves as a game may have.
    MaxMoves,
    /// By a repetition that ends a game.
    Repetition,
    /// A player's clock ran out.
    Time,
    /// A player broke the rules, or did not answer.
    Forfeit,
}

/// Whose dead stones were taken off before the board was counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Settled {
    /// Both players named the same.
    Agreed,
    /// Those of the first player, as the second names none.
    First,
    /// Those of the second player.
    Second,
    /// Those of the referee.
    Referee,
    /// Nobody's: the board was counted as it stands.
    Board,
}

impl GameResult {
    /// What the game was worth to a player: 0, 1 for a draw or a void game, 2.
    pub fn halves(&self, side: Side) -> u32 {
        match self.winner {
            Some(winner) if winner == side => 2,
            Some(_) => 0,
            None => 1,
        }
    }

    /// What a player spent.
    pub const fn effort(&self, side: Side) -> &Effort {
        match side {
            Side::First => &self.first,
            Side::Second => &self.second,
        }
    }

    /// Did this player lose without losing the game on the board?
    pub fn is_forfeited_by(&self, side: Side) -> bool {
        matches!(self.end, End::Forfeit | End::Time) && self.winner == Some(side.other())
    }
}
