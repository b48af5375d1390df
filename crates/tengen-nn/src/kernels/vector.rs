//! Some numbers at a time: 16 in the registers of AVX-512, eight in those of AVX2 or in an array, four in those of NEON
//! and WebAssembly.
#![expect(
    unsafe_code,
    reason = "vector instructions are unsafe to call, and loads and stores take addresses"
)]

use super::LANES;

/// As many numbers as a register holds.
///
/// # Safety
///
/// `load` and `store` need `LANES` numbers at their address. All need the instructions that the type is made for.
pub(super) trait Vector: Copy {
    /// How many numbers it holds.
    const LANES: usize;
    /// Matrix products keep the sums of so many rows in registers, with two vectors each: one row more would not fit.
    const MOST_ROWS: usize;

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
        const LANES: usize = 8;
        const MOST_ROWS: usize = 6;

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

#[cfg(target_arch = "x86_64")]
mod avx512 {
    use super::Vector;
    use std::arch::x86_64::{
        __m512, _CMP_GE_OQ, _CMP_GT_OQ, _mm512_add_ps, _mm512_cmp_ps_mask, _mm512_fmadd_ps,
        _mm512_loadu_ps, _mm512_mask_blend_ps, _mm512_maskz_mov_ps, _mm512_max_ps, _mm512_mul_ps,
        _mm512_set1_ps, _mm512_setzero_ps, _mm512_storeu_ps, _mm512_sub_ps,
    };

    /// # Safety
    ///
    /// Its methods are only called from functions that are compiled for AVX-512 and run where it was detected.
    impl Vector for __m512 {
        const LANES: usize = 16;
        const MOST_ROWS: usize = 12;

        #[inline(always)]
        unsafe fn splat(value: f32) -> Self {
            unsafe { _mm512_set1_ps(value) }
        }
        #[inline(always)]
        unsafe fn load(from: *const f32) -> Self {
            unsafe { _mm512_loadu_ps(from) }
        }
        #[inline(always)]
        unsafe fn store(self, to: *mut f32) {
            unsafe { _mm512_storeu_ps(to, self) }
        }
        #[inline(always)]
        unsafe fn add(self, other: Self) -> Self {
            unsafe { _mm512_add_ps(self, other) }
        }
        #[inline(always)]
        unsafe fn sub(self, other: Self) -> Self {
            unsafe { _mm512_sub_ps(self, other) }
        }
        #[inline(always)]
        unsafe fn mul(self, other: Self) -> Self {
            unsafe { _mm512_mul_ps(self, other) }
        }
        #[inline(always)]
        unsafe fn max(self, other: Self) -> Self {
            unsafe { _mm512_max_ps(self, other) }
        }
        #[inline(always)]
        unsafe fn mul_add(self, factor: Self, summand: Self) -> Self {
            unsafe { _mm512_fmadd_ps(self, factor, summand) }
        }
        #[inline(always)]
        unsafe fn where_positive(self, gate: Self) -> Self {
            unsafe {
                let positive = _mm512_cmp_ps_mask::<_CMP_GT_OQ>(gate, _mm512_setzero_ps());
                _mm512_maskz_mov_ps(positive, self)
            }
        }
        #[inline(always)]
        unsafe fn where_at_least(self, a: Self, b: Self, other: Self) -> Self {
            unsafe { _mm512_mask_blend_ps(_mm512_cmp_ps_mask::<_CMP_GE_OQ>(a, b), other, self) }
        }
    }
}

#[cfg(all(target_arch = "aarch64", target_feature = "neon"))]
mod neon {
    use super::Vector;
    use std::arch::aarch64::{
        float32x4_t, vaddq_f32, vandq_u32, vbslq_f32, vcgeq_f32, vcgtzq_f32, vdupq_n_f32,
        vfmaq_f32, vld1q_f32, vmaxnmq_f32, vmulq_f32, vreinterpretq_f32_u32, vreinterpretq_u32_f32,
        vst1q_f32, vsubq_f32,
    };

    /// Of 32 registers, 12 rows of two vectors take 24, and two vectors of weights and some factors the others.
    ///
    /// # Safety
    ///
    /// The whole program is compiled for NEON, which every processor of this kind has.
    impl Vector for float32x4_t {
        const LANES: usize = 4;
        const MOST_ROWS: usize = 12;

