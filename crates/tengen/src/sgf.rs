//! `tengen sgf`: game records.

use anyhow::Result;
use clap::{Args, Subcommand};

mod cat;
mod check;
mod files;
mod format;
mod info;
mod pool;
mod position;
mod render;
mod show;
mod split;

/// Check, convert, list and draw game records.
///
/// Records are SGF in any encoding, and the GIB, NGF and UGF files of Tygem, Wbaduk and PandaNet. FILES can be files,
/// folders, which are searched for records, patterns such as 'games/*.sgf', or - for standard input.
#[derive(Args)]
pub(crate) struct SgfArgs {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Check(check::CheckArgs),
    Format(format::FormatArgs),
    Info(info::InfoArgs),
    Show(show::ShowArgs),
    Render(render::RenderArgs),
    Cat(cat::CatArgs),
    Split(split::SplitArgs),
}

/// Runs the subcommand.
pub(crate) fn run(args: &SgfArgs) -> Result<()> {
    match &args.command {
        Command::Check(args) => check::run(args),
        Command::Format(args) => format::run(args),
        Command::Info(args) => info::run(args),
        Command::Show(args) => show::run(args),
        Command::Render(args) => render::run(args),
        Command::Cat(args) => cat::run(args),
        Command::Split(args) => split::run(args),
    }
}
