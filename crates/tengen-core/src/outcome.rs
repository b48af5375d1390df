//! How games end.

use std::fmt;

use crate::color::Color;
use crate::score::write_margin;

/// The result of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// This player won.
    Win(Color, Reason),
    /// Nobody won.
    Draw,
    /// The game is void.
    NoResult,
}

/// Why a player won.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Reason {
    /// By counting, with this many half-points more; none if a rule about ties decided.
    Score(u32),
    /// The other player resigned.
    Resignation,
    /// The other player repeated a position where that loses.
    Repetition,
    /// The other player ran out of time.
    Time,
    /// The other player broke a rule or did not appear.
    Forfeit,
}

impl Outcome {
    /// Who won, if anybody did.
    pub const fn winner(self) -> Option<Color> {
        match self {
            Self::Win(winner, _) => Some(winner),
            Self::Draw | Self::NoResult => None,
        }
    }
}

/// As in the result property of SGF: `B+3.5`, `W+R`, `B+T`, `W+F`, `0` for a draw, `Void`.
impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (winner, reason) = match self {
            Self::Win(winner, reason) => (winner, reason),
            Self::Draw => return f.write_str("0"),
            Self::NoResult => return f.write_str("Void"),
        };
        let letter = winner.letter();
        match reason {
            Reason::Score(0) => write!(f, "{letter}+0"),
            Reason::Score(halves) => write_margin(f, winner.sign(*halves as i32)),
            Reason::Resignation => write!(f, "{letter}+R"),
            Reason::Time => write!(f, "{letter}+T"),
            // SGF has no letter for a lost repetition; it is the breach of a rule.
            Reason::Repetition | Reason::Forfeit => write!(f, "{letter}+F"),
        }
    }
}
