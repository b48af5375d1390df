//! Stones that no sequence of enemy moves can capture, even if their owner always passes.
//!
//! Benson's algorithm: of all chains of a colour and all regions between them, keep the chains with two vital regions
//! and the regions that only kept chains border on, until nothing changes.

use crate::board::Board;
use crate::color::Color;
use crate::point_set::PointSet;
use crate::rules::Suicide;

/// What one colour owns for certain, whatever the enemy plays and even if the colour always passes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PassAlive {
    /// The stones that cannot be captured.
    pub stones: PointSet,
    /// The regions inside, enemy stones included, where the enemy can never live: every empty point there is a liberty
    /// of one of these chains.
    pub territory: PointSet,
}

impl Board {
    /// The pass-alive stones of a colour, and the territory that they are sure of.
    ///
    /// ```
    /// use tengen_core::{Color, Setup, Suicide};
    /// let board = ". X . X .\nX X X X .\n. . . . .".parse::<Setup>()?.board()?;
    /// let alive = board.pass_alive(Color::Black, Suicide::Forbidden);
    /// assert_eq!((alive.stones.len(), alive.territory.len()), (6, 2));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn pass_alive(&self, color: Color, suicide: Suicide) -> PassAlive {
        let own = *self.stones(color);
        let empty = self.empty_points();
        let mut chains: Vec<PointSet> = own.components().collect();
        let mut regions: Vec<PointSet> = (*self.points() - own).components().collect();
        // A region is vital to a chain that all its empty points touch: the enemy cannot fill it without leaving the
        // chain a liberty. Where the enemy may commit suicide, stones in the region can become empty points again.
        let must_touch = |region: &PointSet| match suicide {
            Suicide::Forbidden => *region & empty,
            Suicide::MultiStone | Suicide::Allowed => *region,
        };
        let is_vital =
            |region: &PointSet, chain: &PointSet| must_touch(region).is_subset(&chain.neighbors());
        loop {
            let before = (chains.len(), regions.len());
            chains.retain(|chain| {
                let vital = regions.iter().filter(|region| is_vital(region, chain));
                vital.take(2).count() == 2
            });
            let kept = union(&chains);
            regions.retain(|region| (region.neighbors() & own).is_subset(&kept));
            if before == (chains.len(), regions.len()) {
                break;
            }
        }
        let stones = union(&chains);
        regions.retain(|region| {
            let borders = !(region.neighbors() & stones).is_empty();
            borders && must_touch(region).is_subset(&stones.neighbors())
        });
        PassAlive {
            stones,
            territory: union(&regions),
        }
    }
}

fn union(sets: &[PointSet]) -> PointSet {
    sets.iter().fold(PointSet::EMPTY, |all, set| all | *set)
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::color::ByColor;
    use crate::point::Point;
    use crate::setup::Setup;
    use crate::size::Size;

    /// Black's pass-alive stones and territory, counted.
    fn alive(diagram: &str, suicide: Suicide) -> (usize, usize) {
        let board = diagram.parse::<Setup>().unwrap().board().unwrap();
        let alive = board.pass_alive(Color::Black, suicide);
        (alive.stones.len(), alive.territory.len())
    }

    #[test]
    fn one_eye_is_not_enough() {
        assert_eq!(alive(". X .\nX X .\n. . .", Suicide::Forbidden), (0, 0));
    }

    #[test]
    fn two_chains_that_share_two_eyes_live() {
        let shared = "
            . X . O
            X . X O
            X X X O
            O O O .";
        assert_eq!(alive(shared, Suicide::Forbidden), (6, 2));
    }

    #[test]
    fn enemy_stones_inside_are_territory() {
        let inside = "
            . O . X .
            X X X X .
            . X . . .
            X X . . .";
        assert_eq!(alive(inside, Suicide::Forbidden), (8, 4));
    }

    /// All legal positions of a size.
    fn positions(size: Size) -> Vec<Board> {
        let points: Vec<Point> = size.points().iter().collect();
        let position = |number: usize| {
            let mut stones = ByColor::<PointSet>::default();
            let mut digits = number;
            for point in &points {
                match digits % 3 {
                    1 => stones.black.insert(*point),
                    2 => stones.white.insert(*point),
                    _ => false,
                };
                digits /= 3;
            }
            Board::with_stones(size, stones).ok()
        };
        (0..3_usize.pow(points.len() as u32))
            .filter_map(position)
            .collect()
    }

    /// All boards that White can make of this one alone, Black passing every time.
    fn reachable_by_white(board: &Board, suicide: Suicide) -> Vec<Board> {
        let mut seen = HashSet::from([board.hash()]);
        let mut boards = vec![board.clone()];
        let mut next = 0;
        while next < boards.len() {
            for point in boards[next].playable(Color::White, suicide) {
                let mut after = boards[next].clone();
                after.play_unchecked(point, Color::White, |_| {});
                after.set_ko(None);
                if seen.insert(after.hash()) {
                    boards.push(after);
                }
            }
            next += 1;
        }
        boards
    }

    #[test]
    fn agrees_with_all_that_the_enemy_can_do_on_small_boards() {
        for size in ["1x7", "2x4", "3x3"] {
            for suicide in [Suicide::Forbidden, Suicide::MultiStone] {
                for board in positions(size.parse().unwrap()) {
                    let alive = board.pass_alive(Color::Black, suicide);
                    let mut uncaptured = *board.stones(Color::Black);
                    for after in reachable_by_white(&board, suicide) {
                        uncaptured &= *after.stones(Color::Black);
                        if alive.territory.is_empty() {
                            continue;
                        }
                        let white = after.pass_alive(Color::White, suicide);
                        let white = white.stones | white.territory;
                        assert!(
                            white.is_disjoint(&alive.territory),
                            "{board} became {after}"
                        );
                    }
                    assert_eq!(alive.stones, uncaptured, "{suicide:?}\n{board}");
                }
            }
        }
    }
}
