//! A bound that is tried again and again, each time deeper and wider.

use crate::bound::Bound;
use crate::geometry::Geometry;
use crate::instinct::Instinct;
use crate::outcome::Outcome;
use crate::retrograde::{Decision, Retrograde};
use crate::search::{MAX_DEPTH, Trust};
use crate::solver::BoundStatus;
use crate::techniques::Techniques;

/// The moves that the prover may try in a situation, at first.
const FIRST_WIDTH: usize = 8;

/// Each move of the prover that is tried after another is searched so much less deep.
const RANK_COST: usize = 2;

/// The largest step by which iterations get deeper.
const LARGEST_STEP: u8 = 32;

/// How an iteration is searched.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Effort {
    /// How many moves ahead.
    pub(crate) depth: u8,
    /// How many moves the prover tries in each situation. The enemy always has all.
    pub(crate) width: usize,
    /// How much less deep each further move of the prover is searched.
    pub(crate) rank_cost: usize,
    pub(crate) trust: Trust,
}

/// Iterations towards a goal, and how they went.
pub(crate) struct Attempt {
    pub(crate) bound: Bound,
    pub(crate) effort: Effort,
    /// Situations looked at in all iterations, and in the last one.
    pub(crate) nodes: u64,
    pub(crate) last: u64,
    pub(crate) verdict: Option<BoundStatus>,
    /// What has been learned about moves, once there is something.
    pub(crate) instinct: Option<Instinct>,
    /// Have the searches found nothing? Then retrograde analysis decides, with this graph once it has begun.
    pub(crate) is_exhausted: bool,
    pub(crate) graph: Option<Retrograde>,
    all_moves: usize,
    step: u8,
}

impl Attempt {
    /// Without any search: retrograde analysis decides.
    pub(crate) fn decision(bound: Bound, geometry: &Geometry, techniques: Techniques) -> Self {
        Self {
            is_exhausted: true,
            ..Self::new(bound, geometry, techniques)
        }
    }

    pub(crate) fn new(bound: Bound, geometry: &Geometry, techniques: Techniques) -> Self {
        // With a pass, there is never more to try.
        let all_moves = geometry.area + 1;
        let (width, rank_cost) = if techniques.narrow {
            (FIRST_WIDTH, RANK_COST)
        } else {
            (all_moves, 0)
        };
        Self {
            bound,
            effort: Effort {
                depth: 1,
                width,
                rank_cost,
                trust: Trust::All,
            },
            nodes: 0,
            last: 0,
            verdict: None,
            instinct: None,
            is_exhausted: false,
            graph: None,
            all_moves,
            step: 2,
        }
    }

    /// Takes note of how an iteration went, and says whether it was the last. One that was stopped can be tried again.
    pub(crate) fn learn(&mut self, outcome: Outcome, nodes: u64) -> Option<BoundStatus> {
        self.nodes += nodes;
        if outcome == Outcome::Stopped {
            return Some(BoundStatus::Stopped);
        }
        let Effort {
            depth,
            width,
            trust,
            ..
        } = self.effort;
        self.verdict = match outcome {
            Outcome::Win => Some(BoundStatus::Proven),
            Outcome::Stopped => None,
            Outcome::Fail(why) if why.is_final() => self.exhaust(),
            // Depth was no hindrance; but what the table remembered of other paths may have been.
            Outcome::Fail(why) if !why.cut && trust == Trust::AnyPath => self.exhaust(),
            Outcome::Fail(why) if !why.cut => {
                self.effort.trust = Trust::AnyPath;
                None
            }
            Outcome::Fail(_) if depth >= MAX_DEPTH && width >= self.all_moves => self.exhaust(),
            Outcome::Fail(_) => {
                // A tree that has stopped growing needs other moves; if it has all of them, only loops go deeper.
                let grows = nodes > self.last + self.last / 8;
                if width < self.all_moves {
                    if !grows && nodes > 32 {
                        self.effort.width += width / 2;
                    }
                } else if grows {
                    self.step = 2;
                } else if self.all_moves <= FIRST_WIDTH {
                    // On so small a board retrograde analysis takes a moment.
                    self.is_exhausted = true;
                } else {
                    self.step = (2 * self.step).min(LARGEST_STEP);
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

    /// Searches have come to their end. They took a board that came back for a failure, so that is no answer yet.
    const fn exhaust(&mut self) -> Option<BoundStatus> {
        self.is_exhausted = true;
        None
    }

    /// Takes note of how far the retrograde analysis has come, and says how it ended, if it did.
    pub(crate) fn conclude(&mut self, decision: Decision, nodes: u64) -> Option<BoundStatus> {
        self.nodes += nodes;
        self.verdict = match decision {
            Decision::Proven => Some(BoundStatus::Proven),
            Decision::Refuted => Some(BoundStatus::Refuted),
            Decision::TooLarge => Some(BoundStatus::NotProven),
            Decision::GoesOn => return None,
        };
        self.graph = None;
        self.verdict
    }
}
