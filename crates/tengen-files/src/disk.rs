//! The files of the system.

use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io::{self, Write};
use std::path::Path;

use crate::{Access, Files, Output};

/// The files of the system.
#[derive(Clone, Copy, Debug, Default)]
pub struct Disk;

#[derive(Debug)]
struct DiskOutput(File);

impl Files for Disk {
    fn create(&self, path: &Path, access: Access) -> io::Result<Box<dyn Output>> {
        let file = options(access).create(true).truncate(true).open(path)?;
        if access == Access::Private {
            close_to_others(path, 0o600)?;
        }
        Ok(Box::new(DiskOutput(file)))
    }

    fn create_new(&self, path: &Path, access: Access) -> io::Result<Box<dyn Output>> {
        let file = options(access).create_new(true).open(path)?;
        Ok(Box::new(DiskOutput(file)))
    }

    fn append(&self, path: &Path) -> io::Result<Box<dyn Output>> {
        let file = OpenOptions::new().create(true).append(true).open(path)?;
        Ok(Box::new(DiskOutput(file)))
    }

    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        fs::read(path)
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        fs::rename(from, to)
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        fs::remove_file(path)
    }

    fn create_folder(&self, path: &Path, access: Access) -> io::Result<()> {
        let mut builder = DirBuilder::new();
        builder.recursive(true);
        #[cfg(unix)]
        if access == Access::Private {
            use std::os::unix::fs::DirBuilderExt;
            builder.mode(0o700);
        }
        builder.create(path)?;
        match access {
            Access::Private => close_to_others(path, 0o700),
            Access::Usual => Ok(()),
        }
    }

    #[cfg(unix)]
    fn sync_folder(&self, path: &Path) -> io::Result<()> {
        File::open(path)?.sync_all()
    }

    /// Elsewhere a folder cannot be opened, and the system sees to its names itself.
    #[cfg(not(unix))]
    fn sync_folder(&self, _: &Path) -> io::Result<()> {
        Ok(())
    }
}

/// How a file is opened to be written.
fn options(access: Access) -> OpenOptions {
    let mut options = OpenOptions::new();
    options.write(true);
    #[cfg(unix)]
    if access == Access::Private {
        use std::os::unix::fs::OpenOptionsExt;
        options.mode(0o600);
    }
    #[cfg(not(unix))]
    let _ = access;
    options
}

/// Takes all rights from others, for what was there before.
#[cfg(unix)]
fn close_to_others(path: &Path, mode: u32) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    if fs::metadata(path)?.permissions().mode() & 0o077 == 0 {
        return Ok(());
    }
    fs::set_permissions(path, fs::Permissions::from_mode(mode))
}

/// Elsewhere the folder of a user is closed to others by the system.
#[cfg(not(unix))]
fn close_to_others(_: &Path, _: u32) -> io::Result<()> {
    Ok(())
}

impl Write for DiskOutput {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

impl Output for DiskOutput {
    fn sync(&mut self) -> io::Result<()> {
        self.0.sync_all()
    }

    fn cut(&mut self, length: u64) -> io::Result<()> {
        self.0.set_len(length)
    }
}
