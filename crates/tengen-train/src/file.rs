//! Files that are there as a whole or not at all.

use std::fmt;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// The extension of a file that is being written.
pub(crate) const DRAFT: &str = "part";

/// A file or folder that could not be read or written.
#[derive(Debug)]
pub struct FileError {
    /// Which one.
    pub path: PathBuf,
    /// Why.
    pub error: io::Error,
}

impl FileError {
    pub(crate) fn new(path: &Path, error: io::Error) -> Self {
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

/// Writes a file so that it is there as a whole or not at all, whatever happens to the machine. If it fails, what was
/// there before is still there.
pub fn write_whole(path: &Path, bytes: &[u8]) -> Result<(), FileError> {
    let draft = path.with_extension(DRAFT);
    let written = File::create(&draft).and_then(|mut file| {
        file.write_all(bytes)?;
        file.sync_all()?;
        fs::rename(&draft, path)
    });
    if let Err(error) = written {
        // The first error is the one to tell.
        let _ = fs::remove_file(&draft);
        return Err(FileError::new(path, error));
    }
    // The new name must last as well. Where a folder cannot be opened, the system sees to that itself.
    let folder = path.parent().map_or(Ok(()), |folder| {
        File::open(folder).map_or(Ok(()), |folder| folder.sync_all())
    });
    folder.map_err(|error| FileError::new(path, error))
}
