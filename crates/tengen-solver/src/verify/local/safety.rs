//! Stones that cannot be captured in the local game even if their owner always passes.

use tengen_core::{Board, Color, PointSet};

/// The defender's stones that are safe when stones are put down in the region only: Benson's algorithm, in which chains
/// with a liberty beyond the region live without eyes.
pub(super) fn safe_stones(board: &Board, region: &PointSet, defender: Color) -> PointSet {
    let own = *board.stones(defender);
    let (anchored, mut chains): (Vec<_>, Vec<_>) = board
        .chains()
        .filter(|chain| chain.color == defender)
        .partition(|chain| !(chain.liberties - *region).is_empty());
    // An eye is closed by the defender's stones and the edge alone.
    let is_closed = |part: &PointSet| {
        let around = part.neighbors() & *board.points();
        (around - *part - own).is_empty()
    };
    let empty = board.empty_points();
    let mut eyes: Vec<PointSet> = (*region - own).components().filter(is_closed).collect();
    loop {
        let before = (chains.len(), eyes.len());
        let mut lost = PointSet::EMPTY;
        chains.retain(|chain| {
            let is_vital = |eye: &&PointSet| (**eye & empty).is_subset(&chain.liberties);
            let lives = eyes.iter().filter(is_vital).count() >= 2;
            if !lives {
                lost |= chain.stones;
            }
            lives
        });
        let beside_lost = lost.neighbors();
        eyes.retain(|eye| eye.is_disjoint(&beside_lost));
        if before == (chains.len(), eyes.len()) {
            break;
        }
    }
    let safe = anchored.iter().chain(&chains);
    safe.fold(PointSet::EMPTY, |safe, chain| safe | chain.stones)
}
