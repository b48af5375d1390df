//! A margin that one player forces: what a search tries to prove, and what a certificate claims.

use std::fmt;

use tengen_core::Color;

/// One player forces a margin: Black at least this many points more than White, or White at most.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Bound {
    /// Who forces it.
    pub prover: Color,
    /// Black's points minus White's, without komi.
    pub margin: i32,
}

impl Bound {
    /// The bound of a player.
    pub const fn new(prover: Color, margin: i32) -> Self {
        Self { prover, margin }
    }

    /// The margin from the prover's point of view: the more, the better for the prover.
    pub const fn threshold(self) -> i32 {
        match self.prover {
            Color::Black => self.margin,
            Color::White => -self.margin,
        }
    }

    /// What the opponent forces where this bound is wrong and no game goes on for ever.
    #[must_use]
    pub const fn opposite(self) -> Self {
        match self.prover {
            Color::Black => Self::new(Color::White, self.margin - 1),
            Color::White => Self::new(Color::Black, self.margin + 1),
        }
    }

    /// Does the bound say nothing, because every game on a board of so many points ends within it?
    pub const fn is_trivial(self, area: usize) -> bool {
        self.threshold() <= -(area as i32)
    }

    /// Does a final margin of Black satisfy it?
    pub const fn holds_for(self, black_margin: i32) -> bool {
        match self.prover {
            Color::Black => black_margin >= self.margin,
            Color::White => black_margin <= self.margin,
        }
    }
}

/// `black >= 9`
impl fmt::Display for Bound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.prover {
            Color::Black => write!(f, "black >= {}", self.margin),
            Color::White => write!(f, "black <= {}", self.margin),
        }
    }
}
