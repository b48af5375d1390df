//! Positions to learn from, as arrays.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use numpy::{PyArray1, PyArrayMethods};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use tengen_core::{Move, PointSet, Symmetry};
use tengen_env::{Actions, Layout};
use tengen_nn::Example;
use tengen_train::{GameRecord, Lessons, Library, RecordsOptions, Sample, Window};

use crate::batch::read;
use crate::interruptible::interruptible;
use crate::size::Size;

/// Positions of records or of a run's games: the engine room of `Positions`, which is what programs use.
#[pyclass(frozen, module = "tengen._native")]
pub(crate) struct PositionSource {
    positions: Mutex<Kind>,
    /// How many games there are.
    #[pyo3(get)]
    num_games: usize,
    /// How many positions a pass has.
    #[pyo3(get)]
    num_positions: u64,
    /// Columns and rows of the smallest frame that holds all boards.
    #[pyo3(get)]
    size: Size,
}

enum Kind {
    Records(Box<Lessons>),
    Games {
        /// A position each: the game, and which of its targets.
        samples: Vec<(Arc<GameRecord>, usize)>,
        search_share: f32,
    },
}

/// What is wrong with the files or the options.
fn refused(error: &dyn std::fmt::Display) -> PyErr {
    PyValueError::new_err(error.to_string())
}

fn frame(sizes: impl Iterator<Item = tengen_core::Size>) -> PyResult<Size> {
    let mut sides = (1, 1);
    for size in sizes {
        sides = (sides.0.max(size.width()), sides.1.max(size.height()));
    }
    let size = tengen_core::Size::new(sides.0, sides.1);
    size.map(Size).map_err(|error| refused(&error))
}

impl PositionSource {
    fn lock(&self) -> MutexGuard<'_, Kind> {
        self.positions
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }
}

#[expect(
    clippy::needless_pass_by_value,
    reason = "what Python hands over comes by value"
)]
#[pymethods]
impl PositionSource {
    /// Positions of records. The options are those of `[records]` in a configuration, as JSON.
    #[staticmethod]
    fn of_records(py: Python<'_>, options: &str, seed: u64) -> PyResult<Self> {
        let options: RecordsOptions =
            serde_json::from_str(options).map_err(|error| refused(&error))?;
        let library = interruptible(py, || (), || Library::read(&options, &mut |_, _| ()))?;
        let library = library.map_err(|error| refused(&error))?;
        let size = frame(
            library
                .lessons()
                .iter()
                .map(tengen_train::RecordedGame::size),
        )?;
        let lessons = Lessons::new(library, options, seed);
        Ok(Self {
            num_games: lessons.library().lessons().len(),
            num_positions: lessons.pass(),
            size,
            positions: Mutex::new(Kind::Records(Box::new(lessons))),
        })
    }

    /// Positions of the games of a run: files of games, or records of games as bytes.
    #[staticmethod]
    fn of_games(
        py: Python<'_>,
        files: Vec<PathBuf>,
        records: Vec<Vec<u8>>,
        search_share: f32,
    ) -> PyResult<Self> {
        let games: PyResult<Vec<Arc<GameRecord>>> = py.detach(|| {
            let mut games = Vec::new();
            for file in &files {
                let read = Window::games_in(file).map_err(|error| refused(&error))?;
                games.extend(read.into_iter().map(Arc::new));
            }
            for bytes in &records {
                let record = GameRecord::from_bytes(bytes).map_err(|error| refused(&error))?;
                games.push(Arc::new(record));
            }
            Ok(games)
        });
        let games = games?;
        let samples: Vec<(Arc<GameRecord>, usize)> = games
            .iter()
            .flat_map(|game| (0..game.positions()).map(|target| (Arc::clone(game), target)))
            .collect();
        Ok(Self {
            num_games: games.len(),
            num_positions: samples.len() as u64,
            size: frame(games.iter().map(|game| game.size))?,
            positions: Mutex::new(Kind::Games {
                samples,
                search_share,
            }),
        })
    }

    /// Positions with these numbers: of records in an order that is shuffled already, one after the other from the
    /// first number on; of games in the order of their turns, turned by these symmetries. Without symmetries none is
    /// turned.
    fn batch<'py>(
        &self,
        py: Python<'py>,
        numbers: Vec<u64>,
        symmetries: Option<Vec<u8>>,
        layout: &str,
    ) -> PyResult<Bound<'py, PyDict>> {
        let layout: Layout = read(layout)?;
        let Size(frame) = self.size;
        let arrays: PyResult<Arrays> = py.detach(|| {
            let mut arrays = Arrays::new(frame, layout);
            match &mut *self.lock() {
                Kind::Records(lessons) => {
                    let first = numbers.first().copied().unwrap_or(0);
                    for mut example in lessons.examples(first, numbers.len()) {
                        if symmetries.is_none() {
                            example.symmetry = Symmetry::IDENTITY;
                        }
                        arrays.push(&example);
                    }
                }
                Kind::Games {
                    samples,
                    search_share,
                } => {
                    let turned = symmetries.unwrap_or_else(|| vec![0; numbers.len()]);
                    for (number, symmetry) in numbers.iter().zip(&turned) {
                        let place = usize::try_from(*number).ok();
                        let Some((record, target)) = place.and_then(|place| samples.get(place))
                        else {
                            return Err(PyValueError::new_err(format!(
                                "there is no position {number}"
                            )));
                        };
                        let sample = Sample {
                            record: Arc::clone(record),
                            target: *target,
                            symmetry: Symmetry::new(*symmetry & 7),
                        };
                        let example = sample.example(*search_share);
                        arrays.push(&example.map_err(|error| refused(&error))?);
                    }
                }
            }
            Ok(arrays)
        });
        arrays?.into_dict(py)
    }

    /// Games are read again where they are needed.
    #[expect(clippy::unused_self, reason = "Python calls it with the object")]
    fn __reduce__(&self) -> PyResult<()> {
        Err(PyTypeError::new_err(
            "the games of positions are not pickled: pickle the `Positions`, which reads them again",
        ))
    }
}

