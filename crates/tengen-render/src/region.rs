//! Parts of a board.

use tengen_core::{Point, PointSet, Size};

/// A rectangle of points: the part of the board that a picture shows.
///
/// ```
/// use tengen_core::{Point, PointSet, Size};
/// use tengen_render::Region;
/// let corner = Region::new(Point::new(18, 0), Point::new(12, 6));
/// assert_eq!((corner.width(), corner.height()), (7, 7));
/// assert!(corner.contains(Point::new(15, 3)));
/// let points: PointSet = [Point::new(3, 2), Point::new(1, 5)].into_iter().collect();
/// assert_eq!(Region::around(&points), Some(Region::new(Point::new(1, 2), Point::new(3, 5))));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Region {
    left: u8,
    top: u8,
    right: u8,
    bottom: u8,
}

impl Region {
    /// The rectangle with these two points in opposite corners.
    pub fn new(one: Point, other: Point) -> Self {
        Self {
            left: one.x().min(other.x()),
            top: one.y().min(other.y()),
            right: one.x().max(other.x()),
            bottom: one.y().max(other.y()),
        }
    }

    /// The smallest rectangle around all of these points, such as those of SGF's `VW`; `None` if there are none.
    pub fn around(points: &PointSet) -> Option<Self> {
        let mut points = points.iter();
        let first = points.next()?;
        Some(points.fold(Self::new(first, first), |region, point| Self {
            left: region.left.min(point.x()),
            top: region.top.min(point.y()),
            right: region.right.max(point.x()),
            bottom: region.bottom.max(point.y()),
        }))
    }

    /// A whole board.
    pub fn whole(size: Size) -> Self {
        Self {
            left: 0,
            top: 0,
            right: size.width() - 1,
            bottom: size.height() - 1,
        }
    }

    /// The part of it that is on a board of this size, if any.
    pub fn on(self, size: Size) -> Option<Self> {
        let whole = Self::whole(size);
        let part = Self {
            right: self.right.min(whole.right),
            bottom: self.bottom.min(whole.bottom),
            ..self
        };
        (part.left <= part.right && part.top <= part.bottom).then_some(part)
    }

    /// Is the point inside?
    pub const fn contains(self, point: Point) -> bool {
        self.left <= point.x()
            && point.x() <= self.right
            && self.top <= point.y()
            && point.y() <= self.bottom
    }

    /// The first column.
    pub const fn left(self) -> u8 {
        self.left
    }

    /// The first row.
    pub const fn top(self) -> u8 {
        self.top
    }

    /// The last column.
    pub const fn right(self) -> u8 {
        self.right
    }

    /// The last row.
    pub const fn bottom(self) -> u8 {
        self.bottom
    }

    /// The number of columns.
    pub const fn width(self) -> u8 {
        self.right - self.left + 1
    }

    /// The number of rows.
    pub const fn height(self) -> u8 {
        self.bottom - self.top + 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_lies_off_the_board_is_cut_away() {
        let size = Size::square(9).unwrap();
        let region = Region::new(Point::new(5, 6), Point::new(20, 20));
        let part = region.on(size).unwrap();
        assert_eq!((part.width(), part.height()), (4, 3));
        let beyond = Region::new(Point::new(9, 0), Point::new(12, 3));
        assert_eq!(beyond.on(size), None);
        assert_eq!(Region::around(&PointSet::EMPTY), None);
        assert_eq!(Region::around(&size.points()), Some(Region::whole(size)));
    }
}
