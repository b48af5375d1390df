//! The records that a command line names.

use std::fmt;
use std::io::{self, Read, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use anyhow::Result;
use tengen_sgf::{
    Charset, FileVisitor, FilesError, Games, Mode, printable_line, search_files, visit_bytes,
    visit_files,
};

use super::pool;
use crate::failure::Usage;

/// A place that records are read from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Source {
    Standard,
    File(PathBuf),
}

impl Source {
    /// Reads the record that it is or, if it is an archive, all records in it.
    fn visit(&self, visit: &mut FileVisitor<'_>) -> Result<(), String> {
        let visited = match self {
            Self::Standard => {
                let mut bytes = Vec::new();
                io::stdin()
                    .read_to_end(&mut bytes)
                    .map_err(|error| FilesError::Io(PathBuf::new(), error))
                    .and_then(|_| visit_bytes(Path::new(""), bytes, visit))
            }
            Self::File(path) => visit_files(path, visit),
        };
        visited.map_err(|error| error.reason())
    }

    /// The name of the file without folders and ending.
    fn stem(&self) -> String {
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
            Self::File(path) => f.write_str(&printable_line(&path.to_string_lossy())),
        }
    }
}

/// A record of a source: a file, or one of an archive.
pub(crate) struct Input<'a> {
    pub(crate) source: &'a Source,
    /// The name in the archive, if it is in one.
    inner: Option<String>,
}

impl Input<'_> {
    /// Is it in an archive?
    pub(crate) const fn is_packed(&self) -> bool {
        self.inner.is_some()
    }

    /// The name of the file, or of the one in the archive, without folders and endings.
    pub(crate) fn stem(&self) -> String {
        match &self.inner {
            None => self.source.stem(),
            Some(inner) => Source::File(PathBuf::from(inner)).stem(),
        }
    }
}

impl fmt::Display for Input<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.inner {
            Some(inner) => write!(f, "{}/{}", self.source, printable_line(inner)),
            None => write!(f, "{}", self.source),
        }
    }
}

/// Goes to the first game of a record, in the encoding that was chosen or else in its own.
pub(crate) fn open(bytes: Vec<u8>, charset: Option<Charset>) -> Result<Games, String> {
    Games::read(bytes, charset, Mode::Lenient).map_err(|error| error.to_string())
}

/// Does the work for the bytes of every record on all processors, and hands the results on in the order of the sources.
pub(crate) fn for_each_record<T: Send>(
    sources: &[Source],
    work: impl Fn(Vec<u8>) -> Result<T, String> + Sync,
    mut take: impl FnMut(&Input<'_>, Result<T, String>) -> Result<()>,
) -> Result<()> {
    let read = |source: &Source| {
        let mut results = Vec::new();
        let visited = source.visit(&mut |inner, bytes| {
            results.push((inner.map(str::to_owned), work(bytes)));
            ControlFlow::Continue(())
        });
        match visited {
            Err(problem) => results.push((None, Err(problem))),
            Ok(()) if results.is_empty() => {
                results.push((None, Err("no record in this archive".to_owned())));
            }
            Ok(()) => {}
        }
        results
    };
    pool::for_each(sources, read, |source, results| {
        for (inner, result) in results {
            take(&Input { source, inner }, result)?;
        }
        Ok(())
    })
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
    let mut unreadable = 0;
    for argument in arguments {
        for problem in find_into(argument, &mut sources)? {
            unreadable += 1;
            let problem = problem.to_string();
            writeln!(io::stderr(), "tengen: {}", printable_line(&problem))?;
        }
    }
    Ok(Found {
        sources,
        unreadable,
    })
}

/// Adds the records that one argument names, and returns what could not be searched.
fn find_into(argument: &str, sources: &mut Vec<Source>) -> Result<Vec<FilesError>> {
    let path = Path::new(argument);
    if argument == "-" {
        sources.push(Source::Standard);
        return Ok(Vec::new());
    }
    if !path.is_dir() && (path.exists() || !argument.contains(['*', '?', '['])) {
        // One that does not exist is told when it is read.
        sources.push(Source::File(path.to_owned()));
        return Ok(Vec::new());
    }
    let found = search_files(argument).map_err(Usage::new)?;
    if !path.is_dir() && found.files.is_empty() && found.problems.is_empty() {
        return Err(Usage::new(format_args!("{argument}: no file matches")).into());
    }
    sources.extend(found.files.into_iter().map(Source::File));
    Ok(found.problems)
}

/// A record that was opened.
pub(crate) struct Opened {
    pub(crate) games: Games,
    /// The name of the file without folders and ending.
    pub(crate) stem: String,
}

/// Opens the single record that an argument names.
pub(crate) fn open_one(argument: &str, charset: Option<Charset>) -> Result<Opened> {
    let mut sources = Vec::new();
    if let Some(problem) = find_into(argument, &mut sources)?.pop() {
        return Err(Usage::new(problem).into());
    }
    let too_many = |count: usize| {
        Usage::new(format_args!(
            "{argument}: {count} records, where one is needed"
        ))
    };
    let source = match (sources.pop(), sources.len()) {
        (Some(source), 0) => source,
        (None, _) => {
            return Err(Usage::new(format_args!("{argument}: no record in this folder")).into());
        }
        (_, others) => return Err(too_many(others + 1).into()),
    };
    let wrong = |problem: String| Usage::new(format_args!("{source}: {problem}"));
    let (mut first, mut count) = (None, 0);
    source
        .visit(&mut |_, bytes| {
            count += 1;
            first.get_or_insert(bytes);
            ControlFlow::Continue(())
        })
        .map_err(wrong)?;
    match (first, count) {
        (Some(bytes), 1) => Ok(Opened {
            games: open(bytes, charset).map_err(wrong)?,
            stem: source.stem(),
        }),
        (None, _) => Err(wrong("no record in this archive".to_owned()).into()),
        (Some(_), count) => Err(too_many(count).into()),
    }
}
