//! The checker: reads a certificate, plays all that the opponent can play, and says what has been proven.
//!
//! It shares nothing with the search but the format of the file: the moves are those of `tengen-core`. What it checks,
//! and why that proves the claim, is in `docs/proofs.md`.
//!
//! ```
//! use std::ops::ControlFlow;
//! use tengen_core::{ByColor, Color, Setup, Size};
//! use tengen_solver::Bound;
//! use tengen_solver::certificate::{Claim, Entry, Situation, Writer};
//! use tengen_solver::verify::verify;
//!
//! // Whatever Black does on a board of one point, which is nothing, White gets a draw.
//! let claim = Claim::new(Setup::empty(Size::new(1, 1)?), Bound::new(Color::White, 0));
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
mod derivation;
mod ko;
mod local;
mod proof;
mod referee;
mod refusal;
mod strategy;
mod theorem;
mod walk;

use std::io::{self, Read};
use std::ops::ControlFlow;

pub use bound::{Mover, guaranteed};
pub use local::{LocalTheorem, verify_local};
pub use proof::{Proof, ProofStep};
pub use refusal::{Flaw, Refusal};
pub use theorem::{KoRule, KoRules, Repetition, RuleGrant, Theorem};

use crate::certificate::{self, CertificateError, Derivation, HEAD, Problem};

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

/// Reads a certificate about a whole board to its end and says what it proves, or the first thing that is wrong with
/// it.
pub fn verify(input: impl Read, watch: &mut Watch<'_>) -> Result<Theorem, Refusal> {
    let (kind, input) = kind(input)?;
    if kind == Some(certificate::DERIVATION) {
        return verify_derivation(input, watch);
    }
    let (_, theorem) = proof::check(input, watch)?;
    Ok(theorem)
}

/// What a certificate proves, whatever it is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Proven {
    /// A margin on a whole board.
    Board(Theorem),
    /// What becomes of stones in a part of a board.
    Local(LocalTheorem),
}

/// Reads a certificate of any kind to its end and says what it proves, or the first thing that is wrong with it.
pub fn verify_any(input: impl Read, watch: &mut Watch<'_>) -> Result<Proven, Refusal> {
    let (kind, input) = kind(input)?;
    match kind {
        Some(certificate::local::KIND) => verify_local(input, watch).map(Proven::Local),
        _ => verify(input, watch).map(Proven::Board),
    }
}

/// Reads a proof under one superko rule and checks it.
fn verify_derivation(input: impl Read, watch: &mut Watch<'_>) -> Result<Theorem, Refusal> {
    let mut refusal = None;
    let read = Derivation::read(input, &mut |done, all| {
        refusal = report(watch, Stage::Reading, done, all).err();
        refusal.is_none()
    })?;
    match (read, refusal) {
        (Some(derivation), None) => derivation::check(&derivation, watch),
        (_, refusal) => Err(refusal.unwrap_or_else(|| Refusal::of(Flaw::Stopped))),
    }
}

/// The kind of claim that a file makes, unless it is about every ko rule, and the file from its beginning.
fn kind<R: Read>(mut input: R) -> Result<(Option<u8>, impl Read), Refusal> {
    let mut head = Vec::new();
    input
        .by_ref()
        .take(HEAD)
        .read_to_end(&mut head)
        .map_err(|error| CertificateError {
            offset: head.len() as u64,
            problem: Problem::Io(error),
        })?;
    let kind = certificate::kind(&head);
    Ok((kind, io::Cursor::new(head).chain(input)))
}

/// Tells how far it has come, and ends the check if that is wanted.
fn report(watch: &mut Watch<'_>, stage: Stage, done: u64, all: u64) -> Result<(), Refusal> {
    match watch(Progress { stage, done, all }) {
        ControlFlow::Continue(()) => Ok(()),
        ControlFlow::Break(()) => Err(Refusal::of(Flaw::Stopped)),
    }
}
