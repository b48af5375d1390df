//! What a player is sure of, and the bounds on the score that follow.
//!
//! The bound is the one that certificates end with: `docs/proofs.md` states and proves it, and the checker has its own
//! implementation. In short: chains with two regions all of whose points touch them are alive; a region between alive
//! chains is theirs if each point of it that touches none of them (an inner point) can still be reached by two links:
//! empty points that touch a living chain and no other inner point. Where the owner is to move, one inner point of one
//! region may have a single link.

use crate::bound::Bound;
use crate::geometry::Geometry;
use crate::position::{Position, turn_of};

/// What the owner of some stones is sure of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Owned {
    /// The stones that cannot be captured.
    pub(crate) alive: u64,
    /// The regions between them: the owner plays nowhere else to make sure of the points.
    pub(crate) territory: u64,
    /// How many points that is at the end, at least.
    pub(crate) points: u32,
}

/// Is the score of the board as it stands enough for a bound?
pub(crate) fn wins(geometry: &Geometry, bound: Bound, position: &Position) -> bool {
    bound.holds_for(position.margin(geometry))
}

/// What follows for a bound from stones that are alive for certain: that it is reached, that it is out of reach, or
/// nothing.
pub(crate) fn life_decides(geometry: &Geometry, bound: Bound, position: &Position) -> Option<bool> {
    let area = geometry.area as i32;
    let threshold = bound.threshold();
    let prover = usize::from(turn_of(bound.prover));
    let [own, enemy] = [position.stones[prover], position.stones[prover ^ 1]];
    let owner_moves = usize::from(position.turn) == prover;
    // 2 |owned| - area >= threshold.
    let needed = (threshold + area + 1).div_euclid(2).max(0) as u32;
    if needed == 0 {
        return Some(true);
    }
    if owned(geometry, own, enemy, owner_moves, needed) != 0 {
        // After the prover's pass the enemy may end the game at once, dead stones still standing.
        let may_end = position.passed && !owner_moves;
        if !may_end || wins(geometry, bound, position) {
            return Some(true);
        }
    }
    // area - 2 |owned| < threshold.
    let needed = ((area - threshold).div_euclid(2) + 1).max(1) as u32;
    if owned(geometry, enemy, own, !owner_moves, needed) != 0 {
        let may_end = position.passed && owner_moves;
        if !may_end || !wins(geometry, bound, position) {
            return Some(false);
        }
    }
    None
}

/// How many points the owner of the stones is sure of, or 0 if that is less than needed.
pub(crate) fn owned(
    geometry: &Geometry,
    stones: u64,
    enemy: u64,
    owner_moves: bool,
    needed: u32,
) -> u32 {
    sure(geometry, stones, enemy, owner_moves, needed).points
}

/// What the owner of the stones is sure of, or nothing if that is less than needed.
pub(crate) fn sure(
    geometry: &Geometry,
    stones: u64,
    enemy: u64,
    owner_moves: bool,
    needed: u32,
) -> Owned {
    let others = geometry.mask & !stones;
    let touching = geometry.beside(stones);
    let inner = others & !touching;
    let mut closed = others;
    let mut short = 0;
    let mut mine = others;
    if inner != 0 {
        let (beside, beside_two) = geometry.beside_one_and_two(inner);
        let links = others & !enemy & touching & beside & !beside_two;
        let (linked, linked_twice) = geometry.beside_one_and_two(links);
        let cut_off = inner & if owner_moves { !linked } else { !linked_twice };
        short = inner & !linked_twice;
        mine &= !geometry.flood(cut_off, others);
        if (stones | mine).count_ones() < needed {
            return Owned::default();
        }
        closed &= !geometry.flood(inner, others);
    }
    let alive = alive(geometry, stones, closed);
    if alive == 0 {
        return Owned::default();
    }
    let lost = stones & !alive;
    let mine = mine & !geometry.flood(geometry.beside(lost), others);
    let mut sure = alive | mine;
    let mut with_the_move = 0;
    // Regions in which something is missing count only one at a time.
    let mut doubtful = short & mine;
    while doubtful != 0 {
        let point = doubtful & doubtful.wrapping_neg();
        let region = geometry.flood(point, others);
        sure &= !region;
        if doubtful & region == point {
            with_the_move = with_the_move.max(region.count_ones());
        }
        doubtful &= !region;
    }
    let points = sure.count_ones() + with_the_move;
    if points < needed {
        return Owned::default();
    }
    Owned {
        alive,
        territory: mine,
        points,
    }
}

/// The chains with two vital regions among those whose points all touch stones, which border on such chains alone.
fn alive(geometry: &Geometry, stones: u64, closed: u64) -> u64 {
    let mut regions = [0; MOST];
    let mut region_count = components(geometry, closed, &mut regions);
    if region_count < 2 {
        return 0;
    }
    let mut chains = [0; MOST];
    let candidates = geometry.flood(geometry.beside(closed) & stones, stones);
    let mut chain_count = components(geometry, candidates, &mut chains);
    loop {
        let before = (chain_count, region_count);
        let mut alive = 0;
        let mut kept = 0;
        for at in 0..chain_count {
            let chain = chains[at];
            let touched = geometry.beside(chain);
            let vital = regions[..region_count]
                .iter()
                .filter(|region| *region & !touched == 0);
            if vital.take(2).count() == 2 {
                chains[kept] = chain;
                kept += 1;
                alive |= chain;
            }
        }
        chain_count = kept;
        if alive == 0 {
            return 0;
        }
        kept = 0;
        for at in 0..region_count {
            let region = regions[at];
            if geometry.beside(region) & stones & !alive == 0 {
                regions[kept] = region;
                kept += 1;
            }
        }
        region_count = kept;
        if before == (chain_count, region_count) {
            return alive;
        }
    }
}

/// No board of 36 points has more chains of a colour, or regions between them, than this.
const MOST: usize = 20;

fn components(geometry: &Geometry, set: u64, into: &mut [u64; MOST]) -> usize {
    let mut left = set;
    let mut count = 0;
    while left != 0 {
        let component = geometry.flood(left & left.wrapping_neg(), left);
        left &= !component;
        into[count] = component;
        count += 1;
    }
    count
}
