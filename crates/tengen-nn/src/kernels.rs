//! The inner loops of the network, for AVX2 with FMA and for any other processor.
//!
//! This file and those below it have the only unsafe code. Every kernel is written once, over eight numbers at a time,
//! and compiled twice; which of the two runs is decided when the program runs. The functions that the rest of the crate
//! sees check the lengths of all slices, and the kernels touch nothing outside of them:
//!
//! - a matrix product reads `rows × depth` and `depth × columns` numbers and writes `rows × columns`;
//! - a transform reads or writes tiles of boards that lie in a [`Grid`](crate::grid::Grid), whose margin is wide enough
//!   for tiles that hang over the edge of the last board, and strips and tiles of the lengths that a [`Tiling`] says.
mod buffer;
mod exponential;
mod transform;
mod vector;

pub(crate) use buffer::Buffer;

/// How many numbers a kernel handles at once.
pub(crate) const LANES: usize = 8;

/// Matrix products make so many columns at once; the number of columns is a multiple of it.
pub(crate) const COLUMNS: usize = 2 * LANES;

/// Which instructions the kernels use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kernels(Path);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Path {
    #[cfg(target_arch = "x86_64")]
    Avx2,
    Portable,
}

impl Kernels {
    /// Kernels that run everywhere.
    pub const PORTABLE: Self = Self(Path::Portable);

    /// The fastest kernels that this machine can run.
    pub fn detect() -> Self {
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma") {
            return Self(Path::Avx2);
        }
        Self::PORTABLE
    }

    /// All kernels that this machine can run, the fastest first.
    pub fn available() -> Vec<Self> {
        let fastest = Self::detect();
        match fastest.0 {
            #[cfg(target_arch = "x86_64")]
            Path::Avx2 => vec![fastest, Self::PORTABLE],
            Path::Portable => vec![fastest],
        }
    }

    /// What they are called.
    pub const fn name(self) -> &'static str {
        match self.0 {
            #[cfg(target_arch = "x86_64")]
            Path::Avx2 => "avx2",
            Path::Portable => "portable",
        }
    }
}

/// Declares the function that the rest of the crate calls, and compiles its kernel for each set of instructions.
macro_rules! kernel {
    ($(#[$doc:meta])+ $name:ident = $kernel:ident($($argument:ident: $type:ty),* $(,)?) where $check:block) => {
        impl Kernels {
            $(#[$doc])+
            pub(crate) fn $name(self, $($argument: $type),*) {
                $check
                match self.0 {
                    #[cfg(target_arch = "x86_64")]
                    Path::Avx2 => {
                        #[target_feature(enable = "avx2,fma")]
                        unsafe fn compiled($($argument: $type),*) {
                            unsafe { $kernel::<std::arch::x86_64::__m256>($($argument),*) }
                        }
                        // SAFETY: both features were detected, and the lengths were checked.
                        unsafe { compiled($($argument),*) }
                    }
                    // SAFETY: the lengths were checked.
                    Path::Portable => unsafe { $kernel::<Array>($($argument),*) },
                }
            }
        }
    };
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
pub(crate) use tiles::{Finish, Tiling};
pub(crate) use weights::place_stride;
