//! Games played to the end by habits.

use rand_core::Rng;
use tengen_core::{Board, Color, Content, LeanBoard, Point};

use super::patterns::Patterns;
use super::tactics::{
    is_good_sacrifice, is_self_atari, liberties_after, looks_caught, vital_point,
};
use crate::tuning::Tuning;

/// Plays games to the end: answers to the last move first, and any sensible point if there is none.
#[derive(Debug)]
pub(crate) struct RolloutGame {
    board: LeanBoard,
    /// The empty points in any order, and the place of each in it.
    empty: Vec<Point>,
    place: Box<[u16; Point::INDICES]>,
    patterns: Patterns,
    habits: Habits,
    /// What was played, in order.
    moves: Vec<(Color, Point)>,
    candidates: Vec<Point>,
    /// Black stones less white ones.
    stones: i32,
}

/// Probabilities, as thresholds for a random 32-bit number.
#[derive(Debug)]
struct Habits {
    atari: u32,
    two_liberties: u32,
    nakade: u32,
    pattern: u32,
    self_atari: u32,
}

impl Habits {
    fn new(tuning: &Tuning) -> Self {
        let threshold = |probability: f32| (probability * 2_f32.powi(32)) as u32;
        Self {
            atari: threshold(tuning.rollout_atari),
            two_liberties: threshold(tuning.rollout_two_liberties),
            nakade: threshold(tuning.rollout_nakade),
            pattern: threshold(tuning.rollout_pattern),
            self_atari: threshold(tuning.rollout_self_atari),
        }
    }
}

/// A number below `bound`, all equally likely up to one part in 2³² / `bound`.
#[inline]
fn below(rng: &mut impl Rng, bound: usize) -> usize {
    ((u64::from(rng.next_u32()) * bound as u64) >> 32) as usize
}

impl RolloutGame {
    pub(crate) fn new(board: &Board, tuning: &Tuning) -> Self {
        Self {
            board: LeanBoard::new(board),
            empty: Vec::with_capacity(board.size().area()),
            place: Box::new([0; Point::INDICES]),
            patterns: Patterns::new(),
            habits: Habits::new(tuning),
            moves: Vec::new(),
            candidates: Vec::new(),
            stones: 0,
        }
    }

    /// What was played in the last game, in order, passes left out.
    pub(crate) fn moves(&self) -> &[(Color, Point)] {
        &self.moves
    }

    /// Plays a game from a board to its end and returns Black's area less White's.
    ///
    /// `last` are the last two moves, the later first.
    pub(crate) fn play(
        &mut self,
        board: &Board,
        to_move: Color,
        mut last: [Option<Point>; 2],
        rng: &mut impl Rng,
    ) -> i32 {
        self.board.copy_from(board);
        self.empty.clear();
        for point in board.empty_points() {
            self.place[point.index()] = self.empty.len() as u16;
            self.empty.push(point);
        }
        self.moves.clear();
        let count = board.count_stones();
        self.stones = count.black as i32 - count.white as i32;
        let area = board.size().area();
        // Who is ahead by so many stones has won, and the rest need not be played.
        let mercy = (area as i32 * 2) / 5;
        let mut color = to_move;
        let mut passes = 0;
        for _ in 0..3 * area {
            match self.choose(color, last, rng) {
                Some(point) => {
                    passes = 0;
                    self.put(point, color);
                    last = [Some(point), last[0]];
                    if self.stones.abs() > mercy {
                        break;
                    }
                }
                None => {
                    passes += 1;
                    if passes == 2 {
                        break;
                    }
                    self.board.pass();
                    last = [None, last[0]];
                }
            }
            color = !color;
        }
        self.margin()
    }

    /// The owner of a point after the game, if it has one.
    #[inline]
    pub(crate) fn owner(&self, point: Point) -> Option<Color> {
        match self.board.content(point) {
            Content::Black => Some(Color::Black),
            Content::White => Some(Color::White),
            _ if self.board.is_surrounded(point, Color::Black) => Some(Color::Black),
            _ if self.board.is_surrounded(point, Color::White) => Some(Color::White),
            _ => None,
        }
    }

    /// Black's area less White's; what is still open is nobody's.
    fn margin(&self) -> i32 {
        let eyes = |color| {
            let surrounded = |point: &&Point| self.board.is_surrounded(**point, color);
            self.empty.iter().filter(surrounded).count() as i32
        };
        self.stones + eyes(Color::Black) - eyes(Color::White)
    }

    #[inline]
    fn put(&mut self, point: Point, color: Color) {
        let place = usize::from(self.place[point.index()]);
        self.empty.swap_remove(place);
        if let Some(moved) = self.empty.get(place) {
            self.place[moved.index()] = place as u16;
        }
        let before = self.empty.len();
        let (empty, places) = (&mut self.empty, &mut self.place);
        self.board.play(point, color, |freed| {
            places[freed.index()] = empty.len() as u16;
            empty.push(freed);
        });
        self.stones += color.sign(1 + (self.empty.len() - before) as i32);
        self.moves.push((color, point));
    }

    #[inline]
    fn choose(
        &mut self,
        color: Color,
        last: [Option<Point>; 2],
        rng: &mut impl Rng,
    ) -> Option<Point> {
        if let Some(stone) = last[0]
            && let Some(answer) = self.answer(stone, last[1], color, rng)
        {
            return Some(answer);
        }
        self.anywhere(color, rng)
    }

