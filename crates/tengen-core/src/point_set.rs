//! Sets of points as one bit a point.

use std::fmt;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, Not, Sub, SubAssign};

use crate::point::{Point, ROWS, STRIDE};
use crate::size::Size;

/// One more row than the grid has, so that a set is seven whole 128-bit vectors.
pub(crate) const WORDS: usize = ROWS + 1;

/// Rows that boards of up to 10 rows use, guard rows included, in whole 128-bit vectors.
pub(crate) const SMALL: usize = 12;

/// A set of points.
///
/// Each row of the board is one 32-bit word, so that a whole-board step to the neighbours needs no carries
/// between words and compiles to vector instructions.
///
/// ```
/// use tengen_core::{Point, PointSet, Size};
/// let corner: PointSet = [Point::new(0, 0)].into_iter().collect();
/// let around = corner.neighbors() & Size::new(9, 9).unwrap().points();
/// assert_eq!(around.iter().collect::<Vec<_>>(), [Point::new(1, 0), Point::new(0, 1)]);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct PointSet {
    rows: [u32; WORDS],
}

impl PointSet {
    /// The set without points.
    pub const EMPTY: Self = Self { rows: [0; WORDS] };

    /// Every point of a board.
    pub(crate) const fn rectangle(width: u8, height: u8) -> Self {
        let mut rows = [0; WORDS];
        let mut row = 1;
        while row <= height as usize {
            rows[row] = ((1 << width) - 1) << 1;
            row += 1;
        }
        Self { rows }
    }

    /// Is this point a member?
    #[inline]
    pub const fn contains(&self, point: Point) -> bool {
        self.has(point.index())
    }

    /// Adds a point; true if it was not a member before.
    #[inline]
    pub const fn insert(&mut self, point: Point) -> bool {
        let added = !self.contains(point);
        self.set(point.index());
        added
    }

    /// Removes a point; true if it was a member before.
    #[inline]
    pub const fn remove(&mut self, point: Point) -> bool {
        let removed = self.contains(point);
        self.clear(point.index());
        removed
    }

    /// [`PointSet::contains`] for a cell of the guarded grid.
    #[inline]
    pub(crate) const fn has(&self, index: usize) -> bool {
        self.rows[index / STRIDE] >> (index % STRIDE) & 1 != 0
    }

    /// [`PointSet::insert`] for a cell of the guarded grid.
    #[inline]
    pub(crate) const fn set(&mut self, index: usize) {
        self.rows[index / STRIDE] |= 1 << (index % STRIDE);
    }

    /// [`PointSet::remove`] for a cell of the guarded grid.
    #[inline]
    pub(crate) const fn clear(&mut self, index: usize) {
        self.rows[index / STRIDE] &= !(1 << (index % STRIDE));
    }

    /// Is nothing in it?
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.rows.iter().fold(0, |all, row| all | row) == 0
    }

    /// The number of members.
    #[inline]
    pub fn len(&self) -> usize {
        // Row by row, not two rows at a time: this compiles to vector instructions.
        self.rows.iter().map(|row| row.count_ones() as usize).sum()
    }

    /// The members in reading order: top row first, each row from the left.
    pub fn iter(&self) -> Iter {
        Iter { set: *self, row: 0 }
    }

    /// The first member in reading order.
    pub fn first(&self) -> Option<Point> {
        self.iter().next()
    }

    /// The member that has `rank` members before it in reading order.
    ///
    /// ```
    /// use tengen_core::{Point, Size};
    /// let board = Size::new(3, 2).unwrap().points();
    /// assert_eq!(board.nth(4), Some(Point::new(1, 1)));
    /// assert_eq!(board.nth(6), None);
    /// ```
    #[inline]
    pub fn nth(&self, rank: usize) -> Option<Point> {
        let mut rank = rank as u32;
        for (index, &row) in self.rows.iter().enumerate() {
            let here = row.count_ones();
            if rank < here {
                let bits = (0..rank).fold(row, |bits, _| bits & (bits - 1));
                let column = bits.trailing_zeros() as usize;
                return Some(Point::from_index(index * STRIDE + column));
            }
            rank -= here;
        }
        None
    }

    /// The rows of the guarded grid, one bit a cell.
    #[inline]
    pub(crate) const fn rows(&self) -> &[u32; WORDS] {
        &self.rows
    }

    /// The set with these rows of the guarded grid; all others are empty.
    #[inline]
    pub(crate) fn from_rows<const N: usize>(upper: [u32; N]) -> Self {
        let mut rows = [0; WORDS];
        rows[..N].copy_from_slice(&upper);
        Self { rows }
    }

    /// Are all members also in `other`?
    pub fn is_subset(&self, other: &Self) -> bool {
        (*self - *other).is_empty()
    }

    /// Have the two no member in common?
    pub fn is_disjoint(&self, other: &Self) -> bool {
        (*self & *other).is_empty()
    }

    /// The cells beside a member, members included where two touch. May hold guard cells: intersect it with the board.
    #[inline]
    #[must_use]
    pub fn neighbors(&self) -> Self {
        let mut rows = [0; WORDS];
        for (out, around) in rows[1..].iter_mut().zip(self.rows.windows(3)) {
            *out = around[0] | around[2] | around[1] << 1 | around[1] >> 1;
        }
        Self { rows }
    }

    /// All points of `within` that a path inside `within` joins to a member that is also in `within`.
    #[must_use]
    pub fn flood(&self, within: &Self) -> Self {
        let mut reached = *self & *within;
        loop {
            let grown = (reached | reached.neighbors()) & *within;
            if grown == reached {
                return reached;
            }
            reached = grown;
        }
    }

    /// The connected parts of the set, in reading order of their first points.
    pub fn components(&self) -> impl Iterator<Item = Self> {
        let mut rest = *self;
        std::iter::from_fn(move || {
            let part = Self::from(rest.first()?).flood(&rest);
            rest -= part;
            Some(part)
        })
    }

    /// The members of one row of the board as bits, bit 0 the leftmost column.
    #[inline]
    pub const fn row_bits(&self, y: u8) -> u32 {
        self.rows[y as usize + 1] >> 1
    }

    /// [`PointSet::row_bits`] of so many rows from the top, two at a time; an empty row follows an odd number of them.
    #[inline]
    pub fn pairs_of_rows(&self, height: u8) -> impl ExactSizeIterator<Item = [u32; 2]> {
        let (pairs, _) = self.rows[1..].as_chunks::<2>();
        let pairs = pairs[..usize::from(height).div_ceil(2)].iter();
        pairs.map(|pair| pair.map(|row| row >> 1))
    }

    /// Each word of the two sets combined.
    #[inline]
    fn zip(self, other: Self, combine: impl Fn(u32, u32) -> u32) -> Self {
        let mut rows = self.rows;
        for (row, other) in rows.iter_mut().zip(other.rows) {
            *row = combine(*row, other);
        }
        Self { rows }
    }
}

