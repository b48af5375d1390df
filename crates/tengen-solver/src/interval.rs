//! What both players force, and how much of that is known.

use std::fmt;

use tengen_core::Color;

use crate::bound::Bound;

/// What both players force under simple ko without ever needing that a game goes on for ever: Black's margin is within
/// these bounds, whatever such a game is worth.
///
/// `docs/solver.md` defines the two games whose values these are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Interval {
    /// Black forces at least this.
    pub lower: i32,
    /// White forces at most this.
    pub upper: i32,
}

impl Interval {
    /// Nothing is known on a board of so many points.
    pub const fn of_area(area: usize) -> Self {
        Self {
            lower: -(area as i32),
            upper: area as i32,
        }
    }

    /// One value.
    pub const fn point(value: i32) -> Self {
        Self {
            lower: value,
            upper: value,
        }
    }

    /// The value, where the bounds meet.
    pub const fn value(self) -> Option<i32> {
        if self.lower == self.upper {
            Some(self.lower)
        } else {
            None
        }
    }

    /// The bound that a player forces.
    pub const fn bound(self, prover: Color) -> Bound {
        Bound {
            prover,
            margin: match prover {
                Color::Black => self.lower,
                Color::White => self.upper,
            },
        }
    }

    /// Does the bound follow?
    pub const fn implies(self, bound: Bound) -> bool {
        self.bound(bound.prover).threshold() >= bound.threshold()
    }

    pub(crate) fn learn(&mut self, bound: Bound) {
        match bound.prover {
            Color::Black => self.lower = self.lower.max(bound.margin),
            Color::White => self.upper = self.upper.min(bound.margin),
        }
    }
}

/// `9`, or `[1, 16]` where the bounds do not meet.
impl fmt::Display for Interval {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.value() {
            Some(value) => write!(f, "{value}"),
            None => write!(f, "[{}, {}]", self.lower, self.upper),
        }
    }
}

/// What is known about the two ends of an [`Interval`], each of which is the value of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Enclosure {
    /// Black forces at least `lower`, White at most `upper`.
    pub(crate) proven: Interval,
    /// Black forces no more than `lower`, White no less than `upper`.
    pub(crate) possible: Interval,
}

impl Enclosure {
    /// What follows from bounds that are proven: what one player forces, the other one does not exceed.
    pub(crate) const fn of(proven: Interval) -> Self {
        Self {
            proven,
            possible: Interval {
                lower: proven.upper,
                upper: proven.lower,
            },
        }
    }

    /// The game has ended with this margin.
    pub(crate) const fn ended(margin: i32) -> Self {
        Self::of(Interval::point(margin))
    }

    /// A player forces a bound.
    pub(crate) fn prove(&mut self, bound: Bound) {
        self.proven.learn(bound);
        self.refute_beyond(Bound::new(!bound.prover, bound.margin));
    }

    /// A player does not force a bound, not even in the best of games.
    pub(crate) fn refute(&mut self, bound: Bound) {
        let best = match bound.prover {
            Color::Black => bound.margin - 1,
            Color::White => bound.margin + 1,
        };
        self.refute_beyond(Bound::new(bound.prover, best));
    }

    /// A player forces this bound at best.
    fn refute_beyond(&mut self, best: Bound) {
        match best.prover {
            Color::Black => self.possible.lower = self.possible.lower.min(best.margin),
            Color::White => self.possible.upper = self.possible.upper.max(best.margin),
        }
    }

    /// Takes over what is known about the same situation from elsewhere.
    pub(crate) fn learn(&mut self, other: Self) {
        for color in Color::BOTH {
            self.prove(other.proven.bound(color));
            self.refute_beyond(other.possible.bound(color));
        }
    }

    /// What a situation says about those after a move of this player: the other one still forces as much, and the
    /// mover no more.
    pub(crate) fn for_moves_of(self, mover: Color, area: usize) -> Self {
        let mut known = Self::of(Interval::of_area(area));
        known.prove(self.proven.bound(!mover));
        known.refute_beyond(self.possible.bound(mover));
        known
    }

    /// What the situations after two moves of a player say together about the one before.
    pub(crate) fn best_for(self, mover: Color, other: Self) -> Self {
        let best = |one: Interval, two: Interval| match mover {
            Color::Black => Interval {
                lower: one.lower.max(two.lower),
                upper: one.upper.max(two.upper),
            },
            Color::White => Interval {
                lower: one.lower.min(two.lower),
                upper: one.upper.min(two.upper),
            },
        };
        Self {
            proven: best(self.proven, other.proven),
            possible: best(self.possible, other.possible),
        }
    }

    /// Is a bound decided, so that no search for it is of use?
    pub(crate) const fn decides(&self, bound: Bound) -> bool {
        self.proven.implies(bound) || !self.possible.implies(bound)
    }

    /// Are both values known?
    pub(crate) fn is_exact(&self) -> bool {
        self.proven == self.possible
    }

    /// What is known about the value under simple ko, where a game that goes on for ever is a tie: 0.
    ///
    /// Who cannot be kept from more than a margin gets more, or a tie.
    pub(crate) fn simple_ko(&self) -> Interval {
        Interval {
            lower: self.proven.lower.max(self.possible.upper.min(0)),
            upper: self.proven.upper.min(self.possible.lower.max(0)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_value_under_simple_ko_is_0_or_the_end_next_to_it() {
        for (lower, upper, value) in [(-4, 4, 0), (1, 16, 1), (-16, -1, -1), (3, 3, 3), (0, 5, 0)] {
            let interval = Interval { lower, upper };
            let exact = Enclosure {
                proven: interval,
                possible: interval,
            };
            assert!(exact.is_exact());
            assert_eq!(exact.simple_ko(), Interval::point(value));
        }
    }

    #[test]
    fn what_is_open_stays_open() {
        let mut known = Enclosure::of(Interval::of_area(4));
        assert_eq!(known.simple_ko(), Interval::of_area(4));
        known.prove(Bound::new(Color::Black, -2));
        assert_eq!(
            known.simple_ko(),
            Interval {
                lower: -2,
                upper: 4
            }
        );
        // White does not force 1 or less: Black gets 2, or a tie.
        known.refute(Bound::new(Color::White, 1));
        assert_eq!(known.simple_ko(), Interval { lower: 0, upper: 4 });
        // Black does not force 3: White holds Black to 2, or a tie.
        known.refute(Bound::new(Color::Black, 3));
        assert_eq!(known.simple_ko(), Interval { lower: 0, upper: 2 });
        known.prove(Bound::new(Color::Black, 2));
        assert_eq!(known.simple_ko(), Interval::point(2));
        assert!(known.decides(Bound::new(Color::Black, 3)));
        assert!(!known.is_exact());
        known.refute(Bound::new(Color::White, 3));
        assert!(known.is_exact());
    }
}
