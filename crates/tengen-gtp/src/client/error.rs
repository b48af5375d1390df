//! Why a program gave no answer.

use std::time::Duration;
use std::{fmt, io};

/// Why a program gave no answer, or not the one that was hoped for.
#[derive(Debug)]
pub enum ClientError {
    /// It could not be started.
    Start {
        /// The program.
        program: String,
        /// What the system said.
        error: io::Error,
    },
    /// It has ended, or closed the connection.
    Gone {
        /// The command that it did not answer.
        command: String,
        /// How it ended, if it did.
        status: Option<String>,
    },
    /// It did not answer in time.
    Silent {
        /// The command that it did not answer.
        command: String,
        /// How long we waited.
        after: Duration,
    },
    /// What it sent is no GTP.
    Garbage {
        /// The command that it should have answered.
        command: String,
        /// What it sent, or its beginning.
        line: String,
    },
    /// It answered that it cannot.
    Refused {
        /// The command.
        command: String,
        /// Its reason.
        reason: String,
    },
    /// A stop was requested while we waited.
    Interrupted,
}

impl ClientError {
    /// Can nothing more be expected of the program?
    pub const fn is_fatal(&self) -> bool {
        !matches!(self, Self::Refused { .. })
    }
}

impl fmt::Display for ClientError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Start { program, error } => write!(f, "{program} cannot be started: {error}"),
            Self::Gone {
                command,
                status: Some(status),
            } => write!(f, "it ended ({status}) instead of answering `{command}`"),
            Self::Gone {
                command,
                status: None,
            } => write!(
                f,
                "it closed the connection instead of answering `{command}`"
            ),
            Self::Silent { command, after } => {
                let seconds = after.as_secs_f64();
                write!(f, "it did not answer `{command}` within {seconds} s")
            }
            Self::Garbage { command, line } => {
                write!(f, "it answered `{command}` with `{line}`, which is no GTP")
            }
            Self::Refused { command, reason } => write!(f, "it refused `{command}`: {reason}"),
            Self::Interrupted => f.write_str("interrupted"),
        }
    }
}

impl std::error::Error for ClientError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Start { error, .. } => Some(error),
            _ => None,
        }
    }
}
