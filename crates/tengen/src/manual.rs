//! `tengen manual`: the pages that `man` shows, made from what `--help` says.

use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result};
use clap::{Args, CommandFactory};

use crate::Cli;

/// Write a page for `man` for each command, for those who pack this program.
#[derive(Args)]
pub(crate) struct ManualArgs {
    /// The folder for the pages, which is made if it is not there.
    folder: PathBuf,
}

pub(crate) fn run(args: &ManualArgs) -> Result<()> {
    let folder = &args.folder;
    let cannot_write = || format!("cannot write to {}", folder.display());
    fs::create_dir_all(folder).with_context(cannot_write)?;
    // `help` would have a page for each command once more.
    let command = Cli::command().disable_help_subcommand(true);
    clap_mangen::generate_to(command, folder).with_context(cannot_write)
}
