//! From weights to transformed weights, and back from their gradients.
#![expect(
    unsafe_code,
    reason = "bounds are checked once for each call, and vector instructions are unsafe to call"
)]

use super::transform::{Transform, WeightGradients, Weights};
use super::vector::{Array, Vector};
use super::{COLUMNS, Kernels, Path};
use crate::tile::{PLACES, SIDE_PLACES};

/// How many weights one output has of one input: the 3 × 3.
const TAPS: usize = TAPS_OF_A_ROW * TAPS_OF_A_ROW;

/// How many of them a row has.
pub(crate) const TAPS_OF_A_ROW: usize = 3;

/// From the matrix of a place to that of the next one. A line of the cache is left free between two: they would be a
/// power of 2 apart too often, and drive each other out of the cache.
pub(crate) const fn place_stride(inputs: usize, outputs: usize) -> usize {
    inputs * outputs + COLUMNS
}

kernel! {
    /// Transforms nine matrices of `inputs × outputs` into one for each place, packed as by [`pack`](super::pack) and
    /// [`place_stride`] apart.
    transform_weights = transform_weights_kernel(
        weights: &[f32], inputs: usize, outputs: usize, out: &mut [f32]
    ) where {
        assert!(outputs.is_multiple_of(COLUMNS));
        assert!(weights.len() >= TAPS * inputs * outputs && out.len() >= PLACES * place_stride(inputs, outputs));
    } wide true
}

#[inline(always)]
unsafe fn transform_weights_kernel<V: Vector>(
    weights: &[f32],
    inputs: usize,
    outputs: usize,
    out: &mut [f32],
) {
    let stride = place_stride(inputs, outputs);
    for column in (0..outputs).step_by(V::LANES) {
        for input in 0..inputs {
            unsafe {
                let [left, middle, right] = down::<V>(weights, [inputs, outputs], input, column);
                let to = out.as_mut_ptr().add(packed_at(inputs, input, column));
                for row in 0..SIDE_PLACES {
                    let taps = [left[row], middle[row], right[row]];
                    for (place, value) in Weights::apply(taps).into_iter().enumerate() {
                        value.store(to.add((SIDE_PLACES * row + place) * stride));
                    }
                }
            }
        }
    }
}

/// The weights of an input and of as many outputs as a vector has, transformed down the columns of the 3 × 3.
#[inline(always)]
unsafe fn down<V: Vector>(
    weights: &[f32],
    [inputs, outputs]: [usize; 2],
    input: usize,
    column: usize,
) -> [[V; SIDE_PLACES]; TAPS_OF_A_ROW] {
    unsafe {
        let from = weights.as_ptr().add(input * outputs + column);
        let mut columns = [[V::splat(0.0); SIDE_PLACES]; TAPS_OF_A_ROW];
        for (tap, column) in columns.iter_mut().enumerate() {
            let mut taps = [V::splat(0.0); TAPS_OF_A_ROW];
            for (row, weight) in taps.iter_mut().enumerate() {
                *weight = V::load(from.add((TAPS_OF_A_ROW * row + tap) * inputs * outputs));
            }
            *column = Weights::apply(taps);
        }
        columns
    }
}

/// Where [`pack`](super::pack) puts the weight of an input and an output.
const fn packed_at(inputs: usize, input: usize, output: usize) -> usize {
    output / COLUMNS * COLUMNS * inputs + input * COLUMNS + output % COLUMNS
}

kernel! {
    /// Transforms nine matrices of `inputs × outputs` down the columns of the 3 × 3 alone, into three matrices for each
    /// strip, packed and apart as by [`Kernels::transform_weights`].
    transform_weights_down = transform_weights_down_kernel(
        weights: &[f32], inputs: usize, outputs: usize, out: &mut [f32]
    ) where {
        assert!(outputs.is_multiple_of(COLUMNS));
        assert!(weights.len() >= TAPS * inputs * outputs);
        assert!(out.len() >= SIDE_PLACES * TAPS_OF_A_ROW * place_stride(inputs, outputs));
    } wide true
}

