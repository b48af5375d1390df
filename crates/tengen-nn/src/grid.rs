//! How boards lie in memory.

use tengen_core::Size;

use crate::tile::SHORTEST;

/// Several boards of one size in memory: for each point a row of channels, and after each row of points, and between
/// boards, points that are not on the board and stay 0. A convolution reads them where it looks beyond the edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Grid {
    width: usize,
    height: usize,
    boards: usize,
    /// Boards are pooled as if they had no more points.
    most_pooled: usize,
}

/// Tiles hang over the bottom of the last board by less than so many rows.
const OVERHANG: usize = 6;

/// The room that a side takes: that of the shortest tile, if it is shorter.
const fn at_least_a_tile(side: usize) -> usize {
    if side < SHORTEST { SHORTEST } else { side }
}

impl Grid {
    pub(crate) fn new(size: Size, boards: usize) -> Self {
        Self {
            width: usize::from(size.width()),
            height: usize::from(size.height()),
            boards,
            most_pooled: usize::MAX,
        }
    }

    /// The same boards, pooled as if they were no larger than a square with this side.
    pub(crate) const fn pooled_up_to(self, side: u8) -> Self {
        let side = side as usize;
        Self {
            most_pooled: side * side,
            ..self
        }
    }

    /// By how much a mean says more about a sum on boards of this size than on 9 × 9.
    pub(crate) fn size_factor(&self) -> f32 {
        (self.area().min(self.most_pooled) as f32).sqrt() / 9.0 - 1.0
    }

    pub(crate) const fn width(&self) -> usize {
        self.width
    }

    pub(crate) const fn height(&self) -> usize {
        self.height
    }

    pub(crate) const fn area(&self) -> usize {
        self.width * self.height
    }

    pub(crate) const fn boards(&self) -> usize {
        self.boards
    }

    /// From a point to the one below it. A short side has the room of a tile, so that no tile reaches other points:
    /// what stands there would not count, but change how numbers are rounded.
    pub(crate) const fn stride(&self) -> usize {
        at_least_a_tile(self.width) + 1
    }

    /// From a board to the next one.
    pub(crate) const fn block(&self) -> usize {
        self.stride() * (at_least_a_tile(self.height) + 1)
    }

    /// The place of a point, which is to be multiplied by the number of channels.
    pub(crate) const fn index(&self, board: usize, x: usize, y: usize) -> usize {
        self.stride() + 1 + board * self.block() + y * self.stride() + x
    }

    /// How many rows of channels there are from the first point of the first board to the end of the last board.
    pub(crate) const fn rows(&self) -> usize {
        self.boards * self.block()
    }

    /// How many numbers so many channels of all boards take.
    pub(crate) const fn len(&self, channels: usize) -> usize {
        let lead = self.stride() + 1;
        (lead + self.rows() + (OVERHANG + 1) * self.stride()) * channels
    }

    /// The places of all points of a board, row by row.
    pub(crate) fn points(&self, board: usize) -> impl Iterator<Item = usize> + use<> {
        let first = self.index(board, 0, 0);
        let (width, stride) = (self.width, self.stride());
        (0..self.height).flat_map(move |y| first + y * stride..first + y * stride + width)
    }
}
