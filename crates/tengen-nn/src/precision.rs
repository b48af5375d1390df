//! How precise the numbers of a file are, and how they are written.

use half::f16;
use safetensors::tensor::{Dtype, SafeTensors, TensorView};

use crate::checksum::Checksums;
use crate::weights::{Array, WeightsError};

/// What the array with the scales of another one adds to its name.
const SCALES: &str = ".scale";

/// The largest whole number that a weight becomes. Its negative is the smallest, so that the two sides are alike.
const LARGEST: f32 = 127.0;

/// The lowest bits of a scale, which are 0: so a weight, the product of a scale and a whole number of seven bits, needs
/// no rounding, and what was rounded once is not rounded again.
const LOWEST_BITS: u32 = 0xff;

/// How precise the numbers of a file are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Precision {
    /// Eight bits each, for matrices and convolutions: whole numbers from −127 to 127, and a scale for each of their
    /// outputs. Vectors have 16 bits. A quarter of the size, for networks that only play.
    Byte,
    /// 16 bits each: half the size, for networks that only play.
    Half,
    /// 32 bits each: what a network has learned, to the last bit.
    Full,
}

/// An array as it stands in a file.
pub(crate) struct Written {
    pub(crate) name: String,
    pub(crate) data_type: Dtype,
    pub(crate) shape: Vec<usize>,
    pub(crate) bytes: Vec<u8>,
}

impl Written {
    fn new(name: impl Into<String>, data_type: Dtype, shape: &[usize], bytes: Vec<u8>) -> Self {
        Self {
            name: name.into(),
            data_type,
            shape: shape.to_vec(),
            bytes,
        }
    }
}

impl Precision {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Byte, Self::Half, Self::Full];

    /// How many bits most numbers have.
    pub const fn bits(self) -> usize {
        match self {
            Self::Byte => 8,
            Self::Half => 16,
            Self::Full => 32,
        }
    }

    /// The precision of a file: that of its least precise array.
    pub fn of_file(bytes: &[u8]) -> Result<Self, WeightsError> {
        let (_, metadata) = SafeTensors::read_metadata(bytes).map_err(WeightsError::Format)?;
        let arrays = metadata.tensors();
        let precisions = arrays.values().map(|array| match array.dtype {
            Dtype::I8 => Self::Byte,
            Dtype::F16 => Self::Half,
            _ => Self::Full,
        });
        Ok(precisions.min().unwrap_or(Self::Full))
    }

    /// An array as a file has it: itself, and its scales if it has some.
    pub(crate) fn write(self, array: &Array<'_>) -> Vec<Written> {
        let Array {
            name,
            shape,
            values,
        } = *array;
        match (self, shape) {
            (Self::Byte, [_, .., columns]) => {
                let scales = scales(values, *columns);
                let numbers = values.chunks_exact(*columns).flat_map(|row| {
                    let row = row.iter().zip(&scales);
                    row.map(|(value, scale)| nearest(*value, *scale).to_le_bytes()[0])
                });
                let numbers = Written::new(name, Dtype::I8, shape, numbers.collect());
                let scales = singles(&scales);
                let name = format!("{name}{SCALES}");
                vec![numbers, Written::new(name, Dtype::F32, &[*columns], scales)]
            }
            (Self::Byte | Self::Half, _) => {
                let halves = values.iter().map(|value| f16::from_f32(*value));
                let bytes = halves.flat_map(f16::to_le_bytes).collect();
                vec![Written::new(name, Dtype::F16, shape, bytes)]
            }
            (Self::Full, _) => vec![Written::new(name, Dtype::F32, shape, singles(values))],
        }
    }
}

/// Numbers of 32 bits as a file has them.
fn singles(values: &[f32]) -> Vec<u8> {
    let values = values.iter();
    values.flat_map(|value| value.to_le_bytes()).collect()
}

/// For each column, the scale by which its largest number becomes the largest whole one.
fn scales(values: &[f32], columns: usize) -> Vec<f32> {
    let mut largest = vec![0.0_f32; columns];
    for row in values.chunks_exact(columns) {
        for (largest, value) in largest.iter_mut().zip(row) {
            *largest = largest.max(value.abs());
        }
    }
    for scale in &mut largest {
        let bits = (*scale / LARGEST).to_bits();
        // Rounded up, so that no number becomes larger than the largest.
        *scale = f32::from_bits(bits.saturating_add(LOWEST_BITS) & !LOWEST_BITS);
    }
    largest
}

/// The whole number of scales that is nearest to a value.
fn nearest(value: f32, scale: f32) -> i8 {
    if scale > 0.0 {
        (value / scale).round().clamp(-LARGEST, LARGEST) as i8
    } else {
        0
    }
}

/// The numbers of an array, if it has this shape and is as it was written.
pub(crate) fn array(
    tensors: &SafeTensors<'_>,
    checksums: &Checksums,
    name: &str,
    shape: &[usize],
) -> Result<Vec<f32>, WeightsError> {
    let tensor = find(tensors, name, shape, &[Dtype::F32, Dtype::F16, Dtype::I8])?;
    let mut scales_of = None;
    let values = match (tensor.dtype(), shape) {
        (Dtype::F16, _) => {
            let (numbers, _) = tensor.data().as_chunks();
            let numbers = numbers.iter().map(|bytes| f16::from_le_bytes(*bytes));
            numbers.map(f16::to_f32).collect()
        }
        (Dtype::I8, [_, .., columns]) => {
            let name = format!("{name}{SCALES}");
            let scales = find(tensors, &name, &[*columns], &[Dtype::F32])?;
            let numbers = scaled(tensor.data(), &read_singles(scales.data()));
            scales_of = Some((name, scales));
            numbers
        }
        (Dtype::I8, _) => return Err(other_shape(name, shape, &tensor)),
        _ => read_singles(tensor.data()),
    };
    if values.iter().any(|value| !value.is_finite()) {
        return Err(WeightsError::NotFinite(name.to_owned()));
    }
    checksums.check(name, tensor.data())?;
    if let Some((name, scales)) = scales_of {
        checksums.check(&name, scales.data())?;
    }
    Ok(values)
}

fn find<'a>(
    tensors: &SafeTensors<'a>,
    name: &str,
    shape: &[usize],
    data_types: &[Dtype],
) -> Result<TensorView<'a>, WeightsError> {
    let missing = |_| WeightsError::Missing(name.to_owned());
    let tensor = tensors.tensor(name).map_err(missing)?;
    match data_types.contains(&tensor.dtype()) && tensor.shape() == shape {
        true => Ok(tensor),
        false => Err(other_shape(name, shape, &tensor)),
    }
}

fn other_shape(name: &str, shape: &[usize], tensor: &TensorView<'_>) -> WeightsError {
    WeightsError::Shape {
        name: name.to_owned(),
        found: format!("{:?} {:?}", tensor.dtype(), tensor.shape()),
        wanted: format!("{:?} {shape:?}", Dtype::F32),
    }
}

fn read_singles(bytes: &[u8]) -> Vec<f32> {
    let (numbers, _) = bytes.as_chunks();
    let numbers = numbers.iter().map(|bytes| f32::from_le_bytes(*bytes));
    numbers.collect()
}

/// Rows of whole numbers, each times the scale of its column.
fn scaled(bytes: &[u8], scales: &[f32]) -> Vec<f32> {
    let rows = bytes.chunks_exact(scales.len().max(1));
    let numbers = rows.flat_map(|row| row.iter().zip(scales));
    numbers
        .map(|(byte, scale)| f32::from(i8::from_le_bytes([*byte])) * scale)
        .collect()
}
