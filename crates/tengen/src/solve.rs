//! `tengen solve`: what each player forces on a small board.

mod guide;
mod local;
mod local_report;
pub(crate) mod problem;
mod progress_text;
mod report;
mod solution;

use std::fs::File;
use std::io;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use clap::{Args, ValueEnum};
use tengen_core::{Color, Ko, Komi, Move, Stop};
use tengen_files::{Disk, Files};
use tengen_gtp::client::CommandLine;
use tengen_solver::certificate::Claim;
use tengen_solver::verify::{KoRule, Proven, Theorem};
use tengen_solver::{
    Bound, BoundStatus, Interval, Options, Progress, Solver, StrategyError, Techniques,
};

use crate::failure::Usage;
use crate::interrupt::Interrupt;
use crate::progress::ProgressLine;
use problem::Problem;
use progress_text::{search_line, strategy_line};
use report::{Proof, Report, cannot_write};

/// How often what is known is saved, with --resume.
const SAVE_EVERY: Duration = Duration::from_secs(600);

/// Boards up to so many points are put to the checker even if nobody wants to keep the proofs.
const CONFIRMED_UNASKED: usize = 16;

/// Find out what each player forces from a position, whatever the other one does.
///
/// The score is Black's area minus White's, without komi. Each player's bound is what that player forces under simple
/// ko if a game that goes on for ever is lost. Where the bounds meet, that is the value, and the checker of `tengen
/// verify` says under which superko rules it holds, too. Where they do not, repetitions decide: --rules solves under
/// one ko rule, superko with the whole history, on boards of up to 31 points.
///
/// A board may have up to 36 points. docs/solver.md says what is solved, docs/solver-method.md how.
#[derive(Args)]
#[command(after_long_help = "\
Examples:
  tengen solve 3x3 --all-moves
  tengen solve 3x5 --proof 3x5.proof && tengen verify 3x5.proof
  tengen solve 2x3 --rules positional --proof 2x3.proof && tengen verify 2x3.proof
  tengen solve '.X.X/XXXO/.OO.' --to-move white --komi 1.5
  tengen solve game.sgf --move 12 --at-least 5
  tengen solve 5x5 --at-least 25 --threads 2 --memory 12G --resume 5x5.state --proof 5x5.proof
  tengen solve problems.sgf --region --solution solutions.sgf
  tengen solve corner.txt --region=A1:F6 --target C2 --proof corner.proof

Ctrl-C or the end of --time ends the search, and what was proven by then is printed and saved; the same command
with --resume goes on from there, and from what is saved every ten minutes if it was killed. A second Ctrl-C ends
the command at once.

Fields of --json: board, to_move, lower and upper (Black forces at least, White at most, if endless games are lost),
value (with --rules that under the rule, else where lower and upper meet; null if it is not known), exact (is it also
proven that neither player forces more than lower and upper say?), ignored_moves (moves of a record before the
position, which superko would remember and the answer does not), any_ko_rule (does the checker grant every one?),
ko_rules (those that it grants to lower and upper where they meet; boards beyond 16 points are only asked about with
--proof), asked (bound and proven; with --at-least or --at-most), best, line, moves (move, lower, upper; with
--all-moves), komi and result, rule (ko, lower, upper, value; with --rules), proofs (file, claim, entries, bytes;
checked: was the file read and accepted by the checker; ko_rules that it grants; repeats if lines of it may come back
to a board), complete (false if the search or the check was stopped), nodes, seconds.

