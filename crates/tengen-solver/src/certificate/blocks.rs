//! The entries of a file: ascending numbers, in blocks with checksums.

use std::io::{self, Read, Write};

use super::summed::{SummedInput, SummedOutput, at};
use super::{BLOCK, CertificateError, Codes, LONGEST_NUMBER, Problem, Written};

/// Reads entries, a block at a time.
///
/// It never takes more memory than a block needs, whatever the file says about itself.
pub(super) struct Blocks<R> {
    input: SummedInput<R>,
    /// Numbers of entries are below this.
    limit: u128,
    /// How many replies there are to a situation: a number divided by it is that of the situation.
    radix: u128,
    entries: u64,
    found: u64,
    /// The least number that the next entry can have.
    next: u128,
    /// The situation of the last entry.
    last: Option<u128>,
    block: Vec<u8>,
    /// Where in the file the block begins, how much of it was read and how many entries are left in it.
    block_start: u64,
    read: usize,
    left: u32,
    ended: bool,
}

impl<R: Read> Blocks<R> {
    /// The entries behind a header that says how many there are.
    pub(super) const fn new(input: SummedInput<R>, entries: u64, limit: u128, radix: u128) -> Self {
        Self {
            input,
            limit,
            radix,
            entries,
            found: 0,
            next: 0,
            last: None,
            block: Vec::new(),
            block_start: 0,
            read: 0,
            left: 0,
            ended: false,
        }
    }

    /// How many entries the header says there are.
    pub(super) const fn entries(&self) -> u64 {
        self.entries
    }

    /// How many bytes of the file were read.
    pub(super) const fn offset(&self) -> u64 {
        self.input.offset
    }

    /// Where in the file the entry ends that was read last.
    pub(super) const fn entry_end(&self) -> u64 {
        self.block_start + self.read as u64
    }

    /// The number of the next entry, and where in the file it stands, or `None` after the last one when the file is
    /// complete.
    pub(super) fn next_code(&mut self) -> Result<Option<(u128, u64)>, CertificateError> {
        if self.left == 0 {
            self.next_block()?;
            if self.ended {
                return Ok(None);
            }
        }
        let offset = self.block_start + self.read as u64;
        let wrong = |problem| Err(at(offset, problem));
        let rest = &self.block[self.read..];
        let Some((difference, length)) = number(rest) else {
            return wrong(Problem::Number);
        };
        let code = self.next.checked_add(difference);
        let Some(code) = code.filter(|code| *code < self.limit) else {
            return wrong(Problem::Range);
        };
        let key = code / self.radix;
        if self.last == Some(key) {
            return wrong(Problem::Twice);
        }
        self.last = Some(key);
        self.next = code + 1;
        self.read += length;
        self.left -= 1;
        if self.left == 0 && self.read < self.block.len() {
            let rest = self.block_start + self.read as u64;
            return Err(at(rest, Problem::BlockRest));
        }
        Ok(Some((code, offset)))
    }

    /// Reads a block, or finds the end.
    fn next_block(&mut self) -> Result<(), CertificateError> {
        if self.ended {
            return Ok(());
        }
        let start = self.input.offset;
        let entries = u32::from_le_bytes(self.input.take()?);
        let found = self.found + u64::from(entries);
        let miscounted = (entries == 0 && found < self.entries) || found > self.entries;
        if entries == 0 {
            self.input.check_sum()?;
            if !miscounted {
                self.ended = true;
                return self.input.check_end();
            }
        }
        if miscounted {
            return Err(at(
                start,
                Problem::EntryCount {
                    claimed: self.entries,
                    found,
                },
            ));
        }
        if entries as usize > BLOCK {
            return Err(at(start, Problem::BlockEntries(entries)));
        }
        let bytes = u32::from_le_bytes(self.input.take()?);
        if bytes < entries || bytes as usize > entries as usize * LONGEST_NUMBER {
            return Err(at(start + 4, Problem::BlockBytes(bytes)));
        }
        self.block_start = self.input.offset;
        self.block.resize(bytes as usize, 0);
        self.input.fill(&mut self.block)?;
        self.input.check_sum()?;
        self.found = found;
        self.left = entries;
        self.read = 0;
        Ok(())
    }
}

/// Writes a header and the entries behind it, which are in order.
pub(super) fn write(out: impl Write, header: &[u8], entries: &Codes) -> io::Result<Written> {
    let mut out = SummedOutput::new(out);
    out.put(header)?;
    out.put_sum()?;
    let mut codes = entries.iter();
    let mut next = 0;
    let mut block = Vec::new();
    loop {
        block.clear();
        let mut in_block = 0_u32;
        for code in codes.by_ref().take(BLOCK) {
            put_number(&mut block, code - next);
            next = code + 1;
            in_block += 1;
        }
        out.put(&in_block.to_le_bytes())?;
        if in_block == 0 {
            break;
        }
        out.put(&(block.len() as u32).to_le_bytes())?;
        out.put(&block)?;
        out.put_sum()?;
    }
    out.put_sum()?;
    out.flush()?;
    Ok(Written {
        entries: entries.len() as u64,
        bytes: out.bytes,
    })
}

/// The number at the beginning of these bytes, and how long it is.
pub(super) fn number(bytes: &[u8]) -> Option<(u128, usize)> {
    let mut number = 0;
    for (byte, place) in bytes.iter().zip(0..LONGEST_NUMBER) {
        let bits = u128::from(byte & 127);
        let shift = 7 * place as u32;
        if bits << shift >> shift != bits {
            return None;
        }
        number |= bits << shift;
        if byte & 128 == 0 {
            // A last byte of zero could be left away: one number, one spelling.
            return (bits != 0 || place == 0).then_some((number, place + 1));
        }
    }
    None
}

/// Seven bits a byte, the lowest first; all bytes but the last have their highest bit set.
pub(super) fn put_number(block: &mut Vec<u8>, mut number: u128) {
    while number >= 128 {
        block.push(number as u8 | 128);
        number >>= 7;
    }
    block.push(number as u8);
}
