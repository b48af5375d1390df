//! Transforms of one row or column of a tile: of points to places, back, and of gradients.
//!
//! The places are those of [`tile`](crate::tile), in its order. A tile of 3 points leaves out −2, and one of 5 has 1/2
//! as well, so that their polynomials differ from those of 4 points by a factor at each point, by which what goes in is
//! multiplied.
#![expect(unsafe_code, reason = "vector instructions are unsafe to call")]

use super::vector::Vector;

/// A linear transform of a row or a column of a tile.
///
/// This is a trait and not an argument, since only what is called by its name is certain to be compiled into its
/// caller.
pub(super) trait Transform<V: Vector, const FROM: usize, const TO: usize> {
    /// # Safety
    ///
    /// As for [`Vector`].
    unsafe fn apply(values: [V; FROM]) -> [V; TO];
}

/// Of points with a margin of one on either side.
pub(super) struct Input;

/// Of places, back to points.
pub(super) struct Output;

/// The transpose of [`Output`].
pub(super) struct Gradient;

/// The transpose of [`Input`], but for the margin.
pub(super) struct InputGradient;

/// Of three weights: their polynomial at each place, divided by what the transform of a tile of four points leaves out.
/// The transforms of other tiles make up for the difference.
pub(super) struct Weights;

/// The transpose of [`Weights`], of gradients.
pub(super) struct WeightGradients;

/// `a * factor + b`.
#[inline(always)]
unsafe fn scaled<V: Vector>(a: V, factor: f32, b: V) -> V {
    unsafe { a.mul_add(V::splat(factor), b) }
}

/// `a * factor`.
#[inline(always)]
unsafe fn times<V: Vector>(a: V, factor: f32) -> V {
    unsafe { a.mul(V::splat(factor)) }
}

impl<V: Vector> Transform<V, 5, 5> for Input {
    #[inline(always)]
    unsafe fn apply(d: [V; 5]) -> [V; 5] {
        unsafe {
            let (a, b) = (d[3].sub(d[1]), d[3].sub(d[2]));
            [
                times(scaled(d[0].sub(d[2]), 2.0, a), 2.0),
                scaled(a, -2.0, d[4].sub(d[2])),
                times(scaled(d[1], -2.0, b), 3.0),
                scaled(d[1].sub(d[2]), 2.0, b),
                times(a, 4.0),
            ]
        }
    }
}

impl<V: Vector> Transform<V, 6, 6> for Input {
    #[inline(always)]
    unsafe fn apply(d: [V; 6]) -> [V; 6] {
        unsafe {
            let (a, b) = (scaled(d[2], -4.0, d[4]), scaled(d[1], -4.0, d[3]));
            let (c, e) = (d[4].sub(d[2]), d[3].sub(d[1]));
            [
                scaled(d[0], 4.0, scaled(d[2], -5.0, d[4])),
                scaled(d[1], 4.0, scaled(d[3], -5.0, d[5])),
                a.add(b),
                a.sub(b),
                scaled(e, 2.0, c),
                scaled(e, -2.0, c),
            ]
        }
    }
}

impl<V: Vector> Transform<V, 7, 7> for Input {
    #[inline(always)]
    unsafe fn apply(d: [V; 7]) -> [V; 7] {
        unsafe {
            // The polynomial of five points is that of four, times `x - 1/2`.
            let four = [
                scaled(d[0], -0.5, d[1]),
                scaled(d[1], -0.5, d[2]),
                scaled(d[2], -0.5, d[3]),
                scaled(d[3], -0.5, d[4]),
                scaled(d[4], -0.5, d[5]),
                scaled(d[5], -0.5, d[6]),
            ];
            let four: [V; 6] = Self::apply(four);
            [
                times(four[0], -2.0),
                four[1],
                times(four[2], 2.0),
                times(four[3], -2.0 / 3.0),
                times(four[4], 2.0 / 3.0),
                times(four[5], -2.0 / 5.0),
                scaled(d[1], 4.0, scaled(d[3], -5.0, d[5])),
            ]
        }
    }
}

impl<V: Vector> Transform<V, 5, 3> for Output {
    #[inline(always)]
    unsafe fn apply(m: [V; 5]) -> [V; 3] {
        unsafe {
            let [zero, infinite, one, minus_one, two] = m;
            let sum = one.add(minus_one);
            [
                zero.add(two).add(sum),
                scaled(two, 2.0, one.sub(minus_one)),
                scaled(two, 4.0, sum.add(infinite)),
            ]
        }
    }
}

