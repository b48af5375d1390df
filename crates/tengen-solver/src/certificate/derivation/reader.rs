//! Files to derivations.

use std::io::Read;

use tengen_core::{Color, Ko};

use super::super::blocks::number;
use super::super::reader::claim;
use super::super::summed::{SummedInput, at};
use super::super::{CertificateError, LONGEST_NUMBER, Problem, Situation, VERSION_WITH_KIND};
use super::{BLOCK, Derivation, KIND, Link, SYMMETRIES, Step};

/// Links name steps with 32 bits.
const MOST_STEPS: u64 = 1 << 31;

/// The fields of the claim stand this much further behind than in files about every ko rule.
const SHIFT: u64 = 2;

impl Derivation {
    /// Reads a file to its end. Nothing of what it says is believed but that it is written as it should be.
    ///
    /// After every block it tells how many steps of how many it has, and whoever is told may end it.
    pub fn read(
        input: impl Read,
        told: &mut dyn FnMut(u64, u64) -> bool,
    ) -> Result<Option<Self>, CertificateError> {
        let mut input = SummedInput::after_magic(input)?;
        let [version, kind, ko] = input.take()?;
        if version != VERSION_WITH_KIND {
            return Err(at(8, Problem::Version(version)));
        }
        if kind != KIND {
            return Err(at(9, Problem::Kind(kind)));
        }
        let fields: [u8; 6] = input.take()?;
        let margin = i16::from_le_bytes(input.take()?);
        let stones = [input.take()?, input.take()?].map(u64::from_le_bytes);
        let count = u64::from_le_bytes(input.take()?);
        // Whatever the fields say, a changed byte is told as such.
        input.check_sum()?;
        let ko = match ko {
            1 => Ko::Positional,
            2 => Ko::Situational,
            _ => return Err(at(10, Problem::Field("the ko rule"))),
        };
        let claim = claim(fields, margin, stones).map_err(|error| CertificateError {
            offset: error.offset + SHIFT,
            ..error
        })?;
        let mut derivation = Self::new(claim, ko);
        loop {
            let start = input.offset;
            let steps = u32::from_le_bytes(input.take()?);
            let found = derivation.len() as u64 + u64::from(steps);
            if steps == 0 {
                input.check_sum()?;
            }
            if (steps == 0 && found < count) || found > count.min(MOST_STEPS) {
                let claimed = count;
                return Err(at(start, Problem::EntryCount { claimed, found }));
            }
            if steps == 0 {
                input.check_end()?;
                return Ok(Some(derivation));
            }
            if steps as usize > BLOCK {
                return Err(at(start, Problem::BlockEntries(steps)));
            }
            let bytes = u32::from_le_bytes(input.take()?);
            let longest = (claim.start.size.area() + 3) * LONGEST_NUMBER;
            if bytes < steps || bytes as usize > steps as usize * longest {
                return Err(at(start + 4, Problem::BlockBytes(bytes)));
            }
            let mut block = Block {
                start: input.offset,
                bytes: vec![0; bytes as usize],
                read: 0,
            };
            input.fill(&mut block.bytes)?;
            input.check_sum()?;
            for _ in 0..steps {
                derivation.read_step(&mut block)?;
            }
            if block.read < block.bytes.len() {
                return Err(at(block.place(), Problem::BlockRest));
            }
            if !told(found, count) {
                return Ok(None);
            }
        }
    }

    fn read_step(&mut self, block: &mut Block) -> Result<(), CertificateError> {
        let offset = block.place();
        let area = self.claim.start.size.area() as u8;
        let code = block.below(4 * 3_u128.pow(u32::from(area)))?;
        let mut situation = Situation {
            stones: Default::default(),
            ko: None,
            passed: code / 2 % 2 == 1,
        };
        let mut digits = code / 4;
        for point in 0..area {
            match digits % 3 {
                1 => situation.stones.black |= 1 << point,
                2 => situation.stones.white |= 1 << point,
                _ => {}
            }
            digits /= 3;
        }
        let to_move = Color::BOTH[(code % 2) as usize];
        let mut reply = None;
        let mut count = 1;
        if to_move == self.claim.bound.prover {
            let point = block.below(u128::from(area) + 1)? as u8;
            reply = (point < area).then_some(point);
        } else {
            count = block.below(u128::from(area) + 2)?;
        }
        let number = self.len() as u128;
        for _ in 0..count {
            let link = block.below(2 + number * SYMMETRIES)?;
            self.links.push(match link.checked_sub(2) {
                None if link == 0 => Link::Banned,
                None => Link::Leaf,
                Some(turned) => Link::Step {
                    step: (number - 1 - turned / SYMMETRIES) as u32,
                    symmetry: (turned % SYMMETRIES) as u8,
                },
            });
        }
        self.steps.push(Step {
            situation,
            to_move,
            reply,
        });
        self.ends.push(self.links.len() as u64);
        self.offsets.push(offset);
        Ok(())
    }
}

/// Steps as bytes.
struct Block {
    /// Where in the file it begins.
    start: u64,
    bytes: Vec<u8>,
    read: usize,
}

impl Block {
    const fn place(&self) -> u64 {
        self.start + self.read as u64
    }

    /// The next number, which has to be below this limit.
    fn below(&mut self, limit: u128) -> Result<u128, CertificateError> {
        let offset = self.place();
        let (number, length) =
            number(&self.bytes[self.read..]).ok_or_else(|| at(offset, Problem::Number))?;
        if number >= limit {
            return Err(at(offset, Problem::Range));
        }
        self.read += length;
        Ok(number)
    }
}
