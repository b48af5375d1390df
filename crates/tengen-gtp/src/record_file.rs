//! Files that a client names.
//!
//! Whoever speaks a protocol names files of the machine that the engine runs on. A name is a mistake more often than
//! not, and may be an attack: so only regular files are opened, no more than a record can need is read, what is written
//! is there as a whole or not at all, and nothing is written over but records.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use tengen_files::write_whole;
use tengen_sgf::{Games, Mode, Record};

/// The most bytes of a file that is read. Larger collections are for `tengen sgf`.
pub const MOST_BYTES: u64 = 64 << 20;

/// What clients may do with files.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FileAccess {
    /// Read records, write new files and write over records.
    #[default]
    Records,
    /// Write over any regular file too.
    Forced,
    /// Nothing.
    Forbidden,
}

/// Why a file was neither read nor written.
#[derive(Debug, thiserror::Error)]
pub enum RecordFileError {
    /// Clients may not name files.
    #[error("files are forbidden here")]
    Forbidden,
    /// It is a folder, a device, a pipe, or a link to nothing.
    #[error("it is no regular file")]
    NotRegular,
    /// It is larger than [`MOST_BYTES`].
    #[error("it is larger than {} MB", MOST_BYTES >> 20)]
    TooLarge,
    /// It is no record of a game.
    #[error("it is no game record")]
    NoRecord,
    /// It is there already and is no record.
    #[error("it exists and is no game record")]
    WouldOverwrite,
    /// The system refused.
    #[error("{0}")]
    Io(io::Error),
}

impl From<io::Error> for RecordFileError {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

/// Reads the first game of a file.
pub fn read_first(path: &Path, access: FileAccess) -> Result<Record, RecordFileError> {
    if access == FileAccess::Forbidden {
        return Err(RecordFileError::Forbidden);
    }
    first_game(read_regular(path)?).ok_or(RecordFileError::NoRecord)
}

fn first_game(bytes: Vec<u8>) -> Option<Record> {
    let mut games = Games::read(bytes, None, Mode::Lenient).ok()?;
    let is_any = games.next_game().ok()?.is_some();
    is_any.then(|| games.into_record())
}

/// The bytes of a regular file of a sensible size. A pipe is not even opened: that would wait for somebody.
fn read_regular(path: &Path) -> Result<Vec<u8>, RecordFileError> {
    if !fs::metadata(path)?.is_file() {
        return Err(RecordFileError::NotRegular);
    }
    let file = File::open(path)?;
    // Another file may have taken the name in between.
    if !file.metadata()?.is_file() {
        return Err(RecordFileError::NotRegular);
    }
    let mut bytes = Vec::new();
    file.take(MOST_BYTES + 1).read_to_end(&mut bytes)?;
    match bytes.len() as u64 > MOST_BYTES {
        true => Err(RecordFileError::TooLarge),
        false => Ok(bytes),
    }
}

/// Writes a record into a file: the old one stays, or the new one is there as a whole.
pub fn write(path: &Path, text: &str, access: FileAccess) -> Result<(), RecordFileError> {
    if access == FileAccess::Forbidden {
        return Err(RecordFileError::Forbidden);
    }
    let target = target(path, access)?;
    write_whole(&target, text.as_bytes()).map_err(|failed| failed.error.into())
}

/// The file that a name stands for, if it may be written: a link stands for what it points to.
fn target(path: &Path, access: FileAccess) -> Result<PathBuf, RecordFileError> {
    match fs::symlink_metadata(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(path.to_owned()),
        Err(error) => return Err(error.into()),
        Ok(_) => {}
    }
    let target = path
        .canonicalize()
        .map_err(|_| RecordFileError::NotRegular)?;
    let about = fs::metadata(&target)?;
    if !about.is_file() {
        return Err(RecordFileError::NotRegular);
    }
    // Nothing is lost of an empty file.
    let is_free = about.len() == 0 || access == FileAccess::Forced;
    if !is_free && !read_regular(&target).is_ok_and(|bytes| first_game(bytes).is_some()) {
        return Err(RecordFileError::WouldOverwrite);
    }
    Ok(target)
}

#[cfg(test)]
mod tests {
    use std::fs::OpenOptions;

    use super::*;

    const GAME: &str = "(;SZ[9];B[ee])\n";

    struct Folder(PathBuf);

    impl Folder {
        fn new(name: &str) -> Self {
            let name = format!("tengen-gtp-files-{name}-{}", std::process::id());
            let path = std::env::temp_dir().join(name);
            _ = fs::remove_dir_all(&path);
            fs::create_dir_all(&path).unwrap();
            Self(path)
        }

        fn file(&self, name: &str, text: impl AsRef<[u8]>) -> PathBuf {
            let path = self.0.join(name);
            fs::write(&path, text).unwrap();
            path
        }