impl<V: Vector> Transform<V, 6, 4> for Output {
    #[inline(always)]
    unsafe fn apply(m: [V; 6]) -> [V; 4] {
        unsafe {
            let [zero, infinite, one, minus_one, two, minus_two] = m;
            let (sum, difference) = (one.add(minus_one), one.sub(minus_one));
            let (far_sum, far_difference) = (two.add(minus_two), two.sub(minus_two));
            [
                zero.add(sum).add(far_sum),
                scaled(far_difference, 2.0, difference),
                scaled(far_sum, 4.0, sum),
                scaled(far_difference, 8.0, difference).add(infinite),
            ]
        }
    }
}

impl<V: Vector> Transform<V, 7, 5> for Output {
    #[inline(always)]
    unsafe fn apply(m: [V; 7]) -> [V; 5] {
        unsafe {
            let [zero, infinite, one, minus_one, two, minus_two, half] = m;
            let (sum, difference) = (one.add(minus_one), one.sub(minus_one));
            let (far_sum, far_difference) = (two.add(minus_two), two.sub(minus_two));
            [
                zero.add(half).add(sum).add(far_sum),
                scaled(half, 0.5, scaled(far_difference, 2.0, difference)),
                scaled(half, 0.25, scaled(far_sum, 4.0, sum)),
                scaled(half, 0.125, scaled(far_difference, 8.0, difference)),
                scaled(half, 0.0625, scaled(far_sum, 16.0, sum.add(infinite))),
            ]
        }
    }
}

impl<V: Vector> Transform<V, 3, 5> for Gradient {
    #[inline(always)]
    unsafe fn apply(g: [V; 3]) -> [V; 5] {
        unsafe {
            let sum = g[0].add(g[2]);
            [
                g[0],
                g[2],
                sum.add(g[1]),
                sum.sub(g[1]),
                scaled(g[2], 4.0, scaled(g[1], 2.0, g[0])),
            ]
        }
    }
}

impl<V: Vector> Transform<V, 4, 6> for Gradient {
    #[inline(always)]
    unsafe fn apply(g: [V; 4]) -> [V; 6] {
        unsafe {
            let (even, odd) = (g[0].add(g[2]), g[1].add(g[3]));
            let far_even = scaled(g[2], 4.0, g[0]);
            let far_odd = scaled(g[3], 8.0, times(g[1], 2.0));
            [
                g[0],
                g[3],
                even.add(odd),
                even.sub(odd),
                far_even.add(far_odd),
                far_even.sub(far_odd),
            ]
        }
    }
}

impl<V: Vector> Transform<V, 5, 7> for Gradient {
    #[inline(always)]
    unsafe fn apply(g: [V; 5]) -> [V; 7] {
        unsafe {
            let (even, odd) = (g[0].add(g[2]).add(g[4]), g[1].add(g[3]));
            let far_even = scaled(g[4], 16.0, scaled(g[2], 4.0, g[0]));
            let far_odd = scaled(g[3], 8.0, times(g[1], 2.0));
            let half = scaled(scaled(g[4], 0.5, g[3]), 0.5, g[2]);
            [
                g[0],
                g[4],
                even.add(odd),
                even.sub(odd),
                far_even.add(far_odd),
                far_even.sub(far_odd),
                scaled(scaled(half, 0.5, g[1]), 0.5, g[0]),
            ]
        }
    }
}

impl<V: Vector> Transform<V, 3, 7> for Weights {
    #[inline(always)]
    unsafe fn apply(w: [V; 3]) -> [V; 7] {
        unsafe {
            let ends = times(w[0].add(w[2]), -1.0 / 6.0);
            let middle = times(w[1], 1.0 / 6.0);
            let far_ends = scaled(w[2], 1.0 / 6.0, times(w[0], 1.0 / 24.0));
            let far_middle = times(w[1], 1.0 / 12.0);
            [
                times(w[0], 1.0 / 4.0),
                w[2],
                ends.sub(middle),
                ends.add(middle),
                far_ends.add(far_middle),
                far_ends.sub(far_middle),
                times(scaled(w[0], 4.0, scaled(w[1], 2.0, w[2])), 8.0 / 45.0),
            ]
        }
    }
}

impl<V: Vector> Transform<V, 7, 3> for WeightGradients {
    #[inline(always)]
    unsafe fn apply(g: [V; 7]) -> [V; 3] {
        unsafe {
            let [zero, infinite, one, minus_one, two, minus_two, half] = g;
            let near = times(one.add(minus_one), -1.0 / 6.0);
            let far = two.add(minus_two);
            let half = times(half, 8.0 / 45.0);
            let middle = scaled(two.sub(minus_two), 0.5, minus_one.sub(one));
            [
                scaled(
                    zero,
                    1.0 / 4.0,
                    scaled(far, 1.0 / 24.0, scaled(half, 4.0, near)),
                ),
                scaled(middle, 1.0 / 6.0, times(half, 2.0)),
                scaled(far, 1.0 / 6.0, infinite.add(half.add(near))),
            ]
        }
    }
}

