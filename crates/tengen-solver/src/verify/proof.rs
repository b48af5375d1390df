//! A proof that was checked, to walk through: what the prover does, whatever the opponent tries.

use std::fmt;
use std::io::Read;

use tengen_core::{Move, Setup};

use super::bound::Mover;
use super::referee::Referee;
use super::strategy::Strategy;
use super::{Refusal, Theorem, Watch, ko, walk};
use crate::certificate::{Situation, point};

/// A certificate that the checker has accepted, kept in memory.
///
/// ```
/// use std::ops::ControlFlow;
/// use tengen_core::{Color, Setup, Size};
/// use tengen_solver::verify::{Proof, ProofStep};
/// use tengen_solver::{Bound, Options, Solver};
///
/// let start = Setup::empty(Size::square(3)?);
/// let mut solver = Solver::new(&start, Options::default())?;
/// let bound = Bound::new(Color::Black, 9);
/// solver.prove(bound, &mut |_, _| {});
/// let mut file = Vec::new();
/// solver.certificate(bound)?.finish(&mut file)?;
/// let proof = Proof::check(file.as_slice(), &mut |_| ControlFlow::Continue(()))?;
/// let ProofStep::Play(first) = proof.step(&start, false) else { panic!("there is a first move") };
/// assert_eq!(first.to_gtp(start.size), "B2");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Proof {
    strategy: Strategy,
    referee: Referee,
    theorem: Theorem,
}

/// What a proof says about a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProofStep {
    /// The prover plays this.
    Play(Move),
    /// The prover's stones guarantee the claim, whatever comes.
    Sure,
    /// The opponent is to move. The proof has an answer to everything, if it has led here.
    Open,
    /// The proof never comes here.
    Unknown,
}

impl Proof {
    /// Reads a certificate of a strategy to its end, and checks it.
    pub fn check(input: impl Read, watch: &mut Watch<'_>) -> Result<Self, Refusal> {
        let strategy = Strategy::read(input, watch)?;
        let referee = Referee::new(strategy.claim);
        let graph = walk::walk(&strategy, &referee, watch)?;
        let (ko_rules, repetitions) = ko::rules(&strategy, &referee, &graph, watch)?;
        let theorem = Theorem {
            claim: strategy.claim,
            ko_rules,
            repetitions,
            nodes: graph.nodes(),
            replies: graph.replies,
            unused: strategy.len() as u64 - graph.nodes(),
        };
        Ok(Self {
            strategy,
            referee,
            theorem,
        })
    }

    /// What is proven.
    pub const fn theorem(&self) -> &Theorem {
        &self.theorem
    }

    pub(super) fn into_theorem(self) -> Theorem {
        self.theorem
    }

    /// What comes in a position that the proof has led to; `passed` if the last move was a pass.
    pub fn step(&self, position: &Setup, passed: bool) -> ProofStep {
        let size = self.theorem.claim.start.size;
        let board = match position.board() {
            Ok(board) if position.size == size => board,
            _ => return ProofStep::Unknown,
        };
        let now = Situation::of(&board);
        let situation = match passed {
            true => now.after_pass(),
            false => now,
        };
        if position.to_move != self.referee.prover() {
            return match self.referee.is_sure(&situation, Mover::Opponent) {
                true => ProofStep::Sure,
                false => ProofStep::Open,
            };
        }
        let classes = &self.strategy.classes;
        let class = classes.class(&situation);
        match self.strategy.find(class) {
            Some(entry) => {
                let reply = classes.reply(class, self.strategy.reply(entry));
                let action = reply.map_or(Move::Pass, |place| Move::Play(point(place, size)));
                ProofStep::Play(action)
            }
            None if self.referee.is_sure(&situation, Mover::Prover) => ProofStep::Sure,
            None => ProofStep::Unknown,
        }
    }
}

impl fmt::Debug for Proof {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Proof")
            .field("theorem", &self.theorem)
            .finish_non_exhaustive()
    }
}
