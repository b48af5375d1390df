//! The inner loops of the network, for AVX-512, for AVX2 with FMA, for NEON, for WebAssembly and for any other
//! processor.
//!
//! This file and those below it have the only unsafe code. Every kernel is written once, over the numbers of a vector,
//! and compiled for each set of instructions; which of them runs is decided when the program runs. AVX-512 does what
//! AVX2 does for twice as many numbers at once, in the same order, so both come to the same results bit by bit. The
//! functions that the rest of the crate sees check the lengths of all slices, and the kernels touch nothing outside of
//! them:
//!
//! - a matrix product reads `rows × depth` and `depth × columns` numbers and writes `rows × columns`;
//! - a transform reads or writes tiles of boards that lie in a [`Grid`](crate::grid::Grid), whose margin is wide enough
//!   for tiles that hang over the edge of the last board, and strips and tiles of the lengths that a [`Tiling`] says.
mod buffer;
mod exponential;
mod transform;
mod vector;

pub(crate) use buffer::Buffer;

/// How many numbers a kernel handles at once, unless the vectors are longer and the channels as many.
pub(crate) const LANES: usize = 8;

/// Matrices are packed by so many columns; the number of columns is a multiple of it. No vector is longer.
pub(crate) const COLUMNS: usize = 2 * LANES;

/// Which instructions the kernels use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kernels(Path);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Path {
    #[cfg(target_arch = "x86_64")]
    Avx512,
    #[cfg(target_arch = "x86_64")]
    Avx2,
    #[cfg(all(target_arch = "aarch64", target_feature = "neon"))]
    Neon,
    #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
    Simd128,
    Portable,
}

impl Kernels {
    /// Kernels that run everywhere.
    pub const PORTABLE: Self = Self(Path::Portable);

    /// The fastest kernels that this machine can run.
    pub fn detect() -> Self {
        Self::available()[0]
    }

    /// All kernels that this machine can run, the fastest first.
    pub fn available() -> Vec<Self> {
        let mut available = vec![Self::PORTABLE];
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma") {
            available.insert(0, Self(Path::Avx2));
            if is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512vl") {
                available.insert(0, Self(Path::Avx512));
            }
        }
        #[cfg(all(target_arch = "aarch64", target_feature = "neon"))]
        available.insert(0, Self(Path::Neon));
        #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
        available.insert(0, Self(Path::Simd128));
        available
    }

    /// What they are called.
    pub const fn name(self) -> &'static str {
        match self.0 {
            #[cfg(target_arch = "x86_64")]
            Path::Avx512 => "avx512",
            #[cfg(target_arch = "x86_64")]
            Path::Avx2 => "avx2",
            #[cfg(all(target_arch = "aarch64", target_feature = "neon"))]
            Path::Neon => "neon",
            #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
            Path::Simd128 => "simd128",
            Path::Portable => "portable",
        }
    }
}

/// Declares the function that the rest of the crate calls, and compiles its kernel for each set of instructions.
///
/// AVX-512 has vectors of 16 numbers, which a kernel uses if it has a condition after `wide` and this holds. All others
/// are those of AVX2 there. NEON and WebAssembly have vectors of four: kernels with `wide` use them, and the others,
/// which count on eight, are portable there.
macro_rules! kernel {
    (
        $(#[$doc:meta])+
        $name:ident = $kernel:ident($($argument:ident: $type:ty),* $(,)?) where $check:block
    ) => {
        impl Kernels {
            $(#[$doc])+
            pub(crate) fn $name(self, $($argument: $type),*) {
                $check
                match self.0 {
                    #[cfg(target_arch = "x86_64")]
                    Path::Avx512 | Path::Avx2 => {
                        compiled!("avx2,fma", __m256, $kernel($($argument: $type),*));
                    }
                    // SAFETY: the lengths were checked.
                    #[cfg(all(target_arch = "aarch64", target_feature = "neon"))]
                    Path::Neon => unsafe { $kernel::<Array>($($argument),*) },
                    // SAFETY: the lengths were checked.
                    #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
                    Path::Simd128 => unsafe { $kernel::<Array>($($argument),*) },
                    // SAFETY: the lengths were checked.
                    Path::Portable => unsafe { $kernel::<Array>($($argument),*) },
                }
            }
        }
    };
    (
        $(#[$doc:meta])+
        $name:ident = $kernel:ident($($argument:ident: $type:ty),* $(,)?) where $check:block wide $wide:expr
    ) => {
        impl Kernels {
            $(#[$doc])+
            pub(crate) fn $name(self, $($argument: $type),*) {
                $check
                match self.0 {
                    #[cfg(target_arch = "x86_64")]
                    Path::Avx512 if $wide => {
                        compiled!("avx512f,avx512vl,avx2,fma", __m512, $kernel($($argument: $type),*));
                    }
                    #[cfg(target_arch = "x86_64")]
                    Path::Avx512 | Path::Avx2 => {
                        compiled!("avx2,fma", __m256, $kernel($($argument: $type),*));
                    }
                    // SAFETY: the lengths were checked.
                    #[cfg(all(target_arch = "aarch64", target_feature = "neon"))]
                    Path::Neon => unsafe { $kernel::<std::arch::aarch64::float32x4_t>($($argument),*) },
                    // SAFETY: the lengths were checked.
                    #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
                    Path::Simd128 => unsafe { $kernel::<std::arch::wasm32::v128>($($argument),*) },
                    // SAFETY: the lengths were checked.
                    Path::Portable => unsafe { $kernel::<Array>($($argument),*) },
                }
            }
        }
    };
}

/// Calls a kernel that is compiled for these instructions and vectors.
#[cfg(target_arch = "x86_64")]
macro_rules! compiled {
    ($features:literal, $vector:ident, $kernel:ident($($argument:ident: $type:ty),*)) => {{
        #[target_feature(enable = $features)]
        unsafe fn compiled($($argument: $type),*) {
            unsafe { $kernel::<std::arch::x86_64::$vector>($($argument),*) }
        }
        // SAFETY: the features were detected, and the lengths were checked.
        unsafe { compiled($($argument),*) }
    }};
}

// After the macro that their kernels are declared with.
mod activation;
mod points;
mod product;
mod tiles;
mod weights;

pub(crate) use activation::{Activation, Normalization, RootMeanSquare, Sparse};
pub(crate) use points::Pooled;
pub(crate) use product::pack;
pub(crate) use tiles::{Finish, Tiling, portion_len};
pub(crate) use weights::{TAPS_OF_A_ROW, place_stride};
