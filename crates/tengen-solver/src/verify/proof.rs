//! A proof to walk through: what the prover does, whatever the opponent tries.

use std::fmt;
use std::io::Read;

use tengen_core::{Move, Setup};

use super::bound::Mover;
use super::referee::Referee;
use super::strategy::Strategy;
use super::{Refusal, Theorem, Watch, ko, walk};
use crate::certificate::{Claim, Situation, point};

/// A certificate that is kept in memory: one that the checker has accepted, or one that is taken at its word.
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
    /// What the checker says; nothing if it was not asked.
    theorem: Option<Theorem>,
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
        let (strategy, theorem) = check(input, watch)?;
        Ok(Self {
            referee: Referee::new(strategy.claim),
            strategy,
            theorem: Some(theorem),
        })
    }

    /// Reads a certificate of a strategy to its end, and takes it at its word: the file is whole, but what it says
    /// need not be true. A check takes more than ten times the memory, and hundreds of times as long.
    pub fn read(input: impl Read, watch: &mut Watch<'_>) -> Result<Self, Refusal> {
        let strategy = Strategy::read(input, watch)?;
        Ok(Self {
            referee: Referee::new(strategy.claim),
            strategy,
            theorem: None,
        })
    }

    /// What is proven, if the checker has accepted it.
    pub const fn theorem(&self) -> Option<&Theorem> {
        self.theorem.as_ref()
    }

    /// What it says that it proves.
    pub const fn claim(&self) -> &Claim {
        &self.strategy.claim
    }

    /// How many entries it has.
    pub const fn entries(&self) -> u64 {
        self.strategy.len() as u64
    }

    /// Has it an answer to whatever the opponent may play next, and if the prover is to move, an answer now?
    pub fn covers(&self, position: &Setup, passed: bool) -> bool {
        match self.step(position, passed) {
            ProofStep::Play(_) | ProofStep::Sure => return true,
            ProofStep::Unknown => return false,
            ProofStep::Open => {}
        }
        let Ok(board) = position.board() else {
            return false;
        };
        let answers = |situation: &Situation| {
            let class = self.strategy.classes.class(situation);
            self.strategy.find(class).is_some() || self.referee.is_sure(situation, Mover::Prover)
        };
        let pass = match passed {
            // It ends the game.
            true => self.claim().bound.holds_for(Referee::margin(&board)),
            false => answers(&Situation::of(&board).after_pass()),
        };
        let mut all = pass;
        let mut spare = board.clone();
        self.referee.stones(&board, &mut spare, |_, after| {
            all = all && answers(&after);
        });
        all
    }

    /// What comes in a position that the proof has led to; `passed` if the last move was a pass.
    pub fn step(&self, position: &Setup, passed: bool) -> ProofStep {
        let size = self.claim().start.size;
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

/// Reads a certificate of a strategy to its end, and says what it proves.
pub(super) fn check(
    input: impl Read,
    watch: &mut Watch<'_>,
) -> Result<(Strategy, Theorem), Refusal> {
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
    Ok((strategy, theorem))
}

impl fmt::Debug for Proof {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Proof")
            .field("claim", self.claim())
            .field("theorem", &self.theorem)
            .finish_non_exhaustive()
    }
}
