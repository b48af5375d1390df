//! Archives with the same bytes on every machine: files in order, of nobody, with one time for all.

use std::collections::BTreeSet;
use std::fs;
use std::io::{Cursor, Write};
use std::path::Path;

use anyhow::{Context, Result};
use flate2::Compression;
use flate2::write::GzEncoder;

/// A file of an archive.
#[derive(Clone)]
pub(super) struct Entry {
    /// Its path, with slashes.
    pub(super) path: String,
    pub(super) bytes: Vec<u8>,
    pub(super) kind: Kind,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Text,
    Program,
}

impl Kind {
    const fn mode(self) -> u32 {
        match self {
            Self::Text => 0o644,
            Self::Program => 0o755,
        }
    }
}

/// The files of an archive, and the time that all of them have.
pub(super) struct Archive {
    entries: Vec<Entry>,
    /// Seconds since 1970.
    time: u64,
}

impl Archive {
    pub(super) const fn new(time: u64) -> Self {
        Self {
            entries: Vec::new(),
            time,
        }
    }

    pub(super) fn add(&mut self, path: impl Into<String>, bytes: impl Into<Vec<u8>>, kind: Kind) {
        self.entries.push(Entry {
            path: path.into(),
            bytes: bytes.into(),
            kind,
        });
    }

    /// Adds a file of the checkout.
    pub(super) fn add_file(
        &mut self,
        path: impl Into<String>,
        file: &Path,
        kind: Kind,
    ) -> Result<()> {
        let bytes = fs::read(file).with_context(|| format!("cannot read {}", file.display()))?;
        self.add(path, bytes, kind);
        Ok(())
    }

    /// Adds all files of a folder and those below it.
    pub(super) fn add_folder(&mut self, path: &str, folder: &Path) -> Result<()> {
        let cannot_read = || format!("cannot read {}", folder.display());
        for entry in fs::read_dir(folder).with_context(cannot_read)? {
            let entry = entry.with_context(cannot_read)?;
            let name = entry.file_name();
            let name = format!("{path}/{}", name.to_str().with_context(cannot_read)?);
            if entry.path().is_dir() {
                self.add_folder(&name, &entry.path())?;
            } else {
                self.add_file(name, &entry.path(), Kind::Text)?;
            }
        }
        Ok(())
    }

    pub(super) fn entries(&self) -> impl Iterator<Item = &Entry> {
        let mut entries: Vec<&Entry> = self.entries.iter().collect();
        entries.sort_by(|one, other| one.path.cmp(&other.path));
        entries.into_iter()
    }

    /// As files below a folder.
    pub(super) fn write(&self, folder: &Path) -> Result<()> {
        for entry in self.entries() {
            let path = folder.join(&entry.path);
            fs::create_dir_all(path.parent().unwrap_or(folder))
                .and_then(|()| fs::write(&path, &entry.bytes))
                .with_context(|| format!("cannot write {}", path.display()))?;
        }
        Ok(())
    }

    /// As `.tar.gz`.
    pub(super) fn tar_gz(&self) -> Result<Vec<u8>> {
        let mut tar = tar::Builder::new(GzEncoder::new(Vec::new(), Compression::best()));
        let mut folders = BTreeSet::new();
        for entry in self.entries() {
            for folder in parents(&entry.path) {
                if folders.insert(folder) {
                    let mut header = self.header(0, 0o755);
                    header.set_entry_type(tar::EntryType::Directory);
                    tar.append_data(&mut header, format!("{folder}/"), &[][..])?;
                }
            }
            let mut header = self.header(entry.bytes.len(), entry.kind.mode());
            tar.append_data(&mut header, &entry.path, entry.bytes.as_slice())
                .with_context(|| format!("cannot pack {}", entry.path))?;
        }
        Ok(tar.into_inner()?.finish()?)
    }

    fn header(&self, size: usize, mode: u32) -> tar::Header {
        let mut header = tar::Header::new_gnu();
        header.set_size(size as u64);
        header.set_mode(mode);
        header.set_mtime(self.time);
        header.set_uid(0);
        header.set_gid(0);
        header
    }

