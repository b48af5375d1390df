//! The value under one ko rule, with the whole history in the search.
//!
//! Where the bounds that hold under every ko rule do not meet, the rule decides, and what a situation is worth depends on the
//! boards before it. So what was proven is remembered with the paths on which it holds.

mod attempt;
mod derive;
mod facts;
mod marks;
mod walk;

use tengen_core::{Color, Ko};

use crate::certificate::Derivation;
use crate::solver::{Bound, Interval, Solver};
use crate::verify::KoRule;
use marks::{MOST_POINTS, Marks};

impl Solver {
    /// The bounds under one ko rule. No board was there before the position. They meet unless the solver was stopped, ran out of memory or found
    /// nothing as deep as it goes, or the board has more than 31 points: then nothing is searched.
    ///
    /// Under simple ko, a stone that makes a board which was there before ends the game as a tie: a margin of 0.
    ///
    /// Bounds that were proven for every ko rule are used if the checker grants their proofs this one. Of the others, those under superko have a
    /// [derivation](Self::derivation).
    pub fn solve_with_history(&mut self, ko: Ko) -> Interval {
        let mut interval = self.confirmed_under(match ko {
            // There a repetition ends the game as a tie, which may be worse than the bound: proofs without any repetition hold.
            Ko::Simple | Ko::Positional => KoRule::Positional,
            Ko::Situational => KoRule::Situational,
        });
        if self.shared.geometry.area > MOST_POINTS {
            return interval;
        }
        let marks = Marks::new(&self.shared.geometry, ko);
        while interval.lower < interval.upper {
            let middle = interval.lower + (interval.upper - interval.lower + 1) / 2;
            let Some((winner, derivation)) = self.decide(&marks, middle) else {
                break;
            };
            self.derivations.extend(derivation);
            match winner {
                Color::Black => interval.lower = middle,
                Color::White => interval.upper = middle - 1,
            }
        }
        interval
    }

    /// The proof of a bound under a superko rule, if the last search with history has found one.
    pub fn derivation(&self, ko: Ko, bound: Bound) -> Option<&Derivation> {
        self.derivations.iter().rev().find(|derivation| {
            let claim = &derivation.claim;
            derivation.ko == ko
                && claim.prover == bound.prover
                && i32::from(claim.margin) == bound.margin
        })
    }
}
