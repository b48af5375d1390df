//! Where the points of a region are in a machine word, and what is around them.

use tengen_core::{Color, Point, PointSet};

use super::Problem;

/// The attacker's place in pairs, and the number of the attacker's turn.
pub(super) const ATTACKER: usize = 0;

/// The defender's place in pairs, and the number of the defender's turn.
pub(super) const DEFENDER: usize = 1;

/// The number of a cell that is no point but a pass.
pub(super) const PASS: u8 = 255;

/// The cells of a word.
pub(super) const MOST_CELLS: usize = 128;

/// The layout of a region in 128 bits.
///
/// Rows of the smallest rectangle around the region lie one after the other with an empty column between them, so that
/// the neighbours of a set of points are four shifts and a mask.
#[derive(Clone, Debug)]
pub(super) struct Area {
    stride: u32,
    /// All points of the region.
    pub(super) mask: u128,
    /// For attacker and defender: the points at which a stone of that player has a liberty for good, beside an empty
    /// point beyond the region or an own stone there, all of which have one.
    pub(super) anchors: [u128; 2],
    /// The points beside something beyond the region that is no stone of the defender: no eye of the defender has them.
    pub(super) open: u128,
    /// The points of the target.
    pub(super) target: u128,
    region: PointSet,
    left: u8,
    top: u8,
    attacker: Color,
}

impl Area {
    /// The layout for a problem.
    pub(super) fn new(problem: &Problem) -> Self {
        let region = &problem.region;
        let left = region.iter().map(Point::x).min().unwrap_or(0);
        let top = region.iter().map(Point::y).min().unwrap_or(0);
        let right = region.iter().map(Point::x).max().unwrap_or(0);
        let mut area = Self {
            stride: u32::from(right - left) + 2,
            mask: 0,
            anchors: [0; 2],
            open: 0,
            target: 0,
            region: *region,
            left,
            top,
            attacker: problem.attacker(),
        };
        area.mask = area.inside(region);
        area.target = area.inside(&problem.target);
        let beyond = problem.setup.size.points() - *region;
        let stones = |color: Color| problem.setup.stones[color] & beyond;
        let roles = [problem.attacker(), problem.defender];
        let empty = beyond - stones(Color::Black) - stones(Color::White);
        let beside = |set: PointSet| set.neighbors();
        area.anchors = roles.map(|color| area.inside(&beside(empty | stones(color))));
        area.open = area.inside(&beside(empty | stones(problem.attacker())));
        area
    }

    /// The points of a set that are in the region.
    pub(super) fn inside(&self, points: &PointSet) -> u128 {
        (*points & self.region)
            .iter()
            .fold(0, |set, point| set | 1 << self.cell_of(point))
    }

    /// The cell of a point of the region.
    pub(super) fn cell_of(&self, point: Point) -> u8 {
        let (x, y) = (point.x() - self.left, point.y() - self.top);
        (u32::from(y) * self.stride + u32::from(x)) as u8
    }

    /// The point of a cell.
    pub(super) fn point_of(&self, cell: u8) -> Point {
        let stride = self.stride as u8;
        Point::new(self.left + cell % stride, self.top + cell / stride)
    }

    /// The number of a player in this problem.
    pub(super) fn role(&self, color: Color) -> usize {
        if color == self.attacker {
            ATTACKER
        } else {
            DEFENDER
        }
    }

    /// The player with this number.
    pub(super) fn color(&self, role: usize) -> Color {
        if role == ATTACKER {
            self.attacker
        } else {
            !self.attacker
        }
    }

    /// The points beside those of a set: points of the set itself included where they touch each other.
    #[inline]
    pub(super) const fn beside(&self, set: u128) -> u128 {
        (set << 1 | set >> 1 | set << self.stride | set >> self.stride) & self.mask
    }

    /// All points within a set that are connected with some of its points.
    #[inline]
    pub(super) const fn flood(&self, seeds: u128, within: u128) -> u128 {
        let mut reached = seeds & within;
        loop {
            let further = (reached | self.beside(reached)) & within;
            if further == reached {
                return reached;
            }
            reached = further;
        }
    }

    /// The connected parts of a set.
    pub(super) fn parts(&self, set: u128) -> impl Iterator<Item = u128> {
        let mut left = set;
        std::iter::from_fn(move || {
            if left == 0 {
                return None;
            }
            let part = self.flood(left & left.wrapping_neg(), left);
            left &= !part;
            Some(part)
        })
    }
}

/// The cells of a set, lowest first.
pub(super) fn cells(mut set: u128) -> impl Iterator<Item = u8> {
    std::iter::from_fn(move || {
        if set == 0 {
            return None;
        }
        let cell = set.trailing_zeros() as u8;
        set &= set - 1;
        Some(cell)
    })
}
