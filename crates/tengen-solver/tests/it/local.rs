//! Life and death in a part of a board.

mod certificates;
mod judged;
mod known;
mod naive;

use std::ops::ControlFlow;

use tengen_core::{Color, PointSet, Setup};
use tengen_solver::certificate::local::{Goal, Threats};
use tengen_solver::local::{Answer, Problem, Solver};
use tengen_solver::verify::{LocalTheorem, Proven, Refusal};

const MEMORY: u64 = 256 << 20;

/// The problem of all stones of a colour in a diagram, where everything may be played but what the other
/// colour's chains with a liberty on the last row or column keep out.
///
/// Diagrams end with a free row or column beyond the region, marked by `,` in the text.
fn problem(text: &str, target: Color) -> Problem {
    let rows: Vec<&str> = text
        .lines()
        .map(str::trim)
        .filter(|row| !row.is_empty())
        .collect();
    let mut region = PointSet::EMPTY;
    for (y, row) in (0..).zip(&rows) {
        for (x, sign) in (0..).zip(row.split_whitespace()) {
            if sign != "," {
                region.insert(tengen_core::Point::new(x, y));
            }
        }
    }
    let setup: Setup = rows.join("\n").replace(',', ".").parse().unwrap();
    Problem::new(&setup, &region, &setup.stones[target]).unwrap()
}

fn solver(problem: Problem) -> Solver {
    Solver::new(problem, MEMORY)
}

/// What becomes of White's stones when Black, and when White moves first.
fn answers(text: &str) -> [Answer; 2] {
    let mut solver = solver(problem(text, Color::White));
    let answers = Color::BOTH.map(|first| solver.answer(first));
    for answer in &answers {
        for (goal, threats) in &answer.proven {
            check(&mut solver, *goal, *threats, answer.first);
        }
    }
    answers
}

/// The certificate of what a solver has proven.
fn certificate(solver: &mut Solver, goal: Goal, threats: Threats, first: Color) -> Vec<u8> {
    let writer = solver.certificate(goal, threats, first).unwrap().unwrap();
    let mut file = Vec::new();
    writer.finish(&mut file).unwrap();
    file
}

fn verify(file: &[u8]) -> Result<LocalTheorem, Refusal> {
    match tengen_solver::verify::verify_any(file, &mut |_| ControlFlow::Continue(()))? {
        Proven::Local(theorem) => Ok(theorem),
        Proven::Board(theorem) => panic!("{theorem:?}"),
    }
}

/// The checker accepts what a solver has proven, and all of it is needed.
fn check(solver: &mut Solver, goal: Goal, threats: Threats, first: Color) -> LocalTheorem {
    let file = certificate(solver, goal, threats, first);
    let theorem = verify(&file).unwrap();
    let claim = solver.problem().with_first(first).claim(goal, threats);
    assert_eq!(theorem.claim, claim);
    assert_eq!(theorem.unused, 0, "{theorem}");
    theorem
}
