//! Strategies to files.

use std::io::{self, Write};

use tengen_core::{ByColor, Color, Point};

use super::situation::bits;
use super::{Claim, ClaimError, Classes, Codes, Entry, MAGIC, Situation, VERSION, blocks};

/// Collects the prover's strategy, in any order, and writes it.
pub struct Writer {
    claim: Claim,
    classes: Classes,
    codes: Codes,
}

/// What was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Written {
    /// Entries, symmetric ones counted once.
    pub entries: u64,
    /// Bytes.
    pub bytes: u64,
}

impl Writer {
    /// A certificate of this claim, without entries yet.
    pub fn new(claim: Claim) -> Result<Self, ClaimError> {
        claim.check()?;
        let size = claim.start.size;
        let classes = Classes::new(size).ok_or(ClaimError::Area(size.area()))?;
        Ok(Self {
            codes: Codes::below(classes.code_limit()),
            claim,
            classes,
        })
    }

    /// Says what the prover does in a situation and in all that are symmetric to it. The same may be said more than
    /// once.
    pub fn add(&mut self, entry: &Entry) {
        self.codes.push(self.classes.code(entry));
    }

    /// How many times something was said.
    pub const fn len(&self) -> usize {
        self.codes.len()
    }

    /// Was nothing said yet?
    pub const fn is_empty(&self) -> bool {
        self.codes.is_empty()
    }

    /// Writes the certificate, unless the prover does two things in one situation.
    pub fn finish(mut self, out: impl Write) -> Result<Written, WriteError> {
        self.codes.sort();
        let mut last = None;
        for code in self.codes.iter() {
            let (key, _) = self.classes.split(code);
            if last == Some(key) {
                let situation = self.classes.situation(key);
                return Err(WriteError::Conflict(Conflict { situation }));
            }
            last = Some(key);
        }
        let entries = self.codes.len() as u64;
        Ok(blocks::write(
            out,
            &header(&self.claim, entries),
            &self.codes,
        )?)
    }
}

/// The first part of the file, before its checksum.
fn header(claim: &Claim, entries: u64) -> Vec<u8> {
    let size = claim.start.size;
    let color = |color| match color {
        Color::Black => 0,
        Color::White => 1,
    };
    let place = |ko: Point| ko.y() * size.width() + ko.x();
    let mut header = MAGIC.to_vec();
    header.extend([VERSION, size.width(), size.height()]);
    header.extend([color(claim.start.to_move), claim.passed.into()]);
    header.push(claim.start.ko.map_or(0, |ko| place(ko) + 1));
    header.push(color(claim.bound.prover));
    header.extend((claim.bound.margin as i16).to_le_bytes());
    let ByColor { black, white } = claim.start.stones.map(|stones| bits(&stones, size));
    header.extend(black.to_le_bytes());
    header.extend(white.to_le_bytes());
    header.extend(entries.to_le_bytes());
    header
}

/// The prover does two different things in one situation, or in two that are symmetric.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Conflict {
    /// The situation that stands for its class.
    pub situation: Option<Situation>,
}

/// Why a certificate was not written.
#[derive(Debug, thiserror::Error)]
pub enum WriteError {
    /// The entries contradict each other.
    #[error("the strategy has two moves for one situation: {:?}", .0.situation)]
    Conflict(Conflict),
    /// The file cannot be written.
    #[error("{0}")]
    Io(#[from] io::Error),
}
