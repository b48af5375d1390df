//! `tengen solve --region`: life and death in a part of a board.

use std::io;
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context, Result};
use tengen_core::{Color, PointSet, Stop};
use tengen_files::write_whole;
use tengen_sgf::Collection;
use tengen_solver::certificate::local::{Goal, Threats};
use tengen_solver::local::{self, Answer, Solver, Wanted};
use tengen_solver::verify::Proven;

use super::local_report::LocalReport;
use super::problem::Problem;
use super::report::{Proof, cannot_write};
use super::solution::add_solution;
use super::{SolveArgs, time_limit};
use crate::failure::Usage;
use crate::interrupt::Interrupt;

/// Solves all problems of a file and prints the answers.
pub(super) fn run(args: &SolveArgs, region: Option<&str>) -> Result<()> {
    let problems = Problem::read_all(&args.board, args.number)?;
    let is_only = problems.len() == 1;
    let interrupt = Interrupt::stops(&Stop::new())?;
    let mut solutions = Collection::new();
    for (number, problem) in (1..).zip(&problems) {
        let place = if is_only {
            args.board.clone()
        } else {
            format!("{}, problem {number}", args.board)
        };
        let local = local_problem(problem, region, args.target.as_deref())
            .map_err(|problem| Usage::new(format_args!("{place}: {problem}")))?;
        let start = Instant::now();
        let mut solver = Solver::new(local, args.memory.0);
        let stop = solver.stop();
        interrupt.now_stops(&stop);
        let limit = time_limit(&stop, args.time)?;
        let to_move = local.setup.to_move;
        let first: Vec<Color> = match args.to_move {
            Some(color) => vec![color],
            None => vec![to_move, !to_move],
        };
        let answers: Vec<Answer> = first.iter().map(|color| solver.answer(*color)).collect();
        let complete = !stop.is_stopped() && !solver.is_full();
        // What is left, writing down, is done even if the search was stopped.
        drop(limit);
        stop.reset();
        let mut proofs = Vec::new();
        if let Some(file) = &args.proof {
            for answer in &answers {
                for (goal, threats) in &answer.proven {
                    let name = numbered(file, (!is_only).then_some(number), proofs.len() + 1);
                    proofs.push(write_proof(&mut solver, (*goal, *threats), answer, &name)?);
                }
            }
        }
        if args.solution.is_some() {
            add_solution(&mut solutions, &mut solver, &answers, args.solution_moves);
        }
        let report = LocalReport {
            number: (!is_only).then_some(number),
            problem: local,
            answers,
            proofs,
            complete,
            nodes: solver.nodes(),
            seconds: start.elapsed().as_secs_f64(),
        };
        let mut out = io::stdout().lock();
        if args.json {
            report.print_json(&mut out)?;
        } else {
            report.print(&mut out)?;
        }
        if interrupt.was_heard() {
            break;
        }
    }
    if let Some(file) = &args.solution {
        write_whole(file, solutions.to_string().as_bytes()).map_err(cannot_write)?;
    }
    Ok(())
}

/// The problem of life and death in a position. What the command line says goes before what the record marks.
fn local_problem(
    problem: &Problem,
    region: Option<&str>,
    target: Option<&str>,
) -> Result<local::Problem> {
    let wanted = |named: Option<&str>, marked: PointSet| match named {
        Some(text) => PointSet::from_gtp(text, problem.setup.size).map(Some),
        None => Ok((!marked.is_empty()).then_some(marked)),
    };
    let wanted = Wanted {
        region: wanted(region, problem.selected)?,
        target: wanted(target, problem.marked)?,
    };
    Ok(local::Problem::find(&problem.setup, wanted)?)
}

/// The name of a certificate: the first has that of the command line, and others have a number behind it.
fn numbered(file: &Path, problem: Option<usize>, proof: usize) -> PathBuf {
    let mut name = file.to_path_buf().into_os_string();
    if let Some(problem) = problem {
        name.push(format!(".{problem}"));
    }
    if proof > 1 {
        name.push(format!(".{proof}"));
    }
    PathBuf::from(name)
}

/// Writes a certificate under another name, and then under its own, and has it checked.
fn write_proof(
    solver: &mut Solver,
    (goal, threats): (Goal, Threats),
    answer: &Answer,
    file: &Path,
) -> Result<Proof> {
    let problem = solver.problem().with_first(answer.first);
    let expected = problem.claim(goal, threats);
    let claim = expected.to_string();
    let writer = solver
        .certificate(goal, threats, answer.first)
        .with_context(|| format!("no proof that {claim}"))?
        .with_context(|| format!("no proof that {claim}"))?;
    let mut proof = Proof::write(file, claim, |output| writer.finish(output))?;
    proof.check(
        &solver.stop(),
        |proven| matches!(proven, Proven::Local(theorem) if theorem.claim == expected),
    )?;
    Ok(proof)
}
