//! Places on the board.

use std::fmt;
use std::num::NonZeroU16;

/// Cells in a row of the guarded grid. A power of two, so that a point's row and column are a shift and a mask.
pub(crate) const STRIDE: usize = 32;

/// Rows of the largest guarded grid: 25 and one guard row on either side.
pub(crate) const ROWS: usize = 27;

/// Cells of the largest guarded grid.
pub(crate) const CELLS: usize = ROWS * STRIDE;

/// A place on a board: column `x` from the left and row `y` from the top, both from 0.
///
/// It is an index into a grid with a guard ring around the largest board, so that the neighbours of every
/// point are additions without a bounds check. The same `(x, y)` is the same `Point` on every size.
///
/// ```
/// use tengen_core::Point;
/// let point = Point::new(3, 15);
/// assert_eq!((point.x(), point.y()), (3, 15));
/// assert_eq!(size_of::<Option<Point>>(), 2);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Point(NonZeroU16);

impl Point {
    /// The number of indices that there are, those of places beyond the edge included.
    pub const INDICES: usize = CELLS;

    /// The point at column `x` and row `y`, counted from the top left.
    ///
    /// # Panics
    ///
    /// If either is 25 or more; [`Point::checked_new`] returns `None` instead.
    #[inline]
    pub const fn new(x: u8, y: u8) -> Self {
        match Self::checked_new(x, y) {
            Some(point) => point,
            None => panic!("a point's column and row are below 25"),
        }
    }

    /// The point at column `x` and row `y`, or `None` if no board is that large.
    #[inline]
    pub const fn checked_new(x: u8, y: u8) -> Option<Self> {
        if x < 25 && y < 25 {
            Some(Self::from_index((y as usize + 1) * STRIDE + x as usize + 1))
        } else {
            None
        }
    }

    /// The column, from 0 at the left. That of a place beyond the edge is on no board.
    #[inline]
    pub const fn x(self) -> u8 {
        (self.column() as u8).wrapping_sub(1)
    }

    /// The row, from 0 at the top. That of a place beyond the edge is on no board.
    #[inline]
    pub const fn y(self) -> u8 {
        (self.row() as u8).wrapping_sub(1)
    }

    /// The index in the guarded grid: another name of the point, above 0 and below [`Point::INDICES`].
    #[inline]
    pub const fn index(self) -> usize {
        self.0.get() as usize
    }

    /// The inverse of [`Point::index`]. What is not the index of a point is a place beyond the edge.
    ///
    /// # Panics
    ///
    /// If the index is 0.
    #[inline]
    pub const fn from_index(index: usize) -> Self {
        match NonZeroU16::new(index as u16) {
            Some(index) => Self(index),
            None => panic!("cell 0 is a guard"),
        }
    }

    /// The row in the guarded grid, from 1.
    #[inline]
    pub(crate) const fn row(self) -> usize {
        self.index() / STRIDE
    }

    /// The column in the guarded grid, from 1.
    #[inline]
    pub(crate) const fn column(self) -> usize {
        self.index() % STRIDE
    }
}

impl fmt::Debug for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Point({}, {})", self.x(), self.y())
    }
}

/// The four cells beside a cell: above, left, right, below.
#[inline]
pub(crate) const fn beside(index: usize) -> [usize; 4] {
    [index - STRIDE, index - 1, index + 1, index + STRIDE]
}

/// The four cells that touch a cell's corners.
#[inline]
pub(crate) const fn diagonal(index: usize) -> [usize; 4] {
    [
        index - STRIDE - 1,
        index - STRIDE + 1,
        index + STRIDE - 1,
        index + STRIDE + 1,
    ]
}