#[inline(always)]
unsafe fn transform_weights_down_kernel<V: Vector>(
    weights: &[f32],
    inputs: usize,
    outputs: usize,
    out: &mut [f32],
) {
    let stride = place_stride(inputs, outputs);
    for column in (0..outputs).step_by(V::LANES) {
        for input in 0..inputs {
            unsafe {
                let columns = down::<V>(weights, [inputs, outputs], input, column);
                let to = out.as_mut_ptr().add(packed_at(inputs, input, column));
                for (tap, places) in columns.into_iter().enumerate() {
                    for (strip, value) in places.into_iter().enumerate() {
                        value.store(to.add((TAPS_OF_A_ROW * strip + tap) * stride));
                    }
                }
            }
        }
    }
}

/// Transforms so many numbers of each of the three matrices of a strip, which are `stride` apart, across its rows.
/// Those of the first `places` are written, [`place_stride`] apart for so many numbers.
#[inline(always)]
pub(super) unsafe fn transform_weights_across<V: Vector>(
    strip: *const f32,
    stride: usize,
    count: usize,
    places: usize,
    out: *mut f32,
) {
    let out_stride = place_stride(1, count);
    for at in (0..count).step_by(V::LANES) {
        unsafe {
            let mut taps = [V::splat(0.0); TAPS_OF_A_ROW];
            for (tap, weight) in taps.iter_mut().enumerate() {
                *weight = V::load(strip.add(tap * stride + at));
            }
            let transformed = Weights::apply(taps);
            for (place, value) in transformed.into_iter().enumerate().take(places) {
                value.store(out.add(place * out_stride + at));
            }
        }
    }
}

kernel! {
    /// Adds to the gradients of nine matrices, as long as `out` together, what those of transformed ones say, which are
    /// not packed but [`place_stride`] apart.
    add_weight_gradients = add_weight_gradients_kernel(gradients: &[f32], out: &mut [f32]) where {
        assert!(out.len().is_multiple_of(TAPS * COLUMNS));
        assert!(gradients.len() >= PLACES * place_stride(1, out.len() / TAPS));
    } wide true
}

