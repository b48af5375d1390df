//! Why a certificate proves nothing.

use std::fmt;

use tengen_core::{IllegalMove, Move, SetupError, Size};

use crate::certificate::CertificateError;

/// The first thing that is wrong with a certificate.
#[derive(Debug)]
pub struct Refusal {
    /// What is wrong.
    pub flaw: Flaw,
    /// The place in the file, in bytes from its beginning, where one can be named.
    pub offset: Option<u64>,
    /// The moves that lead from the start of the claim to what is wrong.
    pub line: Vec<Move>,
    /// The board on which they are played.
    pub size: Option<Size>,
}

/// What can be wrong with a certificate.
#[derive(Debug)]
pub enum Flaw {
    /// The bytes are no certificate.
    File(CertificateError),
    /// There are more entries than the checker can number.
    TooLarge,
    /// The prover's move is not legal.
    Illegal(Move, IllegalMove),
    /// The game ends with this margin for Black, which the claim does not allow.
    Score(i32),
    /// The strategy does not say what to do, and the stones on the board do not guarantee the claim.
    Missing,
    /// The strategy can lead back to where it was before.
    Cycle,
    /// The attacker of a local problem passes, which ends it.
    GivesUp,
    /// The target of a local problem is captured.
    Captured,
    /// A step is about stones that cannot stand.
    Position(SetupError),
    /// A step has so many links, and there are so many moves.
    Replies(usize, usize),
    /// A step is not about the situation that a move leads to.
    Mismatch,
    /// A step needs that a board was not there before which is there.
    Repetition,
    /// The proof needs that a stone of the opponent is banned from the start.
    NotBanned,
    /// There are more boards to remember than the checker has room for.
    TooManyBoards,
    /// Whoever asked for the check has ended it.
    Stopped,
}

impl Refusal {
    pub(super) const fn of(flaw: Flaw) -> Self {
        Self {
            flaw,
            offset: None,
            line: Vec::new(),
            size: None,
        }
    }
}

impl From<CertificateError> for Refusal {
    fn from(error: CertificateError) -> Self {
        Self {
            offset: Some(error.offset),
            ..Self::of(Flaw::File(error))
        }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Flaw::File(error) = &self.flaw {
            return error.fmt(f);
        }
        if let Some(offset) = self.offset {
            write!(f, "byte {offset}: ")?;
        }
        self.flaw.fmt(f)?;
        if let (Flaw::Illegal(action, reason), Some(size)) = (&self.flaw, self.size) {
            write!(f, " at {}: {reason}", action.to_gtp(size))?;
        }
        if let Some(size) = self.size {
            f.write_str(match self.line.len() {
                0 => ", at the start",
                _ => ", after",
            })?;
            for action in &self.line {
                write!(f, " {}", action.to_gtp(size))?;
            }
        }
        Ok(())
    }
}

impl fmt::Display for Flaw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(error) => error.fmt(f),
            Self::TooLarge => f.write_str("there are more than two billion entries"),
            Self::Illegal(..) => f.write_str("the prover's move is illegal"),
            Self::Score(margin) => write!(
                f,
                "the game ends with a margin of {margin} for Black, which the claim does not allow"
            ),
            Self::Missing => f.write_str(
                "the strategy has no move, and what the prover's stones guarantee is not enough",
            ),
            Self::Cycle => f.write_str("the strategy leads back to where it was before"),
            Self::GivesUp => f.write_str("the attacker passes without need, and so gives up"),
            Self::Captured => f.write_str("the target is captured"),
            Self::Position(error) => error.fmt(f),
            Self::Replies(found, expected) => {
                write!(
                    f,
                    "the step has {found} links, and there are {expected} moves"
                )
            }
            Self::Mismatch => f.write_str("a move does not lead where the step says"),
            Self::Repetition => {
                f.write_str("the prover's strategy may need a stone that repeats a board")
            }
            Self::NotBanned => {
                f.write_str("the proof needs that a board was there before the start")
            }
            Self::TooManyBoards => f.write_str("there are too many boards to remember"),
            Self::Stopped => f.write_str("the check was stopped"),
        }
    }
}

impl std::error::Error for Refusal {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match &self.flaw {
            Flaw::File(error) => std::error::Error::source(error),
            _ => None,
        }
    }
}
