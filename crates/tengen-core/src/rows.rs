//! The upper rows of point sets: all that a board of this height needs, so that small boards are not slowed down by
//! large ones.

use std::ops::{BitAnd, BitOr, Sub};

use crate::point::{Point, STRIDE};
use crate::point_set::PointSet;

/// A set of points in the first `N` rows of the guarded grid.
#[derive(Clone, Copy)]
pub(crate) struct Rows<const N: usize>([u32; N]);

impl<const N: usize> Rows<N> {
    pub(crate) const EMPTY: Self = Self([0; N]);

    /// The part of a set that lies in these rows.
    #[inline(always)]
    pub(crate) fn of(set: &PointSet) -> Self {
        let mut rows = [0; N];
        rows.copy_from_slice(&set.rows()[..N]);
        Self(rows)
    }

    #[inline(always)]
    pub(crate) fn is_empty(self) -> bool {
        self.0.iter().fold(0, |all, row| all | row) == 0
    }

    #[inline(always)]
    pub(crate) fn insert(&mut self, point: Point) {
        let index = point.index();
        self.0[index / STRIDE] |= 1 << (index % STRIDE);
    }

    #[inline(always)]
    pub(crate) fn remove(&mut self, point: Point) {
        let index = point.index();
        self.0[index / STRIDE] &= !(1 << (index % STRIDE));
    }

    /// The cells beside a member. May hold guard cells.
    #[inline(always)]
    pub(crate) fn neighbors(self) -> Self {
        // Whole rows shifted up and down first: a loop over all of them compiles to vector instructions without a rest.
        let (mut above, mut below) = ([0; N], [0; N]);
        above[1..].copy_from_slice(&self.0[..N - 1]);
        below[..N - 1].copy_from_slice(&self.0[1..]);
        let mut rows = self.0;
        for ((row, above), below) in rows.iter_mut().zip(above).zip(below) {
            *row = above | below | *row << 1 | *row >> 1;
        }
        Self(rows)
    }

    /// Does something with each member, in reading order.
    #[inline(always)]
    pub(crate) fn for_each(self, mut with: impl FnMut(Point)) {
        for (row, mut bits) in self.0.into_iter().enumerate() {
            while bits != 0 {
                with(Point::from_index(
                    row * STRIDE + bits.trailing_zeros() as usize,
                ));
                bits &= bits - 1;
            }
        }
    }

    #[inline(always)]
    fn zip(self, other: Self, combine: impl Fn(u32, u32) -> u32) -> Self {
        let mut rows = self.0;
        for (row, other) in rows.iter_mut().zip(other.0) {
            *row = combine(*row, other);
        }
        Self(rows)
    }
}

impl<const N: usize> From<Rows<N>> for PointSet {
    #[inline(always)]
    fn from(rows: Rows<N>) -> Self {
        Self::from_rows(rows.0)
    }
}

impl<const N: usize> BitAnd for Rows<N> {
    type Output = Self;
    #[inline(always)]
    fn bitand(self, other: Self) -> Self {
        self.zip(other, |a, b| a & b)
    }
}

impl<const N: usize> BitOr for Rows<N> {
    type Output = Self;
    #[inline(always)]
    fn bitor(self, other: Self) -> Self {
        self.zip(other, |a, b| a | b)
    }
}

impl<const N: usize> Sub for Rows<N> {
    type Output = Self;
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        self.zip(other, |a, b| a & !b)
    }
}
