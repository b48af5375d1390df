//! `tengen count`: how many positions or games there are.

use std::io::{self, Write};
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread;

use anyhow::{Result, anyhow};
use clap::{Args, Subcommand};
use serde::Serialize;
use tengen_core::census::{self, CensusError, Games};
use tengen_core::{Rules, Size};

use crate::failure::Usage;
use crate::json_count::JsonCount;
use crate::progress::ProgressLine;

/// Count legal positions or complete games of a board, exactly.
#[derive(Args)]
#[command(arg_required_else_help = false)]
pub(crate) struct CountArgs {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand)]
enum What {
    Positions(PositionsArgs),
    Games(GamesArgs),
}

/// Count the legal positions of a board: those where every chain has a liberty.
///
/// Boards up to 9x9 can be counted (5 seconds), and longer ones as long as the result fits into 128 bits.
#[derive(Args)]
#[command(after_long_help = "\
Examples:
  tengen count positions 4x4
  tengen count positions 5x5 --up-to-symmetry --json

Fields of --json: size, positions and, with --up-to-symmetry, up_to_symmetry and up_to_symmetry_and_color. Counts are
numbers up to 2^53 and strings beyond.")]
struct PositionsArgs {
    /// The board, such as 4x4.
    size: Size,
    /// Count also positions that are the same but for rotation and reflection, and exchange of the colours, once.
    ///
    /// Such positions are enumerated, which takes up to some seconds for 5x6 and is refused for larger boards.
    #[arg(long)]
    up_to_symmetry: bool,
    #[command(flatten)]
    output: Output,
}

/// Count the complete games on a board: all ways to play until the rules end the game.
///
/// Passes are always legal, the empty board counts as seen, and where superko is situational a pass records
/// the situation that it creates. Boards of up to four points can be counted, 2x2 in about a minute; larger ones only
/// under rules with a limit of moves.
#[derive(Args)]
#[command(after_long_help = "\
Examples:
  tengen count games 1x4
  tengen count games 2x2 --rules chinese
  tengen count games 1x4 --rules koSITUATIONALsui0
  tengen count games 3x3 --rules koPOSITIONALsui0max6

Fields of --json: size, rules, games. The count is a number up to 2^53 and a string beyond.")]
struct GamesArgs {
    /// The board, such as 2x2.
    size: Size,
    /// The rules: a name such as aga, or a text such as koPOSITIONALsui0.
    #[arg(long, default_value_t)]
    rules: Rules,
    /// Threads to use [default: one for each processor].
    #[arg(long, value_name = "N")]
    threads: Option<NonZeroUsize>,
    #[command(flatten)]
    output: Output,
}

/// How to print.
#[derive(Args)]
struct Output {
    /// Print a JSON object.
    #[arg(long)]
    json: bool,
    /// Report progress even if standard error is not a terminal.
    #[arg(long)]
    progress: bool,
}

#[derive(Serialize)]
struct PositionsReport {
    size: String,
    positions: JsonCount,
    #[serde(skip_serializing_if = "Option::is_none")]
    up_to_symmetry: Option<JsonCount>,
    #[serde(skip_serializing_if = "Option::is_none")]
    up_to_symmetry_and_color: Option<JsonCount>,
}

#[derive(Serialize)]
struct GamesReport {
    size: String,
    rules: String,
    games: JsonCount,
}

/// Counts and prints the result.
pub(crate) fn run(args: &CountArgs) -> Result<()> {
    match &args.what {
        What::Positions(args) => count_positions(args),
        What::Games(args) => count_games(args),
    }
}

fn count_positions(args: &PositionsArgs) -> Result<()> {
    let size = args.size;
    // First what may be refused.
    let orbits = match args.up_to_symmetry {
        true => Some(census::positions_up_to_symmetry(size).map_err(Usage::new)?),
        false => None,
    };
    let mut progress = ProgressLine::new(args.output.progress);
    let positions =
        census::positions_with_progress(size, |done| progress.report(done.cells, done.area))
            .map_err(Usage::new)?;
    drop(progress);
    let mut out = io::stdout().lock();
    if args.output.json {
        let report = PositionsReport {
            size: size.to_string(),
            positions: JsonCount(positions),
            up_to_symmetry: orbits.map(|orbits| JsonCount(orbits.symmetry)),
            up_to_symmetry_and_color: orbits.map(|orbits| JsonCount(orbits.symmetry_and_color)),
        };
        writeln!(out, "{}", serde_json::to_string(&report)?)?;
        return Ok(());
    }
    writeln!(out, "{positions}")?;
    if let Some(orbits) = orbits {
        writeln!(out, "{} up to symmetry", orbits.symmetry)?;
        writeln!(
            out,
            "{} up to symmetry and colour",
            orbits.symmetry_and_color
        )?;
    }
    Ok(())
}

fn count_games(args: &GamesArgs) -> Result<()> {
    let games = Games::new(args.size, &args.rules).map_err(Usage::new)?;
    let processors = thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
    let threads = args.threads.unwrap_or(processors).get().min(games.tasks());
    let count = share_out(&games, threads, ProgressLine::new(args.output.progress))?
        .ok_or_else(|| Usage::new(CensusError::Overflow(args.size)))?;
    let mut out = io::stdout().lock();
    if args.output.json {
        let report = GamesReport {
            size: args.size.to_string(),
            rules: args.rules.to_string(),
            games: JsonCount(count),
        };
        writeln!(out, "{}", serde_json::to_string(&report)?)?;
    } else {
        writeln!(out, "{count}")?;
    }
    Ok(())
}

/// Counts the games on several threads, each of which takes the next task when it is done with one. `None` if the
/// number is too large.
fn share_out(games: &Games, threads: usize, mut progress: ProgressLine) -> Result<Option<u128>> {
    let next = AtomicUsize::new(0);
    let (task_done, tasks_done) = mpsc::channel();
    thread::scope(|scope| {
        let workers: Vec<_> = (0..threads)
            .map(|_| {
                let task_done = task_done.clone();
                let next = &next;
                scope.spawn(move || -> Option<u128> {
                    let mut counter = games.counter();
                    let mut sum = 0_u128;
                    loop {
                        let task = next.fetch_add(1, Ordering::Relaxed);
                        if task >= games.tasks() {
                            return Some(sum);
                        }
                        sum = sum.checked_add(counter.count(task).ok()?)?;
                        // Nobody listens any more only if the main thread has failed.
                        _ = task_done.send(());
                    }
                })
            })
            .collect();
        drop(task_done);
        for (done, ()) in (1..).zip(tasks_done) {
            progress.report(done, games.tasks());
        }
        let mut sum = Some(games.settled());
        for worker in workers {
            let count = worker
                .join()
                .map_err(|_| anyhow!("a thread that counted games has failed"))?;
            sum = sum
                .zip(count)
                .and_then(|(sum, count)| sum.checked_add(count));
        }
        Ok(sum)
    })
}
