//! A file or folder that could not be read or written.

use std::path::{Path, PathBuf};
use std::{fmt, io};

/// A file or folder that could not be read or written.
#[derive(Debug)]
pub struct FileError {
    /// Which one.
    pub path: PathBuf,
    /// Why.
    pub error: io::Error,
}

impl FileError {
    /// Names the file of an error.
    pub fn new(path: &Path, error: io::Error) -> Self {
        Self {
            path: path.to_owned(),
            error,
        }
    }
}

impl fmt::Display for FileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.path.display(), self.error)
    }
}

impl std::error::Error for FileError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&self.error)
    }
}
