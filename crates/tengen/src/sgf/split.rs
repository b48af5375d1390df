//! `tengen sgf split`: a collection as one file for each game.

use std::fs;
use std::io::{self, Write};
use std::path::PathBuf;

use anyhow::{Context, Result};
use clap::Args;
use tengen_files::write_whole;
use tengen_sgf::{Charset, printable_line};

use super::files::{self, Opened};
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
pub(crate) fn run(args: &SplitArgs, charset: Option<Charset>) -> Result<()> {
    let Opened { mut games, stem } = files::open_one(&args.file, charset)?;
    let mut count = 0;
    while let Some(record) = games.next_game()? {
        count += record.collection.roots().count();
    }
    games.rewind();
    let digits = count.to_string().len().max(3);
    let path = |game: usize| args.output.join(format!("{stem}-{game:0digits$}.sgf"));
    fs::create_dir_all(&args.output)
        .with_context(|| format!("cannot make {}", args.output.display()))?;
    let taken = (1..=count).map(path).find(|path| path.exists());
    if let Some(taken) = taken.filter(|_| !args.force) {
        let taken = taken.display();
        return Err(Usage::new(format_args!("{taken} exists already; --force replaces it")).into());
    }
    let mut out = io::stdout().lock();
    let mut game = 0;
    while let Some(record) = games.next_game()? {
        record.declare_utf8();
        for root in record.collection.roots() {
            game += 1;
            let path = path(game);
            let text = format!("{}\n", root.to_sgf());
            write_whole(&path, text.as_bytes()).context("cannot write a game")?;
            writeln!(out, "{}", printable_line(&path.to_string_lossy()))?;
        }
    }
    Ok(())
}
