//! From transformed tiles back to points.
#![expect(
    unsafe_code,
    reason = "bounds are checked once for each call, and vector instructions are unsafe to call"
)]

use super::{Lines, Tiling};
use crate::kernels::transform::{InputGradient, Output, Transform};
use crate::kernels::vector::{Array, Vector};
use crate::kernels::{Kernels, Path};
use crate::tile::{SHORTEST, SIDE_PLACES};

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

kernel! {
    /// Turns the transformed rows of the tiles of a strip into columns.
    output_across = output_across_kernel(tiling: &Tiling<'_>, strip: usize, tiles: &[f32], strips: &mut [f32]) where {
        tiling.check_tiles(strips, tiles, strip);
    } wide tiling.is_wide()
}

#[inline(always)]
unsafe fn output_across_kernel<V: Vector>(
    tiling: &Tiling<'_>,
    strip: usize,
    tiles: &[f32],
    strips: &mut [f32],
) {
    unsafe { points_back::<V, Output>(tiling, strip, tiles, strips) }
}

kernel! {
    /// The transpose of [`Kernels::input_across`], of gradients, but for columns that are not on the board.
    input_gradient_across = input_gradient_across_kernel(
        tiling: &Tiling<'_>, strip: usize, tiles: &[f32], strips: &mut [f32]
    ) where {
        tiling.check_tiles(strips, tiles, strip);
    } wide tiling.is_wide()
}

#[inline(always)]
unsafe fn input_gradient_across_kernel<V: Vector>(
    tiling: &Tiling<'_>,
    strip: usize,
    tiles: &[f32],
    strips: &mut [f32],
) {
    unsafe { points_back::<V, InputGradient>(tiling, strip, tiles, strips) }
}

/// What is between tiles on their way back to points.
trait Between {
    /// Whether the margin of a tile belongs to the points of its neighbours too: its first point, which its place 0
    /// alone depends on, and its last one, which its place 1 alone depends on.
    const MARGIN: bool;
}

impl Between for Output {
    const MARGIN: bool = false;
}

impl Between for InputGradient {
    const MARGIN: bool = true;
}

/// How much the first point of a margin counts in place 0. The last one counts once in place 1.
const FIRST_IN_MARGIN: f32 = 4.0;

#[inline(always)]
unsafe fn points_back<V: Vector, T>(
    tiling: &Tiling<'_>,
    strip: usize,
    tiles: &[f32],
    strips: &mut [f32],
) where
    T: Transform<V, 5, 3> + Transform<V, 6, 4> + Transform<V, 7, 5> + Between,
{
    let (across, channels) = (tiling.across, tiling.channels);
    for line in 0..tiling.lines(strip) {
        let starts = tiling.starts(strip, line);
        for x in 0..across.count() {
            unsafe {
                let start = tiling.start(strip, line) + across.start(x) * channels;
                let from = tiles.as_ptr().add(x * channels);
                let to = strips.as_mut_ptr().add(start);
                let ends = Ends {
                    before: (T::MARGIN && x > 0).then(|| from.add(starts[1]).sub(channels)),
                    after: (T::MARGIN && x + 1 < across.count())
                        .then(|| from.add(starts[0] + channels)),
                };
                match across.length(x) {
                    3 => row_back::<V, T, 5, 3>(from, to, starts, channels, ends),
                    4 => row_back::<V, T, 6, 4>(from, to, starts, channels, ends),
                    _ => row_back::<V, T, 7, 5>(from, to, starts, channels, ends),
                }
            }
        }
    }
}

/// What the neighbours of a tile have in their margins: place 1 of the one before, and place 0 of the one after.
#[derive(Clone, Copy)]
struct Ends {
    before: Option<*const f32>,
    after: Option<*const f32>,
}

impl Ends {
    /// Adds them to the first and to the last point.
    #[inline(always)]
    unsafe fn add<V: Vector, const TO: usize>(self, points: &mut [V; TO], at: usize) {
        unsafe {
            if let Some(before) = self.before {
                points[0] = points[0].add(V::load(before.add(at)));
            }
            if let Some(after) = self.after {
                let first = V::load(after.add(at));
                points[TO - 1] = first.mul_add(V::splat(FIRST_IN_MARGIN), points[TO - 1]);
            }
        }
    }
}

#[inline(always)]
unsafe fn row_back<V: Vector, T, const FROM: usize, const TO: usize>(
    from: *const f32,
    to: *mut f32,
    starts: [usize; SIDE_PLACES],
    channels: usize,
    ends: Ends,
) where
    T: Transform<V, FROM, TO>,
{
    unsafe {
        for channel in (0..channels).step_by(V::LANES) {
            let mut places = [V::splat(0.0); FROM];
            for (place, start) in places.iter_mut().zip(starts) {
                *place = V::load(from.add(start + channel));
            }
            let mut points = T::apply(places);
            ends.add(&mut points, channel);
            for (column, value) in points.into_iter().enumerate() {
                value.store(to.add(column * channels + channel));
            }
        }
    }
}

kernel! {
    /// Turns the transformed columns of all tiles into points, and finishes them.
    output_down = output_down_kernel(tiling: &Tiling<'_>, strips: &[f32], out: &mut [f32], finish: Finish<'_>) where {
        tiling.check_points(out, strips);
        finish.check(tiling);
    } wide tiling.is_wide()
}

#[inline(always)]
unsafe fn output_down_kernel<V: Vector>(
    tiling: &Tiling<'_>,
    strips: &[f32],
    out: &mut [f32],
    finish: Finish<'_>,
) {
    unsafe { columns_back::<V, Output>(tiling, strips, out, finish) }
}

