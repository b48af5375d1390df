//! A value for every point.

use std::ops::{Index, IndexMut};

use crate::point::{CELLS, Point};

/// A value for every point of the largest board, indexed only by [`Point`].
///
/// ```
/// use tengen_core::{Point, PointMap};
/// let mut visits = PointMap::new(0);
/// visits[Point::new(3, 3)] += 1;
/// assert_eq!(visits[Point::new(3, 3)], 1);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PointMap<T> {
    values: Box<[T]>,
}

impl<T: Clone> PointMap<T> {
    /// The same value everywhere.
    pub fn new(value: T) -> Self {
        Self {
            values: vec![value; CELLS].into_boxed_slice(),
        }
    }
}

impl<T> Index<Point> for PointMap<T> {
    type Output = T;

    #[inline]
    fn index(&self, point: Point) -> &T {
        &self.values[point.index()]
    }
}

impl<T> IndexMut<Point> for PointMap<T> {
    #[inline]
    fn index_mut(&mut self, point: Point) -> &mut T {
        &mut self.values[point.index()]
    }
}
