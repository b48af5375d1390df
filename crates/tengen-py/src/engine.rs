//! The engine as Python asks it.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString, PyTuple};
use tengen_search::{
    Choice, Judge, Level, Limits, Options, Restriction, RestrictionKind, Restrictions, Stop, Task,
};

use crate::analysis::Analysis;
use crate::game::Game;
use crate::interruptible::interruptible;
use crate::net::Net;
use crate::pickle::reduce;
use crate::vertex::{Vertex, names};

/// The visits of a search that was given no limit.
const VISITS: u32 = 1000;

/// The name that stands for no network.
const NONE: &str = "none";

/// The least memory that a search can be made in.
const LEAST_MEMORY: usize = 1 << 20;

/// A player and analyst.
///
/// Positions are evaluated by `net`, a `Net` or the name of a file that holds one. Without any, the two networks of the
/// package do it: `Net.baseline()` on boards up to 9x9, and `Net.baseline(large=True)` on larger ones up to 19x19. With
/// 'none', rollouts do it, and so they do on boards that are larger than a network has learned on, guided by it.
/// `threads` search one position together, all cores unless given; with one, the same `seed` finds the same every time
/// as long as the engine is asked the same. `memory` is how many bytes a search may take. What was learnt is kept from
/// one move of a game to the next. Calls from several threads take turns, and other Python threads run while an engine
/// thinks. A pickled engine comes back with the same settings and without what it has learnt.
///
/// >>> import tengen
/// >>> engine = tengen.Engine(threads=1, seed=1)
/// >>> game = tengen.Game(5)
/// >>> while len(game.moves) < 4:
/// ...     game.play(engine.choose(game, visits=50))
/// >>> analysis = engine.analyze(game, visits=100)
/// >>> analysis.to_move, analysis.best in game.legal_moves()
/// ('black', True)
#[pyclass(frozen, module = "tengen")]
pub(crate) struct Engine {
    engine: Mutex<tengen_search::Engine>,
    /// Who judges positions.
    judge: Judge,
    /// The network that it judges by, if there is one.
    #[pyo3(get)]
    net: Option<Py<Net>>,
    /// How many threads search a position.
    #[pyo3(get)]
    threads: usize,
    /// The seed of all that is random.
    #[pyo3(get)]
    seed: u64,
    /// How many bytes a search may take.
    #[pyo3(get)]
    memory: usize,
}

/// How Python names a network.
#[derive(FromPyObject)]
enum NetOrFile<'py> {
    Net(Bound<'py, Net>),
    File(PathBuf),
}

/// When a search ends.
fn limits(visits: Option<u32>, time: Option<f64>) -> PyResult<Limits> {
    if visits == Some(0) {
        return Err(PyValueError::new_err("visits are 1 or more"));
    }
    let time = match time {
        None => None,
        Some(seconds) => match Duration::try_from_secs_f64(seconds) {
            Ok(time) if !time.is_zero() => Some(time),
            _ => {
                return Err(PyValueError::new_err(format!(
                    "time is a number of seconds above 0, not {seconds}"
                )));
            }
        },
    };
    Ok(Limits {
        visits: match (visits, time) {
            (None, None) => Some(VISITS),
            _ => visits,
        },
        time,
        may_end_early: false,
    })
}

/// The moves that the player to move leaves out.
fn restrictions(
    game: &tengen_core::Game,
    avoid: Option<&Bound<'_, PyAny>>,
    allow: Option<&Bound<'_, PyAny>>,
) -> PyResult<Restrictions> {
    let mut restrictions = Vec::new();
    for (moves, kind) in [
        (avoid, RestrictionKind::Avoid),
        (allow, RestrictionKind::Allow),
    ] {
        if let Some(moves) = moves {
            restrictions.push(Restriction {
                color: game.to_move(),
                moves: read_moves(moves, game.size())?,
                kind,
                until_depth: 1,
            });
        }
    }
    Ok(Restrictions(restrictions))
}

/// Any number of moves: a list of them, or a text such as `"D4 pass"`.
fn read_moves(
    value: &Bound<'_, PyAny>,
    size: tengen_core::Size,
) -> PyResult<Vec<tengen_core::Move>> {
    if let Ok(text) = value.cast::<PyString>() {
        let text = text.to_cow()?;
        return text
            .split_whitespace()
            .map(|word| Vertex::read_move(PyString::new(value.py(), word).as_any(), size))
            .collect();
    }
    value
        .try_iter()?
        .map(|action| Vertex::read_move(&action?, size))
        .collect()
}

impl Engine {
    /// Lets the engine do something while other Python threads run. KeyboardInterrupt, and whatever else a signal
    /// raises, ends it.
    fn think<T: Send>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&mut tengen_search::Engine, &Stop) -> T + Send,
    ) -> PyResult<T> {
        let stop = Stop::new();
        interruptible(
            py,
            || stop.stop(),
            || {
                // A search that panicked has not put back what it remembered.
                let mut engine = self.engine.lock().unwrap_or_else(PoisonError::into_inner);
                work(&mut engine, &stop)
            },
        )
    }
}

