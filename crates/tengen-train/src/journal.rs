//! The games of a generation that is not complete yet.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use tengen_files::{FileError, Files, Output};

use crate::record::{GameRecord, RecordProblem, Records};

/// A file that every game goes into as soon as it has ended.
#[derive(Debug)]
pub(crate) struct Journal {
    disk: Arc<dyn Files>,
    path: PathBuf,
    file: Box<dyn Output>,
    /// All bytes of whole games.
    length: u64,
    games: Vec<GameRecord>,
}

impl Journal {
    /// Opens it, with all whole games that are in it. A game that was being written is dropped.
    pub(crate) fn open(disk: Arc<dyn Files>, path: &Path) -> Result<Self, FileError> {
        let failed = |error| FileError::new(path, error);
        let mut games = Vec::new();
        let mut length = 0;
        match disk.read(path) {
            Ok(bytes) => {
                for record in Records::after(bytes.as_slice(), 0) {
                    match record {
                        Ok(record) => {
                            length += record.to_bytes().len() as u64;
                            games.push(record);
                        }
                        Err(error) => match error.problem {
                            RecordProblem::Io(error) => return Err(failed(error)),
                            _ => break,
                        },
                    }
                }
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => (),
            Err(error) => return Err(failed(error)),
        }
        let mut file = disk.append(path).map_err(failed)?;
        file.cut(length).map_err(failed)?;
        Ok(Self {
            disk,
            path: path.to_owned(),
            file,
            length,
            games,
        })
    }

    pub(crate) fn games(&self) -> &[GameRecord] {
        &self.games
    }

    /// Adds a game, or leaves the file as it was.
    pub(crate) fn add(&mut self, record: GameRecord) -> Result<(), FileError> {
        let bytes = record.to_bytes();
        if let Err(error) = self.file.write_all(&bytes) {
            // What was written of it would be dropped the next time, but another game may come behind it first.
            _ = self.file.cut(self.length);
            return Err(FileError::new(&self.path, error));
        }
        self.length += bytes.len() as u64;
        self.games.push(record);
        Ok(())
    }

    /// Takes all games, in the order in which they ended.
    pub(crate) fn take(&mut self) -> Vec<GameRecord> {
        std::mem::take(&mut self.games)
    }

    /// Forgets all games, which are kept elsewhere now.
    pub(crate) fn clear(&mut self) -> Result<(), FileError> {
        self.games.clear();
        let cleared = self.file.cut(0);
        cleared.map_err(|error| FileError::new(&self.path, error))?;
        self.length = 0;
        Ok(())
    }
}

impl Drop for Journal {
    fn drop(&mut self) {
        // An empty journal is of no use to anybody.
        if self.length == 0 {
            _ = self.disk.remove(&self.path);
        }
    }
}
