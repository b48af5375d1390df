//! Why a move may not be played.

use std::fmt;

/// The reason why a move is illegal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum IllegalMove {
    /// A stone is there already.
    Occupied,
    /// The stone or its chain would be left without a liberty.
    Suicide,
    /// It would take back the stone that has just captured one: simple ko.
    Ko,
    /// It would recreate an earlier position of the game that the superko rule forbids.
    Superko,
    /// The point is not on the board.
    OffBoard,
    /// The game has ended.
    GameOver,
}

impl fmt::Display for IllegalMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Occupied => "occupied",
            Self::Suicide => "suicide",
            Self::Ko => "ko",
            Self::Superko => "superko",
            Self::OffBoard => "off the board",
            Self::GameOver => "the game is over",
        })
    }
}

impl std::error::Error for IllegalMove {}
