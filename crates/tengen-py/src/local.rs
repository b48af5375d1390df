//! Life and death in a part of a board.

use std::path::{Path, PathBuf};

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use tengen_solver::certificate::local::{Goal, Threats};
use tengen_solver::local::{Problem, SCENARIOS, Solver, Wanted};

use crate::color::Color;
use crate::interruptible::interruptible;
use crate::net::write;
use crate::pickle;
use crate::solver::{read_position, read_time, within};
use crate::vertex::{Vertex, names};

/// What becomes of stones in a part of a board.
#[pyclass(frozen, get_all, module = "tengen")]
#[derive(Clone)]
pub(crate) struct LocalSolution {
    /// Whose stones it is about.
    defender: String,
    /// The points of these stones.
    target: Vec<String>,
    /// Where may be played.
    region: Vec<String>,
    /// What becomes of them, for each player who was to be first.
    answers: Vec<LocalAnswer>,
    /// The files of the certificates that were written.
    proofs: Vec<PathBuf>,
    /// False if the search was stopped by the time or the memory.
    complete: bool,
    /// How many situations were looked at or met.
    nodes: u64,
}

#[pymethods]
impl LocalSolution {
    fn __repr__(&self) -> String {
        let answers = self.answers.iter();
        let answers: Vec<String> = answers.map(LocalAnswer::text).collect();
        format!("<LocalSolution {}: {}>", self.defender, answers.join(", "))
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let state = (
            &self.defender,
            &self.target,
            &self.region,
            self.answers.clone(),
            &self.proofs,
            self.complete,
            self.nodes,
        );
        pickle::reduce::<Self>(py, state)
    }

    #[staticmethod]
    #[expect(
        clippy::needless_pass_by_value,
        reason = "what Python hands over comes by value"
    )]
    fn _restore(
        defender: String,
        target: Vec<String>,
        region: Vec<String>,
        answers: Vec<Bound<'_, LocalAnswer>>,
        proofs: Vec<PathBuf>,
        complete: bool,
        nodes: u64,
    ) -> Self {
        Self {
            defender,
            target,
            region,
            answers: answers.iter().map(|answer| answer.get().clone()).collect(),
            proofs,
            complete,
            nodes,
        }
    }
}

/// What becomes of the stones when one player moves first.
#[pyclass(frozen, get_all, module = "tengen")]
#[derive(Clone)]
pub(crate) struct LocalAnswer {
    /// Who moves first.
    first: String,
    /// `lives`, `seki`, `stands`, `dies`, `ko`, `repetition` or `open`.
    verdict: String,
    /// The ko threats of the attacker, those of the defender, and what becomes of the stones: `captured`, `stands`,
    /// `repeats` or `open`.
    outcomes: Vec<(String, String, String)>,
    /// What the first player's best moves reach: `capture`, `stand` or `live`.
    reached: Option<String>,
    /// The first moves that reach it; a pass if no move is needed.
    moves: Vec<String>,
    /// The strongest statements that are proven: the goal, and the ko threats of attacker and defender.
    proven: Vec<(String, String, String)>,
}

impl LocalAnswer {
    fn of(answer: &tengen_solver::local::Answer, problem: &Problem) -> Self {
        let size = problem.setup.size;
        let supplies =
            |threats: Threats| (threats.attacker.to_string(), threats.defender.to_string());
        let outcomes = SCENARIOS.into_iter().zip(answer.outcomes);
        let outcomes = outcomes.map(|(threats, outcome)| {
            let (attacker, defender) = supplies(threats);
            (attacker, defender, outcome.name().to_owned())
        });
        let proven = answer.proven.iter().map(|(goal, threats)| {
            let (attacker, defender) = supplies(*threats);
            (goal.name().to_owned(), attacker, defender)
        });
        let moves = answer.moves.iter();
        Self {
            first: Color(answer.first).name().to_owned(),
            verdict: answer.verdict.name().to_owned(),
            outcomes: outcomes.collect(),
            reached: answer.reached.map(|(goal, _)| goal.name().to_owned()),
            moves: moves.map(|action| action.to_gtp(size)).collect(),
            proven: proven.collect(),
        }
    }

    fn text(&self) -> String {
        format!("{} if {} is first", self.verdict, self.first)
    }
}

#[pymethods]
impl LocalAnswer {
    fn __repr__(&self) -> String {
        format!("<LocalAnswer {}>", self.text())
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let state = (
            &self.first,
            &self.verdict,
            self.outcomes.clone(),
            &self.reached,
            &self.moves,
            self.proven.clone(),
        );
        pickle::reduce::<Self>(py, state)
    }