    /// As `.zip`, which has no times here: those of the format know no time zone.
    pub(super) fn zip(&self) -> Result<Vec<u8>> {
        let mut zip = zip::ZipWriter::new(Cursor::new(Vec::new()));
        for entry in self.entries() {
            let options = zip::write::SimpleFileOptions::default()
                .compression_method(zip::CompressionMethod::Deflated)
                .last_modified_time(zip::DateTime::default())
                .unix_permissions(entry.kind.mode());
            zip.start_file(entry.path.as_str(), options)?;
            zip.write_all(&entry.bytes)?;
        }
        Ok(zip.finish()?.into_inner())
    }
}

/// The folders above a path, from the outermost on.
fn parents(path: &str) -> impl Iterator<Item = &str> {
    path.match_indices('/').map(|(at, _)| &path[..at])
}

/// Packs one file, as pages of `man` are.
pub(super) fn gzip(bytes: &[u8]) -> Result<Vec<u8>> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(bytes)?;
    Ok(encoder.finish()?)
}

/// Unpacks a `.tar.gz` into a folder.
pub(super) fn unpack(archive: &Path, folder: &Path) -> Result<()> {
    let file =
        fs::File::open(archive).with_context(|| format!("cannot open {}", archive.display()))?;
    tar::Archive::new(flate2::read::GzDecoder::new(file))
        .unpack(folder)
        .with_context(|| format!("cannot unpack {}", archive.display()))
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use super::{Archive, Kind, parents};

    fn example() -> Archive {
        let mut archive = Archive::new(1_700_000_000);
        archive.add("a/z/program", "run", Kind::Program);
        archive.add("a/page", "text", Kind::Text);
        archive.add(format!("a/{}", "long".repeat(40)), "deep", Kind::Text);
        archive
    }

    #[test]
    fn a_tar_has_the_files_in_order_with_their_folders() {
        let packed = example().tar_gz().unwrap();
        assert_eq!(packed, example().tar_gz().unwrap());
        let mut tar = tar::Archive::new(flate2::read::GzDecoder::new(packed.as_slice()));
        let mut seen = Vec::new();
        for entry in tar.entries().unwrap() {
            let mut entry = entry.unwrap();
            let mut text = String::new();
            entry.read_to_string(&mut text).unwrap();
            let header = entry.header();
            assert_eq!(header.mtime().unwrap(), 1_700_000_000);
            assert_eq!((header.uid().unwrap(), header.gid().unwrap()), (0, 0));
            let path = entry.path().unwrap().to_string_lossy().into_owned();
            seen.push((path, header.mode().unwrap(), text));
        }
        let long = format!("a/{}", "long".repeat(40));
        let wanted = [
            ("a/", 0o755, ""),
            (long.as_str(), 0o644, "deep"),
            ("a/page", 0o644, "text"),
            ("a/z/", 0o755, ""),
            ("a/z/program", 0o755, "run"),
        ];
        let wanted = wanted.map(|(path, mode, text)| (path.to_owned(), mode, text.to_owned()));
        assert_eq!(seen, wanted);
    }

    #[test]
    fn a_zip_has_the_same_files() {
        let packed = example().zip().unwrap();
        assert_eq!(packed, example().zip().unwrap());
        let mut zip = zip::ZipArchive::new(std::io::Cursor::new(packed)).unwrap();
        let mut text = String::new();
        let mut file = zip.by_name("a/z/program").unwrap();
        file.read_to_string(&mut text).unwrap();
        assert_eq!(file.unix_mode().map(|mode| mode & 0o777), Some(0o755));
        drop(file);
        assert_eq!((text.as_str(), zip.len()), ("run", 3));
    }

    #[test]
    fn folders_are_told_from_the_outermost_on() {
        assert!(parents("usr/share/man/x").eq(["usr", "usr/share", "usr/share/man"]));
        assert!(parents("x").eq([""; 0]));
    }
}
