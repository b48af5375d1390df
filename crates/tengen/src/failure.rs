//! Ends of the command that are not success.

use std::fmt;

/// The command line asks for something that cannot be: one line on stderr, exit code 2.
#[derive(Debug)]
pub(crate) struct Usage(String);

impl Usage {
    /// What was wrong and what to do.
    pub(crate) fn new(problem: impl fmt::Display) -> Self {
        Self(problem.to_string())
    }
}

impl fmt::Display for Usage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Usage {}

/// The command did its work, and what it found is told by the exit code alone: all else was printed already.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Worst {
    Warnings,
    Errors,
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

impl fmt::Display for Worst {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Warnings => "there were warnings",
            Self::Errors => "there were errors",
            Self::Unreadable => "some files could not be read",
        })
    }
}

impl std::error::Error for Worst {}
