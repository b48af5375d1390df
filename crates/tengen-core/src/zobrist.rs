//! Random numbers that name positions.
//!
//! The hash of a position is the XOR of one 64-bit number for its size and one for each stone. The numbers come
//! from a fixed generator at compile time, so that a hash is the same on every machine and in every release. Two
//! given positions share a hash with probability 2⁻⁶⁴; over all pairs of a game of 400 boards that is 4·10⁻¹⁵.

use crate::color::{ByColor, Color};
use crate::point::CELLS;
use crate::size::Size;

/// Changing this changes every stored hash.
const SEED: u64 = 0x7e46_e4a5_9a3d_8f21;

static STONES: ByColor<[u64; CELLS]> = ByColor::new(numbers(0), numbers(CELLS as u64));
static SIZES: [u64; 1024] = numbers(2 * CELLS as u64);

/// The number of a stone of this colour in this cell of the guarded grid.
#[inline]
pub(crate) fn stone(index: usize, color: Color) -> u64 {
    STONES[color][index]
}

/// The hash of the empty board of this size.
pub(crate) fn empty_board(size: Size) -> u64 {
    SIZES[usize::from(size.width()) * 32 + usize::from(size.height())]
}

/// Values number `first` and following of the SplitMix64 sequence.
const fn numbers<const N: usize>(first: u64) -> [u64; N] {
    let mut table = [0; N];
    let mut index = 0;
    while index < N {
        let step = (first + index as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let mut z = SEED.wrapping_add(step);
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        table[index] = z ^ (z >> 31);
        index += 1;
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_numbers_differ() {
        let mut all: Vec<u64> = STONES.black.to_vec();
        all.extend(STONES.white);
        all.extend(SIZES);
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), 2 * CELLS + SIZES.len());
    }
}
