//! Compensation points.

use std::fmt;
use std::str::FromStr;

use crate::rules::Scoring;
use crate::size::Size;

/// Points added to White's score, counted in halves so that arithmetic is exact.
///
/// ```
/// use tengen_core::Komi;
/// assert_eq!("6.5".parse(), Ok(Komi::from_halves(13)));
/// assert_eq!(Komi::from_halves(-7).to_string(), "-3.5");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Komi(i16);

impl Komi {
    /// The largest amount either way; no board has more points.
    pub const MAX: Self = Self(2 * 625);

    /// So many half-points.
    ///
    /// # Panics
    ///
    /// If the amount is beyond [`Komi::MAX`] either way.
    pub const fn from_halves(halves: i16) -> Self {
        assert!(
            halves >= -Self::MAX.0 && halves <= Self::MAX.0,
            "komi is at most 625 points"
        );
        Self(halves)
    }

    /// The amount in half-points.
    pub const fn halves(self) -> i32 {
        self.0 as i32
    }

    /// The amount that a game on this size starts with unless its rules name another.
    ///
    /// Boards whose value under perfect play is proven or generally believed get that value, so that perfect play
    /// is a draw: 9 on 7×7, for example. All others get 7.5, or 6.5 where territory is counted.
    pub const fn fair(size: Size, scoring: Scoring) -> Self {
        let (short, long) = if size.width() < size.height() {
            (size.width(), size.height())
        } else {
            (size.height(), size.width())
        };
        let points = match (short, long) {
            (1, 1 | 2 | 5) | (2, 3) => 0,
            (1, 6) | (2, 2) => 1,
            (1, 7) | (4, 4) => 2,
            (1, 3 | 8) => 3,
            (1, 4) | (5 | 6, 6) => 4,
            (2, 4) => 8,
            (3, 3) | (5 | 7, 7) => 9,
            (2, 5) => 10,
            (2, 6) => 12,
            (2, 7) => 14,
            (3, 5) => 15,
            (2, 8) => 16,
            (4, 5) => 20,
            (5, 5) => 25,
            _ => {
                return match scoring {
                    Scoring::Territory => Self(13),
                    Scoring::Area | Scoring::AreaAndPrisoners => Self(15),
                };
            }
        };
        Self(2 * points)
    }
}

impl fmt::Display for Komi {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_halves(f, i32::from(self.0))
    }
}

/// Writes half-points as people do: `7`, `7.5`, `-0.5`.
pub(crate) fn write_halves(f: &mut fmt::Formatter<'_>, halves: i32) -> fmt::Result {
    let sign = if halves < 0 { "-" } else { "" };
    let whole = halves.unsigned_abs() / 2;
    let half = if halves % 2 == 0 { "" } else { ".5" };
    write!(f, "{sign}{whole}{half}")
}

/// Why a komi was refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ParseKomiError {
    /// The text is not a decimal number.
    Syntax,
    /// The number is no multiple of one half.
    NotHalves,
    /// The number is beyond [`Komi::MAX`].
    OutOfRange,
}

impl fmt::Display for ParseKomiError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Syntax => "komi is a number such as `7.5`",
            Self::NotHalves => "komi is a whole number or a half more",
            Self::OutOfRange => "komi is at most 625 points either way",
        })
    }
}

impl std::error::Error for ParseKomiError {}

impl FromStr for Komi {
    type Err = ParseKomiError;

    fn from_str(text: &str) -> Result<Self, ParseKomiError> {
        let (negative, number) = match text.strip_prefix('-') {
            Some(rest) => (true, rest),
            None => (false, text.strip_prefix('+').unwrap_or(text)),
        };
        let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
        let digits = |part: &str| part.bytes().all(|b| b.is_ascii_digit());
        if whole.len() + fraction.len() == 0 || !digits(whole) || !digits(fraction) {
            return Err(ParseKomiError::Syntax);
        }
        let half = match fraction.trim_end_matches('0') {
            "" => 0,
            "5" => 1,
            _ => return Err(ParseKomiError::NotHalves),
        };
        let whole = match whole.trim_start_matches('0') {
            "" => 0,
            digits if digits.len() <= 3 => digits.parse().map_err(|_| ParseKomiError::Syntax)?,
            _ => return Err(ParseKomiError::OutOfRange),
        };
        let halves = 2 * whole + half;
        if halves > Self::MAX.0 {
            return Err(ParseKomiError::OutOfRange);
        }
        Ok(Self(if negative { -halves } else { halves }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_what_people_write() {
        let halves = |text: &str| text.parse::<Komi>().map(Komi::halves);
        for (text, expected) in [
            ("0", 0),
            ("7", 14),
            ("7.5", 15),
            ("6.50", 13),
            (".5", 1),
            ("-0.5", -1),
            ("+5.", 10),
            ("625", 1250),
        ] {
            assert_eq!(halves(text), Ok(expected), "{text}");
        }
        for text in ["", ".", "-", "x", "7,5", "1e2", "7.5.5", "nan"] {
            assert_eq!(halves(text), Err(ParseKomiError::Syntax), "{text}");
        }
        assert_eq!(halves("7.25"), Err(ParseKomiError::NotHalves));
        assert_eq!(halves("625.5"), Err(ParseKomiError::OutOfRange));
        assert_eq!(halves("99999999"), Err(ParseKomiError::OutOfRange));
    }

    #[test]
    fn fair_komi_does_not_depend_on_orientation() {
        for width in 1..=25 {
            for height in 1..=25 {
                let fair = |w, h| Komi::fair(Size::new(w, h).unwrap(), Scoring::Area);
                assert_eq!(fair(width, height), fair(height, width));
            }
        }
        let fair = |side| Komi::fair(Size::square(side).unwrap(), Scoring::Area).to_string();
        assert_eq!([5, 7, 9, 19].map(fair), ["25", "9", "7.5", "7.5"]);
    }
}
