//! The memory that one thread needs to run a network.

use std::collections::HashMap;

use crate::convolution::Scratch;
use crate::grid::Grid;
use crate::kernels::{Buffer, COLUMNS, Kernels, Pooled};
use crate::pooling::Channels;

/// How many numbers so many channels take: a matrix product makes 16 columns at once.
pub(super) const fn padded(channels: usize) -> usize {
    channels.next_multiple_of(COLUMNS)
}

/// A row of channels with zeros for those that do not exist.
pub(super) fn padded_row(row: &[f32]) -> Vec<f32> {
    let mut padded_row = row.to_vec();
    padded_row.resize(padded(row.len()), 0.0);
    padded_row
}

/// Which third number is pooled from each channel, besides its mean and its mean by the size of the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ThirdPooling {
    Maximum,
    MeanBySquare,
}

/// Buffers for boards of one size, which are taken and given back.
#[derive(Debug)]
pub(super) struct Memory {
    pub(super) grid: Grid,
    pub(super) kernels: Kernels,
    pub(super) scratch: Scratch,
    /// Values of points by their number of channels. What is not on a board is 0 in all of them.
    boards: HashMap<usize, Vec<Buffer>>,
    /// Numbers in any order.
    flat: Vec<Buffer>,
    /// By how much each pair of channels of a layer is turned at each point.
    pub(super) rotations: HashMap<usize, Vec<[f32; 2]>>,
}

impl Memory {
    pub(super) fn new(grid: Grid, kernels: Kernels) -> Self {
        Self {
            grid,
            kernels,
            scratch: Scratch::default(),
            boards: HashMap::new(),
            flat: Vec::new(),
            rotations: HashMap::new(),
        }
    }

    /// Points with so many channels. Who takes them writes all points of all boards, and nothing else but zeros.
    pub(super) fn take(&mut self, channels: usize) -> Buffer {
        let free = self.boards.get_mut(&channels).and_then(Vec::pop);
        free.unwrap_or_else(|| Buffer::zeros(self.grid.len(channels)))
    }

    pub(super) fn give(&mut self, channels: usize, buffer: Buffer) {
        self.boards.entry(channels).or_default().push(buffer);
    }

    /// So many numbers, whatever they are.
    pub(super) fn take_flat(&mut self, len: usize) -> Buffer {
        let mut buffer = self.flat.pop().unwrap_or_default();
        buffer.fit(len);
        buffer
    }

    pub(super) fn give_flat(&mut self, buffer: Buffer) {
        self.flat.push(buffer);
    }

    /// A row once for each board.
    pub(super) fn for_boards(&self, row: &[f32]) -> Vec<f32> {
        row.repeat(self.grid.boards())
    }

    /// Pools each board: three numbers of each channel.
    pub(super) fn pool(&self, values: &[f32], channels: usize, third: ThirdPooling) -> Vec<f32> {
        let mut pooled = vec![0.0; self.grid.boards() * 3 * channels];
        let area = self.grid.area() as f32;
        let side = area.sqrt() - 14.0;
        for (board, pooled) in pooled.chunks_exact_mut(3 * channels).enumerate() {
            let (means, rest) = pooled.split_at_mut(channels);
            let (scaled, thirds) = rest.split_at_mut(channels);
            let to = Pooled {
                sums: means,
                maxima: thirds,
                peaks: &mut [],
            };
            let all = Channels::all(channels);
            self.kernels
                .sum_and_peak(&self.grid, board, all, values, to);
            for ((mean, scaled), third_of) in means.iter_mut().zip(scaled).zip(thirds) {
                *mean /= area;
                *scaled = *mean * (side * 0.1);
                *third_of = match third {
                    // Nothing that any activation makes is less; KataGo starts from there.
                    ThirdPooling::Maximum => third_of.max(-1.0),
                    ThirdPooling::MeanBySquare => *mean * (side * side * 0.01 - 0.1),
                };
            }
        }
        pooled
    }
}
