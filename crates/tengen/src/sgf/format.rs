//! `tengen sgf format`: canonical SGF.

use std::fs;
use std::io::{self, Write};
use std::path::Path;

use anyhow::{Context, Result};
use clap::Args;
use tengen_sgf::Mode;

use super::files::{self, Source};
use super::pool;
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
    /// Write each SGF file anew instead of printing it; other formats get a file ending in .sgf beside them.
    #[arg(long, conflicts_with = "check")]
    in_place: bool,
    /// Only say which files are not canonical.
    #[arg(long)]
    check: bool,
}

/// Formats all files.
pub(crate) fn run(args: &FormatArgs) -> Result<()> {
    let found = files::find(&args.files)?;
    let mut unreadable = found.unreadable;
    let mut changed = 0;
    let mut out = io::stdout().lock();
    let work = |source: &Source| {
        let record = source.read(Mode::Lenient)?;
        Ok::<_, String>(record.collection.to_canonical())
    };
    pool::for_each(&found.sources, work, |source, formatted| {
        let text = match formatted {
            Ok(text) => text,
            Err(problem) => {
                unreadable += 1;
                writeln!(io::stderr(), "tengen: {source}: {problem}")?;
                return Ok(());
            }
        };
        match source {
            Source::File(path) if args.in_place => rewrite(path, &text)?,
            Source::Standard if args.in_place => {
                return Err(Usage::new("standard input cannot be formatted in place").into());
            }
            Source::File(path) if args.check => {
                if fs::read(path)? != text.as_bytes() {
                    changed += 1;
                    writeln!(out, "{source}")?;
                }
            }
            Source::File(_) | Source::Standard => out.write_all(text.as_bytes())?,
        }
        Ok(())
    })?;
    match (unreadable, changed) {
        (0, 0) => Ok(()),
        (0, _) => Err(Worst::Warnings.into()),
        _ => Err(Worst::Unreadable.into()),
    }
}

/// Replaces a file in one step, so that a crash leaves the old one or the new one.
fn rewrite(path: &Path, text: &str) -> Result<()> {
    let target = path.with_extension("sgf");
    let temporary = path.with_extension("sgf.tmp");
    fs::write(&temporary, text).with_context(|| format!("cannot write {}", temporary.display()))?;
    fs::rename(&temporary, &target).with_context(|| format!("cannot write {}", target.display()))
}
