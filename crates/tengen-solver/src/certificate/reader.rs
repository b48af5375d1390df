//! Files to strategies.

use std::io::{self, Read};

use crc32fast::Hasher;
use tengen_core::{ByColor, Color, Point, PointSet, Setup, Size};

use super::{
    BLOCK, CertificateError, Claim, ClaimError, Classes, LONGEST_NUMBER, MAGIC, Problem, VERSION,
};

/// Reads a certificate from its beginning to its end, a block at a time.
///
/// It never takes more memory than a block needs, whatever the file says about itself.
pub struct Reader<R> {
    input: Summed<R>,
    claim: Claim,
    classes: Classes,
    entries: u64,
    found: u64,
    /// The least number that the next entry can have.
    next: u128,
    /// The class of the last entry.
    last: Option<u128>,
    block: Vec<u8>,
    /// Where in the file the block begins, how much of it was read and how many entries are left in it.
    block_start: u64,
    read: usize,
    left: u32,
    ended: bool,
}

impl<R: Read> Reader<R> {
    /// Reads the header.
    pub fn new(input: R) -> Result<Self, CertificateError> {
        let mut input = Summed {
            input,
            sum: Hasher::new(),
            offset: 0,
        };
        let magic: [u8; 8] = input.take().map_err(|error| match error.problem {
            Problem::Truncated => at(0, Problem::NotACertificate),
            _ => error,
        })?;
        if magic != MAGIC {
            return Err(at(0, Problem::NotACertificate));
        }
        let [version] = input.take()?;
        if version != VERSION {
            return Err(at(8, Problem::Version(version)));
        }
        let fields: [u8; 6] = input.take()?;
        let margin = i16::from_le_bytes(input.take()?);
        let stones = [input.take()?, input.take()?].map(u64::from_le_bytes);
        let entries = u64::from_le_bytes(input.take()?);
        // Whatever the fields say, a changed byte is told as such.
        input.check_sum()?;
        let claim = claim(fields, margin, stones)?;
        let size = claim.start.size;
        let classes = Classes::new(size)
            .ok_or_else(|| at(9, Problem::Claim(ClaimError::Area(size.area()))))?;
        Ok(Self {
            input,
            claim,
            classes,
            entries,
            found: 0,
            next: 0,
            last: None,
            block: Vec::new(),
            block_start: 0,
            read: 0,
            left: 0,
            ended: false,
        })
    }

    /// What the file says that it proves.
    pub const fn claim(&self) -> &Claim {
        &self.claim
    }

    /// How situations are numbered on this board.
    pub const fn classes(&self) -> &Classes {
        &self.classes
    }

    /// How many entries the header says there are.
    pub const fn entries(&self) -> u64 {
        self.entries
    }

    /// How many bytes of the file were read.
    pub const fn offset(&self) -> u64 {
        self.input.offset
    }

    /// Where in the file the entry ends that was read last.
    pub const fn entry_end(&self) -> u64 {
        self.block_start + self.read as u64
    }

    /// The claim, and how situations are numbered.
    pub fn into_parts(self) -> (Claim, Classes) {
        (self.claim, self.classes)
    }

    /// The number of the next entry, and where in the file it stands, or `None` after the last one when the file is
    /// complete. Numbers come in ascending order, no two of one class.
    pub fn next_code(&mut self) -> Result<Option<(u128, u64)>, CertificateError> {
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
        let Some(code) = code.filter(|code| *code < self.classes.code_limit()) else {
            return wrong(Problem::Range);
        };
        let (key, _) = self.classes.split(code);
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

/// The claim that the fields of the header make.
fn claim(
    [width, height, mover, passed, ko, prover]: [u8; 6],
    margin: i16,
    [black, white]: [u64; 2],
) -> Result<Claim, CertificateError> {
    let wrong = |offset, name| at(offset, Problem::Field(name));
    let size = Size::new(width, height).map_err(|_| wrong(9, "the size"))?;
    let color = |value, offset, name| match value {
        0 => Ok(Color::Black),
        1 => Ok(Color::White),
        _ => Err(wrong(offset, name)),
    };
    if size.area() > super::MAX_AREA {
        return Err(at(9, Problem::Claim(ClaimError::Area(size.area()))));
    }
    let point = |place: u32| Point::new(place as u8 % width, place as u8 / width);
    let points = |bits: u64, offset| -> Result<PointSet, CertificateError> {
        let mut rest = bits;
        let mut set = PointSet::EMPTY;
        while rest != 0 {
            let place = rest.trailing_zeros();
            if place as usize >= size.area() {
                return Err(wrong(offset, "the stones"));
            }
            set.insert(point(place));
            rest &= rest - 1;
        }
        Ok(set)
    };
    let claim = Claim {
        start: Setup {
            size,
            to_move: color(mover, 11, "the player to move")?,
            ko: match ko.checked_sub(1) {
                None => None,
                Some(place) if usize::from(place) < size.area() => Some(point(place.into())),
                Some(_) => return Err(wrong(13, "the ko point")),
            },
            stones: ByColor::new(points(black, 17)?, points(white, 25)?),
        },
        passed: match passed {
            0 => false,
            1 => true,
            _ => return Err(wrong(12, "the last move")),
        },
        prover: color(prover, 14, "the prover")?,
        margin,
    };
    match claim.check() {
        Ok(()) => Ok(claim),
        Err(error) => {
            let offset = match error {
                ClaimError::Area(_) => 9,
                ClaimError::Ko(_) => 13,
                ClaimError::Margin(_) => 15,
                ClaimError::Setup(_) => 17,
            };
            Err(at(offset, Problem::Claim(error)))
        }
    }
}

/// The number at the beginning of these bytes, and how long it is.
fn number(bytes: &[u8]) -> Option<(u128, usize)> {
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

const fn at(offset: u64, problem: Problem) -> CertificateError {
    CertificateError { offset, problem }
}

/// Bytes that come in are counted and summed up.
struct Summed<R> {
    input: R,
    sum: Hasher,
    offset: u64,
}

impl<R: Read> Summed<R> {
    fn fill(&mut self, bytes: &mut [u8]) -> Result<(), CertificateError> {
        let mut filled = 0;
        while filled < bytes.len() {
            match self.input.read(&mut bytes[filled..]) {
                Ok(0) => return Err(at(self.offset, Problem::Truncated)),
                Ok(count) => {
                    self.sum.update(&bytes[filled..filled + count]);
                    filled += count;
                    self.offset += count as u64;
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(at(self.offset, Problem::Io(error))),
            }
        }
        Ok(())
    }

    fn take<const N: usize>(&mut self) -> Result<[u8; N], CertificateError> {
        let mut bytes = [0; N];
        self.fill(&mut bytes)?;
        Ok(bytes)
    }

    /// Reads a checksum, which has to be that of everything before it.
    fn check_sum(&mut self) -> Result<(), CertificateError> {
        let offset = self.offset;
        let sum = self.sum.clone().finalize();
        if u32::from_le_bytes(self.take()?) == sum {
            Ok(())
        } else {
            Err(at(offset, Problem::Checksum))
        }
    }

    /// Makes sure that nothing is left.
    fn check_end(&mut self) -> Result<(), CertificateError> {
        let offset = self.offset;
        match self.take::<1>() {
            Ok(_) => Err(at(offset, Problem::Trailing)),
            Err(error) => match error.problem {
                Problem::Truncated => Ok(()),
                _ => Err(error),
            },
        }
    }
}
