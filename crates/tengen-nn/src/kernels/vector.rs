//! Eight numbers at a time: in the registers of AVX2, or in an array.
#![expect(
    unsafe_code,
    reason = "vector instructions are unsafe to call, and loads and stores take addresses"
)]

use super::LANES;

/// Eight numbers.
///
/// # Safety
///
/// `load` and `store` need eight numbers at their address. All need the instructions that the type is made for.
pub(super) trait Vector: Copy {
    unsafe fn splat(value: f32) -> Self;
    unsafe fn load(from: *const f32) -> Self;
    unsafe fn store(self, to: *mut f32);
    unsafe fn add(self, other: Self) -> Self;
    unsafe fn sub(self, other: Self) -> Self;
    unsafe fn mul(self, other: Self) -> Self;
    unsafe fn max(self, other: Self) -> Self;
    /// `self * factor + summand`.
    unsafe fn mul_add(self, factor: Self, summand: Self) -> Self;
    /// These where the gate is positive, and 0 elsewhere.
    unsafe fn where_positive(self, gate: Self) -> Self;
    /// These where `a` is not less than `b`, and the others elsewhere.
    unsafe fn where_at_least(self, a: Self, b: Self, other: Self) -> Self;
}

#[cfg(target_arch = "x86_64")]
mod avx2 {
    use super::Vector;
    use std::arch::x86_64::{
        __m256, _CMP_GE_OQ, _CMP_GT_OQ, _mm256_add_ps, _mm256_and_ps, _mm256_blendv_ps,
        _mm256_cmp_ps, _mm256_fmadd_ps, _mm256_loadu_ps, _mm256_max_ps, _mm256_mul_ps,
        _mm256_set1_ps, _mm256_setzero_ps, _mm256_storeu_ps, _mm256_sub_ps,
    };

    /// # Safety
    ///
    /// Its methods are only called from functions that are compiled for AVX2 and FMA and run where both were detected.
    impl Vector for __m256 {
        #[inline(always)]
        unsafe fn splat(value: f32) -> Self {
            unsafe { _mm256_set1_ps(value) }
        }
        #[inline(always)]
        unsafe fn load(from: *const f32) -> Self {
            unsafe { _mm256_loadu_ps(from) }
        }
        #[inline(always)]
        unsafe fn store(self, to: *mut f32) {
            unsafe { _mm256_storeu_ps(to, self) }
        }
        #[inline(always)]
        unsafe fn add(self, other: Self) -> Self {
            unsafe { _mm256_add_ps(self, other) }
        }
        #[inline(always)]
        unsafe fn sub(self, other: Self) -> Self {
            unsafe { _mm256_sub_ps(self, other) }
        }
        #[inline(always)]
        unsafe fn mul(self, other: Self) -> Self {
            unsafe { _mm256_mul_ps(self, other) }
        }
        #[inline(always)]
        unsafe fn max(self, other: Self) -> Self {
            unsafe { _mm256_max_ps(self, other) }
        }
        #[inline(always)]
        unsafe fn mul_add(self, factor: Self, summand: Self) -> Self {
            unsafe { _mm256_fmadd_ps(self, factor, summand) }
        }
        #[inline(always)]
        unsafe fn where_positive(self, gate: Self) -> Self {
            unsafe { _mm256_and_ps(self, _mm256_cmp_ps::<_CMP_GT_OQ>(gate, _mm256_setzero_ps())) }
        }
        #[inline(always)]
        unsafe fn where_at_least(self, a: Self, b: Self, other: Self) -> Self {
            unsafe { _mm256_blendv_ps(other, self, _mm256_cmp_ps::<_CMP_GE_OQ>(a, b)) }
        }
    }
}

/// Eight numbers in an array, which compilers turn into whatever vectors there are.
#[derive(Clone, Copy)]
pub(super) struct Array([f32; LANES]);

impl Array {
    #[inline(always)]
    fn zip(mut self, other: Self, join: impl Fn(f32, f32) -> f32) -> Self {
        for (own, other) in self.0.iter_mut().zip(other.0) {
            *own = join(*own, other);
        }
        self
    }
}

impl Vector for Array {
    #[inline(always)]
    unsafe fn splat(value: f32) -> Self {
        Self([value; LANES])
    }
    #[inline(always)]
    unsafe fn load(from: *const f32) -> Self {
        Self(unsafe { from.cast::<[f32; LANES]>().read_unaligned() })
    }
    #[inline(always)]
    unsafe fn store(self, to: *mut f32) {
        unsafe { to.cast::<[f32; LANES]>().write_unaligned(self.0) }
    }
    #[inline(always)]
    unsafe fn add(self, other: Self) -> Self {
        self.zip(other, |a, b| a + b)
    }
    #[inline(always)]
    unsafe fn sub(self, other: Self) -> Self {
        self.zip(other, |a, b| a - b)
    }
    #[inline(always)]
    unsafe fn mul(self, other: Self) -> Self {
        self.zip(other, |a, b| a * b)
    }
    #[inline(always)]
    unsafe fn max(self, other: Self) -> Self {
        self.zip(other, f32::max)
    }
    #[inline(always)]
    unsafe fn mul_add(self, factor: Self, summand: Self) -> Self {
        self.zip(factor, |a, b| a * b)
            .zip(summand, |product, c| product + c)
    }
    #[inline(always)]
    unsafe fn where_positive(self, gate: Self) -> Self {
        self.zip(gate, |value, gate| if gate > 0.0 { value } else { 0.0 })
    }
    #[inline(always)]
    unsafe fn where_at_least(self, a: Self, b: Self, other: Self) -> Self {
        let mut chosen = other;
        for (lane, chosen) in chosen.0.iter_mut().enumerate() {
            if a.0[lane] >= b.0[lane] {
                *chosen = self.0[lane];
            }
        }
        chosen
    }
}
