//! A margin under one ko rule, tried for both players in turn, deeper and deeper.

use std::sync::atomic::Ordering;

use tengen_core::Color;

use super::facts::Facts;
use super::marks::Marks;
use super::walk::{Answer, Effort, Here, Walk};
use crate::bound::Bound;
use crate::certificate::Derivation;
use crate::interval::Interval;
use crate::solver::{Progress, Solver, Watch};

/// The deepest that a search goes.
const DEEPEST: u16 = 1000;

/// The moves that the prover may try in a situation, at first.
const FIRST_WIDTH: u16 = 4;

/// Every so many iterations the prover may try one more move.
const WIDEN_EVERY: u32 = 4;

/// The steps by which searches get deeper.
const FIRST_STEP: u16 = 2;
const LARGEST_STEP: u16 = 32;

/// There is room for this many bytes of facts, unless somebody says otherwise.
const LEAST_MEMORY: u64 = 1 << 28;

/// The search for a proof that one of the players wins.
#[derive(Clone)]
struct Attempt {
    prover: u8,
    effort: Effort,
    step: u16,
    all_moves: u16,
    /// Situations looked at in all iterations, and in the last one.
    nodes: u64,
    last: u64,
}

impl Attempt {
    const fn new(prover: u8, area: usize) -> Self {
        Self {
            prover,
            effort: Effort {
                depth: 4,
                width: FIRST_WIDTH,
                iteration: 1,
                believed: 1,
            },
            step: FIRST_STEP,
            all_moves: area as u16 + 1,
            nodes: 0,
            last: 0,
        }
    }

    /// Takes note of an iteration that found nothing. Returns whether there is another one.
    fn go_on(&mut self, nodes: u64) -> bool {
        let effort = &mut self.effort;
        let grows = nodes > self.last + self.last / 8;
        self.nodes += nodes;
        self.last = nodes;
        if effort.depth >= DEEPEST {
            return false;
        }
        effort.iteration += 1;
        if effort.width < self.all_moves {
            if !grows && nodes > 32 {
                effort.width += effort.width / 2;
            } else if effort.iteration.is_multiple_of(WIDEN_EVERY) {
                effort.width += 1;
            }
        } else if !grows {
            // What was not found on another path, or with fewer facts, may be found now.
            effort.believed = effort.iteration;
            self.step = (2 * self.step).min(LARGEST_STEP);
        }
        effort.depth = (effort.depth + self.step).min(DEEPEST);
        true
    }
}

impl Solver {
    /// Who wins under one superko rule: Black, who wants this margin, or White, who wants less? And a proof of that.
    /// `None` if the solver was stopped, or found nothing in the memory that it has.
    pub(super) fn decide(
        &self,
        marks: &Marks,
        margin: i32,
        interval: Interval,
        watch: &mut Watch<'_>,
    ) -> Option<Derivation> {
        let geometry = &self.shared.geometry;
        let root = marks.upright_place(&self.root);
        let usual = self.table_bytes().max(LEAST_MEMORY);
        let memory = self.history_memory.unwrap_or(usual);
        let wanted = Bound::new(Color::Black, margin);
        let mut tell = |here: Here| {
            let prover = Color::BOTH[usize::from(here.prover)];
            let progress = Progress {
                interval,
                trying: match prover {
                    Color::Black => wanted,
                    Color::White => wanted.opposite(),
                },
                depth: here.depth,
                nodes: self.nodes() + here.uncounted,
                table: here.bytes as f64 / memory as f64,
            };
            watch(self, &progress);
        };
        let mut walk = Walk {
            shared: &self.shared,
            marks,
            facts: Facts::default(),
            margin,
            prover: 0,
            effort: Effort::default(),
            memory,
            tell: &mut tell,
            path: vec![root.marks],
            scores: Box::new([[0; 64]; 2]),
            nodes: 0,
            counted: 0,
        };
        let mut attempts = [0, 1]
            .map(|prover| Attempt::new(prover, geometry.area))
            .to_vec();
        loop {
            // The attempt with the fewest nodes so far goes on.
            let (number, attempt) = attempts
                .iter_mut()
                .enumerate()
                .min_by_key(|(_, attempt)| attempt.nodes)?;
            walk.prover = attempt.prover;
            walk.effort = attempt.effort;
            let before = walk.nodes;
            let answer = walk.search(&self.root, &root, attempt.effort.depth);
            let nodes = walk.nodes - before;
            self.shared.nodes.fetch_add(nodes, Ordering::Relaxed);
            walk.counted = walk.nodes;
            match answer {
                Answer::Stopped => return None,
                Answer::Unknown if attempt.go_on(nodes) => {}
                Answer::Unknown => _ = attempts.remove(number),
                answer => return self.derivation_of(&walk, answer),
            }
        }
    }
}
