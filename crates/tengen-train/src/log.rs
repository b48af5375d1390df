//! What became of each generation.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use tengen_core::Color;
use tengen_files::{Disk, FileError, Files};
use tengen_nn::{LONGEST_SIDE, Losses, Net};

use crate::evaluation::Tally;
use crate::record::{End, GameRecord};
use crate::records::Exam;
use crate::resignations::Resignations;

/// What became of a generation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Summary {
    /// Its number, from 0.
    pub generation: u64,
    /// Steps of learning so far.
    pub steps: u64,
    /// Games so far.
    pub games: u64,
    /// Positions so far.
    pub positions: u64,
    /// Positions that are learned from.
    pub window: u64,
    /// How long games took.
    pub play_seconds: f64,
    /// How long learning took.
    pub learn_seconds: f64,
    /// How long measuring took.
    pub measure_seconds: f64,
    /// How wrong the network was while it learned.
    pub losses: Losses,
    /// What the games were like.
    pub played: Played,
    /// How it did against others, if it was measured.
    pub versus: Vec<Versus>,
    /// The komi that it takes for fair, if it was asked.
    pub fair_komi: Vec<Komi>,
    /// Positions that this generation learned from.
    #[serde(default)]
    pub learned: u64,
    /// Positions of records that were learned from so far.
    #[serde(default)]
    pub recorded: u64,
    /// What it knows about records that are held out, if there are any.
    #[serde(default)]
    pub exam: Option<Exam>,
}

/// What the games of a generation were like.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Played {
    /// How many there were.
    pub games: u64,
    /// All their moves.
    pub moves: u64,
    /// Games that Black won.
    pub black_wins: u64,
    /// Games that nobody won.
    pub draws: u64,
    /// Games that ended because they were too long.
    pub too_long: u64,
    /// Games in which giving up was checked, because a player would have.
    pub resignations_checked: u64,
    /// How many of these that player did not lose.
    pub resignations_wrong: u64,
}

/// The results against an opponent.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Versus {
    /// Who that is.
    pub name: String,
    /// The results.
    pub tally: Tally,
}

/// The komi that a network takes for fair.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Komi {
    /// On which board.
    pub size: String,
    /// The komi.
    pub komi: i32,
}

impl Played {
    pub(crate) fn add(&mut self, record: &GameRecord) {
        self.games += 1;
        self.moves += record.moves.len() as u64;
        self.black_wins += u64::from(record.winner == Some(Color::Black));
        self.draws += u64::from(record.winner.is_none());
        self.too_long += u64::from(record.end == End::MoveLimit);
    }

    pub(crate) fn with_resignations(self, resignations: &Resignations) -> Self {
        Self {
            resignations_checked: resignations.played_on,
            resignations_wrong: resignations.wrong,
            ..self
        }
    }
}

impl Summary {
    /// Seconds that the generation took.
    pub fn seconds(&self) -> f64 {
        self.play_seconds + self.learn_seconds + self.measure_seconds
    }

    /// Positions that it learned from in a second, as long as it learns.
    pub fn examples_per_second(&self) -> f64 {
        self.learned as f64 / self.learn_seconds.max(1e-9)
    }

    /// Games in an hour, as long as games are played.
    pub fn games_per_hour(&self) -> f64 {
        3600.0 * self.played.games as f64 / self.play_seconds.max(1e-9)
    }

    /// Does the network know more about who wins than a coin does? Before, the komi that it takes for fair means
    /// nothing.
    pub fn knows_who_wins(&self) -> bool {
        self.losses.value < 0.95 * std::f64::consts::LN_2
    }

    /// A file with the network that says where it comes from.
    pub(crate) fn net_bytes(&self, net: &Net, longest_side: u8) -> Vec<u8> {
        let notes = [
            (LONGEST_SIDE, u64::from(longest_side)),
            ("generation", self.generation),
            ("steps", self.steps),
            ("games", self.games),
            ("positions", self.positions + self.recorded),
        ];
        let notes = notes.map(|(name, number)| (name, number.to_string()));
        net.to_bytes(&notes.each_ref().map(|(name, text)| (*name, text.as_str())))
    }
}

/// The summaries of all generations, one JSON object a line.
#[derive(Debug)]
pub struct Log {
    disk: Arc<dyn Files>,
    path: PathBuf,
    summaries: Vec<Summary>,
}

impl Log {
    /// The log of a run. A line that was being written when the program ended is dropped.
    pub fn open(folder: &Path) -> Result<Self, FileError> {
        Self::open_with(Arc::new(Disk), folder)
    }

    pub(crate) fn open_with(disk: Arc<dyn Files>, folder: &Path) -> Result<Self, FileError> {
        let path = folder.join("log.jsonl");
        let text = match fs::read_to_string(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
            Err(error) => return Err(FileError::new(&path, error)),
        };
        let mut log = Self {
            disk,
            path,
            summaries: Vec::new(),
        };
        for summary in text
            .lines()
            .filter_map(|line| serde_json::from_str(line).ok())
        {
            log.put(summary);
        }
        Ok(log)
    }

    /// A generation that was finished twice, because the program ended in between, counts once.
    fn put(&mut self, summary: Summary) {
        self.summaries
            .retain(|known| known.generation < summary.generation);
        self.summaries.push(summary);
    }

    pub(crate) fn add(&mut self, summary: Summary) -> Result<(), FileError> {
        let failed = |error| FileError::new(&self.path, error);
        let line = serde_json::to_string(&summary).map_err(|error| failed(error.into()))?;
        let mut file = self.disk.append(&self.path).map_err(failed)?;
        // The line break comes first, in case the last line was never finished.
        let written = file.write_all(format!("\n{line}").as_bytes());
        written.and_then(|()| file.sync()).map_err(failed)?;
        self.put(summary);
        Ok(())
    }

    /// All summaries, in order.
    pub fn summaries(&self) -> &[Summary] {
        &self.summaries
    }

    /// The seconds that all generations took.
    pub fn seconds(&self) -> f64 {
        self.summaries.iter().map(Summary::seconds).sum()
    }

    /// The generations that were measured.
    pub fn measured(&self) -> impl DoubleEndedIterator<Item = u64> {
        let measured = self
            .summaries
            .iter()
            .filter(|summary| !summary.versus.is_empty() || !summary.fair_komi.is_empty());
        measured.map(|summary| summary.generation)
    }
}