#[inline(always)]
unsafe fn add_weight_gradients_kernel<V: Vector>(gradients: &[f32], out: &mut [f32]) {
    let matrix = out.len() / TAPS;
    let stride = place_stride(1, matrix);
    for at in (0..matrix).step_by(V::LANES) {
        unsafe {
            let from = gradients.as_ptr().add(at);
            let to = out.as_mut_ptr().add(at);
            let mut across = [[V::splat(0.0); 3]; SIDE_PLACES];
            for (row, across) in across.iter_mut().enumerate() {
                let mut places = [V::splat(0.0); SIDE_PLACES];
                for (place, value) in places.iter_mut().enumerate() {
                    *value = V::load(from.add((SIDE_PLACES * row + place) * stride));
                }
                *across = WeightGradients::apply(places);
            }
            for tap in 0..3 {
                let mut rows = [V::splat(0.0); SIDE_PLACES];
                for (row, across) in rows.iter_mut().zip(across) {
                    *row = across[tap];
                }
                for (row, value) in WeightGradients::apply(rows).into_iter().enumerate() {
                    let to = to.add((3 * row + tap) * matrix);
                    value.add(V::load(to)).store(to);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{
        Array, COLUMNS, Kernels, PLACES, SIDE_PLACES, TAPS, TAPS_OF_A_ROW, place_stride,
        transform_weights_across,
    };
    use crate::kernels::pack;

    /// What three weights become at each place, as the table of Winograd's method has it.
    const TABLE: [[f32; 3]; SIDE_PLACES] = [
        [1.0 / 4.0, 0.0, 0.0],
        [0.0, 0.0, 1.0],
        [-1.0 / 6.0, -1.0 / 6.0, -1.0 / 6.0],
        [-1.0 / 6.0, 1.0 / 6.0, -1.0 / 6.0],
        [1.0 / 24.0, 1.0 / 12.0, 1.0 / 6.0],
        [1.0 / 24.0, -1.0 / 12.0, 1.0 / 6.0],
        [32.0 / 45.0, 16.0 / 45.0, 8.0 / 45.0],
    ];

    fn numbers(count: usize) -> Vec<f32> {
        let number = |place| (place * 7919 % 1009) as f32 / 500.0 - 1.0;
        (0..count).map(number).collect()
    }

    /// How much a weight counts at a place.
    fn factor(place: usize, tap: usize) -> f32 {
        TABLE[place / SIDE_PLACES][tap / 3] * TABLE[place % SIDE_PLACES][tap % 3]
    }

    fn assert_close(found: &[f32], wanted: &[f32]) {
        assert_eq!(found.len(), wanted.len());
        for (found, wanted) in found.iter().zip(wanted) {
            assert!((found - wanted).abs() < 1e-5, "{found} is not {wanted}");
        }
    }

    #[test]
    fn weights_are_transformed_as_the_table_says() {
        for (inputs, outputs) in [(24, 16), (16, 32), (48, 48)] {
            let matrix = inputs * outputs;
            let weights = numbers(TAPS * matrix);
            let mut wanted = Vec::new();
            for place in 0..PLACES {
                let at = |at| -> f32 {
                    let taps = 0..TAPS;
                    taps.map(|tap| factor(place, tap) * weights[tap * matrix + at])
                        .sum()
                };
                let mut packed = Vec::new();
                pack(
                    &(0..matrix).map(at).collect::<Vec<_>>(),
                    outputs,
                    &mut packed,
                );
                wanted.extend(packed);
                wanted.extend([0.0; COLUMNS]);
            }
            for kernels in Kernels::available() {
                let mut found = vec![0.0; PLACES * place_stride(inputs, outputs)];
                kernels.transform_weights(&weights, inputs, outputs, &mut found);
                assert_close(&found, &wanted);
            }
        }
    }

    #[test]
    fn down_and_then_across_is_the_whole_transform() {
        for (inputs, outputs) in [(24, 16), (16, 32), (48, 48)] {
            let weights = numbers(TAPS * inputs * outputs);
            let stride = place_stride(inputs, outputs);
            for kernels in Kernels::available() {
                let mut wanted = vec![0.0; PLACES * stride];
                kernels.transform_weights(&weights, inputs, outputs, &mut wanted);
                let mut down = vec![0.0; SIDE_PLACES * TAPS_OF_A_ROW * stride];
                kernels.transform_weights_down(&weights, inputs, outputs, &mut down);
                let wanted = wanted.chunks_exact(SIDE_PLACES * stride);
                for (strip, wanted) in down.chunks_exact(TAPS_OF_A_ROW * stride).zip(wanted) {
                    let mut across = vec![0.0; SIDE_PLACES * stride];
                    let count = inputs * outputs;
                    // SAFETY: all matrices of both have as many numbers.
                    unsafe {
                        transform_weights_across::<Array>(
                            strip.as_ptr(),
                            stride,
                            count,
                            SIDE_PLACES,
                            across.as_mut_ptr(),
                        );
                    }
                    assert_close(&across, wanted);
                }
            }
        }
    }

    #[test]
    fn gradients_of_weights_are_added_as_the_transposed_table_says() {
        for matrix in [16, 24 * 16, 48 * 48] {
            let gradients = numbers(PLACES * place_stride(1, matrix));
            let before = numbers(TAPS * matrix);
            let mut wanted = before.clone();
            for (tap, wanted) in wanted.chunks_exact_mut(matrix).enumerate() {
                for (place, gradients) in
                    gradients.chunks_exact(place_stride(1, matrix)).enumerate()
                {
                    for (wanted, gradient) in wanted.iter_mut().zip(gradients) {
                        *wanted += factor(place, tap) * gradient;
                    }
                }
            }
            for kernels in Kernels::available() {
                let mut found = before.clone();
                kernels.add_weight_gradients(&gradients, &mut found);
                assert_close(&found, &wanted);
            }
        }
    }
}
