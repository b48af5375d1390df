//! The facts that a proof rests on, as a derivation.

use std::collections::HashMap;

use tengen_core::{ByColor, Color};

use super::facts::{Fact, Facts, Link};
use super::marks::{PASSED, STONES, WHITE_TO_MOVE};
use super::walk::{Answer, Walk};
use crate::bound::Bound;
use crate::certificate::{self, Claim, Derivation, Situation, Step};
use crate::geometry::{NO_MOVE, PASS};
use crate::solver::Solver;

impl Solver {
    /// The derivation of what a search has found at the root.
    pub(super) fn derivation_of(&self, walk: &Walk<'_>, answer: Answer) -> Option<Derivation> {
        let wanted = Bound::new(Color::Black, walk.margin);
        let claim = Claim {
            start: *self.setup(),
            passed: self.passed(),
            bound: match Color::BOTH[usize::from(answer.winner()?)] {
                Color::Black => wanted,
                Color::White => wanted.opposite(),
            },
        };
        let mut derivation = Derivation::new(claim, walk.marks.ko);
        if let Answer::Fact(_, root) = answer {
            let needed = needed(&walk.facts, root.fact());
            let order = needed.iter().zip(0..);
            let numbers: HashMap<u32, u32> = order.map(|(fact, step)| (*fact, step)).collect();
            for fact in needed {
                let fact = &walk.facts.all[fact as usize];
                derivation.push(step(fact), links(fact, &numbers));
            }
        }
        Some(derivation)
    }
}

/// The facts that one rests on, and itself, in the order in which they were found.
fn needed(facts: &Facts, root: u32) -> Vec<u32> {
    let mut is_needed = vec![false; root as usize + 1];
    let mut waiting = vec![root];
    while let Some(fact) = waiting.pop() {
        if std::mem::replace(&mut is_needed[fact as usize], true) {
            continue;
        }
        for link in &facts.all[fact as usize].links {
            if let Link::Fact(turned) = link {
                waiting.push(turned.fact());
            }
        }
    }
    let facts = is_needed.into_iter().zip(0..);
    facts
        .filter_map(|(needed, fact)| needed.then_some(fact))
        .collect()
}

fn step(fact: &Fact) -> Step {
    let key = fact.key.board;
    Step {
        situation: Situation {
            stones: ByColor::new(key & STONES, key >> 32 & STONES),
            ko: None,
            passed: key & PASSED != 0,
        },
        to_move: if key & WHITE_TO_MOVE == 0 {
            Color::Black
        } else {
            Color::White
        },
        reply: (fact.action != PASS && fact.action != NO_MOVE).then_some(fact.action),
    }
}

fn links(fact: &Fact, numbers: &HashMap<u32, u32>) -> impl Iterator<Item = certificate::Link> {
    fact.links.iter().map(|link| match link {
        Link::Repeats => certificate::Link::Banned,
        Link::Leaf => certificate::Link::Leaf,
        Link::Fact(turned) => certificate::Link::Step {
            step: numbers[&turned.fact()],
            symmetry: turned.symmetry() as u8,
        },
    })
}
