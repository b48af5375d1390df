//! Exponentials that are the same on every machine.
//!
//! Those of the standard library come from the system, whose last digit varies, and a search that differs in a last
//! digit soon differs in everything.

/// e to the power of `x`, right to five digits.
pub(crate) fn exp(x: f32) -> f32 {
    let power = (x * std::f32::consts::LOG2_E).clamp(-120.0, 120.0);
    let whole = power.floor();
    let part = power - whole;
    // The Taylor series of 2 to the power of `part`, which is below 1, with its last term stretched to end at 2.
    let series = 0.009_618_13 + part * 0.001_503_7;
    let series = 0.240_226_5 + part * (0.055_504_11 + part * series);
    let series = 1.0 + part * (std::f32::consts::LN_2 + part * series);
    f32::from_bits(((whole as i32 + 127) as u32) << 23) * series
}

/// The hyperbolic tangent.
pub(crate) fn tanh(x: f32) -> f32 {
    1.0 - 2.0 / (exp(2.0 * x) + 1.0)
}

#[cfg(test)]
mod tests {
    use super::{exp, tanh};

    #[test]
    fn they_are_those_of_the_standard_library_but_for_the_last_digits() {
        for step in -4000..=4000 {
            let x = step as f32 / 100.0;
            let error = (exp(x) / x.exp() - 1.0).abs();
            assert!(error < 1e-4, "exp({x}) is off by {error}");
            let error = (tanh(x) - x.tanh()).abs();
            assert!(error < 1e-4, "tanh({x}) is off by {error}");
        }
    }
}
