//! Where the points of a small board are in a machine word.

use tengen_core::{Move, Point, Setup, Size, Symmetry};

/// The number of a cell that is no point but a pass.
pub(crate) const PASS: u8 = 63;

/// The number of a cell that is no move at all.
pub(crate) const NO_MOVE: u8 = 62;

/// The ways to turn or mirror a board that keys compare.
pub(crate) const FORMS: usize = 8;

/// The most points a board may have: more, and a situation would not fit into a key of 64 bits.
pub const MAX_AREA: usize = 36;

/// The layout of a board in 64 bits, and all that follows from its size.
///
/// Rows lie one after the other with an empty column between them, so that the neighbours of a set of points are four
/// shifts and a mask. A board that is higher than wide is laid on its side: it then needs fewer bits.
#[derive(Clone, Debug)]
pub(crate) struct Geometry {
    size: Size,
    transposed: bool,
    stride: u32,
    /// All points of the board.
    pub(crate) mask: u64,
    /// The number of points.
    pub(crate) area: usize,
    /// For each cell: what a stone there adds to the key of each form, a power of three.
    pub(crate) powers: Box<[[u64; FORMS]; 64]>,
    /// For each form: the index of the point that a cell goes to, from 0 to the area.
    index: [[u8; 64]; FORMS],
    /// For each form: the cell that goes to the point with this index.
    cell: [[u8; 64]; FORMS],
}

impl Geometry {
    /// The layout for boards of this size, or `None` if they have more than [`MAX_AREA`] points.
    pub(crate) fn new(size: Size) -> Option<Self> {
        if size.area() > MAX_AREA {
            return None;
        }
        let transposed = size.width() < size.height();
        let laid = if transposed { size.transposed() } else { size };
        let (columns, rows) = (laid.width(), laid.height());
        let stride = u32::from(columns) + 1;
        let mut mask = 0;
        let mut powers = Box::new([[0; FORMS]; 64]);
        let mut index = [[NO_MOVE; 64]; FORMS];
        let mut cell = [[NO_MOVE; 64]; FORMS];
        let forms: Vec<Symmetry> = Symmetry::onto_itself(laid).collect();
        for y in 0..rows {
            for x in 0..columns {
                let at = u32::from(y) * stride + u32::from(x);
                mask |= 1 << at;
                for form in 0..FORMS {
                    // A rectangle has four forms, and each of them comes twice.
                    let image = forms[form % forms.len()].apply(Point::new(x, y), laid);
                    let place = image.y() * columns + image.x();
                    index[form][at as usize] = place;
                    cell[form][usize::from(place)] = at as u8;
                    powers[at as usize][form] = 3_u64.pow(u32::from(place));
                }
            }
        }
        for form in 0..FORMS {
            for move_cell in [PASS, NO_MOVE] {
                index[form][usize::from(move_cell)] = move_cell;
                cell[form][usize::from(move_cell)] = move_cell;
            }
        }
        Some(Self {
            size,
            transposed,
            stride,
            mask,
            area: size.area(),
            powers,
            index,
            cell,
        })
    }

    /// The size of the boards, as the caller gave it.
    pub(crate) const fn size(&self) -> Size {
        self.size
    }

    /// The distance between the cells of a point and the one above it.
    pub(crate) const fn stride(&self) -> u32 {
        self.stride
    }

    /// How many rows and columns there are, of which the rows are not shorter.
    pub(crate) const fn rows_and_columns(&self) -> (u8, u8) {
        let columns = self.stride as u8 - 1;
        (self.area as u8 / columns, columns)
    }

    /// The points beside those of a set: points of the set itself included where they touch each other.
    #[inline]
    pub(crate) const fn beside(&self, set: u64) -> u64 {
        (set << 1 | set >> 1 | set << self.stride | set >> self.stride) & self.mask
    }

    /// The points beside at least one of a set, and those beside at least two.
    #[inline]
    pub(crate) const fn beside_one_and_two(&self, set: u64) -> (u64, u64) {
        let (a, b) = (set << 1, set >> 1);
        let (c, d) = (set << self.stride, set >> self.stride);
        let two = a & b | c & d | (a | b) & (c | d);
        ((a | b | c | d) & self.mask, two & self.mask)
    }

    /// All points within a set that are connected with some of its points.
    #[inline]
    pub(crate) const fn flood(&self, seeds: u64, within: u64) -> u64 {
        let mut reached = seeds & within;
        loop {
            let further = (reached | self.beside(reached)) & within;
            if further == reached {
                return reached;
            }
            reached = further;
        }
    }

    /// Where a form puts a move.
    #[inline]
    pub(crate) const fn place(&self, form: usize, cell: u8) -> u8 {
        self.index[form][cell as usize]
    }

    /// The move that a form puts to this place.
    #[inline]
    pub(crate) const fn unplace(&self, form: usize, place: u8) -> u8 {
        self.cell[form][place as usize]
    }

    /// The cell of a point of the board.
    pub(crate) fn cell_of(&self, point: Point) -> u8 {
        let (x, y) = if self.transposed {
            (point.y(), point.x())
        } else {
            (point.x(), point.y())
        };
        (u32::from(y) * self.stride + u32::from(x)) as u8
    }

    /// The point of a cell.
    pub(crate) fn point_of(&self, cell: u8) -> Point {
        let (y, x) = (cell / self.stride as u8, cell % self.stride as u8);
        if self.transposed {
            Point::new(y, x)
        } else {
            Point::new(x, y)
        }
    }

    /// The move of a cell, which is a point or a pass.
    pub(crate) fn move_of(&self, cell: u8) -> Move {
        match cell {
            PASS => Move::Pass,
            _ => Move::Play(self.point_of(cell)),
        }
    }

    /// The cell of a move.
    pub(crate) fn cell_of_move(&self, action: Move) -> u8 {
        match action {
            Move::Pass => PASS,
            Move::Play(point) => self.cell_of(point),
        }
    }

    /// The stones of a setup, Black's and White's.
    pub(crate) fn stones(&self, setup: &Setup) -> [u64; 2] {
        [setup.stones.black, setup.stones.white].map(|stones| {
            stones
                .iter()
                .fold(0, |set, point| set | 1 << self.cell_of(point))
        })
    }
}

/// The cells of a set, lowest first.
pub(crate) fn cells(mut set: u64) -> impl Iterator<Item = u8> {
    std::iter::from_fn(move || {
        if set == 0 {
            return None;
        }
        let cell = set.trailing_zeros() as u8;
        set &= set - 1;
        Some(cell)
    })
}
