//! `tengen sgf check`: what is wrong with records.

use std::io::{self, Write};

use anyhow::Result;
use clap::Args;
use serde::Serialize;
use tengen_sgf::{Diagnostic, Mode, Places, Record, Replay, Severity, validate};

use super::files::{self, Source};
use super::pool;
use crate::failure::Worst;

/// Read, validate and replay records, and say what is wrong with them.
///
/// Every line is FILE:LINE:COLUMN: SEVERITY: MESSAGE. A warning was repaired without loss, an error by a guess or by
/// leaving something out; notes are only printed with --notes.
#[derive(Args)]
#[command(after_long_help = "\
The exit code is 0 if there was nothing but notes, 3 for warnings, 4 for errors, 5 if a file could not be read at
all.

Examples:
  tengen sgf check game.sgf
  tengen sgf check ~/games --quiet

Fields of --json, an object for each file: file, games, nodes, moves (of the main lines), encoding, format, failed
(null, or why the file could not be read) and diagnostics (objects with severity, line, column and message).")]
pub(crate) struct CheckArgs {
    /// Files, folders, patterns, or - for standard input.
    #[arg(required = true)]
    files: Vec<String>,
    /// Print notes too.
    #[arg(long)]
    notes: bool,
    /// Print at most this many lines about a file.
    #[arg(long, default_value_t = 20, value_name = "LINES")]
    limit: usize,
    /// Print only the summary.
    #[arg(long, short, conflicts_with = "json")]
    quiet: bool,
    /// Print a JSON object for each file.
    #[arg(long)]
    json: bool,
}

/// What there is to say about one file.
#[derive(Serialize)]
struct Checked {
    games: usize,
    nodes: usize,
    moves: usize,
    encoding: Option<&'static str>,
    format: Option<&'static str>,
    failed: Option<String>,
    diagnostics: Vec<Finding>,
}

#[derive(Serialize)]
struct Finding {
    #[serde(serialize_with = "as_text")]
    severity: Severity,
    line: usize,
    column: usize,
    message: String,
}

#[derive(Serialize)]
struct Report<'a> {
    file: String,
    #[serde(flatten)]
    checked: &'a Checked,
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde hands over a reference"
)]
fn as_text<S: serde::Serializer>(severity: &Severity, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(severity)
}

/// Checks all files; the exit code tells the worst of them.
pub(crate) fn run(args: &CheckArgs) -> Result<()> {
    let found = files::find(&args.files)?;
    let mut out = io::stdout().lock();
    let mut total = Total {
        unreadable: found.unreadable,
        ..Total::default()
    };
    pool::for_each(&found.sources, check, |source, checked| {
        total.add(&checked);
        if args.json {
            let file = source.to_string();
            let report = Report {
                file,
                checked: &checked,
            };
            writeln!(out, "{}", serde_json::to_string(&report)?)?;
        } else if !args.quiet {
            print(&mut out, source, &checked, args)?;
        }
        Ok(())
    })?;
    if !args.json {
        writeln!(out, "{total}")?;
    }
    match total.worst() {
        Some(worst) => Err(worst.into()),
        None => Ok(()),
    }
}

fn check(source: &Source) -> Checked {
    match source.read(Mode::Lenient) {
        Ok(record) => check_record(&record),
        Err(problem) => Checked {
            games: 0,
            nodes: 0,
            moves: 0,
            encoding: None,
            format: None,
            failed: Some(problem),
            diagnostics: Vec::new(),
        },
    }
}

fn check_record(record: &Record) -> Checked {
    let collection = &record.collection;
    let mut diagnostics = record.diagnostics.clone();
    let mut moves = 0;
    for root in collection.roots().filter(|root| root.is_go()) {
        diagnostics.extend(validate(root));
        match Replay::main_line(root, Mode::Lenient) {
            Ok(replay) => {
                moves += replay.moves();
                diagnostics.extend_from_slice(replay.diagnostics());
            }
            Err(problem) => diagnostics.push(problem),
        }
    }
    diagnostics.sort_by_key(|diagnostic| diagnostic.offset);
    Checked {
        games: collection.roots().count(),
        nodes: collection.node_count(),
        moves,
        encoding: Some(record.encoding),
        format: Some(record.format()),
        failed: None,
        diagnostics: located(collection.text(), diagnostics),
    }
}

/// Gives every diagnostic its line and column; the text is searched for lines only if there is any.
fn located(text: &str, diagnostics: Vec<Diagnostic>) -> Vec<Finding> {
    if diagnostics.is_empty() {
        return Vec::new();
    }
    let places = Places::new(text);
    let finding = |diagnostic: Diagnostic| {
        let place = places.at(diagnostic.offset);
        Finding {
            severity: diagnostic.severity,
            line: place.line,
            column: place.column,
            message: diagnostic.message,
        }
    };
    diagnostics.into_iter().map(finding).collect()
}

fn print(
    out: &mut impl Write,
    source: &Source,
    checked: &Checked,
    args: &CheckArgs,
) -> io::Result<()> {
    if let Some(problem) = &checked.failed {
        writeln!(out, "{source}: {problem}")?;
    }
    let worth_saying = |finding: &&Finding| finding.severity > Severity::Note || args.notes;
    let findings: Vec<&Finding> = checked.diagnostics.iter().filter(worth_saying).collect();
    let shown = findings.len().min(args.limit);
    for finding in &findings[..shown] {
        let Finding {
            severity,
            line,
            column,
            message,
        } = finding;
        writeln!(out, "{source}:{line}:{column}: {severity}: {message}")?;
    }
    match findings.len() - shown {
        0 => Ok(()),
        more => writeln!(
            out,
            "{source}: {more} more; --limit sets how many are printed"
        ),
    }
}

/// The sum over all files.
#[derive(Default)]
struct Total {
    files: usize,
    games: usize,
    moves: usize,
    with_warnings: usize,
    with_errors: usize,
    unreadable: usize,
}

impl Total {
    fn add(&mut self, checked: &Checked) {
        self.files += 1;
        self.games += checked.games;
        self.moves += checked.moves;
        self.unreadable += usize::from(checked.failed.is_some());
        match checked
            .diagnostics
            .iter()
            .map(|finding| finding.severity)
            .max()
        {
            Some(Severity::Error) => self.with_errors += 1,
            Some(Severity::Warning) => self.with_warnings += 1,
            Some(Severity::Note) | None => {}
        }
    }

    fn worst(&self) -> Option<Worst> {
        if self.unreadable > 0 {
            Some(Worst::Unreadable)
        } else if self.with_errors > 0 {
            Some(Worst::Errors)
        } else if self.with_warnings > 0 {
            Some(Worst::Warnings)
        } else {
            None
        }
    }
}

impl std::fmt::Display for Total {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let count = |number: usize, one: &str, many: &str| match number {
            1 => format!("1 {one}"),
            _ => format!("{number} {many}"),
        };
        write!(
            f,
            "{}, {}, {}: {} with errors, {} with warnings, {} unreadable",
            count(self.files, "file", "files"),
            count(self.games, "game", "games"),
            count(self.moves, "move", "moves"),
            self.with_errors,
            self.with_warnings,
            self.unreadable
        )
    }
}
