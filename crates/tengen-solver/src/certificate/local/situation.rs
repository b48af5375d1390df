//! Situations of the local game as numbers.

use tengen_core::{ByColor, Color, Point, PointSet, Setup};

use super::{LocalClaim, Supply, Threats};

/// A position in which the prover is to move, as far as the prover's strategy looks at it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct LocalSituation {
    /// The stones in the region, a bit a point: bit i for the point with the number i.
    pub stones: ByColor<u64>,
    /// The number of the point where simple ko forbids the next stone.
    pub ko: Option<u8>,
    /// The ko threats that are left.
    pub threats: Threats,
}

/// What the prover does in a situation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LocalEntry {
    /// Where the prover is to move.
    pub situation: LocalSituation,
    /// The number of the point of the prover's stone, or `None` for a pass.
    pub reply: Option<u8>,
}

/// The points of a region, numbered from 0 in reading order, and the numbers of situations there.
///
/// A situation's number is `((stones * (n + 1) + ko) * 16 + attacker) * 16 + defender`, where n is the number of
/// points, `stones` has a digit to base 3 for each (0 empty, 1 Black, 2 White; the first point is the lowest digit),
/// `ko` is 0 or the number of the ko point plus 1, and the last two are ko threats, 15 for as many as are needed.
#[derive(Clone, Debug)]
pub struct Places {
    points: Vec<Point>,
}

impl Places {
    /// The points of a region.
    pub fn of(region: &PointSet) -> Self {
        Self {
            points: region.iter().collect(),
        }
    }

    /// How many there are.
    pub fn count(&self) -> u8 {
        self.points.len() as u8
    }

    /// The point with a number.
    ///
    /// # Panics
    ///
    /// If there are fewer points.
    pub fn point(&self, place: u8) -> Point {
        self.points[usize::from(place)]
    }

    /// The number of a point, if it is in the region.
    pub fn place(&self, point: Point) -> Option<u8> {
        let at = self.points.iter().position(|other| *other == point)?;
        Some(at as u8)
    }

    /// The situation in the region of a board.
    pub fn situation(&self, setup: &Setup, threats: Threats) -> LocalSituation {
        let bits = |color: Color| {
            let stones = &setup.stones[color];
            let numbered = (0..).zip(&self.points);
            numbered.fold(0, |bits, (place, point)| {
                bits | u64::from(stones.contains(*point)) << place
            })
        };
        LocalSituation {
            stones: Color::BOTH.map(bits).into(),
            ko: setup.ko.and_then(|ko| self.place(ko)),
            threats,
        }
    }

    /// The board of a situation: stones beyond the region are where the claim has them.
    pub fn setup(&self, claim: &LocalClaim, situation: &LocalSituation, to_move: Color) -> Setup {
        let stones = |color: Color| {
            let bits = situation.stones[color];
            let numbered = (0..).zip(&self.points);
            let inside = numbered.filter(|(place, _)| bits >> place & 1 != 0);
            let inside: PointSet = inside.map(|(_, point)| *point).collect();
            inside | (claim.start.stones[color] - claim.region)
        };
        Setup {
            size: claim.start.size,
            stones: Color::BOTH.map(stones).into(),
            to_move,
            ko: situation.ko.map(|ko| self.point(ko)),
        }
    }

    /// How many things the prover can do: a stone on each point, or a pass.
    pub(crate) fn radix(&self) -> u128 {
        u128::from(self.count()) + 1
    }

    /// The number of a situation.
    pub fn key(&self, situation: &LocalSituation) -> u128 {
        let ByColor { black, white } = situation.stones;
        let stones = (0..self.count()).rev().fold(0_u128, |stones, place| {
            stones * 3 + u128::from(black >> place & 1) + 2 * u128::from(white >> place & 1)
        });
        let ko = situation.ko.map_or(0, |ko| u128::from(ko) + 1);
        let Threats { attacker, defender } = situation.threats;
        ((stones * self.radix() + ko) << 8)
            + (u128::from(attacker.code()) << 4)
            + u128::from(defender.code())
    }

    /// The situation with this number, if there is one.
    pub fn from_key(&self, key: u128) -> Option<LocalSituation> {
        let supply = |shift: u32| Supply::from_code((key >> shift) as u8 & 15);
        let threats = Threats {
            attacker: supply(4)?,
            defender: supply(0)?,
        };
        let ko = ((key >> 8) % self.radix()) as u8;
        let mut digits = (key >> 8) / self.radix();
        let mut stones = ByColor::new(0_u64, 0_u64);
        for place in 0..self.count() {
            match digits % 3 {
                1 => stones.black |= 1 << place,
                2 => stones.white |= 1 << place,
                _ => {}
            }
            digits /= 3;
        }
        (digits == 0).then_some(LocalSituation {
            stones,
            ko: ko.checked_sub(1),
            threats,
        })
    }

    /// The number of an entry: `situation * (n + 1) + reply`, where the reply is that of a point, or n for a pass.
    pub fn code(&self, entry: &LocalEntry) -> u128 {
        let reply = entry.reply.unwrap_or(self.count());
        self.key(&entry.situation) * self.radix() + u128::from(reply)
    }

    /// The situation's number and the reply that an entry's number is made of.
    pub fn split(&self, code: u128) -> (u128, Option<u8>) {
        let reply = (code % self.radix()) as u8;
        (code / self.radix(), (reply < self.count()).then_some(reply))
    }

    /// The numbers of entries are below this.
    pub fn code_limit(&self) -> u128 {
        (3_u128.pow(u32::from(self.count())) * self.radix() * self.radix()) << 8
    }
}
