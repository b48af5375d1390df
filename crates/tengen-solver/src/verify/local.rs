//! The checker of claims about a part of a board, on the boards of `tengen-core`.
//!
//! What it checks, and why that proves the claim, is in `docs/proofs.md` under "Local problems".

mod referee;
mod safety;
mod walk;

use std::fmt;
use std::io::Read;

use super::{Flaw, REPORT, Refusal, Stage, Watch, report};
use crate::certificate::Codes;
use crate::certificate::local::{LocalClaim, LocalReader, Places};

/// A claim about a part of a board whose certificate was found to be right.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LocalTheorem {
    /// What is true.
    pub claim: LocalClaim,
    /// The prover's situations that the strategy leads to, leaves left out.
    pub nodes: u64,
    /// The opponent's moves that were played.
    pub replies: u64,
    /// Entries of the file that the strategy never needs.
    pub unused: u64,
}

/// The theorem as a sentence.
impl fmt::Display for LocalTheorem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.claim.fmt(f)
    }
}

/// Entries are numbered from 0 in 32 bits.
const MOST: usize = (1 << 31) - 1;

/// Reads a certificate of the local game to its end and says what it proves, or the first thing that is wrong with it.
pub fn verify_local(input: impl Read, watch: &mut Watch<'_>) -> Result<LocalTheorem, Refusal> {
    let strategy = Strategy::read(input, watch)?;
    walk::walk(&strategy, watch)
}

/// The prover's strategy, as the file has it.
struct Strategy {
    claim: LocalClaim,
    places: Places,
    codes: Codes,
    /// Where in the file the entries are.
    offsets: Vec<u64>,
}

impl Strategy {
    fn read(input: impl Read, watch: &mut Watch<'_>) -> Result<Self, Refusal> {
        let mut reader = LocalReader::new(input)?;
        let limit = Places::of(&reader.claim().region).code_limit();
        let mut codes = Codes::below(limit);
        let mut offsets = Vec::new();
        while let Some((code, offset)) = reader.next_code()? {
            let entry = codes.len();
            if entry >= MOST {
                return Err(Refusal::of(Flaw::TooLarge));
            }
            codes.push(code);
            offsets.push(offset);
            if (entry as u64).is_multiple_of(REPORT) {
                report(watch, Stage::Reading, entry as u64, reader.entries())?;
            }
        }
        let (claim, places) = reader.into_parts();
        Ok(Self {
            claim,
            places,
            codes,
            offsets,
        })
    }

    /// The entry for a situation.
    fn find(&self, key: u128) -> Option<u32> {
        let entry = self.codes.lower_bound(key * self.places.radix());
        let found = entry < self.codes.len() && self.entry(entry as u32).0 == key;
        found.then_some(entry as u32)
    }

    /// The situation's number and the reply of an entry.
    fn entry(&self, entry: u32) -> (u128, Option<u8>) {
        self.places.split(self.codes.get(entry as usize))
    }
}
