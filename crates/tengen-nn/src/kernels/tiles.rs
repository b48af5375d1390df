//! From boards to transformed tiles and back.
//!
//! A transform goes down the columns of all tiles and then across their rows, or back. After the first half, the
//! numbers of a place in the columns lie in a strip of their own: strips are taken across, multiplied and taken back
//! one after another, so that their tiles stay in the nearest cache. Neighbouring tiles share what they have in common
//! in the columns.
#![expect(
    unsafe_code,
    reason = "bounds are checked once for each call, and vector instructions are unsafe to call"
)]

mod points_back;

use std::ops::Range;

use super::product::{UNROLLED, multiply_columns, multiply_kernel};
use super::transform::{Gradient, Input, Transform};
use super::vector::{Array, Vector};
use super::weights::{TAPS_OF_A_ROW, transform_weights_across};
use super::{COLUMNS, Kernels, LANES, Path, place_stride};
use crate::grid::Grid;
use crate::tile::{Cut, LONGEST, SIDE_PLACES, Saving};

pub(crate) use points_back::Finish;

/// The boards that a transform works on, and how they are cut into tiles.
#[derive(Clone, Debug)]
pub(crate) struct Tiling<'a> {
    grid: &'a Grid,
    boards: Range<usize>,
    channels: usize,
    across: Cut,
    down: Cut,
    /// How many columns a strip has: those of its tiles, and their margin if there is one.
    columns: usize,
}

impl<'a> Tiling<'a> {
    /// Tiles alone.
    pub(crate) const fn new(
        saving: Saving,
        grid: &'a Grid,
        boards: Range<usize>,
        channels: usize,
    ) -> Self {
        let [across, down] = saving.cuts(grid);
        Self {
            grid,
            boards,
            channels,
            across,
            down,
            columns: across.sum(),
        }
    }

    /// The same with a margin of one point around each tile.
    pub(crate) const fn with_margin(mut self) -> Self {
        self.columns = self.across.sum() + 2;
        self
    }

    const fn boards(&self) -> usize {
        self.boards.end - self.boards.start
    }

    /// How many numbers a point has.
    pub(crate) const fn channels(&self) -> usize {
        self.channels
    }

    /// Whether the longest vectors fit: the numbers of a point are a multiple of theirs.
    #[cfg_attr(
        not(target_arch = "x86_64"),
        expect(dead_code, reason = "only AVX-512 has vectors as long")
    )]
    const fn is_wide(&self) -> bool {
        self.channels.is_multiple_of(COLUMNS)
    }

    /// How many numbers all strips have.
    pub(crate) const fn strips_len(&self) -> usize {
        self.boards() * self.down.places() * self.line()
    }

    /// How many numbers the tiles of the largest strip have.
    pub(crate) const fn tiles_len(&self) -> usize {
        (self.lines(0) * self.across.places() + SIDE_PLACES) * self.channels
    }

    /// How many numbers a line of a strip has, which is that of one row of tiles.
    const fn line(&self) -> usize {
        self.columns * self.channels
    }

    /// How many strips there are.
    pub(crate) const fn strips(&self) -> usize {
        self.down.length(0) + 2
    }

    /// How many lines a strip has.
    const fn lines(&self, strip: usize) -> usize {
        self.boards() * self.down.having(strip)
    }

    /// Where the numbers of a strip are.
    const fn strip(&self, strip: usize) -> Range<usize> {
        let first = self.boards() * self.down.before(strip);
        first * self.line()..(first + self.lines(strip)) * self.line()
    }

    /// How many tiles of a strip have a place in their rows.
    pub(crate) const fn tiles(&self, strip: usize, place: usize) -> usize {
        self.lines(strip) * self.across.having(place)
    }

    /// Where the numbers of a place in the rows of a strip's tiles are. A row is left free between two places: they
    /// would be a power of 2 apart too often, and drive each other out of the cache.
    pub(crate) const fn place(&self, strip: usize, place: usize) -> Range<usize> {
        let first = self.lines(strip) * self.across.before(place) + place;
        first * self.channels..(first + self.tiles(strip, place)) * self.channels
    }

    fn check_points(&self, points: &[f32], strips: &[f32]) {
        assert!(self.channels.is_multiple_of(LANES) && self.boards.end <= self.grid.boards());
        assert!(points.len() >= self.grid.len(self.channels));
        assert!(strips.len() >= self.strips_len());
    }

    fn check_tiles(&self, strips: &[f32], tiles: &[f32], strip: usize) {
        assert!(self.channels.is_multiple_of(LANES) && strip < SIDE_PLACES);
        assert!(strips.len() >= self.strips_len() && tiles.len() >= self.tiles_len());
    }

    /// Where a line of a strip begins.
    #[inline(always)]
    const fn start(&self, strip: usize, line: usize) -> usize {
        self.strip(strip).start + line * self.line()
    }

    /// Where each place of the first tile of a line is.
    #[inline(always)]
    const fn starts(&self, strip: usize, line: usize) -> [usize; SIDE_PLACES] {
        let mut starts = [0; SIDE_PLACES];
        let mut place = 0;
        while place < SIDE_PLACES {
            let before = self.lines(strip) * self.across.before(place) + place;
            starts[place] = (before + line * self.across.having(place)) * self.channels;
            place += 1;
        }
        starts
    }
}