With --region, every game of a record is a problem: its position is that before the first move, unless --move says
another one. The stones that it is about are marked (TR, SQ, CR or MA), or shut in by those of one colour; SL or VW
may show the region. Both players are tried first, or only the one that --to-move names. docs/solver.md says what
is proven. --time is for each problem. Certificates are FILE, FILE.2 and so on, or FILE.1, FILE.1.2 for the first
of many problems.
Fields of --json then, an object a line: problem (its number, if there are many), board, to_move, defender, target,
region, answers (first; verdict: lives, seki, stands, dies, ko, repetition or open; outcomes by ko threats of
attacker and defender: captured, stands, repeats or open; reached: what the first player's moves reach; moves:
those that do; proven: goal, and ko threats of attacker and defender), proofs, complete, nodes, seconds.")]
pub(crate) struct SolveArgs {
    /// A size such as 4x5, a diagram (a file, - or rows with / between them) or a game record.
    board: String,
    /// Solve a problem of life and death: stones are put down on these points only, such as A1:F5 or A1,A2,B1. Without
    /// points, what the stones around leave to the target.
    #[arg(
        long,
        value_name = "POINTS",
        num_args = 0..=1,
        require_equals = true,
        conflicts_with_all = ["komi", "rules", "at_least", "at_most", "all_moves", "threads", "resume", "guide"]
    )]
    region: Option<Option<String>>,
    /// The stones to capture or to save, one of each chain, such as C3,D1; those marked in the record if it is left
    /// out.
    #[arg(long, value_name = "POINTS", requires = "region")]
    target: Option<String>,
    /// Write the solutions of problems as a record: what works with all replies, and why the rest does not.
    #[arg(long, value_name = "FILE", requires = "region")]
    solution: Option<PathBuf>,
    /// How many moves of a solution are written.
    #[arg(long, value_name = "N", default_value_t = 8)]
    solution_moves: usize,
    /// The position after this move of a record; the last one by default.
    #[arg(long = "move", value_name = "N")]
    number: Option<usize>,
    /// Who is to move, whatever the position says: black or white.
    #[arg(long, value_name = "COLOUR")]
    to_move: Option<Color>,
    /// Say who wins with this komi.
    #[arg(long, allow_negative_numbers = true)]
    komi: Option<Komi>,
    /// Solve under this ko rule, with --at-least or --at-most only as far as was asked.
    #[arg(long, value_enum, value_name = "KO")]
    rules: Option<KoName>,
    /// Only find out whether Black forces at least this margin.
    #[arg(
        long,
        value_name = "S",
        allow_negative_numbers = true,
        conflicts_with = "at_most"
    )]
    at_least: Option<i32>,
    /// Only find out whether White forces at most this margin for Black.
    #[arg(long, value_name = "S", allow_negative_numbers = true)]
    at_most: Option<i32>,
    /// Find out what every move leads to.
    #[arg(long)]
    all_moves: bool,
    /// Stop after so many seconds.
    #[arg(long, value_name = "SECONDS")]
    time: Option<f64>,
    /// Memory for the table, such as 512M or 8G.
    #[arg(long, value_name = "BYTES", default_value = "1G")]
    memory: Bytes,
    /// How many threads search; as many as there are cores if it is left out.
    #[arg(long, value_name = "N")]
    threads: Option<NonZeroUsize>,
    /// Go on from this file if it is there, and save what was found out to it.
    #[arg(long, value_name = "FILE")]
    resume: Option<PathBuf>,
    /// A program that speaks GTP, whose moves are tried first near the root.
    #[arg(long, value_name = "COMMAND")]
    guide: Option<CommandLine>,
    /// Write a certificate of what was proven, with --rules under that rule. If both players have something to prove,
    /// White's goes to FILE.upper.
    #[arg(long, value_name = "FILE")]
    proof: Option<PathBuf>,
    /// Print a JSON object.
    #[arg(long)]
    json: bool,
    /// Report progress even if standard error is not a terminal.
    #[arg(long)]
    progress: bool,
}

/// A ko rule by name.
#[derive(Clone, Copy, ValueEnum)]
enum KoName {
    /// No board may come again.
    Positional,
    /// No board may come again with the same player to move.
    Situational,
    /// Only taking back at once is forbidden; a game that goes on for ever is a tie.
    Simple,
}

/// An amount of memory as people write it.
#[derive(Clone, Copy, Debug)]
struct Bytes(u64);

