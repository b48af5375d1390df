//! One pass of positions through the network, and what it leaves behind.

use tengen_core::Symmetry;

use crate::architecture::{
    Architecture, GLOBALS, HEAD, HIDDEN, Layout, PADDED_PLANES, PLANES, POLICY, POOLED, POOLINGS,
    SUMMARY, VALUES,
};
use crate::convolution::{Convolution, Scratch, Transformation};
use crate::features::Inputs;
use crate::grid::Grid;
use crate::kernels::{Buffer, Finish, Kernels, pack};
use crate::pooling::{Channels, pool};
use crate::tangent::to_tangents;
use crate::tile::Saving;

/// The channels of the head that are pooled.
pub(crate) const SUMMARY_CHANNELS: Channels = Channels {
    all: HEAD,
    first: POLICY,
    count: SUMMARY,
};

/// The least that each channel of the head becomes: those of the policy are rectified later.
const LEAST: [f32; HEAD] = {
    let mut least = [0.0; HEAD];
    let mut channel = 0;
    while channel < POLICY {
        least[channel] = f32::NEG_INFINITY;
        channel += 1;
    }
    least
};

/// The weights in the order in which the kernels read them.
#[derive(Clone, Debug)]
pub(crate) struct Packed {
    stem: Convolution,
    globals: Vec<f32>,
    blocks: Vec<PackedBlock>,
    head: Vec<f32>,
    policy_pooled: Vec<f32>,
    hidden: Vec<f32>,
}

#[derive(Clone, Debug)]
struct PackedBlock {
    first: Convolution,
    pooled: Vec<f32>,
    second: Convolution,
}

/// The weights of the stem with those of planes that do not exist, which are 0.
pub(crate) fn padded_stem(weights: &[f32], channels: usize) -> Vec<f32> {
    let mut padded = Vec::with_capacity(9 * PADDED_PLANES * channels);
    for matrix in weights.chunks_exact(PLANES * channels) {
        padded.extend_from_slice(matrix);
        padded.resize(padded.len() + (PADDED_PLANES - PLANES) * channels, 0.0);
    }
    padded
}

impl Packed {
    /// By the fastest kernels: how weights are packed does not depend on which kernels read them.
    pub(crate) fn new(
        way: (Saving, Transformation),
        layout: &Layout,
        weights: &[f32],
        channels: usize,
    ) -> Self {
        let kernels = Kernels::detect();
        Self::by(kernels, way, layout, weights, channels, Vec::new())
    }

    /// By these kernels, and into the memory of others.
    pub(crate) fn by(
        kernels: Kernels,
        way: (Saving, Transformation),
        layout: &Layout,
        weights: &[f32],
        channels: usize,
        mut memory: Vec<Buffer>,
    ) -> Self {
        let matrix = |part: usize, columns: usize| {
            let mut packed = Vec::new();
            pack(layout.get(weights, part), columns, &mut packed);
            packed
        };
        let mut convolution = |weights: &[f32], inputs| {
            let memory = memory.pop().unwrap_or_default();
            Convolution::new(kernels, way, weights, [inputs, channels], memory)
        };
        Self {
            stem: convolution(
                &padded_stem(layout.get(weights, layout.stem), channels),
                PADDED_PLANES,
            ),
            globals: matrix(layout.globals, channels),
            blocks: layout
                .blocks
                .iter()
                .map(|block| PackedBlock {
                    first: convolution(layout.get(weights, block.first), channels),
                    pooled: matrix(block.pooled, channels),
                    second: convolution(layout.get(weights, block.second), channels),
                })
                .collect(),
            head: matrix(layout.head, HEAD),
            policy_pooled: matrix(layout.policy_pooled, POLICY),
            hidden: matrix(layout.hidden, HIDDEN),
        }
    }

    /// The memory of its convolutions, for others.
    pub(crate) fn into_memory(self) -> Vec<Buffer> {
        let blocks = self.blocks.into_iter();
        let blocks = blocks.flat_map(|block| [block.second, block.first]);
        let all = blocks.chain([self.stem]);
        all.map(Convolution::into_memory).collect()
    }
}

/// What a pass keeps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Keep {
    /// The results alone.
    Results,
    /// All that gradients depend on.
    Everything,
}

