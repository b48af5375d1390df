//! The inner loops of the network, for AVX2 with FMA and for any other processor.
//!
//! This file and the vectors below it have the only unsafe code. Every kernel is written once, over eight numbers at a time, and compiled twice;
//! which of the two runs is decided when the program runs. The functions that the rest of the crate sees check the lengths
//! of all slices, and the kernels touch nothing outside of them:
//!
//! - a matrix product reads `rows × depth` and `depth × columns` numbers and writes `rows × columns`;
//! - a transform reads or writes tiles of boards that lie in a [`Grid`], whose margin is wide enough for tiles that hang over
//!   the edge of the last board ([`Grid::len`]).
#![expect(
    unsafe_code,
    reason = "bounds are checked once for each call, and vector instructions are unsafe to call"
)]

mod transform;
mod vector;

use vector::{Array, Vector};

/// How many numbers a kernel handles at once.
pub(crate) const LANES: usize = 8;

/// Matrix products make so many columns at once; the number of columns is a multiple of it.
pub(crate) const COLUMNS: usize = 2 * LANES;

/// A matrix product holds the sums of so many rows in registers: with two vectors each, one row more would not fit.
const MOST_ROWS: usize = 6;

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

// After the macro that its kernels are declared with.
mod tiles;

pub(crate) use tiles::{Finish, Tiling};

/// Calls a function with a constant number of rows for groups of rows of about equal size.
macro_rules! in_groups {
    ($rows:expr, |$first:ident| $function:ident::<$vector:ident, _>($($argument:expr),* $(,)?)) => {{
        let rows: usize = $rows;
        let groups = rows.div_ceil(MOST_ROWS);
        let mut $first = 0;
        for group in 0..groups {
            let count = rows / groups + usize::from(group < rows % groups);
            match count {
                1 => $function::<$vector, 1>($($argument),*),
                2 => $function::<$vector, 2>($($argument),*),
                3 => $function::<$vector, 3>($($argument),*),
                4 => $function::<$vector, 4>($($argument),*),
                5 => $function::<$vector, 5>($($argument),*),
                _ => $function::<$vector, MOST_ROWS>($($argument),*),
            }
            $first += count;
        }
    }};
}

kernel! {
    /// `out = left × right`: left has `rows × depth` numbers, right was packed by [`pack`], out has `rows × columns`.
    multiply = multiply_kernel(left: &[f32], right: &[f32], out: &mut [f32], rows: usize, depth: usize, columns: usize) where {
        assert!(columns.is_multiple_of(COLUMNS));
        assert!(left.len() >= rows * depth && right.len() >= depth * columns && out.len() >= rows * columns);
    }
}

/// Reorders a matrix of `depth × columns` numbers for [`Kernels::multiply`]: 16 columns of all rows, then the next 16.
pub(crate) fn pack(matrix: &[f32], columns: usize, out: &mut Vec<f32>) {
    out.clear();
    for first in (0..columns).step_by(COLUMNS) {
        for row in matrix.chunks_exact(columns) {
            out.extend_from_slice(&row[first..first + COLUMNS]);
        }
    }
}

#[inline(always)]
unsafe fn multiply_kernel<V: Vector>(
    left: &[f32],
    right: &[f32],
    out: &mut [f32],
    rows: usize,
    depth: usize,
    columns: usize,
) {
    for column in (0..columns).step_by(COLUMNS) {
        unsafe {
            let right = right.as_ptr().add(column * depth);
            let out = out.as_mut_ptr().add(column);
            in_groups!(rows, |first| multiply_rows::<V, _>(
                left.as_ptr().add(first * depth),
                right,
                out.add(first * columns),
                depth,
                columns,
            ));
        }
    }
}

#[inline(always)]
unsafe fn multiply_rows<V: Vector, const ROWS: usize>(
    left: *const f32,
    mut right: *const f32,
    out: *mut f32,
    depth: usize,
    columns: usize,
) {
    unsafe {
        let mut sums = [[V::splat(0.0); 2]; ROWS];
        for place in 0..depth {
            let (low, high) = (V::load(right), V::load(right.add(LANES)));
            right = right.add(COLUMNS);
            for (row, sums) in sums.iter_mut().enumerate() {
                let factor = V::splat(*left.add(row * depth + place));
                sums[0] = factor.mul_add(low, sums[0]);
                sums[1] = factor.mul_add(high, sums[1]);
            }
        }
        for (row, sums) in sums.into_iter().enumerate() {
            sums[0].store(out.add(row * columns));
            sums[1].store(out.add(row * columns + LANES));
        }
    }
}

kernel! {
    /// `out += leftᵀ × right`: left has `rows × left_columns` numbers, right `rows × columns`.
    multiply_transposed = multiply_transposed_kernel(left: &[f32], right: &[f32], out: &mut [f32], rows: usize, left_columns: usize, columns: usize) where {
        assert!(columns.is_multiple_of(COLUMNS));
        assert!(left.len() >= rows * left_columns && right.len() >= rows * columns);
        assert!(out.len() >= left_columns * columns);
    }
}

#[inline(always)]
unsafe fn multiply_transposed_kernel<V: Vector>(
    left: &[f32],
    right: &[f32],
    out: &mut [f32],
    rows: usize,
    left_columns: usize,
    columns: usize,
) {
    for column in (0..columns).step_by(COLUMNS) {
        unsafe {
            let right = right.as_ptr().add(column);
            let out = out.as_mut_ptr().add(column);
            in_groups!(left_columns, |first| multiply_transposed_rows::<V, _>(
                left.as_ptr().add(first),
                right,
                out.add(first * columns),
                rows,
                left_columns,
                columns,
            ));
        }
    }
}

#[inline(always)]
unsafe fn multiply_transposed_rows<V: Vector, const ROWS: usize>(
    mut left: *const f32,
    mut right: *const f32,
    out: *mut f32,
    rows: usize,
    left_columns: usize,
    columns: usize,
) {
    unsafe {
        let mut sums = [[V::splat(0.0); 2]; ROWS];
        for _ in 0..rows {
            let (low, high) = (V::load(right), V::load(right.add(LANES)));
            for (row, sums) in sums.iter_mut().enumerate() {
                let factor = V::splat(*left.add(row));
                sums[0] = factor.mul_add(low, sums[0]);
                sums[1] = factor.mul_add(high, sums[1]);
            }
            left = left.wrapping_add(left_columns);
            right = right.wrapping_add(columns);
        }
        for (row, sums) in sums.into_iter().enumerate() {
            for (half, sum) in sums.into_iter().enumerate() {
                let out = out.add(row * columns + half * LANES);
                sum.add(V::load(out)).store(out);
            }
        }
    }
}
