//! Files to strategies.

use std::io::Read;

use tengen_core::{ByColor, Color, Point, PointSet, Setup, Size};

use super::blocks::Blocks;
use super::summed::{SummedInput, at};
use super::{CertificateError, Claim, ClaimError, Classes, Problem, VERSION, VERSION_WITH_KIND};
use crate::bound::Bound;

/// Reads a certificate from its beginning to its end, a block at a time.
///
/// It never takes more memory than a block needs, whatever the file says about itself.
pub struct Reader<R> {
    blocks: Blocks<R>,
    claim: Claim,
    classes: Classes,
}

impl<R: Read> Reader<R> {
    /// Reads the header.
    pub fn new(input: R) -> Result<Self, CertificateError> {
        let mut input = SummedInput::after_magic(input)?;
        let [version] = input.take()?;
        if version == VERSION_WITH_KIND {
            let [kind] = input.take()?;
            return Err(at(9, Problem::Kind(kind)));
        }
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
        let radix = u128::from(classes.area()) + 1;
        Ok(Self {
            blocks: Blocks::new(input, entries, classes.code_limit(), radix),
            claim,
            classes,
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
        self.blocks.entries()
    }

    /// How many bytes of the file were read.
    pub const fn offset(&self) -> u64 {
        self.blocks.offset()
    }

    /// Where in the file the entry ends that was read last.
    pub const fn entry_end(&self) -> u64 {
        self.blocks.entry_end()
    }

    /// The claim, and how situations are numbered.
    pub fn into_parts(self) -> (Claim, Classes) {
        (self.claim, self.classes)
    }

    /// The number of the next entry, and where in the file it stands, or `None` after the last one when the file is
    /// complete. Numbers come in ascending order, no two of one class.
    pub fn next_code(&mut self) -> Result<Option<(u128, u64)>, CertificateError> {
        self.blocks.next_code()
    }
}

/// The claim that the fields of the header make.
pub(super) fn claim(
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
        bound: Bound::new(color(prover, 14, "the prover")?, margin.into()),
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
