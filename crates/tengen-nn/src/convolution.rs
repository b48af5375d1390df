//! Convolutions with 3 × 3 weights: forward, and the gradient of the weights.

use std::ops::Range;

use crate::grid::Grid;
use crate::kernels::{Buffer, Finish, Kernels, TAPS_OF_A_ROW, Tiling, place_stride, portion_len};
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
    /// Weights that are transformed when they are used.
    weights: Buffer,
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
    transformed: Transformation,
    /// Matrices, as many for each strip of tiles.
    packed: Buffer,
}

/// How far weights are transformed before they are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Transformation {
    /// As a whole: for each place of a tile a matrix, 5.4 times as many numbers as there are weights.
    Whole,
    /// Down the columns alone: three matrices for each strip, 2.3 times as many. The rest is done strip by strip when
    /// they are used, with the same results. That is faster where weights come from far away.
    Down,
}

impl Transformation {
    /// How many matrices a strip has.
    const fn of_a_strip(self) -> usize {
        match self {
            Self::Whole => SIDE_PLACES,
            Self::Down => TAPS_OF_A_ROW,
        }
    }
}

impl Convolution {
    /// Weights as nine matrices of `inputs × outputs`, row by row of the 3 × 3. They are packed into memory that may
    /// have been used before.
    pub(crate) fn new(
        kernels: Kernels,
        (saving, transformed): (Saving, Transformation),
        weights: &[f32],
        [inputs, outputs]: [usize; 2],
        mut packed: Buffer,
    ) -> Self {
        let matrices = SIDE_PLACES * transformed.of_a_strip();
        packed.fit(matrices * place_stride(inputs, outputs));
        match transformed {
            Transformation::Whole => {
                kernels.transform_weights(weights, inputs, outputs, &mut packed);
            }
            Transformation::Down => {
                kernels.transform_weights_down(weights, inputs, outputs, &mut packed);
            }
        }
        Self {
            saving,
            inputs,
            outputs,
            transformed,
            packed,
        }
    }

    /// Gives its memory to another one.
    pub(crate) fn into_memory(self) -> Buffer {
        self.packed
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
            transformed,
            ..
        } = *self;
        let Scratch {
            before,
            after,
            weights,
            ..
        } = scratch;
        if transformed == Transformation::Down {
            weights.fit(portion_len(inputs, outputs));
        }
        let strip_len = transformed.of_a_strip() * place_stride(inputs, outputs);
        for boards in in_cache(saving, grid, inputs.max(outputs)) {
            let from = Tiling::new(saving, grid, boards.clone(), inputs).with_margin();
            let to = Tiling::new(saving, grid, boards, outputs);
            before.fit(&from);
            after.fit(&to);
            kernels.input_down(&from, input, &mut before.strips);
            let matrices = self.packed.chunks_exact(strip_len);
            for (strip, matrices) in matrices.enumerate().take(from.strips()) {
                kernels.input_across(&from, strip, &before.strips, &mut before.tiles);
                let (tiles, products) = (&before.tiles, &mut after.tiles);
                match transformed {
                    Transformation::Whole => {
                        kernels.multiply_tiles(&from, &to, strip, tiles, matrices, products);
                    }
                    Transformation::Down => kernels.multiply_tiles_by_strip(
                        [&from, &to],
                        strip,
                        tiles,
                        matrices,
                        weights,
                        products,
                    ),
                }
                kernels.output_across(&to, strip, &after.tiles, &mut after.strips);
            }
            kernels.output_down(&to, &after.strips, out, finish);
        }
    }
}

/// The weights of a convolution in the order in which gradients go back through them.
#[derive(Clone, Debug)]
pub(crate) struct TurnedConvolution {
    /// As many as its outputs.
    channels: usize,
    /// For each place of a tile the matrix of the convolution with rows and columns exchanged.
    packed: Buffer,
}

/// What a convolution goes back from: its input, and the gradient of its output.
#[derive(Clone, Copy)]
pub(crate) struct Back<'a> {
    pub(crate) input: &'a [f32],
    pub(crate) gradient: &'a [f32],
}

impl TurnedConvolution {
    /// Weights of a convolution with as many inputs as outputs, as for [`Convolution::new`].
    pub(crate) fn new(
        kernels: Kernels,
        weights: &[f32],
        channels: usize,
        mut packed: Buffer,
    ) -> Self {
        let mut turned = Vec::with_capacity(weights.len());
        for matrix in weights.chunks_exact(channels * channels) {
            for output in 0..channels {
                turned.extend((0..channels).map(|input| matrix[input * channels + output]));
            }
        }
        packed.fit(PLACES * place_stride(channels, channels));
        kernels.transform_weights(&turned, channels, channels, &mut packed);
        Self { channels, packed }
    }

    /// Gives its memory to another one.
    pub(crate) fn into_memory(self) -> Buffer {
        self.packed
    }

