//! The checker: reads a certificate, plays all that the opponent can play, and says what has been proven.
//!
//! It shares nothing with the search but the format of the file: the moves are those of `tengen-core`. What it checks,
//! and why that proves the claim, is in `docs/proofs.md`.
//!
//! ```
//! use std::ops::ControlFlow;
//! use tengen_core::{ByColor, Color, Setup, Size};
//! use tengen_solver::certificate::{Claim, Entry, Situation, Writer};
//! use tengen_solver::verify::verify;
//!
//! // Whatever Black does on a board of one point, which is nothing, White gets a draw.
//! let claim = Claim::new(Setup::empty(Size::new(1, 1)?), Color::White, 0);
//! let mut writer = Writer::new(claim)?;
//! let empty = Situation { stones: ByColor::new(0, 0), ko: None, passed: true };
//! writer.add(&Entry { situation: empty, reply: None });
//! let mut file = Vec::new();
//! writer.finish(&mut file)?;
//!
//! let theorem = verify(file.as_slice(), &mut |_| ControlFlow::Continue(()))?;
//! assert_eq!(theorem.to_string(), "black <= 0 on 1x1, black to move");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod bound;
mod concrete;
mod cycles;
mod ko;
mod referee;
mod refusal;
mod strategy;
mod theorem;
mod walk;

use std::io::Read;
use std::ops::ControlFlow;

pub use bound::{Mover, guaranteed};
pub use refusal::{Flaw, Refusal};
pub use theorem::{KoRule, KoRules, Repetition, Theorem, Verdict};

use referee::Referee;
use strategy::Strategy;

/// How far a check has come. Whoever is told may end it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// What is being done.
    pub stage: Stage,
    /// How much of it is done.
    pub done: u64,
    /// How much there is to do, as far as is known.
    pub all: u64,
}

/// The parts of a check, in their order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Reading entries.
    Reading,
    /// Playing the strategy against every reply.
    Playing,
    /// Looking for stones that a superko rule could ban.
    KoRules,
}

/// Who is told how far a check has come.
pub type Watch<'a> = dyn FnMut(Progress) -> ControlFlow<()> + 'a;

/// How many steps are made between two reports.
const REPORT: u64 = 1 << 14;

/// Reads a certificate to its end and says what it proves, or the first thing that is wrong with it.
pub fn verify(input: impl Read, watch: &mut Watch<'_>) -> Result<Theorem, Refusal> {
    let strategy = Strategy::read(input, watch)?;
    let referee = Referee::new(strategy.claim);
    let graph = walk::walk(&strategy, &referee, watch)?;
    let (ko_rules, repetitions) = ko::rules(&strategy, &referee, &graph, watch)?;
    Ok(Theorem {
        claim: strategy.claim,
        ko_rules,
        repetitions,
        nodes: graph.nodes(),
        replies: graph.replies,
        unused: strategy.len() as u64 - graph.nodes(),
    })
}

/// Tells how far it has come, and ends the check if that is wanted.
fn report(watch: &mut Watch<'_>, stage: Stage, done: u64, all: u64) -> Result<(), Refusal> {
    match watch(Progress { stage, done, all }) {
        ControlFlow::Continue(()) => Ok(()),
        ControlFlow::Break(()) => Err(Refusal::of(Flaw::Stopped)),
    }
}
