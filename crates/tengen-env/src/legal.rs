//! The legal actions of one game, one bit each.

use tengen_core::{PointSet, Size};

use crate::bits;
use crate::generator::Generator;

/// Bits in a word.
const WORD: usize = u64::BITS as usize;

/// How many words hold the actions of a frame.
pub(crate) const fn words(frame: Size) -> usize {
    (frame.area() + 1).div_ceil(WORD)
}

/// Writes the points of a set and the pass in the order of the actions of a frame.
#[inline]
pub(crate) fn pack(points: &PointSet, height: u8, frame: Size, out: &mut [u64]) {
    let width = usize::from(frame.width());
    out.fill(0);
    let mut words = out.iter_mut();
    let mut word = words.next();
    let (mut bits, mut filled) = (0, 0);
    for y in 0..height {
        let row = u64::from(points.row_bits(y));
        bits |= row << filled;
        filled += width;
        if filled >= WORD {
            if let Some(word) = word {
                *word = bits;
            }
            word = words.next();
            filled -= WORD;
            // What did not fit goes on in the next word.
            bits = row >> (width - filled);
        }
    }
    if let Some(word) = word {
        *word = bits;
    }
    out[frame.area() / WORD] |= 1 << (frame.area() % WORD);
}

/// Is this action legal?
#[inline]
pub(crate) fn contains(legal: &[u64], action: usize) -> bool {
    legal
        .get(action / WORD)
        .is_some_and(|word| word >> (action % WORD) & 1 != 0)
}

/// One of so many actions that is legal, all equally likely.
#[inline]
pub(crate) fn draw(legal: &[u64], actions: usize, generator: &mut Generator) -> usize {
    // Where many are legal the first draw mostly is; the pass always is, so this ends.
    loop {
        let action = generator.below(actions);
        if contains(legal, action) {
            return action;
        }
    }
}

/// Writes a byte of 0 or 1 for each action.
#[inline]
pub(crate) fn write_mask(legal: &[u64], out: &mut [u8]) {
    bits::spread(legal, out);
}

/// Writes the bits, eight actions a byte, the lowest bit first.
#[inline]
pub(crate) fn write_packed(legal: &[u64], out: &mut [u8]) {
    for (eight, word) in out.chunks_mut(8).zip(legal) {
        eight.copy_from_slice(&word.to_le_bytes()[..eight.len()]);
    }
}