impl<V: Vector> Transform<V, 5, 3> for InputGradient {
    #[inline(always)]
    unsafe fn apply(g: [V; 5]) -> [V; 3] {
        unsafe {
            let [zero, infinite, one, minus_one, two] = g;
            let ends = scaled(two, -2.0, infinite.sub(zero));
            let near = scaled(one, -3.0, minus_one);
            [
                times(ends.add(near), 2.0),
                scaled(
                    zero,
                    -4.0,
                    scaled(one.add(minus_one), -3.0, times(infinite, -1.0)),
                ),
                scaled(ends, -2.0, scaled(one, 3.0, minus_one)),
            ]
        }
    }
}

/// The transpose of [`Input`] for four points without their margin.
#[inline(always)]
unsafe fn four_points<V: Vector>(g: [V; 6]) -> [V; 4] {
    unsafe {
        let [zero, infinite, one, minus_one, two, minus_two] = g;
        let (sum, difference) = (one.add(minus_one), one.sub(minus_one));
        let (far_sum, far_difference) = (two.add(minus_two), two.sub(minus_two));
        [
            scaled(far_difference, -2.0, times(infinite.sub(difference), 4.0)),
            scaled(zero, -5.0, scaled(sum, -4.0, times(far_sum, -1.0))),
            scaled(far_difference, 2.0, scaled(infinite, -5.0, difference)),
            zero.add(sum).add(far_sum),
        ]
    }
}

impl<V: Vector> Transform<V, 6, 4> for InputGradient {
    #[inline(always)]
    unsafe fn apply(g: [V; 6]) -> [V; 4] {
        unsafe { four_points(g) }
    }
}

impl<V: Vector> Transform<V, 7, 5> for InputGradient {
    #[inline(always)]
    unsafe fn apply(g: [V; 7]) -> [V; 5] {
        unsafe {
            let [zero, infinite, one, minus_one, two, minus_two, half] = g;
            let zero = times(zero, -2.0);
            let four = four_points([
                zero,
                infinite,
                times(one, 2.0),
                times(minus_one, -2.0 / 3.0),
                times(two, 2.0 / 3.0),
                times(minus_two, -2.0 / 5.0),
            ]);
            // Each of the four was made of two neighbours.
            [
                scaled(four[0], -0.5, times(zero.add(half), 4.0)),
                scaled(four[1], -0.5, four[0]),
                scaled(four[2], -0.5, scaled(half, -5.0, four[1])),
                scaled(four[3], -0.5, four[2]),
                scaled(infinite, -0.5, half.add(four[3])),
            ]
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Gradient, Input, InputGradient, Output, Transform};
    use crate::kernels::LANES;
    use crate::kernels::vector::{Array, Vector};

    /// What a transform makes of each unit vector, row by row.
    fn matrix<T: Transform<Array, FROM, TO>, const FROM: usize, const TO: usize>()
    -> [[f32; TO]; FROM] {
        let mut rows = [[0.0; TO]; FROM];
        for (unit, row) in rows.iter_mut().enumerate() {
            // SAFETY: arrays need no instructions, and they are stored into as many numbers as they have.
            unsafe {
                let mut values = [Array::splat(0.0); FROM];
                values[unit] = Array::splat(1.0);
                for (value, place) in T::apply(values).into_iter().zip(row) {
                    let mut lanes = [0.0; LANES];
                    value.store(lanes.as_mut_ptr());
                    *place = lanes[0];
                }
            }
        }
        rows
    }

    /// The transposes of both transforms of tiles with so many points and places.
    fn assert_transposed<const POINTS: usize, const PLACES: usize>()
    where
        Input: Transform<Array, PLACES, PLACES>,
        Output: Transform<Array, PLACES, POINTS>,
        Gradient: Transform<Array, POINTS, PLACES>,
        InputGradient: Transform<Array, PLACES, POINTS>,
    {
        let (output, gradient) = (matrix::<Output, _, _>(), matrix::<Gradient, _, _>());
        let (input, back) = (matrix::<Input, _, _>(), matrix::<InputGradient, _, _>());
        for place in 0..PLACES {
            for point in 0..POINTS {
                assert!((output[place][point] - gradient[point][place]).abs() < 1e-6);
                assert!((input[point + 1][place] - back[place][point]).abs() < 1e-5);
            }
            // The margin, which tiles on the way back add for their neighbours.
            let (first, last) = (input[0][place], input[PLACES - 1][place]);
            assert!((first - if place == 0 { 4.0 } else { 0.0 }).abs() < 1e-6);
            assert!((last - if place == 1 { 1.0 } else { 0.0 }).abs() < 1e-6);
        }
    }

    #[test]
    fn gradients_are_transformed_by_the_transposes() {
        assert_transposed::<3, 5>();
        assert_transposed::<4, 6>();
        assert_transposed::<5, 7>();
    }
}
