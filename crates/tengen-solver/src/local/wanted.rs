//! Which part of a board a problem is about, and which stones.

use tengen_core::{Board, Color, PointSet, Setup};

use super::problem::{Problem, ProblemError};

/// What is said about a problem. What is left out is found out.
#[derive(Clone, Copy, Debug, Default)]
pub struct Wanted {
    /// Where may be played.
    pub region: Option<PointSet>,
    /// Some points of the stones to capture or to save, at least one of each chain.
    pub target: Option<PointSet>,
}

impl Problem {
    /// The problem of life and death in a position.
    ///
    /// Without a target it is about the only player who has stones in the region that could be captured, or, without a
    /// region too, about the player whom the other one shuts off from the largest empty part of the board. Without a
    /// region it is played on all points that the target reaches without crossing that part or the stones around.
    pub fn find(setup: &Setup, wanted: Wanted) -> Result<Self, ProblemError> {
        let board = setup.board().map_err(ProblemError::Setup)?;
        let surroundings = Surroundings::of(&board);
        let target = match (wanted.target, wanted.region) {
            (Some(points), _) => whole_chains(&board, &points),
            (None, Some(region)) => only_color_inside(&board, &region)?,
            (None, None) => surroundings.enclosed(&board)?,
        };
        let region = match wanted.region {
            Some(region) => region,
            None => surroundings.region(&board, &target)?,
        };
        Self::new(setup, &region, &target)
    }
}

/// The chains that have a stone on some of these points.
fn whole_chains(board: &Board, points: &PointSet) -> PointSet {
    let chains = board.chains();
    let meant = chains.filter(|chain| !chain.stones.is_disjoint(points));
    meant.fold(PointSet::EMPTY, |set, chain| set | chain.stones)
}

/// The stones of the only colour that has chains without a liberty beyond the region.
fn only_color_inside(board: &Board, region: &PointSet) -> Result<PointSet, ProblemError> {
    let inside = Color::BOTH.map(|color| {
        let chains = board.chains();
        let own = chains.filter(|chain| {
            chain.color == color
                && chain.liberties.is_subset(region)
                && !chain.stones.is_disjoint(region)
        });
        own.fold(PointSet::EMPTY, |set, chain| set | chain.stones)
    });
    match inside {
        [black, white] if white.is_empty() && !black.is_empty() => Ok(black),
        [black, white] if black.is_empty() && !white.is_empty() => Ok(white),
        [black, _] if black.is_empty() => Err(ProblemError::NoneInside),
        _ => Err(ProblemError::BothInside),
    }
}

/// The largest empty part of a board, and what is beside it.
struct Surroundings {
    open: PointSet,
    /// The stones of chains beside it.
    beside: PointSet,
}

impl Surroundings {
    fn of(board: &Board) -> Self {
        let empty = board.empty_points();
        let open = empty.components().max_by_key(PointSet::len);
        let open = open.unwrap_or_default();
        let chains = board.chains();
        let outer = chains.filter(|chain| !chain.liberties.is_disjoint(&open));
        Self {
            open,
            beside: outer.fold(PointSet::EMPTY, |set, chain| set | chain.stones),
        }
    }

    /// The stones of the player whom the other one shuts off from the open part of the board.
    fn enclosed(&self, board: &Board) -> Result<PointSet, ProblemError> {
        let inner = Color::BOTH.into_iter().find(|color| {
            let stones = board.stones(*color);
            !stones.is_empty() && stones.is_disjoint(&self.beside)
        });
        inner
            .map(|color| *board.stones(color))
            .ok_or(ProblemError::NobodyShutIn)
    }

    /// All points that the stones around leave to the target.
    fn region(&self, board: &Board, target: &PointSet) -> Result<PointSet, ProblemError> {
        let defender = target.first().and_then(|point| board.color_at(point));
        let defender = defender.ok_or(ProblemError::NoTarget)?;
        if !target.is_disjoint(&self.beside) {
            return Err(ProblemError::NotShutIn);
        }
        let wall = self.beside & *board.stones(!defender);
        Ok(target.flood(&(*board.points() - self.open - wall)))
    }
}
