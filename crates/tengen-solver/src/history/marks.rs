//! Boards as numbers that can be compared, turned and looked into: what a rule of repetition remembers of a game.

use tengen_core::{Ko, Point, Symmetry};

use crate::geometry::{FORMS, Geometry, NO_MOVE, PASS, cells};
use crate::position::Position;

/// The most points a board may have: the stones of a colour and the player to move share 32 bits.
pub(super) const MOST_POINTS: usize = 31;

/// The bits of Black's stones in a mark; White's are 32 higher. Bit p is point p in reading order.
pub(super) const STONES: u64 = (1 << 31) - 1;

/// Tells under situational superko that White is to move.
pub(super) const WHITE_TO_MOVE: u64 = 1 << 31;

/// In a key: the last move was a pass.
pub(super) const PASSED: u64 = 1 << 63;

/// How boards of one size become numbers under one rule of repetition.
pub(super) struct Marks {
    pub(super) ko: Ko,
    /// The symmetries that map the board onto itself, by their numbers.
    pub(super) symmetries: usize,
    /// For each symmetry and each byte of a set of cells: the points that the cells go to.
    of_cells: Vec<[[u32; 256]; 8]>,
    /// For each symmetry and each byte of a set of points: the points that they go to.
    of_points: Vec<[[u32; 256]; 4]>,
    /// For two symmetries the one that leads from the image under the second to the image under the first.
    between: [[u8; FORMS]; FORMS],
    /// For each symmetry: the point that a cell goes to.
    images: Vec<[u8; 64]>,
}

/// A situation as the table and the path know it.
#[derive(Clone, Copy, Debug)]
pub(super) struct MarkedSituation {
    /// What the rule of repetition remembers of it, for each symmetry.
    pub(super) marks: [u64; FORMS],
    /// The symmetry that makes the number of the board smallest.
    pub(super) form: usize,
    pub(super) key: Key,
}

/// What tells situations apart: two have it in common only if one is the other turned or mirrored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Key {
    /// The smallest number of the board, with the player to move and whether the last move was a pass.
    pub(super) board: u64,
    /// 0, or 1 + the point that simple ko forbids.
    ko: u8,
}

impl Marks {
    /// For boards of at most [`MOST_POINTS`] points.
    pub(super) fn new(geometry: &Geometry, ko: Ko) -> Self {
        let size = geometry.size();
        let number = |point: Point| point.y() * size.width() + point.x();
        let symmetries: Vec<Symmetry> = Symmetry::onto_itself(size).collect();
        let image = |symmetry: &Symmetry| -> Vec<u8> {
            let mut image = vec![0; size.area()];
            for point in size.points() {
                image[usize::from(number(point))] = number(symmetry.apply(point, size));
            }
            image
        };
        let by_point: Vec<Vec<u8>> = symmetries.iter().map(image).collect();
        let mut of_cells = Vec::new();
        let mut of_points = Vec::new();
        let mut images = Vec::new();
        for image in &by_point {
            let mut cell_images = [NO_MOVE; 64];
            cell_images[usize::from(PASS)] = PASS;
            for cell in cells(geometry.mask) {
                let point = number(geometry.point_of(cell));
                cell_images[usize::from(cell)] = image[usize::from(point)];
            }
            let cell_bit = |cell: usize| match cell_images[cell] {
                NO_MOVE | PASS => 0,
                point => 1_u32 << point,
            };
            let point_bit = |point: usize| image.get(point).map_or(0, |point| 1_u32 << point);
            of_cells.push(bytes(cell_bit));
            of_points.push(bytes(point_bit));
            images.push(cell_images);
        }
        let mut between = [[0; FORMS]; FORMS];
        for (to, image) in by_point.iter().enumerate() {
            for (from, origin) in by_point.iter().enumerate() {
                let leads = |way: &Vec<u8>| {
                    (0..size.area()).all(|point| way[usize::from(origin[point])] == image[point])
                };
                let way = by_point.iter().position(leads);
                between[to][from] = way.expect("symmetries are a group") as u8;
            }
        }
        Self {
            ko,
            symmetries: symmetries.len(),
            of_cells,
            of_points,
            between,
            images,
        }
    }