impl FromStr for Bytes {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let digits = text.trim_end_matches(|c: char| !c.is_ascii_digit());
        let factor = match text[digits.len()..].to_ascii_uppercase().as_str() {
            "" | "B" => Some(0),
            "K" | "KB" | "KIB" => Some(10),
            "M" | "MB" | "MIB" => Some(20),
            "G" | "GB" | "GIB" => Some(30),
            _ => None,
        };
        let amount = digits.parse::<u64>().ok();
        let bytes = factor
            .zip(amount)
            .and_then(|(shift, amount)| amount.checked_mul(1 << shift));
        bytes
            .map(Self)
            .ok_or_else(|| "memory is written like 512M or 8G".to_owned())
    }
}

/// Solves the position and prints what was found out.
pub(crate) fn run(args: &SolveArgs) -> Result<()> {
    if let Some(region) = &args.region {
        return local::run(args, region.as_deref());
    }
    let start = Instant::now();
    let problem = Problem::read(&args.board, args.number, args.to_move)?;
    let cores = || thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
    let options = Options {
        memory: args.memory.0,
        threads: args.threads.unwrap_or_else(cores),
        techniques: Techniques::ALL,
    };
    let wrong =
        |problem: &dyn std::fmt::Display| Usage::new(format_args!("{}: {problem}", args.board));
    let mut solver = Solver::new(&problem.setup, options).map_err(|error| wrong(&error))?;
    if problem.passed {
        solver = solver.after_pass();
    }
    let area = problem.setup.size.area() as i32;
    if let Some(margin) = args.at_least.or(args.at_most)
        && margin.abs() > area
    {
        return Err(wrong(&format_args!("no margin is beyond {area}")).into());
    }
    if let Some(file) = args.resume.as_deref().filter(|file| file.exists()) {
        let restored = File::open(file)
            .map_err(Into::into)
            .and_then(|input| solver.restore(input));
        restored.map_err(|error| Usage::new(format_args!("{}: {error}", file.display())))?;
    }
    if let Some(line) = &args.guide {
        guide::advise(&mut solver, line)?;
    }
    let stop = solver.stop();
    Interrupt::stops(&stop)?;
    let _limit = time_limit(&stop, args.time)?;
    let mut view = ProgressLine::new(args.progress);
    let mut report = solve(&mut solver, args, start, &mut view)?;
    report.ignored_moves = problem.moves;
    drop(view);
    let mut out = io::stdout().lock();
    if args.json {
        report.print_json(&mut out)
    } else {
        Ok(report.print(&mut out)?)
    }
}

