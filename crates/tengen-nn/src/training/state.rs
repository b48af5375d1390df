//! Where a network is on its way.

use std::collections::HashMap;

use safetensors::tensor::SafeTensors;

use crate::architecture::{Architecture, Layout};
use crate::checksum::{Checksums, check_metadata};
use crate::weights::{
    Array, Precision, WeightsError, array, arrays_to_bytes, noted_architecture, notes,
};

/// Everything that changes while a network learns: with the same state, settings, examples and number of threads, the
/// next steps are the same to the last bit.
#[derive(Clone, Debug, PartialEq)]
pub struct LearningState {
    /// How many steps were made.
    pub steps: u64,
    /// The weights.
    pub weights: Vec<f32>,
    /// The weights averaged over recent steps, which play better.
    pub averaged: Vec<f32>,
    /// The mean gradient.
    pub first_moment: Vec<f32>,
    /// The mean squared gradient.
    pub second_moment: Vec<f32>,
}

impl LearningState {
    /// The beginning, with these weights.
    pub fn new(weights: Vec<f32>) -> Self {
        let zeros = vec![0.0; weights.len()];
        Self {
            steps: 0,
            averaged: weights.clone(),
            weights,
            first_moment: zeros.clone(),
            second_moment: zeros,
        }
    }
}

/// What the metadata of a file with such a state begin with.
const FORMAT: &str = "tengen-nn learning 1";

/// The metadata that say how many steps were made.
const STEPS: &str = "steps";

impl LearningState {
    fn vectors(&self) -> [(&'static str, &Vec<f32>); 4] {
        [
            ("weights", &self.weights),
            ("averaged", &self.averaged),
            ("first_moment", &self.first_moment),
            ("second_moment", &self.second_moment),
        ]
    }

    /// The state as the bytes of a safetensors file. `notes` are added to its metadata.
    ///
    /// # Panics
    ///
    /// If a note has a name that the format uses itself.
    pub fn to_bytes(&self, architecture: Architecture, notes: &[(&str, &str)]) -> Vec<u8> {
        let steps = self.steps.to_string();
        let shape = [self.weights.len()];
        let vectors = self.vectors();
        let arrays = vectors.iter().map(|(name, values)| Array {
            name,
            shape: &shape,
            values,
        });
        let own = [(STEPS, steps.as_str())];
        let notes: Vec<(&str, &str)> = own.into_iter().chain(notes.iter().copied()).collect();
        arrays_to_bytes(FORMAT, Precision::Full, architecture, arrays, &notes)
    }

    /// A state from the bytes of a file, with the size of its network and the notes of whoever wrote it.
    pub fn from_bytes(
        bytes: &[u8],
    ) -> Result<(Self, Architecture, HashMap<String, String>), WeightsError> {
        let tensors = SafeTensors::deserialize(bytes).map_err(WeightsError::Format)?;
        let notes = notes(bytes)?;
        let architecture = noted_architecture(&notes, FORMAT)?;
        let layout = Layout::of(architecture);
        let checksums = Checksums::of(&notes)?;
        // States of earlier releases have weights of inputs that were always 0: they never learned anything.
        let dropped = layout.dropped(layout.globals);
        let dropped_from = layout.parts[layout.globals].range.end;
        let get = |name| {
            let tensor = tensors.tensor(name);
            let is_earlier = tensor.is_ok_and(|tensor| tensor.shape() == [layout.len + dropped]);
            let dropped = if is_earlier { dropped } else { 0 };
            let mut values = array(&tensors, &checksums, name, &[layout.len + dropped])?;
            values.drain(dropped_from..dropped_from + dropped);
            Ok(values)
        };
        let state = Self {
            steps: notes
                .get(STEPS)
                .and_then(|steps| steps.parse().ok())
                .ok_or_else(|| WeightsError::Missing(STEPS.to_owned()))?,
            weights: get("weights")?,
            averaged: get("averaged")?,
            first_moment: get("first_moment")?,
            second_moment: get("second_moment")?,
        };
        check_metadata(&notes)?;
        Ok((state, architecture, notes))
    }
}