/// The numbers of a pass: what goes in, what is between, what comes out.
#[derive(Clone, Debug)]
pub(crate) struct Pass {
    pub(crate) grid: Grid,
    keep: Keep,
    channels: usize,
    pub(crate) planes: Buffer,
    pub(crate) globals: Vec<f32>,
    /// The output of the stem and of each block, or of the last two alone.
    states: Vec<Buffer>,
    /// The layer between the two convolutions of each block, or of the last one alone.
    inner: Vec<Buffer>,
    /// What each block pooled.
    pooled: Vec<Vec<f32>>,
    pub(crate) peaks: Vec<Vec<f32>>,
    bias: Vec<f32>,
    pub(crate) head: Buffer,
    pub(crate) head_pooled: Vec<f32>,
    pub(crate) head_peaks: Vec<f32>,
    pub(crate) hidden: Vec<f32>,
    /// For each board a number for each point, row by row, and one for the pass.
    pub(crate) policy: Vec<f32>,
    pub(crate) values: Vec<f32>,
    /// For each board a number for each point.
    pub(crate) ownership: Vec<f32>,
    pub(crate) scratch: Scratch,
}

impl Pass {
    pub(crate) fn new(architecture: Architecture, grid: Grid, keep: Keep) -> Self {
        let Architecture { blocks, channels } = architecture;
        let boards = grid.boards();
        let (states, inner) = match keep {
            Keep::Results => (2, 1),
            Keep::Everything => (blocks + 1, blocks),
        };
        let state = || Buffer::zeros(grid.len(channels));
        Self {
            grid,
            keep,
            channels,
            planes: Buffer::zeros(grid.len(PADDED_PLANES)),
            globals: vec![0.0; boards * GLOBALS],
            states: (0..states).map(|_| state()).collect(),
            inner: (0..inner).map(|_| state()).collect(),
            pooled: vec![vec![0.0; boards * POOLINGS * channels]; inner],
            peaks: match keep {
                Keep::Results => Vec::new(),
                Keep::Everything => vec![vec![0.0; boards * channels]; blocks],
            },
            bias: vec![0.0; boards * channels],
            head: Buffer::zeros(grid.len(HEAD)),
            head_pooled: vec![0.0; boards * POOLED],
            head_peaks: vec![0.0; boards * SUMMARY],
            hidden: vec![0.0; boards * HIDDEN],
            policy: vec![0.0; boards * (grid.area() + 1)],
            values: vec![0.0; boards * VALUES],
            ownership: vec![0.0; boards * grid.area()],
            scratch: Scratch::default(),
        }
    }

    /// Puts a position on one of the boards.
    pub(crate) fn set(&mut self, board: usize, inputs: &Inputs, symmetry: Symmetry) {
        let first = self.grid.index(board, 0, 0) * PADDED_PLANES;
        self.planes[first..][..self.grid.block() * PADDED_PLANES].fill(0.0);
        inputs.write_planes(symmetry, &self.grid, board, &mut self.planes);
        self.globals[board * GLOBALS..][..GLOBALS].copy_from_slice(inputs.globals());
    }

    /// The output of the stem (0) or of a block (from 1).
    pub(crate) fn state(&self, number: usize) -> &[f32] {
        &self.states[number % self.states.len()]
    }

    /// The layer between the convolutions of a block.
    pub(crate) fn inner(&self, block: usize) -> &[f32] {
        &self.inner[block % self.inner.len()]
    }

    /// What a block pooled.
    pub(crate) fn pooled(&self, block: usize) -> &[f32] {
        &self.pooled[block % self.pooled.len()]
    }

    /// Takes the positions through the network.
    pub(crate) fn run(
        &mut self,
        kernels: Kernels,
        layout: &Layout,
        weights: &[f32],
        packed: &Packed,
    ) {
        self.trunk(kernels, layout, weights, packed);
        self.heads(kernels, layout, weights, packed);
    }

    fn trunk(&mut self, kernels: Kernels, layout: &Layout, weights: &[f32], packed: &Packed) {
        let (grid, channels) = (self.grid, self.channels);
        let boards = grid.boards();
        let bias = &mut self.bias;
        let scratch = &mut self.scratch;
        let plain = |part| layout.get(weights, part);

        kernels.multiply(
            &self.globals,
            &packed.globals,
            bias,
            boards,
            GLOBALS,
            channels,
        );
        add_to_rows(bias, plain(layout.stem_bias));
        packed.stem.run(
            kernels,
            &grid,
            &self.planes,
            &mut self.states[0],
            rectified(bias),
            scratch,
        );
        for (number, (block, parts)) in packed.blocks.iter().zip(&layout.blocks).enumerate() {
            let count = self.states.len();
            let [before, after] = self
                .states
                .get_disjoint_mut([number % count, (number + 1) % count])
                .expect("there are at least two states");
            let inner_count = self.inner.len();
            let inner = &mut self.inner[number % inner_count];
            let pooled = &mut self.pooled[number % inner_count];
            let peaks = self.peaks.get_mut(number).map(Vec::as_mut_slice);
            let all = Channels::all(channels);
            pool(kernels, &grid, all, before, pooled, peaks);
            let depth = POOLINGS * channels;
            kernels.multiply(pooled, &block.pooled, bias, boards, depth, channels);
            add_to_rows(bias, plain(parts.first_bias));
            block
                .first
                .run(kernels, &grid, before, inner, rectified(bias), scratch);
            bias.fill(0.0);
            add_to_rows(bias, plain(parts.second_bias));
            let finish = Finish {
                skip: Some(before),
                ..rectified(bias)
            };
            block
                .second
                .run(kernels, &grid, inner, after, finish, scratch);
        }
    }

