//! Files to strategies of the local game.

use std::io::Read;

use tengen_core::{ByColor, Color, Point, PointSet, Setup, Size};

use super::super::blocks::Blocks;
use super::super::summed::{SummedInput, at};
use super::super::{CertificateError, Problem, VERSION_WITH_KIND};
use super::{Goal, KIND, LocalClaim, LocalClaimError, Places, Supply, Threats};

/// Reads a certificate of the local game from its beginning to its end, a block at a time.
pub struct LocalReader<R> {
    blocks: Blocks<R>,
    claim: LocalClaim,
    places: Places,
}

/// Where the sets of points begin in the file.
const SETS: u64 = 19;

impl<R: Read> LocalReader<R> {
    /// Reads the header.
    pub fn new(input: R) -> Result<Self, CertificateError> {
        let mut input = SummedInput::after_magic(input)?;
        let [version] = input.take()?;
        if version != VERSION_WITH_KIND {
            return Err(at(8, Problem::Version(version)));
        }
        let [kind] = input.take()?;
        if kind != KIND {
            return Err(at(9, Problem::Kind(kind)));
        }
        let [width, height] = input.take()?;
        // The size says how long the header is, so it has to be believed before the checksum.
        let size = Size::new(width, height).map_err(|_| at(10, Problem::Field("the size")))?;
        let fields: [u8; 7] = input.take()?;
        let mut sets = [PointSet::EMPTY; 4];
        for set in &mut sets {
            let offset = input.offset;
            let mut bytes = vec![0; size.area().div_ceil(8)];
            input.fill(&mut bytes)?;
            *set = points(&bytes, size)
                .ok_or_else(|| at(offset, Problem::Field("a set of points")))?;
        }
        let entries = u64::from_le_bytes(input.take()?);
        input.check_sum()?;
        let claim = claim(size, fields, sets)?;
        let places = Places::of(&claim.region);
        let blocks = Blocks::new(input, entries, places.code_limit(), places.radix());
        Ok(Self {
            blocks,
            claim,
            places,
        })
    }

    /// What the file says that it proves.
    pub const fn claim(&self) -> &LocalClaim {
        &self.claim
    }

    /// How many entries the header says there are.
    pub const fn entries(&self) -> u64 {
        self.blocks.entries()
    }

    /// The claim, and the numbers of points and situations.
    pub fn into_parts(self) -> (LocalClaim, Places) {
        (self.claim, self.places)
    }

    /// The number of the next entry, and where in the file it stands, or `None` after the last one when the file is
    /// complete. Numbers come in ascending order, no two of one situation.
    pub fn next_code(&mut self) -> Result<Option<(u128, u64)>, CertificateError> {
        self.blocks.next_code()
    }
}

/// The points whose bits are set, if all of them are on the board.
fn points(bytes: &[u8], size: Size) -> Option<PointSet> {
    let mut set = PointSet::EMPTY;
    for (number, byte) in bytes.iter().enumerate() {
        for bit in (0..8).filter(|bit| byte >> bit & 1 != 0) {
            set.insert(point(number * 8 + bit, size)?);
        }
    }
    Some(set)
}

/// The point with this number in reading order.
fn point(number: usize, size: Size) -> Option<Point> {
    let width = usize::from(size.width());
    let point = Point::checked_new((number % width) as u8, (number / width) as u8)?;
    size.contains(point).then_some(point)
}

/// The claim that the fields of the header make.
fn claim(
    size: Size,
    [mover, ko_low, ko_high, goal, defender, attacking, defending]: [u8; 7],
    [black, white, region, target]: [PointSet; 4],
) -> Result<LocalClaim, CertificateError> {
    let wrong = |offset, name| at(offset, Problem::Field(name));
    let color = |value, offset, name| match value {
        0 => Ok(Color::Black),
        1 => Ok(Color::White),
        _ => Err(wrong(offset, name)),
    };
    let supply = |code, offset| {
        Supply::from_code(code).ok_or_else(|| wrong(offset, "the number of ko threats"))
    };
    let ko = match u16::from_le_bytes([ko_low, ko_high]).checked_sub(1) {
        None => None,
        Some(number) => {
            let ko = usize::from(number) < size.area();
            let ko = ko.then(|| point(usize::from(number), size)).flatten();
            Some(ko.ok_or_else(|| wrong(13, "the ko point"))?)
        }
    };
    let claim = LocalClaim {
        start: Setup {
            size,
            stones: ByColor::new(black, white),
            to_move: color(mover, 12, "the player to move")?,
            ko,
        },
        region,
        target,
        defender: color(defender, 16, "the defender")?,
        goal: match goal {
            0 => Goal::Capture,
            1 => Goal::Stand,
            2 => Goal::Live,
            _ => return Err(wrong(15, "the goal")),
        },
        threats: Threats {
            attacker: supply(attacking, 17)?,
            defender: supply(defending, 18)?,
        },
    };
    let set = size.area().div_ceil(8) as u64;
    match claim.check() {
        Ok(()) => Ok(claim),
        Err(error) => {
            let offset = match error {
                LocalClaimError::Ko(_) => 13,
                LocalClaimError::Threats => 17,
                LocalClaimError::Setup(_) | LocalClaimError::Chain(_) => SETS,
                LocalClaimError::Region | LocalClaimError::RegionSize(_) => SETS + 2 * set,
                LocalClaimError::Target => SETS + 3 * set,
            };
            Err(at(offset, Problem::LocalClaim(error)))
        }
    }
}
