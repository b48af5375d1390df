//! Activations of points, and what attention needs of them.
#![expect(
    unsafe_code,
    reason = "bounds are checked once for each call, and vector instructions are unsafe to call"
)]

use super::exponential::{Exponential, exp, min};
use super::vector::Array;
use super::{COLUMNS, Kernels, LANES, Path};
use crate::grid::Grid;

/// What is made of every number between two layers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Activation {
    /// The number itself.
    Identity,
    /// Nothing below 0.
    Relu,
    /// `x · tanh(ln(1 + exp x))`.
    Mish,
    /// `x / (1 + exp −x)`.
    Silu,
}

/// A factor and a summand for each channel, and what comes after.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Normalization<'a> {
    pub(crate) scale: &'a [f32],
    pub(crate) bias: &'a [f32],
    pub(crate) activation: Activation,
}

/// A factor for each channel, how many of the channels exist, and what is added to the mean of their squares.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RootMeanSquare<'a> {
    pub(crate) scale: &'a [f32],
    pub(crate) count: usize,
    pub(crate) epsilon: f32,
}

/// An activation as a type, so that loops know it when they are compiled.
trait Function {
    /// # Safety
    ///
    /// As for [`Vector`].
    unsafe fn of<V: Exponential>(x: V) -> V;
}

struct Identity;
struct Relu;
struct Mish;
struct Silu;

impl Function for Identity {
    #[inline(always)]
    unsafe fn of<V: Exponential>(x: V) -> V {
        x
    }
}

impl Function for Relu {
    #[inline(always)]
    unsafe fn of<V: Exponential>(x: V) -> V {
        unsafe { x.max(V::splat(0.0)) }
    }
}

impl Function for Mish {
    #[inline(always)]
    unsafe fn of<V: Exponential>(x: V) -> V {
        unsafe {
            // Beyond 20 the quotient is 1.
            let power = exp(min(x, V::splat(20.0)));
            let product = power.mul(power.add(V::splat(2.0)));
            x.mul(product.div(product.add(V::splat(2.0))))
        }
    }
}

impl Function for Silu {
    #[inline(always)]
    unsafe fn of<V: Exponential>(x: V) -> V {
        unsafe {
            let power = exp(V::splat(0.0).sub(x));
            x.div(power.add(V::splat(1.0)))
        }
    }
}

/// Calls a function for the type of an activation.
macro_rules! for_activation {
    ($activation:expr, $function:ident::<$vector:ident>($($argument:expr),* $(,)?)) => {
        match $activation {
            Activation::Identity => $function::<$vector, Identity>($($argument),*),
            Activation::Relu => $function::<$vector, Relu>($($argument),*),
            Activation::Mish => $function::<$vector, Mish>($($argument),*),
            Activation::Silu => $function::<$vector, Silu>($($argument),*),
        }
    };
}

fn check(grid: &Grid, board: usize, row: &[f32], values: &[f32]) {
    assert!(board < grid.boards() && row.len().is_multiple_of(COLUMNS));
    assert!(values.len() >= grid.len(row.len()));
}

kernel! {
    /// Multiplies all points of a board by a row, adds another row, and activates them.
    normalize = normalize_kernel(grid: &Grid, board: usize, by: Normalization<'_>, from: &[f32], to: &mut [f32]) where {
        check(grid, board, by.scale, from);
        check(grid, board, by.bias, to);
        assert!(by.scale.len() == by.bias.len());
    }
}

#[inline(always)]
unsafe fn normalize_kernel<V: Exponential>(
    grid: &Grid,
    board: usize,
    by: Normalization<'_>,
    from: &[f32],
    to: &mut [f32],
) {
    unsafe {
        for_activation!(
            by.activation,
            normalize_points::<V>(grid, board, by.scale, by.bias, from, to)
        );
    }
}

#[inline(always)]
unsafe fn normalize_points<V: Exponential, F: Function>(
    grid: &Grid,
    board: usize,
    scale: &[f32],
    bias: &[f32],
    from: &[f32],
    to: &mut [f32],
) {
    let channels = scale.len();
    for y in 0..grid.height() {
        for x in 0..grid.width() {
            let point = grid.index(board, x, y) * channels;
            for channel in (0..channels).step_by(LANES) {
                unsafe {
                    let scale = V::load(scale.as_ptr().add(channel));
                    let bias = V::load(bias.as_ptr().add(channel));
                    let value = V::load(from.as_ptr().add(point + channel));
                    F::of(value.mul_add(scale, bias)).store(to.as_mut_ptr().add(point + channel));
                }
            }
        }
    }
}

kernel! {
    /// Adds a row to all points of a board, and activates them.
    activate = activate_kernel(
        grid: &Grid,
        board: usize,
        bias: &[f32],
        activation: Activation,
        values: &mut [f32]
    ) where {
        check(grid, board, bias, values);
    }
}

