//! The latest games, on disk and in memory.
//!
//! A folder holds files of games that are never changed once they are there. A file begins with `TGW` and the version
//! of the format, 1; then come, little-endian, how many positions and how many games all files before it had, eight
//! bytes each, and the CRC-32 of these twenty bytes. Records follow to the end. As each file knows what came before,
//! old ones can be deleted.

use std::collections::VecDeque;
use std::fmt;
use std::fs::{self, File};
use std::io::{self, BufReader, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rand_core::Rng;
use serde::{Deserialize, Serialize};
use tengen_core::Symmetry;
use tengen_files::{Access, DRAFT, Disk, FileError, Files};

use crate::dice;
use crate::record::{GameRecord, RecordError, RecordProblem, Records};

const MAGIC: [u8; 3] = *b"TGW";
const VERSION: u8 = 1;
const HEADER: usize = 24;

/// How many positions are learned from.
///
/// Of N positions so far, the window has c·(1 + β·((N/c)^α − 1)/α), and all while N is at most c: the formula of Wu,
/// "Accelerating self-play learning in Go" (2019). With N the window grows ever more slowly, by β of what is new at
/// first.
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct WindowOptions {
    /// c: all positions, as long as there are no more than that.
    pub smallest: u64,
    /// α, the exponent of its growth: above 0, at most 1.
    pub exponent: f64,
    /// β, the share of what is new by which it grows at first: 0 to 0.9.
    pub growth: f64,
    /// What happens to files of games that it does without: `"keep"`, or `"delete"`.
    pub old_files: OldFiles,
}

impl Default for WindowOptions {
    fn default() -> Self {
        Self {
            smallest: 250_000,
            exponent: 0.75,
            growth: 0.4,
            old_files: OldFiles::Keep,
        }
    }
}

impl WindowOptions {
    /// How many positions the window has after so many.
    pub fn positions(&self, total: u64) -> u64 {
        if total <= self.smallest {
            return total;
        }
        let smallest = self.smallest.max(1) as f64;
        // Within these bounds the window never needs a position that it has dropped.
        let exponent = self.exponent.clamp(1e-3, 1.0);
        let growth = self.growth.clamp(0.0, 0.9);
        let power = libm::pow(total as f64 / smallest, exponent);
        let window = smallest * (1.0 + growth * (power - 1.0) / exponent);
        (window as u64).clamp(self.smallest, total)
    }
}

/// What happens to files that are no part of the window any more.
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum OldFiles {
    /// They stay.
    Keep,
    /// They are deleted.
    Delete,
}

/// The latest games of a folder.
#[derive(Debug)]
pub struct Window {
    folder: PathBuf,
    disk: Arc<dyn Files>,
    options: WindowOptions,
    games: VecDeque<Entry>,
    /// The files that have games in the window, each with how many.
    files: VecDeque<(u64, usize)>,
    /// Files that have none any more and are to be deleted.
    expired: Vec<PathBuf>,
    next_file: u64,
    total_positions: u64,
    total_games: u64,
}

/// A game of the window.
#[derive(Debug)]
struct Entry {
    record: Arc<GameRecord>,
    /// The number of its first position, counted over all games there ever were, and of the first one after it.
    first: u64,
    end: u64,
}

/// A position to learn from.
#[derive(Clone, Debug)]
pub struct Sample {
    /// The game.
    pub record: Arc<GameRecord>,
    /// Which of its targets.
    pub target: usize,
    /// How to turn it. On a rectangle, half of the symmetries exchange width and height.
    pub symmetry: Symmetry,
}

impl Window {
    /// Opens a folder, which is made if it is not there, and reads the games of the window: the same that it had when
    /// the last file was written. What could not be read is left out and named.
    pub fn open(
        folder: &Path,
        options: WindowOptions,
    ) -> Result<(Self, Vec<Complaint>), FileError> {
        Self::open_with(Arc::new(Disk), folder, options)
    }

    /// The same with these files.
    pub fn open_with(
        disk: Arc<dyn Files>,
        folder: &Path,
        options: WindowOptions,
    ) -> Result<(Self, Vec<Complaint>), FileError> {
        let failed = |error| FileError::new(folder, error);
        disk.make_folder(folder, Access::Usual).map_err(failed)?;
        let mut complaints = Vec::new();
        let mut numbers = Vec::new();
        for entry in fs::read_dir(folder).map_err(failed)? {
            let path = entry.map_err(failed)?.path();
            if let Some(number) = file_number(&path) {
                numbers.push(number);
            } else if path.extension().is_some_and(|extension| extension == DRAFT) {
                complaints.push(Complaint::Draft(path));
            }
        }
        numbers.sort_unstable();
        complaints.sort_by(|a, b| a.path().cmp(b.path()));
        let mut window = Self {
            folder: folder.to_owned(),
            disk,
            options,
            games: VecDeque::new(),
            files: VecDeque::new(),
            expired: Vec::new(),
            next_file: numbers.last().map_or(0, |number| number + 1),
            total_positions: 0,
            total_games: 0,
        };
        let mut files = Vec::new();
        let (mut held, mut total, mut total_games) = (0, 0, 0);
        while let Some(number) = numbers.pop() {
            let path = window.path(number);
            let (contents, fault) = Contents::read(&path)?;
            complaints.extend(fault.map(|error| Complaint::Damaged(path, error)));
            let Some(contents) = contents else {
                continue;
            };
            if files.is_empty() {
                total = contents
                    .positions_before
                    .saturating_add(contents.positions());
                total_games = contents
                    .games_before
                    .saturating_add(contents.games.len() as u64);
            }
            held += contents.positions();
            files.push((number, contents.games));
            if held >= options.positions(total) {
                break;
            }
        }
        // What was lost counts as older than all that is left.
        window.total_positions = total.saturating_sub(held);
        for (number, games) in files.into_iter().rev() {
            window.push(number, games);
        }
        window.total_games = total_games;
        window.trim();
        if options.old_files == OldFiles::Delete {
            let paths = numbers.iter().map(|number| window.path(*number));
            let paths: Vec<PathBuf> = paths.collect();
            window.expired.extend(paths);
        }
        window.delete_expired();
        Ok((window, complaints))
    }

    /// Puts the games of a file behind those of earlier ones.
    fn push(&mut self, file: u64, games: Vec<GameRecord>) {
        if !games.is_empty() {
            self.files.push_back((file, games.len()));
        }
        self.total_games += games.len() as u64;
        for record in games {
            let first = self.total_positions;
            self.total_positions += record.positions() as u64;
            self.games.push_back(Entry {
                first,
                end: self.total_positions,
                record: Arc::new(record),
            });
        }
    }

    /// The games of one file of a window, as far as they can be read.
    pub fn games_in(file: &Path) -> Result<Vec<GameRecord>, FileError> {
        let (contents, _) = Contents::read(file)?;
        Ok(contents.map_or_else(Vec::new, |contents| contents.games))
    }

    /// Adds games as one file, which is there as a whole or not at all. If it cannot be written, the window is as
    /// before.
    pub fn append(&mut self, games: Vec<GameRecord>) -> Result<(), FileError> {
        if games.is_empty() {
            return Ok(());
        }
        let mut bytes = Vec::with_capacity(HEADER);
        bytes.extend(MAGIC);
        bytes.push(VERSION);
        bytes.extend(self.total_positions.to_le_bytes());
        bytes.extend(self.total_games.to_le_bytes());
        bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
        for record in &games {
            record.write_bytes(&mut bytes);
        }
        let path = self.path(self.next_file);
        self.disk.replace(&path, &bytes, Access::Usual)?;
        self.push(self.next_file, games);
        self.next_file += 1;
        self.trim();
        self.delete_expired();
        Ok(())
    }

    /// Drops the oldest games that the window does without.
    fn trim(&mut self) {
        let wanted = self.wanted();
        while let Some(oldest) = self.games.front()
            && self.total_positions - oldest.end >= wanted
        {
            self.games.pop_front();
            let Some((number, left)) = self.files.front_mut() else {
                continue;
            };
            *left -= 1;
            if *left == 0 {
                let number = *number;
                self.files.pop_front();
                if self.options.old_files == OldFiles::Delete {
                    self.expired.push(self.path(number));
                }
            }
        }
    }

    /// Deletes what is old. What cannot be deleted now is tried again later: nobody's games depend on it.
    fn delete_expired(&mut self) {
        self.expired.retain(|path| match self.disk.remove(path) {
            Ok(()) => false,
            Err(error) => error.kind() != io::ErrorKind::NotFound,
        });
    }

    /// A position, all equally likely, turned in one of eight ways. `None` if there is none.
    pub fn sample(&self, rng: &mut impl Rng) -> Option<Sample> {
        if self.positions() == 0 {
            return None;
        }
        let drawn = self.first_position() + dice::below(rng, self.positions());
        let entry = &self.games[self.games.partition_point(|entry| entry.end <= drawn)];
        Some(Sample {
            record: Arc::clone(&entry.record),
            target: (drawn - entry.first) as usize,
            symmetry: Symmetry::new(dice::below(rng, 8) as u8),
        })
    }

    /// The games of the window, the oldest first.
    pub fn games(&self) -> impl ExactSizeIterator<Item = &GameRecord> + DoubleEndedIterator {
        self.games.iter().map(|entry| &*entry.record)
    }

    /// How many positions the window has.
    pub fn positions(&self) -> u64 {
        self.total_positions - self.first_position()
    }

    /// How many positions there ever were.
    pub const fn total_positions(&self) -> u64 {
        self.total_positions
    }

    /// How many games there ever were.
    pub const fn total_games(&self) -> u64 {
        self.total_games
    }

    /// How many positions the window should have.
    fn wanted(&self) -> u64 {
        self.options.positions(self.total_positions)
    }

    /// The number of the first position in the window.
    fn first_position(&self) -> u64 {
        self.games
            .front()
            .map_or(self.total_positions, |entry| entry.first)
    }

    fn path(&self, number: u64) -> PathBuf {
        self.folder.join(format!("games-{number:08}.tgr"))
    }
}

/// The number of a file of games.
fn file_number(path: &Path) -> Option<u64> {
    let name = path.file_name()?.to_str()?;
    let digits = name.strip_prefix("games-")?.strip_suffix(".tgr")?;
    let number: u64 = digits.parse().ok()?;
    (format!("{number:08}") == digits).then_some(number)
}

/// What a file of games has.
struct Contents {
    positions_before: u64,
    games_before: u64,
    games: Vec<GameRecord>,
}

impl Contents {
    fn positions(&self) -> u64 {
        let positions = self.games.iter().map(GameRecord::positions);
        positions.sum::<usize>() as u64
    }

    /// Reads a file, as far as it is good.
    fn read(path: &Path) -> Result<(Option<Self>, Option<RecordError>), FileError> {
        let failed = |error| FileError::new(path, error);
        let mut file = BufReader::new(File::open(path).map_err(failed)?);
        let mut header = Vec::with_capacity(HEADER);
        (&mut file)
            .take(HEADER as u64)
            .read_to_end(&mut header)
            .map_err(failed)?;
        let (positions_before, games_before) = match read_header(&header) {
            Ok(before) => before,
            Err(problem) => return Ok((None, Some(RecordError { offset: 0, problem }))),
        };
        let mut contents = Self {
            positions_before,
            games_before,
            games: Vec::new(),
        };
        for record in Records::after(file, HEADER as u64) {
            match record {
                Ok(record) => contents.games.push(record),
                Err(RecordError {
                    problem: RecordProblem::Io(error),
                    ..
                }) => {
                    return Err(failed(error));
                }
                Err(error) => return Ok((Some(contents), Some(error))),
            }
        }
        Ok((Some(contents), None))
    }
}

/// How many positions and games came before a file.
fn read_header(header: &[u8]) -> Result<(u64, u64), RecordProblem> {
    let (counted, checksum) = header
        .split_last_chunk::<4>()
        .filter(|_| header.len() == HEADER)
        .ok_or(RecordProblem::Truncated)?;
    if !counted.starts_with(&MAGIC) {
        return Err(RecordProblem::NoRecord);
    }
    if counted[3] != VERSION {
        return Err(RecordProblem::Version(counted[3]));
    }
    if crc32fast::hash(counted) != u32::from_le_bytes(*checksum) {
        return Err(RecordProblem::Checksum);
    }
    let number = |from: usize| {
        counted[from..]
            .first_chunk()
            .map_or(0, |it| u64::from_le_bytes(*it))
    };
    Ok((number(4), number(12)))
}

/// Something in the folder that is no part of the window.
#[derive(Debug)]
pub enum Complaint {
    /// A file that was being written when the program ended. It is left where it is.
    Draft(PathBuf),
    /// A file that is damaged. What comes before the fault is part of the window.
    Damaged(PathBuf, RecordError),
}

impl Complaint {
    /// The file.
    pub fn path(&self) -> &Path {
        match self {
            Self::Draft(path) | Self::Damaged(path, _) => path,
        }
    }
}

impl fmt::Display for Complaint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path = self.path().display();
        match self {
            Self::Draft(_) => write!(f, "{path} was never finished, and is ignored"),
            Self::Damaged(_, error) => write!(f, "{path}, {error}; the rest of it is lost"),
        }
    }
}
