//! Weights in files: the safetensors format, with the architecture in its metadata.

use std::collections::HashMap;

use safetensors::tensor::{SafeTensorError, SafeTensors, TensorView};

use crate::architecture::{Architecture, ArchitectureError, FEATURES, Layout, Part};
use crate::checksum::{self, Checksums};
use crate::net::Net;
use crate::precision::Written;
pub(crate) use crate::precision::{Precision, array};

/// The metadata that say what a file is.
const FORMAT: &str = "format";

/// What they say of a network.
const NETWORK: &str = "tengen-nn 1";

/// The metadata that say how large the network is.
const ARCHITECTURE: &str = "architecture";

/// The metadata that say which planes the network looks at.
const PLANES: &str = "features";

/// The note that says how long the longest side of the boards was that a network has learned on.
pub const LONGEST_SIDE: &str = "longest_side";

/// Why a file is not a network.
#[derive(Debug, thiserror::Error)]
pub enum WeightsError {
    /// It is not in the safetensors format, or it was cut off.
    #[error("it is not a whole safetensors file: {0}")]
    Format(SafeTensorError),
    /// Something else than this format is in it.
    #[error(
        "it is a safetensors file with something else in it (its metadata lack `{FORMAT}`: `{0}`)"
    )]
    Foreign(String),
    /// It was made for other planes.
    #[error("it is a network for the planes `{0}`, and this program shows `{shown}`", shown = FEATURES.name())]
    Features(String),
    /// Nothing says how large the network is.
    #[error("its metadata do not say how large the network is")]
    NoArchitecture,
    /// There are no networks of this size.
    #[error("its metadata are wrong: {0}")]
    Architecture(ArchitectureError),
    /// An array is missing.
    #[error("the weights `{0}` are missing")]
    Missing(String),
    /// An array has another shape or type than it should have.
    #[error("the weights `{name}` are {found} and should be {wanted}")]
    Shape {
        /// The array.
        name: String,
        /// What it is.
        found: String,
        /// What it should be.
        wanted: String,
    },
    /// An array has a number that is none.
    #[error("the weights `{0}` have a number that is infinite or none")]
    NotFinite(String),
    /// The numbers of an array are not those that were written.
    #[error("the weights `{name}` are damaged: their checksum is {found}, and {noted} was written")]
    Damaged {
        /// The array.
        name: String,
        /// Its checksum.
        found: String,
        /// The checksum that the file notes.
        noted: String,
    },
    /// The metadata are not those that were written.
    #[error("its metadata are damaged: they are not those that their checksum was made of")]
    DamagedMetadata,
}

/// An array with its name.
pub(crate) struct Array<'a> {
    pub(crate) name: &'a str,
    pub(crate) shape: &'a [usize],
    pub(crate) values: &'a [f32],
}

/// Arrays as the bytes of a file of this format.
pub(crate) fn arrays_to_bytes<'a>(
    format: &str,
    precision: Precision,
    architecture: Architecture,
    arrays: impl Iterator<Item = Array<'a>>,
    notes: &[(&str, &str)],
) -> Vec<u8> {
    let architecture = serde_json::to_string(&architecture).unwrap_or_default();
    let mut metadata: HashMap<String, String> = [
        (FORMAT, format),
        (ARCHITECTURE, &architecture),
        (PLANES, FEATURES.name()),
    ]
    .map(|(name, value)| (name.to_owned(), value.to_owned()))
    .into();
    for (name, value) in notes {
        let before = metadata.insert((*name).to_owned(), (*value).to_owned());
        assert!(before.is_none(), "the format uses `{name}` itself");
    }
    let arrays: Vec<Written> = arrays.flat_map(|array| precision.write(&array)).collect();
    let bytes = arrays
        .iter()
        .map(|array| (array.name.as_str(), &array.bytes[..]));
    checksum::seal(&mut metadata, bytes);
    let views = arrays.iter().map(|array| {
        let view = TensorView::new(array.data_type, array.shape.clone(), &array.bytes)
            .expect("there are as many bytes as the shape has");
        (&array.name, view)
    });
    let bytes = safetensors::serialize(views, Some(metadata)).expect("all views are whole");
    with_sorted_header(bytes)
}

