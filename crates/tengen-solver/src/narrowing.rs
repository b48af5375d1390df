//! The bounds of one situation, narrowed an iteration at a time.

use std::mem;

use tengen_core::Color;

use crate::attempt::Attempt;
use crate::bound::Bound;
use crate::instinct::Instinct;
use crate::interval::{Enclosure, Interval};
use crate::position::{Position, turn_of};
use crate::solver::{BoundStatus, Solver, Watch};

/// Each player looks at so many situations for a margin at first, before easier ones have a turn.
const NODES_BEFORE_EASIER: u64 = 1 << 24;

/// How much more it is when those have had their turn.
const NODES_GROWTH: u64 = 4;

/// An easier margin has this part of it.
const EASIER_SHARE: u64 = 8;

/// A situation whose bounds are narrowed as far as both players can prove something.
pub(crate) struct Narrowing {
    at: Position,
    known: Enclosure,
    stage: Stage,
    /// What is being tried, if anything: by both players at one margin, or by one of them alone.
    trials: Vec<Trial>,
    /// What was tried at a margin, while easier ones have their turn.
    waiting: Vec<Trial>,
    /// How many situations each player looks at before easier margins have a turn: at first, and now.
    first_patience: u64,
    patience: u64,
    /// For which player, Black or White, no more can be decided in the memory that there is.
    is_decided: [bool; 2],
}

/// What Black and White have learned about moves as those who prove something.
pub(crate) type Instincts = [Option<Instinct>; 2];

struct Trial {
    bound: Bound,
    attempt: Attempt,
}

#[derive(Clone, Copy)]
enum Stage {
    /// Both players try: Black to reach this margin, White to keep Black below it.
    Together(i32),
    /// Nobody forces anything at a margin, or not soon: how far does each of them get short of it?
    Apart {
        open: i32,
        prover: Color,
        /// What the prover does not get, from the prover's point of view.
        not: i32,
        /// Is it only that patience has come to an end?
        for_now: bool,
    },
    /// Searches have found all that they find: retrograde analysis decides whether this player forces more.
    Deciding(Color),
    Ended(BoundStatus),
}

impl Narrowing {
    /// A situation about which this much is known.
    pub(crate) fn new(at: Position, known: Enclosure) -> Self {
        // Most small boards belong to one player as a whole, so the ends are tried first.
        let first = match at.mover() {
            Color::Black => known.proven.upper,
            Color::White => known.proven.lower + 1,
        };
        Self {
            at,
            known,
            stage: Stage::Together(first),
            trials: Vec::new(),
            waiting: Vec::new(),
            first_patience: NODES_BEFORE_EASIER,
            patience: NODES_BEFORE_EASIER,
            is_decided: [false; 2],
        }
    }

    /// What has been found out.
    pub(crate) const fn known(&self) -> &Enclosure {
        &self.known
    }

    /// Has it come to its end?
    pub(crate) const fn is_ended(&self) -> bool {
        matches!(self.stage, Stage::Ended(_))
    }

    /// Does it keep the graph of a retrograde analysis?
    pub(crate) fn has_graph(&self) -> bool {
        let mut trials = self.trials.iter().chain(&self.waiting);
        trials.any(|trial| trial.attempt.graph.is_some())
    }

    /// Is a retrograde analysis what it would go on with?
    pub(crate) const fn wants_graph(&self) -> bool {
        matches!(self.stage, Stage::Deciding(_))
    }

    /// Takes over what was found out elsewhere.
    pub(crate) fn learn(&mut self, known: Enclosure) {
        self.known.learn(known);
        let known = self.known;
        for trials in [&mut self.trials, &mut self.waiting] {
            if trials.iter().any(|trial| known.proven.implies(trial.bound)) {
                trials.clear();
            }
            for trial in trials.iter_mut().filter(|trial| known.decides(trial.bound)) {
                trial.attempt.verdict = Some(BoundStatus::Refuted);
            }
        }
        if known.is_exact() {
            self.end(BoundStatus::Refuted);
        }
    }

    /// Ends it, since nothing more is to be found out.
    pub(crate) fn settle(&mut self) {
        if !self.is_ended() {
            self.end(BoundStatus::NotProven);
        }
    }

