//! Why a command failed.

use std::fmt;

/// What stands behind the `?` of a reply. The texts of the first kinds are those that GTP 2 names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Failure {
    UnknownCommand,
    Syntax,
    /// A move that the rules forbid.
    IllegalMove,
    /// A board that is too small or too large.
    Size,
    ColorOrCoordinate,
    CannotUndo,
    /// Handicap stones go on an empty board.
    BoardNotEmpty,
    /// A handicap that the board has no room or no name for.
    NumberOfStones,
    /// Points for handicap stones that cannot be all of them taken.
    VertexList,
    CannotLoad,
    /// Anything that the protocol has no words for.
    Because(String),
}

impl Failure {
    /// A failure that the protocol has no words for.
    pub(crate) fn because(reason: impl fmt::Display) -> Self {
        Self::Because(reason.to_string())
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::UnknownCommand => "unknown command",
            Self::Syntax => "syntax error",
            Self::IllegalMove => "illegal move",
            Self::Size => "unacceptable size",
            Self::ColorOrCoordinate => "invalid color or coordinate",
            Self::CannotUndo => "cannot undo",
            Self::BoardNotEmpty => "board not empty",
            Self::NumberOfStones => "invalid number of stones",
            Self::VertexList => "bad vertex list",
            Self::CannotLoad => "cannot load file",
            Self::Because(reason) => reason,
        })
    }
}

/// What a command has to say: the text behind the `=`, or why there is none.
pub(crate) type Reply = Result<String, Failure>;