        #[inline(always)]
        unsafe fn splat(value: f32) -> Self {
            unsafe { vdupq_n_f32(value) }
        }
        #[inline(always)]
        unsafe fn load(from: *const f32) -> Self {
            unsafe { vld1q_f32(from) }
        }
        #[inline(always)]
        unsafe fn store(self, to: *mut f32) {
            unsafe { vst1q_f32(to, self) }
        }
        #[inline(always)]
        unsafe fn add(self, other: Self) -> Self {
            unsafe { vaddq_f32(self, other) }
        }
        #[inline(always)]
        unsafe fn sub(self, other: Self) -> Self {
            unsafe { vsubq_f32(self, other) }
        }
        #[inline(always)]
        unsafe fn mul(self, other: Self) -> Self {
            unsafe { vmulq_f32(self, other) }
        }
        #[inline(always)]
        unsafe fn max(self, other: Self) -> Self {
            unsafe { vmaxnmq_f32(self, other) }
        }
        #[inline(always)]
        unsafe fn mul_add(self, factor: Self, summand: Self) -> Self {
            unsafe { vfmaq_f32(summand, self, factor) }
        }
        #[inline(always)]
        unsafe fn where_positive(self, gate: Self) -> Self {
            unsafe {
                let kept = vandq_u32(vreinterpretq_u32_f32(self), vcgtzq_f32(gate));
                vreinterpretq_f32_u32(kept)
            }
        }
        #[inline(always)]
        unsafe fn where_at_least(self, a: Self, b: Self, other: Self) -> Self {
            unsafe { vbslq_f32(vcgeq_f32(a, b), self, other) }
        }
    }
}

#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
mod simd128 {
    use super::Vector;
    use std::arch::wasm32::{
        f32x4_add, f32x4_ge, f32x4_gt, f32x4_mul, f32x4_pmax, f32x4_splat, f32x4_sub, v128,
        v128_and, v128_bitselect, v128_load, v128_store,
    };

    /// Browsers have 15 registers for them on most machines: five rows of two vectors fit, with two vectors of weights,
    /// a factor and a product.
    ///
    /// # Safety
    ///
    /// The whole module is compiled for these instructions: a browser without them refuses it.
    impl Vector for v128 {
        const LANES: usize = 4;
        const MOST_ROWS: usize = 5;

        #[inline(always)]
        unsafe fn splat(value: f32) -> Self {
            f32x4_splat(value)
        }
        #[inline(always)]
        unsafe fn load(from: *const f32) -> Self {
            unsafe { v128_load(from.cast()) }
        }
        #[inline(always)]
        unsafe fn store(self, to: *mut f32) {
            unsafe { v128_store(to.cast(), self) }
        }
        #[inline(always)]
        unsafe fn add(self, other: Self) -> Self {
            f32x4_add(self, other)
        }
        #[inline(always)]
        unsafe fn sub(self, other: Self) -> Self {
            f32x4_sub(self, other)
        }
        #[inline(always)]
        unsafe fn mul(self, other: Self) -> Self {
            f32x4_mul(self, other)
        }
        #[inline(always)]
        unsafe fn max(self, other: Self) -> Self {
            f32x4_pmax(self, other)
        }
        // Not fused: the instruction for that is a few percent faster, and not every browser has it.
        #[inline(always)]
        unsafe fn mul_add(self, factor: Self, summand: Self) -> Self {
            f32x4_add(f32x4_mul(self, factor), summand)
        }
        #[inline(always)]
        unsafe fn where_positive(self, gate: Self) -> Self {
            v128_and(self, f32x4_gt(gate, f32x4_splat(0.0)))
        }
        #[inline(always)]
        unsafe fn where_at_least(self, a: Self, b: Self, other: Self) -> Self {
            v128_bitselect(self, other, f32x4_ge(a, b))
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
    const LANES: usize = LANES;
    const MOST_ROWS: usize = 6;

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
        let mut sums = summand;
        for (lane, sum) in sums.0.iter_mut().enumerate() {
            // Every processor of this kind fuses; on others it would be a call.
            *sum = match cfg!(target_arch = "aarch64") {
                true => self.0[lane].mul_add(factor.0[lane], *sum),
                false => self.0[lane] * factor.0[lane] + *sum,
            };
        }
        sums
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