#[inline(always)]
unsafe fn activate_kernel<V: Exponential>(
    grid: &Grid,
    board: usize,
    bias: &[f32],
    activation: Activation,
    values: &mut [f32],
) {
    unsafe { for_activation!(activation, activate_points::<V>(grid, board, bias, values)) }
}

#[inline(always)]
unsafe fn activate_points<V: Exponential, F: Function>(
    grid: &Grid,
    board: usize,
    bias: &[f32],
    values: &mut [f32],
) {
    let channels = bias.len();
    for y in 0..grid.height() {
        for x in 0..grid.width() {
            let point = grid.index(board, x, y) * channels;
            for channel in (0..channels).step_by(LANES) {
                unsafe {
                    let bias = V::load(bias.as_ptr().add(channel));
                    let at = values.as_mut_ptr().add(point + channel);
                    F::of(V::load(at).add(bias)).store(at);
                }
            }
        }
    }
}

kernel! {
    /// Activates numbers, a multiple of eight.
    activate_all = activate_all_kernel(activation: Activation, values: &mut [f32]) where {
        assert!(values.len().is_multiple_of(LANES));
    }
}

#[inline(always)]
unsafe fn activate_all_kernel<V: Exponential>(activation: Activation, values: &mut [f32]) {
    unsafe { for_activation!(activation, activate_numbers::<V>(values)) }
}

#[inline(always)]
unsafe fn activate_numbers<V: Exponential, F: Function>(values: &mut [f32]) {
    for lanes in values.chunks_exact_mut(LANES) {
        unsafe { F::of(V::load(lanes.as_ptr())).store(lanes.as_mut_ptr()) }
    }
}

kernel! {
    /// Multiplies each number's `x / (1 + exp −x)` by a gate; both are a multiple of eight.
    swish_and_gate = swish_and_gate_kernel(values: &mut [f32], gates: &[f32]) where {
        assert!(values.len().is_multiple_of(LANES) && gates.len() == values.len());
    }
}

#[inline(always)]
unsafe fn swish_and_gate_kernel<V: Exponential>(values: &mut [f32], gates: &[f32]) {
    for (lanes, gates) in values
        .chunks_exact_mut(LANES)
        .zip(gates.chunks_exact(LANES))
    {
        unsafe {
            Silu::of(V::load(lanes.as_ptr()))
                .mul(V::load(gates.as_ptr()))
                .store(lanes.as_mut_ptr());
        }
    }
}

kernel! {
    /// Replaces the first numbers of each row by their probabilities, and the rest by nearly nothing.
    softmax_rows = softmax_rows_kernel(values: &mut [f32], columns: usize, first: usize) where {
        assert!(columns.is_multiple_of(LANES) && columns > 0 && first > 0 && first <= columns);
        assert!(values.len().is_multiple_of(columns));
    }
}

#[inline(always)]
unsafe fn softmax_rows_kernel<V: Exponential>(values: &mut [f32], columns: usize, first: usize) {
    for row in values.chunks_exact_mut(columns) {
        row[first..].fill(f32::NEG_INFINITY);
        unsafe {
            let mut most = V::splat(f32::NEG_INFINITY);
            for lanes in row.chunks_exact(LANES) {
                most = most.max(V::load(lanes.as_ptr()));
            }
            let mut lanes = [0.0; LANES];
            most.store(lanes.as_mut_ptr());
            let most = V::splat(lanes.into_iter().fold(f32::NEG_INFINITY, f32::max));
            let mut sum = V::splat(0.0);
            for lanes in row.chunks_exact_mut(LANES) {
                let power = exp(V::load(lanes.as_ptr()).sub(most));
                power.store(lanes.as_mut_ptr());
                sum = sum.add(power);
            }
            sum.store(lanes.as_mut_ptr());
            let share = V::splat(1.0 / lanes.into_iter().sum::<f32>());
            for lanes in row.chunks_exact_mut(LANES) {
                V::load(lanes.as_ptr()).mul(share).store(lanes.as_mut_ptr());
            }
        }
    }
}

/// A nonzero number of an input.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sparse {
    pub(crate) channel: usize,
    pub(crate) value: f32,
}

/// Columns that are made at once.
const AT_ONCE: usize = 2 * COLUMNS;

kernel! {
    /// Adds rows of weights, each times a number, to a row of sums.
    add_rows = add_rows_kernel(entries: &[Sparse], weights: &[f32], sums: &mut [f32]) where {
        assert!(sums.len().is_multiple_of(COLUMNS));
    }
}

