//! `tengen sgf split`: a collection as one file for each game.

use std::fs;
use std::io::{self, Write};
use std::path::PathBuf;

use anyhow::{Context, Result};
use clap::Args;
use tengen_sgf::Mode;

use super::files;
use crate::failure::Usage;

/// Write every game of a collection into a file of its own, in UTF-8.
///
/// The files are named after the collection: games.sgf becomes games-001.sgf, games-002.sgf and so on.
#[derive(Args)]
pub(crate) struct SplitArgs {
    /// A record, or - for standard input.
    file: String,
    /// The folder for the files, made if it does not exist.
    #[arg(long, short, default_value = ".", value_name = "FOLDER")]
    output: PathBuf,
    /// Replace files that exist.
    #[arg(long)]
    force: bool,
}

/// Writes the files and prints their names.
pub(crate) fn run(args: &SplitArgs) -> Result<()> {
    let source = files::find_one(&args.file)?;
    let collection = source.read_or_refuse(Mode::Lenient)?.into_utf8();
    let games = collection.roots().count();
    let digits = games.to_string().len().max(3);
    let stem = source.stem();
    let path = |game: usize| args.output.join(format!("{stem}-{game:0digits$}.sgf"));
    fs::create_dir_all(&args.output)
        .with_context(|| format!("cannot make {}", args.output.display()))?;
    let taken = (1..=games).map(path).find(|path| path.exists());
    if let Some(taken) = taken.filter(|_| !args.force) {
        let taken = taken.display();
        return Err(Usage::new(format_args!("{taken} exists already; --force replaces it")).into());
    }
    let mut out = io::stdout().lock();
    for (root, game) in collection.roots().zip(1..) {
        let path = path(game);
        let text = format!("{}\n", root.to_sgf());
        fs::write(&path, text).with_context(|| format!("cannot write {}", path.display()))?;
        writeln!(out, "{}", path.display())?;
    }
    Ok(())
}