fn solve(
    solver: &mut Solver,
    args: &SolveArgs,
    start: Instant,
    view: &mut ProgressLine,
) -> Result<Report> {
    let mut saved = Instant::now();
    let watch = &mut |solver: &Solver, progress: &Progress| {
        let elapsed = view.elapsed();
        view.mention(|| search_line(solver, progress, elapsed));
        if let Some(file) = &args.resume
            && saved.elapsed() >= SAVE_EVERY
        {
            // What cannot be saved now may be in the end, where it is an error. Until then the last one is whole.
            if let Err(error) = save(&Disk, solver, file) {
                view.warn(&format!(
                    "{error:#}; it is tried again in {} minutes",
                    SAVE_EVERY.as_secs() / 60
                ));
            }
            saved = Instant::now();
        }
    };
    let asked = match (args.at_least, args.at_most) {
        (Some(margin), _) => Some((Color::Black, margin)),
        (None, Some(margin)) => Some((Color::White, margin)),
        (None, None) => None,
    };
    let asked = asked.map(|(prover, margin)| {
        let bound = Bound { prover, margin };
        (bound, solver.prove(bound, watch))
    });
    if asked.is_none() {
        solver.solve(watch);
    }
    let moves = args.all_moves.then(|| solver.moves(watch));
    let rule = args.rules.map(|name| {
        let ko = match name {
            KoName::Positional => Ko::Positional,
            KoName::Situational => Ko::Situational,
            KoName::Simple => Ko::Simple,
        };
        let interval = match asked {
            Some((bound, _)) => solver.prove_with_history(ko, bound, watch),
            None => solver.solve_with_history_watched(ko, watch),
        };
        (ko, interval)
    });
    let mut stopped = solver.stop().is_stopped();
    // What is left, writing down, is done even if the search was stopped.
    solver.go_on();
    if let Some(file) = &args.resume {
        save(&Disk, solver, file)?;
    }
    let interval = solver.interval();
    let area = solver.setup().size.area();
    let to_move = solver.setup().to_move;
    let shown = match asked {
        Some((bound, BoundStatus::Proven)) => Some(bound),
        Some(_) => None,
        None => [to_move, !to_move]
            .map(|color| interval.bound(color))
            .into_iter()
            .find(|bound| !bound.is_trivial(area)),
    };
    let best = match &moves {
        Some(moves) => best_moves(moves, to_move),
        None => shown
            .and_then(|bound| solver.winning_move(bound))
            .into_iter()
            .collect(),
    };
    let mut proofs = Vec::new();
    let mut theorems = Vec::new();
    if let Some(file) = &args.proof {
        // What a player has under simple ko because an endless game is a tie has no proof.
        let superko = rule.filter(|(ko, _)| *ko != Ko::Simple);
        let provable = superko.map_or(interval, |(_, ruled)| ruled);
        let bounds: Vec<Bound> = match asked {
            Some((bound, verdict)) => {
                let is_proven = verdict == BoundStatus::Proven || provable.implies(bound);
                is_proven.then_some(bound).into_iter().collect()
            }
            None => Color::BOTH
                .map(|color| provable.bound(color))
                .into_iter()
                .filter(|bound| !bound.is_trivial(area))
                .collect(),
        };
        for (bound, number) in bounds.into_iter().zip(0..) {
            let mut name = file.clone().into_os_string();
            if number > 0 {
                name.push(".upper");
            }
            let ko = superko.map(|(ko, _)| ko);
            match write_proof(solver, bound, ko, Path::new(&name), view) {
                Ok((proof, theorem)) => {
                    stopped |= !proof.checked;
                    proofs.push(proof);
                    theorems.extend(theorem);
                }
                // What was found out is told all the same.
                Err(error) if error.downcast_ref() == Some(&StrategyError::Stopped) => {
                    stopped = true;
                }
                Err(error) => return Err(error),
            }
        }
    }
    let confirmed = (asked.is_none() && interval.value().is_some())
        .then(|| {
            let is_small = solver.setup().size.area() <= CONFIRMED_UNASKED;
            (is_small || args.proof.is_some()).then(|| confirmed(solver, &theorems))
        })
        .flatten();
    Ok(Report {
        size: solver.setup().size,
        to_move,
        interval,
        is_exact: solver.is_exact(),
        ignored_moves: 0,
        asked,
        line: shown.map(|bound| solver.line(bound)).unwrap_or_default(),
        best,
        moves,
        komi: args.komi,
        rule,
        confirmed,
        proofs,
        stopped,
        nodes: solver.nodes(),
        seconds: start.elapsed().as_secs_f64(),
    })
}

/// The ko rules that the checker grants to both bounds, by proofs that were written or by others.
fn confirmed(solver: &Solver, theorems: &[Theorem]) -> Vec<KoRule> {
    let [lower, upper] = Color::BOTH.map(|color| {
        let bound = solver.interval().bound(color);
        let written = theorems.iter().find(|theorem| theorem.claim.bound == bound);
        match written {
            Some(theorem) => theorem.ko_rules.granted().collect(),
            None => solver.confirmed(bound),
        }
    });
    lower
        .into_iter()
        .filter(|rule| upper.contains(rule))
        .collect()
}

/// The moves that are best for the player to move: first what is sure, then what may be.
fn best_moves(moves: &[(Move, Interval)], to_move: Color) -> Vec<Move> {
    let worth = |interval: &Interval| match to_move {
        Color::Black => (interval.lower, interval.upper),
        Color::White => (-interval.upper, -interval.lower),
    };
    let best = moves.iter().map(|(_, interval)| worth(interval)).max();
    let best = moves
        .iter()
        .filter(|(_, interval)| Some(worth(interval)) == best);
    best.map(|(action, _)| *action).collect()
}

