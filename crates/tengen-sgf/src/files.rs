//! Files of records as people have them: single, in folders, compressed, in archives.

use std::collections::HashSet;
use std::ffi::OsStr;
use std::fmt;
use std::fs::File;
use std::io::{self, BufReader, Cursor, Read, Seek};
use std::ops::ControlFlow;
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
    /// A file unpacks to more than these bytes.
    TooLarge(PathBuf, u64),
}

impl FilesError {
    /// What went wrong, without the name of the file and the number of the system's error.
    pub fn reason(&self) -> String {
        match self {
            Self::Io(_, error) => {
                let text = error.to_string();
                match text.split_once(" (os error") {
                    Some((text, _)) => text.to_lowercase(),
                    None => text,
                }
            }
            Self::Pattern(_, error) => error.to_string(),
            Self::Nothing(_) => "no such file of records".to_owned(),
            Self::TooLarge(_, most) => format!("it unpacks to more than {most} bytes"),
        }
    }
}

impl fmt::Display for FilesError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let reason = self.reason();
        match self {
            Self::Io(path, _) | Self::TooLarge(path, _) => {
                write!(f, "{}: {reason}", path.display())
            }
            Self::Pattern(name, _) | Self::Nothing(name) => write!(f, "{name}: {reason}"),
        }
    }
}

impl std::error::Error for FilesError {}

/// The files that a name means.
#[derive(Debug, Default)]
pub struct FoundFiles {
    /// The files, in the order of their names.
    pub files: Vec<PathBuf>,
    /// What could not be searched.
    pub problems: Vec<FilesError>,
}

/// The files that a name means: itself, all records in a folder and those in it, or all that match a pattern such as
/// `games/*.sgf.xz`. They come in the order of their names. A folder that cannot be searched is an error.
pub fn find_files(name: &str) -> Result<Vec<PathBuf>, FilesError> {
    let found = search_files(name)?;
    match found.problems.into_iter().next() {
        Some(problem) => Err(problem),
        None if found.files.is_empty() => Err(FilesError::Nothing(name.to_owned())),
        None => Ok(found.files),
    }
}

/// [`find_files`], where what cannot be searched is told beside what was found.
pub fn search_files(name: &str) -> Result<FoundFiles, FilesError> {
    let path = Path::new(name);
    let mut found = FoundFiles::default();
    if path.is_dir() {
        found.search(path);
    } else if path.exists() {
        found.files.push(path.to_owned());
    } else {
        let pattern = |error| FilesError::Pattern(name.to_owned(), error);
        for entry in glob::glob(name).map_err(pattern)? {
            match entry {
                Ok(path) if path.is_dir() => found.search(&path),
                Ok(path) => found.files.push(path),
                Err(error) => {
                    let path = error.path().to_owned();
                    found.problems.push(FilesError::Io(path, error.into()));
                }
            }
        }
    }
    Ok(found)
}

impl FoundFiles {
    /// Adds the records in a folder and the folders in it. Links are followed; a file that is reached in several ways
    /// is found once.
    fn search(&mut self, folder: &Path) {
        let mut real = HashSet::new();
        let mut through_links = false;
        let first = self.files.len();
        for entry in WalkDir::new(folder).follow_links(true).sort_by_file_name() {
            match entry {
                Ok(entry) => {
                    through_links |= entry.path_is_symlink();
                    let path = entry.path();
                    let wanted =
                        has_ending(path, &RECORD_ENDINGS) || has_ending(path, &PACKED_ENDINGS);
                    if wanted && path.is_file() {
                        self.files.push(entry.into_path());
                    }
                }
                // A folder in itself has been searched already.
                Err(error) if error.loop_ancestor().is_some() => through_links = true,
                Err(error) => {
                    let path = error.path().unwrap_or(folder).to_owned();
                    self.problems.push(FilesError::Io(path, error.into()));
                }
            }
        }
        if through_links {
            let found = self.files.split_off(first);
            let is_new = |path: &PathBuf| real.insert(path.canonicalize().unwrap_or(path.clone()));
            self.files.extend(found.into_iter().filter(is_new));
        }
    }
}

fn has_ending(path: &Path, endings: &[&str]) -> bool {
    let ending = path.extension().and_then(OsStr::to_str);
    ending.is_some_and(|ending| {
        endings
            .iter()
            .any(|known| ending.eq_ignore_ascii_case(known))
    })
}

/// The bytes of a file, or of each file in it if it is an archive. What is packed is unpacked; how it is packed is seen
/// by how it begins, not by its name.
pub fn read_files(path: &Path) -> Result<Vec<Vec<u8>>, FilesError> {
    let mut files = Vec::new();
    visit_files(path, &mut |_, bytes| {
        files.push(bytes);
        ControlFlow::Continue(())
    })?;
    Ok(files)
}

/// Takes the bytes of a file, and its name in the archive if it was in one. It says whether it wants more.
pub type FileVisitor<'a> = dyn FnMut(Option<&str>, Vec<u8>) -> ControlFlow<()> + 'a;

/// [`read_files`], one file of an archive after the other, so that never two of them are in memory.
pub fn visit_files(path: &Path, visit: &mut FileVisitor<'_>) -> Result<(), FilesError> {
    let file = File::open(path).map_err(|error| FilesError::Io(path.to_owned(), error))?;
    visit_source(path, file, visit)
}

