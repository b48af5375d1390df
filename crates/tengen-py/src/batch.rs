//! Games in lockstep, written into arrays that Python brings.

use std::error::Error;
use std::str::FromStr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use numpy::{PyArray1, PyArrayMethods, PyReadonlyArray1, PyReadwriteArray1};
use pyo3::exceptions::{PyIndexError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use tengen_core::Symmetry;
use tengen_env::{
    Actions, AutoReset, BatchError, Features, GameSpec, IllegalAction, Options, Outputs, Planes,
    SnapshotError,
};

use crate::game::Game;
use crate::illegal_move;
use crate::rules::Rules;
use crate::size::Size;

/// Many games in lockstep: the engine room of `VectorEnv`, which is what programs use.
///
/// Calls take turns: one from another thread waits until the one before it is done.
#[pyclass(frozen, module = "tengen._native")]
pub(crate) struct Batch {
    batch: Arc<Mutex<tengen_env::Batch>>,
    /// How many games there are.
    #[pyo3(get)]
    num_envs: usize,
    /// How many actions a game has, the pass included.
    #[pyo3(get)]
    num_actions: usize,
    /// Columns and rows of the frame.
    #[pyo3(get)]
    size: Size,
    /// The dimensions of one observation, or None without planes.
    #[pyo3(get)]
    observation_shape: Option<[usize; 3]>,
    /// How many threads step the games.
    #[pyo3(get)]
    num_threads: usize,
}

/// Planes are bytes or numbers.
pub(crate) enum PlanesArray<'py> {
    Bytes(PyReadwriteArray1<'py, u8>),
    Floats(PyReadwriteArray1<'py, f32>),
}

/// Written out, since a derived one tries one kind after the other and makes an error of what does not fit: ten
/// microseconds.
impl<'py> FromPyObject<'_, 'py> for PlanesArray<'py> {
    type Error = PyErr;

    fn extract(value: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        if let Ok(floats) = value.cast::<PyArray1<f32>>() {
            return Ok(Self::Floats(floats.try_readwrite()?));
        }
        Ok(Self::Bytes(value.cast::<PyArray1<u8>>()?.try_readwrite()?))
    }
}

impl PlanesArray<'_> {
    pub(crate) fn planes(&mut self) -> PyResult<Planes<'_>> {
        Ok(match self {
            Self::Bytes(bytes) => Planes::Bytes(bytes.as_slice_mut()?),
            Self::Floats(floats) => Planes::Floats(floats.as_slice_mut()?),
        })
    }
}

/// Flat views of the arrays that a step fills: `tengen.buffers.Outputs`, by the names of `tengen_env::Outputs`.
#[derive(FromPyObject)]
struct OutputArrays<'py> {
    observation: Option<PlanesArray<'py>>,
    final_observation: Option<PlanesArray<'py>>,
    mask: Option<PyReadwriteArray1<'py, u8>>,
    packed: Option<PyReadwriteArray1<'py, u8>>,
    rewards: Option<PyReadwriteArray1<'py, f32>>,
    terminated: Option<PyReadwriteArray1<'py, u8>>,
    to_move: Option<PyReadwriteArray1<'py, u8>>,
    moves: Option<PyReadwriteArray1<'py, i32>>,
    score: Option<PyReadwriteArray1<'py, f32>>,
}

fn planes<'a>(array: &'a mut Option<PlanesArray<'_>>) -> PyResult<Option<Planes<'a>>> {
    array.as_mut().map(PlanesArray::planes).transpose()
}

fn slice<'a, T: numpy::Element>(
    array: &'a mut Option<PyReadwriteArray1<'_, T>>,
) -> PyResult<Option<&'a mut [T]>> {
    Ok(match array {
        Some(array) => Some(array.as_slice_mut()?),
        None => None,
    })
}

impl OutputArrays<'_> {
    fn outputs(&mut self) -> PyResult<Outputs<'_>> {
        Ok(Outputs {
            observation: planes(&mut self.observation)?,
            final_observation: planes(&mut self.final_observation)?,
            mask: slice(&mut self.mask)?,
            packed: slice(&mut self.packed)?,
            rewards: slice(&mut self.rewards)?,
            terminated: slice(&mut self.terminated)?,
            to_move: slice(&mut self.to_move)?,
            moves: slice(&mut self.moves)?,
            score: slice(&mut self.score)?,
        })
    }
}

impl Batch {
    fn new_with(batch: tengen_env::Batch) -> Self {
        Self {
            num_envs: batch.len(),
            num_actions: batch.actions().count(),
            size: Size(batch.frame()),
            observation_shape: batch.observer().map(tengen_env::Observer::shape),
            num_threads: batch.threads(),
            batch: Arc::new(Mutex::new(batch)),
        }
    }

