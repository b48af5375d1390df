#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

mod disk;
mod error;
mod faulty;
mod named;

use std::fmt::Debug;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

pub use disk::Disk;
pub use error::FileError;
pub use faulty::Faulty;

/// The extension of a file that is being written.
pub const DRAFT: &str = "part";

/// Who may read and write a file or a folder that is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// Nobody but the user, where the system knows such a thing.
    Private,
    /// Whoever may by the habits of the system.
    Usual,
}

/// The calls to the system that something which must not be lost depends on.
pub trait Files: Debug + Send + Sync {
    /// Begins a file anew.
    fn create(&self, path: &Path, access: Access) -> io::Result<Box<dyn Output>>;

    /// Makes a file that must not be there yet.
    fn create_new(&self, path: &Path, access: Access) -> io::Result<Box<dyn Output>>;

    /// Opens a file at its end; it is made if there is none.
    fn append(&self, path: &Path) -> io::Result<Box<dyn Output>>;

    /// All bytes of a file.
    fn read(&self, path: &Path) -> io::Result<Vec<u8>>;

    /// Gives a file another name; a file that has it is replaced.
    fn rename(&self, from: &Path, to: &Path) -> io::Result<()>;

    /// Removes a file.
    fn remove(&self, path: &Path) -> io::Result<()>;

    /// Makes a folder and those above it, as far as they are missing. A private one is private afterwards in any case.
    fn create_folder(&self, path: &Path, access: Access) -> io::Result<()>;

    /// Returns when the names in a folder would survive a power cut.
    fn sync_folder(&self, path: &Path) -> io::Result<()>;
}

/// A file that is being written.
pub trait Output: Write + Debug + Send {
    /// Returns when all that was written would survive a power cut.
    fn sync(&mut self) -> io::Result<()>;

    /// Cuts off all but the first bytes.
    fn cut(&mut self, length: u64) -> io::Result<()>;
}

impl dyn Files + '_ {
    /// Writes a file so that it is there as a whole or not at all, whatever happens to the machine. If it fails, what
    /// was there before is still there, or the new file is there as a whole but may not survive a power cut.
    pub fn replace(&self, path: &Path, bytes: &[u8], access: Access) -> Result<(), FileError> {
        self.replace_with(path, access, |output| output.write_all(bytes))
    }

    /// The same for what is written piece by piece.
    pub fn replace_with<T>(
        &self,
        path: &Path,
        access: Access,
        write: impl FnOnce(&mut dyn Output) -> io::Result<T>,
    ) -> Result<T, FileError> {
        let draft = draft_of(path);
        let output = self.create(&draft, access);
        output
            .and_then(|output| self.fill(&draft, output, path, write))
            .map_err(|error| {
                // The first error is the one to tell.
                _ = self.remove(&draft);
                FileError::new(path, error)
            })
    }

    /// Removes a file for good; one that is not there is no error.
    pub fn delete(&self, path: &Path) -> Result<(), FileError> {
        // One that is gone already may still be there after a power cut, if only its folder could not be synced.
        let removed = if_there(self.remove(path));
        removed
            .and_then(|()| if_there(self.sync_folder(folder_of(path))))
            .map_err(|error| FileError::new(path, error))
    }

    /// Makes a folder and those above it, as far as they are missing, so that a power cut does not take them away with
    /// all that is in them.
    pub fn make_folder(&self, path: &Path, access: Access) -> io::Result<()> {
        let missing = path.ancestors().skip(1);
        let missing = missing.take_while(|folder| !folder.as_os_str().is_empty());
        let missing: Vec<&Path> = missing.take_while(|folder| !folder.exists()).collect();
        self.create_folder(path, access)?;
        // That of the folder itself in any case: it may have been made when this could not be done.
        for folder in std::iter::once(path).chain(missing) {
            match self.sync_folder(folder_of(folder)) {
                // A folder that one may pass but not read belongs to somebody else, who made it before.
                Err(error) if error.kind() == io::ErrorKind::PermissionDenied => {}
                synced => synced?,
            }
        }
        Ok(())
    }
}

fn if_there(result: io::Result<()>) -> io::Result<()> {
    match result {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        result => result,
    }
}

/// Writes a file on the disk that a person has named, so that it is there as a whole or not at all:
/// `Files::replace_named`.
pub fn write_whole(path: &Path, bytes: &[u8]) -> Result<(), FileError> {
    let files: &dyn Files = &Disk;
    files.replace_named(path, |output| output.write_all(bytes))
}

