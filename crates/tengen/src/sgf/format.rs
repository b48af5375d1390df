//! `tengen sgf format`: canonical SGF.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anyhow::Result;
use clap::Args;
use tengen_files::write_whole;
use tengen_sgf::{Charset, PACKED_ENDINGS, printable_line};

use super::files::{self, Input, Source};
use crate::failure::{Usage, Worst};

/// Write records as canonical `FF[4]` in UTF-8.
///
/// GIB, NGF and UGF files become SGF. What is not understood is kept as it was.
#[derive(Args)]
#[command(after_long_help = "\
Examples:
  tengen sgf format game.gib > game.sgf
  tengen sgf format --in-place ~/games
  tengen sgf format --check ~/games     (exit code 3 if a file is not canonical)")]
pub(crate) struct FormatArgs {
    /// Files, folders, patterns, or - for standard input.
    #[arg(required = true)]
    files: Vec<String>,
    /// Write each SGF file anew instead of printing it; other formats get a file ending in .sgf beside them, unless
    /// there is one.
    #[arg(long, conflicts_with = "check")]
    in_place: bool,
    /// Only say which files are not canonical.
    #[arg(long)]
    check: bool,
}

/// A record in canonical form.
struct Formatted {
    text: String,
    /// Was it so already?
    is_same: bool,
}

/// Formats all files.
pub(crate) fn run(args: &FormatArgs, charset: Option<Charset>) -> Result<()> {
    let found = files::find(&args.files)?;
    let mut unreadable = found.unreadable;
    let mut changed = 0;
    let mut out = io::stdout().lock();
    let work = |bytes: Vec<u8>| {
        let before = (args.check || args.in_place).then(|| bytes.clone());
        let mut games = files::open(bytes, charset)?;
        let mut text = String::new();
        while let Some(record) = games.next_game().map_err(|error| error.to_string())? {
            text.push_str(&record.collection.to_canonical());
        }
        let is_same = before.is_some_and(|before| before == text.as_bytes());
        Ok(Formatted { text, is_same })
    };
    files::for_each_record(&found.sources, work, |input, formatted| {
        let Formatted { text, is_same } = match formatted {
            Ok(formatted) => formatted,
            Err(problem) => {
                unreadable += 1;
                writeln!(io::stderr(), "tengen: {input}: {problem}")?;
                return Ok(());
            }
        };
        match input.source {
            Source::File(path) if args.in_place && !is_packed(path, input) => {
                // What is as it should be stays the same file.
                if !is_same && let Err(other) = rewrite(path, &text)? {
                    unreadable += 1;
                    let other = printable_line(&other.to_string_lossy()).into_owned();
                    writeln!(io::stderr(), "tengen: {input}: {other} is another record")?;
                }
            }
            source if args.in_place => {
                let what = match source {
                    Source::Standard => "standard input".to_owned(),
                    Source::File(_) => format!("{input}: what is packed"),
                };
                return Err(Usage::new(format_args!("{what} cannot be formatted in place")).into());
            }
            _ if args.check => {
                if !is_same {
                    changed += 1;
                    writeln!(out, "{input}")?;
                }
            }
            _ => out.write_all(text.as_bytes())?,
        }
        Ok(())
    })?;
    match (unreadable, changed) {
        (0, 0) => Ok(()),
        (0, _) => Err(Worst::Warnings.into()),
        _ => Err(Worst::Unreadable.into()),
    }
}

/// Would a file hold something else than it did, if a record took its place?
fn is_packed(path: &Path, input: &Input<'_>) -> bool {
    let ending = path
        .extension()
        .map(|ending| ending.to_string_lossy().to_lowercase());
    let is_known = ending.is_some_and(|ending| PACKED_ENDINGS.contains(&ending.as_str()));
    input.is_packed() || is_known
}

/// Writes a record into its own file if that is SGF, otherwise into one beside it, unless there is one with something
/// else in it. That is the error.
fn rewrite(path: &Path, text: &str) -> Result<std::result::Result<(), PathBuf>> {
    // A link goes on leading to its file, and what is new is beside that.
    let path = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let is_sgf = path
        .extension()
        .is_some_and(|ending| ending.eq_ignore_ascii_case("sgf"));
    let target = match is_sgf {
        true => path,
        false => path.with_extension("sgf"),
    };
    if !is_sgf && target.exists() {
        return Ok(match fs::read(&target) {
            Ok(there) if there == text.as_bytes() => Ok(()),
            _ => Err(target),
        });
    }
    write_whole(&target, text.as_bytes())?;
    Ok(Ok(()))
}
