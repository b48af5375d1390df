//! Why a run ends before its time.

use std::path::PathBuf;

use tengen_files::FileError;
use tengen_nn::WeightsError;

use crate::config::ConfigError;
use crate::position::ReplayError;
use crate::records::{LibraryError, NetworkError};
use crate::settings::SelfPlayError;

/// Why a run cannot go on.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// A file could not be read or written.
    #[error("{0}")]
    File(FileError),
    /// A file of weights is damaged or foreign.
    #[error("{path}: {1}", path = .0.display())]
    Weights(PathBuf, WeightsError),
    /// The run was begun with another network or seed.
    #[error("{0}")]
    Other(String),
    /// The configuration is wrong.
    #[error("{0}")]
    Config(ConfigError),
    /// Games cannot be played like this.
    #[error("{0}")]
    SelfPlay(SelfPlayError),
    /// A game that was recorded cannot be replayed.
    #[error("a recorded game cannot be replayed: {0}")]
    Replay(ReplayError),
    /// The records to learn from cannot be read.
    #[error("records: {0}")]
    Library(LibraryError),
    /// There is no network to learn from.
    #[error("records.tutor: {0}")]
    Tutor(NetworkError),
    /// The network says numbers that are none: it learned too fast.
    #[error(
        "after step {0} the network no longer says numbers; \
        the last good state is kept, lower `learning.rate`"
    )]
    Diverged(u64),
}

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
