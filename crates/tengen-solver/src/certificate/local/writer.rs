//! Strategies of the local game to files.

use std::io::Write;

use tengen_core::{Color, PointSet, Size};

use super::super::{Codes, Conflict, MAGIC, VERSION_WITH_KIND, WriteError, Written, blocks};
use super::{Goal, KIND, LocalClaim, LocalClaimError, LocalEntry, Places};

/// Collects the prover's strategy, in any order, and writes it.
pub struct LocalWriter {
    claim: LocalClaim,
    places: Places,
    codes: Codes,
}

impl LocalWriter {
    /// A certificate of this claim, without entries yet.
    pub fn new(claim: LocalClaim) -> Result<Self, LocalClaimError> {
        claim.check()?;
        let places = Places::of(&claim.region);
        Ok(Self {
            codes: Codes::below(places.code_limit()),
            claim,
            places,
        })
    }

    /// The numbers of points and situations.
    pub const fn places(&self) -> &Places {
        &self.places
    }

    /// Says what the prover does in a situation. The same may be said more than once.
    pub fn add(&mut self, entry: &LocalEntry) {
        self.codes.push(self.places.code(entry));
    }

    /// Writes the certificate, unless the prover does two things in one situation.
    pub fn finish(mut self, out: impl Write) -> Result<Written, WriteError> {
        self.codes.sort();
        let mut last = None;
        for code in self.codes.iter() {
            let (key, _) = self.places.split(code);
            if last == Some(key) {
                return Err(WriteError::Conflict(Conflict { situation: None }));
            }
            last = Some(key);
        }
        let header = header(&self.claim, self.codes.len() as u64);
        Ok(blocks::write(out, &header, &self.codes)?)
    }
}

/// The first part of the file, before its checksum.
fn header(claim: &LocalClaim, entries: u64) -> Vec<u8> {
    let size = claim.start.size;
    let color = |color| match color {
        Color::Black => 0,
        Color::White => 1,
    };
    let goal = match claim.goal {
        Goal::Capture => 0,
        Goal::Stand => 1,
        Goal::Live => 2,
    };
    let ko = claim.start.ko.map_or(0, |ko| {
        u16::from(ko.y()) * u16::from(size.width()) + u16::from(ko.x()) + 1
    });
    let mut header = MAGIC.to_vec();
    header.extend([VERSION_WITH_KIND, KIND, size.width(), size.height()]);
    header.push(color(claim.start.to_move));
    header.extend(ko.to_le_bytes());
    header.extend([goal, color(claim.defender)]);
    header.push(claim.threats.attacker.code());
    header.push(claim.threats.defender.code());
    let stones = &claim.start.stones;
    for set in [&stones.black, &stones.white, &claim.region, &claim.target] {
        header.extend(bytes(set, size));
    }
    header.extend(entries.to_le_bytes());
    header
}

/// A set of points, a bit a point in reading order, the lowest bit of each byte first.
fn bytes(set: &PointSet, size: Size) -> Vec<u8> {
    let mut bytes = vec![0; size.area().div_ceil(8)];
    for (number, point) in size.points().iter().enumerate() {
        if set.contains(point) {
            bytes[number / 8] |= 1 << (number % 8);
        }
    }
    bytes
}
