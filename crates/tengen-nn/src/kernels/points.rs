//! What is done to all points of boards.
#![expect(
    unsafe_code,
    reason = "bounds are checked once for each call, and vector instructions are unsafe to call"
)]

use super::vector::{Array, Vector};
use super::{COLUMNS, Kernels, LANES, Path};
use crate::grid::Grid;
use crate::pooling::Channels;

kernel! {
    /// The sums and the maxima of some channels over all points of a board.
    sum_and_peak = sum_and_peak_kernel(grid: &Grid, board: usize, channels: Channels, values: &[f32], sums: &mut [f32], maxima: &mut [f32]) where {
        assert!(board < grid.boards() && values.len() >= grid.len(channels.all));
        assert!(channels.count.is_multiple_of(COLUMNS) && channels.first + channels.count <= channels.all);
        assert!(sums.len() >= channels.count && maxima.len() >= channels.count);
    }
}

#[inline(always)]
unsafe fn sum_and_peak_kernel<V: Vector>(
    grid: &Grid,
    board: usize,
    channels: Channels,
    values: &[f32],
    sums: &mut [f32],
    maxima: &mut [f32],
) {
    unsafe {
        for first in (0..channels.count).step_by(COLUMNS) {
            // Few enough at a time to stay in registers.
            let mut sum = [V::splat(0.0); 2];
            let mut most = [V::splat(f32::NEG_INFINITY); 2];
            for y in 0..grid.height() {
                let start = grid.index(board, 0, y) * channels.all + channels.first + first;
                for x in 0..grid.width() {
                    let from = values.as_ptr().add(start + x * channels.all);
                    for half in 0..2 {
                        let value = V::load(from.add(half * LANES));
                        sum[half] = sum[half].add(value);
                        most[half] = most[half].max(value);
                    }
                }
            }
            for half in 0..2 {
                let at = first + half * LANES;
                sum[half].store(sums.as_mut_ptr().add(at));
                most[half].store(maxima.as_mut_ptr().add(at));
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
