//! From the gradients of what the network said to those of its weights.

use crate::architecture::{
    GLOBALS, HEAD, HIDDEN, Layout, PADDED_PLANES, PLANES, POLICY, POOLED, POOLINGS, SUMMARY, VALUES,
};
use crate::convolution::{Back, Scratch, TurnedConvolution, WeightGradient};
use crate::grid::Grid;
use crate::kernels::{Buffer, Finish, Kernels, pack};
use crate::pass::{Pass, SUMMARY_CHANNELS};
use crate::pooling::{Channels, add_to_peaks, share_means};
use crate::training::loss::OutputGradients;

/// The weights in the order in which gradients go back through them.
#[derive(Clone, Debug)]
pub(crate) struct Turned {
    channels: usize,
    blocks: Vec<TurnedBlock>,
    head: Vec<f32>,
    policy_pooled: Vec<f32>,
    hidden: Vec<f32>,
}

#[derive(Clone, Debug)]
struct TurnedBlock {
    first: TurnedConvolution,
    pooled: Vec<f32>,
    second: TurnedConvolution,
}

impl Turned {
    pub(crate) fn new(
        kernels: Kernels,
        layout: &Layout,
        weights: &[f32],
        channels: usize,
        mut memory: Vec<Buffer>,
    ) -> Self {
        let transposed = |part: usize, columns: usize| {
            let matrix = layout.get(weights, part);
            let mut packed = Vec::new();
            pack(
                &transpose(matrix, columns),
                matrix.len() / columns,
                &mut packed,
            );
            packed
        };
        let mut convolution = |part| {
            let memory = memory.pop().unwrap_or_default();
            TurnedConvolution::new(kernels, layout.get(weights, part), channels, memory)
        };
        Self {
            channels,
            blocks: layout
                .blocks
                .iter()
                .map(|block| TurnedBlock {
                    first: convolution(block.first),
                    pooled: transposed(block.pooled, channels),
                    second: convolution(block.second),
                })
                .collect(),
            head: transposed(layout.head, HEAD),
            policy_pooled: transposed(layout.policy_pooled, POLICY),
            hidden: transposed(layout.hidden, HIDDEN),
        }
    }
}

impl Turned {
    /// The memory of its convolutions, for others.
    pub(crate) fn into_memory(self) -> Vec<Buffer> {
        let blocks = self.blocks.into_iter();
        let all = blocks.flat_map(|block| [block.second, block.first]);
        all.map(TurnedConvolution::into_memory).collect()
    }
}

fn transpose(matrix: &[f32], columns: usize) -> Vec<f32> {
    let rows = matrix.len() / columns;
    let column = |column| (0..rows).map(move |row| matrix[row * columns + column]);
    (0..columns).flat_map(column).collect()
}

/// Memory for the way back, reused from pass to pass.
#[derive(Clone, Debug, Default)]
pub(crate) struct Backward {
    state: Buffer,
    inner: Buffer,
    before: Buffer,
    head: Buffer,
    pooled: Vec<f32>,
    more_pooled: Vec<f32>,
    hidden: Vec<f32>,
    policy_bias: Vec<f32>,
    bias: Vec<f32>,
    /// The boards that there were the last time: what is beyond their edges is 0.
    grid: Option<Grid>,
    /// What each point gets of the gradient of a mean.
    shares: Vec<f32>,
    scratch: Scratch,
}

/// All that the way back reads.
#[derive(Clone, Copy)]
pub(crate) struct Way<'a> {
    pub(crate) kernels: Kernels,
    pub(crate) layout: &'a Layout,
    pub(crate) weights: &'a [f32],
    pub(crate) turned: &'a Turned,
    pub(crate) pass: &'a Pass,
    pub(crate) outputs: &'a OutputGradients,
}

impl Backward {
    /// Adds the gradients of all weights to `gradients`.
    pub(crate) fn add(&mut self, way: Way<'_>, gradients: &mut [f32]) {
        let grid = way.pass.grid;
        let channels = way.turned.channels;
        for (memory, len) in [
            (&mut self.state, grid.len(channels)),
            (&mut self.inner, grid.len(channels)),
            (&mut self.before, grid.len(channels)),
            (&mut self.head, grid.len(HEAD)),
        ] {
            // All points are written, and those beyond the edges never.
            if self.grid != Some(grid) || memory.len() != len {
                memory.reset(len);
            }
        }
        self.grid = Some(grid);
        self.heads(way, &grid, gradients);
        self.trunk(way, &grid, gradients);
    }

