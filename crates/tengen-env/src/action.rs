//! Moves as numbers.

use tengen_core::{Move, Size};

/// The numbers of the moves on a frame: a point is its row times the width plus its column, counted from the top left,
/// and the number behind the last point is a pass.
///
/// A game on a board smaller than the frame lies in the frame's top left corner, so that one number means the same
/// point in every game of a batch.
///
/// ```
/// use tengen_core::{Move, Point, Size};
/// use tengen_env::Actions;
///
/// let actions = Actions::on(Size::square(9)?);
/// assert_eq!(actions.count(), 82);
/// assert_eq!(actions.number(Move::Play(Point::new(2, 1))), 11);
/// assert_eq!(actions.action(81), Some(Move::Pass));
/// assert_eq!(actions.action(82), None);
/// # Ok::<(), tengen_core::SizeError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Actions {
    frame: Size,
}

impl Actions {
    /// The moves on a frame of this size.
    pub const fn on(frame: Size) -> Self {
        Self { frame }
    }

    /// The frame.
    pub const fn frame(self) -> Size {
        self.frame
    }

    /// How many there are, the pass included.
    pub const fn count(self) -> usize {
        self.frame.area() + 1
    }

    /// The number of the pass.
    pub const fn pass(self) -> usize {
        self.frame.area()
    }

    /// The move with this number.
    #[inline]
    pub const fn action(self, number: usize) -> Option<Move> {
        match self.frame.point(number) {
            Some(point) => Some(Move::Play(point)),
            None if number == self.pass() => Some(Move::Pass),
            None => None,
        }
    }

    /// The number of a move.
    #[inline]
    pub const fn number(self, action: Move) -> usize {
        match action {
            Move::Play(point) => self.frame.index(point),
            Move::Pass => self.pass(),
        }
    }
}
