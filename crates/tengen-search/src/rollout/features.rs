//! What speaks for and against a move before it is searched.

use tengen_core::{Board, Color, Content, Game, Ladders, LeanBoard, Move, Point, PointSet};

use super::last_stones;
use super::patterns::{canonical, seen_by};
use super::tactics::{
    is_good_sacrifice, is_self_atari, liberties_after, stones_after, vital_point,
};

/// How many stones a ladder is read for.
const LADDER_BUDGET: u32 = 60;

/// The groups of features that are numbered one after the other. A move has at most one feature of most groups.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(usize)]
pub(crate) enum Group {
    /// Captures a chain that could still run: by its stones.
    Capture = 0,
    /// Captures a chain that is caught anyway: by its stones.
    CaptureCaught = 4,
    /// Captures a chain that keeps an own one in atari: by the stones of the own chain.
    CaptureToSave = 8,
    /// Saves an own chain in atari: by its stones.
    Escape = 12,
    /// Adds to an own chain in atari that cannot be saved: by its stones.
    Doomed = 16,
    /// Catches a chain with two liberties in a ladder: by its stones.
    Catch = 20,
    /// Gives more liberties to an own chain that could be caught in a ladder: by its stones.
    Prevent = 24,
    /// Puts a chain in atari that can escape.
    Atari = 28,
    /// Is in atari at once, for nothing: by the stones lost.
    Waste = 29,
    /// Is in atari at once, for something.
    Sacrifice = 33,
    /// On the vital point of a small space: the enemy's, the own.
    Vital = 34,
    /// The distance to the last move.
    Near = 36,
    /// The distance to the own last move.
    NearOwn = 46,
    /// The line, where no stone is near.
    OpenLine = 56,
    /// The line, where stones are near.
    Line = 62,
    /// Surrounded by own stones.
    Filling = 68,
    /// Passes: on its own, or after a pass.
    Pass = 69,
    /// The first stone in a corner of a large board: on 3-3, 3-4, 4-4, 3-5, 4-5.
    Corner = 71,
}

/// The number of features that are not shapes.
pub(crate) const FEATURES: usize = 76;

/// The names of the groups, in the order of their numbers.
pub(crate) const GROUPS: [(&str, Group); 18] = [
    ("capture", Group::Capture),
    ("capture_caught", Group::CaptureCaught),
    ("capture_to_save", Group::CaptureToSave),
    ("escape", Group::Escape),
    ("doomed", Group::Doomed),
    ("catch", Group::Catch),
    ("prevent", Group::Prevent),
    ("atari", Group::Atari),
    ("waste", Group::Waste),
    ("sacrifice", Group::Sacrifice),
    ("vital", Group::Vital),
    ("near", Group::Near),
    ("near_own", Group::NearOwn),
    ("open_line", Group::OpenLine),
    ("line", Group::Line),
    ("filling", Group::Filling),
    ("pass", Group::Pass),
    ("corner", Group::Corner),
];

/// A feature's number: the group's first, and a place in the group.
const fn feature(group: Group, place: usize) -> usize {
    group as usize + place
}

/// Chains of one, two, a few and many stones.
const fn size_class(stones: usize) -> usize {
    match stones {
        0 | 1 => 0,
        2 => 1,
        3..=5 => 2,
        _ => 3,
    }
}

/// The points at most three steps from a stone. The others are in the open.
pub fn near_stones(board: &Board) -> PointSet {
    let stones = *board.stones(Color::Black) | *board.stones(Color::White);
    (0..3).fold(stones, |near, _| near | near.neighbors())
}

/// Looks at the moves of one position.
pub(crate) struct Observer<'a> {
    board: &'a Board,
    lean: &'a LeanBoard,
    color: Color,
    ladders: Ladders,
    last: Option<Point>,
    own_last: Option<Point>,
    after_pass: bool,
    stones: PointSet,
    near_stones: PointSet,
}

impl<'a> Observer<'a> {
    pub(crate) fn new(game: &'a Game, lean: &'a LeanBoard) -> Self {
        let [last, own_last] = last_stones(game);
        let board = game.board();
        let stones = *board.stones(Color::Black) | *board.stones(Color::White);
        Self {
            board,
            lean,
            color: game.to_move(),
            ladders: board.ladders(LADDER_BUDGET),
            last,
            own_last,
            after_pass: game.passes() > 0,
            stones,
            near_stones: near_stones(board),
        }
    }

    /// Names the features of a legal move.
    pub(crate) fn features(&self, action: Move, found: &mut Vec<usize>) {
        found.clear();
        let Move::Play(point) = action else {
            found.push(feature(Group::Pass, usize::from(self.after_pass)));
            return;
        };
        self.captures(point, found);
        self.own_chains(point, found);
        self.enemy_chains(point, found);
        self.loss(point, found);
        self.eyes(point, found);
        self.place(point, found);
        let seen = seen_by(self.lean.surroundings(point), self.color);
        found.push(FEATURES + usize::from(canonical(seen)));
    }

