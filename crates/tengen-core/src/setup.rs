//! Positions that were put down rather than played.

use std::fmt;

use crate::board::Board;
use crate::color::{ByColor, Color};
use crate::point::Point;
use crate::point_set::PointSet;
use crate::size::Size;

/// A position as a diagram or a record describes it, not yet checked: [`Setup::board`] checks it.
///
/// ```
/// use tengen_core::{Color, Setup};
/// let setup: Setup = "
///     . X O .
///     X . X O
///     . X O .
///     White to move".parse()?;
/// assert_eq!((setup.size.width(), setup.size.height()), (4, 3));
/// assert_eq!(setup.to_move, Color::White);
/// assert_eq!(setup.stones[Color::Black].len(), 4);
/// # Ok::<(), tengen_core::DiagramError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Setup {
    /// The dimensions of the board.
    pub size: Size,
    /// The stones of both colours.
    pub stones: ByColor<PointSet>,
    /// Whose turn it is.
    pub to_move: Color,
    /// Where simple ko forbids the next stone.
    pub ko: Option<Point>,
}

impl Setup {
    /// The empty board, Black to move.
    pub const fn empty(size: Size) -> Self {
        Self {
            size,
            stones: ByColor::new(PointSet::EMPTY, PointSet::EMPTY),
            to_move: Color::Black,
            ko: None,
        }
    }

    /// The position of a board.
    pub fn of(board: &Board, to_move: Color) -> Self {
        Self {
            size: board.size(),
            stones: Color::BOTH.map(|color| *board.stones(color)).into(),
            to_move,
            ko: board.ko(),
        }
    }

    /// The board, if the position can stand: every chain has a liberty, no point two stones, the ko point none.
    pub fn board(&self) -> Result<Board, SetupError> {
        let mut board = Board::with_stones(self.size, self.stones)?;
        if let Some(ko) = self.ko {
            if !board.empty_points().contains(ko) {
                return Err(SetupError::Ko(ko));
            }
            board.set_ko(Some(ko));
        }
        Ok(board)
    }

    /// The position with the colours of stones and players exchanged.
    #[must_use]
    pub const fn inverted(self) -> Self {
        Self {
            stones: ByColor::new(self.stones.white, self.stones.black),
            to_move: match self.to_move {
                Color::Black => Color::White,
                Color::White => Color::Black,
            },
            ..self
        }
    }
}

impl<T> From<[T; 2]> for ByColor<T> {
    fn from([black, white]: [T; 2]) -> Self {
        Self::new(black, white)
    }
}

/// Why a position cannot be set up, with the first point that is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SetupError {
    /// Stones of both colours are on this point.
    TwoStones(Point),
    /// This point is not on the board.
    OffBoard(Point),
    /// The chain on this point has no liberty.
    NoLiberty(Point),
    /// The ko point is occupied or not on the board.
    Ko(Point),
}

impl SetupError {
    /// The point that is wrong.
    pub const fn point(self) -> Point {
        match self {
            Self::TwoStones(point)
            | Self::OffBoard(point)
            | Self::NoLiberty(point)
            | Self::Ko(point) => point,
        }
    }
}

impl fmt::Display for SetupError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let problem = match self {
            Self::TwoStones(_) => "stones of both colours",
            Self::OffBoard(_) => "a stone off the board",
            Self::NoLiberty(_) => "a chain without liberties",
            Self::Ko(_) => "a ko point that is not empty",
        };
        let point = self.point();
        let (column, row) = (point.x() + 1, point.y() + 1);
        write!(
            f,
            "{problem} at column {column} from the left, row {row} from the top"
        )
    }
}

impl std::error::Error for SetupError {}
