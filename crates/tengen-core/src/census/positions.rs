//! Legal positions, counted cell by cell.
//!
//! The method is that of John Tromp and Gunnar Farnebäck, *Combinatorics of Go*: cells are filled in reading order, and
//! of all that was filled only the border to the rest of the board matters. A border knows for each column the last
//! cell, whether its chain has a liberty and, where it has none, which cells of the border belong to the same chain.
//! For each border the number of ways to get there is kept.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use super::CensusError;
use crate::size::Size;

/// The longest border. Every board whose smaller side is longer has more positions than 128 bits can count.
const WIDEST: usize = 9;

/// How far [`positions_with_progress`] has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PositionProgress {
    /// Cells done.
    pub cells: usize,
    /// Cells of the board.
    pub area: usize,
    /// Distinct borders after the last cell, up to colour.
    pub borders: usize,
}

/// The number of legal positions: boards on which every chain has a liberty, whoever is to move.
///
/// Boards up to 9×9 can be counted, and longer ones with a smaller side below 9 as long as the result fits into 128
/// bits. 7×7 takes a fraction of a second, 9×9 some seconds and some tens of megabytes.
///
/// ```
/// use tengen_core::{Size, census};
/// assert_eq!(census::positions(Size::square(5)?)?, 414_295_148_741);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn positions(size: Size) -> Result<u128, CensusError> {
    positions_with_progress(size, |_| {})
}

/// [`positions`], with a report after each cell.
pub fn positions_with_progress(
    size: Size,
    mut report: impl FnMut(PositionProgress),
) -> Result<u128, CensusError> {
    let overflow = CensusError::Overflow(size);
    let width = usize::from(size.width().min(size.height()));
    if width > WIDEST {
        return Err(overflow);
    }
    let mut ways = Ways::default();
    ways.insert(Border([EDGE; WIDEST]).packed(), 1);
    for cell in 0..size.area() {
        let column = cell % width;
        let mut next = Ways::with_capacity_and_hasher(ways.len(), BuildHasherDefault::default());
        for (&packed, &count) in &ways {
            let border = Border::unpacked(packed);
            for content in [EMPTY, FREE_BLACK, FREE_WHITE] {
                if let Some(border) = border.extended(column, content) {
                    let sum = next.entry(border.packed()).or_default();
                    *sum = count.checked_add(*sum).ok_or(overflow)?;
                }
            }
        }
        ways = next;
        report(PositionProgress {
            cells: cell + 1,
            area: size.area(),
            borders: ways.len(),
        });
    }
    ways.iter()
        .filter(|(packed, _)| {
            !Border::unpacked(**packed)
                .0
                .iter()
                .any(|&cell| is_bound(cell))
        })
        .try_fold(0_u128, |sum, (_, count)| sum.checked_add(*count))
        .ok_or(overflow)
}

/// The number of ways to reach each border.
type Ways = HashMap<u64, u128, BuildHasherDefault<PackedHasher>>;

// What a cell of a border holds. From BLACK on, the last bit is the colour.
const EMPTY: u8 = 0;
/// The edge of the board, above the first row and to the left of the first column. Columns that do not exist keep it.
const EDGE: u8 = 1;
/// A stone whose chain has a liberty. Nothing more needs to be known about that chain.
const FREE_BLACK: u8 = 2;
const FREE_WHITE: u8 = 3;
/// The first stone that has no liberty yet: chain `n` is `BOUND + 2 * n`, and one more for White.
const BOUND: u8 = 4;
/// The number of a chain that is new; those before it are at most as many as columns.
const NEW_CHAIN: u8 = WIDEST as u8;
/// Bits of a cell in a packed border.
const CELL_BITS: u32 = 5;

const _: () = assert!(BOUND + 2 * NEW_CHAIN + 1 < 1 << CELL_BITS);
const _: () = assert!(CELL_BITS as usize * WIDEST <= 64);

const fn is_stone(cell: u8) -> bool {
    cell >= FREE_BLACK
}

const fn is_bound(cell: u8) -> bool {
    cell >= BOUND
}

const fn same_color(one: u8, other: u8) -> bool {
    is_stone(one) && is_stone(other) && (one ^ other) & 1 == 0
}

/// The same stone, with a liberty.
const fn freed(cell: u8) -> u8 {
    FREE_BLACK | (cell & 1)
}

/// The last cell of each column. It stands for itself and for the border with the colours exchanged.
#[derive(Clone, Copy)]
struct Border([u8; WIDEST]);

