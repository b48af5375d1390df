//! Why a run ends before its time.

use std::fmt;
use std::path::PathBuf;

use tengen_files::FileError;
use tengen_nn::WeightsError;

use crate::config::ConfigError;
use crate::position::ReplayError;
use crate::records::LibraryError;
use crate::settings::SelfPlayError;

/// Why a run cannot go on.
#[derive(Debug)]
pub enum RunError {
    /// A file could not be read or written.
    File(FileError),
    /// A file of weights is damaged or foreign.
    Weights(PathBuf, WeightsError),
    /// The run was begun with another network or seed.
    Other(String),
    /// The configuration is wrong.
    Config(ConfigError),
    /// Games cannot be played like this.
    SelfPlay(SelfPlayError),
    /// A game that was recorded cannot be replayed.
    Replay(ReplayError),
    /// The records to learn from cannot be read.
    Library(LibraryError),
    /// The network says numbers that are none: it learned too fast.
    Diverged(u64),
}

impl fmt::Display for RunError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(error) => write!(f, "{error}"),
            Self::Weights(path, error) => write!(f, "{}: {error}", path.display()),
            Self::Other(what) => f.write_str(what),
            Self::Config(error) => write!(f, "{error}"),
            Self::SelfPlay(error) => write!(f, "{error}"),
            Self::Replay(error) => write!(f, "a recorded game cannot be replayed: {error}"),
            Self::Library(error) => write!(f, "records: {error}"),
            Self::Diverged(step) => write!(
                f,
                "after step {step} the network no longer says numbers; \
                 the last good state is kept, lower `learning.rate`"
            ),
        }
    }
}

impl std::error::Error for RunError {}

impl From<FileError> for RunError {
    fn from(error: FileError) -> Self {
        Self::File(error)
    }
}

impl From<SelfPlayError> for RunError {
    fn from(error: SelfPlayError) -> Self {
        Self::SelfPlay(error)
    }
}