    /// What is to be known about a situation, which goes by the smallest number of its class.
    pub(super) fn place(&self, at: &Position) -> MarkedSituation {
        let mut marks = [0; FORMS];
        let mut form = 0;
        for symmetry in 0..self.symmetries {
            let [black, white] = at.stones.map(|stones| self.points(symmetry, stones));
            marks[symmetry] = u64::from(black) | u64::from(white) << 32;
            if marks[symmetry] < marks[form] {
                form = symmetry;
            }
        }
        let turn = if at.turn == 0 { 0 } else { WHITE_TO_MOVE };
        let passed = if at.passed { PASSED } else { 0 };
        let key = Key {
            board: marks[form] | turn | passed,
            ko: self.ko_point(form, at),
        };
        if self.ko == Ko::Situational {
            marks.iter_mut().for_each(|mark| *mark |= turn);
        }
        MarkedSituation { marks, form, key }
    }

    /// The same of a situation that goes by its own number, so that what is proven about it is proven about no other of
    /// its class.
    pub(super) fn upright_place(&self, at: &Position) -> MarkedSituation {
        let place = self.place(at);
        let board = place.marks[0] & !WHITE_TO_MOVE;
        let others = place.key.board & (WHITE_TO_MOVE | PASSED);
        MarkedSituation {
            form: 0,
            key: Key {
                board: board | others,
                ko: self.ko_point(0, at),
            },
            ..place
        }
    }

    fn ko_point(&self, symmetry: usize, at: &Position) -> u8 {
        match at.ko {
            0 => 0,
            ko => self.image(symmetry, ko.trailing_zeros() as u8) + 1,
        }
    }

    /// The points of a set of cells, after a symmetry.
    pub(super) fn points(&self, symmetry: usize, set: u64) -> u32 {
        let tables = &self.of_cells[symmetry];
        let mut points = 0;
        let mut rest = set;
        let mut byte = 0;
        while rest != 0 {
            points |= tables[byte][rest as usize & 255];
            rest >>= 8;
            byte += 1;
        }
        points
    }

    /// Where a symmetry takes a move.
    pub(super) fn image(&self, symmetry: usize, cell: u8) -> u8 {
        self.images[symmetry][usize::from(cell)]
    }

    /// The cell that a symmetry takes to this point, or a pass.
    pub(super) fn origin(&self, symmetry: usize, image: u8) -> u8 {
        let found = self.images[symmetry].iter().position(|to| *to == image);
        found.map_or(NO_MOVE, |cell| cell as u8)
    }

    /// The symmetry that leads from the image under `from` to the image under `to`.
    pub(super) const fn between(&self, from: usize, to: usize) -> usize {
        self.between[to][from] as usize
    }

    /// A set of points, turned.
    pub(super) fn turn_points(&self, symmetry: usize, points: u32) -> u32 {
        let tables = &self.of_points[symmetry];
        let [a, b, c, d] = points.to_le_bytes().map(usize::from);
        tables[0][a] | tables[1][b] | tables[2][c] | tables[3][d]
    }

    /// A mark, turned.
    pub(super) fn turn(&self, symmetry: usize, mark: u64) -> u64 {
        if symmetry == 0 {
            return mark;
        }
        let black = self.turn_points(symmetry, (mark & STONES) as u32);
        let white = self.turn_points(symmetry, (mark >> 32 & STONES) as u32);
        u64::from(black) | u64::from(white) << 32 | mark & WHITE_TO_MOVE
    }
}

fn bytes<const N: usize>(bit: impl Fn(usize) -> u32) -> [[u32; 256]; N] {
    let mut tables = [[0; 256]; N];
    for (byte, table) in tables.iter_mut().enumerate() {
        for (set, points) in table.iter_mut().enumerate() {
            let members = (0..8).filter(|place| set >> place & 1 != 0);
            *points = members.fold(0, |all, place| all | bit(8 * byte + place));
        }
    }
    tables
}