kernel! {
    /// Transforms the columns of tiles with their margin, and what is beyond the board as it is.
    input_down = input_down_kernel(tiling: &Tiling<'_>, input: &[f32], strips: &mut [f32]) where {
        tiling.check_points(input, strips);
    } wide tiling.is_wide()
}

#[inline(always)]
unsafe fn input_down_kernel<V: Vector>(tiling: &Tiling<'_>, input: &[f32], strips: &mut [f32]) {
    unsafe { points_down::<V, Input, 5, 6, 7>(tiling, input, strips) }
}

kernel! {
    /// The transpose of [`Kernels::output_down`], of gradients. Points that are not on the board count as 0.
    gradient_down = gradient_down_kernel(tiling: &Tiling<'_>, input: &[f32], strips: &mut [f32]) where {
        tiling.check_points(input, strips);
    } wide tiling.is_wide()
}

#[inline(always)]
unsafe fn gradient_down_kernel<V: Vector>(tiling: &Tiling<'_>, input: &[f32], strips: &mut [f32]) {
    unsafe { points_down::<V, Gradient, 3, 4, 5>(tiling, input, strips) }
}

/// Transforms columns of 3, 4 and 5 points, which with their margin are `THREE`, `FOUR` and `FIVE`.
#[inline(always)]
unsafe fn points_down<V: Vector, T, const THREE: usize, const FOUR: usize, const FIVE: usize>(
    tiling: &Tiling<'_>,
    input: &[f32],
    strips: &mut [f32],
) where
    T: Transform<V, THREE, 5> + Transform<V, FOUR, 6> + Transform<V, FIVE, 7>,
{
    let Tiling {
        grid,
        channels,
        down,
        ..
    } = *tiling;
    let margin = (THREE - 3) / 2;
    let stride = grid.stride() * channels;
    // Only a board of less than three points hangs over.
    let whole = match margin {
        0 => tiling.line().min(grid.width() * channels),
        _ => tiling.line(),
    };
    for (number, board) in tiling.boards.clone().enumerate() {
        for y in 0..down.count() {
            let first = down.start(y);
            let corner = grid.index(board, 0, first) - margin * (grid.stride() + 1);
            let rows = match margin {
                0 => grid.height() - first,
                _ => LONGEST + 2,
            };
            unsafe {
                let lines = Lines {
                    tiling,
                    first: strips.as_mut_ptr(),
                    board: number,
                    y,
                };
                let from = input.as_ptr().add(corner * channels);
                match down.length(y) {
                    3 => lines.set::<V, T, THREE, 5>(from, stride, rows, whole),
                    4 => lines.set::<V, T, FOUR, 6>(from, stride, rows, whole),
                    _ => lines.set::<V, T, FIVE, 7>(from, stride, rows, whole),
                }
            }
        }
    }
}

/// The lines of one row of tiles in all strips.
struct Lines<'a> {
    tiling: &'a Tiling<'a>,
    first: *mut f32,
    board: usize,
    y: usize,
}