/// [`visit_files`] for bytes that are in memory already; `name` is what errors call them.
pub fn visit_bytes(
    name: &Path,
    bytes: Vec<u8>,
    visit: &mut FileVisitor<'_>,
) -> Result<(), FilesError> {
    visit_bytes_within(name, bytes, MOST_BYTES, visit)
}

/// [`visit_bytes`] for what others have sent: no file in it may unpack to more than so many bytes.
pub fn visit_bytes_within(
    name: &Path,
    bytes: Vec<u8>,
    most: u64,
    visit: &mut FileVisitor<'_>,
) -> Result<(), FilesError> {
    match packing(&bytes) {
        Some(packing) => unpack(name, Cursor::new(bytes), (packing, most), visit),
        None => {
            let _ = visit(None, bytes);
            Ok(())
        }
    }
}

/// How something is packed.
#[derive(Clone, Copy)]
enum Packing {
    Gzip,
    Xz,
    Zip,
}

fn packing(start: &[u8]) -> Option<Packing> {
    [
        (&b"\x1f\x8b"[..], Packing::Gzip),
        (b"\xfd7zXZ\0", Packing::Xz),
        (b"PK\x03\x04", Packing::Zip),
        // An archive of nothing.
        (b"PK\x05\x06", Packing::Zip),
    ]
    .into_iter()
    .find_map(|(magic, packing)| start.starts_with(magic).then_some(packing))
}

fn visit_source(
    path: &Path,
    mut source: impl Read + Seek,
    visit: &mut FileVisitor<'_>,
) -> Result<(), FilesError> {
    let failed = |error| FilesError::Io(path.to_owned(), error);
    let mut start = Vec::new();
    source
        .by_ref()
        .take(6)
        .read_to_end(&mut start)
        .map_err(failed)?;
    let packing = packing(&start);
    // A pipe cannot go back.
    let went_back = source.rewind().is_ok();
    let Some(packing) = packing else {
        let mut bytes = if went_back { Vec::new() } else { start };
        source.read_to_end(&mut bytes).map_err(failed)?;
        let _ = visit(None, bytes);
        return Ok(());
    };
    if !went_back {
        source.read_to_end(&mut start).map_err(failed)?;
        return unpack(path, Cursor::new(start), (packing, MOST_BYTES), visit);
    }
    unpack(path, source, (packing, MOST_BYTES), visit)
}

fn unpack(
    path: &Path,
    source: impl Read + Seek,
    (packing, most): (Packing, u64),
    visit: &mut FileVisitor<'_>,
) -> Result<(), FilesError> {
    let failed = |error| FilesError::Io(path.to_owned(), error);
    let whole = |reader: &mut dyn Read| -> Result<Vec<u8>, FilesError> {
        let mut unpacked = Vec::new();
        reader
            .take(most + 1)
            .read_to_end(&mut unpacked)
            .map_err(failed)?;
        match unpacked.len() as u64 > most {
            true => Err(FilesError::TooLarge(path.to_owned(), most)),
            false => Ok(unpacked),
        }
    };
    let source = BufReader::new(source);
    match packing {
        Packing::Gzip => {
            let _ = visit(None, whole(&mut flate2::read::MultiGzDecoder::new(source))?);
        }
        Packing::Xz => {
            let _ = visit(None, whole(&mut lzma_rust2::XzReader::new(source, true))?);
        }
        Packing::Zip => {
            let mut archive = zip::ZipArchive::new(source).map_err(|error| failed(error.into()))?;
            for place in 0..archive.len() {
                let mut file = archive
                    .by_index(place)
                    .map_err(|error| failed(error.into()))?;
                if !file.is_file() {
                    continue;
                }
                let name = file.name().map(|name| name.to_string()).unwrap_or_default();
                let bytes = match has_ending(Path::new(&name), &RECORD_ENDINGS) {
                    true => whole(&mut file)?,
                    // Whoever packed a folder may have packed a picture with it, or games under any name.
                    false => {
                        let mut start = Vec::new();
                        file.by_ref()
                            .take(1 << 10)
                            .read_to_end(&mut start)
                            .map_err(failed)?;
                        if !begins_like_a_record(&start) {
                            continue;
                        }
                        whole(&mut Cursor::new(start).chain(file))?
                    }
                };
                if visit(Some(&name), bytes).is_break() {
                    break;
                }
            }
        }
    }
    Ok(())
}

/// Does a text begin with a game, or with a line of an id and moves?
fn begins_like_a_record(start: &[u8]) -> bool {
    let start = start.strip_prefix(b"\xef\xbb\xbf").unwrap_or(start);
    let start = start.trim_ascii_start();
    let is_game = |text: &[u8]| {
        let behind = text.strip_prefix(b"(").map(<[u8]>::trim_ascii_start);
        behind.is_some_and(|text| text.starts_with(b";"))
    };
    let line = start
        .split(|byte| *byte == b'\n')
        .next()
        .unwrap_or_default();
    let tab = line.iter().position(|byte| *byte == b'\t');
    let moves = tab.map(|tab| line[tab + 1..].trim_ascii_start());
    is_game(start)
        || moves.is_some_and(|moves| {
            is_game(moves)
                || [&b";"[..], b"B[", b"W["]
                    .iter()
                    .any(|s| moves.starts_with(s))
        })
}
