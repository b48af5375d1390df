//! From whose side numbers are seen.

use std::fmt;
use std::str::FromStr;

use tengen_core::Color;

/// From whose side win rates, scores and ownership are reported.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Perspective {
    /// Always Black's.
    #[default]
    Black,
    /// Always White's.
    White,
    /// That of the player to move in the position.
    SideToMove,
}

impl Perspective {
    /// The colour whose side it is in a position with this player to move.
    pub const fn color(self, to_move: Color) -> Color {
        match self {
            Self::Black => Color::Black,
            Self::White => Color::White,
            Self::SideToMove => to_move,
        }
    }
}

/// The text names no perspective.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("win rates are reported as BLACK, WHITE or SIDETOMOVE")]
pub struct ParsePerspectiveError;

impl FromStr for Perspective {
    type Err = ParsePerspectiveError;

    fn from_str(text: &str) -> Result<Self, ParsePerspectiveError> {
        match text.to_ascii_uppercase().as_str() {
            "BLACK" | "B" => Ok(Self::Black),
            "WHITE" | "W" => Ok(Self::White),
            "SIDETOMOVE" => Ok(Self::SideToMove),
            _ => Err(ParsePerspectiveError),
        }
    }
}

impl fmt::Display for Perspective {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Black => "BLACK",
            Self::White => "WHITE",
            Self::SideToMove => "SIDETOMOVE",
        })
    }
}
