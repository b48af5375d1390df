//! A problem with one right first move.

use tengen_core::{Color, Move, Point, PointSet};
use tengen_solver::local::{Problem, Solver, TargetStatus};

/// What is to be done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Stones of the opponent are to be captured.
    Capture,
    /// Own stones are to be saved: they get out, connect or capture something.
    Save,
    /// Own stones that are shut in are to be made alive.
    Live,
}

impl Kind {
    /// Its name in records.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Capture => "capture",
            Self::Save => "save",
            Self::Live => "live",
        }
    }

    /// What somebody is told to do.
    pub(super) const fn task(self) -> &'static str {
        match self {
            Self::Capture => "Black to play and capture the marked stones.",
            Self::Save => "Black to play and save the marked stones.",
            Self::Live => "Black to play and live with the marked stones.",
        }
    }
}

/// The levels: the moves of the longest line that a problem has at most, and what records say about how hard it is.
pub(super) const LEVELS: [(u32, &str); 5] = [
    (1, "25k"),
    (3, "20k"),
    (5, "15k"),
    (8, "10k"),
    (u32::MAX, "5k"),
];

/// The memory of the solver for one problem.
pub(super) const MEMORY: u64 = 12 << 20;

/// A problem with one right first move.
pub(super) struct Exercise {
    /// The problem, with the player to move who is to solve it.
    pub(super) problem: Problem,
    pub(super) kind: Kind,
    /// The moves of the longest line.
    pub(super) length: u32,
    /// How many situations the solver has looked at.
    pub(super) effort: u64,
}

impl Exercise {
    /// The exercise that a problem is for this player, if exactly one move solves it and every other one fails
    /// whatever ko threats there are.
    pub(super) fn of(problem: &Problem, first: Color, is_shut_in: bool) -> Option<Self> {
        let problem = problem.with_first(first);
        let mut solver = Solver::new(problem, MEMORY);
        let judged = solver.judge(first);
        let attacks = first == problem.attacker();
        let is_solved = match judged.answer.verdict {
            TargetStatus::Dies => attacks,
            TargetStatus::Lives => !attacks,
            _ => false,
        };
        let [Move::Play(right)] = judged.answer.moves[..] else {
            return None;
        };
        if !is_solved || judged.decided {
            return None;
        }
        let length = judged.length?;
        if !is_sound(&problem) || !attacks && !is_saved_for_good(&problem, right) {
            return None;
        }
        let mut others = 0;
        for point in empty_points(&problem)
            .iter()
            .filter(|point| *point != right)
        {
            if solver.advance_to(&[Move::Play(point)]) {
                others += 1;
                if !fails(&mut solver, !first, attacks) {
                    return None;
                }
            }
        }
        (others >= 2).then(|| Self {
            problem,
            kind: match (attacks, is_shut_in) {
                (true, _) => Kind::Capture,
                (false, false) => Kind::Save,
                (false, true) => Kind::Live,
            },
            length,
            effort: solver.nodes(),
        })
    }

    /// The number of its level.
    pub(super) fn level(&self) -> usize {
        let most = LEVELS.iter().position(|(most, _)| self.length <= *most);
        most.unwrap_or(LEVELS.len() - 1)
    }
}

/// Have the chains around a part of the board enough liberties elsewhere, so that nobody need wonder about them?
fn is_sound(problem: &Problem) -> bool {
    let Ok(board) = problem.setup.board() else {
        return false;
    };
    let beside = problem.region.neighbors() - problem.region;
    let mut around = board
        .chains()
        .filter(|chain| !chain.stones.is_disjoint(&beside));
    around.all(|chain| {
        let elsewhere = (chain.liberties - problem.region).len();
        elsewhere
            >= if chain.color == problem.defender {
                3
            } else {
                2
            }
    })
}

/// Is the target saved by a first move even if the attacker has stones on all points around that part of the board? To
/// get out of it is no answer, as long as nobody knows what is there.
fn is_saved_for_good(problem: &Problem, right: Point) -> bool {
    let setup = &problem.setup;
    let stones = setup.stones.black | setup.stones.white;
    let around = (problem.region.neighbors() & setup.size.points()) - problem.region - stones;
    let mut closed = *setup;
    closed.stones[problem.attacker()] |= around;
    let Ok(problem) = Problem::new(&closed, &problem.region, &problem.target) else {
        return false;
    };
    let mut solver = Solver::new(problem, MEMORY);
    let defender = problem.defender;
    solver.advance_to(&[Move::Play(right)])
        && matches!(solver.answer(!defender).verdict, TargetStatus::Lives)
}

/// Has a first move failed for good, now that this player is to move?
fn fails(solver: &mut Solver, next: Color, attacks: bool) -> bool {
    match solver.answer(next).verdict {
        TargetStatus::Dies => !attacks,
        TargetStatus::Lives | TargetStatus::Seki | TargetStatus::Stands => attacks,
        TargetStatus::Ko | TargetStatus::Repetition | TargetStatus::Open => false,
    }
}

/// The points of the region without stones.
pub(super) fn empty_points(problem: &Problem) -> PointSet {
    let stones = problem.setup.stones;
    problem.region - stones.black - stones.white
}

/// The legal first moves of a position on the way, by trying.
pub(super) fn stones_after(solver: &mut Solver, line: &[Move]) -> Vec<Point> {
    let region = solver.problem().region;
    let legal = |point: &Point| {
        let mut longer = line.to_vec();
        longer.push(Move::Play(*point));
        solver.advance_to(&longer)
    };
    region.iter().filter(legal).collect()
}
