//! Somebody who plays the games of training runs.

use std::sync::{Arc, Mutex, PoisonError};

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyTuple};
use tengen_nn::NetEvaluator;
use tengen_train::{Config, Due};

use crate::pickle::reduce;
use crate::run::read_config;

/// Plays games of a training run, wherever it is: `Run.due` says which, and `Run.accept` takes them.
///
/// `config` is the text of the run's configuration, `net` what `Run.net_bytes` gave. What a game is like does not
/// depend on what was played before. Calls from several threads take turns, and other Python threads run while it
/// plays. It can be pickled, and plays the same games wherever it comes back.
#[pyclass(frozen, module = "tengen")]
pub(crate) struct SelfPlayer {
    config: Config,
    /// The text of the configuration.
    text: String,
    net: Arc<tengen_nn::Net>,
    evaluator: Mutex<NetEvaluator>,
}

#[pymethods]
impl SelfPlayer {
    #[new]
    fn new(py: Python<'_>, config: &str, net: &[u8]) -> PyResult<Self> {
        let text = config.to_owned();
        let config = read_config(config)?;
        let net = py
            .detach(|| tengen_nn::Net::from_bytes(net))
            .map_err(|error| PyValueError::new_err(format!("the network: {error}")))?;
        let net = Arc::new(net);
        Ok(Self {
            config,
            text,
            evaluator: Mutex::new(NetEvaluator::new(net.clone())),
            net,
        })
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let net = py.detach(|| self.net.to_bytes(&[]));
        reduce::<Self>(py, (&self.text, PyBytes::new(py, &net)))
    }

    /// For pickle.
    #[staticmethod]
    fn _restore(py: Python<'_>, config: &str, net: &[u8]) -> PyResult<Self> {
        Self::new(py, config, net)
    }

    /// Plays a game and returns its record. Number, seed and network are as `Run.due` says.
    fn play<'py>(
        &self,
        py: Python<'py>,
        number: u64,
        seed: u64,
        network: u64,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let due = Due {
            number,
            seed,
            network,
        };
        let record = py.detach(|| {
            // What it remembers of positions is true, however a game ended.
            let mut evaluator = self
                .evaluator
                .lock()
                .unwrap_or_else(PoisonError::into_inner);
            self.config.play(due, &mut evaluator)
        });
        let record = record.map_err(|error| PyValueError::new_err(error.to_string()))?;
        Ok(PyBytes::new(py, &record.to_bytes()))
    }
}
