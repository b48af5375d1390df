//! The bounds of one situation, narrowed an iteration at a time.

use tengen_core::Color;

use crate::attempt::Attempt;
use crate::instinct::Instinct;
use crate::position::Position;
use crate::solver::{Bound, Interval, Solver, Verdict, Watch};

/// A situation whose bounds are narrowed as far as both players can prove something.
pub(crate) struct Narrowing {
    at: Position,
    interval: Interval,
    stage: Stage,
    /// What is being tried, if anything: by both players at one margin, or by one of them alone.
    trials: Vec<Trial>,
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
    /// Nobody forces anything at a margin: what is left is to find out how far each of them gets.
    Apart {
        open: i32,
        prover: Color,
        /// What the prover does not get, from the prover's point of view.
        not: i32,
    },
    Ended(Verdict),
}

impl Narrowing {
    /// A situation about which this much is known.
    pub(crate) fn new(at: Position, interval: Interval) -> Self {
        // Most small boards belong to one player as a whole, so the ends are tried first.
        let first = match at.mover() {
            Color::Black => interval.upper,
            Color::White => interval.lower + 1,
        };
        Self {
            at,
            interval,
            stage: Stage::Together(first),
            trials: Vec::new(),
        }
    }

    /// What has been proven.
    pub(crate) const fn interval(&self) -> Interval {
        self.interval
    }

    /// Has it come to its end?
    pub(crate) const fn is_ended(&self) -> bool {
        matches!(self.stage, Stage::Ended(_))
    }

    /// Takes over bounds that were proven elsewhere.
    pub(crate) fn learn(&mut self, interval: Interval) {
        for color in Color::BOTH {
            self.interval.learn(interval.bound(color));
        }
        let Interval { lower, upper } = self.interval;
        let is_known = |bound: Bound| match bound.prover {
            Color::Black => bound.margin <= lower || bound.margin > upper,
            Color::White => bound.margin >= upper || bound.margin < lower,
        };
        if self.trials.iter().any(|trial| is_known(trial.bound)) {
            self.trials.clear();
        }
        if lower == upper {
            self.end(Verdict::Proven);
        }
    }

    /// Ends it, since nothing more is to be found out.
    pub(crate) fn settle(&mut self) {
        if !self.is_ended() {
            self.end(Verdict::NotProven);
        }
    }

    /// One iteration, for which each margin learns its own order of moves. Says how the narrowing ended, if it did; after
    /// [`Verdict::Stopped`] it can go on.
    pub(crate) fn step(&mut self, solver: &mut Solver, watch: &mut Watch<'_>) -> Option<Verdict> {
        self.iterate(solver, None, watch)
    }

    /// The same with what each player has learned elsewhere, and for others to use. It saves the memory of many orders.
    pub(crate) fn step_with(
        &mut self,
        solver: &mut Solver,
        instincts: &mut Instincts,
    ) -> Option<Verdict> {
        self.iterate(solver, Some(instincts), &mut |_, _| {})
    }

    fn iterate(
        &mut self,
        solver: &mut Solver,
        mut instincts: Option<&mut Instincts>,
        watch: &mut Watch<'_>,
    ) -> Option<Verdict> {
        if self.trials.is_empty() {
            self.aim(solver);
        }
        if let Stage::Ended(verdict) = self.stage {
            return Some(verdict);
        }
        let open = self.trials.iter_mut();
        let open = open.filter(|trial| trial.attempt.verdict.is_none());
        // Whoever has worked less goes on.
        let trial = open.min_by_key(|trial| trial.attempt.nodes)?;
        let number = usize::from(trial.attempt.goal.prover);
        if let Some(instincts) = &mut instincts {
            trial.attempt.instinct = instincts[number].take();
        }
        let verdict = solver.deepen(&self.at, &mut trial.attempt, self.interval, watch);
        if let Some(instincts) = instincts {
            instincts[number] = trial.attempt.instinct.take();
        }
        match verdict? {
            Verdict::Stopped => return Some(Verdict::Stopped),
            Verdict::Proven => {
                self.interval.learn(trial.bound);
                self.trials.clear();
            }
            Verdict::Refuted | Verdict::NotProven => self.fail(),
        }
        None
    }

    /// What is left to be tried knows that nothing was found.
    fn fail(&mut self) {
        let has_ended = |trial: &Trial| trial.attempt.verdict.is_some();
        if !self.trials.iter().all(has_ended) {
            return;
        }
        match &mut self.stage {
            Stage::Together(open) => {
                self.stage = Stage::Apart {
                    open: *open,
                    prover: Color::Black,
                    not: *open,
                };
            }
            Stage::Apart { prover, not, .. } => {
                for trial in &self.trials {
                    *not = prover.sign(trial.bound.margin);
                }
            }
            Stage::Ended(_) => {}
        }
        self.trials.clear();
    }

    /// Decides what to try next, or that there is nothing left.
    fn aim(&mut self, solver: &Solver) {
        let Interval { lower, upper } = self.interval;
        if lower >= upper {
            self.end(Verdict::Proven);
        }
        match &mut self.stage {
            Stage::Together(margin) => {
                // What was tried is decided now: the middle of what is left is next.
                if *margin <= lower || *margin > upper {
                    *margin = lower + (upper - lower + 1) / 2;
                }
                let margin = *margin;
                self.attempt(solver, Color::Black, margin);
                self.attempt(solver, Color::White, margin - 1);
            }
            Stage::Apart { open, prover, not } => {
                let sure = prover.sign(self.interval.bound(*prover).margin);
                if sure + 1 < *not {
                    let middle = sure + (*not - sure) / 2;
                    let prover = *prover;
                    self.attempt(solver, prover, prover.sign(middle));
                } else if *prover == Color::Black {
                    let open = *open;
                    self.stage = Stage::Apart {
                        open,
                        prover: Color::White,
                        not: 1 - open,
                    };
                    self.aim(solver);
                } else {
                    self.end(Verdict::NotProven);
                }
            }
            Stage::Ended(_) => {}
        }
    }

    fn attempt(&mut self, solver: &Solver, prover: Color, margin: i32) {
        let bound = Bound { prover, margin };
        self.trials.push(Trial {
            bound,
            attempt: solver.attempt(bound),
        });
    }

    fn end(&mut self, verdict: Verdict) {
        self.stage = Stage::Ended(verdict);
        self.trials.clear();
    }
}
