//! A bound that is proven in portions, and the proof of it that the checker has accepted.

use std::fmt;
use std::ops::ControlFlow;

use tengen_core::Stop;

use crate::attempt::Attempt;
use crate::bound::Bound;
use crate::solver::{BoundStatus, Solver};
use crate::strategy::StrategyError;
use crate::verify::{Flaw, Proof};

/// Situations that an iteration may look at before others get a turn; one that needs more gets twice as many the next
/// time, up to so many.
const FIRST_PORTION: u64 = 1 << 13;
const LONGEST: u64 = 1 << 20;

/// To write the strategy down, some situations have to be searched once more: this many times as many as it took to
/// prove the bound, at most, and always so many.
const AGAIN: u64 = 4;
const LEAST_AGAIN: u64 = 1 << 16;

/// Proves a bound and writes its proof down. No threads are started and no clock is read.
///
/// ```
/// use tengen_core::{Color, Setup, Size, Stop};
/// use tengen_solver::{Bound, Options, Proving, Solver};
/// let solver = Solver::new(&Setup::empty(Size::square(3)?), Options::default())?;
/// let mut proving = Proving::new(solver, Bound::new(Color::Black, 9), 100_000);
/// let proof = loop {
///     if let Some(ended) = proving.go_on(1_000, &Stop::new()) {
///         break ended?;
///     }
/// };
/// assert_eq!(proof.claim().to_string(), "black >= 9 on 3x3, black to move");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Proving {
    solver: Solver,
    attempt: Attempt,
    patience: u64,
    budget: u64,
    is_proven: bool,
}

/// Why there is no proof.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoProof {
    /// The player cannot force the bound.
    #[error("the bound cannot be forced")]
    Refuted,
    /// It was not found with the effort that was allowed.
    #[error("no proof was found with the effort that was allowed")]
    TooMuch,
    /// Somebody has stopped it.
    #[error("stopped")]
    Stopped,
}

impl Proving {
    /// A search for a proof of a bound of the solver's position that looks at about so many situations.
    pub fn new(solver: Solver, bound: Bound, budget: u64) -> Self {
        Self {
            attempt: solver.attempt(bound),
            solver,
            patience: FIRST_PORTION,
            budget,
            is_proven: false,
        }
    }

    /// Situations looked at so far.
    pub fn nodes(&self) -> u64 {
        self.solver.nodes()
    }

    /// Is the bound proven, so that only the proof is to be written down and checked?
    pub const fn is_proven(&self) -> bool {
        self.is_proven
    }

    /// Looks at about so many situations more, and says how it ended, if it did. Writing the proof down and checking
    /// it is one portion.
    pub fn go_on(&mut self, nodes: u64, stop: &Stop) -> Option<Result<Proof, NoProof>> {
        if stop.is_stopped() {
            return Some(Err(NoProof::Stopped));
        }
        if self.is_proven {
            return Some(self.write(stop));
        }
        let end = self.nodes().saturating_add(nodes);
        while self.nodes() < end {
            let left = self.budget.saturating_sub(self.nodes());
            if left == 0 {
                return Some(Err(NoProof::TooMuch));
            }
            self.solver.limit(self.patience.min(left));
            let root = self.solver.root;
            let known = self.solver.interval();
            let status = self
                .solver
                .deepen(&root, &mut self.attempt, known, &mut |_, _| {});
            match status {
                None => {}
                Some(BoundStatus::Stopped) => self.patience = (2 * self.patience).min(LONGEST),
                Some(BoundStatus::Proven) => {
                    self.is_proven = true;
                    return None;
                }
                Some(BoundStatus::Refuted) => return Some(Err(NoProof::Refuted)),
                Some(BoundStatus::NotProven) => return Some(Err(NoProof::TooMuch)),
            }
        }
        None
    }

    /// Writes the proof down, and has it checked.
    fn write(&self, stop: &Stop) -> Result<Proof, NoProof> {
        let bound = self.attempt.bound;
        self.solver.limit((AGAIN * self.nodes()).max(LEAST_AGAIN));
        let ends = self.solver.stop();
        let written = self.solver.certificate_watched(bound, &mut |_| {
            if stop.is_stopped() {
                ends.stop();
            }
        });
        if stop.is_stopped() {
            return Err(NoProof::Stopped);
        }
        let writer = written.map_err(|error| match error {
            StrategyError::NotProven | StrategyError::Stopped | StrategyError::Claim(_) => {
                NoProof::TooMuch
            }
        })?;
        let mut file = Vec::new();
        writer.finish(&mut file).map_err(|_| NoProof::TooMuch)?;
        let checked = Proof::check(file.as_slice(), &mut |_| match stop.is_stopped() {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        });
        checked.map_err(|refusal| match refusal.flaw {
            Flaw::Stopped => NoProof::Stopped,
            _ => NoProof::TooMuch,
        })
    }
}

impl fmt::Debug for Proving {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Proving")
            .field("bound", &self.attempt.bound)
            .field("nodes", &self.nodes())
            .finish_non_exhaustive()
    }
}