    fn captures(&self, point: Point, found: &mut Vec<usize>) {
        let mut largest = None;
        for head in self.lean.captures(point, self.color) {
            let caught = self.ladders.caught.contains(head);
            let stones = self.lean.chain_len(head);
            if largest.is_none_or(|(before, _)| stones > before) {
                largest = Some((stones, caught));
            }
            // The captured chain may keep an own one in atari.
            let own = Content::from(self.color);
            let saved = self
                .lean
                .members(head)
                .flat_map(LeanBoard::beside)
                .filter(|side| self.lean.content(*side) == own && self.lean.in_atari(*side))
                .map(|side| self.lean.chain_len(side))
                .max();
            if let Some(saved) = saved {
                found.push(feature(Group::CaptureToSave, size_class(saved)));
            }
        }
        if let Some((stones, caught)) = largest {
            let group = if caught {
                Group::CaptureCaught
            } else {
                Group::Capture
            };
            found.push(feature(group, size_class(stones)));
        }
    }

    fn own_chains(&self, point: Point, found: &mut Vec<usize>) {
        let mut doomed = 0;
        let mut escaping = 0;
        let mut prevented = 0;
        for head in self.lean.joins(point, self.color) {
            let stones = self.lean.chain_len(head);
            if self.lean.in_atari(head) {
                if self.ladders.escapes[self.color].contains(point) {
                    escaping = escaping.max(stones);
                } else {
                    doomed = doomed.max(stones);
                }
            } else if self.ladders.threatened.contains(head)
                && liberties_after::<3>(self.lean, point, self.color).count() == 3
            {
                prevented = prevented.max(stones);
            }
        }
        for (group, stones) in [
            (Group::Escape, escaping),
            (Group::Doomed, doomed),
            (Group::Prevent, prevented),
        ] {
            if stones > 0 {
                found.push(feature(group, size_class(stones)));
            }
        }
    }

    fn enemy_chains(&self, point: Point, found: &mut Vec<usize>) {
        let enemy = Content::from(!self.color);
        let mut caught = 0;
        let mut atari = false;
        for side in LeanBoard::beside(point) {
            if self.lean.content(side) != enemy || self.lean.in_atari(side) {
                continue;
            }
            if self.ladders.captures[self.color].contains(point)
                && self.ladders.threatened.contains(side)
            {
                caught = caught.max(self.lean.chain_len(side));
            } else if self.lean.liberties::<3>(side).count() == 2 {
                atari = true;
            }
        }
        if caught > 0 {
            found.push(feature(Group::Catch, size_class(caught)));
        }
        if atari {
            found.push(feature(Group::Atari, 0));
        }
    }

    fn loss(&self, point: Point, found: &mut Vec<usize>) {
        if is_self_atari(self.lean, point, self.color) {
            if is_good_sacrifice(self.lean, point, self.color) {
                found.push(feature(Group::Sacrifice, 0));
            } else {
                let stones = stones_after(self.lean, point, self.color);
                found.push(feature(Group::Waste, size_class(stones)));
            }
        }
    }

    fn eyes(&self, point: Point, found: &mut Vec<usize>) {
        for (place, owner) in [!self.color, self.color].into_iter().enumerate() {
            if vital_point(self.lean, point, owner) == Some(point) {
                found.push(feature(Group::Vital, place));
            }
        }
        if self.lean.is_surrounded(point, self.color) {
            found.push(feature(Group::Filling, 0));
        }
    }

    /// The corner of six by six points that a point is in.
    fn corner_of(&self, point: Point) -> PointSet {
        let size = self.board.size();
        let is_same_side = |a: u8, b: u8, length: u8| {
            let (from_start, from_end) = (b, length - 1 - b);
            if a < length / 2 {
                from_start < 6
            } else {
                from_end < 6
            }
        };
        size.points()
            .iter()
            .filter(|other| {
                is_same_side(point.x(), other.x(), size.width())
                    && is_same_side(point.y(), other.y(), size.height())
            })
            .collect()
    }

    fn place(&self, point: Point, found: &mut Vec<usize>) {
        for (group, other) in [(Group::Near, self.last), (Group::NearOwn, self.own_last)] {
            if let Some(other) = other {
                let across = point.x().abs_diff(other.x());
                let down = point.y().abs_diff(other.y());
                let distance = usize::from(across + down + across.max(down));
                found.push(feature(group, distance.saturating_sub(2).min(9)));
            }
        }
        let size = self.board.size();
        let across = point.x().min(size.width() - 1 - point.x());
        let down = point.y().min(size.height() - 1 - point.y());
        let line = across.min(down);
        let corner = match (line, across.max(down)) {
            (2, 2) => Some(0),
            (2, 3) => Some(1),
            (3, 3) => Some(2),
            (2, 4) => Some(3),
            (3, 4) => Some(4),
            _ => None,
        };
        if let Some(place) = corner
            && size.width().min(size.height()) >= 11
            && (self.corner_of(point) & self.stones).is_empty()
        {
            found.push(feature(Group::Corner, place));
        }
        let group = if self.near_stones.contains(point) {
            Group::Line
        } else {
            Group::OpenLine
        };
        found.push(feature(group, usize::from(line).min(5)));
    }
}