impl Lines<'_> {
    /// The line in each strip.
    #[inline(always)]
    unsafe fn all<const PLACES: usize>(&self) -> [*mut f32; PLACES] {
        let mut lines = [self.first; PLACES];
        for (strip, line) in lines.iter_mut().enumerate() {
            let place = self.board * self.tiling.down.having(strip) + self.y;
            let start = self.tiling.strip(strip).start + place * self.tiling.line();
            *line = unsafe { self.first.add(start) };
        }
        lines
    }

    #[inline(always)]
    unsafe fn set<V: Vector, T, const FROM: usize, const TO: usize>(
        &self,
        from: *const f32,
        stride: usize,
        rows: usize,
        whole: usize,
    ) where
        T: Transform<V, FROM, TO>,
    {
        unsafe {
            let lines = self.all::<TO>();
            for at in (0..whole).step_by(V::LANES) {
                let mut points = [V::splat(0.0); FROM];
                for (row, point) in points.iter_mut().enumerate() {
                    if FROM == TO || row < rows {
                        *point = V::load(from.add(row * stride + at));
                    }
                }
                for (value, line) in T::apply(points).into_iter().zip(lines) {
                    value.store(line.add(at));
                }
            }
            for at in (whole..self.tiling.line()).step_by(V::LANES) {
                for line in lines {
                    V::splat(0.0).store(line.add(at));
                }
            }
        }
    }
}

kernel! {
    /// Transforms the rows of the tiles of a strip with their margin.
    input_across = input_across_kernel(tiling: &Tiling<'_>, strip: usize, strips: &[f32], tiles: &mut [f32]) where {
        tiling.check_tiles(strips, tiles, strip);
        assert!(tiling.columns == tiling.across.sum() + 2);
    } wide tiling.is_wide()
}

#[inline(always)]
unsafe fn input_across_kernel<V: Vector>(
    tiling: &Tiling<'_>,
    strip: usize,
    strips: &[f32],
    tiles: &mut [f32],
) {
    unsafe { points_across::<V, Input, 5, 6, 7>(tiling, strip, strips, tiles) }
}

kernel! {
    /// Transforms the rows of the tiles of a strip of gradients.
    gradient_across = gradient_across_kernel(
        tiling: &Tiling<'_>, strip: usize, strips: &[f32], tiles: &mut [f32]
    ) where {
        tiling.check_tiles(strips, tiles, strip);
    } wide tiling.is_wide()
}

#[inline(always)]
unsafe fn gradient_across_kernel<V: Vector>(
    tiling: &Tiling<'_>,
    strip: usize,
    strips: &[f32],
    tiles: &mut [f32],
) {
    unsafe { points_across::<V, Gradient, 3, 4, 5>(tiling, strip, strips, tiles) }
}

#[inline(always)]
unsafe fn points_across<V: Vector, T, const THREE: usize, const FOUR: usize, const FIVE: usize>(
    tiling: &Tiling<'_>,
    strip: usize,
    strips: &[f32],
    tiles: &mut [f32],
) where
    T: Transform<V, THREE, 5> + Transform<V, FOUR, 6> + Transform<V, FIVE, 7>,
{
    let (across, channels) = (tiling.across, tiling.channels);
    for line in 0..tiling.lines(strip) {
        let starts = tiling.starts(strip, line);
        for x in 0..across.count() {
            unsafe {
                let start = tiling.start(strip, line) + across.start(x) * channels;
                let from = strips.as_ptr().add(start);
                let to = tiles.as_mut_ptr().add(x * channels);
                match across.length(x) {
                    3 => row_across::<V, T, THREE, 5>(from, to, starts, channels),
                    4 => row_across::<V, T, FOUR, 6>(from, to, starts, channels),
                    _ => row_across::<V, T, FIVE, 7>(from, to, starts, channels),
                }
            }
        }
    }
}

#[inline(always)]
unsafe fn row_across<V: Vector, T, const FROM: usize, const TO: usize>(
    from: *const f32,
    to: *mut f32,
    starts: [usize; SIDE_PLACES],
    channels: usize,
) where
    T: Transform<V, FROM, TO>,
{
    unsafe {
        for channel in (0..channels).step_by(V::LANES) {
            let mut points = [V::splat(0.0); FROM];
            for (column, point) in points.iter_mut().enumerate() {
                *point = V::load(from.add(column * channels + channel));
            }
            for (value, start) in T::apply(points).into_iter().zip(starts) {
                value.store(to.add(start + channel));
            }
        }
    }
}

