//! `tengen sgf cat`: many records as one collection.

use std::io::{self, Write};

use anyhow::Result;
use clap::Args;
use tengen_sgf::Mode;

use super::files::{self, Source};
use super::pool;
use crate::failure::Worst;

/// Write all games of all files as one collection, each value as it was, in UTF-8.
#[derive(Args)]
#[command(after_long_help = "\
Example:
  tengen sgf cat ~/games > all.sgf")]
pub(crate) struct CatArgs {
    /// Files, folders, patterns, or - for standard input.
    #[arg(required = true)]
    files: Vec<String>,
}

/// Prints the collection.
pub(crate) fn run(args: &CatArgs) -> Result<()> {
    let found = files::find(&args.files)?;
    let mut failed = found.unreadable;
    let mut out = io::stdout().lock();
    let work =
        |source: &Source| Ok::<_, String>(source.read(Mode::Lenient)?.into_utf8().to_string());
    pool::for_each(&found.sources, work, |source, text| {
        match text {
            Ok(text) => writeln!(out, "{text}")?,
            Err(problem) => {
                failed += 1;
                writeln!(io::stderr(), "tengen: {source}: {problem}")?;
            }
        }
        Ok(())
    })?;
    if failed > 0 {
        return Err(Worst::Unreadable.into());
    }
    Ok(())
}
