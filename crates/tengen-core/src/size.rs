//! Board dimensions.

use std::fmt;
use std::str::FromStr;

use crate::point::Point;
use crate::point_set::PointSet;

/// The dimensions of a board: 1 to 25 columns by 1 to 25 rows, checked when it is made.
///
/// ```
/// use tengen_core::Size;
/// let size: Size = "9x13".parse().unwrap();
/// assert_eq!((size.width(), size.height(), size.area()), (9, 13, 117));
/// assert_eq!("19".parse(), Size::new(19, 19));
/// assert_eq!(size.to_string(), "9x13");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Size {
    width: u8,
    height: u8,
}

impl Size {
    /// The largest width and height.
    pub const MAX: u8 = 25;

    /// A board of `width` columns and `height` rows.
    pub const fn new(width: u8, height: u8) -> Result<Self, SizeError> {
        if width == 0 || height == 0 || width > Self::MAX || height > Self::MAX {
            Err(SizeError::OutOfRange)
        } else {
            Ok(Self { width, height })
        }
    }

    /// A square board.
    pub const fn square(side: u8) -> Result<Self, SizeError> {
        Self::new(side, side)
    }

    /// The number of columns.
    #[inline]
    pub const fn width(self) -> u8 {
        self.width
    }

    /// The number of rows.
    #[inline]
    pub const fn height(self) -> u8 {
        self.height
    }

    /// The number of points.
    #[inline]
    pub const fn area(self) -> usize {
        self.width as usize * self.height as usize
    }

    /// The size with width and height exchanged.
    #[must_use]
    pub const fn transposed(self) -> Self {
        Self {
            width: self.height,
            height: self.width,
        }
    }

    /// Are width and height equal?
    pub const fn is_square(self) -> bool {
        self.width == self.height
    }

    /// Is the point on a board of this size?
    #[inline]
    pub const fn contains(self, point: Point) -> bool {
        point.x() < self.width && point.y() < self.height
    }

    /// The number of a point in reading order, row by row from the upper left corner.
    ///
    /// ```
    /// use tengen_core::{Point, Size};
    /// let size = Size::new(5, 3).unwrap();
    /// assert_eq!(size.index(Point::new(2, 1)), 7);
    /// assert_eq!(size.point(7), Some(Point::new(2, 1)));
    /// assert_eq!(size.point(15), None);
    /// ```
    #[inline]
    pub const fn index(self, point: Point) -> usize {
        point.y() as usize * self.width as usize + point.x() as usize
    }

    /// The point with this number in reading order, if the board has as many.
    #[inline]
    pub const fn point(self, index: usize) -> Option<Point> {
        if index >= self.area() {
            return None;
        }
        // Short numbers are divided faster.
        let (index, width) = (index as u32, self.width as u32);
        let row = index / width;
        Some(Point::new((index - row * width) as u8, row as u8))
    }

    /// All points of the board.
    #[inline]
    pub const fn points(self) -> PointSet {
        PointSet::rectangle(self.width, self.height)
    }

    /// The points that a printed board marks: the handicap points of boards people play on.
    ///
    /// ```
    /// use tengen_core::{Point, Size};
    /// let stars = Size::square(9).unwrap().star_points();
    /// assert_eq!(stars.len(), 5);
    /// assert!(stars.contains(Point::new(4, 4)));
    /// ```
    pub fn star_points(self) -> PointSet {
        let columns = star_lines(self.width);
        let rows = star_lines(self.height);
        let mut stars = PointSet::EMPTY;
        for &x in &columns {
            for &y in &rows {
                // The sides have stars only on boards large enough to need them.
                let middle = (2 * x + 1 == self.width) != (2 * y + 1 == self.height);
                if !middle || self.width.min(self.height) >= 15 {
                    stars.insert(Point::new(x, y));
                }
            }
        }
        stars
    }
}

/// The lines that cross at star points: the edge lines and, on odd lengths, the middle one.
fn star_lines(length: u8) -> Vec<u8> {
    let Some(edge) = edge_line(length) else {
        return Vec::new();
    };
    let mut lines = vec![edge, length - 1 - edge];
    if length % 2 == 1 {
        lines.push(length / 2);
    }
    lines
}

/// How far the corner stars are from the edge, or `None` where no stars are marked.
pub(crate) const fn edge_line(length: u8) -> Option<u8> {
    match length {
        0..7 => None,
        7..13 => Some(2),
        _ => Some(3),
    }
}

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}x{}", self.width, self.height)
    }
}

/// Why a size was refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SizeError {
    /// A side is not 1 to 25.
    OutOfRange,
    /// The text is not `9`, `9x13` or `9:13`.
    Syntax,
}

impl fmt::Display for SizeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::OutOfRange => "a board is 1 to 25 columns by 1 to 25 rows",
            Self::Syntax => "a size is written `9`, or `9x13` for 9 columns by 13 rows",
        })
    }
}

impl std::error::Error for SizeError {}

impl FromStr for Size {
    type Err = SizeError;

    fn from_str(text: &str) -> Result<Self, SizeError> {
        let side = |digits: &str| {
            if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
                return Err(SizeError::Syntax);
            }
            digits.parse::<u8>().map_err(|_| SizeError::OutOfRange)
        };
        match text.split_once(['x', 'X', '×', ':']) {
            Some((width, height)) => Self::new(side(width)?, side(height)?),
            None => Self::square(side(text)?),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refuses_what_is_not_a_size() {
        for text in ["", "x", "9x", "x9", "+9", "9x9x9", " 9", "nine"] {
            assert_eq!(text.parse::<Size>(), Err(SizeError::Syntax), "{text}");
        }
        for text in ["0", "26", "9x0", "256x9", "99999999999999999999"] {
            assert_eq!(text.parse::<Size>(), Err(SizeError::OutOfRange), "{text}");
        }
    }

    #[test]
    fn stars_of_the_usual_boards() {
        let stars = |text: &str| text.parse::<Size>().unwrap().star_points().len();
        assert_eq!(
            ["5", "7", "8", "9", "13", "19", "18", "9x13"].map(stars),
            [0, 5, 4, 5, 5, 9, 4, 5]
        );
    }
}