    #[staticmethod]
    const fn _restore(
        first: String,
        verdict: String,
        outcomes: Vec<(String, String, String)>,
        reached: Option<String>,
        moves: Vec<String>,
        proven: Vec<(String, String, String)>,
    ) -> Self {
        Self {
            first,
            verdict,
            outcomes,
            reached,
            moves,
            proven,
        }
    }
}

/// Finds out whether stones live or die when stones are put down in one part of a board only.
///
/// `target` are points of the stones that it is about, at least one of each chain, and `region` is where may be played;
/// 'A1:D4' is a rectangle. What is left out is found out: stones that are shut in, and all that they reach. Both
/// players are tried first, or only the one named by `first`. `time` in seconds ends the search early. With `proof` all
/// that is proven gets a certificate: the first in that file, others with a number behind its name.
///
/// >>> import tengen
/// >>> tengen.solve_local('...OX./OOOOX./XXXXX./......'.replace('/', '\n'))
/// <LocalSolution white: dies if black is first, lives if white is first>
#[pyfunction]
#[pyo3(
    signature = (position, *, region=None, target=None, first=None, time=None, memory=1 << 28, proof=None),
    text_signature = "(position, *, region=None, target=None, first=None, time=None, memory=268435456, proof=None)"
)]
#[expect(clippy::too_many_arguments, reason = "Python names all of them")]
pub(crate) fn solve_local(
    py: Python<'_>,
    position: &Bound<'_, PyAny>,
    region: Option<&Bound<'_, PyAny>>,
    target: Option<&Bound<'_, PyAny>>,
    first: Option<Color>,
    time: Option<f64>,
    memory: u64,
    proof: Option<PathBuf>,
) -> PyResult<LocalSolution> {
    let setup = read_position(position)?;
    let points = |value: Option<&Bound<'_, PyAny>>| {
        let set = value.map(|points| Vertex::read_points(points, setup.size));
        set.transpose()
    };
    let wanted = Wanted {
        region: points(region)?,
        target: points(target)?,
    };
    let time = read_time(time)?;
    let problem =
        Problem::find(&setup, wanted).map_err(|error| PyValueError::new_err(error.to_string()))?;
    let firsts = match first {
        Some(Color(color)) => vec![color],
        None => vec![setup.to_move, !setup.to_move],
    };
    let mut solver = Solver::new(problem, memory);
    let stop = solver.stop();
    let (answers, certificates) = interruptible(
        py,
        || stop.stop(),
        || {
            let answers = within(time, &stop, || {
                let answers = firsts.iter().map(|first| solver.answer(*first));
                answers.collect::<Vec<_>>()
            });
            let mut certificates = Vec::new();
            if proof.is_some() {
                for answer in &answers {
                    for statement in &answer.proven {
                        certificates.extend(certificate(&mut solver, *statement, answer.first));
                    }
                }
            }
            (answers, certificates)
        },
    )?;
    let mut proofs = Vec::new();
    if let Some(file) = proof {
        for (number, bytes) in (1..).zip(certificates) {
            let name = numbered(&file, number);
            write(&name, &bytes)?;
            proofs.push(name);
        }
    }
    let answers = answers.iter();
    Ok(LocalSolution {
        defender: Color(problem.defender).name().to_owned(),
        target: names(&problem.target, setup.size),
        region: names(&problem.region, setup.size),
        answers: answers
            .map(|answer| LocalAnswer::of(answer, &problem))
            .collect(),
        proofs,
        complete: !stop.is_stopped() && !solver.is_full(),
        nodes: solver.nodes(),
    })
}

/// The certificate of a statement that was proven.
fn certificate(
    solver: &mut Solver,
    (goal, threats): (Goal, Threats),
    first: tengen_core::Color,
) -> Option<Vec<u8>> {
    let writer = solver.certificate(goal, threats, first)?.ok()?;
    let mut bytes = Vec::new();
    writer.finish(&mut bytes).ok()?;
    Some(bytes)
}

/// The name of a certificate: the first has the name that was given, and others have a number behind it.
fn numbered(file: &Path, number: usize) -> PathBuf {
    let mut name = file.to_path_buf().into_os_string();
    if number > 1 {
        name.push(format!(".{number}"));
    }
    PathBuf::from(name)
}
