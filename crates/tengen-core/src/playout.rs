//! Random play with a generator that the caller brings.

use rand_core::Rng;

use crate::board::Board;
use crate::chains::Chains;
use crate::color::Color;
use crate::game::Game;
use crate::moves::Move;
use crate::point::Point;
use crate::point_set::PointSet;
use crate::score::Settlement;
use crate::size::Size;

/// A number below `bound`, all equally likely up to one part in 2³² / `bound`.
#[inline]
fn below(rng: &mut impl Rng, bound: usize) -> usize {
    ((u64::from(rng.next_u32()) * bound as u64) >> 32) as usize
}

impl Game {
    /// One of the legal moves, a pass among them, all equally likely.
    #[inline]
    pub fn random_move(&self, rng: &mut impl Rng) -> Move {
        random_move_among(&self.legal_moves(), self.size(), rng)
    }
}

/// One of these points of a board of this size, or a pass, all equally likely.
#[inline]
pub fn random_move_among(legal: &PointSet, size: Size, rng: &mut impl Rng) -> Move {
    // Drawing from the whole board until a point is legal was measured against drawing a rank and finding its point: a
    // few draws are cheaper than the count of the set.
    let (area, width) = (size.area(), usize::from(size.width()));
    loop {
        let drawn = below(rng, area + 1);
        if drawn == area {
            return Move::Pass;
        }
        let point = Point::new((drawn % width) as u8, (drawn / width) as u8);
        if legal.contains(point) {
            return Move::Play(point);
        }
    }
}

/// Plays random games to the end: every legal point that is not an own eye is equally likely, simple ko and no suicide
/// are the rules, and two passes end the game. Keeps its memory from one playout to the next.
///
/// ```
/// use rand_core::SeedableRng;
/// use tengen_core::{Board, Color, LightPlayouts, Size};
///
/// let mut rng = rand_xoshiro::Xoshiro256PlusPlus::seed_from_u64(1);
/// let mut playouts = LightPlayouts::new(&Board::new(Size::square(9).unwrap()), Color::Black);
/// let end = playouts.run(&mut rng);
/// assert!(end.moves > 50 && end.margin.abs() <= 81);
/// ```
#[derive(Clone, Debug)]
pub struct LightPlayouts {
    start: Start,
    chains: Chains,
    empty: Vec<u16>,
}

/// Where every playout begins.
#[derive(Clone, Debug)]
struct Start {
    chains: Chains,
    to_move: Color,
    empty: Vec<u16>,
    /// Black stones less white ones.
    margin: i32,
    max_moves: u32,
}

/// How a playout ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlayoutEnd {
    /// The number of moves, passes included.
    pub moves: u32,
    /// Black's area less White's, without komi.
    pub margin: i32,
    /// The hash of the last board.
    pub hash: u64,
}

impl LightPlayouts {
    /// Playouts from this board.
    pub fn new(board: &Board, to_move: Color) -> Self {
        let start = Start {
            chains: board.lean().clone(),
            to_move,
            empty: board
                .empty_points()
                .iter()
                .map(|point| point.index() as u16)
                .collect(),
            margin: board.stones(Color::Black).len() as i32
                - board.stones(Color::White).len() as i32,
            // Simple ko lets longer cycles go on; three moves a point end them.
            max_moves: 3 * board.size().area() as u32,
        };
        Self {
            chains: start.chains.clone(),
            // Room for all points, so that captures never make it grow.
            empty: Vec::with_capacity(board.size().area()),
            start,
        }
    }

    /// Plays one game to the end.
    pub fn run(&mut self, rng: &mut impl Rng) -> PlayoutEnd {
        self.chains.clone_from(&self.start.chains);
        self.empty.clone_from(&self.start.empty);
        let mut stones = self.start.margin;
        let mut color = self.start.to_move;
        let mut passes = 0;
        let mut moves = 0;
        while passes < 2 && moves < self.start.max_moves {
            if let Some(cell) = self.choose(color, rng) {
                passes = 0;
                let before = self.empty.len();
                let empty = &mut self.empty;
                self.chains
                    .play(cell, color, |freed| empty.push(freed as u16));
                stones += color.sign(1 + (self.empty.len() - before) as i32);
            } else {
                passes += 1;
                self.chains.ko = None;
            }
            color = !color;
            moves += 1;
        }
        PlayoutEnd {
            moves,
            margin: if passes == 2 {
                stones + self.eyes()
            } else {
                self.area()
            },
            hash: self.chains.hash,
        }
    }

    /// Takes a cell that `color` may sensibly play out of the list of empty ones; all such cells are equally likely.
    #[inline]
    fn choose(&mut self, color: Color, rng: &mut impl Rng) -> Option<usize> {
        // Cells that were tried in vain this turn go to the end of the list, so that none is tried twice.
        let mut untried = self.empty.len();
        while untried > 0 {
            let place = below(rng, untried);
            let cell = usize::from(self.empty[place]);
            untried -= 1;
            self.empty[place] = self.empty[untried];
            if self.chains.is_sensible(cell, color) {
                self.empty.swap_remove(untried);
                return Some(cell);
            }
            self.empty[untried] = cell as u16;
        }
        None
    }

    /// The empty points that belong to Black less those that belong to White, after two passes.
    ///
    /// No two empty points are neighbours then: a point with an empty neighbour is legal and not an eye, so the player
    /// who passed last would have played it. Every empty region is one point, and its neighbours decide.
    fn eyes(&self) -> i32 {
        let owner = |cell: &u16| {
            let surrounded = |color| self.chains.surrounded(usize::from(*cell), color);
            i32::from(surrounded(Color::Black)) - i32::from(surrounded(Color::White))
        };
        self.empty.iter().map(owner).sum()
    }

    /// The area margin of a board that was not played to the end.
    #[cold]
    fn area(&self) -> i32 {
        let empty: PointSet = self
            .empty
            .iter()
            .map(|cell| Point::from_index(usize::from(*cell)))
            .collect();
        let stones = Color::BOTH.map(|color| {
            let of_color = |point: &Point| self.chains.content(point.index()) == color.into();
            (self.chains.size().points() - empty)
                .iter()
                .filter(of_color)
                .collect::<PointSet>()
        });
        let Ok(board) = Board::with_stones(self.chains.size(), stones.into()) else {
            unreachable!("a played board has no chain without liberties");
        };
        let area = board
            .owners(&Settlement::default())
            .map(|points| points.len() as i32);
        area.black - area.white
    }
}
