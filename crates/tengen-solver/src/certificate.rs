//! The file that holds a proof: a claim, and the strategy with which one player, the prover, makes it true.
//!
//! `docs/proofs.md` says what a certificate proves and describes every byte of it. The search writes certificates with
//! a [`Writer`]; `verify` reads them and believes nothing that they say.
//!
//! Points are numbered in reading order: the point in column `x` and row `y`, both from 0 at the top left, is bit
//! `y * width + x` of a set of points.
//!
//! ```
//! use tengen_core::{ByColor, Color, Setup, Size};
//! use tengen_solver::Bound;
//! use tengen_solver::certificate::{Claim, Entry, Situation, Writer};
//!
//! // Whoever passes first on 1x2 gets a draw at least.
//! let claim = Claim::new(Setup::empty(Size::new(2, 1)?), Bound::new(Color::White, 0));
//! let mut writer = Writer::new(claim)?;
//! let empty = Situation { stones: ByColor::new(0, 0), ko: None, passed: true };
//! writer.add(&Entry { situation: empty, reply: None });
//! let mut file = Vec::new();
//! assert_eq!(writer.finish(&mut file)?.entries, 1);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod blocks;
mod claim;
mod classes;
mod codes;
mod derivation;
mod error;
pub mod local;
mod reader;
mod situation;
mod summed;
mod writer;

pub use claim::{Claim, ClaimError};
pub(crate) use claim::{write_rows, write_turn};
pub use classes::{Class, Classes};
pub use codes::Codes;
pub(crate) use derivation::KIND as DERIVATION;
pub use derivation::{Derivation, Link, Step};
pub use error::{CertificateError, Problem};
pub use reader::Reader;
pub(crate) use situation::point;
pub use situation::{Entry, Situation};
pub use writer::{Conflict, WriteError, Writer, Written};

/// The largest number of points of a board that certificates can be about.
pub const MAX_AREA: usize = 64;

/// What a certificate begins with.
const MAGIC: [u8; 8] = *b"TengenPf";

/// The version of the format of claims about whole boards.
const VERSION: u8 = 1;

/// The version of the format that says which kind of claim comes.
const VERSION_WITH_KIND: u8 = 2;

/// The bytes that tell which kind of claim a file makes: what it begins with, the version and the kind.
pub(crate) const HEAD: u64 = 10;

/// The kind of claim that the first bytes of a file tell, unless it is about a whole board or no certificate at all.
pub(crate) fn kind(head: &[u8]) -> Option<u8> {
    match head.strip_prefix(&MAGIC) {
        Some([VERSION_WITH_KIND, kind, ..]) => Some(*kind),
        _ => None,
    }
}

/// The most entries that one block holds.
const BLOCK: usize = 1 << 14;

/// The most bytes that a number of an entry takes: 128 bits, seven to a byte.
const LONGEST_NUMBER: usize = 19;
