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
const TAPS: usize = 9;

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
    let (matrix, stride) = (inputs * outputs, place_stride(inputs, outputs));
    for column in (0..outputs).step_by(V::LANES) {
        for input in 0..inputs {
            unsafe {
                let from = weights.as_ptr().add(input * outputs + column);
                let panel = column / COLUMNS * COLUMNS * inputs;
                let to = out
                    .as_mut_ptr()
                    .add(panel + input * COLUMNS + column % COLUMNS);
                let mut columns = [[V::splat(0.0); SIDE_PLACES]; 3];
                for (tap, column) in columns.iter_mut().enumerate() {
                    let mut taps = [V::splat(0.0); 3];
                    for (row, weight) in taps.iter_mut().enumerate() {
                        *weight = V::load(from.add((3 * row + tap) * matrix));
                    }
                    *column = Weights::apply(taps);
                }
                let [left, middle, right] = columns;
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
    use super::{COLUMNS, Kernels, PLACES, SIDE_PLACES, TAPS, place_stride};
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