    /// The games, for this call alone.
    pub(crate) fn lock(&self) -> MutexGuard<'_, tengen_env::Batch> {
        // A step that panicked left whole games behind, since they are played one after the other.
        self.batch.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Does something with the games while other Python threads run.
    fn detached<T: Send>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&mut tengen_env::Batch) -> Result<T, BatchError> + Send,
    ) -> PyResult<T> {
        py.detach(|| work(&mut self.lock()))
            .map_err(|error| refusal(py, &error))
    }
}

fn refusal(py: Python<'_>, error: &BatchError) -> PyErr {
    illegal_move::refusal(py, error, error.refused())
}

fn no_games() -> PyErr {
    PyValueError::new_err("a batch has at least one game")
}

fn bad_snapshot(error: &SnapshotError) -> PyErr {
    PyValueError::new_err(error.to_string())
}

/// How a batch behaves, as `VectorEnv` names it.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
struct BatchOptions {
    autoreset: String,
    illegal: String,
    observation: Option<String>,
    layout: String,
    seed: u64,
    num_threads: usize,
}

impl BatchOptions {
    fn options(&self) -> PyResult<Options> {
        let planes = match &self.observation {
            Some(features) => Some((read(features)?, read(&self.layout)?)),
            None => None,
        };
        let reset = match self.autoreset.as_str() {
            "next-step" => AutoReset::NextStep,
            "same-step" => AutoReset::SameStep,
            "disabled" => AutoReset::Disabled,
            other => {
                return Err(PyValueError::new_err(format!(
                    "autoreset is 'next-step', 'same-step' or 'disabled', not {other:?}"
                )));
            }
        };
        let illegal = match self.illegal.as_str() {
            "error" => IllegalAction::Refused,
            "loses" => IllegalAction::Loses,
            other => {
                return Err(PyValueError::new_err(format!(
                    "illegal is 'error' or 'loses', not {other:?}"
                )));
            }
        };
        Ok(Options {
            reset,
            illegal,
            planes,
            seed: self.seed,
            threads: self.num_threads,
        })
    }
}

/// A value that has a name.
pub(crate) fn read<T: FromStr<Err: Error>>(name: &str) -> PyResult<T> {
    name.parse()
        .map_err(|error: T::Err| PyValueError::new_err(error.to_string()))
}

