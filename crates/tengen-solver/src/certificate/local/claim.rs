//! That one player captures stones, or saves them, in a part of a board.

use std::fmt;

use tengen_core::{Color, Point, PointSet, Setup, SetupError};

use super::super::claim::could_be_ko;
use super::MAX_REGION;

/// The largest number of ko threats that can be counted.
pub const MAX_THREATS: u8 = 14;

/// That one player, the prover, reaches a goal in the local game, whatever the other one does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LocalClaim {
    /// The position on the whole board, who is to move in it and where simple ko forbids that player a stone.
    pub start: Setup,
    /// Where stones may be put.
    pub region: PointSet,
    /// The points of the stones that it is all about.
    pub target: PointSet,
    /// Whose stones they are.
    pub defender: Color,
    /// What the prover reaches.
    pub goal: Goal,
    /// How often each player may take back a ko at once.
    pub threats: Threats,
}

/// What is proven of the target.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Goal {
    /// The attacker captures it: no stone of the defender is left on its points.
    Capture,
    /// The defender keeps some stone on its points until the attacker gives up.
    Stand,
    /// The defender makes a stone on its points unconditionally alive.
    Live,
}

impl Goal {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Capture, Self::Stand, Self::Live];

    /// The name in reports.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Capture => "capture",
            Self::Stand => "stand",
            Self::Live => "live",
        }
    }
}

/// How many ko threats each player has, all of them elsewhere, and all of them answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Threats {
    /// Of the player who attacks the target.
    pub attacker: Supply,
    /// Of the player whose stones the target is.
    pub defender: Supply,
}

impl Threats {
    /// Nobody has any.
    pub const NONE: Self = Self {
        attacker: Supply::Count(0),
        defender: Supply::Count(0),
    };
}

/// How many ko threats somebody has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Supply {
    /// So many, [`MAX_THREATS`] at most.
    Count(u8),
    /// As many as are needed, but not for ever: any finite number.
    Any,
}

impl Supply {
    /// What is left when a threat was made, or `None` if there is none.
    pub const fn spend(self) -> Option<Self> {
        match self {
            Self::Count(0) => None,
            Self::Count(count) => Some(Self::Count(count - 1)),
            Self::Any => Some(Self::Any),
        }
    }

    /// The number in the file.
    pub(crate) const fn code(self) -> u8 {
        match self {
            Self::Count(count) => count,
            Self::Any => MAX_THREATS + 1,
        }
    }

    /// The supply with this number.
    pub(crate) const fn from_code(code: u8) -> Option<Self> {
        match code {
            0..=MAX_THREATS => Some(Self::Count(code)),
            code if code == MAX_THREATS + 1 => Some(Self::Any),
            _ => None,
        }
    }
}

/// `none`, `one`, `2` or `any`.
impl fmt::Display for Supply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Count(0) => f.write_str("none"),
            Self::Count(1) => f.write_str("one"),
            Self::Count(count) => count.fmt(f),
            Self::Any => f.write_str("any"),
        }
    }
}

impl LocalClaim {
    /// Who attacks the target.
    pub const fn attacker(&self) -> Color {
        match self.defender {
            Color::Black => Color::White,
            Color::White => Color::Black,
        }
    }

    /// Who has the strategy.
    pub const fn prover(&self) -> Color {
        match self.goal {
            Goal::Capture => self.attacker(),
            Goal::Stand | Goal::Live => self.defender,
        }
    }

    /// Can such a game begin?
    pub fn check(&self) -> Result<(), LocalClaimError> {
        let points = self.start.size.points();
        if self.region.is_empty() || !self.region.is_subset(&points) {
            return Err(LocalClaimError::Region);
        }
        if self.region.len() > MAX_REGION {
            return Err(LocalClaimError::RegionSize(self.region.len()));
        }
        let board = self.start.board().map_err(LocalClaimError::Setup)?;
        for chain in board.chains() {
            let goes_out = !(chain.liberties - self.region).is_empty();
            let fits = if goes_out {
                chain.stones.is_disjoint(&self.region)
            } else {
                chain.stones.is_subset(&self.region)
            };
            if let (false, Some(point)) = (fits, chain.stones.first()) {
                return Err(LocalClaimError::Chain(point));
            }
        }
        let stones = self.region & self.start.stones[self.defender];
        if self.target.is_empty() || !self.target.is_subset(&stones) {
            return Err(LocalClaimError::Target);
        }
        if let Some(ko) = self.start.ko
            && !(self.region.contains(ko) && could_be_ko(&self.start, ko))
        {
            return Err(LocalClaimError::Ko(ko));
        }
        let threats = [self.threats.attacker, self.threats.defender];
        if threats.iter().any(|supply| match supply {
            Supply::Count(count) => *count > MAX_THREATS,
            Supply::Any => false,
        }) {
            return Err(LocalClaimError::Threats);
        }
        Ok(())
    }
}

/// `black captures white's A1 B1 on 5x5, playing on 6 points, black to move; ko threats: black none, white any`
impl fmt::Display for LocalClaim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let size = self.start.size;
        let name = |color| match color {
            Color::Black => "black",
            Color::White => "white",
        };
        let (attacker, defender) = (name(self.attacker()), name(self.defender));
        match self.goal {
            Goal::Capture => write!(f, "{attacker} captures {defender}'s")?,
            Goal::Stand => write!(f, "{defender} saves some of")?,
            Goal::Live => write!(f, "{defender} gives unconditional life to some of")?,
        }
        for point in self.target {
            write!(f, " {}", point.to_gtp(size))?;
        }
        write!(
            f,
            " on {size}, playing on {} points, {} to move",
            self.region.len(),
            name(self.start.to_move)
        )?;
        if let Some(ko) = self.start.ko {
            write!(f, ", ko at {}", ko.to_gtp(size))?;
        }
        let Threats {
            attacker: attacking,
            defender: defending,
        } = self.threats;
        write!(
            f,
            "; ko threats: {attacker} {attacking}, {defender} {defending}"
        )
    }
}

/// Why nothing can be claimed so.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LocalClaimError {
    /// There are no points to play on, or some are not on the board.
    Region,
    /// There are too many points to play on.
    RegionSize(usize),
    /// The position cannot stand.
    Setup(SetupError),
    /// The chain with this stone is neither out of play for good nor wholly in the region.
    Chain(Point),
    /// The target is not made of stones of the defender in the region.
    Target,
    /// No capture can have left simple ko on this point of the region.
    Ko(Point),
    /// There are more ko threats than can be counted.
    Threats,
}

impl fmt::Display for LocalClaimError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let place = |f: &mut fmt::Formatter<'_>, point: Point| {
            let (column, row) = (point.x() + 1, point.y() + 1);
            write!(f, "column {column} from the left, row {row} from the top")
        };
        match self {
            Self::Region => f.write_str("the region has no points, or some beyond the board"),
            Self::RegionSize(points) => write!(
                f,
                "the region has {points} points; {MAX_REGION} are the most"
            ),
            Self::Setup(error) => error.fmt(f),
            Self::Chain(point) => {
                f.write_str("the chain in ")?;
                place(f, *point)?;
                f.write_str(" is neither wholly in the region nor has it a liberty beyond")
            }
            Self::Target => f.write_str("the target is not made of stones in the region"),
            Self::Ko(point) => {
                f.write_str("no last move can forbid a stone by simple ko in ")?;
                place(f, *point)
            }
            Self::Threats => write!(f, "more than {MAX_THREATS} ko threats are not counted"),
        }
    }
}

impl std::error::Error for LocalClaimError {}
