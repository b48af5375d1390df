//! A disk that can be filled.

use std::fs::{self, File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result};

/// How large the disk is, where it is one of its own.
const SIZE: &str = "size=16m,mode=0700";

/// A folder that programs write to, and that can be full for a while.
///
/// Root gets a small disk in memory, which is filled to the last byte. Elsewhere the folder of games is taken away and
/// a file put in its place, so that nothing can be written either.
pub(super) struct Disk {
    folder: PathBuf,
    is_mounted: bool,
}

impl Disk {
    pub(super) fn new(folder: &Path) -> Result<Self> {
        fs::create_dir_all(folder)
            .with_context(|| format!("cannot create {}", folder.display()))?;
        let mount = Command::new("mount")
            .args(["-t", "tmpfs", "-o", SIZE, "tmpfs"])
            .arg(folder)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status();
        Ok(Self {
            folder: folder.to_owned(),
            is_mounted: mount.is_ok_and(|status| status.success()),
        })
    }

    /// What it is, for the figures.
    pub(super) const fn kind(&self) -> &'static str {
        match self.is_mounted {
            true => "a disk of 16 MB in memory, filled to the last byte",
            false => "a folder that is taken away, because this user may not mount a small disk",
        }
    }

    /// Where the server keeps its games.
    pub(super) fn data(&self) -> PathBuf {
        self.folder.join("data")
    }

    pub(super) fn path(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    /// From now on nothing can be written.
    pub(super) fn fill(&self) -> Result<()> {
        if self.is_mounted {
            let mut ballast = OpenOptions::new()
                .create(true)
                .append(true)
                .open(self.path("ballast"))
                .context("cannot open the ballast")?;
            // Large pieces first: those that no longer fit make way for smaller ones.
            for size in [1 << 16, 1 << 12, 1] {
                while ballast.write_all(&vec![0; size]).is_ok() {}
            }
            return Ok(());
        }
        let games = self.data().join("games");
        let away = self.data().join("games.away");
        if games.is_dir() && !away.exists() {
            fs::rename(&games, away).context("cannot take the games away")?;
            File::create(games).context("cannot put a file in the place of the games")?;
        }
        Ok(())
    }

    /// From now on there is space again.
    pub(super) fn free(&self) -> Result<()> {
        if self.is_mounted {
            let ballast = self.path("ballast");
            if ballast.exists() {
                fs::remove_file(ballast).context("cannot remove the ballast")?;
            }
            return Ok(());
        }
        let away = self.data().join("games.away");
        if away.exists() {
            let games = self.data().join("games");
            fs::remove_file(&games).context("cannot remove what is in the place of the games")?;
            fs::rename(away, games).context("cannot put the games back")?;
        }
        Ok(())
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        if self.is_mounted {
            // Nothing better is left to do if it fails: the system knows of it until it is started anew.
            _ = Command::new("umount").arg(&self.folder).status();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::Disk;

    #[test]
    fn a_full_disk_takes_nothing_and_keeps_what_it_has() {
        let folder = std::env::temp_dir().join(format!("tengen-soak-disk-{}", std::process::id()));
        _ = fs::remove_dir_all(&folder);
        let disk = Disk::new(&folder).unwrap();
        let games = disk.data().join("games");
        fs::create_dir_all(&games).unwrap();
        fs::write(games.join("a.sgf"), "(;)").unwrap();
        // A file that is there already would give its own space back before it is written anew.
        for new in ["b.sgf", "c.sgf"].map(|name| games.join(name)) {
            disk.fill().unwrap();
            assert!(fs::write(&new, [b' '; 5000]).is_err());
            disk.free().unwrap();
            fs::write(&new, [b' '; 5000]).unwrap();
            assert_eq!(fs::read(games.join("a.sgf")).unwrap(), b"(;)");
        }
        drop(disk);
        _ = fs::remove_dir_all(folder);
    }
}