#[pymethods]
impl Engine {
    #[new]
    #[pyo3(signature = (*, net=None, threads=None, seed=0, memory=1 << 30), text_signature = "(*, net=None, \
        threads=None, seed=0, memory=1073741824)")]
    fn new(
        py: Python<'_>,
        net: Option<NetOrFile<'_>>,
        threads: Option<usize>,
        seed: u64,
        memory: usize,
    ) -> PyResult<Self> {
        let options = Options {
            seed,
            memory,
            ..Options::default()
        };
        let threads = threads.unwrap_or(options.threads);
        if !(1..=1024).contains(&threads) {
            return Err(PyValueError::new_err(format!(
                "threads are 1 to 1024, not {threads}"
            )));
        }
        if memory < LEAST_MEMORY {
            return Err(PyValueError::new_err(format!(
                "memory is {LEAST_MEMORY} bytes or more, not {memory}"
            )));
        }
        let net = match net {
            None => Some(Py::new(py, Net::baseline(py, false)?)?),
            Some(NetOrFile::Net(net)) => Some(net.clone().unbind()),
            Some(NetOrFile::File(path)) if path == Path::new(NONE) => None,
            Some(NetOrFile::File(path)) => Some(Py::new(py, Net::load(py, path)?)?),
        };
        let judge = net
            .as_ref()
            .map_or_else(Judge::default, |net| net.get().judge());
        Ok(Self {
            engine: Mutex::new(judge.engine(Options { threads, ..options })),
            judge,
            net,
            threads,
            seed,
            memory,
        })
    }

    /// A pickled engine is one with the same settings. What it has learnt of a game stays behind.
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let net = self.net.as_ref().map(|net| net.clone_ref(py));
        reduce::<Self>(py, (net, self.threads, self.seed, self.memory))
    }

    /// For pickle.
    #[staticmethod]
    fn _restore(
        py: Python<'_>,
        net: Option<Bound<'_, Net>>,
        threads: usize,
        seed: u64,
        memory: usize,
    ) -> PyResult<Self> {
        let net = match net {
            Some(net) => NetOrFile::Net(net),
            None => NetOrFile::File(PathBuf::from(NONE)),
        };
        Self::new(py, Some(net), Some(threads), seed, memory)
    }

    /// Searches a position, up to so many visits or so many seconds, 1000 visits if neither is given.
    ///
    /// At the first move it leaves out what is in `avoid`, or all that is not in `allow`: lists of moves, or texts such
    /// as 'D4 pass'. A game that is over is searched as if it went on.
    ///
    /// >>> analysis = Engine(threads=1).analyze(Game(9), visits=30, avoid='E5 pass')
    /// >>> analysis.visits >= 30, analysis.ownership.shape
    /// (True, (9, 9))
    /// >>> 'E5' in [candidate.move for candidate in analysis.moves]
    /// False
    #[pyo3(signature = (game, *, visits=None, time=None, avoid=None, allow=None))]
    fn analyze(
        &self,
        py: Python<'_>,
        game: &Bound<'_, Game>,
        visits: Option<u32>,
        time: Option<f64>,
        avoid: Option<&Bound<'_, PyAny>>,
        allow: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Analysis> {
        let game = game.get().lock().clone();
        let task = Task {
            limits: limits(visits, time)?,
            restrictions: restrictions(&game, avoid, allow)?,
            ..Task::default()
        };
        let found = self.think(py, |engine, stop| {
            engine.analyze(&game, &task, stop, &mut |_| {})
        })?;
        Ok(Analysis::new(found, game.size()))
    }

    /// The move that the engine would make, such as 'D4' or 'pass', after so many visits or seconds, 1000 visits if
    /// neither is given; None if it would rather resign, which it never does without `resign=True`.
    ///
    /// `level` is how well it plays, from 1, whom a beginner beats, to 20, its full strength.
    ///
    /// >>> Engine(threads=1).choose(Game(9), visits=30, level=3) in Game(9).legal_moves()
    /// True
    #[pyo3(signature = (game, *, visits=None, time=None, level=20, resign=false))]
    fn choose(
        &self,
        py: Python<'_>,
        game: &Bound<'_, Game>,
        visits: Option<u32>,
        time: Option<f64>,
        level: u8,
        resign: bool,
    ) -> PyResult<Option<String>> {
        let level = Level::new(level).ok_or_else(|| {
            let highest = Level::FULL.number();
            PyValueError::new_err(format!("a level is 1 to {highest}, not {level}"))
        })?;
        let game = game.get().lock().clone();
        let choice = Choice {
            task: Task {
                limits: limits(visits, time)?,
                ..Task::default()
            },
            level,
            may_resign: resign,
            ..Choice::default()
        };
        let decision = self.think(py, |engine, stop| {
            engine.choose(&game, &choice, stop, &mut |_| {})
        })?;
        Ok(decision.action.map(|action| action.to_gtp(game.size())))
    }

    /// Which stones are dead, and which are in seki, if the game ended here: what `Game.score` and `Game.ownership`
    /// take.
    ///
    /// >>> game = Game(setup='''
    /// ...     . O X . O . .
    /// ...     . X X . O O .
    /// ...     X X . X O . O
    /// ...     . X X X O O .''', rules='japanese', komi=0)
    /// >>> settled = Engine(threads=1).settle(game)
    /// >>> settled
    /// {'dead': ['B4'], 'seki': []}
    /// >>> print(game.score(**settled))
    /// B+1
    fn settle<'py>(
        &self,
        py: Python<'py>,
        game: &Bound<'py, Game>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let game = game.get().lock().clone();
        let settlement = self.think(py, |engine, stop| engine.settle(&game, stop))?;
        let dict = PyDict::new(py);
        dict.set_item("dead", names(&settlement.dead, game.size()))?;
        dict.set_item("seki", names(&settlement.seki, game.size()))?;
        Ok(dict)
    }

    /// Forgets all that was learnt.
    fn clear(&self, py: Python<'_>) -> PyResult<()> {
        self.think(py, |engine, _| engine.clear())
    }

    fn __repr__(&self) -> String {
        format!(
            "<Engine with {}, threads {}, seed {}, memory {}>",
            self.judge.name(),
            self.threads,
            self.seed,
            self.memory
        )
    }
}
