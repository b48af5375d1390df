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

/// Writes one byte of 0 or 1 for each bit, the lowest of each byte first.
#[inline]
pub(crate) fn spread(bytes: &[u8], out: &mut [u8]) {
    let (eights, rest) = out.as_chunks_mut::<8>();
    let (whole, last) = bytes.split_at(eights.len().min(bytes.len()));
    for (eight, byte) in eights.iter_mut().zip(whole) {
        *eight = BYTES_OF[usize::from(*byte)].to_le_bytes();
    }
    if let Some(byte) = last.first() {
        let all = BYTES_OF[usize::from(*byte)].to_le_bytes();
        rest.copy_from_slice(&all[..rest.len()]);
    }
}

/// The bits of two bytes in turn, the lowest first, as sixteen bytes of 0 or 1.
#[inline]
pub(crate) fn interleaved(even: u8, odd: u8) -> [u8; 16] {
    (EVEN_BYTES_OF[usize::from(even)] | ODD_BYTES_OF[usize::from(odd)]).to_le_bytes()
}

#[cfg(test)]
mod tests {
    use super::{interleaved, spread};

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
    fn two_bytes_take_turns() {
        assert_eq!(
            interleaved(0b1000_0001, 0b10),
            [1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0]
        );
    }
}
