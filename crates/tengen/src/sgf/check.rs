//! `tengen sgf check`: what is wrong with records.

use std::collections::BTreeMap;
use std::io::{self, Write};

use anyhow::Result;
use clap::Args;
use serde::Serialize;
use tengen_sgf::{Charset, Diagnostic, Findings, Games, Places, Severity, examine};

use super::files::{self, Input};
use crate::failure::Worst;
use crate::terminal;

/// Read, validate and replay records, and say what is wrong with them.
///
/// Every line is FILE:LINE:COLUMN: SEVERITY: MESSAGE. A warning was repaired without loss, an error by a guess or by
/// leaving something out; notes are only printed with --notes. The summary counts what was found more than once by its
/// kind, with the first of each.
#[derive(Args)]
#[command(after_long_help = "\
The exit code is 0 if there was nothing but notes, 3 for warnings, 4 for errors, 5 if a file could not be read at
all.

Examples:
  tengen sgf check game.sgf
  tengen sgf check ~/games --quiet

Fields of --json, an object for each file: file, games, nodes, moves (of the main lines), encoding, encoding_sure (in
percent; below 100 it was guessed), format, failed (null, or why the file could not be read), kinds (how many
diagnostics there are of each kind) and diagnostics (objects with severity, kind, line, column and message).")]
pub(crate) struct CheckArgs {
    /// Files, folders, patterns, or - for standard input.
    #[arg(required = true)]
    files: Vec<String>,
    /// Print notes too.
    #[arg(long)]
    notes: bool,
    /// Print at most this many lines about a file, and of one kind a quarter of them.
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
    encoding_sure: Option<u8>,
    format: Option<&'static str>,
    failed: Option<String>,
    kinds: BTreeMap<&'static str, usize>,
    diagnostics: Vec<Finding>,
}

#[derive(Serialize)]
struct Finding {
    #[serde(serialize_with = "as_text")]
    severity: Severity,
    kind: &'static str,
    line: usize,
    column: usize,
    message: String,
    /// How many more of its kind there are that are not listed.
    #[serde(skip_serializing_if = "is_zero")]
    more: usize,
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
const fn is_zero(number: &usize) -> bool {
    *number == 0
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde hands over a reference"
)]
fn as_text<S: serde::Serializer>(severity: &Severity, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(severity)
}

