//! What a network learns from, as Python makes it.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use tengen_core::{Point, PointSet, Size, Symmetry};
use tengen_env::LEGAL_PLANE;
use tengen_nn::{Inputs, Target};

use crate::array;
use crate::game::Game;
use crate::net::floats;
use crate::pickle;

/// A position and what a network should say about it, as the player to move sees it.
///
/// `win_draw_loss` are three probabilities. `policy` says how likely each action should be, the pass last; visits of a
/// search will do, since only their ratios count. `lead` is by how many points the player was ahead at the end, and
/// `ownership` is 1 for the points that the player had then and -1 for the opponent's, a row for each row of the board.
/// Whatever is None is not learnt. `symmetry` turns or mirrors the board, as `Board.transformed` does, before the
/// network sees it.
///
/// >>> from tengen import Example, Game, Net, Trainer
/// >>> game = Game(5)
/// >>> policy = [0] * 26
/// >>> policy[game.to_action('C3')] = 1
/// >>> example = Example(game, (1, 0, 0), policy=policy, lead=25)
/// >>> trainer = Trainer(Net.random(1, 16))
/// >>> losses = [trainer.step([example])['total'] for _ in range(20)]
/// >>> losses[-1] < losses[0]
/// True
#[pyclass(frozen, module = "tengen")]
pub(crate) struct Example(pub(crate) tengen_nn::Example);

#[pymethods]
impl Example {
    #[new]
    #[pyo3(signature = (game, win_draw_loss, *, policy=None, lead=None, ownership=None, symmetry=0))]
    fn new(
        py: Python<'_>,
        game: &Bound<'_, Game>,
        win_draw_loss: [f32; 3],
        policy: Option<&Bound<'_, PyAny>>,
        lead: Option<f32>,
        ownership: Option<&Bound<'_, PyAny>>,
        symmetry: u8,
    ) -> PyResult<Self> {
        let game = game.get().lock().clone();
        let size = game.size();
        let turn = Symmetry::new(symmetry);
        if symmetry > 7 || turn.size(size) != size {
            return Err(PyValueError::new_err(format!(
                "a board of {size} cannot be turned by symmetry {symmetry} and keep its size"
            )));
        }
        let certain: f32 = win_draw_loss.iter().sum();
        let fits = win_draw_loss.iter().all(|share| *share >= 0.0) && (certain - 1.0).abs() < 1e-3;
        if !fits {
            return Err(PyValueError::new_err(format!(
                "win, draw and loss are 0 or more and add up to 1, unlike {win_draw_loss:?}"
            )));
        }
        if lead.is_some_and(|lead| !lead.is_finite()) {
            return Err(PyValueError::new_err("a lead is a number of points"));
        }
        let inputs = py.detach(|| Inputs::new(&game));
        let sides = [size.height(), size.width()].map(usize::from);
        let ownership = match ownership {
            Some(owners) => read(owners, "ownership", &sides, -1.0..=1.0)?,
            None => Vec::new(),
        };
        let policy = match policy {
            Some(policy) => read_policy(policy, &inputs)?,
            None => Vec::new(),
        };
        Ok(Self(tengen_nn::Example {
            symmetry: turn,
            target: Target {
                policy,
                legal: inputs.worth_playing(),
                win_draw_loss,
                lead,
                ownership,
            },
            inputs,
        }))
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let tengen_nn::Example {
            inputs,
            symmetry,
            target,
        } = &self.0;
        let size = inputs.size();
        let planes: Vec<Vec<u32>> = inputs
            .planes()
            .iter()
            .map(|plane| rows(plane, size))
            .collect();
        let state = (
            crate::size::Size(size),
            planes,
            inputs.globals().to_vec(),
            symmetry.number(),
            target.policy.clone(),
            (target.win_draw_loss, target.lead),
            target.ownership.clone(),
        );
        pickle::reduce::<Self>(py, state)
    }

    #[staticmethod]
    #[expect(
        clippy::needless_pass_by_value,
        reason = "what Python hands over comes by value"
    )]
    fn _restore(
        size: crate::size::Size,
        planes: Vec<Vec<u32>>,
        globals: Vec<f32>,
        symmetry: u8,
        policy: Vec<f32>,
        outcome: ([f32; 3], Option<f32>),
        ownership: Vec<f32>,
    ) -> PyResult<Self> {
        let (win_draw_loss, lead) = outcome;
        let damaged = || pickle::damaged("Example");
        let size = size.0;
        let planes = planes.iter().map(|rows| set_of_rows(rows)).collect();
        let globals = globals.try_into().map_err(|_| damaged())?;
        let inputs = Inputs::from_planes(size, planes, globals).ok_or_else(damaged)?;
        let fits = |values: &[f32], len| values.is_empty() || values.len() == len;
        let turn = Symmetry::new(symmetry & 7);
        let is_whole = symmetry < 8
            && turn.size(size) == size
            && fits(&policy, size.area() + 1)
            && fits(&ownership, size.area());
        if !is_whole {
            return Err(damaged());
        }
        Ok(Self(tengen_nn::Example {
            symmetry: turn,
            target: Target {
                policy,
                legal: inputs.worth_playing(),
                win_draw_loss,
                lead,
                ownership,
            },
            inputs,
        }))
    }
}

/// A set of points as a number for each row.
fn rows(set: &PointSet, size: Size) -> Vec<u32> {
    (0..size.height()).map(|row| set.row_bits(row)).collect()
}

/// The set of points that `rows` wrote; whatever lies off every board is left out.
fn set_of_rows(rows: &[u32]) -> PointSet {
    let mut set = PointSet::EMPTY;
    for (y, row) in (0..).zip(rows) {
        for x in (0..32).filter(|x| row >> x & 1 == 1) {
            if let Some(point) = Point::checked_new(x, y) {
                set.insert(point);
            }
        }
    }
    set
}

/// Numbers in an array of this shape.
fn read(
    value: &Bound<'_, PyAny>,
    name: &str,
    shape: &[usize],
    range: std::ops::RangeInclusive<f32>,
) -> PyResult<Vec<f32>> {
    let array = floats(value)?;
    let array = array.as_array();
    if array.shape() != shape {
        return Err(PyValueError::new_err(format!(
            "{name} is an array of {shape:?}, not {:?}",
            array.shape()
        )));
    }
    match array.iter().find(|number| !range.contains(number)) {
        Some(number) => Err(PyValueError::new_err(format!(
            "{name} has numbers from {} to {}, not {number}",
            range.start(),
            range.end()
        ))),
        None => Ok(array.iter().copied().collect()),
    }
}

/// Probabilities of the actions that can change something, or nothing if those have none.
fn read_policy(value: &Bound<'_, PyAny>, inputs: &Inputs) -> PyResult<Vec<f32>> {
    let size = inputs.size();
    let actions = size.area() + 1;
    let mut policy = read(value, "policy", &[actions], 0.0..=f32::MAX)?;
    let legal = array::flags(size, &inputs.planes()[LEGAL_PLANE]);
    let worth = array::flags(size, &inputs.worth_playing());
    for (action, share) in policy[..size.area()].iter_mut().enumerate() {
        if *share > 0.0 && !legal[action] {
            return Err(PyValueError::new_err(format!(
                "the policy has {share} for action {action}, which is illegal"
            )));
        }
        if !worth[action] {
            *share = 0.0;
        }
    }
    let sum: f32 = policy.iter().sum();
    if sum > 0.0 {
        for share in &mut policy {
            *share /= sum;
        }
    } else {
        policy.clear();
    }
    Ok(policy)
}