    /// Adds the gradient of the weights to `weights`, and writes that of the input to `out`. Both are made of the same
    /// transformed gradients.
    pub(crate) fn run(
        &self,
        kernels: Kernels,
        grid: &Grid,
        back: Back<'_>,
        (out, finish): (&mut [f32], Finish<'_>),
        weights: &mut [f32],
        scratch: &mut Scratch,
    ) {
        let channels = self.channels;
        let stride = place_stride(channels, channels);
        let Scratch {
            before,
            after,
            sums,
            ..
        } = scratch;
        sums.fit(PLACES * stride);
        let mut first = true;
        for boards in in_cache(Saving::Products, grid, channels) {
            let from = Tiling::new(Saving::Products, grid, boards.clone(), channels).with_margin();
            let to = Tiling::new(Saving::Products, grid, boards, channels);
            before.fit(&from);
            after.fit(&to);
            kernels.input_down(&from, back.input, &mut before.strips);
            kernels.gradient_down(&to, back.gradient, &mut after.strips);
            let sums = sums.chunks_exact_mut(SIDE_PLACES * stride);
            let matrices = self.packed.chunks_exact(SIDE_PLACES * stride);
            for (strip, (sums, matrices)) in sums.zip(matrices).enumerate() {
                kernels.input_across(&from, strip, &before.strips, &mut before.tiles);
                kernels.gradient_across(&to, strip, &after.strips, &mut after.tiles);
                let products = Products {
                    from: &from,
                    to: &to,
                    strip,
                    first,
                };
                products.add(kernels, &before.tiles, &after.tiles, sums);
                // Nobody needs the tiles of the input any more, nor this strip of the gradient.
                let (tiles, products) = (&after.tiles, &mut before.tiles);
                kernels.multiply_tiles(&to, &to, strip, tiles, matrices, products);
                kernels.input_gradient_across(&to, strip, products, &mut after.strips);
            }
            first = false;
            kernels.input_gradient_down(&to, &after.strips, out, finish);
        }
        kernels.add_weight_gradients(sums, weights);
    }
}

/// The products of the tiles of a strip and of their gradients.
struct Products<'a> {
    from: &'a Tiling<'a>,
    to: &'a Tiling<'a>,
    strip: usize,
    /// Whether there are no sums yet that they are added to. Then those of places that no tile has become 0.
    first: bool,
}

impl Products<'_> {
    /// Adds them to the gradients of the transformed weights of a strip.
    fn add(&self, kernels: Kernels, tiles: &[f32], gradients: &[f32], sums: &mut [f32]) {
        let (from, to) = (self.from, self.to);
        let (inputs, outputs) = (from.channels(), to.channels());
        for (place, sums) in sums
            .chunks_exact_mut(place_stride(inputs, outputs))
            .enumerate()
        {
            let tiles = &tiles[from.place(self.strip, place)];
            let gradients = &gradients[to.place(self.strip, place)];
            let rows = from.tiles(self.strip, place);
            match self.first {
                true => kernels.multiply_transposed(tiles, gradients, sums, rows, inputs, outputs),
                false => kernels.add_transposed(tiles, gradients, sums, rows, inputs, outputs),
            }
        }
    }
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
        let stride = place_stride(inputs, outputs);
        let Scratch {
            before,
            after,
            sums,
            ..
        } = scratch;
        sums.fit(PLACES * stride);
        let mut first = true;
        for boards in in_cache(Saving::Products, grid, inputs.max(outputs)) {
            let from = Tiling::new(Saving::Products, grid, boards.clone(), inputs).with_margin();
            let to = Tiling::new(Saving::Products, grid, boards, outputs);
            before.fit(&from);
            after.fit(&to);
            kernels.input_down(&from, input, &mut before.strips);
            kernels.gradient_down(&to, gradient, &mut after.strips);
            let sums = sums.chunks_exact_mut(SIDE_PLACES * stride);
            for (strip, sums) in sums.enumerate() {
                kernels.input_across(&from, strip, &before.strips, &mut before.tiles);
                kernels.gradient_across(&to, strip, &after.strips, &mut after.tiles);
                let products = Products {
                    from: &from,
                    to: &to,
                    strip,
                    first,
                };
                products.add(kernels, &before.tiles, &after.tiles, sums);
            }
            first = false;
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

#[cfg(test)]
mod tests {
    use super::*;
    use tengen_core::Size;

    /// Numbers that depend on nothing but their count.
    fn numbers(count: usize) -> Vec<f32> {
        let number = |place| (place * 7919 % 1009) as f32 / 500.0 - 1.0;
        (0..count).map(number).collect()
    }

    #[test]
    fn less_memory_changes_no_bit() {
        for (width, height) in [(5, 5), (9, 9), (7, 13), (19, 19), (2, 3)] {
            let size = Size::new(width, height).expect("it is a size");
            let grid = Grid::new(size, 3);
            for shape @ [inputs, outputs] in [[16, 16], [32, 48], [208, 112], [400, 64]] {
                let weights = numbers(9 * inputs * outputs);
                let mut input = vec![0.0; grid.len(inputs)];
                for board in 0..grid.boards() {
                    for place in grid.points(board) {
                        let point = &mut input[place * inputs..][..inputs];
                        point.copy_from_slice(&numbers(place + inputs)[place..]);
                    }
                }
                for kernels in Kernels::available() {
                    for saving in [Saving::Products, Saving::Weights] {
                        let ways = [Transformation::Whole, Transformation::Down];
                        let [whole, little] = ways.map(|way| {
                            let memory = Buffer::default();
                            Convolution::new(kernels, (saving, way), &weights, shape, memory)
                        });
                        assert!(little.packed.len() * 49 <= whole.packed.len() * 21);
                        let [one, two] = [whole, little].map(|convolution| {
                            let mut out = vec![0.0; grid.len(outputs)];
                            let scratch = &mut Scratch::default();
                            let finish = Finish::default();
                            convolution.run(kernels, &grid, &input, &mut out, finish, scratch);
                            out
                        });
                        assert!(one == two, "{size} {shape:?} {saving:?} {kernels:?}");
                    }
                }
            }
        }
    }
}
