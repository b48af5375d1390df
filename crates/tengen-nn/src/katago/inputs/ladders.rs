//! Ladders as KataGo reads them.
//!
//! A ladder is a chase in which the attacker always leaves the chain one liberty. Every ko is taken to work for the
//! defender: an attack that leaves a simple ko has failed, and a ko point of the board does not bind the defender. The
//! project's own reader (`Board::ladders`) lets simple ko bind both sides and so sees other ladders.

use tengen_core::{ByColor, Color, Content, FewLiberties, LeanBoard, Point, PointSet};

/// What ladders say of a board.
#[derive(Clone, Copy, Default)]
pub(super) struct Ladders {
    /// The stones of chains with one liberty that cannot escape, and with two that the enemy can catch.
    pub(super) caught: PointSet,
    /// The attacks that catch a chain of this colour with two liberties.
    pub(super) attacks: ByColor<PointSet>,
}

/// So many stones are put down for one ladder; one that needs more is taken not to work.
const BUDGET: u32 = 25_000;

/// Reads ladders; keeps its memory from board to board.
#[derive(Default)]
pub(super) struct LadderReader {
    /// A stone of each chain that may be in a ladder, and its liberties.
    targets: Vec<(Point, FewLiberties<3>)>,
    /// The captured stones of all moves on the board, one after the other.
    removed: Vec<Point>,
    /// The moves that the defender has yet to try, for all moves on the board, one after the other.
    moves: Vec<Point>,
}

impl LadderReader {
    /// What ladders say of this board, which is left as it was but for the stones that represent its chains.
    pub(super) fn read(&mut self, board: &mut LeanBoard) -> Ladders {
        let mut ladders = Ladders::default();
        let size = board.size();
        self.targets.clear();
        for y in 0..size.height() {
            for x in 0..size.width() {
                let stone = Point::new(x, y);
                if is_stone(board.content(stone)) && board.head(stone) == stone {
                    let liberties = board.liberties::<3>(stone);
                    if liberties.count() < 3 {
                        self.targets.push((stone, liberties));
                    }
                }
            }
        }
        let mut targets = std::mem::take(&mut self.targets);
        for &(stone, liberties) in &targets {
            let Some(owner) = color_of(board.content(stone)) else {
                continue;
            };
            let mut chase = Chase {
                longest: size.area() * 3 / 2,
                board,
                stone,
                owner,
                nodes: 0,
                removed: &mut self.removed,
                moves: &mut self.moves,
            };
            let caught = match liberties.count() {
                1 => chase.catches_now(),
                _ => {
                    let attacks = chase.attacks(&liberties);
                    ladders.attacks[owner] |= attacks;
                    !attacks.is_empty()
                }
            };
            if caught {
                ladders.caught.extend(board.members(stone));
            }
        }
        targets.clear();
        self.targets = targets;
        ladders
    }
}

fn is_stone(content: Content) -> bool {
    matches!(content, Content::Black | Content::White)
}

fn color_of(content: Content) -> Option<Color> {
    match content {
        Content::Black => Some(Color::Black),
        Content::White => Some(Color::White),
        Content::Empty | Content::OffBoard => None,
    }
}

/// One chain that is chased.
///
/// The two sides call each other for every stone, at most `longest` deep.
struct Chase<'a> {
    board: &'a mut LeanBoard,
    stone: Point,
    owner: Color,
    longest: usize,
    /// How many stones were put down so far.
    nodes: u32,
    removed: &'a mut Vec<Point>,
    moves: &'a mut Vec<Point>,
}

/// What it takes to take a stone back.
struct Put {
    point: Point,
    color: Color,
    ko: Option<Point>,
    /// Where the stones that it captured begin.
    removed: usize,
}

