//! Pooling over whole boards.

use crate::architecture::POOLINGS;
use crate::grid::Grid;
use crate::kernels::Kernels;

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

    fn at(self, place: usize) -> std::ops::Range<usize> {
        let first = place * self.all + self.first;
        first..first + self.count
    }
}

/// Pools each board: the means, the means by size, and the maxima of its channels. `peaks` gets the places of the maxima.
pub(crate) fn pool(
    kernels: Kernels,
    grid: &Grid,
    channels: Channels,
    values: &[f32],
    pooled: &mut [f32],
    peaks: Option<&mut [u32]>,
) {
    let count = channels.count;
    for (board, pooled) in pooled.chunks_exact_mut(POOLINGS * count).enumerate() {
        let (means, rest) = pooled.split_at_mut(count);
        let (scaled, maxima) = rest.split_at_mut(count);
        kernels.sum_and_peak(grid, board, channels, values, means, maxima);
        let share = 1.0 / grid.area() as f32;
        let factor = grid.size_factor();
        for (mean, scaled) in means.iter_mut().zip(scaled) {
            *mean *= share;
            *scaled = *mean * factor;
        }
    }
    if let Some(peaks) = peaks {
        for (board, peaks) in peaks.chunks_exact_mut(count).enumerate() {
            let maxima = &pooled[(board * POOLINGS + 2) * count..][..count];
            for place in grid.points(board) {
                let values = &values[channels.at(place)];
                for ((peak, most), value) in peaks.iter_mut().zip(maxima).zip(values) {
                    if value == most {
                        *peak = place as u32;
                    }
                }
            }
        }
    }
}

/// Adds the gradients of pooled values to those of what was pooled.
pub(crate) fn unpool(
    grid: &Grid,
    channels: Channels,
    gradients: &[f32],
    peaks: &[u32],
    out: &mut [f32],
) {
    let count = channels.count;
    let share = 1.0 / grid.area() as f32;
    let factor = grid.size_factor();
    let boards = gradients
        .chunks_exact(POOLINGS * count)
        .zip(peaks.chunks_exact(count));
    let mut means = vec![0.0; count];
    for (board, (gradients, peaks)) in boards.enumerate() {
        let (plain, rest) = gradients.split_at(count);
        let (scaled, maxima) = rest.split_at(count);
        for ((mean, plain), scaled) in means.iter_mut().zip(plain).zip(scaled) {
            *mean = share * (plain + factor * scaled);
        }
        for place in grid.points(board) {
            for (out, mean) in out[channels.at(place)].iter_mut().zip(&means) {
                *out += mean;
            }
        }
        for (channel, (peak, gradient)) in peaks.iter().zip(maxima).enumerate() {
            out[*peak as usize * channels.all + channels.first + channel] += gradient;
        }
    }
}
