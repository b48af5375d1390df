//! What a run begins with, and whether it is the one that was begun.

use std::collections::HashMap;
use std::fs;
use std::path::Path;
use std::sync::Arc;

use tengen_files::FileError;
use tengen_nn::{Architecture, Baseline, Net};

use super::error::RunError;
use crate::config::Config;

/// The network that a run begins with, made larger where the configuration wants a larger one.
pub(super) fn start(
    name: &Path,
    architecture: Architecture,
    seed: u64,
) -> Result<Arc<Net>, RunError> {
    let mut baselines = Baseline::ALL.into_iter();
    let net = if let Some(baseline) = baselines.find(|known| name == Path::new(known.name())) {
        baseline.net()
    } else {
        let bytes = fs::read(name).map_err(|error| FileError::new(name, error))?;
        let net = Net::from_bytes(&bytes);
        Arc::new(net.map_err(|error| RunError::Weights(name.to_owned(), error))?)
    };
    if net.architecture() == architecture {
        return Ok(net);
    }
    let widened = net.widened(architecture, seed).map_err(|_| {
        RunError::Other(format!(
            "the run is to start with {}, a network of {}, and the configuration has a smaller one of {architecture}",
            name.display(),
            net.architecture(),
        ))
    });
    widened.map(Arc::new)
}

/// Is the run that was found the one that the configuration describes?
pub(super) fn check_same(
    config: &Config,
    architecture: Architecture,
    notes: &HashMap<String, String>,
) -> Result<(), RunError> {
    if architecture != config.network {
        return Err(RunError::Other(format!(
            "the run was begun with a network of {architecture}, \
             and the configuration has one of {}: use another folder",
            config.network
        )));
    }
    if notes.get("seed") != Some(&config.seed.to_string()) {
        return Err(RunError::Other(
            "the run was begun with another seed: use another folder".to_owned(),
        ));
    }
    Ok(())
}
