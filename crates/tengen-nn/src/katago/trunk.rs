//! The trunk of a network with its weights packed.

use super::convolution::{After, Convolved, Normed};
use super::layer::TipNorm;
use super::matrix::{Matrix, add_to_rows};
use super::memory::{Memory, padded, padded_row};
use super::model::{MetadataLayers, TrunkLayers};
use super::residual::Residual;
use crate::kernels::{Activation, Buffer, Kernels, Normalization, RootMeanSquare};

#[derive(Debug)]
pub(super) struct Trunk {
    channels: usize,
    stem: Convolved,
    globals: Matrix,
    metadata: Option<MetadataEncoder>,
    blocks: Vec<Residual>,
    tip: Tip,
}

#[derive(Debug)]
struct MetadataEncoder {
    first: Matrix,
    first_bias: Vec<f32>,
    first_activation: Activation,
    second: Matrix,
    second_bias: Vec<f32>,
    second_activation: Activation,
    third: Matrix,
}

#[derive(Debug)]
enum Tip {
    Batch(Normed),
    RootMeanSquare {
        channels: usize,
        epsilon: f32,
        spatial: bool,
        scale: Vec<f32>,
        bias: Vec<f32>,
        activation: Activation,
    },
}

impl Trunk {
    pub(super) fn new(layers: TrunkLayers) -> Self {
        let tip = match layers.tip {
            TipNorm::Batch(norm) => Tip::Batch(Normed::of(&norm, layers.tip_activation)),
            TipNorm::RootMeanSquare {
                epsilon,
                spatial,
                scale,
                bias,
            } => Tip::RootMeanSquare {
                channels: layers.channels,
                epsilon,
                spatial,
                scale: padded_row(&scale),
                bias: padded_row(&bias),
                activation: layers.tip_activation,
            },
        };
        Self {
            channels: padded(layers.channels),
            stem: Convolved::sparse(&layers.stem),
            globals: Matrix::new(&layers.globals),
            metadata: layers.metadata.as_ref().map(MetadataEncoder::new),
            blocks: Residual::stack(layers.blocks, &mut 0),
            tip,
        }
    }

    /// How many numbers a point has.
    pub(super) const fn channels(&self) -> usize {
        self.channels
    }

    /// The trunk of all boards: planes are in a grid, other inputs are rows for each board.
    pub(super) fn run(
        &self,
        memory: &mut Memory,
        planes: &[f32],
        globals: &[f32],
        metadata: &[f32],
    ) -> Buffer {
        let kernels = memory.kernels;
        let mut bias = self.globals.of_rows(kernels, globals);
        if let Some(encoder) = &self.metadata {
            let more = encoder.run(kernels, metadata);
            for (own, more) in bias.iter_mut().zip(more) {
                *own += more;
            }
        }
        let mut trunk = memory.take(self.channels);
        let after = After::Activate(&bias, Activation::Identity);
        self.stem.run(memory, planes, &mut trunk, after);
        for block in &self.blocks {
            block.run(memory, &mut trunk, self.channels);
        }
        let mut out = memory.take(self.channels);
        self.tip.run(memory, &trunk, &mut out);
        memory.give(self.channels, trunk);
        out
    }
}

impl MetadataEncoder {
    fn new(layers: &MetadataLayers) -> Self {
        Self {
            first: Matrix::new(&layers.first),
            first_bias: padded_row(&layers.first_bias),
            first_activation: layers.first_activation,
            second: Matrix::new(&layers.second),
            second_bias: padded_row(&layers.second_bias),
            second_activation: layers.second_activation,
            third: Matrix::new(&layers.third),
        }
    }

    fn run(&self, kernels: Kernels, metadata: &[f32]) -> Vec<f32> {
        let mut first = self.first.of_rows(kernels, metadata);
        add_to_rows(&mut first, &self.first_bias);
        kernels.activate_all(self.first_activation, &mut first);
        let mut second = self.second.of_rows(kernels, &first);
        add_to_rows(&mut second, &self.second_bias);
        kernels.activate_all(self.second_activation, &mut second);
        self.third.of_rows(kernels, &second)
    }
}

impl Tip {
    fn run(&self, memory: &mut Memory, trunk: &[f32], out: &mut [f32]) {
        let (kernels, grid) = (memory.kernels, memory.grid);
        let (channels, epsilon, spatial, scale, bias, activation) = match self {
            Self::Batch(norm) => return norm.run(memory, trunk, out),
            Self::RootMeanSquare {
                channels,
                epsilon,
                spatial,
                scale,
                bias,
                activation,
            } => (*channels, *epsilon, *spatial, scale, bias, *activation),
        };
        let width = scale.len();
        for board in 0..grid.boards() {
            if spatial {
                let square = |place: usize| -> f32 {
                    let point = &trunk[place * width..][..width];
                    point.iter().map(|value| value * value).sum()
                };
                let squares: f32 = grid.points(board).map(square).sum();
                let mean = squares / (grid.area() * channels) as f32;
                let factor = 1.0 / (mean + epsilon).sqrt();
                let scale: Vec<f32> = scale.iter().map(|scale| scale * factor).collect();
                let by = Normalization {
                    scale: &scale,
                    bias,
                    activation,
                };
                kernels.normalize(&grid, board, by, trunk, out);
            } else {
                let mut points = memory.take_flat(grid.area() * width);
                let by = RootMeanSquare {
                    scale,
                    count: channels,
                    epsilon,
                };
                kernels.root_mean_square(&grid, board, by, trunk, &mut points);
                for (place, point) in grid.points(board).zip(points.chunks_exact(width)) {
                    out[place * width..][..width].copy_from_slice(point);
                }
                memory.give_flat(points);
                kernels.activate(&grid, board, bias, activation, out);
            }
        }
    }
}
