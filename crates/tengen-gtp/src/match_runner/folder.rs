//! Where a match is kept, so that it can go on after an interruption.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::{error, fmt};

use tengen_core::Game;
use tengen_sgf::Collection;

use super::game::FinishedGame;
use super::result::GameResult;
use super::settings::{MatchSettings, Side};

const SETTINGS: &str = "settings.json";
const RESULTS: &str = "results.jsonl";

/// A folder with the settings of a match, its results, its games, and what was said in those that failed.
#[derive(Debug)]
pub struct MatchFolder {
    path: PathBuf,
    results: File,
}

/// Why a match cannot be kept in a folder.
#[derive(Debug)]
pub enum FolderError {
    /// It has a match with other settings.
    OtherMatch(String),
    /// A file cannot be read or written.
    File {
        /// Which, and what was to be done with it.
        what: String,
        /// What the system said.
        error: io::Error,
    },
}

impl FolderError {
    const fn new(what: String, error: io::Error) -> Self {
        Self::File { what, error }
    }

    fn at(file: &Path, error: io::Error) -> Self {
        Self::new(file.display().to_string(), error)
    }
}

impl fmt::Display for FolderError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::OtherMatch(problem) => f.write_str(problem),
            Self::File { what, .. } => f.write_str(what),
        }
    }
}

impl error::Error for FolderError {
    fn source(&self) -> Option<&(dyn error::Error + 'static)> {
        match self {
            Self::OtherMatch(_) => None,
            Self::File { error, .. } => Some(error),
        }
    }
}

impl MatchFolder {
    /// Opens a folder, which is made if it is not there, and reads the games that it has already. It must be for a
    /// match with these settings.
    pub fn open(
        path: &Path,
        settings: &MatchSettings,
    ) -> Result<(Self, Vec<GameResult>), FolderError> {
        let named = |name: &str| path.join(name);
        fs::create_dir_all(path)
            .map_err(|error| FolderError::new(format!("cannot make {}", path.display()), error))?;
        let ours = serde_json::json!(settings.to_map());
        let file = named(SETTINGS);
        match fs::read_to_string(&file) {
            Ok(text) => compare(&text, &ours, path)?,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                let text = format!("{ours:#}\n");
                write_whole(&file, text.as_bytes())?;
            }
            Err(error) => return Err(FolderError::at(&file, error)),
        }
        let file = named(RESULTS);
        let earlier = read_results(&file)?;
        let results = OpenOptions::new().create(true).append(true).open(&file);
        let results = results.map_err(|error| FolderError::at(&file, error))?;
        let path = path.to_owned();
        Ok((Self { path, results }, earlier))
    }

    /// Keeps a game. Its result is written last, as it stands for all the rest.
    pub(super) fn keep(
        &mut self,
        settings: &MatchSettings,
        finished: &FinishedGame,
    ) -> Result<(), FolderError> {
        let result = &finished.result;
        let number = result.game;
        if let Some(transcripts) = &finished.transcripts {
            for (side, text) in Side::BOTH.iter().zip(transcripts) {
                let file = self.path.join(format!("{number:04}.{side}.log"));
                write_whole(&file, text.as_bytes())?;
            }
        }
        let record = record(settings, result, &finished.game);
        let file = self.path.join(format!("{number:04}.sgf"));
        write_whole(&file, format!("{record}\n").as_bytes())?;
        let line = serde_json::to_string(result).map_err(io::Error::from);
        line.and_then(|line| self.results.write_all((line + "\n").as_bytes()))
            .map_err(|error| FolderError::at(&self.path.join(RESULTS), error))
    }
}

/// Refuses a folder whose match has other settings, and says which.
fn compare(text: &str, ours: &serde_json::Value, path: &Path) -> Result<(), FolderError> {
    let place = path.display();
    let theirs: serde_json::Value = serde_json::from_str(text).map_err(|error| {
        FolderError::OtherMatch(format!("{place}: {SETTINGS} cannot be read: {error}"))
    })?;
    if theirs == *ours {
        return Ok(());
    }
    let keys = ours.as_object().into_iter().flat_map(|ours| ours.iter());
    let differences: Vec<String> = keys
        .filter_map(|(key, value)| {
            let before = theirs.get(key).unwrap_or(&serde_json::Value::Null);
            (before != value).then(|| format!("{key} was {before} and is {value}"))
        })
        .collect();
    let differences = match differences.is_empty() {
        true => format!("{SETTINGS} is of another version of this program"),
        false => differences.join("; "),
    };
    Err(FolderError::OtherMatch(format!(
        "{place} has a match with other settings: {differences}; choose another folder"
    )))
}

/// The results that a file has. A line that was cut off by the end of an earlier run is removed.
fn read_results(file: &Path) -> Result<Vec<GameResult>, FolderError> {
    let text = match fs::read_to_string(file) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(FolderError::at(file, error)),
    };
    let whole = text.rfind('\n').map_or(0, |end| end + 1);
    if whole < text.len() {
        write_whole(file, &text.as_bytes()[..whole])?;
    }
    let mut results: Vec<GameResult> = Vec::new();
    for (line, number) in text[..whole].lines().zip(1..) {
        let result: GameResult = serde_json::from_str(line).map_err(|error| {
            FolderError::new(format!("{}, line {number}", file.display()), error.into())
        })?;
        if results.iter().all(|earlier| earlier.game != result.game) {
            results.push(result);
        }
    }
    Ok(results)
}

/// Writes a file so that it is there as a whole or not at all.
fn write_whole(file: &Path, bytes: &[u8]) -> Result<(), FolderError> {
    let draft = file.with_extension("part");
    fs::write(&draft, bytes)
        .and_then(|()| fs::rename(&draft, file))
        .map_err(|error| FolderError::new(format!("cannot write {}", file.display()), error))
}

fn record(settings: &MatchSettings, result: &GameResult, game: &Game) -> Collection {
    let mut record = Collection::from_game(game);
    let Some(root) = record.roots().next().map(tengen_sgf::Node::id) else {
        return record;
    };
    let name = |side: Side| settings.names[side.index()].as_str();
    record.push_property(root, "PB", [name(result.black)]);
    record.push_property(root, "PW", [name(result.black.other())]);
    record.push_property(root, "RO", [result.game.to_string()]);
    let mut comment = format!("Game {} of a match.", result.game);
    if !result.opening.is_empty() {
        comment += &format!(
            " The first {} moves are a random opening.",
            result.opening.len()
        );
    }
    if let Some(reason) = &result.reason {
        comment += &format!("\nForfeited by {reason}");
    }
    record.push_property(root, "C", [comment]);
    record
}
