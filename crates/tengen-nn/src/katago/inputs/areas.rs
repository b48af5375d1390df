//! Whose every point is, as KataGo counts area.
//!
//! Benson's algorithm finds the stones that no sequence of enemy moves can capture. Unlike in `Board::pass_alive`, a
//! region inside may have one point that touches none of them: no group lives there either.

use tengen_core::{Board, ByColor, Color, Content, LeanBoard, Point, PointSet};

use super::Tax;

/// The points of both players.
pub(super) struct Areas {
    pub(super) owned: ByColor<PointSet>,
    /// By how many living groups White has more than Black, where every one pays a tax.
    taxed_groups: i32,
}

impl Areas {
    /// The areas of a board. `suicide`: might stones inside a region take themselves off?
    pub(super) fn of(board: &Board, lean: &LeanBoard, suicide: bool, tax: Tax) -> Self {
        let mut owned = ByColor::<PointSet>::default();
        for color in Color::BOTH {
            let claim = Benson::new(board, lean, color, suicide).claim();
            owned[!color] -= claim.sure;
            let unclaimed = claim.unsure - owned[!color];
            owned[color] |= claim.sure | unclaimed;
        }
        let claimed = owned.black | owned.white;
        for color in Color::BOTH {
            owned[color] |= *board.stones(color) - claimed;
        }
        let mut taxed_groups = 0;
        if tax != Tax::None {
            let dame = board.empty_points() - owned.black - owned.white;
            for color in Color::BOTH {
                let area = owned[color];
                let stones = area & *board.stones(color);
                // What touches dame or is in atari is in seki, with all that is joined to it.
                let seki = (stones & *board.stones_in_atari()) | (area & dame.neighbors());
                let life = area - seki.flood(&area);
                owned[color] = life | stones;
                if tax == Tax::All {
                    taxed_groups += color.sign(-1) * life.components().count() as i32;
                }
            }
        }
        Self {
            owned,
            taxed_groups,
        }
    }

    /// By how many points a player leads, komi aside.
    pub(super) fn lead(&self, player: Color) -> i32 {
        let [black, white] = [Color::Black, Color::White].map(|color| self.owned[color].len());
        player.sign(black as i32 - white as i32 + 2 * self.taxed_groups)
    }
}

/// What one colour claims.
struct Claim {
    /// Pass-alive stones, the regions where no enemy lives among them, and empty regions between them alone.
    sure: PointSet,
    /// Empty regions that only this colour borders on, whose stones may be dead.
    unsure: PointSet,
}

/// No region.
const NONE: u16 = u16::MAX;

/// A region between the chains of one colour.
struct Region {
    /// Where its points are in the list of all regions' points.
    first: usize,
    end: usize,
    /// The heads of the chains that all its points touch, and their number.
    vital: [Option<Point>; 4],
    /// Points that touch no chain, counted up to two.
    inner: u8,
    has_enemy: bool,
    /// Does it border on a chain that is not pass-alive?
    open: bool,
}

/// The search for the pass-alive chains of one colour.
struct Benson<'a> {
    board: &'a Board,
    lean: &'a LeanBoard,
    color: Color,
    suicide: bool,
    /// The region of each cell.
    region_of: [u16; Point::INDICES],
    regions: Vec<Region>,
    /// The points of all regions, one region after the other.
    points: Vec<Point>,
    /// For the head of each chain, how many regions are vital to it.
    vital: [u8; Point::INDICES],
    heads: Vec<Point>,
}

impl<'a> Benson<'a> {
    fn new(board: &'a Board, lean: &'a LeanBoard, color: Color, suicide: bool) -> Self {
        let own = board.stones(color);
        let mut benson = Self {
            board,
            lean,
            color,
            suicide,
            region_of: [NONE; Point::INDICES],
            regions: Vec::with_capacity(64),
            points: Vec::with_capacity(board.size().area()),
            vital: [0; Point::INDICES],
            heads: own
                .iter()
                .filter(|stone| lean.head(*stone) == *stone)
                .collect(),
        };
        for seed in board.empty_points() {
            if benson.region_of[seed.index()] == NONE {
                benson.add_region(seed);
            }
        }
        benson
    }

    /// Follows the region of an empty point.
    fn add_region(&mut self, seed: Point) {
        let own = Content::from(self.color);
        let enemy = Content::from(!self.color);
        let number = self.regions.len() as u16;
        let first = self.points.len();
        let mut region = Region {
            first,
            end: first,
            vital: [None; 4],
            inner: 0,
            has_enemy: false,
            open: false,
        };
        for (slot, cell) in region.vital.iter_mut().zip(LeanBoard::beside(seed)) {
            *slot = (self.lean.content(cell) == own).then(|| self.lean.head(cell));
        }
        for slot in 1..4 {
            if region.vital[..slot].contains(&region.vital[slot]) {
                region.vital[slot] = None;
            }
        }
        self.points.push(seed);
        self.region_of[seed.index()] = number;
        let mut next = first;
        while let Some(&point) = self.points.get(next) {
            next += 1;
            let is_enemy = self.lean.content(point) == enemy;
            region.has_enemy |= is_enemy;
            let mut touched = [None; 4];
            for (side, cell) in LeanBoard::beside(point).into_iter().enumerate() {
                let content = self.lean.content(cell);
                if content == own {
                    touched[side] = Some(self.lean.head(cell));
                } else if content != Content::OffBoard && self.region_of[cell.index()] == NONE {
                    self.region_of[cell.index()] = number;
                    self.points.push(cell);
                }
            }
            // The enemy cannot fill a region that the chain touches everywhere. Where suicide is legal, points with
            // enemy stones may become empty again.
            if self.suicide || !is_enemy {
                for slot in &mut region.vital {
                    *slot = slot.filter(|head| touched.contains(&Some(*head)));
                }
            }
            if region.inner < 2 && touched == [None; 4] {
                region.inner += 1;
            }
        }
        region.end = self.points.len();
        for head in region.vital.iter().flatten() {
            self.vital[head.index()] += 1;
        }
        self.regions.push(region);
    }

    /// Gives up chains without two vital regions until none is left.
    fn claim(mut self) -> Claim {
        let mut alive = std::mem::take(&mut self.heads);
        loop {
            let before = alive.len();
            alive.retain(|head| {
                let lives = self.vital[head.index()] >= 2;
                if !lives {
                    self.open_regions(*head);
                }
                lives
            });
            if alive.len() == before {
                break;
            }
        }
        let mut claim = Claim {
            sure: alive
                .iter()
                .flat_map(|head| self.lean.members(*head))
                .collect(),
            unsure: PointSet::EMPTY,
        };
        if self.board.stones(self.color).is_empty() {
            return claim;
        }
        for region in &self.regions {
            let points = self.points[region.first..region.end].iter().copied();
            if !region.open && (region.inner <= 1 || !region.has_enemy) {
                claim.sure.extend(points);
            } else if !region.has_enemy {
                claim.unsure.extend(points);
            }
        }
        claim
    }

    /// Takes away all regions beside a chain that is not pass-alive.
    fn open_regions(&mut self, head: Point) {
        for stone in self.lean.members(head) {
            for cell in LeanBoard::beside(stone) {
                let Some(region) = self
                    .regions
                    .get_mut(usize::from(self.region_of[cell.index()]))
                else {
                    continue;
                };
                if !region.open {
                    region.open = true;
                    for head in region.vital.iter().flatten() {
                        self.vital[head.index()] -= 1;
                    }
                }
            }
        }
    }
}
