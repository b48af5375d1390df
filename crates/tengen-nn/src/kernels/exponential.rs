//! Exponentials of eight numbers at a time, the same on every machine with the same instructions.
#![expect(unsafe_code, reason = "vector instructions are unsafe to call")]

use super::LANES;
use super::vector::{Array, Vector};

/// What exponentials need beyond [`Vector`].
///
/// # Safety
///
/// As for [`Vector`].
pub(super) trait Exponential: Vector {
    unsafe fn div(self, other: Self) -> Self;
    /// 2 to the power of a whole number that was added to [`WHOLE`].
    unsafe fn power_of_two(self) -> Self;
}

/// Added to a number that is not too large, it leaves the nearest whole number in the lowest bits.
const WHOLE: f32 = 12_582_912.0;

/// The bits of 1.
const ONE: u32 = 0x3f80_0000;

/// How many bits come after the exponent of a number.
const FRACTION_BITS: u32 = 23;

/// Beyond these, exponentials are too small or too large for a number.
const RANGE: [f32; 2] = [-87.0, 88.0];

#[cfg(target_arch = "x86_64")]
mod avx2 {
    use super::{Exponential, FRACTION_BITS, ONE};
    use std::arch::x86_64::{
        __m256, _mm256_add_epi32, _mm256_castps_si256, _mm256_castsi256_ps, _mm256_div_ps,
        _mm256_set1_epi32, _mm256_slli_epi32,
    };

    impl Exponential for __m256 {
        #[inline(always)]
        unsafe fn div(self, other: Self) -> Self {
            unsafe { _mm256_div_ps(self, other) }
        }
        #[inline(always)]
        unsafe fn power_of_two(self) -> Self {
            unsafe {
                let shifted =
                    _mm256_slli_epi32::<{ FRACTION_BITS.cast_signed() }>(_mm256_castps_si256(self));
                let one = _mm256_set1_epi32(ONE.cast_signed());
                _mm256_castsi256_ps(_mm256_add_epi32(shifted, one))
            }
        }
    }
}

impl Exponential for Array {
    #[inline(always)]
    unsafe fn div(self, other: Self) -> Self {
        let (mut own, mut others) = ([0.0; LANES], [0.0; LANES]);
        unsafe {
            self.store(own.as_mut_ptr());
            other.store(others.as_mut_ptr());
            for (own, other) in own.iter_mut().zip(others) {
                *own /= other;
            }
            Self::load(own.as_ptr())
        }
    }
    #[inline(always)]
    unsafe fn power_of_two(self) -> Self {
        let mut own = [0.0; LANES];
        unsafe {
            self.store(own.as_mut_ptr());
            for own in &mut own {
                *own = f32::from_bits((own.to_bits() << FRACTION_BITS).wrapping_add(ONE));
            }
            Self::load(own.as_ptr())
        }
    }
}

/// The lesser of two numbers.
#[inline(always)]
pub(super) unsafe fn min<V: Vector>(a: V, b: V) -> V {
    unsafe {
        let zero = V::splat(0.0);
        zero.sub(zero.sub(a).max(zero.sub(b)))
    }
}

/// The exponential, of what is within [`RANGE`]; beyond it, that of its end. It is off by less than 2 parts in ten
/// million.
#[inline(always)]
pub(super) unsafe fn exp<V: Exponential>(x: V) -> V {
    unsafe {
        let x = min(x.max(V::splat(RANGE[0])), V::splat(RANGE[1]));
        let shifted = x.mul_add(V::splat(std::f32::consts::LOG2_E), V::splat(WHOLE));
        let whole = shifted.sub(V::splat(WHOLE));
        // The logarithm of 2 in two parts: the first has so few digits that its products are exact.
        let rest = whole.mul_add(V::splat(-0.693_359_4), x);
        let rest = whole.mul_add(V::splat(2.121_944_4e-4), rest);
        let mut sum = V::splat(1.0 / 5040.0);
        for factor in [
            1.0 / 720.0,
            1.0 / 120.0,
            1.0 / 24.0,
            1.0 / 6.0,
            0.5,
            1.0,
            1.0,
        ] {
            sum = sum.mul_add(rest, V::splat(factor));
        }
        sum.mul(shifted.power_of_two())
    }
}

#[cfg(test)]
mod tests {
    use super::{Array, Exponential, LANES, exp};

    unsafe fn exponentials<V: Exponential>(values: &[f32]) -> Vec<f32> {
        let mut out = values.to_vec();
        for lanes in out.chunks_exact_mut(LANES) {
            // SAFETY: the caller has the instructions of `V`, and a chunk has eight numbers.
            unsafe { exp(V::load(lanes.as_ptr())).store(lanes.as_mut_ptr()) };
        }
        out
    }

    fn check(values: &[f32], found: &[f32]) {
        for (value, found) in values.iter().zip(found) {
            let wanted = f64::from(*value).exp();
            let off = (f64::from(*found) - wanted).abs() / wanted;
            assert!(off < 2.5e-7, "exp({value}) is {wanted}, not {found}");
        }
    }

    #[test]
    fn exponentials_are_those_of_the_library() {
        let values: Vec<f32> = (-87_000..88_000).map(|step| step as f32 / 1000.0).collect();
        // SAFETY: arrays need no instructions.
        check(&values, &unsafe { exponentials::<Array>(&values) });
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma") {
            #[target_feature(enable = "avx2,fma")]
            unsafe fn compiled(values: &[f32]) -> Vec<f32> {
                unsafe { exponentials::<std::arch::x86_64::__m256>(values) }
            }
            // SAFETY: both features were detected.
            check(&values, &unsafe { compiled(&values) });
        }
    }

    #[test]
    fn what_is_too_far_stays_finite() {
        let values = [
            f32::NEG_INFINITY,
            -1e9,
            -100.0,
            89.0,
            1e9,
            f32::INFINITY,
            0.0,
            1.0,
        ];
        // SAFETY: arrays need no instructions.
        let found = unsafe { exponentials::<Array>(&values) };
        assert!(found.iter().all(|value| value.is_finite()), "{found:?}");
        assert!(found[0] < 1e-37 && found[5] > 1e38, "{found:?}");
    }
}