/// The name under which a file is written before it gets its own: with another extension.
pub fn draft_of(path: &Path) -> PathBuf {
    if path.extension().is_some_and(|extension| extension != DRAFT) {
        return path.with_extension(DRAFT);
    }
    let mut draft = path.as_os_str().to_owned();
    draft.push(".");
    draft.push(DRAFT);
    draft.into()
}

fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn folder(name: &str) -> PathBuf {
        let folder =
            std::env::temp_dir().join(format!("tengen-files-{name}-{}", std::process::id()));
        _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).unwrap();
        folder
    }

    #[test]
    fn a_failure_at_any_call_leaves_one_whole_file_and_is_reported() {
        let folder = folder("every-call");
        let path = folder.join("file");
        let sound = Faulty::sound();
        let files: &dyn Files = &sound;
        files.replace(&path, b"old", Access::Usual).unwrap();
        let calls = sound.calls();
        assert!(calls >= 5, "create, write, sync, rename, folder: {calls}");
        for call in 1..=calls {
            for faulty in [Faulty::failing_at(call), Faulty::failing_from(call)] {
                files.replace(&path, b"old", Access::Usual).unwrap();
                let faults: &dyn Files = &faulty;
                let result = faults.replace(&path, b"new and longer", Access::Usual);
                assert!(result.is_err(), "call {call}");
                let left = fs::read(&path).unwrap();
                // Only the names of the folder are left to be synced.
                let expected: &[u8] = if call == calls {
                    b"new and longer"
                } else {
                    b"old"
                };
                assert_eq!(left, expected, "call {call}");
                faulty.mend();
                faults
                    .replace(&path, b"new and longer", Access::Usual)
                    .unwrap();
                assert_eq!(fs::read(&path).unwrap(), b"new and longer");
            }
        }
        files.delete(&path).unwrap();
        files.delete(&path).unwrap();
        assert_eq!(
            fs::read_dir(&folder).unwrap().count(),
            0,
            "no draft is left"
        );
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn a_file_is_gone_only_when_its_folder_is_synced() {
        let folder = folder("gone");
        let path = folder.join("file");
        fs::write(&path, "x").unwrap();
        let faulty = Faulty::failing_at(2);
        let files: &dyn Files = &faulty;
        assert!(files.delete(&path).is_err());
        assert!(!path.exists());
        files.delete(&path).unwrap();
        assert_eq!(faulty.calls(), 4, "remove and folder, twice");
        fs::remove_dir_all(&folder).unwrap();
        files.delete(&path).unwrap();
    }

    #[test]
    fn a_new_folder_is_synced_in_those_above_it() {
        let folder = folder("new");
        let path = folder.join("a/b/c");
        let sound = Faulty::sound();
        (&sound as &dyn Files)
            .make_folder(&path, Access::Private)
            .unwrap();
        assert_eq!(
            sound.calls(),
            4,
            "make it, and sync b, a and what there was"
        );
        for call in 1..=4 {
            fs::remove_dir_all(folder.join("a")).unwrap();
            let faulty = Faulty::failing_at(call);
            let files: &dyn Files = &faulty;
            assert!(files.make_folder(&path, Access::Private).is_err(), "{call}");
            files.make_folder(&path, Access::Private).unwrap();
        }
        let relative: &dyn Files = &Disk;
        relative.make_folder(Path::new("."), Access::Usual).unwrap();
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn a_draft_has_another_name_than_its_file() {
        for (file, draft) in [
            ("a/b.sgf", "a/b.part"),
            ("a/b", "a/b.part"),
            ("b.part", "b.part.part"),
            ("0001.first.log", "0001.first.part"),
        ] {
            assert_eq!(draft_of(Path::new(file)), Path::new(draft));
        }
    }

    #[cfg(unix)]
    #[test]
    fn what_is_private_is_so_even_if_it_was_not() {
        use std::os::unix::fs::PermissionsExt;
        let folder = folder("private");
        let inner = folder.join("a/b");
        fs::create_dir_all(&inner).unwrap();
        fs::set_permissions(&inner, fs::Permissions::from_mode(0o755)).unwrap();
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
        let files: &dyn Files = &Disk;
        files.create_folder(&inner, Access::Private).unwrap();
        assert_eq!(mode(&inner), 0o700);
        let path = inner.join("file");
        fs::write(&path, "for all").unwrap();
        fs::write(draft_of(&path), "left behind").unwrap();
        files.replace(&path, b"for one", Access::Private).unwrap();
        assert_eq!(mode(&path), 0o600);
        let new = folder.join("c/d");
        files.create_folder(&new, Access::Private).unwrap();
        assert_eq!((mode(&new), mode(&folder.join("c"))), (0o700, 0o700));
        fs::remove_dir_all(folder).unwrap();
    }
}