impl Border {
    /// The border after the next cell of a column, or `None` if that leaves a chain without liberty for good.
    fn extended(mut self, column: usize, content: u8) -> Option<Self> {
        let above = self.0[column];
        let left = match column {
            0 => EDGE,
            _ => self.0[column - 1],
        };
        if content == EMPTY {
            self.0[column] = EMPTY;
            for chain in [above, left] {
                if is_bound(chain) {
                    self.replace(chain, freed(chain));
                }
            }
            return Some(self.canonical());
        }
        let joined = [above, left].map(|cell| same_color(cell, content).then_some(cell));
        let breathes = above == EMPTY
            || left == EMPTY
            || joined.iter().flatten().any(|&chain| !is_bound(chain));
        let stone = if breathes {
            content
        } else {
            BOUND + 2 * NEW_CHAIN + (content & 1)
        };
        self.0[column] = stone;
        for chain in joined.into_iter().flatten() {
            if is_bound(chain) {
                self.replace(chain, stone);
            }
        }
        // A chain that was shut in above and is nowhere else on the border will never get a liberty.
        let lost = is_bound(above) && joined[0].is_none() && !self.0.contains(&above);
        (!lost).then(|| self.canonical())
    }

    fn replace(&mut self, chain: u8, by: u8) {
        for cell in &mut self.0 {
            if *cell == chain {
                *cell = by;
            }
        }
    }

    /// Chains numbered from the left, the first stone black.
    fn canonical(mut self) -> Self {
        let mut names = [None; 1 << CELL_BITS];
        let mut chains = 0;
        let mut flip = None;
        for cell in &mut self.0 {
            if !is_stone(*cell) {
                continue;
            }
            let flip = *flip.get_or_insert(*cell & 1);
            *cell = if is_bound(*cell) {
                *names[usize::from(*cell)].get_or_insert_with(|| {
                    chains += 1;
                    BOUND + 2 * (chains - 1) + ((*cell & 1) ^ flip)
                })
            } else {
                *cell ^ flip
            };
        }
        self
    }

    fn packed(self) -> u64 {
        self.0
            .iter()
            .fold(0, |packed, &cell| packed << CELL_BITS | u64::from(cell))
    }

    fn unpacked(mut packed: u64) -> Self {
        let mut cells = [EMPTY; WIDEST];
        for cell in cells.iter_mut().rev() {
            *cell = packed as u8 & ((1 << CELL_BITS) - 1);
            packed >>= CELL_BITS;
        }
        Self(cells)
    }
}

/// Spreads the bits of one word. Borders are not chosen by an attacker, so that a costly hash would be wasted.
#[derive(Default)]
struct PackedHasher(u64);

impl Hasher for PackedHasher {
    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.write_u64(u64::from(byte));
        }
    }

    fn write_u64(&mut self, word: u64) {
        let product = u128::from(self.0 ^ word) * 0x9e37_79b9_7f4a_7c15;
        self.0 = (product >> 64) as u64 ^ product as u64;
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Board, ByColor, PointSet};

    fn size(text: &str) -> Size {
        text.parse().unwrap()
    }

    #[test]
    fn agrees_with_enumeration() {
        let mut sizes = vec![
            size("2x2"),
            size("2x3"),
            size("2x4"),
            size("5x2"),
            size("3x3"),
        ];
        sizes.extend((1..=8).map(|length| Size::new(length, 1).unwrap()));
        for size in sizes {
            let points: Vec<_> = size.points().iter().collect();
            let mut legal = 0;
            for number in 0..3_u32.pow(points.len() as u32) {
                let mut rest = number;
                let mut stones = ByColor::<PointSet>::default();
                for &point in &points {
                    match rest % 3 {
                        1 => _ = stones.black.insert(point),
                        2 => _ = stones.white.insert(point),
                        _ => {}
                    }
                    rest /= 3;
                }
                legal += u128::from(Board::with_stones(size, stones).is_ok());
            }
            assert_eq!(positions(size), Ok(legal), "{size}");
        }
    }

    #[test]
    fn reaches_seven_by_seven_in_both_orientations() {
        for (text, count) in [
            ("1x13", 391_049),
            ("3x9", 3_429_075_477_543),
            ("9x3", 3_429_075_477_543),
            ("5x5", 414_295_148_741),
            ("5x7", 21_026_744_638_200_555),
            ("7x6", 41_945_191_530_093_646_965),
            ("7x7", 83_677_847_847_984_287_628_595),
        ] {
            assert_eq!(positions(size(text)), Ok(count), "{text}");
        }
    }

    #[test]
    fn says_when_the_number_is_too_large() {
        for text in ["4x25", "10x10", "25x25"] {
            let size = size(text);
            assert_eq!(positions(size), Err(CensusError::Overflow(size)));
        }
        assert!(positions(size("4x20")).is_ok());
    }

    #[test]
    fn reports_every_cell() {
        let mut cells = Vec::new();
        positions_with_progress(size("3x2"), |progress| cells.push(progress.cells)).unwrap();
        assert_eq!(cells, [1, 2, 3, 4, 5, 6]);
    }
}
