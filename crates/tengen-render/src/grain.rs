//! The grain of the board.

use std::fmt::Write;

use crate::decimal::Decimal as D;

/// The stripes of a wooden board in a rectangle (left, top, right, bottom), the same for the same rectangle.
///
/// Quarter-sawn wood has nearly straight lines from one end to the other, in bands of varying darkness.
pub(crate) fn stripes([left, top, right, bottom]: [f64; 4], color: &str) -> String {
    let (width, height) = (right - left, bottom - top);
    let mut random = Random(0x7e46_e001);
    let mut svg = format!("<g fill=\"none\" stroke=\"{color}\">");
    let mut x = left - width * 0.02;
    // All lines lean alike, and each a little by itself.
    let lean = width * 0.012;
    while x < right + width * 0.02 {
        let band = random.below(7) == 0;
        let (line, opacity) = if band {
            (
                width * (0.008 + 0.022 * random.next()),
                0.05 + 0.05 * random.next(),
            )
        } else {
            (
                width * (0.0008 + 0.0017 * random.next()),
                0.10 + 0.14 * random.next(),
            )
        };
        let bend = |random: &mut Random| lean * (random.next() - 0.5);
        let (start, first, second, end) = (
            x + bend(&mut random),
            lean * random.next(),
            lean * random.next(),
            x + lean * 0.5 + bend(&mut random),
        );
        let _ = write!(
            svg,
            "<path d=\"M{} {}C{} {} {} {} {} {}\" stroke-width=\"{}\" stroke-opacity=\"{}\"/>",
            D(start),
            D(top),
            D(start + first),
            D(top + height * 0.33),
            D(end - second),
            D(top + height * 0.67),
            D(end),
            D(bottom),
            D(line),
            D(opacity)
        );
        x += width * (0.006 + 0.024 * random.next() * random.next() + 0.006 * random.next());
    }
    svg.push_str("</g>");
    svg
}

/// A small generator: what it draws is part of the look of the board, so it must never change.
struct Random(u32);

impl Random {
    fn bits(&mut self) -> u32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 17;
        self.0 ^= self.0 << 5;
        self.0
    }

    /// From 0 to 1.
    fn next(&mut self) -> f64 {
        f64::from(self.bits() >> 8) / f64::from(1 << 24)
    }

    fn below(&mut self, limit: u32) -> u32 {
        self.bits() % limit
    }
}
