//! Groups that a move has killed or let live, proven by the solver in the part of the board that is theirs.

use serde::{Deserialize, Serialize};
use tengen_core::{Color, Game, Move, Point, PointSet, Size};
use tengen_solver::local::{Problem, Solver, TargetStatus, Wanted};

use crate::aside::Look;
use crate::call::{Caller, about_game};
use crate::refusal::{Refusal, Result};
use crate::room::Room;

/// How far from a move a group may be that it has to do with, in lines.
const NEAR: u8 = 3;

/// The most groups that are looked at, and the most empty points of one: more take too long.
const MOST_GROUPS: usize = 3;
const MOST_EMPTY: usize = 12;

/// The memory in which the solver judges a group. It bounds the time as well: half a second, or so.
const JUDGE_BYTES: u64 = 8 << 20;

#[derive(Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct OfMove {
    /// The game.
    #[cfg_attr(test, schemars(with = "crate::words::GameId"))]
    pub game: String,
    /// The node of the position before the move.
    #[cfg_attr(test, schemars(with = "crate::words::Node"))]
    pub node: usize,
    /// The move.
    #[serde(rename = "move")]
    #[cfg_attr(test, schemars(with = "crate::words::Move"))]
    pub action: String,
    /// A better move: groups near it are looked at, too, as those near the move are.
    #[cfg_attr(test, schemars(with = "Option<crate::words::Move>"))]
    pub better: Option<String>,
}

/// What a move has decided for certain.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct Fates {
    /// The groups whose fate it is, the largest first.
    pub fates: Vec<Fate>,
}

/// A group whose fate a move has changed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct Fate {
    /// What is proven about it after the move.
    pub fate: FateName,
    /// Whose stones they are.
    #[cfg_attr(test, schemars(with = "crate::words::Color"))]
    pub color: Color,
    /// How many.
    pub stones: usize,
    /// One of them.
    #[cfg_attr(test, schemars(with = "crate::words::Point"))]
    pub at: String,
    /// The moves that would have saved the group, or killed it.
    #[cfg_attr(test, schemars(with = "Vec<crate::words::Move>"))]
    pub instead: Vec<String>,
}

/// What is proven about a group.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub(crate) enum FateName {
    /// It is captured, whatever its owner does and whatever ko threats there are. The move before could save it.
    Dead,
    /// It is never captured, whatever the other player does. The move before could kill it.
    Alive,
}

/// Finds out which groups a move has killed or let live.
pub(crate) fn prove(room: &mut Room, params: OfMove, _: Caller) -> Result<Look<Fates>> {
    let OfMove {
        game,
        node,
        action,
        better,
    } = params;
    let table = room.table(&game)?;
    let position = table.position(node)?;
    let about = about_game(table, None);
    let read = |name: String| Move::from_gtp(&name, position.size()).map_err(Refusal::params);
    let action = read(action)?;
    let better = better.map(read).transpose()?;
    Ok(Look {
        about,
        make: Box::new(move || {
            Ok(Fates {
                fates: fates(&position, action, better),
            })
        }),
    })
}

fn fates(before: &Game, action: Move, better: Option<Move>) -> Vec<Fate> {
    if before.check(action).is_err() {
        return Vec::new();
    }
    let places = [Some(action), better].into_iter().flatten();
    let places: Vec<Point> = places.filter_map(Move::point).collect();
    let groups = groups(before, &places);
    let found = groups.iter().filter_map(|group| fate(group, action));
    found.collect()
}

/// The groups that are shut in near some points, the largest first.
fn groups(before: &Game, places: &[Point]) -> Vec<Problem> {
    let board = before.board();
    let is_near = |point: Point| {
        places.iter().any(|place| {
            let (across, down) = (point.x().abs_diff(place.x()), point.y().abs_diff(place.y()));
            across.max(down) <= NEAR
        })
    };
    let mut chains: Vec<PointSet> = board.chains().map(|chain| chain.stones).collect();
    chains.sort_by_key(|stones| std::cmp::Reverse(stones.len()));
    let setup = before.position();
    let mut found: Vec<Problem> = Vec::new();
    for stones in chains {
        if found.len() == MOST_GROUPS {
            break;
        }
        let wanted = Wanted {
            target: Some(stones),
            region: None,
        };
        let Ok(problem) = Problem::find(&setup, wanted) else {
            continue;
        };
        let is_other = found
            .iter()
            .all(|known| known.region.is_disjoint(&problem.region));
        let empty = (problem.region & board.empty_points()).len();
        // A move outside of the region lets the other player begin there.
        let matters = is_other && empty <= MOST_EMPTY && problem.region.iter().any(is_near);
        if matters {
            found.push(problem);
        }
    }
    found
}

/// What is proven about a group after a move, if it was otherwise before.
fn fate(problem: &Problem, action: Move) -> Option<Fate> {
    let mover = problem.setup.to_move;
    let mut solver = Solver::new(*problem, JUDGE_BYTES);
    let best = solver.answer(mover);
    let could = reached(best.verdict)?;
    // It is the mover's mistake if it was up to the mover.
    let wanted = match problem.defender == mover {
        true => FateName::Alive,
        false => FateName::Dead,
    };
    if could != wanted {
        return None;
    }
    let is_inside = matches!(action, Move::Play(point) if problem.region.contains(point));
    if is_inside && !solver.advance_to(&[action]) {
        return None;
    }
    let fate = reached(solver.answer(!mover).verdict)?;
    (fate != wanted).then(|| {
        let size = problem.setup.size;
        Fate {
            fate,
            color: problem.defender,
            stones: problem.target.len(),
            at: first_name(&problem.target, size),
            instead: best.moves.iter().map(|one| one.to_gtp(size)).collect(),
        }
    })
}

/// What becomes of a group for certain.
const fn reached(status: TargetStatus) -> Option<FateName> {
    match status {
        TargetStatus::Dies => Some(FateName::Dead),
        TargetStatus::Lives | TargetStatus::Seki | TargetStatus::Stands => Some(FateName::Alive),
        TargetStatus::Ko | TargetStatus::Repetition | TargetStatus::Open => None,
    }
}

fn first_name(points: &PointSet, size: Size) -> String {
    let first = points.first();
    first.map_or_else(String::new, |point| point.to_gtp(size))
}