    /// An answer to the last stone, which the enemy has played.
    #[inline]
    fn answer(
        &mut self,
        stone: Point,
        before: Option<Point>,
        color: Color,
        rng: &mut impl Rng,
    ) -> Option<Point> {
        if self.board.content(stone) != Content::from(!color) {
            return None;
        }
        self.candidates.clear();
        if rng.next_u32() < self.habits.atari {
            self.find_ataris(stone, color);
            if let Some(point) = self.pick(color, rng) {
                return Some(point);
            }
        }
        if rng.next_u32() < self.habits.nakade
            && let Some(vital) = self.nakade(stone, color)
        {
            return Some(vital);
        }
        if rng.next_u32() < self.habits.two_liberties {
            self.candidates.clear();
            self.find_two_liberties(stone, color);
            if let Some(point) = self.pick(color, rng) {
                return Some(point);
            }
        }
        if rng.next_u32() < self.habits.pattern {
            self.candidates.clear();
            self.find_patterns(stone, color);
            if let Some(before) = before
                && self.candidates.is_empty()
            {
                self.find_patterns(before, color);
            }
            return self.pick(color, rng);
        }
        None
    }

    /// One of the candidates that may be played, all equally likely.
    fn pick(&mut self, color: Color, rng: &mut impl Rng) -> Option<Point> {
        while !self.candidates.is_empty() {
            let point = self
                .candidates
                .swap_remove(below(rng, self.candidates.len()));
            if self.board.is_sensible(point, color) && !self.is_waste(point, color) {
                return Some(point);
            }
        }
        None
    }

    /// Is this stone lost at once and for nothing?
    #[inline]
    fn is_waste(&self, point: Point, color: Color) -> bool {
        is_self_atari(&self.board, point, color) && !is_good_sacrifice(&self.board, point, color)
    }

    /// Captures, and what saves chains that the last stone put in atari.
    fn find_ataris(&mut self, stone: Point, color: Color) {
        let own = Content::from(color);
        if let Some(capture) = self.board.last_liberty(stone) {
            self.candidates.push(capture);
        }
        for side in LeanBoard::beside(stone) {
            if self.board.content(side) != own {
                continue;
            }
            let Some(last) = self.board.last_liberty(side) else {
                continue;
            };
            self.find_rescues(side, color);
            let after = liberties_after::<3>(&self.board, last, color);
            let runs = match after.count() {
                0 | 1 => false,
                2 => !self.is_narrow(after.as_slice()),
                _ => true,
            };
            if runs {
                self.candidates.push(last);
            }
        }
    }

    /// Does none of these liberties lead into the open?
    fn is_narrow(&self, liberties: &[Option<Point>]) -> bool {
        let mut points = liberties.iter().flatten();
        points.all(|point| self.board.empty_beside(*point) < 2)
    }

    /// Captures of enemy chains in atari that touch this chain.
    fn find_rescues(&mut self, stone: Point, color: Color) {
        let enemy = Content::from(!color);
        for member in self.board.members(stone) {
            for side in LeanBoard::beside(member) {
                if self.board.content(side) == enemy
                    && let Some(capture) = self.board.last_liberty(side)
                    && !self.candidates.contains(&capture)
                {
                    self.candidates.push(capture);
                }
            }
        }
    }

    /// The vital point of a small space beside the last stone.
    fn nakade(&self, stone: Point, color: Color) -> Option<Point> {
        LeanBoard::beside(stone)
            .into_iter()
            .filter(|side| self.board.content(*side) == Content::Empty)
            .find_map(|side| {
                vital_point(&self.board, side, !color).filter(|vital| {
                    self.board.ko() != Some(*vital) && self.board.breathes(*vital, color)
                })
            })
    }

    /// Attacks on the last stone's chain and defences of chains beside it, if they have two liberties.
    fn find_two_liberties(&mut self, stone: Point, color: Color) {
        let attacked = self.board.liberties::<3>(stone);
        if let &[Some(a), Some(b)] = attacked.as_slice() {
            for (attack, escape) in [(a, b), (b, a)] {
                if looks_caught(&self.board, escape, attack, !color) {
                    self.candidates.push(attack);
                }
            }
        }
        let own = Content::from(color);
        let mut seen = [None; 4];
        for (turn, side) in LeanBoard::beside(stone).into_iter().enumerate() {
            if self.board.content(side) != own {
                continue;
            }
            let head = self.board.head(side);
            if seen.contains(&Some(head)) {
                continue;
            }
            seen[turn] = Some(head);
            let liberties = self.board.liberties::<3>(side);
            if let &[Some(a), Some(b)] = liberties.as_slice() {
                self.find_rescues(side, color);
                for way in [a, b] {
                    if liberties_after::<3>(&self.board, way, color).count() == 3 {
                        self.candidates.push(way);
                    }
                }
            }
        }
    }

    /// The points around a stone whose surroundings are a known shape.
    fn find_patterns(&mut self, stone: Point, _color: Color) {
        for point in LeanBoard::beside(stone)
            .into_iter()
            .chain(LeanBoard::diagonal(stone))
        {
            if self.board.content(point) == Content::Empty
                && self.patterns.contain(self.board.surroundings(point))
            {
                self.candidates.push(point);
            }
        }
    }

    /// Any sensible point; those that throw stones away only if chance has it.
    #[inline]
    fn anywhere(&mut self, color: Color, rng: &mut impl Rng) -> Option<Point> {
        // Points that were tried in vain go to the end of the list, so that none is tried twice.
        let mut untried = self.empty.len();
        while untried > 0 {
            let place = below(rng, untried);
            let point = self.empty[place];
            untried -= 1;
            self.empty.swap(place, untried);
            self.place[self.empty[place].index()] = place as u16;
            self.place[point.index()] = untried as u16;
            if self.board.is_sensible(point, color)
                && !(rng.next_u32() < self.habits.self_atari && self.is_waste(point, color))
            {
                return Some(point);
            }
        }
        None
    }
}
