//! What is done to all points of boards.
#![expect(
    unsafe_code,
    reason = "bounds are checked once for each call, and vector instructions are unsafe to call"
)]

use super::vector::{Array, Vector};
use super::{COLUMNS, Kernels, LANES, Path};
use crate::grid::Grid;
use crate::pooling::Channels;

/// Where the sums, the maxima and their places over all points of a board go.
pub(crate) struct Pooled<'a> {
    pub(crate) sums: &'a mut [f32],
    pub(crate) maxima: &'a mut [f32],
    /// The last place of each maximum, a whole number. It may be empty, and then gets nothing.
    pub(crate) peaks: &'a mut [f32],
}

kernel! {
    /// The sums and the maxima of some channels over all points of a board.
    sum_and_peak = sum_and_peak_kernel(
        grid: &Grid, board: usize, channels: Channels, values: &[f32], to: Pooled<'_>
    ) where {
        check(grid, board, channels, values);
        assert!(to.sums.len() >= channels.count && to.maxima.len() >= channels.count);
        assert!(to.peaks.is_empty() || to.peaks.len() >= channels.count);
    }
}

fn check(grid: &Grid, board: usize, channels: Channels, values: &[f32]) {
    assert!(board < grid.boards() && values.len() >= grid.len(channels.all));
    assert!(
        channels.count.is_multiple_of(COLUMNS) && channels.first + channels.count <= channels.all
    );
}

#[inline(always)]
unsafe fn sum_and_peak_kernel<V: Vector>(
    grid: &Grid,
    board: usize,
    channels: Channels,
    values: &[f32],
    mut to: Pooled<'_>,
) {
    unsafe {
        for first in (0..channels.count).step_by(COLUMNS) {
            sum_and_peak_columns::<V, 2>(grid, board, channels, first, values, &mut to);
        }
    }
}

/// Some channels at a time: few enough to stay in registers, enough to keep the processor busy.
#[inline(always)]
unsafe fn sum_and_peak_columns<V: Vector, const VECTORS: usize>(
    grid: &Grid,
    board: usize,
    channels: Channels,
    first: usize,
    values: &[f32],
    to: &mut Pooled<'_>,
) {
    unsafe {
        let mut sum = [V::splat(0.0); VECTORS];
        let mut most = [V::splat(f32::NEG_INFINITY); VECTORS];
        let mut peak = [V::splat(0.0); VECTORS];
        for y in 0..grid.height() {
            let start = grid.index(board, 0, y);
            for place in start..start + grid.width() {
                let from = place * channels.all + channels.first + first;
                let from = values.as_ptr().add(from);
                // A whole number below 2^24 is exact.
                let place = V::splat(place as f32);
                for number in 0..VECTORS {
                    let value = V::load(from.add(number * LANES));
                    sum[number] = sum[number].add(value);
                    peak[number] = place.where_at_least(value, most[number], peak[number]);
                    most[number] = most[number].max(value);
                }
            }
        }
        for number in 0..VECTORS {
            let at = first + number * LANES;
            sum[number].store(to.sums.as_mut_ptr().add(at));
            most[number].store(to.maxima.as_mut_ptr().add(at));
            if !to.peaks.is_empty() {
                peak[number].store(to.peaks.as_mut_ptr().add(at));
            }
        }
    }
}

kernel! {
    /// Adds a row to all points of a board, lets nothing through where gates are not positive, and says the sums over
    /// all points.
    add_and_gate = add_and_gate_kernel(
        grid: &Grid, board: usize, row: &[f32], values: &mut [f32], gates: &[f32], sums: &mut [f32]
    ) where {
        let channels = Channels::all(row.len());
        check(grid, board, channels, values);
        check(grid, board, channels, gates);
        assert!(sums.len() >= row.len());
    }
}

#[inline(always)]
unsafe fn add_and_gate_kernel<V: Vector>(
    grid: &Grid,
    board: usize,
    row: &[f32],
    values: &mut [f32],
    gates: &[f32],
    sums: &mut [f32],
) {
    let channels = row.len();
    unsafe {
        // A line of the cache at a time.
        for first in (0..channels).step_by(COLUMNS) {
            let halves = [first, first + LANES];
            let mut sum = [V::splat(0.0); 2];
            for y in 0..grid.height() {
                let start = grid.index(board, 0, y) * channels;
                for x in 0..grid.width() {
                    for (sum, half) in sum.iter_mut().zip(halves) {
                        let at = start + x * channels + half;
                        let to = values.as_mut_ptr().add(at);
                        let more = V::load(row.as_ptr().add(half));
                        let gate = V::load(gates.as_ptr().add(at));
                        let value = V::load(to).add(more).where_positive(gate);
                        value.store(to);
                        *sum = sum.add(value);
                    }
                }
            }
            for (sum, half) in sum.into_iter().zip(halves) {
                sum.store(sums.as_mut_ptr().add(half));
            }
        }
    }
}

kernel! {
    /// The sums of all channels over all points of a board.
    sum = sum_kernel(grid: &Grid, board: usize, values: &[f32], sums: &mut [f32]) where {
        check(grid, board, Channels::all(sums.len()), values);
    }
}

#[inline(always)]
unsafe fn sum_kernel<V: Vector>(grid: &Grid, board: usize, values: &[f32], sums: &mut [f32]) {
    let channels = sums.len();
    unsafe {
        // A line of the cache at a time.
        for first in (0..channels).step_by(COLUMNS) {
            let halves = [first, first + LANES];
            let mut sum = [V::splat(0.0); 2];
            for y in 0..grid.height() {
                let start = grid.index(board, 0, y) * channels;
                for x in 0..grid.width() {
                    for (sum, half) in sum.iter_mut().zip(halves) {
                        let at = start + x * channels + half;
                        *sum = sum.add(V::load(values.as_ptr().add(at)));
                    }
                }
            }
            for (sum, half) in sum.into_iter().zip(halves) {
                sum.store(sums.as_mut_ptr().add(half));
            }
        }
    }
}

kernel! {
    /// Adds a row to every row, and raises what is less than the row of the least to that.
    add_and_raise = add_and_raise_kernel(rows: &mut [f32], row: &[f32], least: &[f32]) where {
        assert!(row.len().is_multiple_of(LANES) && least.len() == row.len());
    }
}

#[inline(always)]
unsafe fn add_and_raise_kernel<V: Vector>(rows: &mut [f32], row: &[f32], least: &[f32]) {
    for own in rows.chunks_exact_mut(row.len()) {
        for at in (0..row.len()).step_by(LANES) {
            unsafe {
                let own = own.as_mut_ptr().add(at);
                V::load(own)
                    .add(V::load(row.as_ptr().add(at)))
                    .max(V::load(least.as_ptr().add(at)))
                    .store(own);
            }
        }
    }
}