kernel! {
    /// The transpose of [`Kernels::input_down`], of gradients, but for rows that are not on the board; the points are
    /// finished.
    input_gradient_down = input_gradient_down_kernel(
        tiling: &Tiling<'_>, strips: &[f32], out: &mut [f32], finish: Finish<'_>
    ) where {
        tiling.check_points(out, strips);
        finish.check(tiling);
    } wide tiling.is_wide()
}

#[inline(always)]
unsafe fn input_gradient_down_kernel<V: Vector>(
    tiling: &Tiling<'_>,
    strips: &[f32],
    out: &mut [f32],
    finish: Finish<'_>,
) {
    unsafe { columns_back::<V, InputGradient>(tiling, strips, out, finish) }
}

impl Finish<'_> {
    fn check(&self, tiling: &Tiling<'_>) {
        let (rows, len) = (
            tiling.grid.boards() * tiling.channels,
            tiling.grid.len(tiling.channels),
        );
        assert!(self.bias.is_none_or(|bias| bias.len() >= rows));
        assert!(self.skip.is_none_or(|skip| skip.len() >= len));
        assert!(self.gate.is_none_or(|gate| gate.len() >= len));
    }
}

#[inline(always)]
unsafe fn columns_back<V: Vector, T>(
    tiling: &Tiling<'_>,
    strips: &[f32],
    out: &mut [f32],
    finish: Finish<'_>,
) where
    T: Transform<V, 5, 3> + Transform<V, 6, 4> + Transform<V, 7, 5> + Between,
{
    let Tiling {
        grid,
        channels,
        down,
        ..
    } = *tiling;
    for (number, board) in tiling.boards.clone().enumerate() {
        for y in 0..down.count() {
            let lines = |y| Lines {
                tiling,
                first: strips.as_ptr().cast_mut(),
                board: number,
                y,
            };
            unsafe {
                let points = Points {
                    out: out.as_mut_ptr(),
                    first: grid.index(board, 0, down.start(y)) * channels,
                    stride: grid.stride() * channels,
                    // Only a board of less than three points hangs over.
                    rows: grid.height() - down.start(y),
                    columns: grid.width(),
                    channels,
                    bias: board * channels,
                    finish,
                    ends: Ends {
                        before: (T::MARGIN && y > 0)
                            .then(|| lines(y - 1).all::<2>()[1].cast_const()),
                        after: (T::MARGIN && y + 1 < down.count())
                            .then(|| lines(y + 1).all::<1>()[0].cast_const()),
                    },
                };
                match down.length(y) {
                    3 => points.finish::<V, T, 5, 3>(lines(y).all()),
                    4 => points.finish::<V, T, 6, 4>(lines(y).all()),
                    _ => points.finish::<V, T, 7, 5>(lines(y).all()),
                }
            }
        }
    }
}

/// The points of one row of tiles.
struct Points<'a> {
    out: *mut f32,
    first: usize,
    stride: usize,
    rows: usize,
    columns: usize,
    channels: usize,
    bias: usize,
    finish: Finish<'a>,
    ends: Ends,
}

impl Points<'_> {
    /// Decides once what is to be done to all points.
    #[inline(always)]
    unsafe fn finish<V: Vector, T, const FROM: usize, const TO: usize>(
        &self,
        lines: [*mut f32; FROM],
    ) where
        T: Transform<V, FROM, TO>,
    {
        unsafe {
            match (self.finish.skip, self.finish.gate) {
                (None, None) => self.set::<V, T, FROM, TO, false, false>(lines),
                (Some(_), None) => self.set::<V, T, FROM, TO, true, false>(lines),
                (None, Some(_)) => self.set::<V, T, FROM, TO, false, true>(lines),
                (Some(_), Some(_)) => self.set::<V, T, FROM, TO, true, true>(lines),
            }
        }
    }

    #[inline(always)]
    unsafe fn set<
        V: Vector,
        T,
        const FROM: usize,
        const TO: usize,
        const SKIP: bool,
        const GATE: bool,
    >(
        &self,
        lines: [*mut f32; FROM],
    ) where
        T: Transform<V, FROM, TO>,
    {
        let start = |values: Option<&[f32]>| values.map_or(std::ptr::null(), <[f32]>::as_ptr);
        let (skip, gate) = (start(self.finish.skip), start(self.finish.gate));
        unsafe {
            let least = match self.finish.rectify {
                true => V::splat(0.0),
                false => V::splat(f32::NEG_INFINITY),
            };
            for column in 0..self.columns {
                for channel in (0..self.channels).step_by(V::LANES) {
                    let at = column * self.channels + channel;
                    let mut places = [V::splat(0.0); FROM];
                    for (place, line) in places.iter_mut().zip(lines) {
                        *place = V::load(line.add(at));
                    }
                    let bias = match self.finish.bias {
                        Some(bias) => V::load(bias.as_ptr().add(self.bias + channel)),
                        None => V::splat(0.0),
                    };
                    let mut points = T::apply(places);
                    self.ends.add(&mut points, at);
                    let mut at = self.first + at;
                    for (row, point) in points.into_iter().enumerate() {
                        // Only the smallest tiles hang over.
                        if TO == SHORTEST && row >= self.rows {
                            break;
                        }
                        let mut value = point.add(bias);
                        if SKIP {
                            value = value.add(V::load(skip.add(at)));
                        }
                        value = value.max(least);
                        if GATE {
                            value = value.where_positive(V::load(gate.add(at)));
                        }
                        value.store(self.out.add(at));
                        at += self.stride;
                    }
                }
            }
        }
    }
}
