//! A bound that is tried again and again, each time deeper and wider.

use crate::search::{Goal, History, MAX_DEPTH, Outcome, Techniques, Trust};
use crate::solver::Verdict;

/// The moves that the prover may try in a situation, at first.
const FIRST_WIDTH: usize = 4;

/// Every so many iterations the prover may try one more move.
const WIDEN_EVERY: u32 = 4;

/// How an iteration is searched.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Effort {
    /// How many moves ahead.
    pub(crate) depth: u8,
    /// How many moves the prover tries in each situation. The enemy always has all.
    pub(crate) width: usize,
    pub(crate) trust: Trust,
}

/// Iterations towards a goal, and how they went.
pub(crate) struct Attempt {
    pub(crate) goal: Goal,
    pub(crate) effort: Effort,
    /// Situations looked at in all iterations, and in the last one.
    pub(crate) nodes: u64,
    pub(crate) last: u64,
    pub(crate) verdict: Option<Verdict>,
    /// What each thread has learned.
    pub(crate) histories: Vec<History>,
    all_moves: usize,
    step: u8,
    iterations: u32,
}

impl Attempt {
    pub(crate) fn new(goal: Goal, area: usize, threads: usize, techniques: Techniques) -> Self {
        // With a pass, there is never more to try.
        let all_moves = area + 1;
        Self {
            goal,
            effort: Effort {
                depth: 1,
                width: if techniques.narrow {
                    FIRST_WIDTH
                } else {
                    all_moves
                },
                trust: Trust::All,
            },
            nodes: 0,
            last: 0,
            verdict: None,
            histories: vec![History::default(); threads],
            all_moves,
            step: 2,
            iterations: 0,
        }
    }

    /// Takes note of how an iteration went, and says whether it was the last.
    pub(crate) fn learn(&mut self, outcome: Outcome, nodes: u64) -> Option<Verdict> {
        self.iterations += 1;
        self.nodes += nodes;
        let Effort {
            depth,
            width,
            trust,
        } = self.effort;
        self.verdict = match outcome {
            Outcome::Win => Some(Verdict::Proven),
            Outcome::Stopped => Some(Verdict::Stopped),
            Outcome::Fail(why) if why.is_final() => Some(Verdict::Refuted),
            // Depth was no hindrance; but what the table remembered of other paths may have been.
            Outcome::Fail(why) if !why.cut && trust == Trust::AnyPath => Some(Verdict::NotProven),
            Outcome::Fail(why) if !why.cut => {
                self.effort.trust = Trust::AnyPath;
                None
            }
            Outcome::Fail(_) if depth >= MAX_DEPTH && width >= self.all_moves => {
                Some(Verdict::NotProven)
            }
            Outcome::Fail(_) => {
                // A tree that has stopped growing needs other moves; if it has all of them, only loops go deeper.
                let grows = nodes > self.last + self.last / 8;
                if width < self.all_moves {
                    if !grows && nodes > 32 {
                        self.effort.width += width / 2;
                    } else if self.iterations.is_multiple_of(WIDEN_EVERY) {
                        self.effort.width += 1;
                    }
                } else if grows {
                    self.step = 2;
                } else {
                    self.step = self.step.saturating_mul(2).min(32);
                }
                self.effort.depth = (depth + self.step).min(MAX_DEPTH);
                if depth >= MAX_DEPTH {
                    self.effort.width = self.all_moves;
                }
                None
            }
        };
        self.last = nodes;
        self.verdict
    }
}
