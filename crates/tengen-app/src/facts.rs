//! Why a move is worse than another: facts of the board, for a sentence about them.

use serde::{Deserialize, Serialize};
use tengen_core::{Board, Color, Game, Move, Point, PointSet, Size};

use crate::judgement::{Judged, rounded};

/// The most facts that are told about a move.
const TOLD: usize = 2;

/// Stones that may be put down to see where a ladder leads.
const LADDER: u32 = 400;

/// How much more a point is somebody's, to count for a region that was lost.
const SHIFTED: f64 = 0.35;

/// A region that was lost is worth as many points.
const REGION: f64 = 3.0;

/// A chain changes sides if it belonged to each of them at least so much, and by so much altogether.
const SIDED: f64 = 0.15;
const CHANGED: f64 = 0.6;

/// What a stone is worth that dies or lives.
const STONE: f64 = 2.0;

/// A fact about a move that was played, beside the better one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Fact {
    /// What happens.
    pub kind: FactKind,
    /// How many stones it is about; 0 if it is about none.
    #[serde(default)]
    pub stones: usize,
    /// Where: the move that does it, or one of the stones.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(with = "Option<crate::words::Point>"))]
    pub at: Option<String>,
    /// The part of the board, for a region that is lost.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub region: Option<Region>,
    /// About how many points it is worth.
    pub points: f64,
}

/// What happens after a move that was played, beside the better one. "Own" stones are those of who played it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum FactKind {
    /// Own stones are captured in what is expected to follow.
    Captured,
    /// The better move captures stones; this one does not.
    MissedCapture,
    /// Own stones die that the better move keeps alive.
    Dies,
    /// Enemy stones live that the better move kills.
    Lives,
    /// Own stones have a single liberty because of the move.
    SelfAtari,
    /// Own stones that were in atari still are; the better move saves them.
    LeftInAtari,
    /// Own stones can be caught in a ladder.
    Ladder,
    /// The answer cuts own stones off.
    CutOff,
    /// The better move cuts enemy stones off.
    MissedCut,
    /// A part of the board goes to the enemy.
    Region,
    /// The better move is in another part of the board.
    Elsewhere,
    /// The move was a pass, and there was something to play.
    Passed,
}

/// A part of the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Region {
    /// The corner above, on the left.
    UpperLeft,
    /// The upper side.
    Top,
    /// The corner above, on the right.
    UpperRight,
    /// The left side.
    Left,
    /// The middle.
    Center,
    /// The right side.
    Right,
    /// The corner below, on the left.
    LowerLeft,
    /// The lower side.
    Bottom,
    /// The corner below, on the right.
    LowerRight,
}

impl Region {
    /// The part of the board in which points are, on the whole.
    fn of(points: &PointSet, size: Size) -> Self {
        let third = |sum: usize, side: u8| {
            let middle = (sum as f64 / points.len().max(1) as f64 + 0.5) / f64::from(side);
            (middle * 3.0) as usize
        };
        let column = third(
            points.iter().map(|p| usize::from(p.x())).sum(),
            size.width(),
        );
        let row = third(
            points.iter().map(|p| usize::from(p.y())).sum(),
            size.height(),
        );
        [
            [Self::UpperLeft, Self::Top, Self::UpperRight],
            [Self::Left, Self::Center, Self::Right],
            [Self::LowerLeft, Self::Bottom, Self::LowerRight],
        ][row.min(2)][column.min(2)]
    }
}

/// A move, the position after it, and what is expected to follow.
struct Branch<'a> {
    judged: &'a Judged<'a>,
    after: Game,
    /// The stones of either side that were there before, or with the move, and are captured in what follows.
    captured: PointSet,
}

impl<'a> Branch<'a> {
    fn new(before: &Game, judged: &'a Judged<'a>) -> Option<Self> {
        let mut game = before.clone();
        let mover = game.to_move();
        let mut there = *game.board().stones(Color::Black) | *game.board().stones(Color::White);
        let mut captured = PointSet::default();
        let mut after = None;
        for action in judged.line() {
            if game.is_over() || game.play(*action).is_err() {
                break;
            }
            if after.is_none() {
                there |= *game.board().stones(mover);
                after = Some(game.clone());
            }
            captured |= game.last_removed().iter().copied().collect::<PointSet>();
        }
        Some(Self {
            judged,
            after: after?,
            captured: captured & there,
        })
    }

    fn board(&self) -> &Board {
        self.after.board()
    }

    /// How much points belong to a player on average, from -1 to 1; `None` if nobody has looked.
    fn owned(&self, points: &PointSet, color: Color) -> Option<f64> {
        let size = self.after.size();
        let owners = &self.judged.candidate.ownership;
        let owner = |point: Point| owners.get(size.index(point)).copied();
        let sum: Option<f32> = points.iter().map(owner).sum();
        Some(f64::from(sum? * color.sign(1) as f32) / points.len().max(1) as f64)
    }
}

