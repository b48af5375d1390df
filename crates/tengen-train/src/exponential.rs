//! Exponentials and logarithms that are the same on every machine.
//!
//! Those of the standard library come from the system, whose last digit varies, and a game that differs in a last digit
//! soon differs in everything.

use std::f64::consts::{LN_2, LOG2_E, SQRT_2};

/// e to the power of `x`, right to twelve digits, or the nearest that does not overflow.
pub(crate) fn exp(x: f64) -> f64 {
    let power = (x * LOG2_E).clamp(-1000.0, 1000.0);
    let whole = (power + 0.5).floor();
    let part = (power - whole) * LN_2;
    // Taylor's series, from its last term. The part is at most ln 2 / 2 either way.
    let series = (1..=11)
        .rev()
        .fold(1.0, |sum, term| 1.0 + sum * part / f64::from(term));
    f64::from_bits(((whole as i64 + 1023) as u64) << 52) * series
}

/// The natural logarithm of a normal positive number, right to twelve digits even close to 1.
pub(crate) fn ln(x: f64) -> f64 {
    debug_assert!(x.is_normal() && x > 0.0);
    let bits = x.to_bits();
    let mut exponent = (bits >> 52) as i32 - 1023;
    let mut mantissa = f64::from_bits((bits & ((1 << 52) - 1)) | (1023 << 52));
    if mantissa > SQRT_2 {
        mantissa /= 2.0;
        exponent += 1;
    }
    // ln m = 2 artanh s, and s is at most 0.172 either way.
    let s = (mantissa - 1.0) / (mantissa + 1.0);
    let square = s * s;
    let series = (0..9).rev().fold(0.0, |sum, term| {
        sum * square + 1.0 / f64::from(2 * term + 1)
    });
    f64::from(exponent) * LN_2 + 2.0 * s * series
}

/// The hyperbolic tangent.
pub(crate) fn tanh(x: f64) -> f64 {
    1.0 - 2.0 / (exp(2.0 * x) + 1.0)
}

#[cfg(test)]
mod tests {
    use super::{exp, ln, tanh};

    #[test]
    fn they_are_those_of_the_standard_library_but_for_the_last_digits() {
        for step in -40_000..=40_000 {
            let x = f64::from(step) / 100.0;
            let error = (exp(x) / x.exp() - 1.0).abs();
            assert!(error < 1e-12, "exp({x}) is off by {error}");
            let error = (tanh(x) - x.tanh()).abs();
            assert!(error < 1e-12, "tanh({x}) is off by {error}");
            let y = x.exp();
            let error = (ln(y) - x).abs();
            assert!(
                error < 1e-12 * x.abs().max(1.0),
                "ln({y}) is off by {error}"
            );
        }
        for x in [1.0 - 1e-9, 1.0 + 1e-9, 0.5, 2.0] {
            let error = (ln(x) / x.ln() - 1.0).abs();
            assert!(error < 1e-12, "ln({x}) is off by {error}");
        }
        assert_eq!((exp(0.0), ln(1.0)), (1.0, 0.0));
        assert!(exp(1e9).is_finite() && exp(-1e9) > 0.0);
    }
}
