//! Convolutions with 3 × 3 weights: forward, and the gradient of the weights.

use std::ops::Range;

use crate::grid::Grid;
use crate::kernels::{Finish, Kernels, Tiling, pack};
use crate::tile::Tile;

/// So many numbers of transformed tiles stay in the cache while they are multiplied.
const CACHED: usize = 57_600;

/// Memory for transformed tiles, reused from call to call.
#[derive(Clone, Debug, Default)]
pub(crate) struct Scratch {
    tiles: Vec<f32>,
    products: Vec<f32>,
}

impl Scratch {
    /// How boards are cut into tiles before and after a product, with room for both.
    fn tilings<'a>(
        &mut self,
        tile: Tile,
        grid: &'a Grid,
        boards: &Range<usize>,
        channels: [usize; 2],
    ) -> [Tiling<'a>; 2] {
        let tilings = channels.map(|channels| Tiling {
            tile,
            grid,
            boards: boards.clone(),
            channels,
        });
        self.tiles.resize(tilings[0].len(), 0.0);
        self.products.resize(tilings[1].len(), 0.0);
        tilings
    }
}

/// The weights of a convolution, transformed and packed.
#[derive(Clone, Debug)]
pub(crate) struct Convolution {
    tile: Tile,
    inputs: usize,
    outputs: usize,
    /// For each place of a tile a matrix.
    packed: Vec<f32>,
}

impl Convolution {
    /// Weights as nine matrices of `inputs × outputs`, row by row of the 3 × 3.
    pub(crate) fn new(tile: Tile, weights: &[f32], inputs: usize, outputs: usize) -> Self {
        let mut convolution = Self {
            tile,
            inputs,
            outputs,
            packed: Vec::new(),
        };
        convolution.set(weights);
        convolution
    }

    /// Other weights of the same size.
    pub(crate) fn set(&mut self, weights: &[f32]) {
        let matrix = self.inputs * self.outputs;
        let mut transformed = vec![0.0; self.tile.places() * matrix];
        self.tile.transform_weights(weights, &mut transformed);
        self.packed.clear();
        let mut packed = Vec::with_capacity(matrix);
        for matrix in transformed.chunks_exact(matrix) {
            pack(matrix, self.outputs, &mut packed);
            self.packed.extend_from_slice(&packed);
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
            tile,
            inputs,
            outputs,
            ..
        } = *self;
        for boards in in_cache(tile, grid, inputs.max(outputs)) {
            let [before, after] = scratch.tilings(tile, grid, &boards, [inputs, outputs]);
            let rows = before.tiles();
            kernels.transform_input(&before, input, &mut scratch.tiles);
            let products = scratch.products.chunks_exact_mut(rows * outputs);
            let matrices = self.packed.chunks_exact(inputs * outputs);
            let tiles = scratch.tiles.chunks_exact(rows * inputs);
            for ((products, matrix), tiles) in products.zip(matrices).zip(tiles) {
                kernels.multiply(tiles, matrix, products, rows, inputs, outputs);
            }
            kernels.transform_output(&after, &scratch.products, out, finish);
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
    pub(crate) tile: Tile,
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
        let Self {
            tile,
            inputs,
            outputs,
        } = *self;
        let matrix = inputs * outputs;
        let mut sums = vec![0.0; tile.places() * matrix];
        for boards in in_cache(tile, grid, inputs.max(outputs)) {
            let [before, after] = scratch.tilings(tile, grid, &boards, [inputs, outputs]);
            let rows = before.tiles();
            kernels.transform_input(&before, input, &mut scratch.tiles);
            kernels.transform_gradient(&after, gradient, &mut scratch.products);
            let gradients = scratch.products.chunks_exact(rows * outputs);
            let tiles = scratch.tiles.chunks_exact(rows * inputs);
            for ((sums, tiles), gradients) in
                sums.chunks_exact_mut(matrix).zip(tiles).zip(gradients)
            {
                kernels.multiply_transposed(tiles, gradients, sums, rows, inputs, outputs);
            }
        }
        tile.add_weight_gradients(&sums, out);
    }
}

/// The boards in groups whose tiles fit into the cache.
fn in_cache(
    tile: Tile,
    grid: &Grid,
    channels: usize,
) -> impl Iterator<Item = Range<usize>> + use<> {
    let board = tile.places() * tile.count(grid) * channels;
    let group = (CACHED / board).max(1);
    let boards = grid.boards();
    (0..boards)
        .step_by(group)
        .map(move |first| first..(first + group).min(boards))
}
