//! The inner loops of the network, for AVX2 with FMA and for any other processor.
//!
//! This file and those below it have the only unsafe code. Every kernel is written once, over eight numbers at a time, and compiled twice;
//! which of the two runs is decided when the program runs. The functions that the rest of the crate sees check the lengths
//! of all slices, and the kernels touch nothing outside of them:
//!
//! - a matrix product reads `rows × depth` and `depth × columns` numbers and writes `rows × columns`;
//! - a transform reads or writes tiles of boards that lie in a [`Grid`](crate::grid::Grid), whose margin is wide enough for
//!   tiles that hang over the edge of the last board, and strips and tiles of the lengths that a [`Tiling`] says.
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

/// A matrix product takes so many steps without looking where it is; its depth is a multiple of it.
const UNROLLED: usize = 4;

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

// After the macro that their kernels are declared with.
mod points;
mod tiles;

pub(crate) use tiles::{Finish, Tiling};

/// Calls a function with a constant number of rows for groups of rows of about equal size.
macro_rules! in_groups {
    ($rows:expr, |$first:ident| $function:ident::<$vector:ident, _ $(, $more:literal)?>($($argument:expr),* $(,)?)) => {{
        let rows: usize = $rows;
        let groups = rows.div_ceil(MOST_ROWS);
        let mut $first = 0;
        for group in 0..groups {
            let count = rows / groups + usize::from(group < rows % groups);
            match count {
                1 => $function::<$vector, 1 $(, $more)?>($($argument),*),
                2 => $function::<$vector, 2 $(, $more)?>($($argument),*),
                3 => $function::<$vector, 3 $(, $more)?>($($argument),*),
                4 => $function::<$vector, 4 $(, $more)?>($($argument),*),
                5 => $function::<$vector, 5 $(, $more)?>($($argument),*),
                _ => $function::<$vector, MOST_ROWS $(, $more)?>($($argument),*),
            }
            $first += count;
        }
    }};
}

kernel! {
    /// `out = left × right`: left has `rows × depth` numbers, right was packed by [`pack`], out has `rows × columns`.
    multiply = multiply_kernel(left: &[f32], right: &[f32], out: &mut [f32], rows: usize, depth: usize, columns: usize) where {
        assert!(columns.is_multiple_of(COLUMNS) && depth.is_multiple_of(UNROLLED));
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
    unsafe {
        let (left, right, out) = (left.as_ptr(), right.as_ptr(), out.as_mut_ptr());
        // A few rows have too few sums to keep the processor busy, unless they have more columns.
        let wide = match rows {
            1..=3 => columns / (2 * COLUMNS) * (2 * COLUMNS),
            _ => 0,
        };
        for column in (0..wide).step_by(2 * COLUMNS) {
            let (right, out) = (right.add(column * depth), out.add(column));
            match rows {
                1 => multiply_rows::<V, 1, 2>(left, right, out, depth, columns),
                2 => multiply_rows::<V, 2, 2>(left, right, out, depth, columns),
                _ => multiply_rows::<V, 3, 2>(left, right, out, depth, columns),
            }
        }
        for column in (wide..columns).step_by(COLUMNS) {
            let (right, out) = (right.add(column * depth), out.add(column));
            in_groups!(rows, |first| multiply_rows::<V, _, 1>(
                left.add(first * depth),
                right,
                out.add(first * columns),
                depth,
                columns,
            ));
        }
    }
}

/// Makes so many rows of as many times 16 columns.
#[inline(always)]
unsafe fn multiply_rows<V: Vector, const ROWS: usize, const PANELS: usize>(
    mut left: *const f32,
    mut right: *const f32,
    out: *mut f32,
    depth: usize,
    columns: usize,
) {
    unsafe {
        let panel = depth * COLUMNS;
        let mut sums = [[[V::splat(0.0); 2]; PANELS]; ROWS];
        for _ in 0..depth / UNROLLED {
            for place in 0..UNROLLED {
                let mut weights = [[V::splat(0.0); 2]; PANELS];
                for (number, weights) in weights.iter_mut().enumerate() {
                    let right = right.add(number * panel);
                    *weights = [V::load(right), V::load(right.add(LANES))];
                }
                right = right.add(COLUMNS);
                for (row, sums) in sums.iter_mut().enumerate() {
                    let factor = V::splat(*left.add(row * depth + place));
                    for (sums, [low, high]) in sums.iter_mut().zip(weights) {
                        sums[0] = factor.mul_add(low, sums[0]);
                        sums[1] = factor.mul_add(high, sums[1]);
                    }
                }
            }
            left = left.wrapping_add(UNROLLED);
        }
        for (row, sums) in sums.into_iter().enumerate() {
            for (number, sums) in sums.into_iter().enumerate() {
                let out = out.add(row * columns + number * COLUMNS);
                sums[0].store(out);
                sums[1].store(out.add(LANES));
            }
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
