//! The file that self-play games are kept in.

use std::fs::{File, OpenOptions};
use std::io::{self, BufReader, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use tengen_train::{GameRecord, RecordProblem, Records};

use crate::failure::Usage;

/// A file of records that games are added to as they end.
pub(super) struct Archive {
    path: PathBuf,
    file: File,
    /// All bytes of whole records.
    length: u64,
}

impl Archive {
    /// Opens a file, or begins one, and shows all games that are in it. A last game that was never written to its end
    /// is cut off; a file with anything else than games is refused, and left as it is.
    pub(super) fn open(path: &Path, see: &mut dyn FnMut(GameRecord) -> Result<()>) -> Result<Self> {
        let length = match File::open(path) {
            Ok(file) => read(path, file, see)?,
            Err(error) if error.kind() == io::ErrorKind::NotFound => 0,
            Err(error) => return Err(refusal(path, &error).into()),
        };
        let opened = OpenOptions::new().create(true).append(true).open(path);
        let file = opened.map_err(|error| refusal(path, &error))?;
        let archive = Self {
            path: path.to_owned(),
            file,
            length,
        };
        archive.cut()?;
        Ok(archive)
    }

    /// Adds a game, or leaves the file as it was.
    pub(super) fn add(&mut self, record: &GameRecord) -> Result<()> {
        let bytes = record.to_bytes();
        if let Err(error) = self.file.write_all(&bytes) {
            // What was written of it would be cut off the next time, but there may be no next time.
            _ = self.cut();
            return Err(error).with_context(|| format!("cannot write {}", self.path.display()));
        }
        self.length += bytes.len() as u64;
        Ok(())
    }

    /// Cuts off what is not a whole game.
    fn cut(&self) -> Result<()> {
        let cut = self.file.set_len(self.length);
        cut.with_context(|| format!("cannot write {}", self.path.display()))
    }
}

fn refusal(path: &Path, problem: &dyn std::fmt::Display) -> Usage {
    Usage::new(format_args!("{}: {problem}", path.display()))
}

/// Reads all games, and says how many bytes they have.
fn read(path: &Path, file: File, see: &mut dyn FnMut(GameRecord) -> Result<()>) -> Result<u64> {
    let mut length = 0;
    for record in Records::new(BufReader::new(file)) {
        match record {
            Ok(record) => {
                length += record.to_bytes().len() as u64;
                see(record)?;
            }
            Err(error) if matches!(error.problem, RecordProblem::Truncated) => {
                return Ok(error.offset);
            }
            Err(error) => return Err(refusal(path, &error).into()),
        }
    }
    Ok(length)
}
