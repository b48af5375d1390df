//! What the checker says about bounds that were proven.

use std::ops::ControlFlow;

use tengen_core::Color;

use crate::bound::Bound;
use crate::interval::Interval;
use crate::solver::Solver;
use crate::verify::{KoRule, verify};

impl Solver {
    /// The ko rules that the checker grants to a bound that was proven. To say nothing is right under every rule.
    pub fn confirmed(&self, bound: Bound) -> Vec<KoRule> {
        if bound.is_trivial(self.shared.geometry.area) {
            return KoRule::ALL.to_vec();
        }
        let mut file = Vec::new();
        let written = self.certificate(bound).ok();
        let written = written.and_then(|writer| writer.finish(&mut file).ok());
        let theorem =
            written.and_then(|_| verify(file.as_slice(), &mut |_| ControlFlow::Continue(())).ok());
        theorem.map_or_else(Vec::new, |theorem| theorem.ko_rules.granted().collect())
    }

    /// The bounds that the checker grants this ko rule.
    pub(crate) fn confirmed_under(&self, rule: KoRule) -> Interval {
        let mut confirmed = Interval::of_area(self.shared.geometry.area);
        for color in Color::BOTH {
            let bound = self.interval().bound(color);
            if self.confirmed(bound).contains(&rule) {
                confirmed.learn(bound);
            }
        }
        confirmed
    }
}