/// Why a move is worse than the best one, the most important first.
pub(crate) fn facts(before: &Game, played: &Judged<'_>, best: &Judged<'_>) -> Vec<Fact> {
    let (Some(played), Some(best)) = (Branch::new(before, played), Branch::new(before, best))
    else {
        return Vec::new();
    };
    let comparison = Comparison {
        before,
        own: before.to_move(),
        played,
        best,
    };
    comparison.told()
}

struct Comparison<'a> {
    before: &'a Game,
    own: Color,
    played: Branch<'a>,
    best: Branch<'a>,
}

impl Comparison<'_> {
    fn told(&self) -> Vec<Fact> {
        let mut found: Vec<(Fact, PointSet)> = Vec::new();
        found.extend(self.captured());
        found.extend(self.missed_capture());
        found.extend(self.changed_sides());
        found.extend(self.left_in_atari());
        found.extend(self.self_atari());
        found.extend(self.ladder());
        found.extend(self.cuts());
        found.extend(self.region());
        found.sort_by(|(a, _), (b, _)| b.points.total_cmp(&a.points));
        let mut told: Vec<Fact> = Vec::new();
        let mut about = PointSet::default();
        for (fact, points) in found {
            // What is said about stones once is not said again in other words.
            if told.len() < TOLD && (points & about).is_empty() {
                about |= points;
                told.push(fact);
            }
        }
        if told.is_empty() {
            told.extend(self.elsewhere());
        }
        told
    }

    fn fact(
        &self,
        kind: FactKind,
        stones: &PointSet,
        at: Option<Point>,
        worth: f64,
    ) -> (Fact, PointSet) {
        let size = self.before.size();
        let fact = Fact {
            kind,
            stones: stones.len(),
            at: at
                .or_else(|| stones.first())
                .map(|point| point.to_gtp(size)),
            region: None,
            points: rounded(worth * stones.len() as f64, 1),
        };
        (fact, *stones)
    }

    /// Stones of a colour that are captured after one move and not after the other.
    fn only_captured(&self, here: &Branch<'_>, there: &Branch<'_>, color: Color) -> PointSet {
        let own = *here.board().stones(color) | *self.before.board().stones(color);
        (here.captured & own) - there.captured
    }

    fn captured(&self) -> Option<(Fact, PointSet)> {
        let stones = self.only_captured(&self.played, &self.best, self.own);
        let kind = FactKind::Captured;
        (!stones.is_empty()).then(|| self.fact(kind, &stones, None, STONE))
    }

    fn missed_capture(&self) -> Option<(Fact, PointSet)> {
        let stones = self.only_captured(&self.best, &self.played, !self.own);
        let at = self.best.judged.candidate.action.point();
        let kind = FactKind::MissedCapture;
        (!stones.is_empty()).then(|| self.fact(kind, &stones, at, STONE))
    }

    /// Chains that belong to one player after the better move and to the other after the one that was played.
    fn changed_sides(&self) -> Vec<(Fact, PointSet)> {
        let mut found = Vec::new();
        for (color, kind) in [(self.own, FactKind::Dies), (!self.own, FactKind::Lives)] {
            let mut stones = PointSet::default();
            for chain in self.before.board().chains() {
                let owned = |branch: &Branch<'_>| branch.owned(&chain.stones, self.own);
                let (Some(good), Some(bad)) = (owned(&self.best), owned(&self.played)) else {
                    continue;
                };
                if chain.color == color && good > SIDED && bad < -SIDED && good - bad > CHANGED {
                    stones |= chain.stones;
                }
            }
            if !stones.is_empty() {
                found.push(self.fact(kind, &stones, None, STONE));
            }
        }
        found
    }

    fn left_in_atari(&self) -> Option<(Fact, PointSet)> {
        let own = *self.before.board().stones(self.own);
        let atari = |board: &Board| *board.stones_in_atari() & *board.stones(self.own) & own;
        let left = atari(self.before.board()) & atari(self.played.board());
        let stones = left - atari(self.best.board()) - self.best.captured;
        let kind = FactKind::LeftInAtari;
        (!stones.is_empty()).then(|| self.fact(kind, &stones, None, 1.5))
    }

    fn self_atari(&self) -> Option<(Fact, PointSet)> {
        let point = self.played.judged.candidate.action.point()?;
        let chain = self.played.board().chain_at(point)?;
        let is_ko = self.played.board().ko().is_some();
        (chain.liberties.len() == 1 && !is_ko)
            .then(|| self.fact(FactKind::SelfAtari, &chain.stones, Some(point), 1.5))
    }

    fn ladder(&self) -> Option<(Fact, PointSet)> {
        let threatened = |board: &Board| {
            let ladders = board.ladders(LADDER);
            (
                ladders.threatened & *board.stones(self.own),
                ladders.captures[!self.own],
            )
        };
        let (played, captures) = threatened(self.played.board());
        let (best, _) = threatened(self.best.board());
        let answer = self.answer()?;
        // A ladder that nobody begins is no reason.
        if !captures.contains(answer) {
            return None;
        }
        let mut stones = PointSet::default();
        for chain in self.played.board().chains() {
            if chain.liberties.contains(answer) {
                stones |= chain.stones & played;
            }
        }
        let stones = stones - best;
        (!stones.is_empty()).then(|| self.fact(FactKind::Ladder, &stones, Some(answer), STONE))
    }

    /// Where the enemy is expected to answer the move that was played.
    fn answer(&self) -> Option<Point> {
        self.played.judged.line().get(1)?.point()
    }

    fn cuts(&self) -> Vec<(Fact, PointSet)> {
        let mut found = Vec::new();
        if let Some(point) = self.answer() {
            let stones = cut_off(self.played.board(), point, !self.own);
            let is_new = cut_off(self.best.board(), point, !self.own).is_empty();
            if is_new && !stones.is_empty() {
                found.push(self.fact(FactKind::CutOff, &stones, Some(point), 1.0));
            }
        }
        if let Some(point) = self.best.judged.candidate.action.point() {
            let stones = cut_off(self.before.board(), point, self.own);
            if !stones.is_empty() {
                found.push(self.fact(FactKind::MissedCut, &stones, Some(point), 0.8));
            }
        }
        found
    }

    /// The largest part of the board that is less the player's than after the better move.
    fn region(&self) -> Option<(Fact, PointSet)> {
        let size = self.before.size();
        let shift = |point: Point| {
            let one = PointSet::from(point);
            let owned = |branch: &Branch<'_>| branch.owned(&one, self.own);
            Some(owned(&self.best)? - owned(&self.played)?)
        };
        let shifted = |point: &Point| shift(*point).is_some_and(|by| by > SHIFTED);
        let points: PointSet = size.points().iter().filter(shifted).collect();
        let worth = |part: &PointSet| part.iter().filter_map(shift).sum::<f64>();
        let largest = points
            .components()
            .max_by(|a, b| worth(a).total_cmp(&worth(b)))?;
        let worth = worth(&largest);
        (worth >= REGION).then(|| {
            let fact = Fact {
                kind: FactKind::Region,
                stones: 0,
                at: None,
                region: Some(Region::of(&largest, size)),
                points: rounded(worth, 1),
            };
            (fact, largest)
        })
    }

    /// A move far from the better one, or none at all.
    fn elsewhere(&self) -> Option<Fact> {
        let size = self.before.size();
        let better = self.best.judged.candidate.action.point()?;
        let kind = match self.played.judged.candidate.action {
            Move::Pass => FactKind::Passed,
            Move::Play(point) => {
                let apart = |a: u8, b: u8| a.abs_diff(b);
                let distance = apart(point.x(), better.x()).max(apart(point.y(), better.y()));
                let is_far = distance * 3 > size.width().max(size.height());
                is_far.then_some(FactKind::Elsewhere)?
            }
        };
        Some(Fact {
            kind,
            stones: 0,
            at: Some(better.to_gtp(size)),
            region: None,
            points: 0.0,
        })
    }
}

/// The stones that a move separates from the rest: chains which only its point would connect, the largest apart.
fn cut_off(board: &Board, point: Point, cutter: Color) -> PointSet {
    if board.color_at(point).is_some() {
        return PointSet::default();
    }
    let mut after = board.clone();
    if after
        .play(point, cutter, tengen_core::Suicide::Forbidden)
        .is_err()
        || after.last_liberty(point).is_some()
    {
        return PointSet::default();
    }
    let mut chains: Vec<tengen_core::Chain> = Vec::new();
    for beside in PointSet::from(point).neighbors() {
        let Some(chain) = board.chain_at(beside).filter(|chain| chain.color != cutter) else {
            continue;
        };
        if chains.iter().all(|known| known.stones != chain.stones) {
            chains.push(chain);
        }
    }
    chains.sort_by_key(|chain| std::cmp::Reverse(chain.stones.len()));
    let Some((largest, others)) = chains.split_first() else {
        return PointSet::default();
    };
    let mut stones = PointSet::default();
    for chain in others {
        // Two ways to connect are one too many for a cut.
        if (chain.liberties & largest.liberties).len() == 1 {
            stones |= chain.stones;
        }
    }
    stones
}