    /// One iteration, for which each margin learns its own order of moves. Says how the narrowing ended, if it did;
    /// after [`BoundStatus::Stopped`] it can go on.
    pub(crate) fn step(
        &mut self,
        solver: &mut Solver,
        watch: &mut Watch<'_>,
    ) -> Option<BoundStatus> {
        self.iterate(solver, None, watch)
    }

    /// The same with what each player has learned elsewhere, and for others to use. It saves the memory of many orders.
    pub(crate) fn step_with(
        &mut self,
        solver: &mut Solver,
        instincts: &mut Instincts,
    ) -> Option<BoundStatus> {
        self.iterate(solver, Some(instincts), &mut |_, _| {})
    }

    fn iterate(
        &mut self,
        solver: &mut Solver,
        mut instincts: Option<&mut Instincts>,
        watch: &mut Watch<'_>,
    ) -> Option<BoundStatus> {
        if self.trials.is_empty() {
            self.aim(solver);
        }
        if let Stage::Ended(verdict) = self.stage {
            return Some(verdict);
        }
        let is_deciding = matches!(self.stage, Stage::Deciding(_));
        let open = self.trials.iter_mut().filter(|trial| {
            trial.attempt.verdict.is_none() && (is_deciding || !trial.attempt.is_exhausted)
        });
        // The attempt with the fewest nodes so far goes on.
        let Some(trial) = open.min_by_key(|trial| trial.attempt.nodes) else {
            self.look_elsewhere();
            return None;
        };
        let number = usize::from(turn_of(trial.bound.prover));
        if let Some(instincts) = &mut instincts {
            trial.attempt.instinct = instincts[number].take();
        }
        let verdict = solver.deepen(&self.at, &mut trial.attempt, self.known.proven, watch);
        if let Some(instincts) = instincts {
            instincts[number] = trial.attempt.instinct.take();
        }
        match verdict {
            Some(BoundStatus::Stopped) => return Some(BoundStatus::Stopped),
            Some(BoundStatus::Proven) => {
                self.known.prove(trial.bound);
                self.trials.clear();
            }
            Some(BoundStatus::Refuted) => {
                self.known.refute(trial.bound);
                self.look_elsewhere();
            }
            Some(BoundStatus::NotProven) if matches!(self.stage, Stage::Deciding(_)) => {
                // There is no room for it.
                self.is_decided[number] = true;
                self.trials.clear();
            }
            Some(BoundStatus::NotProven) | None => self.look_elsewhere(),
        }
        None
    }

    /// Looks elsewhere if all that is being tried has come to its end, or to that of patience.
    fn look_elsewhere(&mut self) {
        let patience = match self.stage {
            Stage::Together(_) => self.patience,
            Stage::Apart { for_now: true, .. } => self.patience / EASIER_SHARE,
            Stage::Apart { .. } | Stage::Deciding(_) | Stage::Ended(_) => u64::MAX,
        };
        let is_deciding = matches!(self.stage, Stage::Deciding(_));
        // What searches have not found is decided when they have had their turn at all margins.
        let is_open = |trial: &Trial| {
            trial.attempt.verdict.is_none() && (is_deciding || !trial.attempt.is_exhausted)
        };
        let lasts = |trial: &Trial| is_open(trial) && trial.attempt.nodes < patience;
        if self.trials.iter().any(lasts) {
            return;
        }
        let trials = mem::take(&mut self.trials);
        match &mut self.stage {
            Stage::Together(open) => {
                let for_now = trials.iter().any(is_open);
                self.stage = Stage::Apart {
                    open: *open,
                    prover: Color::Black,
                    not: *open,
                    for_now,
                };
                self.waiting = trials;
            }
            Stage::Apart { not, .. } => {
                for trial in &trials {
                    *not = trial.bound.threshold();
                }
            }
            Stage::Deciding(_) | Stage::Ended(_) => {}
        }
    }