/// The same file with its header in the order of the alphabet: the format keeps metadata in an order that is random,
/// and the same weights should be the same file.
fn with_sorted_header(mut bytes: Vec<u8>) -> Vec<u8> {
    const LENGTH: usize = size_of::<u64>();
    if let Some((length, rest)) = bytes.split_first_chunk_mut::<LENGTH>() {
        let header = &mut rest[..u64::from_le_bytes(*length) as usize];
        if let Ok(value) = serde_json::from_slice::<serde_json::Value>(header) {
            let sorted = value.to_string();
            header.fill(b' ');
            header[..sorted.len()].copy_from_slice(sorted.as_bytes());
        }
    }
    bytes
}

/// The metadata of a file.
pub(crate) fn notes(bytes: &[u8]) -> Result<HashMap<String, String>, WeightsError> {
    let (_, metadata) = SafeTensors::read_metadata(bytes).map_err(WeightsError::Format)?;
    Ok(metadata.metadata().clone().unwrap_or_default())
}

/// The size of the network that a file of this format is about.
pub(crate) fn noted_architecture(
    notes: &HashMap<String, String>,
    format: &str,
) -> Result<Architecture, WeightsError> {
    let note = |name: &str| notes.get(name).map(String::as_str);
    if note(FORMAT) != Some(format) {
        return Err(WeightsError::Foreign(format.to_owned()));
    }
    match note(PLANES) {
        Some(name) if name == FEATURES.name() => (),
        other => return Err(WeightsError::Features(other.unwrap_or("?").to_owned())),
    }
    let architecture: Architecture = note(ARCHITECTURE)
        .and_then(|text| serde_json::from_str(text).ok())
        .ok_or(WeightsError::NoArchitecture)?;
    architecture.check().map_err(WeightsError::Architecture)
}

/// The shape that a part had in earlier releases, which wrote so many more numbers at its end, if the file has that.
fn earlier_shape(tensors: &SafeTensors<'_>, part: &Part, dropped: usize) -> Option<Vec<usize>> {
    let (rows, rest) = part.shape.split_first()?;
    let more = dropped / rest.iter().product::<usize>().max(1);
    let shape = [&[rows + more], rest].concat();
    let tensor = tensors.tensor(&part.name).ok()?;
    (tensor.shape() == shape).then_some(shape)
}

impl Net {
    /// The names of metadata that the format uses itself.
    pub const OWN_NOTES: [&'static str; 5] = [
        FORMAT,
        ARCHITECTURE,
        PLANES,
        checksum::ARRAYS,
        checksum::METADATA,
    ];

    /// The network as the bytes of a safetensors file. `notes` are added to its metadata.
    ///
    /// # Panics
    ///
    /// If a note has a name that the format uses itself.
    pub fn to_bytes(&self, notes: &[(&str, &str)]) -> Vec<u8> {
        self.to_bytes_with(Precision::Full, notes)
    }

    /// The network as the bytes of a safetensors file with numbers of some precision. `notes` are added to its
    /// metadata.
    ///
    /// # Panics
    ///
    /// If a note has a name that the format uses itself.
    pub fn to_bytes_with(&self, precision: Precision, notes: &[(&str, &str)]) -> Vec<u8> {
        let arrays = self.parts().map(|(part, values)| Array {
            name: part.name(),
            shape: part.shape(),
            values,
        });
        arrays_to_bytes(NETWORK, precision, self.architecture(), arrays, notes)
    }

    /// A network from the bytes of a file.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, WeightsError> {
        let tensors = SafeTensors::deserialize(bytes).map_err(WeightsError::Format)?;
        let notes = notes(bytes)?;
        let architecture = noted_architecture(&notes, NETWORK)?;
        let checksums = Checksums::of(&notes)?;
        let layout = Layout::of(architecture);
        // No more than the file can hold, whatever its metadata say.
        let mut weights = Vec::with_capacity(layout.len.min(bytes.len()));
        for (number, part) in layout.parts.iter().enumerate() {
            let shape = earlier_shape(&tensors, part, layout.dropped(number));
            let shape = shape.as_ref().unwrap_or(&part.shape);
            let values = array(&tensors, &checksums, &part.name, shape)?;
            weights.extend_from_slice(&values[..part.range.len()]);
        }
        checksum::check_metadata(&notes)?;
        Ok(Self::new(architecture, weights))
    }

    /// The metadata of a file: what the format says of itself, and the notes of whoever wrote it.
    pub fn notes(bytes: &[u8]) -> Result<HashMap<String, String>, WeightsError> {
        notes(bytes)
    }
}
