//! Points and moves as GTP and SGF write them.

use std::fmt;

use crate::moves::Move;
use crate::point::Point;
use crate::point_set::PointSet;
use crate::size::Size;

/// The column letters of GTP: `I` is left out, since it looks like `J`.
const COLUMNS: &[u8; 25] = b"ABCDEFGHJKLMNOPQRSTUVWXYZ";

/// Why a coordinate was refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CoordinateError {
    /// The text is no coordinate at all.
    Syntax,
    /// The column `I` does not exist.
    NoColumnI,
    /// The point is not on a board of this size.
    OffBoard(Size),
}

impl fmt::Display for CoordinateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Syntax => f.write_str("a point is a letter and a number such as `D4`, or `pass`"),
            Self::NoColumnI => f.write_str("there is no column I: the letters go from H to J"),
            Self::OffBoard(size) => write!(f, "the point is not on a {size} board"),
        }
    }
}

impl std::error::Error for CoordinateError {}

/// The first of several coordinates that was refused, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CoordinatesError {
    /// As it was written.
    pub text: String,
    /// What is wrong with it.
    pub error: CoordinateError,
}

impl fmt::Display for CoordinatesError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` is no point: {}", self.text, self.error)
    }
}

impl std::error::Error for CoordinatesError {}

/// The letter that GTP and diagrams give to a column.
pub(crate) const fn column_letter(x: u8) -> char {
    COLUMNS[x as usize] as char
}

impl Point {
    /// Reads a GTP vertex such as `D4` or `q16`: column letters without `I`, rows counted from the bottom.
    ///
    /// ```
    /// use tengen_core::{Point, Size};
    /// let size = Size::square(19).unwrap();
    /// assert_eq!(Point::from_gtp("Q16", size), Ok(Point::new(15, 3)));
    /// assert_eq!(Point::new(15, 3).to_gtp(size), "Q16");
    /// ```
    pub fn from_gtp(text: &str, size: Size) -> Result<Self, CoordinateError> {
        let &[letter, ref digits @ ..] = text.as_bytes() else {
            return Err(CoordinateError::Syntax);
        };
        if digits.is_empty() || !digits.iter().all(u8::is_ascii_digit) {
            return Err(CoordinateError::Syntax);
        }
        let letter = letter.to_ascii_uppercase();
        let Some(x) = COLUMNS.iter().position(|&column| column == letter) else {
            return Err(match letter {
                b'I' => CoordinateError::NoColumnI,
                _ => CoordinateError::Syntax,
            });
        };
        let off_board = CoordinateError::OffBoard(size);
        let number: u8 = text[1..].parse().map_err(|_| off_board)?;
        let y = size.height().checked_sub(number).ok_or(off_board)?;
        Self::checked_new(x as u8, y)
            .filter(|point| size.contains(*point))
            .ok_or(off_board)
    }

    /// The GTP vertex on a board of this size.
    pub fn to_gtp(self, size: Size) -> String {
        format!(
            "{}{}",
            column_letter(self.x()),
            size.height().saturating_sub(self.y())
        )
    }

    /// Reads an SGF point such as `dp`: column, then row from the top.
    pub fn from_sgf(text: &str, size: Size) -> Result<Self, CoordinateError> {
        let &[column, row] = text.as_bytes() else {
            return Err(CoordinateError::Syntax);
        };
        if !column.is_ascii_lowercase() || !row.is_ascii_lowercase() {
            return Err(
                match (column.is_ascii_alphabetic(), row.is_ascii_alphabetic()) {
                    // Upper case letters are columns and rows beyond 26.
                    (true, true) => CoordinateError::OffBoard(size),
                    _ => CoordinateError::Syntax,
                },
            );
        }
        Self::checked_new(column - b'a', row - b'a')
            .filter(|point| size.contains(*point))
            .ok_or(CoordinateError::OffBoard(size))
    }

    /// The SGF point: two letters.
    pub fn to_sgf(self) -> String {
        [self.x(), self.y()]
            .map(|line| char::from(b'a' + line))
            .iter()
            .collect()
    }
}

impl PointSet {
    /// Reads GTP vertices with spaces or commas between them; two with a colon are corners of a rectangle.
    ///
    /// ```
    /// use tengen_core::{PointSet, Size};
    /// let size = Size::square(9).unwrap();
    /// assert_eq!(PointSet::from_gtp("A1:C2, J9", size).unwrap().len(), 7);
    /// ```
    pub fn from_gtp(text: &str, size: Size) -> Result<Self, CoordinatesError> {
        let point = |text: &str| {
            Point::from_gtp(text, size).map_err(|error| CoordinatesError {
                text: text.to_owned(),
                error,
            })
        };
        let words = text.split(|letter: char| letter == ',' || letter.is_whitespace());
        let mut set = Self::EMPTY;
        for word in words.filter(|word| !word.is_empty()) {
            let (from, to) = word.split_once(':').unwrap_or((word, word));
            let (from, to) = (point(from)?, point(to)?);
            for x in from.x().min(to.x())..=from.x().max(to.x()) {
                for y in from.y().min(to.y())..=from.y().max(to.y()) {
                    set.insert(Point::new(x, y));
                }
            }
        }
        Ok(set)
    }
}