    /// Decides what to try next, or that there is nothing left.
    fn aim(&mut self, solver: &Solver) {
        let Interval { lower, upper } = self.known.proven;
        if lower >= upper {
            self.end(BoundStatus::Proven);
        }
        match &mut self.stage {
            Stage::Together(margin) => {
                // What was tried is decided now: the middle of what is left is next.
                if *margin <= lower || *margin > upper {
                    *margin = lower + (upper - lower + 1) / 2;
                }
                let margin = *margin;
                self.patience = self.first_patience;
                self.attempt(solver, Color::Black, margin);
                self.attempt(solver, Color::White, margin - 1);
            }
            Stage::Apart {
                open,
                prover,
                not,
                for_now,
            } => {
                let sure = self.known.proven.bound(*prover).threshold();
                *not = (*not).min(self.known.possible.bound(*prover).threshold() + 1);
                if sure + 1 < *not {
                    let middle = sure + (*not - sure) / 2;
                    let prover = *prover;
                    self.attempt(solver, prover, prover.sign(middle));
                } else if *prover == Color::Black {
                    *prover = Color::White;
                    *not = 1 - *open;
                    self.aim(solver);
                } else if *for_now {
                    self.stage = Stage::Together(*open);
                    self.trials = mem::take(&mut self.waiting);
                    self.patience = self.patience.saturating_mul(NODES_GROWTH);
                    if self.trials.is_empty() {
                        self.aim(solver);
                    }
                } else {
                    self.stage = Stage::Deciding(Color::Black);
                    self.aim(solver);
                }
            }
            Stage::Deciding(prover) => {
                let prover = *prover;
                let known = self.known.proven.bound(prover).margin;
                let more = Bound::new(prover, known + prover.sign(1));
                let is_decided = self.is_decided[usize::from(turn_of(prover))];
                if !is_decided && !self.known.decides(more) {
                    let attempt = solver.decision(more);
                    self.trials.push(Trial {
                        bound: more,
                        attempt,
                    });
                } else if prover == Color::Black {
                    self.stage = Stage::Deciding(Color::White);
                    self.aim(solver);
                } else if self.known.is_exact() {
                    self.end(BoundStatus::Refuted);
                } else {
                    self.end(BoundStatus::NotProven);
                }
            }
            Stage::Ended(_) => {}
        }
    }

    fn attempt(&mut self, solver: &Solver, prover: Color, margin: i32) {
        let bound = Bound { prover, margin };
        let mut attempt = solver.attempt(bound);
        if self.known.decides(bound) {
            attempt.verdict = Some(BoundStatus::Refuted);
        }
        self.trials.push(Trial { bound, attempt });
    }

    fn end(&mut self, verdict: BoundStatus) {
        self.stage = Stage::Ended(verdict);
        self.trials.clear();
        self.waiting.clear();
    }
}

#[cfg(test)]
mod tests {
    use tengen_core::Setup;

    use super::*;
    use crate::solver::Options;

    fn begin(board: &str, first_patience: u64) -> (Solver, Narrowing) {
        let setup = Setup::empty(board.parse().unwrap());
        let solver = Solver::new(&setup, Options::default()).unwrap();
        let narrowing = Narrowing {
            first_patience,
            patience: first_patience,
            ..Narrowing::new(solver.root, *solver.known())
        };
        (solver, narrowing)
    }

    fn narrowed(board: &str, first_patience: u64) -> Interval {
        let (mut solver, mut narrowing) = begin(board, first_patience);
        while narrowing.step(&mut solver, &mut |_, _| {}).is_none() {}
        assert!(narrowing.is_ended());
        narrowing.known().proven
    }

    #[test]
    fn impatience_changes_no_bounds() {
        for board in ["1x5", "2x2", "2x3", "2x4", "3x3", "3x4", "3x5"] {
            let patient = narrowed(board, u64::MAX);
            for patience in [0, 100, 10_000] {
                assert_eq!(narrowed(board, patience), patient, "{board}, {patience}");
            }
        }
    }

    #[test]
    fn easier_margins_are_proven_while_a_hard_one_waits() {
        // Whether Black gets all of 3x4 takes long to find out.
        let (mut solver, mut narrowing) = begin("3x4", 1_000);
        while narrowing.known().proven.lower < 4 {
            let is_open = matches!(
                narrowing.stage,
                Stage::Together(12) | Stage::Apart { for_now: true, .. }
            );
            assert!(is_open);
            assert_eq!(narrowing.step(&mut solver, &mut |_, _| {}), None);
        }
    }
}