        fn names(&self) -> Vec<String> {
            let entries = fs::read_dir(&self.0).unwrap();
            let mut names: Vec<_> = entries
                .map(|entry| entry.unwrap().file_name().into_string().unwrap())
                .collect();
            names.sort();
            names
        }
    }

    impl Drop for Folder {
        fn drop(&mut self) {
            _ = fs::remove_dir_all(&self.0);
        }
    }

    #[test]
    fn records_are_written_over_and_nothing_else_is() {
        let folder = Folder::new("over");
        let write = |path: &Path, access| write(path, GAME, access);
        let new = folder.0.join("new.sgf");
        let old = folder.file("old.sgf", "(;SZ[19];B[dd])");
        let empty = folder.file("empty", "");
        for path in [&new, &old, &empty] {
            write(path, FileAccess::Records).unwrap();
            assert_eq!(fs::read_to_string(path).unwrap(), GAME);
        }
        let letter = folder.file("letter.txt", "Dear Ada,");
        let refused = write(&letter, FileAccess::Records).unwrap_err();
        assert!(
            matches!(refused, RecordFileError::WouldOverwrite),
            "{refused}"
        );
        assert_eq!(fs::read_to_string(&letter).unwrap(), "Dear Ada,");
        write(&letter, FileAccess::Forced).unwrap();
        assert_eq!(fs::read_to_string(&letter).unwrap(), GAME);
        for access in [FileAccess::Records, FileAccess::Forced] {
            let refused = write(&folder.0, access).unwrap_err();
            assert!(matches!(refused, RecordFileError::NotRegular), "{refused}");
            let nowhere = folder.0.join("no/such/folder.sgf");
            assert!(matches!(
                write(&nowhere, access),
                Err(RecordFileError::Io(_))
            ));
        }
        // Nothing is left of the drafts.
        assert_eq!(
            folder.names(),
            ["empty", "letter.txt", "new.sgf", "old.sgf"]
        );
    }

    #[test]
    fn where_files_are_forbidden_none_is_touched() {
        let folder = Folder::new("forbidden");
        let old = folder.file("old.sgf", GAME);
        let read = read_first(&old, FileAccess::Forbidden).unwrap_err();
        assert!(matches!(read, RecordFileError::Forbidden), "{read}");
        let new = folder.0.join("new.sgf");
        let written = write(&new, GAME, FileAccess::Forbidden).unwrap_err();
        assert!(matches!(written, RecordFileError::Forbidden), "{written}");
        assert_eq!(folder.names(), ["old.sgf"]);
    }

    #[test]
    fn only_the_first_game_of_a_regular_file_is_read() {
        let folder = Folder::new("read");
        let games = folder.file("games.sgf", format!("{GAME}(;SZ[13])"));
        let record = read_first(&games, FileAccess::Records).unwrap();
        assert_eq!(record.collection.roots().count(), 1);
        let prose = folder.file("prose", "Dear Ada,");
        for (path, expected) in [
            (&prose, "it is no game record"),
            (&folder.0, "it is no regular file"),
        ] {
            let refused = read_first(path, FileAccess::Records).unwrap_err();
            assert_eq!(refused.to_string(), expected);
        }
        // A sparse file that says that it is huge.
        let huge = folder.file("huge.sgf", GAME);
        let file = OpenOptions::new().write(true).open(&huge).unwrap();
        file.set_len(MOST_BYTES + 1).unwrap();
        let refused = read_first(&huge, FileAccess::Records).unwrap_err();
        assert!(matches!(refused, RecordFileError::TooLarge), "{refused}");
    }

    #[cfg(unix)]
    #[test]
    fn devices_pipes_and_links_to_nothing_are_no_files() {
        let folder = Folder::new("devices");
        let pipe = folder.0.join("pipe.sgf");
        nix::unistd::mkfifo(&pipe, nix::sys::stat::Mode::S_IRWXU).unwrap();
        let dangling = folder.0.join("dangling.sgf");
        std::os::unix::fs::symlink(folder.0.join("gone"), &dangling).unwrap();
        for path in [Path::new("/dev/zero"), &pipe] {
            let refused = read_first(path, FileAccess::Records).unwrap_err();
            assert!(matches!(refused, RecordFileError::NotRegular), "{refused}");
        }
        for path in [Path::new("/dev/null"), &pipe, &dangling] {
            let refused = write(path, GAME, FileAccess::Forced).unwrap_err();
            assert!(matches!(refused, RecordFileError::NotRegular), "{refused}");
        }
        // A link to a record stays a link.
        let real = folder.file("real.sgf", "(;SZ[19])");
        let link = folder.0.join("link.sgf");
        std::os::unix::fs::symlink(&real, &link).unwrap();
        write(&link, GAME, FileAccess::Records).unwrap();
        assert!(link.is_symlink());
        assert_eq!(fs::read_to_string(&real).unwrap(), GAME);
    }
}
