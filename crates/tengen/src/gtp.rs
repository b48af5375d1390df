//! `tengen gtp`: an engine for every program that speaks the Go Text Protocol.

use std::io::{self, Write};
use std::path::PathBuf;

use anyhow::Result;
use clap::Args;
use tengen_gtp::gtp::{Ending, GtpSettings, Session, serve};

use crate::failure::Usage;
use crate::given::{Given, Notation, read_file};
use crate::judge::JudgeArgs;

/// Play and analyse for programs that speak GTP 2, such as Sabaki, GoGui and Lizzie.
///
/// Commands are read from standard input, and replies go to standard output. Without a limit and without a clock a move
/// takes two seconds.
#[derive(Args)]
#[command(after_long_help = "\
Examples:
  tengen gtp --level 5
  tengen gtp --time 10 --threads 2 --rules chinese
  tengen gtp --config engine.toml
  printf 'boardsize 9\\ngenmove black\\n' | tengen gtp --visits 1000

A configuration file is TOML. Its keys are the long names of the options here: `visits = 1000`, `ponder = true`. Options
of the command line win over the file.")]
pub(crate) struct GtpArgs {
    /// A file with settings.
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    #[command(flatten)]
    given: Given<GtpSettings>,
}

/// Answers commands until the client has had enough.
pub(crate) fn run(args: &GtpArgs) -> Result<()> {
    let settings = settings(args)?;
    let profile = settings.profile.as_deref().map(str::parse);
    let judge = JudgeArgs {
        net: settings.net.clone(),
        profile: profile.transpose().map_err(Usage::new)?,
    };
    let mut session = Session::with_judge(settings, judge.judge()?);
    let ending = serve(&mut session, io::stdin(), &mut io::stdout())?;
    if ending == Ending::CutShort {
        // Whoever pipes commands into us should know why the last reply is not what it could have been.
        _ = writeln!(
            io::stderr(),
            "tengen: the input ended during a search, which was cut short: see --linger"
        );
    }
    Ok(())
}

/// The file, and over it the options.
fn settings(args: &GtpArgs) -> Result<GtpSettings, Usage> {
    let mut settings = GtpSettings::default();
    if let Some(file) = &args.config {
        for entry in read_file(file, Notation::Toml)? {
            settings
                .set(&entry.key, &entry.value)
                .map_err(|error| Usage::new(format_args!("{}: {error}", file.display())))?;
        }
    }
    // One limit on the command line stands for both of the file.
    if args.given.has("visits") || args.given.has("time") {
        settings.visits = None;
        settings.time = None;
    }
    args.given.apply(&mut settings)?;
    Ok(settings)
}
