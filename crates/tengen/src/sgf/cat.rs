//! `tengen sgf cat`: many records as one collection.

use std::io::{self, Write};

use anyhow::Result;
use clap::Args;
use tengen_sgf::Charset;

use super::files;
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
pub(crate) fn run(args: &CatArgs, charset: Option<Charset>) -> Result<()> {
    let found = files::find(&args.files)?;
    let mut failed = found.unreadable;
    let mut out = io::stdout().lock();
    let work = |bytes| {
        let mut games = files::open(bytes, charset)?;
        let mut text = String::new();
        while let Some(record) = games.next_game().map_err(|error| error.to_string())? {
            record.declare_utf8();
            text.push_str(&record.collection.to_string());
            text.push('\n');
        }
        Ok(text)
    };
    files::for_each_record(&found.sources, work, |input, text| {
        match text {
            Ok(text) => out.write_all(text.as_bytes())?,
            Err(problem) => {
                failed += 1;
                writeln!(io::stderr(), "tengen: {input}: {problem}")?;
            }
        }
        Ok(())
    })?;
    if failed > 0 {
        return Err(Worst::Unreadable.into());
    }
    Ok(())
}
