//! Which part of a board a problem is about, and which stones.

use tengen_core::{Board, Color, Point, PointSet, Size};
use tengen_solver::local;

use super::problem::Problem;

/// What the command line says about it.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Wanted<'a> {
    /// Where may be played; found out if it is left out.
    pub(super) region: Option<&'a str>,
    /// Stones to capture or to save; found out if they are left out.
    pub(super) target: Option<&'a str>,
}

/// The problem of life and death in a position.
pub(super) fn local_problem(
    problem: &Problem,
    wanted: Wanted<'_>,
) -> Result<local::Problem, String> {
    let setup = &problem.setup;
    let board = setup.board().map_err(|error| error.to_string())?;
    let read = |text: Option<&str>| text.map(|text| points(text, setup.size)).transpose();
    let named = read(wanted.target)?;
    let target = named.or((!problem.marked.is_empty()).then_some(problem.marked));
    let target = target.map(|points| whole_chains(&board, &points));
    let region = read(wanted.region)?;
    let region = region.or((!problem.selected.is_empty()).then_some(problem.selected));
    let surroundings = Surroundings::of(&board);
    let target = match (target, region) {
        (Some(target), _) => target,
        (None, Some(region)) => only_color_inside(&board, &region)?,
        (None, None) => surroundings.enclosed(&board)?,
    };
    let region = match region {
        Some(region) => region,
        None => surroundings.region(&board, &target)?,
    };
    local::Problem::new(setup, &region, &target).map_err(|error| error.to_string())
}

/// Points as people write them: `A1 C3`, `A1:D4` for a rectangle, with spaces or commas between them.
fn points(text: &str, size: Size) -> Result<PointSet, String> {
    let mut set = PointSet::EMPTY;
    for word in text.split([',', ' ']).filter(|word| !word.is_empty()) {
        let (from, to) = word.split_once(':').unwrap_or((word, word));
        let point = |text: &str| {
            Point::from_gtp(text, size).map_err(|error| format!("`{text}` is no point: {error}"))
        };
        let (from, to) = (point(from)?, point(to)?);
        for x in from.x().min(to.x())..=from.x().max(to.x()) {
            for y in from.y().min(to.y())..=from.y().max(to.y()) {
                set.insert(Point::new(x, y));
            }
        }
    }
    Ok(set)
}

/// The chains that have a stone on some of these points.
fn whole_chains(board: &Board, points: &PointSet) -> PointSet {
    let chains = board.chains();
    let meant = chains.filter(|chain| !chain.stones.is_disjoint(points));
    meant.fold(PointSet::EMPTY, |set, chain| set | chain.stones)
}

/// The stones of the only colour that has chains without a liberty beyond the region.
fn only_color_inside(board: &Board, region: &PointSet) -> Result<PointSet, String> {
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
        [black, _] if black.is_empty() => {
            Err("no stones in the region could be captured: name a larger one".to_owned())
        }
        _ => Err(
            "both players have stones in the region: name those that it is about with --target"
                .to_owned(),
        ),
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
    fn enclosed(&self, board: &Board) -> Result<PointSet, String> {
        let inner = Color::BOTH.into_iter().find(|color| {
            let stones = board.stones(*color);
            !stones.is_empty() && stones.is_disjoint(&self.beside)
        });
        inner.map(|color| *board.stones(color)).ok_or_else(|| {
            "nobody's stones are wholly shut in: name them with --target, or mark them, and name the region".to_owned()
        })
    }

    /// All points that the stones around leave to the target.
    fn region(&self, board: &Board, target: &PointSet) -> Result<PointSet, String> {
        let defender = target.first().and_then(|point| board.color_at(point));
        let defender = defender.ok_or("there are no stones at the points of the target")?;
        if !target.is_disjoint(&self.beside) {
            return Err(
                "the target is not shut in: name the region, such as --region=A1:H6".to_owned(),
            );
        }
        let wall = self.beside & *board.stones(!defender);
        Ok(target.flood(&(*board.points() - self.open - wall)))
    }
}