/// Writes a certificate of a bound, under every ko rule or this one, and has the file checked.
fn write_proof(
    solver: &Solver,
    bound: Bound,
    ko: Option<Ko>,
    file: &Path,
    view: &mut ProgressLine,
) -> Result<(Proof, Option<Theorem>)> {
    let claim = bound.to_string();
    let mut proof = match ko.and_then(|ko| solver.derivation(ko, bound)) {
        Some(derivation) => Proof::write(file, claim, |output| derivation.write(output))?,
        None => {
            let mut repeats = false;
            let writer = solver.certificate_watched(bound, &mut |progress| {
                repeats = progress.repeating.is_some_and(|lines| lines > 0);
                view.mention(|| strategy_line(progress));
            });
            let writer = writer.with_context(|| format!("no proof of {bound}"))?;
            let proof = Proof::write(file, claim, |output| writer.finish(output))?;
            Proof { repeats, ..proof }
        }
    };
    let expected = Claim {
        passed: solver.passed(),
        ..Claim::new(*solver.setup(), bound)
    };
    let proven = proof.check(
        &solver.stop(),
        |proven| matches!(proven, Proven::Board(theorem) if theorem.claim == expected),
    )?;
    let theorem = match proven {
        Some(Proven::Board(theorem)) => Some(theorem),
        _ => None,
    };
    Ok((proof, theorem))
}

/// Saves what the solver knows. If it fails, what was saved before is still there.
fn save(disk: &dyn Files, solver: &Solver, file: &Path) -> Result<()> {
    let saved = disk.replace_named(file, |output| solver.save(output));
    saved.map_err(cannot_write)
}

/// Stops a search when the time is up. The end of what is returned ends the waiting.
fn time_limit(stop: &Stop, seconds: Option<f64>) -> Result<Option<mpsc::Sender<()>>> {
    let Some(seconds) = seconds else {
        return Ok(None);
    };
    let limit = Duration::try_from_secs_f64(seconds);
    let limit = limit.map_err(|_| Usage::new("--time is a number of seconds"))?;
    let (sender, receiver) = mpsc::channel::<()>();
    let stop = stop.clone();
    thread::spawn(move || {
        if receiver.recv_timeout(limit) == Err(mpsc::RecvTimeoutError::Timeout) {
            stop.stop();
        }
    });
    Ok(Some(sender))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use tengen_files::Faulty;

    use super::*;

    #[test]
    fn a_checkpoint_survives_a_failure_at_any_call() {
        let folder = std::env::temp_dir().join(format!("tengen-checkpoint-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let file = folder.join("checkpoint");
        let setup = "...\n...\n".parse().unwrap();
        let mut solver = Solver::new(&setup, Options::default()).unwrap();
        let sound = Faulty::sound();
        save(&sound, &solver, &file).unwrap();
        let before = fs::read(&file).unwrap();
        solver.solve(&mut |_, _| {});
        for call in 1..=sound.calls() {
            save(
                &Disk,
                &Solver::new(&setup, Options::default()).unwrap(),
                &file,
            )
            .unwrap();
            assert_eq!(fs::read(&file).unwrap(), before);
            let result = save(&Faulty::failing_at(call), &solver, &file);
            let error = format!("{:#}", result.unwrap_err());
            assert!(
                error.contains("cannot write") && error.contains("No space"),
                "{error}"
            );
            let left = fs::read(&file).unwrap();
            // Whichever it is, it can be read.
            let mut solver = Solver::new(&setup, Options::default()).unwrap();
            solver.restore(left.as_slice()).unwrap();
            if call < sound.calls() {
                assert_eq!(left, before, "call {call}");
            }
        }
        fs::remove_dir_all(folder).unwrap();
    }
}
