//! The folder in which games are kept.

use std::fmt;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use tengen_app::Save;
use tengen_files::{Access, FileError, Files};

/// The extension of a kept game.
const KIND: &str = "sgf";

/// The folder in which games are kept, for one server at a time.
///
/// Below it are `games`, a record each, and `damaged`, with records that could not be read and were set aside.
#[derive(Debug)]
pub(crate) struct Store {
    files: Arc<dyn Files>,
    folder: PathBuf,
    lock: Lock,
}

/// Why a folder cannot be used.
#[derive(Debug)]
pub enum StoreError {
    /// Another server uses it, and can be found at this address if it has said so.
    Used(PathBuf, Option<String>),
    /// It cannot be read or written.
    Io(PathBuf, io::Error),
}

impl fmt::Display for StoreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Used(folder, address) => {
                let folder = folder.display();
                f.write_str("Tengen runs already")?;
                if let Some(address) = address {
                    write!(f, ", at {address}")?;
                }
                write!(
                    f,
                    ", and keeps its games in {folder}; give this one another folder with --data to run both"
                )
            }
            Self::Io(path, error) => write!(f, "{}: {error}", path.display()),
        }
    }
}

// What they say has the reason in it already.
impl std::error::Error for StoreError {}

impl From<FileError> for StoreError {
    fn from(FileError { path, error }: FileError) -> Self {
        Self::Io(path, error)
    }
}

impl StoreError {
    /// Is there no space left?
    pub(crate) fn is_full(&self) -> bool {
        use io::ErrorKind::{QuotaExceeded, StorageFull};
        matches!(self, Self::Io(_, error) if matches!(error.kind(), StorageFull | QuotaExceeded))
    }
}

impl Store {
    /// Opens the folder, which is made if there is none.
    /// What is in it is for the user alone.
    pub(crate) fn open(folder: &Path, files: Arc<dyn Files>) -> Result<Self, StoreError> {
        let failed = |path: &Path| {
            let path = path.to_owned();
            move |error| StoreError::Io(path, error)
        };
        let games = folder.join("games");
        files
            .make_folder(&games, Access::Private)
            .map_err(failed(&games))?;
        let path = folder.join("lock");
        let lock = match Lock::take(&path).map_err(failed(&path))? {
            Ok(lock) => lock,
            Err(mut taken) => {
                let mut address = String::new();
                // Without an address the message is still true.
                _ = taken.read_to_string(&mut address);
                let address = Some(address.trim().to_owned()).filter(|address| !address.is_empty());
                return Err(StoreError::Used(folder.to_owned(), address));
            }
        };
        Ok(Self {
            files,
            folder: folder.to_owned(),
            lock,
        })
    }

    /// Tells others who want the folder where this server can be found.
    pub(crate) fn announce(&mut self, address: &str) -> io::Result<()> {
        let file = &mut self.lock.0;
        file.set_len(0)?;
        file.seek(SeekFrom::Start(0))?;
        file.write_all(address.as_bytes())
    }

    /// Writes or deletes a game; afterwards not even a power cut changes that.
    pub(crate) fn save(&self, save: &Save) -> Result<(), StoreError> {
        let path = self.path(&save.game);
        let saved = match &save.record {
            Some(record) => {
                let sgf = record.to_sgf();
                self.files.replace(&path, sgf.as_bytes(), Access::Private)
            }
            None => self.files.delete(&path),
        };
        saved.map_err(StoreError::from)
    }

    /// The names of all games, and their records as far as they can be read.
    pub(crate) fn games(&self) -> Result<Vec<(String, io::Result<String>)>, StoreError> {
        let folder = self.folder.join("games");
        let failed = |error| StoreError::Io(folder.clone(), error);
        let mut games = Vec::new();
        for entry in fs::read_dir(&folder).map_err(failed)? {
            let path = entry.map_err(failed)?.path();
            let is_game = path.extension().is_some_and(|kind| kind == KIND);
            if let (true, Some(name)) = (is_game, path.file_stem()) {
                games.push((
                    name.to_string_lossy().into_owned(),
                    fs::read_to_string(&path),
                ));
            }
        }
        games.sort_by(|(a, _), (b, _)| a.cmp(b));
        Ok(games)
    }

    /// Moves a game that cannot be read to where nobody looks for games, under a name that is free. Returns its new
    /// place.
    pub(crate) fn set_aside(&self, game: &str) -> Result<PathBuf, StoreError> {
        let folder = self.folder.join("damaged");
        self.files
            .make_folder(&folder, Access::Private)
            .map_err(|error| StoreError::Io(folder.clone(), error))?;
        let path = self.path(game);
        let names = (1..).map(|number| match number {
            1 => format!("{game}.{KIND}"),
            _ => format!("{game}-{number}.{KIND}"),
        });
        let mut places = names
            .map(|name| folder.join(name))
            .filter(|place| !place.exists());
        let place = places.next().unwrap_or_else(|| folder.join(game));
        self.files
            .rename(&path, &place)
            .map_err(|error| StoreError::Io(path, error))?;
        Ok(place)
    }

