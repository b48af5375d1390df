//! Convolutions with 3 × 3 weights: forward, and the gradient of the weights.

use std::ops::Range;

use crate::grid::Grid;
use crate::kernels::{Buffer, Finish, Kernels, Tiling};
use crate::tile::{PLACES, SIDE_PLACES, Saving};

/// So many numbers of transformed tiles stay in the cache while they are multiplied.
const CACHED: usize = 40_000;

/// Memory for transformed tiles, reused from call to call.
#[derive(Clone, Debug, Default)]
pub(crate) struct Scratch {
    before: Transformed,
    after: Transformed,
    /// Sums of gradients of transformed weights.
    sums: Buffer,
}

#[derive(Clone, Debug, Default)]
struct Transformed {
    /// All that was transformed in one direction.
    strips: Buffer,
    /// One strip transformed in both.
    tiles: Buffer,
}

impl Transformed {
    fn fit(&mut self, tiling: &Tiling<'_>) {
        self.strips.fit(tiling.strips_len());
        self.tiles.fit(tiling.tiles_len());
    }
}

/// The weights of a convolution, transformed and packed.
#[derive(Clone, Debug)]
pub(crate) struct Convolution {
    saving: Saving,
    inputs: usize,
    outputs: usize,
    /// For each place of a tile a matrix.
    packed: Buffer,
}

impl Convolution {
    /// Weights as nine matrices of `inputs × outputs`, row by row of the 3 × 3.
    pub(crate) fn new(
        kernels: Kernels,
        saving: Saving,
        weights: &[f32],
        inputs: usize,
        outputs: usize,
    ) -> Self {
        let mut packed = Buffer::zeros(PLACES * inputs * outputs);
        kernels.transform_weights(weights, inputs, outputs, &mut packed);
        Self {
            saving,
            inputs,
            outputs,
            packed,
        }
    }

    /// Convolves all boards.
    pub(crate) fn run(
        &self,
        kernels: Kernels,
        grid: &Grid,
        input: &[f32],
        out: &mut [f32],
        finish: Finish<'_>,
        scratch: &mut Scratch,
    ) {
        let Self {
            saving,
            inputs,
            outputs,
            ..
        } = *self;
        let Scratch { before, after, .. } = scratch;
        for boards in in_cache(saving, grid, inputs.max(outputs)) {
            let from = Tiling::new(saving, grid, boards.clone(), inputs).with_margin();
            let to = Tiling::new(saving, grid, boards, outputs);
            before.fit(&from);
            after.fit(&to);
            kernels.input_down(&from, input, &mut before.strips);
            let matrices = self.packed.chunks_exact(SIDE_PLACES * inputs * outputs);
            for (strip, matrices) in matrices.enumerate().take(from.strips()) {
                kernels.input_across(&from, strip, &before.strips, &mut before.tiles);
                let (tiles, products) = (&before.tiles, &mut after.tiles);
                kernels.multiply_tiles(&from, &to, strip, tiles, matrices, products);
                kernels.output_across(&to, strip, &after.tiles, &mut after.strips);
            }
            kernels.output_down(&to, &after.strips, out, finish);
        }
    }
}

/// The weights of the convolution that takes gradients back: rows and columns exchanged, the 3 × 3 turned around.
pub(crate) fn turned(weights: &[f32], inputs: usize, outputs: usize) -> Vec<f32> {
    let mut turned = Vec::with_capacity(weights.len());
    for matrix in weights.chunks_exact(inputs * outputs).rev() {
        for output in 0..outputs {
            turned.extend((0..inputs).map(|input| matrix[input * outputs + output]));
        }
    }
    turned
}

/// Adds the gradient of a convolution's weights, given its input and the gradient of its output.
pub(crate) struct WeightGradient {
    pub(crate) inputs: usize,
    pub(crate) outputs: usize,
}

impl WeightGradient {
    pub(crate) fn add(
        &self,
        kernels: Kernels,
        grid: &Grid,
        input: &[f32],
        gradient: &[f32],
        out: &mut [f32],
        scratch: &mut Scratch,
    ) {
        let Self { inputs, outputs } = *self;
        let matrix = inputs * outputs;
        let Scratch {
            before,
            after,
            sums,
        } = scratch;
        sums.fit(PLACES * matrix);
        for boards in in_cache(Saving::Products, grid, inputs.max(outputs)) {
            let from = Tiling::new(Saving::Products, grid, boards.clone(), inputs).with_margin();
            let to = Tiling::new(Saving::Products, grid, boards, outputs);
            before.fit(&from);
            after.fit(&to);
            kernels.input_down(&from, input, &mut before.strips);
            kernels.gradient_down(&to, gradient, &mut after.strips);
            // The first boards leave nothing of what was there before, even in strips that they do not have.
            let first = from.first_board() == 0;
            let sums = sums.chunks_exact_mut(SIDE_PLACES * matrix);
            for (strip, sums) in sums.enumerate() {
                kernels.input_across(&from, strip, &before.strips, &mut before.tiles);
                kernels.gradient_across(&to, strip, &after.strips, &mut after.tiles);
                for (place, sums) in sums.chunks_exact_mut(matrix).enumerate() {
                    let tiles = &before.tiles[from.place(strip, place)];
                    let gradients = &after.tiles[to.place(strip, place)];
                    let rows = from.tiles(strip, place);
                    match first {
                        true => kernels
                            .multiply_transposed(tiles, gradients, sums, rows, inputs, outputs),
                        false => {
                            kernels.add_transposed(tiles, gradients, sums, rows, inputs, outputs);
                        }
                    }
                }
            }
        }
        kernels.add_weight_gradients(sums, out);
    }
}

/// The boards in groups whose tiles fit into the cache.
fn in_cache(
    saving: Saving,
    grid: &Grid,
    channels: usize,
) -> impl Iterator<Item = Range<usize>> + use<> {
    let board = Tiling::new(saving, grid, 0..1, channels)
        .with_margin()
        .strips_len();
    let group = (CACHED / board).max(1);
    let boards = grid.boards();
    (0..boards)
        .step_by(group)
        .map(move |first| first..(first + group).min(boards))
}
