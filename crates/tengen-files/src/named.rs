//! Files that people name.
//!
//! A folder of ours holds what we put there. A name that a person gives may stand for anything: a link, a device, a
//! file that others may not read, one that nobody is to change.

use std::ffi::OsString;
use std::fs::{self, Metadata};
use std::io;
use std::path::{Path, PathBuf};

use crate::{Access, DRAFT, FileError, Files, Output, folder_of};

/// How many drafts that crashes left behind are passed over.
const MOST_DRAFTS: u32 = 100;

impl dyn Files + '_ {
    /// [`replace_with`](Files#method.replace_with) for a file that a person has named. A link goes on leading to its
    /// file, who may read the file stays as it was, one that nobody may write is left alone, and no other file gives
    /// its name to the draft. What is no file, such as `/dev/null` or a pipe, is written to as it is.
    pub fn replace_named<T>(
        &self,
        path: &Path,
        write: impl FnOnce(&mut dyn Output) -> io::Result<T>,
    ) -> Result<T, FileError> {
        self.write_named(path, write)
            .map_err(|error| FileError::new(path, error))
    }

    fn write_named<T>(
        &self,
        path: &Path,
        write: impl FnOnce(&mut dyn Output) -> io::Result<T>,
    ) -> io::Result<T> {
        let before = match fs::metadata(path) {
            Ok(before) => Some(before),
            // A link to nothing is an error: who made it wants the file elsewhere, in a folder that is gone perhaps.
            Err(error) if error.kind() == io::ErrorKind::NotFound && !path.is_symlink() => None,
            Err(error) => return Err(error),
        };
        let target = match &before {
            Some(before) if before.is_dir() => return Err(io::ErrorKind::IsADirectory.into()),
            Some(before) if !before.is_file() => {
                let mut output = self.create(path, Access::Usual)?;
                let written = write(&mut *output)?;
                output.flush()?;
                return Ok(written);
            }
            Some(before) if before.permissions().readonly() => {
                return Err(io::ErrorKind::PermissionDenied.into());
            }
            Some(_) => path.canonicalize()?,
            None => path.to_owned(),
        };
        let (draft, output) = self.draft(&target, before.as_ref())?;
        self.fill(&draft, output, &target, write)
            // The first error is the one to tell.
            .inspect_err(|_| _ = self.remove(&draft))
    }

    /// A new file beside another one, whose place it will take.
    fn draft(
        &self,
        target: &Path,
        before: Option<&Metadata>,
    ) -> io::Result<(PathBuf, Box<dyn Output>)> {
        let name = target.file_name().ok_or(io::ErrorKind::InvalidFilename)?;
        // Until it has the rights of the other file nobody else may look into it.
        let access = before.map_or(Access::Usual, |_| Access::Private);
        let mut last = io::ErrorKind::AlreadyExists.into();
        for number in 0..MOST_DRAFTS {
            let mut draft = OsString::from(".");
            draft.push(name);
            draft.push(format!(".{}-{number}.{DRAFT}", std::process::id()));
            let draft = target.with_file_name(draft);
            match self.create_new(&draft, access) {
                Ok(output) => {
                    if let Some(before) = before {
                        fs::set_permissions(&draft, before.permissions())
                            .inspect_err(|_| _ = self.remove(&draft))?;
                    }
                    return Ok((draft, output));
                }
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => last = error,
                Err(error) => return Err(error),
            }
        }
        Err(last)
    }

    /// Writes a draft and lets it take the place of its file, for good.
    pub(crate) fn fill<T>(
        &self,
        draft: &Path,
        mut output: Box<dyn Output>,
        target: &Path,
        write: impl FnOnce(&mut dyn Output) -> io::Result<T>,
    ) -> io::Result<T> {
        let written = write(&mut *output)?;
        output.flush()?;
        output.sync()?;
        // Some systems do not rename a file that is open.
        drop(output);
        self.rename(draft, target)?;
        // The new name must last as well.
        self.sync_folder(folder_of(target))?;
        Ok(written)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Faulty, draft_of, write_whole};

    struct Folder(PathBuf);

    impl Folder {
        fn new(name: &str) -> Self {
            let name = format!("tengen-files-named-{name}-{}", std::process::id());
            let path = std::env::temp_dir().join(name);
            _ = fs::remove_dir_all(&path);
            fs::create_dir_all(&path).unwrap();
            Self(path)
        }

        fn file(&self, name: &str, text: &str) -> PathBuf {
            let path = self.0.join(name);
            fs::write(&path, text).unwrap();
            path
        }

        fn files(&self) -> usize {
            fs::read_dir(&self.0).unwrap().count()
        }
    }

    impl Drop for Folder {
        fn drop(&mut self) {
            _ = fs::remove_dir_all(&self.0);
        }
    }

    #[test]
    fn a_failure_at_any_call_leaves_one_whole_file_and_no_draft() {
        let folder = Folder::new("every-call");
        let path = folder.file("file", "old");
        let put = |files: &Faulty| {
            let files: &dyn Files = files;
            files.replace_named(&path, |output| output.write_all(b"new and longer"))
        };
        let sound = Faulty::sound();
        put(&sound).unwrap();
        let calls = sound.calls();
        assert!(calls >= 5, "create, write, sync, rename, folder: {calls}");
        for call in 1..=calls {
            fs::write(&path, "old").unwrap();
            assert!(put(&Faulty::failing_at(call)).is_err(), "call {call}");
            // Only the names of the folder are left to be synced.
            let expected = if call == calls {
                "new and longer"
            } else {
                "old"
            };
            assert_eq!(fs::read_to_string(&path).unwrap(), expected, "call {call}");
            assert_eq!(folder.files(), 1, "call {call}");
        }
    }

    #[test]
    fn no_other_file_gives_its_name_to_a_draft() {
        let folder = Folder::new("others");
        let path = folder.0.join("game.sgf");
        let other = folder.file("game.part", "half of a film");
        assert_eq!(draft_of(&path), other);
        write_whole(&path, b"(;)").unwrap();
        assert_eq!(fs::read_to_string(&other).unwrap(), "half of a film");
        // What a crash of a process with the same number left is not in the way either.
        let left = format!(".game.sgf.{}-0.{DRAFT}", std::process::id());
        let left = folder.file(&left, "(");
        write_whole(&path, b"(;B[aa])").unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "(;B[aa])");
        assert_eq!(fs::read_to_string(&left).unwrap(), "(");
        assert!(write_whole(&folder.0, b"(;)").is_err());
        assert_eq!(folder.files(), 3);
    }

    #[test]
    fn what_nobody_may_write_is_left_alone() {
        let folder = Folder::new("read-only");
        let path = folder.file("file", "for ever");
        let mut rights = fs::metadata(&path).unwrap().permissions();
        let before = rights.clone();
        rights.set_readonly(true);
        fs::set_permissions(&path, rights).unwrap();
        let refused = write_whole(&path, b"new").unwrap_err();
        assert_eq!(refused.error.kind(), io::ErrorKind::PermissionDenied);
        assert_eq!(fs::read_to_string(&path).unwrap(), "for ever");
        fs::set_permissions(&path, before).unwrap();
        write_whole(&path, b"new").unwrap();
    }

    #[cfg(unix)]
    #[test]
    fn links_rights_and_devices_stay_what_they_are() {
        use std::os::unix::fs::{FileTypeExt, PermissionsExt, symlink};
        let folder = Folder::new("kinds");
        let real = folder.file("real", "old");
        fs::set_permissions(&real, fs::Permissions::from_mode(0o600)).unwrap();
        let link = folder.0.join("link");
        symlink("real", &link).unwrap();
        write_whole(&link, b"new").unwrap();
        assert!(link.is_symlink());
        assert_eq!(fs::read_to_string(&real).unwrap(), "new");
        let rights = fs::metadata(&real).unwrap().permissions().mode();
        assert_eq!(rights & 0o777, 0o600);
        let nowhere = folder.0.join("nowhere");
        symlink(folder.0.join("gone/file"), &nowhere).unwrap();
        assert!(write_whole(&nowhere, b"new").is_err());
        assert!(nowhere.is_symlink());
        let device = folder.0.join("device");
        symlink("/dev/null", &device).unwrap();
        write_whole(&device, b"new").unwrap();
        assert!(device.is_symlink());
        let about = fs::metadata(&device).unwrap();
        assert!(about.file_type().is_char_device());
        assert_eq!(folder.files(), 4);
    }
}
