//! Handicap stones on the star points.

use std::fmt;

use crate::point::Point;
use crate::size::{Size, edge_line};

impl Size {
    /// The most handicap stones that fixed placement knows on this size: 9, 4 or none.
    pub const fn max_fixed_handicap(self) -> u8 {
        let (width, height) = (self.width(), self.height());
        let shorter = if width < height { width } else { height };
        match shorter {
            0..7 => 0,
            7 => 4,
            _ if width % 2 == 0 || height % 2 == 0 => 4,
            _ => 9,
        }
    }

    /// The points of fixed handicap stones, in the customary order: opposite corners, the other corners, sides, centre.
    ///
    /// ```
    /// use tengen_core::Size;
    /// let size = Size::square(19).unwrap();
    /// let points: Vec<_> = size.fixed_handicap(3)?.iter().map(|p| p.to_gtp(size)).collect();
    /// assert_eq!(points, ["D4", "Q16", "D16"]);
    /// # Ok::<(), tengen_core::HandicapError>(())
    /// ```
    pub fn fixed_handicap(self, stones: u8) -> Result<Vec<Point>, HandicapError> {
        let max = self.max_fixed_handicap();
        let (Some(x), Some(y)) = (edge_line(self.width()), edge_line(self.height())) else {
            return Err(HandicapError::NoFixed(self));
        };
        if !(2..=max).contains(&stones) {
            return Err(HandicapError::Stones { size: self, max });
        }
        let (left, middle, right) = (x, self.width() / 2, self.width() - 1 - x);
        let (top, center, bottom) = (y, self.height() / 2, self.height() - 1 - y);
        let mut points = vec![(left, bottom), (right, top), (left, top), (right, bottom)];
        if stones >= 6 {
            points.extend([(left, center), (right, center)]);
        }
        if stones >= 8 {
            points.extend([(middle, bottom), (middle, top)]);
        }
        points.truncate(usize::from(stones));
        if stones >= 5 && stones % 2 == 1 {
            points.push((middle, center));
        }
        Ok(points.into_iter().map(|(x, y)| Point::new(x, y)).collect())
    }
}

/// Why handicap stones cannot be placed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HandicapError {
    /// Boards this small have no handicap points.
    NoFixed(Size),
    /// Fixed placement on this size takes 2 to `max` stones.
    Stones {
        /// The board.
        size: Size,
        /// The most stones.
        max: u8,
    },
    /// This point is not on the board, or was named twice.
    Point(Point),
    /// Stones are on the board already.
    NotEmpty,
}

impl fmt::Display for HandicapError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoFixed(size) => write!(f, "a {size} board has no handicap points"),
            Self::Stones { size, max } => {
                write!(f, "fixed handicap on {size} is 2 to {max} stones")
            }
            Self::Point(point) => write!(f, "{point:?} cannot take a handicap stone"),
            Self::NotEmpty => f.write_str("handicap stones go on an empty board"),
        }
    }
}

impl std::error::Error for HandicapError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nine_stones_are_the_star_points() {
        for side in [15, 19] {
            let size = Size::square(side).unwrap();
            let stones = size.fixed_handicap(9).unwrap();
            assert_eq!(size.star_points(), stones.into_iter().collect());
        }
    }

    #[test]
    fn every_number_of_stones_is_distinct_and_symmetric_where_it_can_be() {
        for side in 1..=25 {
            let size = Size::square(side).unwrap();
            for stones in 0..=12 {
                match size.fixed_handicap(stones) {
                    Ok(points) => {
                        let set: crate::PointSet = points.iter().copied().collect();
                        assert_eq!(set.len(), usize::from(stones));
                        assert!(set.is_subset(&size.points()));
                    }
                    Err(_) => assert!(stones < 2 || stones > size.max_fixed_handicap()),
                }
            }
        }
    }
}
