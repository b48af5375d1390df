//! Convolutions with windows of any size.

use super::layer::{ConvolutionLayer, NormActivation, NormLayer};
use super::matrix::Matrix;
use super::memory::{Memory, padded, padded_row};
use crate::convolution::{Convolution, Transformation};
use crate::kernels::{Activation, Buffer, Finish, Kernels, Normalization, Sparse};
use crate::tile::Saving;

/// The transformed weights of convolutions with so many channels are read fast enough for a single board.
const NEAR_CHANNELS: usize = 32;

/// A convolution with its weights packed.
#[derive(Debug)]
pub(super) struct Convolved {
    outputs: usize,
    way: Way,
}

#[derive(Debug)]
enum Way {
    /// A window of 3 × 3, by Winograd's tiles.
    Tiles(Convolution),
    /// A window of one point.
    Points(Matrix),
    /// Any other, or an input with few numbers that are not 0.
    Taps(Taps),
}

/// What happens to the results of a convolution.
#[derive(Clone, Copy)]
pub(super) enum After<'a> {
    Nothing,
    /// A row for each board is added, and they are activated.
    Activate(&'a [f32], Activation),
    /// They are added to what was before.
    Add(&'a [f32]),
}

impl Convolved {
    pub(super) fn new(layer: &ConvolutionLayer) -> Self {
        let outputs = padded(layer.outputs);
        let way = match (layer.rows, layer.columns, layer.dilation) {
            (1, 1, _) => Way::Points(Matrix::in_parts(&layer.weights, 1, layer.outputs)),
            (3, 3, [1, 1]) => {
                let inputs = padded(layer.inputs);
                let saving = match inputs.max(outputs) {
                    ..=NEAR_CHANNELS => Saving::Products,
                    _ => Saving::Weights,
                };
                let weights = padded_weights(layer);
                let way = (saving, Transformation::Down);
                let (shape, memory) = ([inputs, outputs], Buffer::default());
                Way::Tiles(Convolution::new(
                    Kernels::detect(),
                    way,
                    &weights,
                    shape,
                    memory,
                ))
            }
            _ => return Self::sparse(layer),
        };
        Self { outputs, way }
    }

    /// For inputs of which most numbers are 0.
    pub(super) fn sparse(layer: &ConvolutionLayer) -> Self {
        Self {
            outputs: padded(layer.outputs),
            way: Way::Taps(Taps::new(layer)),
        }
    }

    /// How many numbers a point has after it.
    pub(super) const fn outputs(&self) -> usize {
        self.outputs
    }

    pub(super) fn run(
        &self,
        memory: &mut Memory,
        input: &[f32],
        out: &mut [f32],
        after: After<'_>,
    ) {
        let (grid, kernels) = (memory.grid, memory.kernels);
        match &self.way {
            Way::Tiles(tiles) => {
                let finish = match after {
                    After::Activate(bias, Activation::Relu) => Finish {
                        bias: Some(bias),
                        rectify: true,
                        ..Finish::default()
                    },
                    After::Add(before) => Finish {
                        skip: Some(before),
                        ..Finish::default()
                    },
                    After::Nothing | After::Activate(..) => Finish::default(),
                };
                tiles.run(kernels, &grid, input, out, finish, &mut memory.scratch);
                if matches!(
                    after,
                    After::Nothing | After::Add(_) | After::Activate(_, Activation::Relu)
                ) {
                    return;
                }
            }
            Way::Points(matrix) => {
                let inputs = input.len() / grid.len(1);
                for board in 0..grid.boards() {
                    // Points beyond the edges at the sides take part: they are 0, and stay so.
                    let first = grid.index(board, 0, 0);
                    let rows = grid.height() * grid.stride() - 1;
                    let (from, to) = (&input[first * inputs..], &mut out[first * self.outputs..]);
                    matrix.run(kernels, from, to, rows);
                }
            }
            Way::Taps(taps) => taps.run(memory, input, out, self.outputs),
        }
        match after {
            After::Nothing => {}
            After::Activate(bias, activation) => {
                for (board, bias) in bias.chunks_exact(self.outputs).enumerate() {
                    kernels.activate(&grid, board, bias, activation, out);
                }
            }
            After::Add(before) => {
                for (own, before) in out.iter_mut().zip(before) {
                    *own += before;
                }
            }
        }
    }
}

/// Weights with zeros for channels that do not exist.
fn padded_weights(layer: &ConvolutionLayer) -> Vec<f32> {
    let (inputs, outputs) = (padded(layer.inputs), padded(layer.outputs));
    let mut weights = vec![0.0; layer.rows * layer.columns * inputs * outputs];
    for (number, row) in layer.weights.chunks_exact(layer.outputs).enumerate() {
        let place = number / layer.inputs * inputs + number % layer.inputs;
        weights[place * outputs..][..layer.outputs].copy_from_slice(row);
    }
    weights
}

/// Weights that are added, point by point, for each input that is not 0.
#[derive(Debug)]
struct Taps {
    inputs: usize,
    /// How far to the right and down each tap looks.
    offsets: Vec<[isize; 2]>,
    weights: Vec<f32>,
}

impl Taps {
    fn new(layer: &ConvolutionLayer) -> Self {
        let [down, across] = layer.dilation.map(usize::cast_signed);
        let middle = [layer.columns / 2, layer.rows / 2].map(usize::cast_signed);
        let (rows, columns) = (layer.rows.cast_signed(), layer.columns.cast_signed());
        let offsets = (0..rows).flat_map(|row| {
            (0..columns)
                .map(move |column| [(column - middle[0]) * across, (row - middle[1]) * down])
        });
        Self {
            inputs: padded(layer.inputs),
            offsets: offsets.collect(),
            weights: padded_weights(layer),
        }
    }

    fn run(&self, memory: &Memory, input: &[f32], out: &mut [f32], outputs: usize) {
        let (grid, kernels) = (memory.grid, memory.kernels);
        let mut nonzero = Vec::new();
        let mut starts = Vec::new();
        let mut entries = Vec::new();
        for board in 0..grid.boards() {
            nonzero.clear();
            starts.clear();
            for place in grid.points(board) {
                starts.push(nonzero.len());
                let row = &input[place * self.inputs..][..self.inputs];
                let entry = |(channel, value): (usize, &f32)| Sparse {
                    channel,
                    value: *value,
                };
                let some = row.iter().enumerate().filter(|(_, value)| **value != 0.0);
                nonzero.extend(some.map(entry));
            }
            starts.push(nonzero.len());
            for y in 0..grid.height() {
                for x in 0..grid.width() {
                    entries.clear();
                    for (tap, [across, down]) in self.offsets.iter().enumerate() {
                        let (Some(x), Some(y)) =
                            (x.checked_add_signed(*across), y.checked_add_signed(*down))
                        else {
                            continue;
                        };
                        if x >= grid.width() || y >= grid.height() {
                            continue;
                        }
                        let point = y * grid.width() + x;
                        let seen = &nonzero[starts[point]..starts[point + 1]];
                        entries.extend(seen.iter().map(|entry: &Sparse| Sparse {
                            channel: tap * self.inputs + entry.channel,
                            ..*entry
                        }));
                    }
                    let to = &mut out[grid.index(board, x, y) * outputs..][..outputs];
                    to.fill(0.0);
                    kernels.add_rows(&entries, &self.weights, to);
                }
            }
        }
    }
}

/// A normalization before a convolution, and an activation.
#[derive(Debug)]
pub(super) struct Normed {
    scale: Vec<f32>,
    bias: Vec<f32>,
    activation: Activation,
}

impl Normed {
    pub(super) fn new(layer: &NormActivation) -> Self {
        Self::of(&layer.norm, layer.activation)
    }

    pub(super) fn of(norm: &NormLayer, activation: Activation) -> Self {
        Self {
            scale: padded_row(&norm.scale),
            bias: padded_row(&norm.bias),
            activation,
        }
    }

    pub(super) fn run(&self, memory: &Memory, from: &[f32], to: &mut [f32]) {
        for board in 0..memory.grid.boards() {
            let by = Normalization {
                scale: &self.scale,
                bias: &self.bias,
                activation: self.activation,
            };
            memory.kernels.normalize(&memory.grid, board, by, from, to);
        }
    }
}

/// A convolution with the normalization and the activation that come after it: its weights have the factors of the
/// normalization.
#[derive(Debug)]
pub(super) struct Activated {
    convolution: Convolved,
    bias: Vec<f32>,
    activation: Activation,
}

impl Activated {
    pub(super) fn new(mut layer: ConvolutionLayer, after: &NormActivation) -> Self {
        layer.scale(&after.norm.scale);
        Self {
            convolution: Convolved::new(&layer),
            bias: padded_row(&after.norm.bias),
            activation: after.activation,
        }
    }

    pub(super) const fn outputs(&self) -> usize {
        self.convolution.outputs
    }

    /// Runs it with something more added before the activation: a row for each board, or nothing.
    pub(super) fn run(&self, memory: &mut Memory, input: &[f32], out: &mut [f32], more: &[f32]) {
        let mut bias = memory.for_boards(&self.bias);
        for (own, more) in bias.iter_mut().zip(more) {
            *own += more;
        }
        let after = After::Activate(&bias, self.activation);
        self.convolution.run(memory, input, out, after);
    }
}
