//! `tengen completions`: what a shell needs to complete the words of a command line.

use std::io;

use anyhow::Result;
use clap::{Args, CommandFactory};
use clap_complete::Shell;

use crate::Cli;

/// Print what lets a shell complete this command's words.
#[derive(Args)]
#[command(after_long_help = "\
Examples:
  tengen completions bash > ~/.local/share/bash-completion/completions/tengen
  tengen completions zsh > ~/.zfunc/_tengen
  tengen completions fish > ~/.config/fish/completions/tengen.fish
  tengen completions powershell >> $PROFILE")]
pub(crate) struct CompletionsArgs {
    /// The shell.
    shell: Shell,
}

pub(crate) fn run(args: &CompletionsArgs) -> Result<()> {
    let mut text = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "tengen", &mut text);
    // Written in one go: a reader that has gone away is told by the error, not by a panic of the generator.
    io::Write::write_all(&mut io::stdout().lock(), &text)?;
    Ok(())
}