impl Move {
    /// Reads a GTP vertex or `pass`, in any case.
    pub fn from_gtp(text: &str, size: Size) -> Result<Self, CoordinateError> {
        if text.eq_ignore_ascii_case("pass") {
            Ok(Self::Pass)
        } else {
            Point::from_gtp(text, size).map(Self::Play)
        }
    }

    /// The GTP vertex, or `pass`.
    pub fn to_gtp(self, size: Size) -> String {
        match self {
            Self::Play(point) => point.to_gtp(size),
            Self::Pass => "pass".to_owned(),
        }
    }

    /// Reads an SGF move: a point, or nothing for a pass; up to 19×19 `tt` is a pass too.
    ///
    /// ```
    /// use tengen_core::{Move, Size};
    /// let size = Size::square(19).unwrap();
    /// assert_eq!(Move::from_sgf("tt", size), Ok(Move::Pass));
    /// assert_eq!(Move::from_sgf("", size), Ok(Move::Pass));
    /// ```
    pub fn from_sgf(text: &str, size: Size) -> Result<Self, CoordinateError> {
        let small = size.width() <= 19 && size.height() <= 19;
        if text.is_empty() || (text == "tt" && small) {
            Ok(Self::Pass)
        } else {
            Point::from_sgf(text, size).map(Self::Play)
        }
    }

    /// The SGF move: two letters, or nothing for a pass.
    pub fn to_sgf(self) -> String {
        self.point().map(Point::to_sgf).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_point_survives_both_notations() {
        for size in ["1", "9x13", "25", "25x1"] {
            let size: Size = size.parse().unwrap();
            for point in size.points() {
                assert_eq!(Point::from_gtp(&point.to_gtp(size), size), Ok(point));
                assert_eq!(
                    Point::from_gtp(&point.to_gtp(size).to_lowercase(), size),
                    Ok(point)
                );
                assert_eq!(Point::from_sgf(&point.to_sgf(), size), Ok(point));
            }
        }
    }

    #[test]
    fn refuses_what_is_no_point() {
        let size = Size::square(9).unwrap();
        let gtp = |text| Point::from_gtp(text, size);
        for text in ["", "D", "4", "44", "D-4", "D+4", "DD4", "D4 ", "é4", "D４"] {
            assert_eq!(gtp(text), Err(CoordinateError::Syntax), "{text}");
        }
        for text in ["A0", "A10", "K1", "Z25", "A999", "A99999999999"] {
            assert_eq!(gtp(text), Err(CoordinateError::OffBoard(size)), "{text}");
        }
        assert_eq!(gtp("i5"), Err(CoordinateError::NoColumnI));
        let sgf = |text| Point::from_sgf(text, size);
        for text in ["", "a", "aaa", "a1", "é"] {
            assert_eq!(sgf(text), Err(CoordinateError::Syntax), "{text}");
        }
        for text in ["aj", "ja", "zz", "AA", "aA"] {
            assert_eq!(sgf(text), Err(CoordinateError::OffBoard(size)), "{text}");
        }
        assert_eq!(
            Move::from_sgf("tt", Size::square(25).unwrap()),
            Ok(Move::Play(Point::new(19, 19)))
        );
    }

    #[test]
    fn many_points_in_one_text() {
        let size = Size::square(9).unwrap();
        let points = |text| PointSet::from_gtp(text, size);
        let set = |points: &[(u8, u8)]| -> PointSet {
            points.iter().map(|(x, y)| Point::new(*x, *y)).collect()
        };
        assert_eq!(points(""), Ok(PointSet::EMPTY));
        assert_eq!(points(" a9,b8\tA9 "), Ok(set(&[(0, 0), (1, 1)])));
        let square = set(&[(1, 0), (2, 0), (1, 1), (2, 1)]);
        assert_eq!(points("C9:B8"), Ok(square));
        assert_eq!(points("B9:C8"), Ok(square));
        let refused = points("A1 B3:pass").unwrap_err();
        assert_eq!(refused.text, "pass");
        assert_eq!(refused.error, CoordinateError::Syntax);
    }
}
