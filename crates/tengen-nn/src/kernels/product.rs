//! Matrix products.
#![expect(
    unsafe_code,
    reason = "bounds are checked once for each call, and vector instructions are unsafe to call"
)]

use super::vector::{Array, Vector};
use super::{COLUMNS, Kernels, Path};

/// A matrix product takes so many steps without looking where it is; its depth is a multiple of it.
pub(super) const UNROLLED: usize = 4;

/// Calls a function with a constant number of rows for groups of rows of about equal size.
macro_rules! in_groups {
    (
        $rows:expr,
        |$first:ident| $function:ident::<$vector:ident, _, $vectors:ident $(, $more:ident)?>(
            $($argument:expr),* $(,)?
        )
    ) => {{
        let rows: usize = $rows;
        let groups = rows.div_ceil($vector::MOST_ROWS);
        let mut $first = 0;
        for group in 0..groups {
            let count = rows / groups + usize::from(group < rows % groups);
            match count {
                1 => $function::<$vector, 1, $vectors $(, $more)?>($($argument),*),
                2 => $function::<$vector, 2, $vectors $(, $more)?>($($argument),*),
                3 => $function::<$vector, 3, $vectors $(, $more)?>($($argument),*),
                4 => $function::<$vector, 4, $vectors $(, $more)?>($($argument),*),
                5 => $function::<$vector, 5, $vectors $(, $more)?>($($argument),*),
                6 => $function::<$vector, 6, $vectors $(, $more)?>($($argument),*),
                _ if $vector::MOST_ROWS <= 6 => unreachable!(),
                7 => $function::<$vector, 7, $vectors $(, $more)?>($($argument),*),
                8 => $function::<$vector, 8, $vectors $(, $more)?>($($argument),*),
                9 => $function::<$vector, 9, $vectors $(, $more)?>($($argument),*),
                10 => $function::<$vector, 10, $vectors $(, $more)?>($($argument),*),
                11 => $function::<$vector, 11, $vectors $(, $more)?>($($argument),*),
                _ => $function::<$vector, 12, $vectors $(, $more)?>($($argument),*),
            }
            $first += count;
        }
    }};
}

