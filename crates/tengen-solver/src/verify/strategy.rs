//! The entries of a certificate, in memory.

use std::io::Read;

use super::{Flaw, REPORT, Refusal, Stage, Watch, report};
use crate::certificate::{Claim, Class, Classes, Codes, Reader, Situation};

/// The prover's strategy, as the file has it.
pub(super) struct Strategy {
    pub(super) claim: Claim,
    pub(super) classes: Classes,
    codes: Codes,
    /// Places in the file of some entries, and by that of all: the others follow each other without gaps.
    marks: Vec<Mark>,
}

/// The place in the file of one entry.
#[derive(Clone, Copy)]
struct Mark {
    entry: usize,
    offset: u64,
}

/// How far marks are apart at most.
const APART: usize = 4096;

/// Entries are numbered from 0 in 32 bits, and one more number is needed.
const MOST: usize = (1 << 31) - 1;

impl Strategy {
    /// Reads a certificate to its end.
    pub(super) fn read(input: impl Read, watch: &mut Watch<'_>) -> Result<Self, Refusal> {
        let mut reader = Reader::new(input)?;
        let mut codes = Codes::below(reader.classes().code_limit());
        let mut marks: Vec<Mark> = Vec::new();
        let mut expected = 0;
        while let Some((code, offset)) = reader.next_code()? {
            let entry = codes.len();
            if entry >= MOST {
                return Err(Refusal::of(Flaw::TooLarge));
            }
            if offset != expected || entry.is_multiple_of(APART) {
                marks.push(Mark { entry, offset });
            }
            expected = reader.entry_end();
            codes.push(code);
            if (entry as u64).is_multiple_of(REPORT) {
                report(watch, Stage::Reading, entry as u64, reader.entries())?;
            }
        }
        let (claim, classes) = reader.into_parts();
        Ok(Self {
            claim,
            classes,
            codes,
            marks,
        })
    }

    /// The number of entries.
    pub(super) const fn len(&self) -> usize {
        self.codes.len()
    }

    /// The entry for the situations of a class.
    pub(super) fn find(&self, class: Class) -> Option<u32> {
        let first = self.classes.first_code(class.key);
        let entry = self.codes.lower_bound(first);
        (entry < self.len() && self.key(entry as u32) == class.key).then_some(entry as u32)
    }

    /// The class of an entry.
    pub(super) fn key(&self, entry: u32) -> u128 {
        self.classes.split(self.codes.get(entry as usize)).0
    }

    /// The situation that stands for the class of an entry.
    pub(super) fn situation(&self, entry: u32) -> Option<Situation> {
        self.classes.situation(self.key(entry))
    }

    /// What an entry says in the situation that stands for its class.
    pub(super) fn reply(&self, entry: u32) -> Option<u8> {
        self.classes.split(self.codes.get(entry as usize)).1
    }

    /// The place of an entry in the file.
    pub(super) fn offset(&self, entry: u32) -> u64 {
        let entry = entry as usize;
        let marked = self.marks.partition_point(|mark| mark.entry <= entry);
        let Some(mark) = marked.checked_sub(1).map(|last| self.marks[last]) else {
            return 0;
        };
        let mut offset = mark.offset;
        for before in mark.entry..entry {
            let next = before
                .checked_sub(1)
                .map_or(0, |last| self.codes.get(last) + 1);
            let difference = self.codes.get(before) - next;
            let bits = u64::from((128 - difference.leading_zeros()).max(1));
            offset += bits.div_ceil(7);
        }
        offset
    }
}
