//! Shapes of three by three points around an empty point.

use tengen_core::Color;

/// Shapes in which the empty point in the middle is worth a look. `X` is one colour and `O` the other, whoever is to
/// move; `.` is empty, `x` not `X`, `o` not `O`, `?` anything on the board or not, `-` beyond the edge.
///
/// They are the hane, the cuts and the moves at the edge of the first program that played by patterns, MoGo (Gelly,
/// Wang, Munos, Teytaud: Modification of UCT with patterns in Monte-Carlo Go, 2006).
const SHAPES: [[&str; 3]; 13] = [
    ["XOX", ".*.", "???"],
    ["XO.", ".*.", "?.?"],
    ["XO?", "X*.", "x.?"],
    [".O.", "X*.", "..."],
    ["XO?", "O*o", "?o?"],
    ["XO?", "O*X", "???"],
    ["?X?", "O*O", "ooo"],
    ["OX?", "o*O", "???"],
    ["X.?", "O*?", "---"],
    ["OX?", "X*O", "---"],
    ["?X?", "x*O", "---"],
    ["?XO", "x*x", "---"],
    ["?OX", "X*O", "---"],
];

/// Which of all surroundings of a point match a shape.
#[derive(Debug)]
pub(crate) struct Patterns {
    matches: Box<[u64]>,
}

impl Patterns {
    pub(crate) fn new() -> Self {
        let rings = SHAPES.map(|shape| {
            let signs = shape.concat().into_bytes().into_iter();
            signs.filter(|sign| *sign != b'*').collect::<Vec<u8>>()
        });
        let mut matches = vec![0_u64; 1 << 10].into_boxed_slice();
        for code in 0..=u16::MAX {
            if rings.iter().any(|ring| fits(ring, code)) {
                for form in turned(code).flat_map(|form| [form, exchanged(form)]) {
                    matches[usize::from(form >> 6)] |= 1 << (form & 63);
                }
            }
        }
        Self { matches }
    }

    /// Do these surroundings match any shape?
    #[inline]
    pub(crate) fn contain(&self, surroundings: u16) -> bool {
        self.matches[usize::from(surroundings >> 6)] >> (surroundings & 63) & 1 != 0
    }
}

/// The surroundings as they look to the other colour.
#[inline]
pub(crate) const fn exchanged(code: u16) -> u16 {
    // Black is 01 and White 10, empty 00 and the edge 11.
    (code & 0x5555) << 1 | code >> 1 & 0x5555
}

/// The surroundings with the colour to move as Black.
#[inline]
pub(crate) const fn seen_by(code: u16, color: Color) -> u16 {
    match color {
        Color::Black => code,
        Color::White => exchanged(code),
    }
}

/// The eight turned and mirrored forms of surroundings.
pub(crate) fn turned(code: u16) -> impl Iterator<Item = u16> {
    // Places in reading order without the middle: a mirror, and the other diagonal, generate all forms.
    const MIRROR: [u8; 8] = [2, 1, 0, 4, 3, 7, 6, 5];
    const TRANSPOSE: [u8; 8] = [0, 3, 5, 1, 6, 2, 4, 7];
    let rearranged = |code: u16, order: [u8; 8]| {
        let mut result = 0;
        for (place, from) in order.into_iter().enumerate() {
            result |= (code >> (2 * from) & 3) << (2 * place);
        }
        result
    };
    let mut form = code;
    (0..8).map(move |step| {
        let here = form;
        form = rearranged(form, if step % 2 == 0 { MIRROR } else { TRANSPOSE });
        here
    })
}

/// The one of the eight forms that stands for all.
pub(crate) fn canonical(code: u16) -> u16 {
    turned(code).min().unwrap_or(code)
}

fn fits(ring: &[u8], code: u16) -> bool {
    ring.iter().enumerate().all(|(place, sign)| {
        let content = code >> (2 * place) & 3;
        match sign {
            b'.' => content == 0,
            b'X' => content == 1,
            b'O' => content == 2,
            b'-' => content == 3,
            b'x' => content == 0 || content == 2,
            b'o' => content == 0 || content == 1,
            _ => true,
        }
    })
}

#[cfg(test)]
mod tests {
    use super::{Patterns, exchanged, turned};

    #[test]
    fn exchanging_twice_changes_nothing() {
        for code in 0..=u16::MAX {
            assert_eq!(exchanged(exchanged(code)), code);
        }
        assert_eq!(exchanged(0b11_10_01_00), 0b11_01_10_00);
    }

    #[test]
    fn a_shape_without_symmetry_has_eight_forms() {
        let forms: std::collections::HashSet<u16> = turned(0b01).collect();
        assert_eq!(forms.len(), 4, "one stone at a corner");
        let forms: std::collections::HashSet<u16> = turned(0b10_01).collect();
        assert_eq!(forms.len(), 8);
    }

    #[test]
    fn a_hane_is_found_for_both_colours_and_an_open_place_is_not() {
        let patterns = Patterns::new();
        // X O X above, everything else empty.
        let hane = 0b01_10_01;
        assert!(patterns.contain(hane) && patterns.contain(exchanged(hane)));
        assert!(!patterns.contain(0));
    }
}
