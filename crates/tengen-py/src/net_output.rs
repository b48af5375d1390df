//! What a network said, as Python sees it.

use numpy::{PyArray1, PyArrayDyn, PyArrayMethods};
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use tengen_core::{PointSet, Size};
use tengen_nn::{Output, softmax};

use crate::array;
use crate::pickle;

/// What a network says about a position, or about several, all as the player to move sees it: float32 arrays, which
/// have a dimension in front where there were several positions.
///
/// >>> from tengen import Game, Net
/// >>> said = Net.random(1, 16).evaluate(Game((7, 5)))
/// >>> f'{said.policy.sum():.4f}', said.win.shape, said.ownership.shape
/// ('1.0000', (), (5, 7))
#[pyclass(frozen, get_all, module = "tengen")]
pub(crate) struct NetOutput {
    /// How likely each action is, the pass last. Actions that are illegal, and those on points that are a player's for
    /// good, have 0.
    policy: Array,
    /// How good each action looks before it is asked whether it is legal: the logarithms of probabilities, less a
    /// number.
    logits: Array,
    /// The probability to win.
    win: Array,
    /// The probability of a draw.
    draw: Array,
    /// The probability to lose.
    loss: Array,
    /// By how many points the player will be ahead, komi included.
    lead: Array,
    /// Whose each point will be, with a row for each row of the board: 1 is the player's, -1 the opponent's.
    ownership: Array,
}

type Array = Py<PyArrayDyn<f32>>;

impl NetOutput {
    /// What was said about positions, each with the points where a stone may change something. `count` is their number
    /// if they are several.
    pub(crate) fn new(
        py: Python<'_>,
        said: &[(Output, PointSet)],
        size: Size,
        count: Option<usize>,
    ) -> PyResult<Self> {
        let array = |values: Vec<f32>, shape: &[usize]| -> PyResult<Array> {
            let shape = [count.as_slice(), shape].concat();
            Ok(PyArray1::from_vec(py, values).reshape(shape)?.unbind())
        };
        let number = |get: fn(&Output) -> f32| {
            let numbers = said.iter().map(|(output, _)| get(output));
            array(numbers.collect(), &[])
        };
        let actions = size.area() + 1;
        let sides = [size.height(), size.width()].map(usize::from);
        let policies = said
            .iter()
            .map(|(output, worth)| policy(output, *worth, size));
        let logits = said.iter().flat_map(|(output, _)| &output.policy);
        let owners = said.iter().flat_map(|(output, _)| &output.ownership);
        Ok(Self {
            policy: array(policies.flatten().collect(), &[actions])?,
            logits: array(logits.copied().collect(), &[actions])?,
            win: number(|output| output.win_draw_loss[0])?,
            draw: number(|output| output.win_draw_loss[1])?,
            loss: number(|output| output.win_draw_loss[2])?,
            lead: number(|output| output.lead)?,
            ownership: array(owners.copied().collect(), &sides)?,
        })
    }
}

#[pymethods]
impl NetOutput {
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let state = (
            &self.policy,
            &self.logits,
            &self.win,
            &self.draw,
            &self.loss,
            &self.lead,
            &self.ownership,
        );
        pickle::reduce::<Self>(py, state)
    }

    #[staticmethod]
    const fn _restore(
        policy: Array,
        logits: Array,
        win: Array,
        draw: Array,
        loss: Array,
        lead: Array,
        ownership: Array,
    ) -> Self {
        Self {
            policy,
            logits,
            win,
            draw,
            loss,
            lead,
            ownership,
        }
    }
}

/// Probabilities from logits, 0 for actions that are not worth a thought.
fn policy(output: &Output, worth: PointSet, size: Size) -> Vec<f32> {
    let mut worth = array::flags(size, &worth);
    worth.push(true);
    let logits = output.policy.iter().zip(&worth);
    let mut policy: Vec<f32> = logits
        .map(|(logit, worth)| if *worth { *logit } else { f32::NEG_INFINITY })
        .collect();
    softmax(&mut policy);
    policy
}