impl Default for PointSet {
    fn default() -> Self {
        Self::EMPTY
    }
}

impl From<Point> for PointSet {
    fn from(point: Point) -> Self {
        let mut set = Self::EMPTY;
        set.insert(point);
        set
    }
}

impl From<Size> for PointSet {
    fn from(size: Size) -> Self {
        size.points()
    }
}

impl FromIterator<Point> for PointSet {
    fn from_iter<I: IntoIterator<Item = Point>>(points: I) -> Self {
        let mut set = Self::EMPTY;
        set.extend(points);
        set
    }
}

impl Extend<Point> for PointSet {
    fn extend<I: IntoIterator<Item = Point>>(&mut self, points: I) {
        for point in points {
            self.insert(point);
        }
    }
}

impl IntoIterator for PointSet {
    type Item = Point;
    type IntoIter = Iter;

    fn into_iter(self) -> Iter {
        self.iter()
    }
}

impl IntoIterator for &PointSet {
    type Item = Point;
    type IntoIter = Iter;

    fn into_iter(self) -> Iter {
        self.iter()
    }
}

impl fmt::Debug for PointSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self).finish()
    }
}

impl BitAnd for PointSet {
    type Output = Self;
    #[inline]
    fn bitand(self, other: Self) -> Self {
        self.zip(other, |a, b| a & b)
    }
}

impl BitOr for PointSet {
    type Output = Self;
    #[inline]
    fn bitor(self, other: Self) -> Self {
        self.zip(other, |a, b| a | b)
    }
}

impl BitXor for PointSet {
    type Output = Self;
    #[inline]
    fn bitxor(self, other: Self) -> Self {
        self.zip(other, |a, b| a ^ b)
    }
}

impl Sub for PointSet {
    type Output = Self;
    #[inline]
    fn sub(self, other: Self) -> Self {
        self.zip(other, |a, b| a & !b)
    }
}

/// The complement within the largest board.
impl Not for PointSet {
    type Output = Self;
    #[inline]
    fn not(self) -> Self {
        Self::rectangle(25, 25) - self
    }
}

impl BitAndAssign for PointSet {
    #[inline]
    fn bitand_assign(&mut self, other: Self) {
        *self = *self & other;
    }
}

impl BitOrAssign for PointSet {
    #[inline]
    fn bitor_assign(&mut self, other: Self) {
        *self = *self | other;
    }
}

impl SubAssign for PointSet {
    #[inline]
    fn sub_assign(&mut self, other: Self) {
        *self = *self - other;
    }
}

/// The points of a [`PointSet`] in reading order.
#[derive(Clone, Debug)]
pub struct Iter {
    set: PointSet,
    row: usize,
}

impl Iterator for Iter {
    type Item = Point;

    #[inline]
    fn next(&mut self) -> Option<Point> {
        while self.row < WORDS {
            let bits = &mut self.set.rows[self.row];
            if *bits != 0 {
                let column = bits.trailing_zeros() as usize;
                *bits &= *bits - 1;
                return Some(Point::from_index(self.row * STRIDE + column));
            }
            self.row += 1;
        }
        None
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.set.len();
        (left, Some(left))
    }
}

impl ExactSizeIterator for Iter {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rank_and_order_agree() {
        let set: PointSet = [(0, 0), (24, 0), (7, 3), (0, 4), (24, 24)]
            .map(|(x, y)| Point::new(x, y))
            .into_iter()
            .collect();
        let listed: Vec<_> = set.iter().collect();
        assert_eq!(set.len(), 5);
        assert_eq!(set.iter().len(), 5);
        for (rank, point) in listed.iter().enumerate() {
            assert_eq!(set.nth(rank), Some(*point));
        }
        assert_eq!(set.nth(5), None);
        assert!(listed.is_sorted_by_key(|p| (p.y(), p.x())));
    }

    #[test]
    fn complement_stays_on_the_largest_board() {
        assert_eq!((!PointSet::EMPTY).len(), 625);
        assert_eq!(!!PointSet::from(Point::new(4, 4)), Point::new(4, 4).into());
    }

    #[test]
    fn flood_stops_at_the_border_of_the_region() {
        let board = Size::new(5, 5).unwrap().points();
        let wall: PointSet = (0..5).map(|y| Point::new(2, y)).collect();
        let left = PointSet::from(Point::new(0, 0)).flood(&(board - wall));
        assert_eq!(left.len(), 10);
        assert_eq!((board - wall).components().count(), 2);
        assert_eq!(
            PointSet::from(Point::new(2, 2)).flood(&(board - wall)),
            PointSet::EMPTY
        );
    }
}