/// Checks all files; the exit code tells the worst of them.
pub(crate) fn run(args: &CheckArgs, charset: Option<Charset>) -> Result<()> {
    let found = files::find(&args.files)?;
    let mut out = io::stdout().lock();
    let mut total = Total {
        unreadable: found.unreadable,
        quiet: args.quiet,
        ..Total::default()
    };
    let work = |bytes| Ok(check(files::open(bytes, charset)?));
    files::for_each_record(&found.sources, work, |input, checked| {
        let checked = checked.unwrap_or_else(Checked::failed);
        total.add(input, &checked, args.notes);
        if args.json {
            let file = input.to_string();
            let report = Report {
                file,
                checked: &checked,
            };
            writeln!(out, "{}", terminal::json(&report)?)?;
        } else if !args.quiet {
            print(&mut out, input, &checked, args)?;
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

impl Checked {
    /// A file that could not be read at all.
    const fn failed(problem: String) -> Self {
        Self {
            games: 0,
            nodes: 0,
            moves: 0,
            encoding: None,
            encoding_sure: None,
            format: None,
            failed: Some(problem),
            kinds: BTreeMap::new(),
            diagnostics: Vec::new(),
        }
    }
}

fn check(mut games: Games) -> Checked {
    let mut checked = Checked {
        encoding: Some(games.encoding()),
        encoding_sure: Some(games.confidence()),
        format: Some(games.format()),
        failed: None,
        ..Checked::failed(String::new())
    };
    let mut findings = Findings::new();
    loop {
        match games.next_game() {
            Ok(Some(record)) => {
                findings.extend(std::mem::take(&mut record.diagnostics));
                checked.nodes += record.collection.node_count();
                for root in record.collection.roots() {
                    let examined = examine(root);
                    checked.games += 1;
                    checked.moves += examined.moves;
                    findings.extend(examined.diagnostics);
                }
            }
            Ok(None) => break,
            Err(problem) => {
                checked.failed = Some(problem.to_string());
                break;
            }
        }
    }
    let mut diagnostics = findings.into_vec();
    diagnostics.sort_by_key(|diagnostic| diagnostic.offset);
    for diagnostic in &diagnostics {
        *checked.kinds.entry(diagnostic.kind).or_default() += 1 + diagnostic.more as usize;
    }
    checked.diagnostics = located(games.text(), diagnostics);
    checked
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
            kind: diagnostic.kind,
            line: place.line,
            column: place.column,
            message: diagnostic.message,
            more: diagnostic.more as usize,
        }
    };
    diagnostics.into_iter().map(finding).collect()
}

fn print(
    out: &mut impl Write,
    input: &Input<'_>,
    checked: &Checked,
    args: &CheckArgs,
) -> io::Result<()> {
    if let Some(problem) = &checked.failed {
        writeln!(out, "{input}: {problem}")?;
    }
    let worth_saying = |finding: &&Finding| finding.severity > Severity::Note || args.notes;
    // One kind does not drown the others.
    let most = args.limit.div_ceil(4);
    let mut seen: BTreeMap<&str, usize> = BTreeMap::new();
    let mut unsaid: BTreeMap<&str, usize> = BTreeMap::new();
    let mut shown = 0;
    for finding in checked.diagnostics.iter().filter(worth_saying) {
        let Finding {
            severity,
            kind,
            line,
            column,
            message,
            more,
        } = finding;
        let same = seen.entry(kind).or_default();
        if *same < most && shown < args.limit {
            *same += 1;
            shown += 1;
            writeln!(out, "{input}:{line}:{column}: {severity}: {message}")?;
        } else {
            *unsaid.entry(kind).or_default() += 1;
        }
        if *more > 0 {
            *unsaid.entry(kind).or_default() += more;
        }
    }
    if unsaid.is_empty() {
        return Ok(());
    }
    let more: usize = unsaid.values().sum();
    let kinds: Vec<String> = unsaid
        .iter()
        .map(|(kind, count)| format!("{count} of {kind}"))
        .collect();
    let kinds = kinds.join(", ");
    writeln!(
        out,
        "{input}: {more} more, {kinds}; --limit sets how many are printed"
    )
}

/// Diagnostics of one kind and severity, over all files.
struct Group {
    count: usize,
    /// The first of them, with its place.
    first: String,
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
    groups: BTreeMap<(&'static str, Severity), Group>,
    /// Is the summary all that is printed?
    quiet: bool,
}

impl Total {
    fn add(&mut self, input: &Input<'_>, checked: &Checked, notes: bool) {
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
        for finding in &checked.diagnostics {
            if finding.severity == Severity::Note && !notes {
                continue;
            }
            let key = (finding.kind, finding.severity);
            let group = self.groups.entry(key).or_insert_with(|| Group {
                count: 0,
                first: format!(
                    "{input}:{}:{}: {}",
                    finding.line, finding.column, finding.message
                ),
            });
            group.count += 1 + finding.more;
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
        )?;
        // What was printed already is not worth a line more, unless there was more of it.
        let is_worth = |(_, group): &(_, &Group)| self.quiet || group.count > 1;
        let mut groups: Vec<_> = self.groups.iter().filter(is_worth).collect();
        groups.sort_by_key(|((_, severity), group)| std::cmp::Reverse((*severity, group.count)));
        for ((kind, severity), Group { count, first }) in groups {
            write!(f, "\n{count:8} {severity:7} {kind:17} {first}")?;
        }
        Ok(())
    }
}
