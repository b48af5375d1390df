//! Where to put handicap stones.

use tengen_core::{Game, Point, PointSet};

use crate::engine::Engine;

impl Engine {
    /// Good points for this many handicap stones that Black may place freely, or `None` if the board has no room for
    /// them.
    pub fn place_handicap(&mut self, game: &Game, stones: usize) -> Option<PointSet> {
        let size = game.size();
        if stones == 0 || stones >= size.area() {
            return None;
        }
        let fixed = u8::try_from(stones)
            .ok()
            .and_then(|stones| size.fixed_handicap(stones).ok());
        if let Some(points) = fixed {
            return Some(points.into_iter().collect());
        }
        // The star points first, then each time the point that is farthest from all others and from the first lines.
        let mut placed: PointSet = size.star_points().iter().take(stones).collect();
        while placed.len() < stones {
            let free = size.points() - placed;
            let next = free
                .iter()
                .max_by_key(|point| loneliness(game, &placed, *point))?;
            placed.insert(next);
        }
        Some(placed)
    }
}

/// How far a point is from the stones that are placed, and how well it lies on the board.
fn loneliness(game: &Game, placed: &PointSet, point: Point) -> (u8, u8) {
    let size = game.size();
    let distance = placed
        .iter()
        .map(|other| point.x().abs_diff(other.x()) + point.y().abs_diff(other.y()))
        .min()
        .unwrap_or(u8::MAX);
    let line = point
        .x()
        .min(point.y())
        .min(size.width() - 1 - point.x())
        .min(size.height() - 1 - point.y());
    let merit = match line {
        0 => 0,
        1 => 2,
        2 | 3 => 4,
        _ => 3,
    };
    (distance.min(4 + merit), merit)
}