    fn path(&self, game: &str) -> PathBuf {
        self.folder.join("games").join(format!("{game}.{KIND}"))
    }
}

/// A file that at most one program has locked. The system unlocks it when that program ends, however it does.
#[derive(Debug)]
struct Lock(File);

impl Lock {
    /// Takes the lock, or returns the file of whoever has it.
    fn take(path: &Path) -> io::Result<Result<Self, File>> {
        let mut options = OpenOptions::new();
        options.read(true).write(true).create(true).truncate(false);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let file = options.open(path)?;
        match file.try_lock() {
            Ok(()) => Ok(Ok(Self(file))),
            Err(TryLockError::WouldBlock) => Ok(Err(file)),
            Err(TryLockError::Error(error)) => Err(error),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a room wants saved that has this game.
    fn save(game: &str, sgf: Option<&str>) -> Save {
        let record = sgf.map(|sgf| {
            let mut room = tengen_app::Room::new(tengen_app::RoomSettings::default());
            room.restore(game, sgf, 0).unwrap();
            let review = serde_json::json!({"game": game, "node": 0, "edits": [{"do": "comment", "text": "x"}]});
            room.call("game.edit", review, tengen_app::Viewer(1), 0).unwrap();
            let saves = room.take_outbox().saves;
            saves.into_iter().next().unwrap().record.unwrap()
        });
        let game = game.to_owned();
        Save { game, record }
    }

    fn open(folder: &Path) -> Result<Store, StoreError> {
        Store::open(folder, Arc::new(tengen_files::Disk))
    }

    /// A folder of its own for each test.
    fn folder(name: &str) -> PathBuf {
        let folder =
            std::env::temp_dir().join(format!("tengen-store-{name}-{}", std::process::id()));
        _ = fs::remove_dir_all(&folder);
        folder
    }

    #[test]
    fn games_are_kept_replaced_and_deleted() {
        let folder = folder("kept");
        let store = open(&folder).unwrap();
        store.save(&save("b", Some("(;B[aa])"))).unwrap();
        store.save(&save("a", Some("(;)"))).unwrap();
        store.save(&save("a", Some("(;PB[newer])"))).unwrap();
        store.save(&save("c", None)).unwrap();
        // What was being written when the machine failed is no game.
        fs::write(folder.join("games/d.part"), "(;").unwrap();
        let games: Vec<_> = store
            .games()
            .unwrap()
            .into_iter()
            .map(|(name, sgf)| (name, sgf.unwrap()))
            .collect();
        let names: Vec<&str> = games.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["a", "b"]);
        assert!(games[0].1.contains("PB[newer]"), "{}", games[0].1);
        assert!(games[1].1.contains("B[aa]"), "{}", games[1].1);
        store.save(&save("a", None)).unwrap();
        assert_eq!(store.games().unwrap().len(), 1);
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn what_cannot_be_read_is_set_aside_and_not_lost() {
        let folder = folder("aside");
        let store = open(&folder).unwrap();
        for content in [b"\xff\xfe".as_slice(), b"nonsense"] {
            fs::write(folder.join("games/x.sgf"), content).unwrap();
            let place = store.set_aside("x").unwrap();
            assert_eq!(fs::read(place).unwrap(), content);
        }
        assert!(store.games().unwrap().is_empty());
        assert_eq!(fs::read_dir(folder.join("damaged")).unwrap().count(), 2);
        fs::remove_dir_all(folder).unwrap();
    }

    #[cfg(unix)]
    #[test]
    fn what_is_kept_is_for_the_user_alone() {
        use std::os::unix::fs::PermissionsExt;
        let folder = folder("private");
        let store = open(&folder).unwrap();
        store.save(&save("a", Some("(;)"))).unwrap();
        fs::write(folder.join("games/b.sgf"), "damaged").unwrap();
        store.set_aside("b").unwrap();
        let mode = |name: &str| {
            let path = folder.join(name);
            fs::metadata(path).unwrap().permissions().mode() & 0o777
        };
        for (name, expected) in [
            ("", 0o700),
            ("games", 0o700),
            ("damaged", 0o700),
            ("lock", 0o600),
            ("games/a.sgf", 0o600),
        ] {
            assert_eq!(mode(name), expected, "{name}");
        }
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn a_folder_is_for_one_server() {
        let folder = folder("lock");
        let mut store = open(&folder).unwrap();
        store.announce("http://127.0.0.1:8361/").unwrap();
        let error = open(&folder).unwrap_err().to_string();
        assert!(
            error.contains("runs already, at http://127.0.0.1:8361/"),
            "{error}"
        );
        drop(store);
        assert!(open(&folder).is_ok());
        fs::remove_dir_all(folder).unwrap();
    }
}
