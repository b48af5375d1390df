//! `tengen gtp`: an engine for every program that speaks the Go Text Protocol.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anyhow::Result;
use clap::Args;
use tengen_gtp::gtp::{Ending, Session, Settings, SettingsError, serve};

use crate::failure::Usage;
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

A configuration file is TOML. Its keys are the long names of the options here: `visits = 1000`, `ponder = true`. Options of the
command line win over the file.")]
pub(crate) struct GtpArgs {
    #[command(flatten)]
    judge: JudgeArgs,
    /// A file with settings.
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// The most visits a move.
    #[arg(long, value_name = "N", conflicts_with = "time")]
    visits: Option<String>,
    /// The most time a move.
    #[arg(long, value_name = "SECONDS")]
    time: Option<String>,
    /// How many threads search; all cores by default. With one and a fixed number of visits, the same seed plays the same
    /// game.
    #[arg(long, value_name = "N")]
    threads: Option<String>,
    /// How well to play, from 1 (a beginner) to 10 (full strength).
    #[arg(long, value_name = "L")]
    level: Option<String>,
    /// The seed of all that is random.
    #[arg(long, value_name = "N")]
    seed: Option<String>,
    /// The board before the client asks for another; 19x19 by default.
    #[arg(long)]
    size: Option<String>,
    /// The rules before the client asks for others; tromp-taylor by default.
    #[arg(long)]
    rules: Option<String>,
    /// The komi before the client asks for another; what the rules say by default.
    #[arg(long, allow_negative_numbers = true)]
    komi: Option<String>,
    /// Think while the opponent does.
    #[arg(long)]
    ponder: bool,
    /// When to resign: never, hopeless (the default), or a win rate such as 0.05.
    #[arg(long, value_name = "WHEN")]
    resign: Option<String>,
    /// The most memory for the tree, in MiB.
    #[arg(long, value_name = "MIB")]
    memory: Option<String>,
    /// What is lost of every move's time on the way, in seconds.
    #[arg(long, value_name = "SECONDS")]
    lag: Option<String>,
    /// How long a search may go on when the client is gone, in seconds.
    #[arg(long, value_name = "SECONDS")]
    linger: Option<String>,
    /// The name that the client is told.
    #[arg(long, visible_alias = "override-name")]
    name: Option<String>,
    /// The version that the client is told; some clients refuse versions that they have not heard of.
    #[arg(long, visible_alias = "override-version")]
    version: Option<String>,
}

/// Answers commands until the client has had enough.
pub(crate) fn run(args: &GtpArgs) -> Result<()> {
    let mut judge = args.judge.clone();
    let settings = settings(args, &mut judge)?;
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
fn settings(args: &GtpArgs, judge: &mut JudgeArgs) -> Result<Settings, Usage> {
    let mut settings = Settings::default();
    if let Some(file) = &args.config {
        read_file(&mut settings, judge, file)?;
    }
    // One limit on the command line stands for both of the file.
    if args.visits.is_some() || args.time.is_some() {
        settings.visits = None;
        settings.time = None;
    }
    for (key, value) in args.given() {
        settings
            .set(key, value)
            .map_err(|SettingsError { key, problem }| {
                Usage::new(format_args!("--{key} {value}: {problem}"))
            })?;
    }
    Ok(settings)
}

impl GtpArgs {
    /// The settings of the command line, as a file would name them.
    fn given(&self) -> impl Iterator<Item = (&'static str, &str)> {
        [
            ("visits", &self.visits),
            ("time", &self.time),
            ("threads", &self.threads),
            ("level", &self.level),
            ("seed", &self.seed),
            ("size", &self.size),
            ("rules", &self.rules),
            ("komi", &self.komi),
            ("resign", &self.resign),
            ("memory", &self.memory),
            ("lag", &self.lag),
            ("linger", &self.linger),
            ("name", &self.name),
            ("version", &self.version),
        ]
        .into_iter()
        .filter_map(|(key, value)| Some((key, value.as_deref()?)))
        .chain(self.ponder.then_some(("ponder", "true")))
    }
}

fn read_file(settings: &mut Settings, judge: &mut JudgeArgs, file: &Path) -> Result<(), Usage> {
    let name = file.display();
    let wrong = |problem: &dyn std::fmt::Display| Usage::new(format_args!("{name}: {problem}"));
    let text = fs::read_to_string(file).map_err(|error| wrong(&error))?;
    let table: toml::Table = text.parse().map_err(|error: toml::de::Error| {
        // All of its text is many lines, with a picture of the place.
        let before = error.span().map_or("", |span| &text[..span.start]);
        let line = before.matches('\n').count() + 1;
        wrong(&format_args!("line {line}: {}", error.message()))
    })?;
    for (key, value) in &table {
        let text = match value {
            toml::Value::String(text) => text.clone(),
            toml::Value::Integer(_) | toml::Value::Float(_) | toml::Value::Boolean(_) => {
                value.to_string()
            }
            toml::Value::Datetime(_) | toml::Value::Array(_) | toml::Value::Table(_) => {
                return Err(wrong(&format_args!(
                    "`{key}`: a text, a number, true or false is needed"
                )));
            }
        };
        if key == "net" {
            judge.net.get_or_insert(text);
        } else {
            settings.set(key, &text).map_err(|error| wrong(&error))?;
        }
    }
    Ok(())
}
