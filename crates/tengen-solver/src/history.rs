//! The value under one ko rule, with the whole history in the search.
//!
//! Where the bounds that hold under every ko rule do not meet, the rule decides, and what a situation is worth depends
//! on the boards before it. So what was proven is remembered with the paths on which it holds.

mod attempt;
mod derive;
mod facts;
mod marks;
mod walk;

use tengen_core::{Color, Ko};

use crate::certificate::Derivation;
use crate::solver::{Bound, Interval, Solver, Watch};
use crate::verify::KoRule;
use marks::{MOST_POINTS, Marks};

impl Solver {
    /// The bounds under one ko rule. No board was there before the position. They meet unless the solver was stopped,
    /// ran out of memory or found nothing as deep as it goes, or the board has more than 31 points: then nothing is
    /// searched.
    ///
    /// Under simple ko, a stone that makes a board which was there before ends the game as a tie: a margin of 0.
    ///
    /// Bounds that were proven for every ko rule are used if the checker grants their proofs this one. Of the others,
    /// those under superko have a [derivation](Self::derivation).
    pub fn solve_with_history(&mut self, ko: Ko) -> Interval {
        self.solve_with_history_watched(ko, &mut |_, _| {})
    }

    /// The same, and how far it has come is told now and then.
    pub fn solve_with_history_watched(&mut self, ko: Ko, watch: &mut Watch<'_>) -> Interval {
        let middle = |interval: Interval| {
            let half = (interval.upper - interval.lower + 1) / 2;
            (half > 0).then_some(interval.lower + half)
        };
        self.narrow_with_history(ko, &middle, watch)
    }

    /// The bounds under one ko rule, as far as it takes to find out whether this one holds under it.
    pub fn prove_with_history(&mut self, ko: Ko, bound: Bound, watch: &mut Watch<'_>) -> Interval {
        let margin = match bound.prover {
            Color::Black => bound.margin,
            Color::White => bound.margin + 1,
        };
        let asked = |interval: Interval| {
            let is_open = interval.lower < margin && margin <= interval.upper;
            is_open.then_some(margin)
        };
        self.narrow_with_history(ko, &asked, watch)
    }

    /// The bounds under one ko rule, after it was decided for all margins that are asked for whether Black gets them.
    fn narrow_with_history(
        &mut self,
        ko: Ko,
        asked: &dyn Fn(Interval) -> Option<i32>,
        watch: &mut Watch<'_>,
    ) -> Interval {
        let mut interval = self.confirmed_under(match ko {
            // There a repetition ends the game as a tie, which may be worse than the bound: proofs without any
            // repetition hold.
            Ko::Simple | Ko::Positional => KoRule::Positional,
            Ko::Situational => KoRule::Situational,
        });
        if self.shared.geometry.area > MOST_POINTS {
            return interval;
        }
        let marks = Marks::new(&self.shared.geometry, ko);
        while let Some(margin) = asked(interval) {
            let Some((winner, derivation)) = self.decide(&marks, margin, interval, watch) else {
                break;
            };
            self.derivations.extend(derivation);
            match winner {
                Color::Black => interval.lower = margin,
                Color::White => interval.upper = margin - 1,
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