    fn heads(&mut self, way: Way<'_>, grid: &Grid, gradients: &mut [f32]) {
        let Way {
            kernels,
            layout,
            weights,
            turned,
            pass,
            outputs,
        } = way;
        let (boards, area) = (grid.boards(), grid.area());
        reset(&mut self.hidden, boards * HIDDEN);
        reset(&mut self.policy_bias, boards * POLICY);
        reset(&mut self.pooled, boards * POOLED);
        reset(&mut self.more_pooled, boards * POOLED);

        let policy_weights = layout.get(weights, layout.policy);
        let ownership_weights = layout.get(weights, layout.ownership);
        for board in 0..boards {
            let policy = &outputs.policy[board * (area + 1)..][..area + 1];
            let ownership = &outputs.ownership[board * area..][..area];
            let bias = &mut self.policy_bias[board * POLICY..][..POLICY];
            for ((place, policy), ownership) in grid.points(board).zip(policy).zip(ownership) {
                let (looks, summary) = pass.head[place * HEAD..][..HEAD].split_at(POLICY);
                let own = &mut self.head[place * HEAD..][..HEAD];
                let (own_looks, own_summary) = own.split_at_mut(POLICY);
                add_scaled(layout.get_mut(gradients, layout.policy), looks, *policy);
                add_scaled(
                    layout.get_mut(gradients, layout.ownership),
                    summary,
                    *ownership,
                );
                for ((own, look), weight) in own_looks.iter_mut().zip(looks).zip(policy_weights) {
                    *own = if *look > 0.0 { policy * weight } else { 0.0 };
                }
                add_scaled(bias, own_looks, 1.0);
                for (own, weight) in own_summary.iter_mut().zip(ownership_weights) {
                    *own = ownership * weight;
                }
            }
            let pooled = &pass.head_pooled[board * POOLED..][..POOLED];
            let own_pooled = &mut self.pooled[board * POOLED..][..POOLED];
            add_scaled(own_pooled, layout.get(weights, layout.pass), policy[area]);
            add_scaled(layout.get_mut(gradients, layout.pass), pooled, policy[area]);
            layout.get_mut(gradients, layout.pass_bias)[0] += policy[area];

            let values = &outputs.values[board * VALUES..][..VALUES];
            add_scaled(layout.get_mut(gradients, layout.value_bias), values, 1.0);
            let hidden = &pass.hidden[board * HIDDEN..][..HIDDEN];
            let own_hidden = &mut self.hidden[board * HIDDEN..][..HIDDEN];
            let rows = layout.get(weights, layout.value).chunks_exact(VALUES);
            let row_gradients = layout
                .get_mut(gradients, layout.value)
                .chunks_exact_mut(VALUES);
            for (((own, hidden), row), gradients) in own_hidden
                .iter_mut()
                .zip(hidden)
                .zip(rows)
                .zip(row_gradients)
            {
                add_scaled(gradients, values, *hidden);
                if *hidden > 0.0 {
                    *own = values
                        .iter()
                        .zip(row)
                        .map(|(value, weight)| value * weight)
                        .sum();
                }
            }
        }
        add_rows(layout.get_mut(gradients, layout.hidden_bias), &self.hidden);
        let pooled = &pass.head_pooled;
        kernels.add_transposed(
            pooled,
            &self.hidden,
            layout.get_mut(gradients, layout.hidden),
            boards,
            POOLED,
            HIDDEN,
        );
        kernels.add_transposed(
            pooled,
            &self.policy_bias,
            layout.get_mut(gradients, layout.policy_pooled),
            boards,
            POOLED,
            POLICY,
        );
        for (from, matrix, depth) in [
            (&self.hidden, &turned.hidden, HIDDEN),
            (&self.policy_bias, &turned.policy_pooled, POLICY),
        ] {
            kernels.multiply(from, matrix, &mut self.more_pooled, boards, depth, POOLED);
            add_scaled(&mut self.pooled, &self.more_pooled, 1.0);
        }
        reset(&mut self.shares, boards * SUMMARY);
        share_means(grid, &self.pooled, &mut self.shares);
        let out = &mut self.head;
        add_to_peaks(
            SUMMARY_CHANNELS,
            &self.pooled,
            &pass.head_peaks,
            &pass.head,
            out,
        );
        let mut shares = [0.0; HEAD];
        let mut sums = [0.0; HEAD];
        for board in 0..boards {
            // Gradients of the policy have gone through the gates of the policy, which say the same once more.
            shares[POLICY..].copy_from_slice(&self.shares[board * SUMMARY..][..SUMMARY]);
            let own = &mut self.head;
            kernels.add_and_gate(grid, board, &shares, own, &pass.head, &mut sums);
            add_scaled(layout.get_mut(gradients, layout.head_bias), &sums, 1.0);
        }
        let (first, channels) = (grid.index(0, 0, 0), turned.channels);
        let state = &pass.state(layout.blocks.len())[first * channels..];
        let head = &self.head[first * HEAD..];
        let rows = grid.rows();
        kernels.add_transposed(
            state,
            head,
            layout.get_mut(gradients, layout.head),
            rows,
            channels,
            HEAD,
        );
        let out = &mut self.state[first * channels..];
        kernels.multiply(head, &turned.head, out, rows, HEAD, channels);
    }

