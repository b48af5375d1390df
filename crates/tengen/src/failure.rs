//! Ends of the command that are not success.

use std::fmt;

/// The command line asks for something that cannot be: one line on stderr, exit code 2.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub(crate) struct Usage(String);

impl Usage {
    /// What was wrong and what to do.
    pub(crate) fn new(problem: impl fmt::Display) -> Self {
        Self(problem.to_string())
    }
}

/// The command did its work, and what it found is told by the exit code alone: all else was printed already.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Worst {
    #[error("there were warnings")]
    Warnings,
    #[error("there were errors")]
    Errors,
    #[error("some files could not be read")]
    Unreadable,
}

impl Worst {
    pub(crate) const fn exit_code(self) -> u8 {
        match self {
            Self::Warnings => 3,
            Self::Errors => 4,
            Self::Unreadable => 5,
        }
    }
}