/// Arrays that grow by a row for each position.
struct Arrays {
    actions: Actions,
    layout: Layout,
    rows: usize,
    depth: usize,
    planes: Vec<u8>,
    globals: Vec<f32>,
    mask: Vec<bool>,
    policy: Vec<f32>,
    win_draw_loss: Vec<f32>,
    lead: Vec<f32>,
    ownership: Vec<f32>,
}

impl Arrays {
    const fn new(frame: tengen_core::Size, layout: Layout) -> Self {
        Self {
            actions: Actions::on(frame),
            layout,
            rows: 0,
            depth: 0,
            planes: Vec::new(),
            globals: Vec::new(),
            mask: Vec::new(),
            policy: Vec::new(),
            win_draw_loss: Vec::new(),
            lead: Vec::new(),
            ownership: Vec::new(),
        }
    }

    /// Adds a position and what is known about it, turned. What is not known is not a number.
    fn push(&mut self, example: &Example) {
        let Example {
            inputs,
            symmetry,
            target,
        } = example;
        let (size, area) = (inputs.size(), self.actions.pass());
        let number = |point| self.actions.number(Move::Play(symmetry.apply(point, size)));
        self.depth = inputs.planes().len();
        let first = self.planes.len();
        self.planes.resize(first + self.depth * area, 0);
        for (plane, set) in inputs.planes().iter().enumerate() {
            for point in set {
                let place = match self.layout {
                    Layout::ChannelsLast => number(point) * self.depth + plane,
                    Layout::ChannelsFirst => plane * area + number(point),
                };
                self.planes[first + place] = 1;
            }
        }
        self.globals.extend(inputs.globals());
        let count = self.actions.count();
        let mut mask = vec![false; count];
        let mut policy = vec![f32::NAN; count];
        let mut ownership = vec![f32::NAN; area];
        let legal: PointSet = target.legal;
        let points = size.points();
        let known = !target.policy.is_empty();
        if known {
            policy.fill(0.0);
        }
        if !target.ownership.is_empty() {
            ownership.fill(0.0);
        }
        for (index, point) in points.iter().enumerate() {
            let place = number(point);
            mask[place] = legal.contains(point);
            if known {
                policy[place] = target.policy[index];
            }
            if let Some(owner) = target.ownership.get(index) {
                ownership[place] = *owner;
            }
        }
        mask[area] = true;
        if known {
            policy[area] = target.policy[size.area()];
        }
        self.mask.extend(mask);
        self.policy.extend(policy);
        self.ownership.extend(ownership);
        let is_known = target.win_draw_loss.iter().sum::<f32>() > 0.0;
        let unknown = [f32::NAN; 3];
        self.win_draw_loss.extend(match is_known {
            true => target.win_draw_loss,
            false => unknown,
        });
        self.lead.push(target.lead.unwrap_or(f32::NAN));
        self.rows += 1;
    }

    fn into_dict(self, py: Python<'_>) -> PyResult<Bound<'_, PyDict>> {
        let frame = self.actions.frame();
        let [height, width] = [frame.height(), frame.width()].map(usize::from);
        let (rows, actions) = (self.rows, self.actions.count());
        let planes = match self.layout {
            Layout::ChannelsLast => [rows, height, width, self.depth],
            Layout::ChannelsFirst => [rows, self.depth, height, width],
        };
        let globals = self.globals.len().checked_div(rows).unwrap_or(0);
        let floats = |values: Vec<f32>| PyArray1::from_vec(py, values);
        let dict = PyDict::new(py);
        dict.set_item(
            "planes",
            PyArray1::from_vec(py, self.planes).reshape(planes)?,
        )?;
        dict.set_item("globals", floats(self.globals).reshape([rows, globals])?)?;
        let mask = PyArray1::from_vec(py, self.mask).reshape([rows, actions])?;
        dict.set_item("mask", mask)?;
        dict.set_item("policy", floats(self.policy).reshape([rows, actions])?)?;
        dict.set_item(
            "win_draw_loss",
            floats(self.win_draw_loss).reshape([rows, 3])?,
        )?;
        dict.set_item("lead", floats(self.lead))?;
        let owners = floats(self.ownership).reshape([rows, height, width])?;
        dict.set_item("ownership", owners)?;
        Ok(dict)
    }
}