    fn heads(&mut self, kernels: Kernels, layout: &Layout, weights: &[f32], packed: &Packed) {
        let grid = self.grid;
        let boards = grid.boards();
        let plain = |part| layout.get(weights, part);
        let last = &self.states[layout.blocks.len() % self.states.len()];
        let head_bias = plain(layout.head_bias);
        for board in 0..boards {
            // Points beyond the edges at the sides take part, which is simpler than to leave them out; nobody looks at
            // them.
            let first = grid.index(board, 0, 0);
            let rows = grid.height() * grid.stride() - 1;
            let head = &mut self.head[first * HEAD..][..rows * HEAD];
            kernels.multiply(
                &last[first * self.channels..],
                &packed.head,
                head,
                rows,
                self.channels,
                HEAD,
            );
            kernels.add_and_raise(head, head_bias, &LEAST);
        }
        let peaks = (self.keep == Keep::Everything).then_some(&mut self.head_peaks[..]);
        pool(
            kernels,
            &grid,
            SUMMARY_CHANNELS,
            &self.head,
            &mut self.head_pooled,
            peaks,
        );

        let mut policy_bias = vec![0.0; boards * POLICY];
        let pooled = &self.head_pooled;
        kernels.multiply(
            pooled,
            &packed.policy_pooled,
            &mut policy_bias,
            boards,
            POOLED,
            POLICY,
        );
        kernels.multiply(
            pooled,
            &packed.hidden,
            &mut self.hidden,
            boards,
            POOLED,
            HIDDEN,
        );
        add_to_rows(&mut self.hidden, plain(layout.hidden_bias));
        for value in &mut self.hidden {
            *value = value.max(0.0);
        }

        let area = grid.area();
        let policy_weights = plain(layout.policy);
        let ownership_weights = plain(layout.ownership);
        for board in 0..boards {
            let policy = &mut self.policy[board * (area + 1)..][..area + 1];
            let ownership = &mut self.ownership[board * area..][..area];
            let bias = &policy_bias[board * POLICY..][..POLICY];
            for ((place, policy), ownership) in
                grid.points(board).zip(&mut policy[..]).zip(ownership)
            {
                let row = &mut self.head[place * HEAD..][..HEAD];
                let (looks, summary) = row.split_at_mut(POLICY);
                for (value, bias) in looks.iter_mut().zip(bias) {
                    *value = (*value + bias).max(0.0);
                }
                *policy = dot(looks, policy_weights);
                *ownership = dot(summary, ownership_weights);
            }
            to_tangents(&mut self.ownership[board * area..][..area]);
            let pooled = &self.head_pooled[board * POOLED..][..POOLED];
            policy[area] = dot(pooled, plain(layout.pass)) + plain(layout.pass_bias)[0];
            let hidden = &self.hidden[board * HIDDEN..][..HIDDEN];
            let values = &mut self.values[board * VALUES..][..VALUES];
            values.copy_from_slice(plain(layout.value_bias));
            for (hidden, row) in hidden.iter().zip(plain(layout.value).chunks_exact(VALUES)) {
                for (value, weight) in values.iter_mut().zip(row) {
                    *value += hidden * weight;
                }
            }
        }
    }
}

fn rectified(bias: &[f32]) -> Finish<'_> {
    Finish {
        bias: Some(bias),
        rectify: true,
        ..Finish::default()
    }
}

/// Adds a row to every row.
fn add_to_rows(rows: &mut [f32], row: &[f32]) {
    for own in rows.chunks_exact_mut(row.len()) {
        for (own, more) in own.iter_mut().zip(row) {
            *own += more;
        }
    }
}

/// The sum of products, eight at a time.
pub(crate) fn dot(a: &[f32], b: &[f32]) -> f32 {
    let mut sums = [0.0; 8];
    for (a, b) in a.chunks_exact(8).zip(b.chunks_exact(8)) {
        for ((sum, a), b) in sums.iter_mut().zip(a).zip(b) {
            *sum += a * b;
        }
    }
    sums.iter().sum()
}
