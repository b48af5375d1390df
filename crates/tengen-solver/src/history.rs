//! The value under one ko rule.
//!
//! Under simple ko it follows from what both players force. Under superko, where the bounds that hold under every ko
//! rule do not meet, what a situation is worth depends on the boards before it: the graph history interaction. So the
//! whole history is in the search, and what was proven is remembered with the paths on which it holds.

mod attempt;
mod derive;
mod facts;
mod marks;
mod walk;

use tengen_core::{Color, Ko};

use crate::bound::Bound;
use crate::certificate::Derivation;
use crate::interval::Interval;
use crate::solver::{Solver, Watch};
use crate::verify::KoRule;
use marks::{MOST_POINTS, Marks};

impl Solver {
    /// The bounds under one ko rule. No board was there before the position. They meet unless the solver was stopped,
    /// ran out of memory or found nothing as deep as it goes, or the board has more than 31 points: then nothing is
    /// searched under superko.
    ///
    /// Under simple ko a game that goes on for ever is a tie: a margin of 0. `docs/solver.md` has the definition.
    ///
    /// Bounds that were proven for every ko rule are used if the checker grants their proofs this one. Of the others,
    /// those under superko have a [derivation](Self::derivation).
    pub fn solve_with_history(&mut self, ko: Ko) -> Interval {
        self.solve_with_history_watched(ko, &mut |_, _| {})
    }

    /// The same, and how far it has come is told now and then.
    pub fn solve_with_history_watched(&mut self, ko: Ko, watch: &mut Watch<'_>) -> Interval {
        let Some(rule) = superko(ko) else {
            if !self.is_exact() {
                self.solve(watch);
            }
            return self.known().simple_ko();
        };
        let middle = |interval: Interval| {
            let half = (interval.upper - interval.lower + 1) / 2;
            (half > 0).then_some(interval.lower + half)
        };
        self.narrow_with_history(ko, rule, &middle, watch)
    }

    /// The bounds under one ko rule, as far as it takes to find out whether this one holds under it.
    pub fn prove_with_history(&mut self, ko: Ko, bound: Bound, watch: &mut Watch<'_>) -> Interval {
        let Some(rule) = superko(ko) else {
            // Whether the other player forces the opposite says whether a tie is in it.
            for bound in [bound, bound.opposite()] {
                if !self.known().decides(bound) {
                    self.prove(bound, watch);
                }
            }
            return self.known().simple_ko();
        };
        let margin = match bound.prover {
            Color::Black => bound.margin,
            Color::White => bound.margin + 1,
        };
        let asked = |interval: Interval| {
            let is_open = interval.lower < margin && margin <= interval.upper;
            is_open.then_some(margin)
        };
        self.narrow_with_history(ko, rule, &asked, watch)
    }

    /// The bounds under one superko rule, after it was decided for all margins that are asked for whether Black gets
    /// them.
    fn narrow_with_history(
        &mut self,
        ko: Ko,
        rule: KoRule,
        asked: &dyn Fn(Interval) -> Option<i32>,
        watch: &mut Watch<'_>,
    ) -> Interval {
        let mut interval = self.confirmed_under(rule);
        if self.shared.geometry.area > MOST_POINTS {
            return interval;
        }
        let marks = Marks::new(&self.shared.geometry, ko);
        while let Some(margin) = asked(interval) {
            let Some(derivation) = self.decide(&marks, margin, interval, watch) else {
                break;
            };
            interval.learn(derivation.claim.bound);
            self.derivations.push(derivation);
        }
        interval
    }

    /// The proof of a bound under a superko rule, if the last search with history has found one.
    pub fn derivation(&self, ko: Ko, bound: Bound) -> Option<&Derivation> {
        self.derivations
            .iter()
            .rev()
            .find(|derivation| derivation.ko == ko && derivation.claim.bound == bound)
    }
}

/// What the checker calls a superko rule. Simple ko is none.
const fn superko(ko: Ko) -> Option<KoRule> {
    match ko {
        Ko::Simple => None,
        Ko::Positional => Some(KoRule::Positional),
        Ko::Situational => Some(KoRule::Situational),
    }
}