    fn trunk(&mut self, way: Way<'_>, grid: &Grid, gradients: &mut [f32]) {
        let Way {
            kernels,
            layout,
            turned,
            pass,
            ..
        } = way;
        let (boards, channels) = (grid.boards(), turned.channels);
        reset(&mut self.bias, boards * channels);
        reset(&mut self.shares, boards * channels);
        reset(&mut self.pooled, boards * POOLINGS * channels);
        let scratch = &mut self.scratch;
        let gates = pass.state(layout.blocks.len());
        for (board, sums) in self.bias.chunks_exact_mut(channels).enumerate() {
            let nothing = &self.shares[..channels];
            kernels.add_and_gate(grid, board, nothing, &mut self.state, gates, sums);
        }
        let blocks = layout.blocks.iter().zip(&turned.blocks).enumerate();
        for (number, (parts, block)) in blocks.rev() {
            // Here no gradient is left where the output of the block was rectified, and there are its sums over all
            // points.
            let (before, inner) = (pass.state(number), pass.inner(number));
            add_rows(layout.get_mut(gradients, parts.second_bias), &self.bias);
            let back = Back {
                input: inner,
                gradient: &self.state,
            };
            let finish = Finish {
                gate: Some(inner),
                ..Finish::default()
            };
            let out = (&mut self.inner[..], finish);
            let second = layout.get_mut(gradients, parts.second);
            block.second.run(kernels, grid, back, out, second, scratch);

            sum_boards(kernels, grid, &self.inner, &mut self.bias);
            add_rows(layout.get_mut(gradients, parts.first_bias), &self.bias);
            let depth = POOLINGS * channels;
            kernels.add_transposed(
                pass.pooled(number),
                &self.bias,
                layout.get_mut(gradients, parts.pooled),
                boards,
                depth,
                channels,
            );
            kernels.multiply(
                &self.bias,
                &block.pooled,
                &mut self.pooled,
                boards,
                channels,
                depth,
            );
            share_means(grid, &self.pooled, &mut self.shares);

            let back = Back {
                input: before,
                gradient: &self.inner,
            };
            let finish = Finish {
                bias: Some(&self.shares),
                skip: Some(&self.state),
                gate: Some(before),
                ..Finish::default()
            };
            let out = (&mut self.before[..], finish);
            let first = layout.get_mut(gradients, parts.first);
            block.first.run(kernels, grid, back, out, first, scratch);
            let (all, peaks) = (Channels::all(channels), &pass.peaks[number]);
            add_to_peaks(all, &self.pooled, peaks, before, &mut self.before);
            std::mem::swap(&mut self.state, &mut self.before);
            sum_boards(kernels, grid, &self.state, &mut self.bias);
        }

        add_rows(layout.get_mut(gradients, layout.stem_bias), &self.bias);
        kernels.add_transposed(
            &pass.globals,
            &self.bias,
            layout.get_mut(gradients, layout.globals),
            boards,
            GLOBALS,
            channels,
        );
        let stem = WeightGradient {
            inputs: PADDED_PLANES,
            outputs: channels,
        };
        let mut padded = vec![0.0; 9 * PADDED_PLANES * channels];
        stem.add(
            kernels,
            grid,
            &pass.planes,
            &self.state,
            &mut padded,
            scratch,
        );
        let own = layout.get_mut(gradients, layout.stem);
        let taps = own.chunks_exact_mut(PLANES * channels);
        for (own, padded) in taps.zip(padded.chunks_exact(PADDED_PLANES * channels)) {
            add_scaled(own, padded, 1.0);
        }
    }
}

fn reset(memory: &mut Vec<f32>, len: usize) {
    memory.clear();
    memory.resize(len, 0.0);
}

fn add_scaled(to: &mut [f32], values: &[f32], factor: f32) {
    for (to, value) in to.iter_mut().zip(values) {
        *to += factor * value;
    }
}

/// Adds all rows to one.
fn add_rows(to: &mut [f32], rows: &[f32]) {
    for row in rows.chunks_exact(to.len()) {
        add_scaled(to, row, 1.0);
    }
}

/// The sums over all points of each board.
fn sum_boards(kernels: Kernels, grid: &Grid, values: &[f32], sums: &mut [f32]) {
    let channels = sums.len() / grid.boards();
    for (board, sums) in sums.chunks_exact_mut(channels).enumerate() {
        kernels.sum(grid, board, values, sums);
    }
}