/// Some columns of all rows at a time, which stay in registers.
#[inline(always)]
unsafe fn add_rows_kernel<V: Exponential>(entries: &[Sparse], weights: &[f32], sums: &mut [f32]) {
    let columns = sums.len();
    let mut first = 0;
    while first < columns {
        let width = AT_ONCE.min(columns - first);
        let to = &mut sums[first..first + width];
        if let Ok(to) = <&mut [f32; AT_ONCE]>::try_from(&mut *to) {
            let mut own = *to;
            for entry in entries {
                let from = &weights[entry.channel * columns + first..][..AT_ONCE];
                for (own, weight) in own.iter_mut().zip(from) {
                    *own += entry.value * weight;
                }
            }
            *to = own;
        } else {
            for entry in entries {
                let from = &weights[entry.channel * columns + first..][..width];
                for (own, weight) in to.iter_mut().zip(from) {
                    *own += entry.value * weight;
                }
            }
        }
        first += width;
    }
}

kernel! {
    /// Divides each point of a board by the root of the mean square of its channels, and multiplies it by a row; points
    /// come one after another.
    root_mean_square = root_mean_square_kernel(
        grid: &Grid,
        board: usize,
        by: RootMeanSquare<'_>,
        from: &[f32],
        to: &mut [f32]
    ) where {
        check(grid, board, by.scale, from);
        assert!(to.len() >= grid.area() * by.scale.len());
    }
}

#[inline(always)]
unsafe fn root_mean_square_kernel<V: Exponential>(
    grid: &Grid,
    board: usize,
    by: RootMeanSquare<'_>,
    from: &[f32],
    to: &mut [f32],
) {
    let channels = by.scale.len();
    let points = grid.points(board);
    for (place, to) in points.zip(to.chunks_exact_mut(channels)) {
        let from = &from[place * channels..][..channels];
        unsafe {
            let mut squares = V::splat(0.0);
            for lanes in from.chunks_exact(LANES) {
                let value = V::load(lanes.as_ptr());
                squares = value.mul_add(value, squares);
            }
            let mut lanes = [0.0; LANES];
            squares.store(lanes.as_mut_ptr());
            let mean = lanes.into_iter().sum::<f32>() / by.count as f32;
            let factor = V::splat(1.0 / (mean + by.epsilon).sqrt());
            let both = from.chunks_exact(LANES).zip(by.scale.chunks_exact(LANES));
            for ((from, row), to) in both.zip(to.chunks_exact_mut(LANES)) {
                V::load(from.as_ptr())
                    .mul(factor)
                    .mul(V::load(row.as_ptr()))
                    .store(to.as_mut_ptr());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Activation, Kernels, Sparse};

    fn wanted(activation: Activation, x: f64) -> f64 {
        match activation {
            Activation::Identity => x,
            Activation::Relu => x.max(0.0),
            Activation::Mish => x * x.exp().ln_1p().tanh(),
            Activation::Silu => x / (1.0 + (-x).exp()),
        }
    }

    #[test]
    fn activations_are_what_their_formulas_say() {
        let values: Vec<f32> = (-4000..4000).map(|step| step as f32 / 100.0).collect();
        for kernels in Kernels::available() {
            for activation in [
                Activation::Identity,
                Activation::Relu,
                Activation::Mish,
                Activation::Silu,
            ] {
                let mut found = values.clone();
                kernels.activate_all(activation, &mut found);
                for (value, found) in values.iter().zip(found) {
                    let wanted = wanted(activation, (*value).into());
                    let off = (wanted - f64::from(found)).abs();
                    assert!(
                        off < 1e-6 * wanted.abs().max(1.0),
                        "{activation:?} {value}: {found}"
                    );
                }
            }
        }
    }

    #[test]
    fn rows_become_probabilities_even_if_all_are_far_below_zero() {
        for kernels in Kernels::available() {
            let mut rows = vec![0.0; 32];
            rows[..5].copy_from_slice(&[-200.0, -201.0, -202.0, -200.0, -250.0]);
            rows[16..21].copy_from_slice(&[300.0, 0.0, 0.0, 0.0, 0.0]);
            kernels.softmax_rows(&mut rows, 16, 5);
            let parts = [1.0, (-1.0_f32).exp(), (-2.0_f32).exp(), 1.0];
            let sum: f32 = parts.iter().sum();
            for (found, part) in rows.iter().zip(parts) {
                assert!((found - part / sum).abs() < 1e-6, "{rows:?}");
            }
            assert!(
                (rows[16] - 1.0).abs() < 1e-6 && rows[21] < 1e-30,
                "{rows:?}"
            );
        }
    }

    #[test]
    fn rows_are_added_for_any_number_of_columns() {
        for columns in [16, 32, 48, 96] {
            let weights: Vec<f32> = (0..3 * columns).map(|number| number as f32).collect();
            let entries = [(2, 0.5), (0, -1.0)].map(|(channel, value)| Sparse { channel, value });
            for kernels in Kernels::available() {
                let mut sums = vec![1.0; columns];
                kernels.add_rows(&entries, &weights, &mut sums);
                for (column, sum) in sums.iter().enumerate() {
                    let wanted = 1.0 + 0.5 * weights[2 * columns + column] - weights[column];
                    assert!((sum - wanted).abs() < 1e-4);
                }
            }
        }
    }
}
