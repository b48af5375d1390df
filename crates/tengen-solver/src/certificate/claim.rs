//! What a certificate says that it proves.

use std::fmt;

use tengen_core::{Color, Point, PointSet, Setup, SetupError};

use super::MAX_AREA;
use crate::bound::Bound;

/// That one player, the prover, can force a final area margin from a position, whatever the opponent does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Claim {
    /// The position, who is to move in it and where simple ko forbids that player a stone.
    pub start: Setup,
    /// Was the last move before the position a pass?
    pub passed: bool,
    /// Who forces which margin.
    pub bound: Bound,
}

impl Claim {
    /// A claim about a position that did not come about by a pass.
    pub const fn new(start: Setup, bound: Bound) -> Self {
        Self {
            start,
            passed: false,
            bound,
        }
    }

    /// Can such a game begin, and such a margin come of it?
    pub fn check(&self) -> Result<(), ClaimError> {
        let area = self.start.size.area();
        if area > MAX_AREA {
            return Err(ClaimError::Area(area));
        }
        if self.bound.margin.unsigned_abs() as usize > area {
            return Err(ClaimError::Margin(self.bound.margin));
        }
        self.start.board().map_err(ClaimError::Setup)?;
        if let Some(ko) = self.start.ko
            && (self.passed || !could_be_ko(&self.start, ko))
        {
            return Err(ClaimError::Ko(ko));
        }
        Ok(())
    }
}

/// Can the last move have been the capture of one stone on this point, such that simple ko forbids to take back at
/// once?
///
/// Then all its neighbours are stones of the opponent, since the captured stone had no liberty left, and one of them
/// stands alone and has no other liberty. The others have, as they had before the capture.
pub(super) fn could_be_ko(start: &Setup, ko: Point) -> bool {
    let unbanned = Setup { ko: None, ..*start };
    let Ok(board) = unbanned.board() else {
        return false;
    };
    let around = PointSet::from(ko).neighbors() & *board.points();
    let walled_in = around.is_subset(board.stones(!start.to_move));
    let captured = board.captures(ko, start.to_move);
    walled_in && captured.len() == 1
}

/// `black >= 9 on 3x3, black to move`; a board that is not empty is written row by row.
impl fmt::Display for Claim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} on {}", self.bound, self.start.size)?;
        let stones = self.start.stones;
        if !(stones.black | stones.white).is_empty() {
            f.write_str(" from ")?;
            write_rows(f, &self.start)?;
        }
        write_turn(f, &self.start, self.passed)
    }
}

/// The rows of a board: `X../.O.`
pub(crate) fn write_rows(f: &mut fmt::Formatter<'_>, setup: &Setup) -> fmt::Result {
    for y in 0..setup.size.height() {
        if y > 0 {
            f.write_str("/")?;
        }
        for x in 0..setup.size.width() {
            let point = Point::new(x, y);
            f.write_str(if setup.stones.black.contains(point) {
                "X"
            } else if setup.stones.white.contains(point) {
                "O"
            } else {
                "."
            })?;
        }
    }
    Ok(())
}

/// Who is to move, and what restricts the move: `, black to move, ko at B2`
pub(crate) fn write_turn(f: &mut fmt::Formatter<'_>, setup: &Setup, passed: bool) -> fmt::Result {
    let mover = match setup.to_move {
        Color::Black => "black",
        Color::White => "white",
    };
    write!(f, ", {mover} to move")?;
    if let Some(ko) = setup.ko {
        write!(f, ", ko at {}", ko.to_gtp(setup.size))?;
    }
    if passed {
        f.write_str(", after a pass")?;
    }
    Ok(())
}

/// Why nothing can be claimed so.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ClaimError {
    /// The board has more points than certificates can be about.
    #[error("the board has {0} points; certificates are about {MAX_AREA} at most")]
    Area(usize),
    /// No game on that board ends with such a margin.
    #[error("no game on this board ends with a margin of {0}")]
    Margin(i32),
    /// The position cannot stand.
    #[error("{0}")]
    Setup(SetupError),
    /// No capture can have left simple ko on this point.
    #[error(
        "no last move can forbid a stone in column {} from the left, row {} from the top by simple ko",
        .0.x() + 1, .0.y() + 1
    )]
    Ko(Point),
}
