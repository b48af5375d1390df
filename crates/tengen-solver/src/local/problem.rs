//! Which stones are to be captured or saved, and where may be played.

use tengen_core::{Color, Point, PointSet, Setup, SetupError};

use super::area::MOST_CELLS;
use crate::certificate::local::{Goal, LocalClaim, MAX_REGION, Threats};

/// A problem of life and death, arranged by [`Problem::new`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The position on the whole board, who is to move and where simple ko forbids that player a stone.
    pub setup: Setup,
    /// Where stones may be put.
    pub region: PointSet,
    /// The points of the stones that it is all about.
    pub target: PointSet,
    /// Whose stones they are.
    pub defender: Color,
}

impl Problem {
    /// The problem of these stones in a part of the board.
    ///
    /// Chains that have a liberty beyond the region cannot be captured, as nobody plays there: their stones are taken
    /// out of it. Those that have none come in as a whole.
    pub fn new(setup: &Setup, region: &PointSet, target: &PointSet) -> Result<Self, ProblemError> {
        let board = setup.board().map_err(ProblemError::Setup)?;
        let given = *region & *board.points();
        let mut region = given;
        for chain in board.chains() {
            if (chain.liberties - given).is_empty() {
                region |= chain.stones;
            } else {
                region -= chain.stones;
            }
        }
        let defender = Color::BOTH
            .into_iter()
            .find(|color| target.is_subset(board.stones(*color)));
        let defender = defender.ok_or(ProblemError::Colors)?;
        if target.is_empty() {
            return Err(ProblemError::NoTarget);
        }
        if let Some(point) = (*target - region).first() {
            return Err(ProblemError::Safe(point));
        }
        if region.len() > MAX_REGION {
            return Err(ProblemError::Large(region.len()));
        }
        let problem = Self {
            setup: Setup {
                // A ko elsewhere is of no concern here.
                ko: setup.ko.filter(|ko| region.contains(*ko)),
                ..*setup
            },
            region,
            target: *target,
            defender,
        };
        let (width, height) = problem.extent();
        if (width + 1) * height > MOST_CELLS {
            return Err(ProblemError::Wide { width, height });
        }
        Ok(problem)
    }

    /// The columns and rows of the smallest rectangle around the region.
    fn extent(&self) -> (usize, usize) {
        let extent = |lines: Vec<u8>| {
            let ends = lines.iter().min().zip(lines.iter().max());
            ends.map_or(0, |(first, last)| usize::from(last - first) + 1)
        };
        (
            extent(self.region.iter().map(Point::x).collect()),
            extent(self.region.iter().map(Point::y).collect()),
        )
    }

    /// Who attacks the target.
    pub fn attacker(&self) -> Color {
        !self.defender
    }

    /// The same problem with this player to move, to whom no ko forbids anything unless it was that player's turn
    /// anyway.
    #[must_use]
    pub fn with_first(&self, first: Color) -> Self {
        let ko = self.setup.ko.filter(|_| first == self.setup.to_move);
        Self {
            setup: Setup {
                to_move: first,
                ko,
                ..self.setup
            },
            ..*self
        }
    }

    /// What is proven when a goal is reached.
    pub const fn claim(&self, goal: Goal, threats: Threats) -> LocalClaim {
        LocalClaim {
            start: self.setup,
            region: self.region,
            target: self.target,
            defender: self.defender,
            goal,
            threats,
        }
    }
}

/// Why something is no problem that can be solved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ProblemError {
    /// The position cannot stand.
    #[error("{0}")]
    Setup(SetupError),
    /// There are no stones to capture or to save.
    #[error("there are no stones to capture or to save")]
    NoTarget,
    /// The target has points without stones, or stones of both colours.
    #[error("the target has to be stones of one colour")]
    Colors,
    /// The region has no stones that could be captured.
    #[error("no stones in the region could be captured: name a larger one")]
    NoneInside,
    /// Both players have stones in the region that could be captured.
    #[error("both players have stones in the region: name those that it is about, the target")]
    BothInside,
    /// Nobody's stones are wholly shut off from the open part of the board.
    #[error(
        "nobody's stones are wholly shut in: name those that it is about, the target, and the region"
    )]
    NobodyShutIn,
    /// The target is not shut off from the open part of the board.
    #[error("the target is not shut in: name the region, such as A1:H6")]
    NotShutIn,
    /// This stone of the target has a liberty beyond the region, so that nobody can capture it.
    #[error(
        "the target's stone in column {} from the left, row {} from the top has a liberty beyond the region: \
         nobody can capture it",
        .0.x() + 1, .0.y() + 1
    )]
    Safe(Point),
    /// The region has this many points.
    #[error("the region has {0} points; {MAX_REGION} are the most")]
    Large(usize),
    /// The region reaches too far.
    #[error("the region reaches over {width} columns and {height} rows, which is too far")]
    Wide {
        /// Its columns, with all between them.
        width: usize,
        /// Its rows, with all between them.
        height: usize,
    },
}
