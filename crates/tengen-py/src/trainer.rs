//! Learning as Python directs it.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyTuple};
use tengen_nn::{Learning, LearningState, LossWeights, Losses};

use crate::example::Example;
use crate::net::{Net, arrays};
use crate::pickle;

/// So many examples go through the network together.
const TOGETHER: usize = 16;

/// Teaches a network by examples, on so many threads, with weights that decay and weights that are averaged. The method
/// is `'adam'`, or `'muon'`: Muon for the convolutions and other matrices of the trunk, and Adam for all else.
///
/// Numbers that are None are those that `settings` shows. `rate` is how far weights move in a step, `momentum` and
/// `memory` how much of the mean gradient and of its mean square is kept, `decay` how much of the weights goes in a
/// step as a multiple of the rate, `longest_gradient` the length to which longer ones are shortened, `averaging` how
/// much of the averaged weights is kept; `value`, `lead` and `ownership` are how much these parts of the loss count
/// beside the policy. `state` is what `to_bytes` gave, to go on from.
///
/// The network given is not changed: `net` and `averaged_net` make new ones. The same steps on as many threads give the
/// same weights.
///
/// >>> from tengen import Example, Game, Net, Trainer
/// >>> trainer = Trainer(Net.random(1, 16), rate=0.01)
/// >>> sorted(trainer.step([Example(Game(5), (1, 0, 0))]))
/// ['lead', 'ownership', 'policy', 'total', 'value']
/// >>> trainer.steps, trainer.net()
/// (1, <Net 1x16>)
#[pyclass(frozen, module = "tengen")]
pub(crate) struct Trainer {
    trainer: Mutex<tengen_nn::Trainer>,
    learning: Learning,
    architecture: tengen_nn::Architecture,
    threads: usize,
}

impl Trainer {
    fn lock(&self) -> MutexGuard<'_, tengen_nn::Trainer> {
        // A step that panicked was one that no weight had moved in.
        self.trainer.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A trainer with settings that have names, where they are given.
    fn of_net(
        net: &tengen_nn::Net,
        state: Option<&[u8]>,
        threads: usize,
        method: &str,
        of: impl Fn(&str) -> Option<f32>,
    ) -> PyResult<Self> {
        let architecture = net.architecture();
        if !(1..=1024).contains(&threads) {
            return Err(PyValueError::new_err(format!(
                "threads are 1 to 1024, not {threads}"
            )));
        }
        let state = match state {
            None => LearningState::new(net.weights().to_vec()),
            Some(bytes) => {
                let (state, of, _) = LearningState::from_bytes(bytes)
                    .map_err(|error| PyValueError::new_err(format!("the state: {error}")))?;
                if of != architecture {
                    return Err(PyValueError::new_err(format!(
                        "the state is one of a network of {of}, not {architecture}"
                    )));
                }
                state
            }
        };
        let or = |name, default, most| check(name, of(name).unwrap_or(default), most);
        let usual = Learning::default();
        let any = f32::MAX;
        let learning = Learning {
            method: method.parse().map_err(|error: tengen_nn::MethodError| {
                PyValueError::new_err(error.to_string())
            })?,
            rate: or("rate", usual.rate, any)?,
            momentum: or("momentum", usual.momentum, 1.0)?,
            memory: or("memory", usual.memory, 1.0)?,
            decay: or("decay", usual.decay, any)?,
            longest_gradient: or("longest_gradient", usual.longest_gradient, any)?,
            averaging: or("averaging", usual.averaging, 1.0)?,
            loss: LossWeights {
                value: or("value", usual.loss.value, any)?,
                lead: or("lead", usual.loss.lead, any)?,
                ownership: or("ownership", usual.loss.ownership, any)?,
            },
        };
        Ok(Self {
            trainer: Mutex::new(tengen_nn::Trainer::new(net, state, threads)),
            learning,
            architecture,
            threads,
        })
    }

    /// Does something with examples while other Python threads run.
    fn learn(
        &self,
        py: Python<'_>,
        examples: &Bound<'_, PyAny>,
        work: impl FnOnce(&mut tengen_nn::Trainer, &[Vec<tengen_nn::Example>]) -> Losses + Send,
    ) -> PyResult<BTreeMap<&'static str, f64>> {
        let examples: Vec<tengen_nn::Example> = examples
            .try_iter()?
            .map(|example| Ok(example?.cast::<Example>()?.get().0.clone()))
            .collect::<PyResult<_>>()?;
        if examples.is_empty() {
            return Err(PyValueError::new_err("there are no examples"));
        }
        let losses = py.detach(|| work(&mut self.lock(), &groups(examples)));
        let mean = losses.mean();
        Ok(BTreeMap::from([
            ("policy", mean.policy),
            ("value", mean.value),
            ("lead", mean.lead),
            ("ownership", mean.ownership),
            ("total", losses.total(self.learning.loss) / losses.examples),
        ]))
    }
}

/// Examples by the sizes of their boards.
fn groups(examples: Vec<tengen_nn::Example>) -> Vec<Vec<tengen_nn::Example>> {
    let mut groups: Vec<Vec<tengen_nn::Example>> = Vec::new();
    for example in examples {
        let fits = |group: &&mut Vec<tengen_nn::Example>| {
            group.len() < TOGETHER && group[0].inputs.size() == example.inputs.size()
        };
        match groups.iter_mut().rev().find(fits) {
            Some(group) => group.push(example),
            None => groups.push(vec![example]),
        }
    }
    groups
}

