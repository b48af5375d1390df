//! How well to play.

/// From 1, a beginner, to 10, full strength.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Level(u8);

impl Level {
    /// Full strength.
    pub const FULL: Self = Self(10);

    /// The level with this number, from 1 to 10.
    pub const fn new(number: u8) -> Option<Self> {
        match number {
            1..=10 => Some(Self(number)),
            _ => None,
        }
    }

    /// Its number.
    pub const fn number(self) -> u8 {
        self.0
    }

    /// At most so many visits a move, if rollouts judge. A network may have others.
    pub const fn visits(self) -> Option<u32> {
        match self.0 {
            10 => None,
            number => Some(16 << (number - 1)),
        }
    }

    /// How freely it chooses among moves that seem good, or `None` if it plays the best.
    pub const fn temperature(self) -> Option<f32> {
        match self.0 {
            10 => None,
            number => Some(1.0 / (0.7 + 0.3 * number as f32)),
        }
    }
}

impl Default for Level {
    fn default() -> Self {
        Self::FULL
    }
}
