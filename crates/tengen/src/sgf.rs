//! `tengen sgf`: game records.

use anyhow::Result;
use clap::{Args, Subcommand};
use tengen_sgf::Charset;

mod cat;
mod check;
pub(crate) mod files;
mod format;
mod info;
pub(crate) mod pool;
mod position;
mod render;
mod show;
mod split;

/// Check, convert, list and draw game records.
///
/// Records are SGF in any encoding, the GIB, NGF and UGF files of Tygem, Wbaduk and PandaNet, and lines of an id, a tab
/// and moves; .gz, .xz and .zip files are read as what is in them. FILES can be files, folders, which are searched for
/// records, patterns such as 'games/*.sgf', or - for standard input.
#[derive(Args)]
pub(crate) struct SgfArgs {
    /// The encoding of the files, whatever they say: UTF-8, GBK, Big5, Shift_JIS, EUC-KR, windows-1252 and others.
    #[arg(long, value_name = "NAME", global = true)]
    encoding: Option<Charset>,
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
    let charset = args.encoding;
    match &args.command {
        Command::Check(args) => check::run(args, charset),
        Command::Format(args) => format::run(args, charset),
        Command::Info(args) => info::run(args, charset),
        Command::Show(args) => show::run(args, charset),
        Command::Render(args) => render::run(args, charset),
        Command::Cat(args) => cat::run(args, charset),
        Command::Split(args) => split::run(args, charset),
    }
}
