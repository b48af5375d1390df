//! Where the commands of a task write: to the terminal, or to a file while they run beside another step.

use std::cell::RefCell;
use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use anyhow::{Context, Result};

thread_local! {
    /// The file of this thread. Two lanes that write to one terminal cannot be read.
    static FILE: RefCell<Option<File>> = const { RefCell::new(None) };
}

/// Sends all that this thread's commands print to a file of this name below `target/xtask/`.
pub(crate) fn redirect(root: &Path, name: &str) -> Result<PathBuf> {
    let folder = root.join("target/xtask");
    let path = folder.join(format!("{}.log", name.replace(' ', "-")));
    let file = fs::create_dir_all(&folder)
        .and_then(|()| File::create(&path))
        .with_context(|| format!("cannot create {}", path.display()))?;
    FILE.set(Some(file));
    Ok(path)
}

/// Where a command's output goes. The standard output of xtask holds nothing but the summary.
pub(crate) fn stdio() -> Result<Stdio> {
    FILE.with_borrow(|file| match file {
        Some(file) => Ok(file.try_clone().context("cannot share the log")?.into()),
        None => Ok(std::io::stderr().into()),
    })
}

/// Writes bytes where the commands write.
pub(crate) fn write(bytes: &[u8]) -> Result<()> {
    FILE.with_borrow_mut(|file| match file {
        Some(file) => file
            .write_all(bytes)
            .context("cannot pass on what a command prints"),
        None => {
            // Unlike `stderr()`, this is held back by a test that passes.
            eprint!("{}", String::from_utf8_lossy(bytes));
            Ok(())
        }
    })
}

/// Writes a line where the commands write.
pub(crate) fn say(line: &str) {
    // What cannot be said need not stop the work.
    _ = write(format!("{line}\n").as_bytes());
}
