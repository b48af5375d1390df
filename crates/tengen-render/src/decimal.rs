//! Numbers in SVG.

use std::fmt;

/// A number with at most two decimals and no character more than needed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Decimal(pub(crate) f64);

impl fmt::Display for Decimal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let hundredths = (self.0 * 100.0).round() as i64;
        let sign = if hundredths < 0 { "-" } else { "" };
        let (whole, rest) = (hundredths.abs() / 100, hundredths.abs() % 100);
        match (whole, rest % 10, rest) {
            (_, _, 0) => write!(f, "{sign}{whole}"),
            (0, 0, _) => write!(f, "{sign}.{}", rest / 10),
            (0, _, _) => write!(f, "{sign}.{rest:02}"),
            (_, 0, _) => write!(f, "{sign}{whole}.{}", rest / 10),
            (_, _, _) => write!(f, "{sign}{whole}.{rest:02}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_character_is_wasted() {
        let text = |number| Decimal(number).to_string();
        assert_eq!(text(0.0), "0");
        assert_eq!(text(-0.001), "0");
        assert_eq!(text(-0.5), "-.5");
        assert_eq!(text(0.05), ".05");
        assert_eq!(text(-12.345), "-12.35");
        assert_eq!(text(7.1), "7.1");
        assert_eq!(text(40.0), "40");
    }
}
