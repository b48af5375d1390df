//! How many points a player is sure of, whatever the other one does.
//!
//! `docs/proofs.md` states the bound and proves it, under the heading with that name. Sets of points are a bit a point
//! here, in reading order, because the bound is asked for at every leaf; the tests compare it with the same rule on the
//! sets of `tengen-core`.

use tengen_core::Size;

/// Whose turn it is, as the prover sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mover {
    /// The one who wants to be sure of points.
    Prover,
    /// The other one.
    Opponent,
}

/// The prover is sure of this many points at the end of the game.
///
/// ```
/// use tengen_core::Size;
/// use tengen_solver::verify::{Mover, guaranteed};
/// // One eye on the left is not enough.
/// let stones = 0b0010;
/// assert_eq!(guaranteed(Size::new(4, 1).unwrap(), stones, 0, Mover::Opponent), 0);
/// // Two eyes are.
/// assert_eq!(guaranteed(Size::new(3, 1).unwrap(), 0b010, 0, Mover::Opponent), 3);
/// ```
pub fn guaranteed(size: Size, prover: u64, opponent: u64, mover: Mover) -> u32 {
    Lines::of(size).guaranteed(prover, opponent, mover)
}

/// The lines of a board, for stepping along them with whole sets.
#[derive(Clone, Copy)]
pub(super) struct Lines {
    width: u32,
    all: u64,
    /// All points but those of the last column, and but those of the first.
    not_last: u64,
    not_first: u64,
}

/// Stones of the prover that are alive for certain, and the points between them on which the prover may have to play.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Holding {
    pub(super) alive: u64,
    pub(super) territory: u64,
}

/// As many sets as there can be chains or regions on a board.
struct Sets {
    sets: [u64; 64],
    len: usize,
}

impl Lines {
    /// The lines of a board of at most 64 points.
    pub(super) fn of(size: Size) -> Self {
        let width = u32::from(size.width());
        let all = u64::MAX >> (64 - size.area());
        let column = |x: u32| {
            let rows = 0..u32::from(size.height());
            rows.fold(0, |set, y| set | 1_u64 << (y * width + x))
        };
        Self {
            width,
            all,
            not_last: all & !column(width - 1),
            not_first: all & !column(0),
        }
    }

    /// The points in each of the four directions from those of a set.
    const fn steps(&self, set: u64) -> [u64; 4] {
        [
            // A board of 64 rows or columns does not exist, so no shift is by 64.
            set >> self.width,
            (set & self.not_first) >> 1,
            (set & self.not_last) << 1,
            set << self.width & self.all,
        ]
    }

    /// The points beside those of a set.
    const fn beside(&self, set: u64) -> u64 {
        let [above, left, right, below] = self.steps(set);
        above | left | right | below
    }

    /// The points beside exactly one of a set.
    const fn beside_one(&self, set: u64) -> u64 {
        let [a, b, c, d] = self.steps(set);
        let two = a & b | c & d | (a | b) & (c | d);
        (a | b | c | d) & !two
    }

    /// The connected parts of a set.
    fn parts(&self, set: u64) -> Sets {
        let mut parts = Sets {
            sets: [0; 64],
            len: 0,
        };
        let mut rest = set;
        while rest != 0 {
            let mut part = rest & rest.wrapping_neg();
            loop {
                let grown = (part | self.beside(part)) & rest;
                if grown == part {
                    break;
                }
                part = grown;
            }
            parts.sets[parts.len] = part;
            parts.len += 1;
            rest &= !part;
        }
        parts
    }

    /// The prover is sure of this many points.
    pub(super) fn guaranteed(&self, prover: u64, opponent: u64, mover: Mover) -> u32 {
        self.holding(prover, opponent, mover).points()
    }

    /// The stones and the regions of which the prover is sure.
    pub(super) fn holding(&self, prover: u64, opponent: u64, mover: Mover) -> Holding {
        let mut chains = self.parts(prover);
        let mut regions = self.parts(self.all & !prover);
        let mut alive;
        loop {
            let before = (chains.len, regions.len);
            alive = 0;
            let mut kept = 0;
            for at in 0..chains.len {
                let chain = chains.sets[at];
                let touched = self.beside(chain);
                let vital = regions.iter().filter(|region| *region & !touched == 0);
                if vital.take(2).count() == 2 {
                    alive |= chain;
                    chains.sets[kept] = chain;
                    kept += 1;
                }
            }
            chains.len = kept;
            if alive == 0 {
                return Holding::default();
            }
            let lost = self.beside(prover & !alive);
            let mut kept = 0;
            for at in 0..regions.len {
                let region = regions.sets[at];
                if region & lost == 0 {
                    regions.sets[kept] = region;
                    kept += 1;
                }
            }
            regions.len = kept;
            if before == (chains.len, regions.len) {
                break;
            }
        }

        let touched = self.beside(alive);
        let empty = self.all & !prover & !opponent;
        let mut territory = 0;
        let mut with_the_move = 0_u64;
        for region in regions.iter() {
            let inner = region & !touched;
            let links = empty & touched & self.beside_one(inner);
            let mut short = 0;
            let mut cut_off = 0;
            let mut rest = inner;
            while rest != 0 {
                let point = rest & rest.wrapping_neg();
                rest &= !point;
                match (self.beside(point) & links).count_ones() {
                    0 => cut_off += 1,
                    1 => short += 1,
                    _ => {}
                }
            }
            match (cut_off, short, mover) {
                (0, 0, _) => territory |= region,
                (0, 1, Mover::Prover) if region.count_ones() > with_the_move.count_ones() => {
                    with_the_move = region;
                }
                _ => {}
            }
        }
        Holding {
            alive,
            territory: territory | with_the_move,
        }
    }
}

impl Holding {
    /// All of it is the prover's at the end of the game.
    pub(super) const fn points(&self) -> u32 {
        (self.alive | self.territory).count_ones()
    }
}

impl Sets {
    fn iter(&self) -> impl Iterator<Item = u64> {
        self.sets[..self.len].iter().copied()
    }
}
