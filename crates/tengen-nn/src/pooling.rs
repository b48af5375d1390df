//! Pooling over whole boards.

use crate::architecture::POOLINGS;
use crate::grid::Grid;
use crate::kernels::{Kernels, Pooled};

/// Some of the channels of boards in a grid.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Channels {
    /// How many numbers a point has.
    pub(crate) all: usize,
    /// The first of those that are pooled.
    pub(crate) first: usize,
    /// How many of them are: a multiple of [`COLUMNS`](crate::kernels::COLUMNS).
    pub(crate) count: usize,
}

impl Channels {
    /// All of so many.
    pub(crate) const fn all(count: usize) -> Self {
        Self {
            all: count,
            first: 0,
            count,
        }
    }
}

/// Pools each board: the means, the means by size, and the maxima of its channels. `peaks` gets the places of the
/// maxima.
pub(crate) fn pool(
    kernels: Kernels,
    grid: &Grid,
    channels: Channels,
    values: &[f32],
    pooled: &mut [f32],
    mut peaks: Option<&mut [f32]>,
) {
    let count = channels.count;
    for (board, pooled) in pooled.chunks_exact_mut(POOLINGS * count).enumerate() {
        let (means, rest) = pooled.split_at_mut(count);
        let (scaled, maxima) = rest.split_at_mut(count);
        let peaks = match &mut peaks {
            Some(peaks) => &mut peaks[board * count..][..count],
            None => &mut [],
        };
        let to = Pooled {
            sums: means,
            maxima,
            peaks,
        };
        kernels.sum_and_peak(grid, board, channels, values, to);
        let share = 1.0 / grid.area() as f32;
        let factor = grid.size_factor();
        for (mean, scaled) in means.iter_mut().zip(scaled) {
            *mean *= share;
            *scaled = *mean * factor;
        }
    }
}

/// What each point gets of the gradients of means: one row of channels for each board.
pub(crate) fn share_means(grid: &Grid, gradients: &[f32], shares: &mut [f32]) {
    let count = shares.len() / grid.boards();
    let share = 1.0 / grid.area() as f32;
    let factor = grid.size_factor();
    let boards = gradients.chunks_exact(POOLINGS * count);
    for (gradients, shares) in boards.zip(shares.chunks_exact_mut(count)) {
        let (plain, scaled) = gradients.split_at(count);
        for ((mean, plain), scaled) in shares.iter_mut().zip(plain).zip(scaled) {
            *mean = share * (plain + factor * scaled);
        }
    }
}

/// Adds the gradients of maxima to those of the points where they were, unless a rectifier said 0 there.
pub(crate) fn add_to_peaks(
    channels: Channels,
    gradients: &[f32],
    peaks: &[f32],
    values: &[f32],
    out: &mut [f32],
) {
    let count = channels.count;
    let boards = gradients.chunks_exact(POOLINGS * count);
    for (gradients, peaks) in boards.zip(peaks.chunks_exact(count)) {
        let maxima = &gradients[(POOLINGS - 1) * count..];
        for (channel, (peak, gradient)) in peaks.iter().zip(maxima).enumerate() {
            let at = *peak as usize * channels.all + channels.first + channel;
            if values[at] > 0.0 {
                out[at] += gradient;
            }
        }
    }
}
