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

mod vector;

use std::ops::Range;

use crate::grid::Grid;
use crate::tile::Tile;
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

/// What happens to the results of a convolution before they are written.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Finish<'a> {
    /// Is added to every point: one row of channels for each board.
    pub(crate) bias: Option<&'a [f32]>,
    /// Is added point by point.
    pub(crate) skip: Option<&'a [f32]>,
    /// Negative results become 0.
    pub(crate) rectify: bool,
    /// Results become 0 where this is not positive.
    pub(crate) gate: Option<&'a [f32]>,
}

/// The boards that a transform works on, and how they are cut into tiles.
#[derive(Clone, Debug)]
pub(crate) struct Tiling<'a> {
    pub(crate) tile: Tile,
    pub(crate) grid: &'a Grid,
    pub(crate) boards: Range<usize>,
    pub(crate) channels: usize,
}

impl Tiling<'_> {
    /// How many tiles there are.
    pub(crate) const fn tiles(&self) -> usize {
        (self.boards.end - self.boards.start) * self.tile.count(self.grid)
    }

    /// How many numbers the transformed tiles have.
    pub(crate) const fn len(&self) -> usize {
        self.tile.places() * self.tiles() * self.channels
    }

    fn check(&self, points: &[f32], tiles: &[f32]) {
        assert!(self.channels.is_multiple_of(LANES) && self.boards.end <= self.grid.boards());
        assert!(points.len() >= self.grid.len(self.channels) && tiles.len() >= self.len());
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

kernel! {
    /// Transforms tiles of some boards, with a margin of one point around each: `out` has, for each place in a tile, the
    /// rows of channels of all tiles.
    transform_input = transform_input_kernel(tiling: &Tiling<'_>, input: &[f32], out: &mut [f32]) where {
        tiling.check(input, out);
    }
}

#[inline(always)]
unsafe fn transform_input_kernel<V: Vector>(tiling: &Tiling<'_>, input: &[f32], out: &mut [f32]) {
    unsafe {
        match tiling.tile {
            Tile::Three => gather::<V, three::Input, 5, 5>(tiling, input, out),
            Tile::Four => gather::<V, four::Input, 6, 6>(tiling, input, out),
        }
    }
}

/// Transforms `FROM × FROM` points of each tile into `WIDTH × WIDTH` places. If these are as many points as places, they are
/// the tile and a margin of one point around it, and what is beyond the board is read as it is; if not, they are the tile
/// alone, and what is beyond the board counts as 0.
#[inline(always)]
unsafe fn gather<V: Vector, T: Transform<V, FROM, WIDTH>, const FROM: usize, const WIDTH: usize>(
    tiling: &Tiling<'_>,
    input: &[f32],
    out: &mut [f32],
) {
    unsafe {
        let Tiling {
            tile,
            grid,
            channels,
            ..
        } = *tiling;
        let (across, down) = tile.counts(grid);
        let (side, all, zero) = (tile.side(), tiling.tiles(), V::splat(0.0));
        let mut number = 0;
        for board in tiling.boards.clone() {
            for y in 0..down {
                for x in 0..across {
                    let inside = grid.index(board, x * side, y * side);
                    let (corner, rows, columns) = if FROM == WIDTH {
                        (inside - grid.stride() - 1, FROM, FROM)
                    } else {
                        let rows = FROM.min(grid.height() - y * side);
                        (inside, rows, FROM.min(grid.width() - x * side))
                    };
                    for channel in (0..channels).step_by(LANES) {
                        let from = input.as_ptr().add(corner * channels + channel);
                        let mut half = [[zero; FROM]; WIDTH];
                        for column in 0..columns {
                            let mut points = [zero; FROM];
                            for (row, point) in points.iter_mut().enumerate().take(rows) {
                                let place = (row * grid.stride() + column) * channels;
                                *point = V::load(from.add(place));
                            }
                            for (half, place) in half.iter_mut().zip(T::apply(points)) {
                                half[column] = place;
                            }
                        }
                        let mut to = out.as_mut_ptr().add(number * channels + channel);
                        for half in half {
                            for value in T::apply(half) {
                                value.store(to);
                                to = to.wrapping_add(all * channels);
                            }
                        }
                    }
                    number += 1;
                }
            }
        }
    }
}

kernel! {
    /// Turns transformed tiles of some boards into points, and finishes them.
    transform_output = transform_output_kernel(tiling: &Tiling<'_>, input: &[f32], out: &mut [f32], finish: Finish<'_>) where {
        tiling.check(out, input);
        let (grid, channels) = (tiling.grid, tiling.channels);
        assert!(finish.bias.is_none_or(|bias| bias.len() >= grid.boards() * channels));
        assert!(finish.skip.is_none_or(|skip| skip.len() >= grid.len(channels)));
        assert!(finish.gate.is_none_or(|gate| gate.len() >= grid.len(channels)));
    }
}

#[inline(always)]
unsafe fn transform_output_kernel<V: Vector>(
    tiling: &Tiling<'_>,
    input: &[f32],
    out: &mut [f32],
    finish: Finish<'_>,
) {
    unsafe {
        match tiling.tile {
            Tile::Three => scatter::<V, three::Output, 5, 3>(tiling, input, out, finish),
            Tile::Four => scatter::<V, four::Output, 6, 4>(tiling, input, out, finish),
        }
    }
}

/// Turns `WIDTH × WIDTH` places of each tile into `TO × TO` points, as far as they are on the board.
#[inline(always)]
unsafe fn scatter<V: Vector, T: Transform<V, WIDTH, TO>, const WIDTH: usize, const TO: usize>(
    tiling: &Tiling<'_>,
    input: &[f32],
    out: &mut [f32],
    finish: Finish<'_>,
) {
    unsafe {
        let Tiling {
            tile,
            grid,
            channels,
            ..
        } = *tiling;
        let (across, down) = tile.counts(grid);
        let all = tiling.tiles();
        let zero = V::splat(0.0);
        let mut number = 0;
        for board in tiling.boards.clone() {
            for y in 0..down {
                for x in 0..across {
                    let corner = grid.index(board, x * TO, y * TO);
                    let rows = TO.min(grid.height() - y * TO);
                    let columns = TO.min(grid.width() - x * TO);
                    for channel in (0..channels).step_by(LANES) {
                        let mut half = [[zero; WIDTH]; TO];
                        let first = input.as_ptr().add(number * channels + channel);
                        for column in 0..WIDTH {
                            let mut places = [zero; WIDTH];
                            let mut from = first.wrapping_add(column * all * channels);
                            for place in &mut places {
                                *place = V::load(from);
                                from = from.wrapping_add(WIDTH * all * channels);
                            }
                            for (half, place) in half.iter_mut().zip(T::apply(places)) {
                                half[column] = place;
                            }
                        }
                        let bias = match finish.bias {
                            Some(bias) => V::load(bias.as_ptr().add(board * channels + channel)),
                            None => zero,
                        };
                        for (row, half) in half.into_iter().enumerate().take(rows) {
                            let points = T::apply(half);
                            for (column, point) in points.into_iter().enumerate().take(columns) {
                                let place = corner + row * grid.stride() + column;
                                let place = place * channels + channel;
                                let mut value = point.add(bias);
                                if let Some(skip) = finish.skip {
                                    value = value.add(V::load(skip.as_ptr().add(place)));
                                }
                                if finish.rectify {
                                    value = value.max(zero);
                                }
                                if let Some(gate) = finish.gate {
                                    value = value.where_positive(V::load(gate.as_ptr().add(place)));
                                }
                                value.store(out.as_mut_ptr().add(place));
                            }
                        }
                    }
                    number += 1;
                }
            }
        }
    }
}

kernel! {
    /// The transpose of [`Kernels::transform_output`]: tiles of the gradients of some boards' points. Points that are not
    /// on the board count as 0.
    transform_gradient = transform_gradient_kernel(tiling: &Tiling<'_>, input: &[f32], out: &mut [f32]) where {
        tiling.check(input, out);
    }
}

#[inline(always)]
unsafe fn transform_gradient_kernel<V: Vector>(
    tiling: &Tiling<'_>,
    input: &[f32],
    out: &mut [f32],
) {
    unsafe {
        match tiling.tile {
            Tile::Three => gather::<V, three::Gradient, 3, 5>(tiling, input, out),
            Tile::Four => gather::<V, four::Gradient, 4, 6>(tiling, input, out),
        }
    }
}

/// A linear transform of a row or a column of a tile.
///
/// This is a trait and not an argument, since only what is called by its name is certain to be compiled into its caller.
trait Transform<V: Vector, const FROM: usize, const TO: usize> {
    /// # Safety
    ///
    /// As for [`Vector`].
    unsafe fn apply(values: [V; FROM]) -> [V; TO];
}

/// `a * factor + b`.
#[inline(always)]
unsafe fn scaled<V: Vector>(a: V, factor: f32, b: V) -> V {
    unsafe { a.mul_add(V::splat(factor), b) }
}

/// The transforms of tiles of 3 × 3 points, whose polynomials are taken at 0, 1, −1, 2 and infinity.
mod three {
    use super::{Transform, Vector, scaled};

    pub(super) struct Input;

    impl<V: Vector> Transform<V, 5, 5> for Input {
        #[inline(always)]
        unsafe fn apply(d: [V; 5]) -> [V; 5] {
            unsafe {
                let zero = V::splat(0.0);
                let (a, b) = (d[3].sub(d[1]), d[3].sub(d[2]));
                [
                    scaled(d[0].sub(d[2]), 2.0, a),
                    scaled(d[1], -2.0, b),
                    scaled(d[1].sub(d[2]), 2.0, b),
                    a,
                    scaled(a, -2.0, d[4].sub(d[2]).add(zero)),
                ]
            }
        }
    }

    pub(super) struct Output;

    impl<V: Vector> Transform<V, 5, 3> for Output {
        #[inline(always)]
        unsafe fn apply(m: [V; 5]) -> [V; 3] {
            unsafe {
                let sum = m[1].add(m[2]);
                [
                    m[0].add(m[3]).add(sum),
                    scaled(m[3], 2.0, m[1].sub(m[2])),
                    scaled(m[3], 4.0, sum.add(m[4])),
                ]
            }
        }
    }

    pub(super) struct Gradient;

    impl<V: Vector> Transform<V, 3, 5> for Gradient {
        #[inline(always)]
        unsafe fn apply(g: [V; 3]) -> [V; 5] {
            unsafe {
                let sum = g[0].add(g[2]);
                [
                    g[0],
                    sum.add(g[1]),
                    sum.sub(g[1]),
                    scaled(g[2], 4.0, scaled(g[1], 2.0, g[0])),
                    g[2],
                ]
            }
        }
    }
}

/// The transforms of tiles of 4 × 4 points, whose polynomials are taken at 0, 1, −1, 2, −2 and infinity.
mod four {
    use super::{Transform, Vector, scaled};

    pub(super) struct Input;

    impl<V: Vector> Transform<V, 6, 6> for Input {
        #[inline(always)]
        unsafe fn apply(d: [V; 6]) -> [V; 6] {
            unsafe {
                let (a, b) = (scaled(d[2], -4.0, d[4]), scaled(d[1], -4.0, d[3]));
                let (c, e) = (d[4].sub(d[2]), d[3].sub(d[1]));
                [
                    scaled(d[0], 4.0, scaled(d[2], -5.0, d[4])),
                    a.add(b),
                    a.sub(b),
                    scaled(e, 2.0, c),
                    scaled(e, -2.0, c),
                    scaled(d[1], 4.0, scaled(d[3], -5.0, d[5])),
                ]
            }
        }
    }

    pub(super) struct Output;

    impl<V: Vector> Transform<V, 6, 4> for Output {
        #[inline(always)]
        unsafe fn apply(m: [V; 6]) -> [V; 4] {
            unsafe {
                let (sum, difference) = (m[1].add(m[2]), m[1].sub(m[2]));
                let (far_sum, far_difference) = (m[3].add(m[4]), m[3].sub(m[4]));
                [
                    m[0].add(sum).add(far_sum),
                    scaled(far_difference, 2.0, difference),
                    scaled(far_sum, 4.0, sum),
                    scaled(far_difference, 8.0, difference).add(m[5]),
                ]
            }
        }
    }

    pub(super) struct Gradient;

    impl<V: Vector> Transform<V, 4, 6> for Gradient {
        #[inline(always)]
        unsafe fn apply(g: [V; 4]) -> [V; 6] {
            unsafe {
                let (even, odd) = (g[0].add(g[2]), g[1].add(g[3]));
                let far_even = scaled(g[2], 4.0, g[0]);
                let far_odd = scaled(g[3], 8.0, scaled(g[1], 2.0, V::splat(0.0)));
                [
                    g[0],
                    even.add(odd),
                    even.sub(odd),
                    far_even.add(far_odd),
                    far_even.sub(far_odd),
                    g[3],
                ]
            }
        }
    }
}
