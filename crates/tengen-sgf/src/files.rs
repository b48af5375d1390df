//! Files of records as people have them: single, in folders, compressed, in archives.

use std::ffi::OsStr;
use std::fmt;
use std::fs;
use std::io::{self, Cursor, Read};
use std::path::{Path, PathBuf};

use walkdir::WalkDir;

/// The endings of files that are records.
pub const RECORD_ENDINGS: [&str; 5] = ["sgf", "gib", "ngf", "ugf", "ugi"];

/// The endings of files that are unpacked before they are read.
pub const PACKED_ENDINGS: [&str; 3] = ["gz", "xz", "zip"];

/// More than any collection has, and little enough to be kept in memory. What unpacks to more is refused.
const MOST_BYTES: u64 = 1 << 31;

/// Why files could not be found or read.
#[derive(Debug)]
pub enum FilesError {
    /// A file or folder could not be read.
    Io(PathBuf, io::Error),
    /// A pattern cannot be understood.
    Pattern(String, glob::PatternError),
    /// No file has this name, or matches this pattern.
    Nothing(String),
    /// A file unpacks to more than is sensible.
    TooLarge(PathBuf),
}

impl fmt::Display for FilesError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(path, error) => write!(f, "{}: {error}", path.display()),
            Self::Pattern(pattern, error) => write!(f, "{pattern}: {error}"),
            Self::Nothing(name) => write!(f, "{name}: no such file of records"),
            Self::TooLarge(path) => write!(
                f,
                "{}: it unpacks to more than {MOST_BYTES} bytes",
                path.display()
            ),
        }
    }
}

impl std::error::Error for FilesError {}

/// The files that a name means: itself, all records in a folder and those in it, or all that match a pattern such as
/// `games/*.sgf.xz`. They come in the order of their names.
pub fn find_files(name: &str) -> Result<Vec<PathBuf>, FilesError> {
    let path = Path::new(name);
    let mut found = Vec::new();
    if path.is_dir() {
        search(path, &mut found)?;
    } else if path.exists() {
        found.push(path.to_owned());
    } else {
        let pattern = |error| FilesError::Pattern(name.to_owned(), error);
        for entry in glob::glob(name).map_err(pattern)? {
            let path = entry.map_err(|error| {
                let path = error.path().to_owned();
                FilesError::Io(path, error.into())
            })?;
            match path.is_dir() {
                true => search(&path, &mut found)?,
                false => found.push(path),
            }
        }
    }
    if found.is_empty() {
        return Err(FilesError::Nothing(name.to_owned()));
    }
    Ok(found)
}

fn search(folder: &Path, found: &mut Vec<PathBuf>) -> Result<(), FilesError> {
    for entry in WalkDir::new(folder).sort_by_file_name() {
        let entry = entry.map_err(|error| {
            let path = error.path().unwrap_or(folder).to_owned();
            FilesError::Io(path, error.into())
        })?;
        let path = entry.path();
        let wanted = has_ending(path, &RECORD_ENDINGS) || has_ending(path, &PACKED_ENDINGS);
        if path.is_file() && wanted {
            found.push(entry.into_path());
        }
    }
    Ok(())
}

fn has_ending(path: &Path, endings: &[&str]) -> bool {
    let ending = path.extension().and_then(OsStr::to_str);
    ending.is_some_and(|ending| {
        endings
            .iter()
            .any(|known| ending.eq_ignore_ascii_case(known))
    })
}

/// The bytes of a file, or of each file in it if it is an archive. What is packed is unpacked; how it is packed is seen by
/// how it begins, not by its name.
pub fn read_files(path: &Path) -> Result<Vec<Vec<u8>>, FilesError> {
    let failed = |error| FilesError::Io(path.to_owned(), error);
    let bytes = fs::read(path).map_err(failed)?;
    let whole = |reader: &mut dyn Read| -> Result<Vec<u8>, FilesError> {
        let mut unpacked = Vec::new();
        reader
            .take(MOST_BYTES + 1)
            .read_to_end(&mut unpacked)
            .map_err(failed)?;
        match unpacked.len() as u64 > MOST_BYTES {
            true => Err(FilesError::TooLarge(path.to_owned())),
            false => Ok(unpacked),
        }
    };
    if bytes.starts_with(b"\x1f\x8b") {
        Ok(vec![whole(&mut flate2::read::MultiGzDecoder::new(
            &bytes[..],
        ))?])
    } else if bytes.starts_with(b"\xfd7zXZ\0") {
        Ok(vec![whole(&mut lzma_rust2::XzReader::new(
            &bytes[..],
            true,
        ))?])
    } else if bytes.starts_with(b"PK\x03\x04") {
        let mut archive =
            zip::ZipArchive::new(Cursor::new(bytes)).map_err(|error| failed(error.into()))?;
        let mut files = Vec::new();
        for place in 0..archive.len() {
            let mut file = archive
                .by_index(place)
                .map_err(|error| failed(error.into()))?;
            // Whoever packed a folder may have packed a picture with it.
            let is_record = file
                .name()
                .is_ok_and(|name| has_ending(Path::new(&*name), &RECORD_ENDINGS));
            if file.is_file() && is_record {
                files.push(whole(&mut file)?);
            }
        }
        Ok(files)
    } else {
        Ok(vec![bytes])
    }
}