impl Chase<'_> {
    /// Is the chain, which has one liberty, lost although its owner has the move? No ko binds the owner.
    fn catches_now(&mut self) -> bool {
        self.nodes = 0;
        let ko = self.board.ko();
        self.board.pass();
        let caught = self.is_caught(0);
        self.board.set_ko(ko);
        caught && self.nodes < BUDGET
    }

    /// The attacks that catch the chain, which has these two liberties.
    fn attacks(&mut self, liberties: &FewLiberties<3>) -> PointSet {
        let mut works = PointSet::EMPTY;
        let &[Some(a), Some(b)] = liberties.as_slice() else {
            return works;
        };
        let apart = !LeanBoard::beside(a).contains(&b);
        for (attack, escape) in [(a, b), (b, a)] {
            // Seeing that the chain escapes is cheaper than putting a stone down and taking it back.
            if apart && self.board.empty_beside(escape) >= 3 {
                continue;
            }
            if self.may_play(attack, !self.owner) {
                let put = self.put(attack, !self.owner);
                if self.board.last_liberty(self.stone).is_some() && self.catches_now() {
                    works.insert(attack);
                }
                self.take_back(&put);
            }
        }
        works
    }

    /// Is the chain lost with its owner to move, so many stones deep in the chase?
    fn is_caught(&mut self, depth: usize) -> bool {
        if depth >= self.longest {
            return true;
        }
        let Some(last) = self.board.last_liberty(self.stone) else {
            return false;
        };
        if self.board.ko().is_some() || self.nodes >= BUDGET {
            return false;
        }
        let bottom = self.moves.len();
        self.find_rescues(bottom);
        if !self.moves[bottom..].contains(&last) {
            self.moves.push(last);
        }
        let count = self.moves.len() - bottom;
        let bounds = self.liberties_after(self.moves[bottom + count - 1]);
        let mut caught = true;
        if bounds.least >= 3 {
            caught = false;
        } else if count > 1 || bounds.most > 1 {
            for number in 0..count {
                let point = self.moves[bottom + number];
                if !self.may_play(point, self.owner) {
                    continue;
                }
                let put = self.put(point, self.owner);
                caught = self.is_catchable(depth + 1);
                self.take_back(&put);
                if !caught {
                    break;
                }
            }
        }
        self.moves.truncate(bottom);
        caught
    }

    /// Is the chain lost with the enemy to move, so many stones deep in the chase?
    fn is_catchable(&mut self, depth: usize) -> bool {
        if depth >= self.longest {
            return true;
        }
        let liberties = self.board.liberties::<3>(self.stone);
        let (a, b) = match *liberties.as_slice() {
            [Some(a), Some(b)] => (a, b),
            [_, _, _] => return false,
            _ => return true,
        };
        if self.nodes >= BUDGET {
            return false;
        }
        let (at_a, at_b) = (self.board.empty_beside(a), self.board.empty_beside(b));
        if at_a == 0 && at_b == 0 && self.is_double_ko(a, b) {
            return true;
        }
        // An attack on one liberty leaves the other to the owner, who has three there if three points are empty.
        let (mut first, mut second) = (Some(a), Some(b));
        if !LeanBoard::beside(a).contains(&b) {
            if at_b >= 3 {
                first = None;
            }
            if at_a >= 3 {
                second = None;
            }
        }
        // Where the owner would get more room is tried first.
        if 2 * at_b + self.room_of_friends(b) > 2 * at_a + self.room_of_friends(a) {
            (first, second) = (second, first);
        }
        for attack in [first, second].into_iter().flatten() {
            if !self.may_play(attack, !self.owner) {
                continue;
            }
            let put = self.put(attack, !self.owner);
            let caught = self.is_caught(depth + 1);
            self.take_back(&put);
            if caught {
                return true;
            }
        }
        false
    }

    /// Are both liberties mouths of a ko, with nothing to gain by filling one and nothing to capture? Then the chain is
    /// taken to be lost: one of the two is always there for the enemy.
    fn is_double_ko(&self, a: Point, b: Point) -> bool {
        [a, b].iter().all(|mouth| self.is_ko_mouth(*mouth))
            && [a, b]
                .iter()
                .all(|mouth| self.connected_liberties(*mouth) < 3)
            && !self.has_rescues()
    }

    /// Would an enemy stone on this point capture a single stone, with all points beside it the owner's?
    fn is_ko_mouth(&self, point: Point) -> bool {
        let board = &*self.board;
        if !board.is_surrounded(point, self.owner) {
            return false;
        }
        let owned = Content::from(self.owner);
        let mut doomed = LeanBoard::beside(point)
            .into_iter()
            .filter(|cell| board.content(*cell) == owned && board.in_atari(*cell));
        match (doomed.next(), doomed.next()) {
            (Some(stone), None) => board.chain_len(stone) == 1,
            _ => false,
        }
    }

    /// The liberties, up to three, that the owner's chains would have after a stone that joins them all here.
    fn connected_liberties(&self, point: Point) -> usize {
        let board = &*self.board;
        let mut found = FewLiberties::<3>::none();
        for head in board.joins(point, self.owner) {
            for stone in board.members(head) {
                for cell in LeanBoard::beside(stone) {
                    if cell != point && board.content(cell) == Content::Empty && found.add(cell) {
                        return 3;
                    }
                }
            }
        }
        found.count()
    }

    /// Twice the liberties, less three, of all chains of the owner beside a point; an order of attacks, no more.
    fn room_of_friends(&self, point: Point) -> usize {
        let owned = Content::from(self.owner);
        LeanBoard::beside(point)
            .into_iter()
            .filter(|cell| self.board.content(*cell) == owned)
            .map(|cell| match self.board.liberties::<4>(cell).count() {
                0 | 1 => 0,
                liberties => 2 * liberties - 3,
            })
            .sum()
    }

    /// How many liberties a stone of the owner on this point would have, between bounds that are cheap to find.
    fn liberties_after(&self, point: Point) -> Bounds {
        let board = &*self.board;
        let owned = Content::from(self.owner);
        let mut empty = 0;
        let (mut captures, mut captured) = (0, 0);
        let (mut largest, mut joined) = (0, 0);
        for cell in LeanBoard::beside(point) {
            match board.content(cell) {
                Content::Empty => empty += 1,
                Content::OffBoard => {}
                stone if stone == owned => {
                    // More than four liberties change neither bound where it is looked at.
                    let others = board.liberties::<4>(cell).count() - 1;
                    joined += others;
                    largest = largest.max(others);
                }
                _ => {
                    if board.in_atari(cell) {
                        captures += 1;
                        captured += board.chain_len(cell);
                    }
                }
            }
        }
        Bounds {
            least: captures + empty.max(largest),
            most: empty + captured + joined,
        }
    }

    /// Pushes where the owner captures a chain beside the target.
    fn find_rescues(&mut self, bottom: usize) {
        let enemy = Content::from(!self.owner);
        for stone in self.board.members(self.stone) {
            for cell in LeanBoard::beside(stone) {
                if self.board.content(cell) == enemy
                    && let Some(at) = self.board.last_liberty(cell)
                    && !self.moves[bottom..].contains(&at)
                {
                    self.moves.push(at);
                }
            }
        }
    }

    /// Can the owner capture a chain beside the target?
    fn has_rescues(&self) -> bool {
        let enemy = Content::from(!self.owner);
        self.board.members(self.stone).any(|stone| {
            LeanBoard::beside(stone)
                .into_iter()
                .any(|cell| self.board.content(cell) == enemy && self.board.in_atari(cell))
        })
    }

    /// Is a stone on this empty point neither suicide nor the retaking of a ko?
    fn may_play(&self, point: Point, color: Color) -> bool {
        self.board.ko() != Some(point) && self.board.breathes(point, color)
    }

    fn put(&mut self, point: Point, color: Color) -> Put {
        let put = Put {
            point,
            color,
            ko: self.board.ko(),
            removed: self.removed.len(),
        };
        self.nodes += 1;
        let removed = &mut *self.removed;
        self.board.play(point, color, |stone| removed.push(stone));
        put
    }

    fn take_back(&mut self, put: &Put) {
        let captured = &self.removed[put.removed..];
        self.board.retract(put.point, put.color, captured, put.ko);
        self.removed.truncate(put.removed);
    }
}

/// A number is at least and at most this.
struct Bounds {
    least: usize,
    most: usize,
}
