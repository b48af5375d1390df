//! Bits to bytes, many at a time.

/// For each byte, its bits as eight bytes of 0 or 1, the lowest first.
const BYTES_OF: [u64; 256] = {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        let mut bit = 0;
        while bit < 8 {
            table[byte] |= ((byte as u64 >> bit) & 1) << (8 * bit);
            bit += 1;
        }
        byte += 1;
    }
    table
};

/// For each byte, its bits as sixteen bytes: those at even places are the bits, the others 0.
static EVEN_BYTES_OF: [u128; 256] = every_second_byte(0);

/// The same with the bits at odd places. A table of its own, since two loads are faster than a load and a shift.
static ODD_BYTES_OF: [u128; 256] = every_second_byte(1);

const fn every_second_byte(first: usize) -> [u128; 256] {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        let mut bit = 0;
        while bit < 8 {
            table[byte] |= ((byte as u128 >> bit) & 1) << (8 * (2 * bit + first));
            bit += 1;
        }
        byte += 1;
    }
    table
}

/// For each byte, its bits as sixteen numbers 0.0 and 1.0, as bits of their own: those at even places, the others 0.0.
static EVEN_FLOATS_OF: [[u32; 16]; 256] = every_second_float(0);

/// The same with the bits at odd places.
static ODD_FLOATS_OF: [[u32; 16]; 256] = every_second_float(1);

const fn every_second_float(first: usize) -> [[u32; 16]; 256] {
    let mut table = [[0; 16]; 256];
    let mut byte = 0;
    while byte < 256 {
        let mut bit = 0;
        while bit < 8 {
            if (byte >> bit) & 1 != 0 {
                table[byte][2 * bit + first] = 1.0_f32.to_bits();
            }
            bit += 1;
        }
        byte += 1;
    }
    table
}

/// Writes one byte of 0 or 1 for each bit, the lowest of each byte first.
#[inline]
pub(crate) fn spread(bytes: &[u8], out: &mut [u8]) {
    let (eights, rest) = out.as_chunks_mut::<8>();
    let (whole, last) = bytes.split_at(eights.len().min(bytes.len()));
    for (eight, byte) in eights.iter_mut().zip(whole) {
        *eight = BYTES_OF[usize::from(*byte)].to_le_bytes();
    }
    let (Some(last), over) = (last.first(), rest.len()) else {
        return;
    };
    if over == 0 {
        return;
    }
    match (out.last_chunk_mut::<8>(), whole.last()) {
        // The last eight once more, some of which are written already, rather than a copy of any length.
        (Some(eight), Some(before)) => {
            let both = u16::from_le_bytes([*before, *last]) >> over;
            *eight = BYTES_OF[usize::from(both as u8)].to_le_bytes();
        }
        _ => {
            let all = BYTES_OF[usize::from(*last)].to_le_bytes();
            out.copy_from_slice(&all[..over]);
        }
    }
}

/// The bits of two bytes in turn, the lowest first, as sixteen bytes of 0 or 1.
#[inline]
pub(crate) fn interleaved(even: u8, odd: u8) -> [u8; 16] {
    (EVEN_BYTES_OF[usize::from(even)] | ODD_BYTES_OF[usize::from(odd)]).to_le_bytes()
}

/// The same as numbers 0.0 and 1.0.
#[inline]
pub(crate) fn write_interleaved(even: u8, odd: u8, out: &mut [f32; 16]) {
    let (even, odd) = (
        &EVEN_FLOATS_OF[usize::from(even)],
        &ODD_FLOATS_OF[usize::from(odd)],
    );
    for ((number, even), odd) in out.iter_mut().zip(even).zip(odd) {
        *number = f32::from_bits(even | odd);
    }
}

#[cfg(test)]
mod tests {
    use super::{interleaved, spread, write_interleaved};

    #[test]
    fn every_length_is_filled_and_no_more() {
        let bytes = [0b1000_0101, 0, 0b1011, 0xff, 0b1010_0000];
        for length in 0..=40 {
            let mut out = vec![7; length];
            spread(&bytes, &mut out);
            for (place, byte) in out.iter().enumerate() {
                assert_eq!(*byte, (bytes[place / 8] >> (place % 8)) & 1);
            }
        }
    }

    #[test]
    fn numbers_are_what_bytes_are() {
        for (even, odd) in [(0, 0), (0b1000_0001, 0b10), (0xff, 0), (0x5a, 0xc3)] {
            let mut numbers = [2.0; 16];
            write_interleaved(even, odd, &mut numbers);
            assert_eq!(numbers, interleaved(even, odd).map(f32::from));
        }
    }

    #[test]
    fn two_bytes_take_turns() {
        assert_eq!(
            interleaved(0b1000_0001, 0b10),
            [1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0]
        );
    }
}
