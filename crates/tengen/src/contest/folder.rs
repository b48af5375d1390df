//! Where a match is kept, so that it can go on after an interruption.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use tengen_core::Game;
use tengen_sgf::Collection;

use super::bout::Finished;
use super::result::GameResult;
use super::settings::{Settings, Side};
use crate::failure::Usage;

const SETTINGS: &str = "settings.json";
const RESULTS: &str = "results.jsonl";

/// A folder with the settings of a match, its results, its games, and what was said in those that failed.
pub(crate) struct Folder {
    path: PathBuf,
    results: File,
}

impl Folder {
    /// Opens a folder, which is made if it is not there, and reads the games that it has already. It must be for a
    /// match with these settings.
    pub(crate) fn open(path: &Path, settings: &Settings) -> Result<(Self, Vec<GameResult>)> {
        let named = |name: &str| path.join(name);
        fs::create_dir_all(path).with_context(|| format!("cannot make {}", path.display()))?;
        let ours = serde_json::to_value(settings.to_map())?;
        let file = named(SETTINGS);
        match fs::read_to_string(&file) {
            Ok(text) => compare(&text, &ours, path)?,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                let text = serde_json::to_string_pretty(&ours)? + "\n";
                write_whole(&file, text.as_bytes())?;
            }
            Err(error) => return Err(error).with_context(|| file.display().to_string()),
        }
        let file = named(RESULTS);
        let earlier = read_results(&file)?;
        let results = OpenOptions::new().create(true).append(true).open(&file);
        let results = results.with_context(|| file.display().to_string())?;
        let path = path.to_owned();
        Ok((Self { path, results }, earlier))
    }

    /// Keeps a game. Its result is written last, as it stands for all the rest.
    pub(crate) fn keep(&mut self, settings: &Settings, finished: &Finished) -> Result<()> {
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
        let line = serde_json::to_string(result)? + "\n";
        self.results
            .write_all(line.as_bytes())
            .with_context(|| self.path.join(RESULTS).display().to_string())
    }
}

/// Refuses a folder whose match has other settings, and says which.
fn compare(text: &str, ours: &serde_json::Value, path: &Path) -> Result<(), Usage> {
    let place = path.display();
    let theirs: serde_json::Value = serde_json::from_str(text)
        .map_err(|error| Usage::new(format_args!("{place}: {SETTINGS} cannot be read: {error}")))?;
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
    Err(Usage::new(format_args!(
        "{place} has a match with other settings: {differences}; choose another folder"
    )))
}

/// The results that a file has. A line that was cut off by the end of an earlier run is removed.
fn read_results(file: &Path) -> Result<Vec<GameResult>> {
    let text = match fs::read_to_string(file) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(error).with_context(|| file.display().to_string()),
    };
    let whole = text.rfind('\n').map_or(0, |end| end + 1);
    if whole < text.len() {
        write_whole(file, &text.as_bytes()[..whole])?;
    }
    let mut results: Vec<GameResult> = Vec::new();
    for (line, number) in text[..whole].lines().zip(1..) {
        let result: GameResult = serde_json::from_str(line)
            .with_context(|| format!("{}, line {number}", file.display()))?;
        if results.iter().all(|earlier| earlier.game != result.game) {
            results.push(result);
        }
    }
    Ok(results)
}

/// Writes a file so that it is there as a whole or not at all.
fn write_whole(file: &Path, bytes: &[u8]) -> Result<()> {
    let draft = file.with_extension("part");
    fs::write(&draft, bytes)
        .and_then(|()| fs::rename(&draft, file))
        .with_context(|| format!("cannot write {}", file.display()))
}

fn record(settings: &Settings, result: &GameResult, game: &Game) -> Collection {
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
