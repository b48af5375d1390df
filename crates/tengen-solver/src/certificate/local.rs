//! What a certificate about a part of a board says that it proves.
//!
//! `docs/proofs.md` describes the local game, the claims about it and the file.

mod claim;
mod reader;
mod situation;
mod writer;

pub use claim::{Goal, LocalClaim, LocalClaimError, MAX_THREATS, Supply, Threats};
pub use reader::LocalReader;
pub use situation::{LocalEntry, LocalSituation, Places};
pub use writer::LocalWriter;

/// The largest number of points that a region may have.
pub const MAX_REGION: usize = 64;

/// The number in the file that stands for claims of this kind.
pub(crate) const KIND: u8 = 1;
