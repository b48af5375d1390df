//! The games of a generation that is not complete yet.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufReader, Write};
use std::path::{Path, PathBuf};

use crate::file::FileError;
use crate::record::{GameRecord, RecordProblem, Records};

/// A file that every game goes into as soon as it has ended.
#[derive(Debug)]
pub(crate) struct Journal {
    path: PathBuf,
    file: File,
    games: Vec<GameRecord>,
}

impl Journal {
    /// Opens it, with all whole games that are in it. A game that was being written is dropped.
    pub(crate) fn open(path: &Path) -> Result<Self, FileError> {
        let failed = |error| FileError::new(path, error);
        let mut games = Vec::new();
        let mut whole = 0;
        match File::open(path) {
            Ok(file) => {
                for record in Records::after(BufReader::new(file), 0) {
                    match record {
                        Ok(record) => {
                            let mut bytes = Vec::new();
                            record.write_bytes(&mut bytes);
                            whole += bytes.len() as u64;
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
        let mut options = OpenOptions::new();
        let file = options
            .create(true)
            .append(true)
            .open(path)
            .map_err(failed)?;
        file.set_len(whole).map_err(failed)?;
        Ok(Self {
            path: path.to_owned(),
            file,
            games,
        })
    }

    pub(crate) fn games(&self) -> &[GameRecord] {
        &self.games
    }

    /// Adds a game.
    pub(crate) fn add(&mut self, record: GameRecord) -> Result<(), FileError> {
        let mut bytes = Vec::new();
        record.write_bytes(&mut bytes);
        let written = self.file.write_all(&bytes);
        written.map_err(|error| FileError::new(&self.path, error))?;
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
        let cleared = self.file.set_len(0);
        cleared.map_err(|error| FileError::new(&self.path, error))
    }
}

impl Drop for Journal {
    fn drop(&mut self) {
        // An empty journal is of no use to anybody.
        if self
            .file
            .metadata()
            .is_ok_and(|metadata| metadata.len() == 0)
        {
            let _ = fs::remove_file(&self.path);
        }
    }
}
