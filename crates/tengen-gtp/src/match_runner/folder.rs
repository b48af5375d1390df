//! Where a match is kept, so that it can go on after an interruption.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use tengen_core::Game;
use tengen_files::{Access, Disk, FileError, Files, Output};
use tengen_sgf::Collection;

use super::game::FinishedGame;
use super::result::GameResult;
use super::settings::{MatchSettings, Side};

const SETTINGS: &str = "settings.json";
const RESULTS: &str = "results.jsonl";

/// A folder with the settings of a match, its results, its games, and what was said in those that failed.
#[derive(Debug)]
pub struct MatchFolder {
    disk: Arc<dyn Files>,
    path: PathBuf,
    results: Box<dyn Output>,
    /// All bytes of whole lines in the file of results.
    length: u64,
}

/// Why a match cannot be kept in a folder.
#[derive(Debug, thiserror::Error)]
pub enum FolderError {
    /// It has a match with other settings.
    #[error("{0}")]
    OtherMatch(String),
    /// A file cannot be read or written.
    #[error("{what}")]
    File {
        /// Which, and what was to be done with it.
        what: String,
        /// What the system said.
        #[source]
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

impl From<FileError> for FolderError {
    fn from(FileError { path, error }: FileError) -> Self {
        Self::new(format!("cannot write {}", path.display()), error)
    }
}

impl MatchFolder {
    /// Opens a folder, which is made if it is not there, and reads the games that it has already. It must be for a
    /// match with these settings.
    pub fn open(
        path: &Path,
        settings: &MatchSettings,
    ) -> Result<(Self, Vec<GameResult>), FolderError> {
        Self::open_with(Arc::new(Disk), path, settings)
    }

    /// The same with these files.
    pub fn open_with(
        disk: Arc<dyn Files>,
        path: &Path,
        settings: &MatchSettings,
    ) -> Result<(Self, Vec<GameResult>), FolderError> {
        let named = |name: &str| path.join(name);
        disk.make_folder(path, Access::Usual)
            .map_err(|error| FolderError::new(format!("cannot make {}", path.display()), error))?;
        let ours = serde_json::json!(settings.to_map());
        let file = named(SETTINGS);
        match read_text(&*disk, &file) {
            Ok(text) => compare(&text, &ours, path)?,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                let text = format!("{ours:#}\n");
                disk.replace(&file, text.as_bytes(), Access::Usual)?;
            }
            Err(error) => return Err(FolderError::at(&file, error)),
        }
        let file = named(RESULTS);
        let (earlier, length) = read_results(&*disk, &file)?;
        let results = disk.append(&file);
        let mut results = results.map_err(|error| FolderError::at(&file, error))?;
        // A line that was cut off by the end of an earlier run is removed.
        results
            .cut(length)
            .map_err(|error| FolderError::at(&file, error))?;
        let folder = Self {
            disk,
            path: path.to_owned(),
            results,
            length,
        };
        Ok((folder, earlier))
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
                self.disk.replace(&file, text.as_bytes(), Access::Usual)?;
            }
        }
        let record = record(settings, result, &finished.game);
        let file = self.path.join(format!("{number:04}.sgf"));
        self.disk
            .replace(&file, format!("{record}\n").as_bytes(), Access::Usual)?;
        let failed = |error| FolderError::at(&self.path.join(RESULTS), error);
        let line = serde_json::to_string(result).map_err(|error| failed(error.into()))? + "\n";
        let written = self.results.write_all(line.as_bytes());
        if let Err(error) = written.and_then(|()| self.results.sync()) {
            // Half a line, or one that nobody was told of, must not come before the next.
            _ = self.results.cut(self.length);
            return Err(failed(error));
        }
        self.length += line.len() as u64;
        Ok(())
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

/// The results that a file has, and how many bytes their lines are. A line may have been cut off by the end of an
/// earlier run.
fn read_results(disk: &dyn Files, file: &Path) -> Result<(Vec<GameResult>, u64), FolderError> {
    let text = match read_text(disk, file) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok((Vec::new(), 0)),
        Err(error) => return Err(FolderError::at(file, error)),
    };
    let whole = text.rfind('\n').map_or(0, |end| end + 1);
    let mut results: Vec<GameResult> = Vec::new();
    for (line, number) in text[..whole].lines().zip(1..) {
        let result: GameResult = serde_json::from_str(line).map_err(|error| {
            FolderError::new(format!("{}, line {number}", file.display()), error.into())
        })?;
        if results.iter().all(|earlier| earlier.game != result.game) {
            results.push(result);
        }
    }
    Ok((results, whole as u64))
}