fn check(name: &str, value: f32, most: f32) -> PyResult<f32> {
    if (0.0..=most).contains(&value) {
        return Ok(value);
    }
    let range = if most == f32::MAX {
        "0 or more".to_owned()
    } else {
        format!("0 to {most}")
    };
    Err(PyValueError::new_err(format!(
        "{name} is {range}, not {value}"
    )))
}

#[pymethods]
impl Trainer {
    #[new]
    #[pyo3(signature = (
        net, *, state=None, threads=1, method="adam", rate=None, momentum=None, memory=None, decay=None,
        longest_gradient=None, averaging=None, value=None, lead=None, ownership=None
    ))]
    #[expect(clippy::too_many_arguments, reason = "Python names all of them")]
    fn new(
        net: &Bound<'_, Net>,
        state: Option<&[u8]>,
        threads: usize,
        method: &str,
        rate: Option<f32>,
        momentum: Option<f32>,
        memory: Option<f32>,
        decay: Option<f32>,
        longest_gradient: Option<f32>,
        averaging: Option<f32>,
        value: Option<f32>,
        lead: Option<f32>,
        ownership: Option<f32>,
    ) -> PyResult<Self> {
        let given = [
            ("rate", rate),
            ("momentum", momentum),
            ("memory", memory),
            ("decay", decay),
            ("longest_gradient", longest_gradient),
            ("averaging", averaging),
            ("value", value),
            ("lead", lead),
            ("ownership", ownership),
        ];
        let of = |name: &str| {
            let found = given.iter().find(|(given, _)| *given == name);
            found.and_then(|(_, value)| *value)
        };
        Self::of_net(net.get().net()?, state, threads, method, of)
    }

    /// Learns from examples, all at once, and returns how wrong the network was before: the mean of each part of the
    /// loss, and the total by which it learnt. A rate given here is for this step alone.
    #[pyo3(signature = (examples, *, rate=None))]
    fn step(
        &self,
        py: Python<'_>,
        examples: &Bound<'_, PyAny>,
        rate: Option<f32>,
    ) -> PyResult<BTreeMap<&'static str, f64>> {
        let learning = Learning {
            rate: check("rate", rate.unwrap_or(self.learning.rate), f32::MAX)?,
            ..self.learning
        };
        self.learn(py, examples, move |trainer, groups| {
            trainer.step(groups, &learning)
        })
    }

    /// How wrong the network is about examples. Nothing is learnt.
    fn losses(
        &self,
        py: Python<'_>,
        examples: &Bound<'_, PyAny>,
    ) -> PyResult<BTreeMap<&'static str, f64>> {
        self.learn(py, examples, tengen_nn::Trainer::losses)
    }

    /// The gradient of the last step, before it was shortened: arrays named as those of `Net.weights`.
    fn gradient<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let gradient = py.detach(|| self.lock().gradient().to_vec());
        arrays(py, self.architecture, &gradient)
    }

    /// The network as it is now.
    fn net(&self, py: Python<'_>) -> Net {
        Net::new_with(py.detach(|| self.lock().net()), BTreeMap::new())
    }

    /// The network with weights averaged over recent steps, which plays better.
    fn averaged_net(&self, py: Python<'_>) -> Net {
        Net::new_with(py.detach(|| self.lock().averaged_net()), BTreeMap::new())
    }

    /// How many steps were made.
    #[getter]
    fn steps(&self, py: Python<'_>) -> u64 {
        py.detach(|| self.lock().state().steps)
    }

    /// How steps are made from gradients: `'adam'` or `'muon'`.
    #[getter]
    fn method(&self) -> &'static str {
        self.learning.method.name()
    }

    /// How it learns, in numbers.
    #[getter]
    fn settings(&self) -> BTreeMap<&'static str, f32> {
        let Learning {
            method: _,
            rate,
            momentum,
            memory,
            decay,
            longest_gradient,
            averaging,
            loss,
        } = self.learning;
        BTreeMap::from([
            ("rate", rate),
            ("momentum", momentum),
            ("memory", memory),
            ("decay", decay),
            ("longest_gradient", longest_gradient),
            ("averaging", averaging),
            ("value", loss.value),
            ("lead", loss.lead),
            ("ownership", loss.ownership),
        ])
    }

    /// Everything that changes while the network learns. A trainer with this as its `state` goes on as if nothing had
    /// happened.
    fn to_bytes<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        let bytes = py.detach(|| self.lock().state().to_bytes(self.architecture, &[]));
        PyBytes::new(py, &bytes)
    }

    fn __repr__(&self, py: Python<'_>) -> String {
        let steps = self.steps(py);
        format!("<Trainer of {}, {steps} steps>", self.architecture)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let state = (
            self.to_bytes(py),
            self.threads,
            self.method(),
            self.settings(),
        );
        pickle::reduce::<Self>(py, state)
    }

    #[staticmethod]
    #[expect(
        clippy::needless_pass_by_value,
        reason = "what Python hands over comes by value"
    )]
    fn _restore(
        state: &[u8],
        threads: usize,
        method: &str,
        settings: BTreeMap<String, f32>,
    ) -> PyResult<Self> {
        let (_, architecture, _) = LearningState::from_bytes(state)
            .map_err(|error| PyValueError::new_err(format!("the state: {error}")))?;
        // All weights are those of the state.
        let net = tengen_nn::Net::random(architecture, 0)
            .map_err(|error| PyValueError::new_err(error.to_string()))?;
        let of = |name: &str| settings.get(name).copied();
        Self::of_net(&net, Some(state), threads, method, of)
    }
}
