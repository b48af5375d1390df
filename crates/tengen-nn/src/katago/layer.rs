//! The layers of a network as its file describes them.

use super::file::{KataGoFault, Result, Words};
use crate::kernels::Activation;

/// A layer has at most so many channels.
pub(super) const MOST_CHANNELS: usize = 1 << 14;

/// The weights of a convolution have at most so many rows and columns.
const MOST_TAPS: usize = 19;

/// A convolution: for each row and column of its window a matrix of inputs × outputs.
#[derive(Debug)]
pub(super) struct ConvolutionLayer {
    pub(super) rows: usize,
    pub(super) columns: usize,
    pub(super) inputs: usize,
    pub(super) outputs: usize,
    /// From a row, or a column, of the window to the next one.
    pub(super) dilation: [usize; 2],
    pub(super) weights: Vec<f32>,
}

impl ConvolutionLayer {
    pub(super) fn read(words: &mut Words<'_>, inputs: usize) -> Result<Self> {
        words.name()?;
        let rows = words.count("the rows of a window", MOST_TAPS)?;
        let columns = words.count("the columns of a window", MOST_TAPS)?;
        let found = words.count("channels", MOST_CHANNELS)?;
        let outputs = words.count("channels", MOST_CHANNELS)?;
        let dilation = [
            words.count("a dilation", MOST_TAPS)?,
            words.count("a dilation", MOST_TAPS)?,
        ];
        words.same("inputs of a convolution", found, inputs)?;
        if rows % 2 == 0 || columns % 2 == 0 {
            return Err(words.error(KataGoFault::Range {
                what: "a window with a middle",
                found: format!("{rows}x{columns}"),
            }));
        }
        Ok(Self {
            rows,
            columns,
            inputs,
            outputs,
            dilation,
            weights: words.array(rows * columns * inputs * outputs)?,
        })
    }

    /// Multiplies each output.
    pub(super) fn scale(&mut self, factors: &[f32]) {
        scale_columns(&mut self.weights, factors);
    }
}

fn scale_columns(weights: &mut [f32], factors: &[f32]) {
    for row in weights.chunks_exact_mut(factors.len()) {
        for (weight, factor) in row.iter_mut().zip(factors) {
            *weight *= factor;
        }
    }
}

/// A batch normalization, merged into a factor and a summand for each channel.
#[derive(Debug)]
pub(super) struct NormLayer {
    pub(super) scale: Vec<f32>,
    pub(super) bias: Vec<f32>,
}

impl NormLayer {
    pub(super) fn read(words: &mut Words<'_>, channels: usize) -> Result<Self> {
        words.name()?;
        let found = words.count("channels", MOST_CHANNELS)?;
        let epsilon = words.positive("an epsilon")?;
        let [has_scale, has_bias] = [words.flag()?, words.flag()?];
        words.same("channels of a normalization", found, channels)?;
        let mean = words.array(channels)?;
        let variance = words.array(channels)?;
        let mut scale = match has_scale {
            true => words.array(channels)?,
            false => vec![1.0; channels],
        };
        let mut bias = match has_bias {
            true => words.array(channels)?,
            false => vec![0.0; channels],
        };
        for (scale, variance) in scale.iter_mut().zip(&variance) {
            *scale /= (variance + epsilon).sqrt();
        }
        for ((bias, scale), mean) in bias.iter_mut().zip(&scale).zip(&mean) {
            *bias -= scale * mean;
        }
        match scale.iter().chain(&bias).all(|value| value.is_finite()) {
            true => Ok(Self { scale, bias }),
            false => Err(words.error(KataGoFault::NotFinite)),
        }
    }
}

/// An activation, which files have a name for since version 11.
pub(super) fn read_activation(words: &mut Words<'_>, version: u64) -> Result<Activation> {
    words.name()?;
    if version < 11 {
        return Ok(Activation::Relu);
    }
    let found = words.word()?;
    match found.as_str() {
        "ACTIVATION_IDENTITY" => Ok(Activation::Identity),
        "ACTIVATION_RELU" => Ok(Activation::Relu),
        "ACTIVATION_MISH" => Ok(Activation::Mish),
        "ACTIVATION_SILU" => Ok(Activation::Silu),
        _ => Err(words.error(KataGoFault::Unknown {
            what: "activation",
            found,
        })),
    }
}

/// A normalization and an activation.
#[derive(Debug)]
pub(super) struct NormActivation {
    pub(super) norm: NormLayer,
    pub(super) activation: Activation,
}

impl NormActivation {
    pub(super) fn read(words: &mut Words<'_>, channels: usize, version: u64) -> Result<Self> {
        Ok(Self {
            norm: NormLayer::read(words, channels)?,
            activation: read_activation(words, version)?,
        })
    }
}

/// A matrix of inputs × outputs.
#[derive(Debug)]
pub(super) struct MatrixLayer {
    pub(super) outputs: usize,
    pub(super) weights: Vec<f32>,
}

impl MatrixLayer {
    pub(super) fn read(words: &mut Words<'_>, inputs: usize) -> Result<Self> {
        words.name()?;
        let found = words.count("channels", 3 * MOST_CHANNELS)?;
        let outputs = words.count("channels", MOST_CHANNELS)?;
        words.same("inputs of a matrix", found, inputs)?;
        Ok(Self {
            outputs,
            weights: words.array(inputs * outputs)?,
        })
    }

    /// One with so many outputs.
    pub(super) fn read_to(words: &mut Words<'_>, inputs: usize, outputs: usize) -> Result<Self> {
        let layer = Self::read(words, inputs)?;
        words.same("outputs of a matrix", layer.outputs, outputs)?;
        Ok(layer)
    }

    /// Multiplies each output.
    pub(super) fn scale(&mut self, factors: &[f32]) {
        scale_columns(&mut self.weights, factors);
    }
}

/// A summand for each channel.
pub(super) fn read_bias(words: &mut Words<'_>, channels: usize) -> Result<Vec<f32>> {
    words.name()?;
    let found = words.count("channels", MOST_CHANNELS)?;
    words.same("channels of a bias", found, channels)?;
    words.array(channels)
}

/// A normalization by the root of the mean square over the channels of a point.
#[derive(Debug)]
pub(super) struct RootMeanSquare {
    pub(super) epsilon: f32,
    pub(super) weights: Vec<f32>,
}

impl RootMeanSquare {
    pub(super) fn read(words: &mut Words<'_>, channels: usize) -> Result<Self> {
        words.name()?;
        let found = words.count("channels", MOST_CHANNELS)?;
        let epsilon = words.positive("an epsilon")?;
        words.same("channels of a normalization", found, channels)?;
        Ok(Self {
            epsilon,
            weights: words.array(channels)?,
        })
    }
}

/// What the trunk of a network ends with, before its last activation.
#[derive(Debug)]
pub(super) enum TipNorm {
    Batch(NormLayer),
    RootMeanSquare {
        epsilon: f32,
        /// Over the points of the board as well.
        spatial: bool,
        scale: Vec<f32>,
        bias: Vec<f32>,
    },
}

impl TipNorm {
    pub(super) fn read_root_mean_square(words: &mut Words<'_>, channels: usize) -> Result<Self> {
        words.name()?;
        let found = words.count("channels", MOST_CHANNELS)?;
        let epsilon = words.positive("an epsilon")?;
        let spatial = words.flag()?;
        // Groups of channels.
        words.unused(1)?;
        words.same("channels of a normalization", found, channels)?;
        Ok(Self::RootMeanSquare {
            epsilon,
            spatial,
            scale: words.array(channels)?,
            bias: words.array(channels)?,
        })
    }
}