fn read_text(disk: &dyn Files, file: &Path) -> io::Result<String> {
    String::from_utf8(disk.read(file)?).map_err(io::Error::other)
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

#[cfg(test)]
mod tests {
    use std::fs;
    use std::time::Duration;

    use tengen_core::{Komi, Rules, Size};
    use tengen_files::Faulty;

    use super::super::result::{Effort, End};
    use super::super::settings::Restart;
    use super::*;

    fn settings() -> MatchSettings {
        MatchSettings {
            commands: ["a".to_owned(), "b".to_owned()],
            names: ["a".to_owned(), "b".to_owned()],
            referee: None,
            size: Size::square(5).unwrap(),
            rules: Rules::default(),
            komi: Komi::from_halves(15),
            opening_moves: 0,
            seed: 0,
            max_moves: 100,
            move_timeout: Duration::from_secs(1),
            time: None,
            restart: Restart::AfterCrash,
        }
    }

    fn finished(game: u32) -> FinishedGame {
        let settings = settings();
        FinishedGame {
            result: GameResult {
                game,
                black: Side::BOTH[0],
                opening: Vec::new(),
                result: "B+R".to_owned(),
                winner: Some(Side::BOTH[0]),
                end: End::Resignation,
                settled: None,
                disputed: None,
                reason: None,
                moves: 0,
                seconds: 1.0,
                first: Effort::default(),
                second: Effort::default(),
            },
            game: settings.start(),
            transcripts: Some(["said".to_owned(), "heard".to_owned()]),
        }
    }

    /// Opens a folder and keeps the games that it does not have of the first two.
    fn play(disk: Arc<dyn Files>, path: &Path) -> Result<(), FolderError> {
        let settings = settings();
        let (mut folder, earlier) = MatchFolder::open_with(disk, path, &settings)?;
        for game in 1..=2 {
            if earlier.iter().all(|result| result.game != game) {
                folder.keep(&settings, &finished(game))?;
            }
        }
        Ok(())
    }

    #[test]
    fn a_full_disk_at_any_call_is_reported_and_no_result_is_lost_or_doubled() {
        let path = std::env::temp_dir().join(format!("tengen-match-folder-{}", std::process::id()));
        _ = fs::remove_dir_all(&path);
        let sound = Faulty::sound();
        play(Arc::new(sound.clone()), &path).unwrap();
        let expected = fs::read(path.join(RESULTS)).unwrap();
        for call in 1..=sound.calls() {
            let faulty = Faulty::failing_at(call);
            fs::remove_dir_all(&path).unwrap();
            let error = play(Arc::new(faulty), &path).unwrap_err();
            let FolderError::File { error, .. } = error else {
                panic!("call {call}: {error}");
            };
            assert_eq!(error.kind(), io::ErrorKind::StorageFull, "call {call}");
            // Every result that is there stands for a record that is there.
            fs::create_dir_all(&path).unwrap();
            let (results, _) = read_results(&Disk, &path.join(RESULTS)).unwrap();
            for result in results {
                assert!(path.join(format!("{:04}.sgf", result.game)).exists());
            }
            play(Arc::new(Disk), &path).unwrap();
            assert_eq!(
                fs::read(path.join(RESULTS)).unwrap(),
                expected,
                "call {call}"
            );
        }
        fs::remove_dir_all(path).unwrap();
    }
}
