//! `tengen problems`: finds problems in games of the engine with itself, and proves them.

mod exercise;
mod hunt;
mod sheet;

use std::collections::HashSet;
use std::io::{self, Write};
use std::path::PathBuf;

use anyhow::Result;
use clap::Args;
use tengen_files::write_whole;
use tengen_sgf::Collection;

use crate::progress::ProgressLine;
use exercise::{Exercise, LEVELS};
use hunt::Hunt;

/// Find problems in games of the engine with itself, and prove them.
///
/// The engine plays quick games on small boards. Wherever stones can be captured, saved or brought to life in a small
/// part of the board, the solver looks whether exactly one first move does it, ko threats or not, and whether every
/// other one fails. Such a problem is kept, with Black to play and without the stones that have nothing to do with it.
///
/// The problems are written as SGF, the easiest first: the stones that it is about are marked (TR), the part of the
/// board is selected (SL), right moves are marked TE and wrong ones BM, each with its answer. GE says what is to be
/// done (capture, save, live), DI how hard it seems, by the length of the longest line: from 25k, one move, to 5k.
///
/// The same seed finds the same problems everywhere.
#[derive(Args)]
#[command(after_long_help = "\
Examples:
  tengen problems --seed 1 problems.sgf
  tengen solve problems.sgf --region --json      # the solver confirms them")]
pub(crate) struct ProblemsArgs {
    /// The file for the problems
    out: PathBuf,

    /// The seed of all games
    #[arg(long, value_name = "S", default_value_t = 0)]
    seed: u64,

    /// How many problems of each of the five levels are wanted
    #[arg(long, value_name = "N", default_value_t = 16)]
    each: usize,

    /// The most games that are played for them
    #[arg(long, value_name = "N", default_value_t = 400)]
    games: u64,

    /// Report progress even if standard error is not a terminal
    #[arg(long)]
    progress: bool,
}

/// Of a level, at most so many in ten are of one kind.
const OF_A_KIND: usize = 6;

pub(crate) fn run(args: &ProblemsArgs) -> Result<()> {
    let mut progress = ProgressLine::new(args.progress);
    let mut found: Vec<Exercise> = Vec::new();
    let mut known = HashSet::new();
    for number in 0..args.games {
        if found.len() == args.each * LEVELS.len() {
            break;
        }
        let hunt = Hunt::new(args.seed, number);
        hunt.exercises(&mut known, |exercise| {
            let is_wanted = is_wanted(&found, &exercise, args.each);
            if is_wanted {
                found.push(exercise);
            }
            is_wanted
        });
        progress.report(found.len(), args.each * LEVELS.len());
    }
    drop(progress);
    found.sort_by_key(|exercise| (exercise.level(), exercise.length, exercise.effort));
    let mut records = Collection::new();
    for (number, exercise) in (1..).zip(&found) {
        sheet::add(&mut records, number, exercise);
    }
    write_whole(&args.out, sheet::wrapped(&records.to_string()).as_bytes())?;
    let mut out = io::stdout().lock();
    for (level, (_, name)) in LEVELS.iter().enumerate() {
        let count = found.iter().filter(|one| one.level() == level).count();
        writeln!(out, "{name:>4}  {count}")?;
    }
    writeln!(out, " all  {}", found.len())?;
    Ok(())
}

/// Is there still a place for a problem like this?
fn is_wanted(found: &[Exercise], exercise: &Exercise, each: usize) -> bool {
    let form = |exercise: &Exercise| exercise.problem.setup.canonical().setup;
    // The same stones may come up in another part of a game.
    if found.iter().any(|one| form(one) == form(exercise)) {
        return false;
    }
    let level = exercise.level();
    let same = || found.iter().filter(|one| one.level() == level);
    let of_kind = same().filter(|one| one.kind == exercise.kind).count();
    same().count() < each && of_kind * 10 < each * OF_A_KIND
}
