//! The `tengen` command. Each subcommand is a file of its own.

#![forbid(unsafe_code)]

use std::io::{self, Write};
use std::process::ExitCode;

use anyhow::Result;
use clap::error::ErrorKind;
use clap::{Parser, Subcommand};

mod analysis;
mod bench;
mod completions;
mod contest;
mod count;
mod dummy;
mod eval;
mod failure;
mod given;
mod gtp;
mod interrupt;
mod json_count;
mod judge;
mod manual;
mod named_net;
mod net;
mod perft;
mod play;
mod problems;
mod progress;
mod review;
mod selfplay;
mod serve;
mod sgf;
mod show;
mod solve;
mod terminal;
mod train;
mod tree;
mod verify;

/// A toolkit for the game of Go. Without a command, the app is started: `tengen serve`.
///
/// Sizes are written `9`, or `9x13` for 9 columns by 13 rows, up to 25. Rules are a name (tromp-taylor, chinese,
/// japanese, korean, aga, new-zealand, seed, pgx, open-spiel, petting-zoo, envpool) or a text such as
/// `koPOSITIONALscoreAREAsui0`.
///
/// Results go to standard output, progress and errors to standard error. The exit code is 0 if all went well, 2 if the
/// request was wrong, 1 if anything else was; `tengen sgf` has more of them to tell what it found.
#[derive(Parser)]
#[command(name = "tengen", version)]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Subcommand)]
enum Command {
    Count(count::CountArgs),
    Perft(perft::PerftArgs),
    Show(show::ShowArgs),
    Sgf(sgf::SgfArgs),
    Gtp(gtp::GtpArgs),
    Serve(serve::ServeArgs),
    Play(play::PlayArgs),
    Match(contest::MatchArgs),
    #[command(hide = true)]
    Dummy(dummy::DummyArgs),
    Bench(bench::BenchArgs),
    Train(train::TrainArgs),
    #[command(name = "selfplay")]
    SelfPlay(selfplay::SelfPlayArgs),
    Eval(eval::EvalArgs),
    Net(net::NetArgs),
    Review(review::ReviewArgs),
    Solve(solve::SolveArgs),
    Verify(verify::VerifyArgs),
    Problems(problems::ProblemsArgs),
    Tree(tree::TreeArgs),
    Analysis(analysis::AnalysisArgs),
    Completions(completions::CompletionsArgs),
    #[command(hide = true)]
    Manual(manual::ManualArgs),
}

fn main() -> ExitCode {
    let result = match Cli::try_parse_from(analysis::spelled_out(std::env::args_os())) {
        Ok(cli) => run(&cli),
        Err(refusal) => explain(&refusal),
    };
    let Err(error) = result else {
        return ExitCode::SUCCESS;
    };
    if is_closed_pipe(&error) {
        // Whoever read our output has seen enough.
        return ExitCode::SUCCESS;
    }
    if let Some(worst) = error.downcast_ref::<failure::Worst>() {
        return ExitCode::from(worst.exit_code());
    }
    // If even standard error is gone, only the exit code is left to tell.
    let problem = format!("{error:#}");
    _ = writeln!(
        io::stderr(),
        "tengen: {}",
        tengen_sgf::printable_text(&problem)
    );
    ExitCode::from(if error.is::<failure::Usage>() { 2 } else { 1 })
}

fn run(cli: &Cli) -> Result<()> {
    match &cli.command {
        // Whoever names nothing wants to play.
        None => run(&Cli::try_parse_from(["tengen", "serve"])?),
        Some(Command::Count(args)) => count::run(args),
        Some(Command::Perft(args)) => perft::run(args),
        Some(Command::Show(args)) => show::run(args),
        Some(Command::Sgf(args)) => sgf::run(args),
        Some(Command::Gtp(args)) => gtp::run(args),
        Some(Command::Serve(args)) => serve::run(args),
        Some(Command::Play(args)) => play::run(args),
        Some(Command::Match(args)) => contest::run(args),
        Some(Command::Dummy(args)) => dummy::run(args),
        Some(Command::Bench(args)) => bench::run(args),
        Some(Command::Train(args)) => train::run(args),
        Some(Command::SelfPlay(args)) => selfplay::run(args),
        Some(Command::Eval(args)) => eval::run(args),
        Some(Command::Net(args)) => net::run(args),
        Some(Command::Review(args)) => review::run(args),
        Some(Command::Solve(args)) => solve::run(args),
        Some(Command::Verify(args)) => verify::run(args),
        Some(Command::Problems(args)) => problems::run(args),
        Some(Command::Tree(args)) => tree::run(args),
        Some(Command::Analysis(args)) => analysis::run(args),
        Some(Command::Completions(args)) => completions::run(args),
        Some(Command::Manual(args)) => manual::run(args),
    }
}

/// Prints the help or the version if that was asked for; makes one line of any other answer of the argument parser.
fn explain(refusal: &clap::Error) -> Result<()> {
    if matches!(
        refusal.kind(),
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion
    ) {
        refusal.print()?;
        return Ok(());
    }
    let text = refusal.to_string();
    let mut paragraphs = text.split("\n\n").map(|paragraph| {
        let words: Vec<&str> = paragraph.split_whitespace().collect();
        words.join(" ")
    });
    let problem = paragraphs.next().unwrap_or_default();
    let problem = problem.strip_prefix("error: ").unwrap_or(&problem);
    let tip = paragraphs.find(|paragraph| paragraph.starts_with("tip: "));
    Err(match tip {
        Some(tip) => failure::Usage::new(format_args!("{problem} ({tip})")),
        None => failure::Usage::new(problem),
    }
    .into())
}

fn is_closed_pipe(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| {
        cause
            .downcast_ref::<io::Error>()
            .is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
    })
}
