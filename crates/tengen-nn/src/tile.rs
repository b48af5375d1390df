//! Tiles for Winograd's minimal filtering.
//!
//! A convolution with 3 × 3 weights becomes a product, place by place, of transformed tiles and transformed weights
//! (Lavin and Gray, 2015). Tiles of 3 × 3 points fit boards of 9 × 9 without a rest; tiles of 4 × 4 need fewer products where
//! they fit as well.

use crate::grid::Grid;

/// How many points a tile has on each side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tile {
    Three,
    Four,
}

impl Tile {
    /// The tile that needs the fewest products on these boards.
    pub(crate) fn for_grid(grid: &Grid) -> Self {
        let cost = |tile: Self| tile.count(grid) * tile.places();
        if cost(Self::Three) <= cost(Self::Four) {
            Self::Three
        } else {
            Self::Four
        }
    }

    pub(crate) const fn side(self) -> usize {
        match self {
            Self::Three => 3,
            Self::Four => 4,
        }
    }

    /// How many numbers a transformed tile has on each side.
    pub(crate) const fn width(self) -> usize {
        self.side() + 2
    }

    /// How many numbers a transformed tile has.
    pub(crate) const fn places(self) -> usize {
        self.width() * self.width()
    }

    /// How many tiles cover a board, across and down.
    pub(crate) const fn counts(self, grid: &Grid) -> (usize, usize) {
        (
            grid.width().div_ceil(self.side()),
            grid.height().div_ceil(self.side()),
        )
    }

    /// How many tiles cover a board.
    pub(crate) const fn count(self, grid: &Grid) -> usize {
        let (across, down) = self.counts(grid);
        across * down
    }

    /// The transform of weights, in one direction.
    const fn weights(self) -> &'static [[f32; 3]] {
        match self {
            Self::Three => &[
                [1.0 / 2.0, 0.0, 0.0],
                [-1.0 / 2.0, -1.0 / 2.0, -1.0 / 2.0],
                [-1.0 / 6.0, 1.0 / 6.0, -1.0 / 6.0],
                [1.0 / 6.0, 1.0 / 3.0, 2.0 / 3.0],
                [0.0, 0.0, 1.0],
            ],
            Self::Four => &[
                [1.0 / 4.0, 0.0, 0.0],
                [-1.0 / 6.0, -1.0 / 6.0, -1.0 / 6.0],
                [-1.0 / 6.0, 1.0 / 6.0, -1.0 / 6.0],
                [1.0 / 24.0, 1.0 / 12.0, 1.0 / 6.0],
                [1.0 / 24.0, -1.0 / 12.0, 1.0 / 6.0],
                [0.0, 0.0, 1.0],
            ],
        }
    }

    /// Transforms weights: from nine matrices to one for each place of a tile.
    pub(crate) fn transform_weights(self, weights: &[f32], out: &mut [f32]) {
        let matrix = weights.len() / 9;
        out[..self.places() * matrix].fill(0.0);
        for (row, by_row) in self.weights().iter().enumerate() {
            for (column, by_column) in self.weights().iter().enumerate() {
                let place = row * self.width() + column;
                let out = &mut out[place * matrix..][..matrix];
                for (tap, weights) in weights.chunks_exact(matrix).enumerate() {
                    add_scaled(out, weights, by_row[tap / 3] * by_column[tap % 3]);
                }
            }
        }
    }

    /// The transpose of that, for gradients, which are added.
    pub(crate) fn add_weight_gradients(self, gradients: &[f32], out: &mut [f32]) {
        let matrix = out.len() / 9;
        for (row, by_row) in self.weights().iter().enumerate() {
            for (column, by_column) in self.weights().iter().enumerate() {
                let place = row * self.width() + column;
                let gradients = &gradients[place * matrix..][..matrix];
                for (tap, out) in out.chunks_exact_mut(matrix).enumerate() {
                    add_scaled(out, gradients, by_row[tap / 3] * by_column[tap % 3]);
                }
            }
        }
    }
}

fn add_scaled(out: &mut [f32], values: &[f32], factor: f32) {
    if factor != 0.0 {
        for (out, value) in out.iter_mut().zip(values) {
            *out += factor * value;
        }
    }
}