kernel! {
    /// Multiplies the tiles of a strip, place by place, with a matrix packed by [`pack`](super::pack) for each;
    /// they are [`place_stride`] apart.
    multiply_tiles = multiply_tiles_kernel(
        from: &Tiling<'_>, to: &Tiling<'_>, strip: usize, tiles: &[f32], matrices: &[f32], out: &mut [f32]
    ) where {
        let (depth, columns) = (from.channels, to.channels);
        assert!(columns.is_multiple_of(COLUMNS) && depth.is_multiple_of(UNROLLED));
        assert!(from.tiles_len() / depth == to.tiles_len() / columns && from.lines(strip) == to.lines(strip));
        assert!(strip < SIDE_PLACES && tiles.len() >= from.tiles_len() && out.len() >= to.tiles_len());
        assert!(matrices.len() >= SIDE_PLACES * place_stride(depth, columns));
    } wide true
}

#[inline(always)]
unsafe fn multiply_tiles_kernel<V: Vector>(
    from: &Tiling<'_>,
    to: &Tiling<'_>,
    strip: usize,
    tiles: &[f32],
    matrices: &[f32],
    out: &mut [f32],
) {
    let (depth, columns) = (from.channels, to.channels);
    for place in 0..SIDE_PLACES {
        let rows = from.tiles(strip, place);
        let matrix = &matrices[place * place_stride(depth, columns)..][..depth * columns];
        let (tiles, out) = (
            &tiles[from.place(strip, place)],
            &mut out[to.place(strip, place)],
        );
        unsafe { multiply_kernel::<V>(tiles, matrix, out, rows, depth, columns) }
    }
}

kernel! {
    /// The same with weights that were transformed down the columns alone: three matrices for the strip. The rest is
    /// done here, for some columns after others, which `transformed` has room for ([`portion_len`]).
    multiply_tiles_by_strip = multiply_tiles_by_strip_kernel(
        tilings: [&Tiling<'_>; 2], strip: usize, tiles: &[f32], matrices: &[f32], transformed: &mut [f32],
        out: &mut [f32],
    ) where {
        let [from, to] = tilings;
        let (depth, columns) = (from.channels, to.channels);
        assert!(columns.is_multiple_of(COLUMNS) && depth.is_multiple_of(UNROLLED));
        assert!(from.tiles_len() / depth == to.tiles_len() / columns && from.lines(strip) == to.lines(strip));
        assert!(strip < SIDE_PLACES && tiles.len() >= from.tiles_len() && out.len() >= to.tiles_len());
        assert!(matrices.len() >= TAPS_OF_A_ROW * place_stride(depth, columns));
        assert!(transformed.len() >= portion_len(depth, columns));
    } wide true
}

/// So many transformed weights stay in the cache until they are multiplied.
const CACHED_WEIGHTS: usize = 1 << 16;

/// So many columns are transformed at once: as many as the cache holds, and the longest vectors come in twos.
const fn portion(depth: usize, columns: usize) -> usize {
    let least = 2 * COLUMNS;
    let fitting = CACHED_WEIGHTS / (SIDE_PLACES * depth) / least * least;
    let wanted = if fitting < least { least } else { fitting };
    if wanted < columns { wanted } else { columns }
}

/// How many numbers they have.
pub(crate) const fn portion_len(depth: usize, columns: usize) -> usize {
    SIDE_PLACES * place_stride(depth, portion(depth, columns))
}

#[inline(always)]
unsafe fn multiply_tiles_by_strip_kernel<V: Vector>(
    [from, to]: [&Tiling<'_>; 2],
    strip: usize,
    tiles: &[f32],
    matrices: &[f32],
    transformed: &mut [f32],
    out: &mut [f32],
) {
    let (depth, columns) = (from.channels, to.channels);
    let places = from.across.length(0) + 2;
    let mut first = 0;
    while first < columns {
        let count = portion(depth, columns).min(columns - first);
        let numbers = depth * count;
        unsafe {
            let weights = matrices.as_ptr().add(first * depth);
            let transformed = transformed.as_mut_ptr();
            let stride = place_stride(depth, columns);
            transform_weights_across::<V>(weights, stride, numbers, places, transformed);
            for place in 0..places {
                let rows = from.tiles(strip, place);
                let tiles = tiles[from.place(strip, place)].as_ptr();
                let weights = transformed.add(place * place_stride(1, numbers));
                let out = out[to.place(strip, place)].as_mut_ptr().add(first);
                multiply_columns::<V>(tiles, weights, (out, columns), rows, depth, count);
            }
        }
        first += count;
    }
}