#[expect(
    clippy::needless_pass_by_value,
    reason = "an array that Python hands over is borrowed by a value"
)]
#[pymethods]
impl Batch {
    #[new]
    fn new(
        py: Python<'_>,
        games: Vec<(Size, PyRef<'_, Rules>)>,
        options: BatchOptions,
    ) -> PyResult<Self> {
        let options = options.options()?;
        if games.is_empty() {
            return Err(no_games());
        }
        let specs: Vec<GameSpec> = games
            .iter()
            .map(|(size, rules)| GameSpec {
                size: size.0,
                rules: rules.0,
            })
            .collect();
        Ok(Self::new_with(
            py.detach(|| tengen_env::Batch::new(&specs, options)),
        ))
    }

    /// A batch of copies of these games, as far as they are.
    #[staticmethod]
    fn of_games(
        py: Python<'_>,
        games: Vec<PyRef<'_, Game>>,
        options: BatchOptions,
    ) -> PyResult<Self> {
        let options = options.options()?;
        if games.is_empty() {
            return Err(no_games());
        }
        let games = games.iter().map(|game| game.lock().clone()).collect();
        Ok(Self::new_with(
            py.detach(|| tengen_env::Batch::of_games(games, options)),
        ))
    }

    /// The batch that a snapshot was taken of.
    #[staticmethod]
    fn from_snapshot(py: Python<'_>, snapshot: &[u8], options: BatchOptions) -> PyResult<Self> {
        let options = options.options()?;
        py.detach(|| tengen_env::Batch::from_snapshot(snapshot, options))
            .map(Self::new_with)
            .map_err(|error| bad_snapshot(&error))
    }

    /// Takes one action in every game, or in those that are marked, and fills the arrays.
    #[pyo3(signature = (actions, which, out))]
    fn step(
        &self,
        py: Python<'_>,
        actions: PyReadonlyArray1<'_, i32>,
        which: Option<PyReadonlyArray1<'_, bool>>,
        mut out: OutputArrays<'_>,
    ) -> PyResult<()> {
        let actions = actions.as_slice()?;
        let which = which.as_ref().map(|which| which.as_slice()).transpose()?;
        let out = out.outputs()?;
        self.detached(py, |batch| batch.step_some(actions, which, out))
    }

    /// Starts all games over, or those that are marked, and fills the arrays.
    #[pyo3(signature = (which, out))]
    fn reset(
        &self,
        py: Python<'_>,
        which: Option<PyReadonlyArray1<'_, bool>>,
        mut out: OutputArrays<'_>,
    ) -> PyResult<()> {
        let which = which.as_ref().map(|which| which.as_slice()).transpose()?;
        let out = out.outputs()?;
        self.detached(py, |batch| batch.reset(which, out))
    }

    /// Fills the arrays without changing a game.
    fn show(&self, py: Python<'_>, mut out: OutputArrays<'_>) -> PyResult<()> {
        let out = out.outputs()?;
        self.detached(py, |batch| batch.show(out))
    }

    /// Draws a legal action for every game.
    fn sample(&self, py: Python<'_>, mut actions: PyReadwriteArray1<'_, i32>) -> PyResult<()> {
        let actions = actions.as_slice_mut()?;
        if actions.len() != self.num_envs {
            return Err(PyValueError::new_err(format!(
                "`actions` has {} values instead of {}",
                actions.len(),
                self.num_envs
            )));
        }
        self.detached(py, |batch| {
            batch.sample(actions);
            Ok(())
        })
    }

    /// Lets compiled programs of JAX step the games: the number that they know them by.
    fn xla_register(&self) -> u32 {
        crate::xla::register(&self.batch)
    }

    /// Gives every game a random generator of its own.
    fn seed(&self, py: Python<'_>, seed: u64) {
        py.detach(|| self.lock().seed(seed));
    }

    /// Fills an array with what these players (0 Black, 1 White) see.
    fn observe(
        &self,
        py: Python<'_>,
        players: PyReadonlyArray1<'_, u8>,
        mut out: PlanesArray<'_>,
    ) -> PyResult<()> {
        let players: Vec<tengen_core::Color> = players
            .as_slice()?
            .iter()
            .map(|player| match player {
                0 => Ok(tengen_core::Color::Black),
                1 => Ok(tengen_core::Color::White),
                other => Err(PyValueError::new_err(format!(
                    "players are 0 for Black and 1 for White, not {other}"
                ))),
            })
            .collect::<PyResult<_>>()?;
        let out = out.planes()?;
        self.detached(py, |batch| batch.observe(&players, out))
    }

    /// Takes moves back until each game has at most so many left.
    fn rewind(&self, py: Python<'_>, moves: PyReadonlyArray1<'_, i32>) -> PyResult<()> {
        let moves = moves.as_slice()?;
        self.detached(py, |batch| batch.rewind(moves))
    }

    /// A copy of one of the games.
    fn game(&self, py: Python<'_>, index: usize) -> PyResult<Game> {
        if index >= self.num_envs {
            return Err(PyIndexError::new_err(format!(
                "there are {} games, so no game {index}",
                self.num_envs
            )));
        }
        Ok(Game::new_from(
            py.detach(|| self.lock().game(index).clone()),
        ))
    }

    /// Copies of these games, on their own from now on.
    fn gather(&self, py: Python<'_>, indices: Vec<usize>) -> PyResult<Self> {
        if indices.is_empty() {
            return Err(no_games());
        }
        if let Some(index) = indices.iter().find(|index| **index >= self.num_envs) {
            return Err(PyIndexError::new_err(format!(
                "there are {} games, so no game {index}",
                self.num_envs
            )));
        }
        Ok(Self::new_with(py.detach(|| self.lock().gather(&indices))))
    }

    /// Puts copies of the games of another batch in the places of these.
    fn scatter(&self, py: Python<'_>, indices: Vec<usize>, other: &Self) -> PyResult<()> {
        // A copy, since the other batch may be this one.
        let other = py.detach(|| other.lock().clone());
        self.detached(py, |batch| batch.scatter(&indices, &other))
    }

    /// The same games, on their own from now on.
    fn copy(&self, py: Python<'_>) -> Self {
        Self::new_with(py.detach(|| self.lock().clone()))
    }

    /// All games with their histories and random generators.
    fn snapshot<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        let bytes = py.detach(|| self.lock().snapshot());
        PyBytes::new(py, &bytes)
    }

    /// Goes back, or on, to a snapshot.
    fn restore(&self, py: Python<'_>, snapshot: &[u8]) -> PyResult<()> {
        py.detach(|| self.lock().restore(snapshot))
            .map_err(|error| bad_snapshot(&error))
    }
}

/// The names of the planes of a set.
#[pyfunction]
pub(crate) fn plane_names(observation: &str) -> PyResult<Vec<String>> {
    let features: Features = read(observation)?;
    Ok(features.names())
}

/// For each action, its number after the board was turned or mirrored in one of eight ways.
#[pyfunction]
pub(crate) fn turned_actions(size: Size, symmetry: u8) -> PyResult<Vec<usize>> {
    if symmetry > 7 {
        return Err(PyValueError::new_err(format!(
            "symmetries are numbered 0 to 7, not {symmetry}"
        )));
    }
    Ok(Actions::on(size.0).turned(Symmetry::new(symmetry)))
}
