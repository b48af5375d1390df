//! What a network said, as Python sees it.

use numpy::{PyArray1, PyArrayDyn, PyArrayMethods};
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use tengen_core::{PointSet, Size};
use tengen_nn::{Output, katago, softmax};

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
    /// The probability that the game has no result, as a network of KataGo says it.
    no_result: Option<Array>,
    /// The mean of the final score, of networks of KataGo.
    score_mean: Option<Array>,
    /// The standard deviation of the final score, likewise.
    score_stdev: Option<Array>,
    /// By how much the win rate, between a loss at -1 and a win at 1, is expected to change within a few turns, of
    /// networks of KataGo since version 9.
    win_error: Option<Array>,
    /// By how much the score is, likewise.
    score_error: Option<Array>,
    /// How likely actions are that turn out better than expected, of networks of KataGo since version 12.
    optimistic_policy: Option<Array>,
}

type Array = Py<PyArrayDyn<f32>>;

/// Arrays for so many positions, if they are several.
struct Arrays<'py> {
    py: Python<'py>,
    count: Option<usize>,
}

impl Arrays<'_> {
    fn make(&self, values: Vec<f32>, shape: &[usize]) -> PyResult<Array> {
        let shape = [self.count.as_slice(), shape].concat();
        Ok(PyArray1::from_vec(self.py, values).reshape(shape)?.unbind())
    }

    /// If every position has some.
    fn make_some(&self, values: Option<Vec<f32>>, shape: &[usize]) -> PyResult<Option<Array>> {
        values.map(|values| self.make(values, shape)).transpose()
    }
}

impl NetOutput {
    /// What was said about positions, each with the points where a stone may change something. `count` is their number
    /// if they are several.
    pub(crate) fn new(
        py: Python<'_>,
        said: &[(Output, PointSet)],
        size: Size,
        count: Option<usize>,
    ) -> PyResult<Self> {
        let arrays = Arrays { py, count };
        let array = |values: Vec<f32>, shape: &[usize]| arrays.make(values, shape);
        let number = |get: fn(&Output) -> f32| {
            let numbers = said.iter().map(|(output, _)| get(output));
            array(numbers.collect(), &[])
        };
        let actions = size.area() + 1;
        let sides = [size.height(), size.width()].map(usize::from);
        let policies = said
            .iter()
            .map(|(output, worth)| policy(&output.policy, *worth, size));
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
            no_result: None,
            score_mean: None,
            score_stdev: None,
            win_error: None,
            score_error: None,
            optimistic_policy: None,
        })
    }

    /// What a network of KataGo said about positions, each with the points where a stone is legal.
    pub(crate) fn of_katago(
        py: Python<'_>,
        said: &[(katago::Output, PointSet)],
        size: Size,
        count: Option<usize>,
    ) -> PyResult<Self> {
        let arrays = Arrays { py, count };
        let number = |get: fn(&katago::Output) -> f32| {
            let numbers = said.iter().map(|(output, _)| get(output));
            arrays.make(numbers.collect(), &[])
        };
        let some = |get: fn(&katago::Output) -> Option<f32>| {
            let numbers = said.iter().map(|(output, _)| get(output));
            arrays.make_some(numbers.collect(), &[])
        };
        let actions = size.area() + 1;
        let sides = [size.height(), size.width()].map(usize::from);
        let policies = said
            .iter()
            .map(|(output, legal)| policy(&output.policy, *legal, size));
        let optimistic: Option<Vec<Vec<f32>>> = said
            .iter()
            .map(|(output, legal)| {
                let logits = output.optimistic_policy.as_ref()?;
                Some(policy(logits, *legal, size))
            })
            .collect();
        let logits = said.iter().flat_map(|(output, _)| &output.policy);
        let owners = said.iter().flat_map(|(output, _)| &output.ownership);
        Ok(Self {
            policy: arrays.make(policies.flatten().collect(), &[actions])?,
            logits: arrays.make(logits.copied().collect(), &[actions])?,
            win: number(|output| output.win)?,
            draw: number(|_| 0.0)?,
            loss: number(|output| output.loss)?,
            lead: number(|output| output.lead)?,
            ownership: arrays.make(owners.copied().collect(), &sides)?,
            no_result: Some(number(|output| output.no_result)?),
            score_mean: Some(number(|output| output.score_mean)?),
            score_stdev: Some(number(|output| output.score_stdev)?),
            win_error: some(|output| output.value_error)?,
            score_error: some(|output| output.score_error)?,
            optimistic_policy: arrays.make_some(optimistic.map(|of| of.concat()), &[actions])?,
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
            (
                &self.no_result,
                &self.score_mean,
                &self.score_stdev,
                &self.win_error,
                &self.score_error,
                &self.optimistic_policy,
            ),
        );
        pickle::reduce::<Self>(py, state)
    }

    #[staticmethod]
    #[expect(clippy::too_many_arguments, reason = "pickle hands all parts over")]
    fn _restore(
        policy: Array,
        logits: Array,
        win: Array,
        draw: Array,
        loss: Array,
        lead: Array,
        ownership: Array,
        of_katago: [Option<Array>; 6],
    ) -> Self {
        let [
            no_result,
            score_mean,
            score_stdev,
            win_error,
            score_error,
            optimistic_policy,
        ] = of_katago;
        Self {
            policy,
            logits,
            win,
            draw,
            loss,
            lead,
            ownership,
            no_result,
            score_mean,
            score_stdev,
            win_error,
            score_error,
            optimistic_policy,
        }
    }
}

/// Probabilities from logits, 0 for actions that are not worth a thought.
fn policy(logits: &[f32], worth: PointSet, size: Size) -> Vec<f32> {
    let mut worth = array::flags(size, &worth);
    worth.push(true);
    let logits = logits.iter().zip(&worth);
    let mut policy: Vec<f32> = logits
        .map(|(logit, worth)| if *worth { *logit } else { f32::NEG_INFINITY })
        .collect();
    softmax(&mut policy);
    policy
}
