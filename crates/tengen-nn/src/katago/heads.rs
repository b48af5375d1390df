//! What a network says of its trunk: the policy head and the value head.

use super::convolution::{Activated, After, Convolved};
use super::matrix::{Matrix, add_to_rows};
use super::memory::{Memory, ThirdPooling, padded_row};
use super::model::{PolicyLayers, ValueLayers};
use crate::kernels::Activation;

/// The channels of one board's points, row by row, each followed by the number of a pass.
pub(super) type Policy = Vec<Vec<f32>>;

#[derive(Debug)]
pub(super) struct PolicyHead {
    pooled: Activated,
    to_bias: Matrix,
    own: Activated,
    last: Convolved,
    channels: usize,
    pass: Matrix,
    pass_more: Option<PassHead>,
}

#[derive(Debug)]
struct PassHead {
    bias: Vec<f32>,
    activation: Activation,
    second: Matrix,
}

impl PolicyHead {
    pub(super) fn new(mut layers: PolicyLayers) -> Self {
        layers.to_bias.scale(&layers.between.norm.scale);
        Self {
            pooled: Activated::new(layers.pooled, &layers.after_pooled),
            to_bias: Matrix::of_pooled(&layers.to_bias),
            own: Activated::new(layers.own, &layers.between),
            channels: layers.last.outputs,
            last: Convolved::new(&layers.last),
            pass: Matrix::of_pooled(&layers.pass),
            pass_more: layers.pass_more.map(|more| PassHead {
                bias: padded_row(&more.bias),
                activation: more.activation,
                second: Matrix::new(&more.second),
            }),
        }
    }

    /// How many channels it has.
    pub(super) const fn channels(&self) -> usize {
        self.channels
    }

    /// The policy of each board.
    pub(super) fn run(&self, memory: &mut Memory, trunk: &[f32]) -> Vec<Policy> {
        let (kernels, grid) = (memory.kernels, memory.grid);
        let mut seen = memory.take(self.pooled.outputs());
        self.pooled.run(memory, trunk, &mut seen, &[]);
        let pooled = memory.pool(&seen, self.pooled.outputs(), ThirdPooling::Maximum);
        memory.give(self.pooled.outputs(), seen);

        let more = self.to_bias.of_rows(kernels, &pooled);
        let mut own = memory.take(self.own.outputs());
        self.own.run(memory, trunk, &mut own, &more);
        let width = self.last.outputs();
        let mut last = memory.take(width);
        self.last.run(memory, &own, &mut last, After::Nothing);

        let mut passes = self.pass.of_rows(kernels, &pooled);
        if let Some(more) = &self.pass_more {
            add_to_rows(&mut passes, &more.bias);
            kernels.activate_all(more.activation, &mut passes);
            passes = more.second.of_rows(kernels, &passes);
        }
        let passes = passes.chunks_exact(passes.len() / grid.boards());
        let policies = passes.enumerate().map(|(board, passes)| {
            let channel = |channel: usize| {
                let points = grid
                    .points(board)
                    .map(|place| last[place * width + channel]);
                points.chain([passes[channel]]).collect()
            };
            (0..self.channels).map(channel).collect()
        });
        let policies = policies.collect();
        memory.give(self.own.outputs(), own);
        memory.give(width, last);
        policies
    }
}

/// What the value head says of one board, before anything is made of it.
#[derive(Debug)]
pub(super) struct Values {
    /// Win, loss and no result.
    pub(super) outcome: [f32; 3],
    /// The mean and the deviation of the score, the lead, the variance of the time left, and two errors that networks
    /// have since version 9.
    pub(super) score: [f32; 6],
    pub(super) ownership: Vec<f32>,
}

#[derive(Debug)]
pub(super) struct ValueHead {
    own: Activated,
    hidden: Matrix,
    hidden_bias: Vec<f32>,
    hidden_activation: Activation,
    outcome: Matrix,
    outcome_bias: Vec<f32>,
    score: Matrix,
    score_bias: Vec<f32>,
    ownership: Convolved,
}

impl ValueHead {
    pub(super) fn new(layers: ValueLayers) -> Self {
        Self {
            own: Activated::new(layers.own, &layers.after),
            hidden: Matrix::of_pooled(&layers.hidden),
            hidden_bias: padded_row(&layers.hidden_bias),
            hidden_activation: layers.hidden_activation,
            outcome: Matrix::new(&layers.outcome),
            outcome_bias: padded_row(&layers.outcome_bias),
            score: Matrix::new(&layers.score),
            score_bias: padded_row(&layers.score_bias),
            ownership: Convolved::new(&layers.ownership),
        }
    }

    /// The values of each board.
    pub(super) fn run(&self, memory: &mut Memory, trunk: &[f32]) -> Vec<Values> {
        let (kernels, grid) = (memory.kernels, memory.grid);
        let mut own = memory.take(self.own.outputs());
        self.own.run(memory, trunk, &mut own, &[]);
        let pooled = memory.pool(&own, self.own.outputs(), ThirdPooling::MeanBySquare);
        let mut hidden = self.hidden.of_rows(kernels, &pooled);
        add_to_rows(&mut hidden, &self.hidden_bias);
        kernels.activate_all(self.hidden_activation, &mut hidden);
        let mut outcomes = self.outcome.of_rows(kernels, &hidden);
        add_to_rows(&mut outcomes, &self.outcome_bias);
        let mut scores = self.score.of_rows(kernels, &hidden);
        add_to_rows(&mut scores, &self.score_bias);

        let width = self.ownership.outputs();
        let mut owners = memory.take(width);
        self.ownership
            .run(memory, &own, &mut owners, After::Nothing);
        let rows = outcomes
            .chunks_exact(self.outcome.columns())
            .zip(scores.chunks_exact(self.score.columns()));
        let values = rows.enumerate().map(|(board, (outcome, score))| {
            let points = grid.points(board);
            let mut values = Values {
                outcome: [0.0; 3],
                score: [0.0; 6],
                ownership: points.map(|place| owners[place * width]).collect(),
            };
            values.outcome.copy_from_slice(&outcome[..3]);
            values.score.copy_from_slice(&score[..6]);
            values
        });
        let values = values.collect();
        memory.give(self.own.outputs(), own);
        memory.give(width, owners);
        values
    }
}
