//! Exact values of small boards, and proofs of them.

use std::fs::File;
use std::io::{BufReader, Cursor, Read};
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyString, PyTuple};
use tengen_core::{Color, Ko, Setup, Stop};
use tengen_solver::verify::{KoRule, Proven, verify_any};
use tengen_solver::{Interval, Options};

use crate::board::read_setup;
use crate::game::Game;
use crate::interruptible::interruptible;
use crate::net::write;
use crate::pickle;

/// What each player forces from a position: Black's area minus White's, without komi.
#[pyclass(frozen, get_all, module = "tengen")]
#[derive(Clone)]
pub(crate) struct Solution {
    /// Black forces at least this.
    lower: i32,
    /// White forces at most this.
    upper: i32,
    /// The ko rules under which the checker grants both bounds: of `simple`, `situational` and `positional`.
    ko_rules: Vec<String>,
    /// What the game is worth under the ko rule that was asked for.
    under_rule: Option<(i32, i32)>,
    /// The exact result of every move, if it was asked for: what Black and White force after it.
    moves: Option<Vec<(String, i32, i32)>>,
    /// Best play, as far as it is known.
    line: Vec<String>,
    /// False if the search was stopped by the time.
    complete: bool,
    /// How many positions were searched.
    nodes: u64,
}

#[pymethods]
impl Solution {
    /// The value: under the ko rule that was asked for, or where the bounds meet.
    #[getter]
    fn value(&self) -> Option<i32> {
        let (lower, upper) = self.under_rule.unwrap_or((self.lower, self.upper));
        (lower == upper).then_some(lower)
    }

    /// Is the value the same under every ko rule, as the checker confirms?
    #[getter]
    fn any_ko_rule(&self) -> bool {
        self.lower == self.upper && self.ko_rules.len() == 3
    }

    fn __repr__(&self) -> String {
        match self.value() {
            Some(value) => format!("<Solution {value}>"),
            None => format!("<Solution {} to {}>", self.lower, self.upper),
        }
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let state = (
            (self.lower, self.upper),
            self.ko_rules.clone(),
            self.under_rule,
            self.moves.clone(),
            self.line.clone(),
            self.complete,
            self.nodes,
        );
        pickle::reduce::<Self>(py, state)
    }

    #[staticmethod]
    const fn _restore(
        bounds: (i32, i32),
        ko_rules: Vec<String>,
        under_rule: Option<(i32, i32)>,
        moves: Option<Vec<(String, i32, i32)>>,
        line: Vec<String>,
        complete: bool,
        nodes: u64,
    ) -> Self {
        let (lower, upper) = bounds;
        Self {
            lower,
            upper,
            ko_rules,
            under_rule,
            moves,
            line,
            complete,
            nodes,
        }
    }
}

/// A theorem that the checker has confirmed.
#[pyclass(frozen, get_all, module = "tengen")]
#[derive(Clone)]
pub(crate) struct Theorem {
    /// What is proven, as a sentence.
    claim: String,
    /// The ko rules under which it holds; none are named if it is about a part of a board, where the claim says who has
    /// ko threats.
    ko_rules: Vec<String>,
    /// How many situations the strategy reaches.
    nodes: u64,
}

#[pymethods]
impl Theorem {
    fn __repr__(&self) -> String {
        format!("<Theorem {}>", self.claim)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        pickle::reduce::<Self>(py, (&self.claim, &self.ko_rules, self.nodes))
    }

    #[staticmethod]
    const fn _restore(claim: String, ko_rules: Vec<String>, nodes: u64) -> Self {
        Self {
            claim,
            ko_rules,
            nodes,
        }
    }
}

/// Reads a position: a game, a board, a diagram or a size.
pub(crate) fn read_position(position: &Bound<'_, PyAny>) -> PyResult<Setup> {
    if let Ok(game) = position.cast::<Game>() {
        let game = game.get().lock();
        return Ok(Setup::of(game.board(), game.to_move()));
    }
    if let Ok(text) = position.cast::<PyString>()
        && let Ok(size) = text.to_cow()?.parse()
    {
        return Ok(Setup::empty(size));
    }
    read_setup(position)
}

/// Reads a number of seconds.
pub(crate) fn read_time(seconds: Option<f64>) -> PyResult<Option<Duration>> {
    let read = |seconds| {
        Duration::try_from_secs_f64(seconds).map_err(|_| {
            PyValueError::new_err(format!("time is a number of seconds, not {seconds}"))
        })
    };
    seconds.map(read).transpose()
}

/// Does some work, which is stopped when the time is up.
pub(crate) fn within<T>(time: Option<Duration>, stop: &Stop, work: impl FnOnce() -> T) -> T {
    thread::scope(|scope| {
        // Nothing is ever sent: the end of the work closes the channel.
        let (sender, receiver) = mpsc::channel::<()>();
        if let Some(time) = time {
            scope.spawn(move || {
                if receiver.recv_timeout(time) == Err(RecvTimeoutError::Timeout) {
                    stop.stop();
                }
            });
        }
        let done = work();
        drop(sender);
        done
    })
}

