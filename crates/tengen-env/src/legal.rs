//! The legal actions of one game, one bit each.

use tengen_core::{PointSet, Size};

use crate::bits;
use crate::generator::Generator;

/// Bits in a word.
const WORD: usize = u64::BITS as usize;

/// How many bytes hold the actions of a frame: whole words.
pub(crate) const fn bytes(frame: Size) -> usize {
    (frame.area() + 1).div_ceil(WORD) * 8
}

/// Writes the points of a set and the pass in the order of the actions of a frame, the lowest bit of a byte first.
#[inline]
pub(crate) fn pack(points: &PointSet, height: u8, frame: Size, out: &mut [u8]) {
    let width = usize::from(frame.width());
    let (words, _) = out.as_chunks_mut::<8>();
    let mut words = words.iter_mut();
    let (mut bits, mut filled) = (0_u64, 0);
    // Two rows at a time, since both fit into a word.
    for [upper, lower] in points.pairs_of_rows(height) {
        let pair = u64::from(upper) | u64::from(lower) << width;
        bits |= pair << filled;
        filled += 2 * width;
        if filled >= WORD {
            if let Some(word) = words.next() {
                *word = bits.to_le_bytes();
            }
            filled -= WORD;
            // What did not fit goes on in the next word.
            bits = pair >> (2 * width - filled);
        }
    }
    for word in words {
        *word = bits.to_le_bytes();
        bits = 0;
    }
    out[frame.area() / 8] |= 1 << (frame.area() % 8);
}

/// Is this action legal?
#[inline]
pub(crate) fn contains(legal: &[u8], action: usize) -> bool {
    legal
        .get(action / 8)
        .is_some_and(|byte| byte >> (action % 8) & 1 != 0)
}

/// One of so many actions that is legal, all equally likely.
#[inline]
pub(crate) fn draw(legal: &[u8], actions: usize, generator: &mut Generator) -> usize {
    // Where many are legal the first draw mostly is; the pass always is, so this ends.
    loop {
        for action in generator.two_below(actions) {
            if contains(legal, action) {
                return action;
            }
        }
    }
}

/// Writes a byte of 0 or 1 for each action.
#[inline]
pub(crate) fn write_mask(legal: &[u8], out: &mut [u8]) {
    bits::spread(legal, out);
}
