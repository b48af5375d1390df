//! Where games are kept, so that none is lost.

use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};
use std::{env, fs, io};

use anyhow::{Context, Result};
use tengen_core::{Color, Game, Rules};
use tengen_files::write_whole;
use tengen_search::Level;
use tengen_sgf::{Collection, Mode, Node, Record, Replay};

use super::opponent::level_of;

/// What the person is called in records.
const PERSON: &str = "You";

/// A game that was begun and has no result.
pub(crate) struct Unfinished {
    pub(crate) file: PathBuf,
    pub(crate) game: Game,
    pub(crate) person: Color,
    pub(crate) level: Level,
    /// When it was begun.
    pub(crate) date: String,
}

/// The folder for the games of this user, if the system has such a place.
pub(crate) fn folder() -> Option<PathBuf> {
    let variable = |name| {
        env::var_os(name)
            .map(PathBuf::from)
            .filter(|path| path.is_absolute())
    };
    let home = || env::home_dir().filter(|path| path.is_absolute());
    let data = variable("XDG_DATA_HOME").or_else(|| {
        if cfg!(windows) {
            variable("APPDATA")
        } else if cfg!(target_os = "macos") {
            home().map(|home| home.join("Library/Application Support"))
        } else {
            home().map(|home| home.join(".local/share"))
        }
    })?;
    Some(data.join("tengen").join("games"))
}

/// Today and now, in universal time: `2026-11-16` and `023000`.
pub(crate) fn now() -> (String, String) {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    calendar(since.map_or(0, |since| since.as_secs()))
}

/// The date and the time of day so many seconds after 1970 began.
fn calendar(seconds: u64) -> (String, String) {
    let (mut day, rest) = (seconds / 86_400, seconds % 86_400);
    let is_leap = |year: u64| {
        year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400))
    };
    let mut year = 1970;
    while day >= 365 + u64::from(is_leap(year)) {
        day -= 365 + u64::from(is_leap(year));
        year += 1;
    }
    let february = 28 + u64::from(is_leap(year));
    let mut month = 1;
    for length in [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] {
        if day < length {
            break;
        }
        day -= length;
        month += 1;
    }
    let (hour, minute, second) = (rest / 3600, rest / 60 % 60, rest % 60);
    (
        format!("{year}-{month:02}-{:02}", day + 1),
        format!("{hour:02}{minute:02}{second:02}"),
    )
}

/// The game as a record.
pub(crate) fn record(game: &Game, person: Color, opponent: &str, date: &str) -> Collection {
    let mut record = Collection::from_game(game);
    let root = record.roots().next().map(Node::id);
    if let Some(root) = root {
        let name = |color: Color| if color == person { PERSON } else { opponent };
        record.push_property(root, "PB", [name(Color::Black)]);
        record.push_property(root, "PW", [name(Color::White)]);
        record.push_property(root, "DT", [date]);
    }
    record
}

/// Writes a record so that a file is there as a whole or as it was before.
pub(crate) fn write(file: &Path, record: &Collection) -> io::Result<()> {
    if let Some(folder) = file
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty())
    {
        fs::create_dir_all(folder)?;
    }
    write_whole(file, format!("{record}\n").as_bytes()).map_err(|failed| failed.error)
}

/// What a file holds.
pub(crate) enum Found {
    /// There is no such file.
    Nothing,
    Unfinished(Box<Unfinished>),
    /// A game that has a result, or one that was not played here.
    Other,
}

/// Looks at a file.
pub(crate) fn look(file: &Path) -> Result<Found> {
    match fs::read(file) {
        Ok(bytes) => Ok(match read(file, bytes) {
            Some(unfinished) => Found::Unfinished(Box::new(unfinished)),
            None => Found::Other,
        }),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Found::Nothing),
        Err(error) => Err(error).with_context(|| format!("cannot read {}", file.display())),
    }
}

/// The latest game of a folder that has no result.
pub(crate) fn latest_unfinished(folder: &Path) -> Option<Unfinished> {
    let mut files: Vec<PathBuf> = fs::read_dir(folder)
        .ok()?
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "sgf"))
        .collect();
    // Their names are the times when they were begun.
    files.sort();
    files
        .iter()
        .rev()
        .find_map(|file| read(file, fs::read(file).ok()?))
}

/// Says of an unfinished game that it will never have a result, so that it is not offered again.
pub(crate) fn give_up(unfinished: &Unfinished) -> Result<()> {
    let file = &unfinished.file;
    let bytes = fs::read(file).with_context(|| format!("cannot read {}", file.display()))?;
    let mut collection = Record::read(bytes, Mode::Lenient)?.collection;
    let root = collection.roots().next().map(Node::id);
    if let Some(root) = root {
        collection.set_property(root, "RE", ["?"]);
    }
    write(file, &collection).with_context(|| format!("cannot write {}", file.display()))
}

fn read(file: &Path, bytes: Vec<u8>) -> Option<Unfinished> {
    let record = Record::read(bytes, Mode::Lenient).ok()?;
    let root = record.collection.roots().next()?;
    let text = |name| {
        root.value(name)
            .map(|value| value.simple_text().into_owned())
    };
    if text("RE").is_some() {
        return None;
    }
    let (black, white) = (text("PB")?, text("PW")?);
    let (person, opponent) = match (black == PERSON, white == PERSON) {
        (true, _) => (Color::Black, white),
        (false, true) => (Color::White, black),
        (false, false) => return None,
    };
    let replay = Replay::main_line(root, Mode::Strict).ok()?;
    Some(Unfinished {
        file: file.to_owned(),
        game: under_rules(replay.game(), text("RU")?.parse().ok()?)?,
        person,
        level: level_of(&opponent)?,
        date: text("DT").unwrap_or_default(),
    })
}

/// The same game under rules that are the same but for the komi, which a replay makes part of them.
fn under_rules(game: &Game, rules: Rules) -> Option<Game> {
    let mut same = Game::from_setup(game.start(), rules).ok()?;
    same.set_komi(game.komi());
    same.set_handicap(game.handicap());
    for turn in game.turns() {
        if same.is_over() {
            // They passed, and then went on.
            same.resume();
        }
        same.play(turn.action).ok()?;
    }
    Some(same)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_counted_with_leap_years() {
        for (seconds, date, time) in [
            (0, "1970-01-01", "000000"),
            (86_399, "1970-01-01", "235959"),
            (951_782_400, "2000-02-29", "000000"),
            (951_868_800, "2000-03-01", "000000"),
            (1_735_689_599, "2024-12-31", "235959"),
            (1_794_796_200, "2026-11-16", "023000"),
            (4_107_542_400, "2100-03-01", "000000"),
        ] {
            assert_eq!(calendar(seconds), (date.to_owned(), time.to_owned()));
        }
    }
}
