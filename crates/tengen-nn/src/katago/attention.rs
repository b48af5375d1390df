//! The blocks of transformers.

use super::block::{AttentionBlock, Rotation};
use super::layer::{MatrixLayer, RootMeanSquare};
use super::matrix::Matrix;
use super::memory::{Memory, padded_row};
use crate::grid::Grid;
use crate::kernels::{self, Buffer, COLUMNS};

/// A product's depth is a multiple of it.
const DEPTH_STEP: usize = 4;

#[derive(Debug)]
struct Norm {
    epsilon: f32,
    count: usize,
    weights: Vec<f32>,
}

impl Norm {
    fn new(layer: &RootMeanSquare) -> Self {
        Self {
            epsilon: layer.epsilon,
            count: layer.weights.len(),
            weights: padded_row(&layer.weights),
        }
    }

    /// The points of a board one after another, normalized.
    fn run(&self, memory: &mut Memory, board: usize, trunk: &[f32]) -> Buffer {
        let mut out = memory.take_flat(memory.grid.area() * self.weights.len());
        let (kernels, grid) = (memory.kernels, &memory.grid);
        let by = kernels::RootMeanSquare {
            scale: &self.weights,
            count: self.count,
            epsilon: self.epsilon,
        };
        kernels.root_mean_square(grid, board, by, trunk, &mut out);
        out
    }
}

/// Multiplies the points of a board.
fn project(memory: &mut Memory, matrix: &Matrix, points: &[f32]) -> Buffer {
    let area = memory.grid.area();
    let mut out = memory.take_flat(area * matrix.columns());
    matrix.run(memory.kernels, points, &mut out, area);
    out
}

/// Adds points that come one after another to those of a board.
fn add_points(grid: &Grid, board: usize, points: &[f32], trunk: &mut [f32], channels: usize) {
    for (place, points) in grid.points(board).zip(points.chunks_exact(channels)) {
        let own = &mut trunk[place * channels..][..channels];
        for (own, more) in own.iter_mut().zip(points) {
            *own += more;
        }
    }
}

/// Attention of all points to all points, by several heads.
#[derive(Debug)]
pub(super) struct Attention {
    /// Which layer it is, among those with rotations.
    number: usize,
    heads: usize,
    shared_heads: usize,
    query_size: usize,
    value_size: usize,
    rotation: Option<Rotation>,
    norm: Norm,
    queries: Matrix,
    keys: Matrix,
    values: Matrix,
    out: Matrix,
}

impl Attention {
    pub(super) fn new(block: &AttentionBlock, number: usize) -> Self {
        let rotation = match &block.rotation {
            Some(Rotation::Learned(speeds)) => Some(Rotation::Learned(speeds.clone())),
            Some(Rotation::Fixed(base)) => Some(Rotation::Fixed(*base)),
            None => None,
        };
        Self {
            number,
            heads: block.heads,
            shared_heads: block.shared_heads,
            query_size: block.query_size,
            value_size: block.value_size,
            rotation,
            norm: Norm::new(&block.norm),
            queries: Matrix::new(&block.queries),
            keys: Matrix::new(&block.keys),
            values: Matrix::new(&block.values),
            out: Matrix::new(&block.out),
        }
    }

    pub(super) fn run(&self, memory: &mut Memory, trunk: &mut [f32], channels: usize) {
        let grid = memory.grid;
        let turns = memory.rotations.remove(&self.number);
        let turns = turns.unwrap_or_else(|| self.turns(&grid));
        for board in 0..grid.boards() {
            let normed = self.norm.run(memory, board, trunk);
            let queries = project(memory, &self.queries, &normed);
            let keys = project(memory, &self.keys, &normed);
            let values = project(memory, &self.values, &normed);
            let seen = self.attend(memory, &queries, &keys, &values, &turns);
            let out = project(memory, &self.out, &seen);
            add_points(&grid, board, &out, trunk, channels);
            for buffer in [normed, queries, keys, values, seen, out] {
                memory.give_flat(buffer);
            }
        }
        memory.rotations.insert(self.number, turns);
    }

