//! Positions of the prover, and what the prover does in them.

use tengen_core::{Board, ByColor, Color, Point, PointSet, Setup, Size};

/// A position in which the prover is to move, as far as the prover's strategy looks at it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Situation {
    /// The stones, a bit a point.
    pub stones: ByColor<u64>,
    /// The point where simple ko forbids the next stone.
    pub ko: Option<u8>,
    /// Was the last move a pass?
    pub passed: bool,
}

impl Situation {
    /// The situation on a board after a stone.
    pub fn of(board: &Board) -> Self {
        let size = board.size();
        let stones = Color::BOTH.map(|color| bits(board.stones(color), size));
        Self {
            stones: stones.into(),
            ko: board.ko().map(|ko| ko.y() * size.width() + ko.x()),
            passed: false,
        }
    }

    /// The same stones after a pass, which ends every ko.
    #[must_use]
    pub const fn after_pass(self) -> Self {
        Self {
            ko: None,
            passed: true,
            ..self
        }
    }

    /// The colour of the stone on a point.
    pub const fn color_at(&self, point: u8) -> Option<Color> {
        if self.stones.black >> point & 1 != 0 {
            Some(Color::Black)
        } else if self.stones.white >> point & 1 != 0 {
            Some(Color::White)
        } else {
            None
        }
    }

    /// The position on a board of this size, with this player to move.
    pub fn setup(&self, size: Size, to_move: Color) -> Setup {
        let points = |bits: u64| -> PointSet {
            let places = (0..size.area() as u8).filter(|place| bits >> place & 1 != 0);
            places.map(|place| point(place, size)).collect()
        };
        Setup {
            size,
            stones: self.stones.map(points),
            to_move,
            ko: self.ko.map(|ko| point(ko, size)),
        }
    }
}

/// What the prover does in a situation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Where the prover is to move.
    pub situation: Situation,
    /// The point of the prover's stone, or `None` for a pass.
    pub reply: Option<u8>,
}

/// The point with this number in reading order.
pub(crate) const fn point(place: u8, size: Size) -> Point {
    Point::new(place % size.width(), place / size.width())
}

/// A set of points, a bit a point.
pub(crate) fn bits(set: &PointSet, size: Size) -> u64 {
    (0..size.height()).fold(0, |bits, y| {
        bits | u64::from(set.row_bits(y)) << (y * size.width())
    })
}