kernel! {
    /// `out = left × right`: left has `rows × depth` numbers, right was packed by [`pack`], out has `rows × columns`.
    multiply = multiply_kernel(
        left: &[f32], right: &[f32], out: &mut [f32], rows: usize, depth: usize, columns: usize
    ) where {
        assert!(columns.is_multiple_of(COLUMNS) && depth.is_multiple_of(UNROLLED));
        assert!(left.len() >= rows * depth && right.len() >= depth * columns && out.len() >= rows * columns);
    } wide true
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
pub(super) unsafe fn multiply_kernel<V: Vector>(
    left: &[f32],
    right: &[f32],
    out: &mut [f32],
    rows: usize,
    depth: usize,
    columns: usize,
) {
    let (left, right, out) = (left.as_ptr(), right.as_ptr(), out.as_mut_ptr());
    unsafe { multiply_columns::<V>(left, right, (out, columns), rows, depth, columns) }
}

/// Makes so many columns of rows that lie `stride` apart.
#[inline(always)]
pub(super) unsafe fn multiply_columns<V: Vector>(
    left: *const f32,
    right: *const f32,
    (out, stride): (*mut f32, usize),
    rows: usize,
    depth: usize,
    columns: usize,
) {
    unsafe {
        let mut column = 0;
        let from = |column: usize| right.add(column / COLUMNS * COLUMNS * depth + column % COLUMNS);
        // A few rows have too few sums to keep the processor busy, unless they have more columns.
        while (1..=3).contains(&rows) && column + 4 * V::LANES <= columns {
            let (right, out) = (from(column), out.add(column));
            match rows {
                1 => multiply_rows::<V, 1, 4>(left, right, out, depth, stride),
                2 => multiply_rows::<V, 2, 4>(left, right, out, depth, stride),
                _ => multiply_rows::<V, 3, 4>(left, right, out, depth, stride),
            }
            column += 4 * V::LANES;
        }
        while column + 2 * V::LANES <= columns {
            let out = (out.add(column), stride);
            multiply_vectors::<V, 2>(left, from(column), out, rows, depth);
            column += 2 * V::LANES;
        }
        // Only the longest vectors leave columns over.
        if V::LANES == COLUMNS && column < columns {
            let out = (out.add(column), stride);
            multiply_vectors::<V, 1>(left, from(column), out, rows, depth);
        }
    }
}

/// Makes all rows of as many vectors.
#[inline(always)]
unsafe fn multiply_vectors<V: Vector, const VECTORS: usize>(
    left: *const f32,
    right: *const f32,
    (out, stride): (*mut f32, usize),
    rows: usize,
    depth: usize,
) {
    unsafe {
        in_groups!(rows, |first| multiply_rows::<V, _, VECTORS>(
            left.add(first * depth),
            right,
            out.add(first * stride),
            depth,
            stride,
        ));
    }
}

/// Makes so many rows of as many vectors.
#[inline(always)]
unsafe fn multiply_rows<V: Vector, const ROWS: usize, const VECTORS: usize>(
    mut left: *const f32,
    mut right: *const f32,
    out: *mut f32,
    depth: usize,
    stride: usize,
) {
    unsafe {
        let panel = depth * COLUMNS;
        let mut sums = [[V::splat(0.0); VECTORS]; ROWS];
        for _ in 0..depth / UNROLLED {
            for place in 0..UNROLLED {
                let mut weights = [V::splat(0.0); VECTORS];
                for (number, weights) in weights.iter_mut().enumerate() {
                    let column = number * V::LANES;
                    *weights = V::load(right.add(column / COLUMNS * panel + column % COLUMNS));
                }
                right = right.add(COLUMNS);
                for (row, sums) in sums.iter_mut().enumerate() {
                    let factor = V::splat(*left.add(row * depth + place));
                    for (sum, weights) in sums.iter_mut().zip(weights) {
                        *sum = factor.mul_add(weights, *sum);
                    }
                }
            }
            left = left.wrapping_add(UNROLLED);
        }
        for (row, sums) in sums.into_iter().enumerate() {
            for (number, sum) in sums.into_iter().enumerate() {
                sum.store(out.add(row * stride + number * V::LANES));
            }
        }
    }
}

kernel! {
    /// `out = leftᵀ × right`: left has `rows × left_columns` numbers, right `rows × columns`.
    multiply_transposed = set_transposed_kernel(
        left: &[f32], right: &[f32], out: &mut [f32], rows: usize, left_columns: usize, columns: usize
    ) where {
        check_transposed(left, right, out, rows, left_columns, columns);
    } wide true
}

kernel! {
    /// `out += leftᵀ × right`, with the lengths of [`Kernels::multiply_transposed`].
    add_transposed = add_transposed_kernel(
        left: &[f32], right: &[f32], out: &mut [f32], rows: usize, left_columns: usize, columns: usize
    ) where {
        check_transposed(left, right, out, rows, left_columns, columns);
    } wide true
}

fn check_transposed(
    left: &[f32],
    right: &[f32],
    out: &[f32],
    rows: usize,
    left_columns: usize,
    columns: usize,
) {
    assert!(columns.is_multiple_of(COLUMNS));
    assert!(left.len() >= rows * left_columns && right.len() >= rows * columns);
    assert!(out.len() >= left_columns * columns);
}

#[inline(always)]
unsafe fn set_transposed_kernel<V: Vector>(
    left: &[f32],
    right: &[f32],
    out: &mut [f32],
    rows: usize,
    left_columns: usize,
    columns: usize,
) {
    unsafe { transposed_kernel::<V, false>(left, right, out, rows, left_columns, columns) }
}

#[inline(always)]
unsafe fn add_transposed_kernel<V: Vector>(
    left: &[f32],
    right: &[f32],
    out: &mut [f32],
    rows: usize,
    left_columns: usize,
    columns: usize,
) {
    unsafe { transposed_kernel::<V, true>(left, right, out, rows, left_columns, columns) }
}

#[inline(always)]
unsafe fn transposed_kernel<V: Vector, const ADD: bool>(
    left: &[f32],
    right: &[f32],
    out: &mut [f32],
    rows: usize,
    left_columns: usize,
    columns: usize,
) {
    unsafe {
        let (left, right, out) = (left.as_ptr(), right.as_ptr(), out.as_mut_ptr());
        let mut column = 0;
        while column + 2 * V::LANES <= columns {
            let (right, out) = (right.add(column), out.add(column));
            transposed_vectors::<V, 2, ADD>(left, right, out, rows, left_columns, columns);
            column += 2 * V::LANES;
        }
        // Only the longest vectors leave columns over.
        if V::LANES == COLUMNS && column < columns {
            let (right, out) = (right.add(column), out.add(column));
            transposed_vectors::<V, 1, ADD>(left, right, out, rows, left_columns, columns);
        }
    }
}

/// Makes all rows of as many vectors.
#[inline(always)]
unsafe fn transposed_vectors<V: Vector, const VECTORS: usize, const ADD: bool>(
    left: *const f32,
    right: *const f32,
    out: *mut f32,
    rows: usize,
    left_columns: usize,
    columns: usize,
) {
    unsafe {
        in_groups!(left_columns, |first| transposed_rows::<V, _, VECTORS, ADD>(
            left.add(first),
            right,
            out.add(first * columns),
            rows,
            left_columns,
            columns,
        ));
    }
}

#[inline(always)]
unsafe fn transposed_rows<V: Vector, const ROWS: usize, const VECTORS: usize, const ADD: bool>(
    mut left: *const f32,
    mut right: *const f32,
    out: *mut f32,
    rows: usize,
    left_columns: usize,
    columns: usize,
) {
    unsafe {
        let mut sums = [[V::splat(0.0); VECTORS]; ROWS];
        for _ in 0..rows {
            let mut values = [V::splat(0.0); VECTORS];
            for (number, value) in values.iter_mut().enumerate() {
                *value = V::load(right.add(number * V::LANES));
            }
            for (row, sums) in sums.iter_mut().enumerate() {
                let factor = V::splat(*left.add(row));
                for (sum, value) in sums.iter_mut().zip(values) {
                    *sum = factor.mul_add(value, *sum);
                }
            }
            left = left.wrapping_add(left_columns);
            right = right.wrapping_add(columns);
        }
        for (row, sums) in sums.into_iter().enumerate() {
            for (number, sum) in sums.into_iter().enumerate() {
                let out = out.add(row * columns + number * V::LANES);
                let sum = if ADD { sum.add(V::load(out)) } else { sum };
                sum.store(out);
            }
        }
    }
}
