//! The folder in which games are kept.

use std::fmt;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use tengen_app::Save;
use tengen_train::write_whole;

/// The extension of a kept game.
const KIND: &str = "sgf";

/// The folder in which games are kept, for one server at a time.
///
/// Below it are `games`, a record each, and `damaged`, with records that could not be read and were set aside.
#[derive(Debug)]
pub(crate) struct Store {
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

impl Store {
    /// Opens the folder, which is made if there is none.
    pub(crate) fn open(folder: &Path) -> Result<Self, StoreError> {
        let failed = |path: &Path| {
            let path = path.to_owned();
            move |error| StoreError::Io(path, error)
        };
        let games = folder.join("games");
        fs::create_dir_all(&games).map_err(failed(&games))?;
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
            folder: folder.to_owned(),
            lock,
        })
    }

    /// Tells others who want the folder where this server can be found.
    pub(crate) fn announce(&mut self, address: &str) -> io::Result<()> {
        let file = self.lock.file();
        file.set_len(0)?;
        file.seek(SeekFrom::Start(0))?;
        file.write_all(address.as_bytes())
    }

    /// Writes or deletes a game; afterwards not even a power cut changes that.
    pub(crate) fn save(&self, save: &Save) -> Result<(), StoreError> {
        let path = self.path(&save.game);
        match &save.sgf {
            Some(sgf) => write_whole(&path, sgf.as_bytes())
                .map_err(|error| StoreError::Io(error.path, error.error)),
            None => match fs::remove_file(&path) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => {
                    Err(StoreError::Io(path, error))
                }
                _ => Ok(()),
            },
        }
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
        fs::create_dir_all(&folder).map_err(|error| StoreError::Io(folder.clone(), error))?;
        let path = self.path(game);
        let names = (1..).map(|number| match number {
            1 => format!("{game}.{KIND}"),
            _ => format!("{game}-{number}.{KIND}"),
        });
        let mut places = names
            .map(|name| folder.join(name))
            .filter(|place| !place.exists());
        let place = places.next().unwrap_or_else(|| folder.join(game));
        fs::rename(&path, &place).map_err(|error| StoreError::Io(path, error))?;
        Ok(place)
    }

    fn path(&self, game: &str) -> PathBuf {
        self.folder.join("games").join(format!("{game}.{KIND}"))
    }
}

/// A file that at most one program has locked. The system unlocks it when that program ends, however it does.
#[cfg(unix)]
#[derive(Debug)]
struct Lock(nix::fcntl::Flock<File>);

#[cfg(unix)]
impl Lock {
    /// Takes the lock, or returns the file of whoever has it.
    fn take(path: &Path) -> io::Result<Result<Self, File>> {
        use nix::fcntl::{Flock, FlockArg};
        match Flock::lock(open(path)?, FlockArg::LockExclusiveNonblock) {
            Ok(lock) => Ok(Ok(Self(lock))),
            Err((file, nix::errno::Errno::EWOULDBLOCK)) => Ok(Err(file)),
            Err((_, error)) => Err(error.into()),
        }
    }

    fn file(&mut self) -> &mut File {
        &mut self.0
    }
}

/// Elsewhere nothing is locked.
#[cfg(not(unix))]
#[derive(Debug)]
struct Lock(File);

#[cfg(not(unix))]
impl Lock {
    fn take(path: &Path) -> io::Result<Result<Self, File>> {
        Ok(Ok(Self(open(path)?)))
    }

    fn file(&mut self) -> &mut File {
        &mut self.0
    }
}

fn open(path: &Path) -> io::Result<File> {
    OpenOptions::new()
        .read(true)
        .write(true)
        .create(true)
        .truncate(false)
        .open(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn save(game: &str, sgf: Option<&str>) -> Save {
        Save {
            game: game.to_owned(),
            sgf: sgf.map(str::to_owned),
        }
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
        let store = Store::open(&folder).unwrap();
        store.save(&save("b", Some("(;B[aa])"))).unwrap();
        store.save(&save("a", Some("(;)"))).unwrap();
        store.save(&save("a", Some("(;C[newer])"))).unwrap();
        store.save(&save("c", None)).unwrap();
        // What was being written when the machine failed is no game.
        fs::write(folder.join("games/d.part"), "(;").unwrap();
        let games: Vec<_> = store
            .games()
            .unwrap()
            .into_iter()
            .map(|(name, sgf)| (name, sgf.unwrap()))
            .collect();
        assert_eq!(
            games,
            [
                ("a".to_owned(), "(;C[newer])".to_owned()),
                ("b".to_owned(), "(;B[aa])".to_owned())
            ]
        );
        store.save(&save("a", None)).unwrap();
        assert_eq!(store.games().unwrap().len(), 1);
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn what_cannot_be_read_is_set_aside_and_not_lost() {
        let folder = folder("aside");
        let store = Store::open(&folder).unwrap();
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
    fn a_folder_is_for_one_server() {
        let folder = folder("lock");
        let mut store = Store::open(&folder).unwrap();
        store.announce("http://127.0.0.1:8361/").unwrap();
        let error = Store::open(&folder).unwrap_err().to_string();
        assert!(
            error.contains("runs already, at http://127.0.0.1:8361/"),
            "{error}"
        );
        drop(store);
        assert!(Store::open(&folder).is_ok());
        fs::remove_dir_all(folder).unwrap();
    }
}