/// Finds out what each player forces from a position, whatever the other one does: a `Game`, a `Board`, a diagram or a
/// size such as '3x4', of up to 36 points. What was played before does not count.
///
/// With `all_moves` every move gets its own result. `rules` ('positional', 'situational' or 'simple', under which a
/// game that goes on for ever is a tie) asks for the value under one ko rule; superko is for the smallest boards.
/// `time` in seconds ends the search early, with what was proven by then. With `proof` the certificates are written to
/// that file, and that of the upper bound to the same name with '.upper'.
///
/// >>> import tengen
/// >>> tengen.solve('3x3')
/// <Solution 9>
/// >>> tengen.solve('2x3', rules='positional').under_rule
/// (0, 0)
#[pyfunction]
#[pyo3(
    signature = (position, *, all_moves=false, rules=None, time=None, memory=1 << 28, threads=1, proof=None),
    text_signature = "(position, *, all_moves=False, rules=None, time=None, memory=268435456, threads=1, proof=None)"
)]
#[expect(clippy::too_many_arguments, reason = "Python names all of them")]
pub(crate) fn solve(
    py: Python<'_>,
    position: &Bound<'_, PyAny>,
    all_moves: bool,
    rules: Option<&str>,
    time: Option<f64>,
    memory: u64,
    threads: usize,
    proof: Option<PathBuf>,
) -> PyResult<Solution> {
    let setup = read_position(position)?;
    let ko = match rules {
        None => None,
        Some("positional") => Some(Ko::Positional),
        Some("situational") => Some(Ko::Situational),
        Some("simple") => Some(Ko::Simple),
        Some(other) => {
            return Err(PyValueError::new_err(format!(
                "rules are 'positional', 'situational' or 'simple', not {other:?}"
            )));
        }
    };
    let threads = NonZeroUsize::new(threads)
        .filter(|threads| threads.get() <= 1024)
        .ok_or_else(|| PyValueError::new_err(format!("threads are 1 to 1024, not {threads}")))?;
    let time = read_time(time)?;
    let options = Options {
        memory,
        threads,
        ..Options::default()
    };
    let mut solver = tengen_solver::Solver::new(&setup, options)
        .map_err(|error| PyValueError::new_err(error.to_string()))?;
    let stop = solver.stop();
    let (solution, proofs) = interruptible(
        py,
        || stop.stop(),
        || {
            let solution = within(time, &stop, || search(&mut solver, all_moves, ko));
            // What is left, writing down, is done even if the search was stopped.
            solver.go_on();
            let proofs = match &proof {
                None => Vec::new(),
                Some(_) => certificates(&solver),
            };
            (solution, proofs)
        },
    )?;
    if let Some(file) = proof {
        for (name, bytes) in ["", ".upper"].into_iter().zip(proofs) {
            let mut path = file.clone().into_os_string();
            path.push(name);
            if let Some(bytes) = bytes {
                write(&PathBuf::from(path), &bytes)?;
            }
        }
    }
    Ok(solution)
}

fn search(solver: &mut tengen_solver::Solver, all_moves: bool, ko: Option<Ko>) -> Solution {
    let size = solver.setup().size;
    let interval = solver.solve(&mut |_, _| {});
    let moves = all_moves.then(|| {
        let moves = solver.moves(&mut |_, _| {});
        let row = |(action, interval): (tengen_core::Move, Interval)| {
            (action.to_gtp(size), interval.lower, interval.upper)
        };
        moves.into_iter().map(row).collect()
    });
    let under_rule = ko
        .map(|ko| solver.solve_with_history(ko))
        .map(|interval| (interval.lower, interval.upper));
    let complete = !solver.stop().is_stopped();
    solver.go_on();
    let [lower, upper] = Color::BOTH.map(|color| solver.confirmed(interval.bound(color)));
    let ko_rules = lower.into_iter().filter(|rule| upper.contains(rule));
    let mover = solver.setup().to_move;
    let line = solver.line(interval.bound(mover));
    Solution {
        lower: interval.lower,
        upper: interval.upper,
        ko_rules: ko_rules.map(|rule| rule.name().to_owned()).collect(),
        under_rule,
        moves,
        line: line.iter().map(|action| action.to_gtp(size)).collect(),
        complete,
        nodes: solver.nodes(),
    }
}

/// The proofs of both bounds, as far as there is something to prove.
fn certificates(solver: &tengen_solver::Solver) -> Vec<Option<Vec<u8>>> {
    Color::BOTH
        .map(|color| {
            let writer = solver.certificate(solver.interval().bound(color)).ok()?;
            let mut bytes = Vec::new();
            writer.finish(&mut bytes).ok()?;
            Some(bytes)
        })
        .into()
}

/// Where a certificate is.
#[derive(FromPyObject)]
pub(crate) enum Certificate {
    /// In memory.
    Bytes(Vec<u8>),
    /// In a file.
    File(PathBuf),
}

/// Checks a certificate, the bytes of one or the name of a file, and says what it proves. ValueError says where the
/// first fault is.
///
/// The checker shares nothing with the solver but the format of the file.
#[pyfunction]
pub(crate) fn verify(py: Python<'_>, certificate: Certificate) -> PyResult<Theorem> {
    let input: Box<dyn Read + Send> = match certificate {
        Certificate::Bytes(bytes) => Box::new(Cursor::new(bytes)),
        Certificate::File(path) => Box::new(BufReader::new(File::open(&path)?)),
    };
    let stop = Stop::new();
    let proven = interruptible(
        py,
        || stop.stop(),
        || {
            verify_any(input, &mut |_| match stop.is_stopped() {
                true => ControlFlow::Break(()),
                false => ControlFlow::Continue(()),
            })
        },
    )?
    .map_err(|refusal| PyValueError::new_err(refusal.to_string()))?;
    Ok(match proven {
        Proven::Board(theorem) => Theorem {
            claim: theorem.to_string(),
            ko_rules: (theorem.ko_rules.granted().map(KoRule::name))
                .map(str::to_owned)
                .collect(),
            nodes: theorem.nodes,
        },
        Proven::Local(theorem) => Theorem {
            claim: theorem.to_string(),
            ko_rules: Vec::new(),
            nodes: theorem.nodes,
        },
    })
}