    /// What each point gets from all points, for all heads.
    fn attend(
        &self,
        memory: &mut Memory,
        queries: &[f32],
        keys: &[f32],
        values: &[f32],
        turns: &[[f32; 2]],
    ) -> Buffer {
        let (kernels, area) = (memory.kernels, memory.grid.area());
        let depth = self.query_size.next_multiple_of(DEPTH_STEP);
        let columns = area.next_multiple_of(COLUMNS);
        let value_columns = self.value_size.next_multiple_of(COLUMNS);
        let all = (self.heads * self.value_size).next_multiple_of(COLUMNS);

        let mut seen = memory.take_flat(area * all);
        seen.fill(0.0);
        let mut asked = memory.take_flat(area * depth);
        let mut known = memory.take_flat(depth * columns);
        let mut given = memory.take_flat(columns * value_columns);
        let mut weights = memory.take_flat(area * columns);
        let mut sums = memory.take_flat(area * value_columns);
        let mut row = vec![0.0; depth];
        let group = self.heads / self.shared_heads;
        let scale = 1.0 / (self.query_size as f32).sqrt();
        for shared in 0..self.shared_heads {
            // Keys as columns, packed.
            known.fill(0.0);
            let place = shared * self.query_size;
            for point in 0..area {
                let from = &keys[point * self.keys.columns() + place..][..self.query_size];
                self.turn(from, &mut row, turns, [shared, point, area], 1.0);
                let panel = point / COLUMNS * COLUMNS * depth + point % COLUMNS;
                for (number, value) in row.iter().enumerate() {
                    known[panel + number * COLUMNS] = *value;
                }
            }
            given.fill(0.0);
            let place = shared * self.value_size;
            for point in 0..area {
                let from = &values[point * self.values.columns() + place..][..self.value_size];
                for (panel, from) in from.chunks(COLUMNS).enumerate() {
                    let first = (panel * columns + point) * COLUMNS;
                    given[first..first + from.len()].copy_from_slice(from);
                }
            }
            for head in shared * group..(shared + 1) * group {
                let place = head * self.query_size;
                for (point, to) in asked.chunks_exact_mut(depth).enumerate() {
                    let from = &queries[point * self.queries.columns() + place..];
                    let from = &from[..self.query_size];
                    self.turn(from, to, turns, [shared, point, area], scale);
                }
                kernels.multiply(&asked, &known, &mut weights, area, depth, columns);
                kernels.softmax_rows(&mut weights, columns, area);
                kernels.multiply(&weights, &given, &mut sums, area, columns, value_columns);
                for (point, sums) in sums.chunks_exact(value_columns).enumerate() {
                    let to = &mut seen[point * all + head * self.value_size..];
                    to[..self.value_size].copy_from_slice(&sums[..self.value_size]);
                }
            }
        }
        for buffer in [asked, known, given, weights, sums] {
            memory.give_flat(buffer);
        }
        seen
    }

    /// Turns each pair of channels of a head at a point.
    fn turn(
        &self,
        from: &[f32],
        to: &mut [f32],
        turns: &[[f32; 2]],
        [shared, point, area]: [usize; 3],
        scale: f32,
    ) {
        to[from.len()..].fill(0.0);
        let pairs = self.query_size / 2;
        let table = match self.rotation {
            None => {
                for (to, from) in to.iter_mut().zip(from) {
                    *to = from * scale;
                }
                return;
            }
            Some(Rotation::Learned(_)) => &turns[(shared * area + point) * pairs..],
            Some(Rotation::Fixed(_)) => &turns[point * pairs..],
        };
        let both = from.chunks_exact(2).zip(to.chunks_exact_mut(2));
        for ((from, to), [cos, sin]) in both.zip(table) {
            to[0] = scale * (from[0] * cos - from[1] * sin);
            to[1] = scale * (from[0] * sin + from[1] * cos);
        }
    }

    /// The cosine and the sine by which each pair of channels is turned, for each shared head that has its own and each
    /// point.
    fn turns(&self, grid: &Grid) -> Vec<[f32; 2]> {
        let pairs = self.query_size / 2;
        let speeds: Vec<[f32; 2]> = match &self.rotation {
            None => return Vec::new(),
            Some(Rotation::Learned(speeds)) => speeds
                .chunks_exact(2)
                .map(|pair| [pair[0], pair[1]])
                .collect(),
            Some(Rotation::Fixed(base)) => {
                let half = pairs / 2;
                let speed = |pair: usize| 1.0 / libm::powf(*base, (2 * pair) as f32 / pairs as f32);
                (0..pairs)
                    .map(|pair| match pair < half {
                        true => [0.0, speed(pair)],
                        false => [speed(pair - half), 0.0],
                    })
                    .collect()
            }
        };
        let mut turns = Vec::with_capacity(speeds.len() * grid.area());
        for speeds in speeds.chunks_exact(pairs) {
            for y in 0..grid.height() {
                for x in 0..grid.width() {
                    turns.extend(speeds.iter().map(|[across, down]| {
                        let angle = x as f32 * across + y as f32 * down;
                        [libm::cosf(angle), libm::sinf(angle)]
                    }));
                }
            }
        }
        turns
    }
}

/// Two layers at each point, the first of them gated.
#[derive(Debug)]
pub(super) struct FeedForward {
    norm: Norm,
    first: Matrix,
    gate: Matrix,
    second: Matrix,
}

impl FeedForward {
    pub(super) fn new(
        norm: &RootMeanSquare,
        first: &MatrixLayer,
        gate: &MatrixLayer,
        second: &MatrixLayer,
    ) -> Self {
        Self {
            norm: Norm::new(norm),
            first: Matrix::new(first),
            gate: Matrix::new(gate),
            second: Matrix::new(second),
        }
    }

    pub(super) fn run(&self, memory: &mut Memory, trunk: &mut [f32], channels: usize) {
        let grid = memory.grid;
        for board in 0..grid.boards() {
            let normed = self.norm.run(memory, board, trunk);
            let mut inner = project(memory, &self.first, &normed);
            let gates = project(memory, &self.gate, &normed);
            memory.kernels.swish_and_gate(&mut inner, &gates);
            let out = project(memory, &self.second, &inner);
            add_points(&grid, board, &out, trunk, channels);
            for buffer in [normed, inner, gates, out] {
                memory.give_flat(buffer);
            }
        }
    }
}
