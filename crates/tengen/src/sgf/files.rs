//! The records that a command line names.

use std::ffi::OsStr;
use std::fmt;
use std::fs;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use anyhow::Result;
use tengen_sgf::{Mode, RECORD_ENDINGS, Record};
use walkdir::WalkDir;

use crate::failure::Usage;

/// A place that a record is read from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Source {
    Standard,
    File(PathBuf),
}

impl Source {
    fn bytes(&self) -> io::Result<Vec<u8>> {
        match self {
            Self::Standard => {
                let mut bytes = Vec::new();
                io::stdin().read_to_end(&mut bytes)?;
                Ok(bytes)
            }
            Self::File(path) => fs::read(path),
        }
    }

    /// Reads the record, or says in one line why not.
    pub(crate) fn read(&self, mode: Mode) -> Result<Record, String> {
        let bytes = self.bytes().map_err(|error| plain(&error))?;
        Record::read(bytes, mode).map_err(|error| error.to_string())
    }

    /// [`Source::read`], where a record that cannot be read is the end of the command.
    pub(crate) fn read_or_refuse(&self, mode: Mode) -> Result<Record, Usage> {
        self.read(mode)
            .map_err(|problem| Usage::new(format_args!("{self}: {problem}")))
    }

    /// The name of the file without folders and ending.
    pub(crate) fn stem(&self) -> String {
        match self {
            Self::Standard => "game".to_owned(),
            Self::File(path) => path.file_stem().map_or_else(
                || "game".to_owned(),
                |stem| stem.to_string_lossy().into_owned(),
            ),
        }
    }
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Standard => f.write_str("standard input"),
            Self::File(path) => write!(f, "{}", path.display()),
        }
    }
}

/// What went wrong without the number of the system's error.
fn plain(error: &io::Error) -> String {
    let text = error.to_string();
    match text.split_once(" (os error") {
        Some((text, _)) => text.to_lowercase(),
        None => text,
    }
}

/// The records that a command line names.
pub(crate) struct Found {
    pub(crate) sources: Vec<Source>,
    /// How many folders could not be searched; each was told on standard error.
    pub(crate) unreadable: usize,
}

/// All records that the arguments name. A folder that cannot be searched is a line on standard error.
pub(crate) fn find(arguments: &[String]) -> Result<Found> {
    let mut sources = Vec::new();
    let mut problems = Vec::new();
    for argument in arguments {
        find_into(argument, &mut sources, &mut problems)?;
    }
    for problem in &problems {
        writeln!(io::stderr(), "tengen: {problem}")?;
    }
    Ok(Found {
        sources,
        unreadable: problems.len(),
    })
}

/// The records that one argument names, and what could not be searched.
fn find_into(argument: &str, sources: &mut Vec<Source>, problems: &mut Vec<String>) -> Result<()> {
    let path = Path::new(argument);
    if argument == "-" {
        sources.push(Source::Standard);
    } else if path.is_dir() {
        search(path, sources, problems);
    } else if path.exists() || !argument.contains(['*', '?', '[']) {
        sources.push(Source::File(path.to_owned()));
    } else {
        let before = sources.len();
        let matches = glob::glob(argument)
            .map_err(|error| Usage::new(format_args!("{argument}: {error}")))?;
        for entry in matches {
            match entry {
                Ok(path) if path.is_dir() => search(&path, sources, problems),
                Ok(path) => sources.push(Source::File(path)),
                Err(error) => problems.push(format!(
                    "{}: {}",
                    error.path().display(),
                    plain(error.error())
                )),
            }
        }
        if sources.len() == before && problems.is_empty() {
            return Err(Usage::new(format_args!("{argument}: no file matches")).into());
        }
    }
    Ok(())
}

/// The single record that an argument names.
pub(crate) fn find_one(argument: &str) -> Result<Source> {
    let (mut sources, mut problems) = (Vec::new(), Vec::new());
    find_into(argument, &mut sources, &mut problems)?;
    if let Some(problem) = problems.pop() {
        return Err(Usage::new(problem).into());
    }
    match (sources.pop(), sources.len()) {
        (Some(source), 0) => Ok(source),
        (None, _) => Err(Usage::new(format_args!("{argument}: no record in this folder")).into()),
        (_, others) => {
            let count = others + 1;
            Err(Usage::new(format_args!(
                "{argument}: {count} records, where one is needed"
            ))
            .into())
        }
    }
}

/// The records in a folder and the folders in it, by name.
fn search(folder: &Path, sources: &mut Vec<Source>, problems: &mut Vec<String>) {
    for entry in WalkDir::new(folder).sort_by_file_name() {
        match entry {
            Ok(entry) if entry.file_type().is_file() && is_record(entry.path()) => {
                sources.push(Source::File(entry.into_path()));
            }
            Ok(_) => {}
            Err(error) => {
                let place = error.path().unwrap_or(folder).display().to_string();
                let reason = error.io_error().map_or_else(|| error.to_string(), plain);
                problems.push(format!("{place}: {reason}"));
            }
        }
    }
}

fn is_record(path: &Path) -> bool {
    let ending = path.extension().and_then(OsStr::to_str);
    ending.is_some_and(|ending| {
        RECORD_ENDINGS
            .iter()
            .any(|known| ending.eq_ignore_ascii_case(known))
    })
}
