//! An empty folder, and an unprivileged user, for programs that are fed with hostile inputs.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

/// The number of the user `nobody` on nearly every system.
#[cfg(unix)]
const NOBODY: u32 = 65534;

/// A folder below that of the system for temporary files, which a program may read and write and which goes when this
/// does. Root's programs run in it as nobody, for whom the checkout itself is often out of reach.
pub(crate) struct Cage {
    folder: PathBuf,
}

impl Cage {
    pub(crate) fn new(name: &str) -> Result<Self> {
        let folder = std::env::temp_dir().join(format!("tengen-{name}-{}", std::process::id()));
        let cage = Self { folder };
        // What an earlier process with the same number left.
        _ = fs::remove_dir_all(&cage.folder);
        cage.make_folder("")?;
        cage.make_folder("empty")?;
        Ok(cage)
    }

    /// A path in the cage.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    /// Makes a folder, and copies the files of another one into it if that is there.
    pub(crate) fn take_folder(&self, name: &str, from: &Path) -> Result<()> {
        self.make_folder(name)?;
        if from.is_dir() {
            copy_files(from, &self.path(name))?;
        }
        Ok(())
    }

    pub(crate) fn make_folder(&self, name: &str) -> Result<()> {
        let folder = self.path(name);
        fs::create_dir_all(&folder)
            .with_context(|| format!("cannot create {}", folder.display()))?;
        Self::give(&folder)
    }

    /// The copy of a program, to be started in the folder `empty`.
    pub(crate) fn program(&self, from: &Path) -> Result<Command> {
        let to = self.path("program");
        fs::copy(from, &to).with_context(|| format!("cannot copy {}", from.display()))?;
        let mut command = Command::new(&to);
        command.current_dir(self.path("empty")).env_clear();
        #[cfg(unix)]
        if is_root(&self.folder)? {
            use std::os::unix::process::CommandExt;
            command.uid(NOBODY).gid(NOBODY);
        }
        Ok(command)
    }

    #[cfg(unix)]
    fn give(path: &Path) -> Result<()> {
        if is_root(path)? {
            std::os::unix::fs::chown(path, Some(NOBODY), Some(NOBODY))
                .with_context(|| format!("cannot give {} away", path.display()))?;
        }
        Ok(())
    }

    #[cfg(not(unix))]
    fn give(_: &Path) -> Result<()> {
        Ok(())
    }
}

/// Whoever owns what was just made is who this runs as.
#[cfg(unix)]
fn is_root(made: &Path) -> Result<bool> {
    use std::os::unix::fs::MetadataExt;
    let owner = fs::metadata(made).context("cannot look at the cage")?.uid();
    // It may have been given away already, and only root can do that.
    Ok(owner == 0 || owner == NOBODY)
}

/// Copies the files of a folder into another one.
pub(crate) fn copy_files(from: &Path, to: &Path) -> Result<()> {
    let copy = || -> io::Result<()> {
        fs::create_dir_all(to)?;
        for entry in fs::read_dir(from)? {
            let entry = entry?;
            if entry.file_type()?.is_file() {
                fs::copy(entry.path(), to.join(entry.file_name()))?;
            }
        }
        Ok(())
    };
    copy().with_context(|| format!("cannot copy {} to {}", from.display(), to.display()))
}

impl Drop for Cage {
    fn drop(&mut self) {
        _ = fs::remove_dir_all(&self.folder);
    }
}
