//! How wrong a network is, and in which direction it would be less wrong.

use std::ops::AddAssign;

use serde::{Deserialize, Serialize};
use tengen_core::{Point, Size};

use crate::architecture::VALUES;
use crate::net::{LEAD_SCALE, win_draw_loss};
use crate::pass::Pass;
use crate::softmax::log_sum_exp;
use crate::training::example::Example;

/// How much each part of the loss counts beside the policy, which counts 1.
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct LossWeights {
    /// The cross entropy of win, draw and loss.
    pub value: f32,
    /// The error of the lead, in tens of points, squared near 0 and linear beyond.
    pub lead: f32,
    /// The mean squared error of whose the points are.
    pub ownership: f32,
}

impl Default for LossWeights {
    fn default() -> Self {
        Self {
            value: 1.0,
            lead: 0.3,
            ownership: 0.5,
        }
    }
}

/// The sums of the parts of the loss over examples, before they are weighted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Losses {
    /// How many examples there were.
    pub examples: f64,
    /// How many of them had a policy.
    pub policies: f64,
    /// Cross entropy of the policy, less the entropy of its target: 0 is perfect.
    pub policy: f64,
    /// How many had a result; a part of one counts as much.
    #[serde(default)]
    pub values: f64,
    /// How many had a lead.
    #[serde(default)]
    pub leads: f64,
    /// How many had owners of points.
    #[serde(default)]
    pub ownerships: f64,
    /// Cross entropy of win, draw and loss.
    pub value: f64,
    /// Error of the lead.
    pub lead: f64,
    /// Error of the ownership.
    pub ownership: f64,
}

impl AddAssign for Losses {
    fn add_assign(&mut self, other: Self) {
        self.examples += other.examples;
        self.policies += other.policies;
        self.values += other.values;
        self.leads += other.leads;
        self.ownerships += other.ownerships;
        self.policy += other.policy;
        self.value += other.value;
        self.lead += other.lead;
        self.ownership += other.ownership;
    }
}

impl Losses {
    /// The same, for one example on average of those that say something about it.
    #[must_use]
    pub fn mean(self) -> Self {
        let examples = self.examples.max(1.0);
        Self {
            examples: 1.0,
            policies: self.policies / examples,
            values: self.values / examples,
            leads: self.leads / examples,
            ownerships: self.ownerships / examples,
            policy: self.policy / self.policies.max(1.0),
            value: self.value / self.values.max(1.0),
            lead: self.lead / self.leads.max(1.0),
            ownership: self.ownership / self.ownerships.max(1.0),
        }
    }

    /// All of it, weighted.
    pub fn total(self, weights: LossWeights) -> f64 {
        self.policy
            + f64::from(weights.value) * self.value
            + f64::from(weights.lead) * self.lead
            + f64::from(weights.ownership) * self.ownership
    }
}

/// The gradients of the loss by what a pass said.
#[derive(Clone, Debug, Default)]
pub(crate) struct OutputGradients {
    pub(crate) policy: Vec<f32>,
    pub(crate) values: Vec<f32>,
    /// By the numbers before they became ownership between −1 and 1.
    pub(crate) ownership: Vec<f32>,
}

impl OutputGradients {
    /// Compares what a pass said with what it should have said. Each example counts `scale`.
    pub(crate) fn set(
        &mut self,
        pass: &Pass,
        size: Size,
        examples: &[Example],
        weights: LossWeights,
        scale: f32,
    ) -> Losses {
        for (own, values) in [
            (&mut self.policy, &pass.policy),
            (&mut self.values, &pass.values),
            (&mut self.ownership, &pass.ownership),
        ] {
            own.clear();
            own.resize(values.len(), 0.0);
        }
        let area = size.area();
        let mut losses = Losses::default();
        for (board, example) in examples.iter().enumerate() {
            let target = &example.target;
            let place = |point: Point| size.index(example.symmetry.apply(point, size));
            losses.examples += 1.0;
            if !target.policy.is_empty() {
                let range = board * (area + 1)..(board + 1) * (area + 1);
                let logits = &pass.policy[range.clone()];
                let gradients = &mut self.policy[range];
                losses.policies += 1.0;
                let points = size.points().iter().enumerate();
                let legal = points
                    .filter(|(_, point)| target.legal.contains(*point))
                    .map(|(number, point)| (number, place(point)))
                    .chain([(area, area)]);
                losses.policy += f64::from(policy(logits, gradients, &target.policy, legal, scale));
            }
            let values = &pass.values[board * VALUES..][..VALUES];
            let gradients = &mut self.values[board * VALUES..][..VALUES];
            let said = win_draw_loss(values);
            let known: f32 = target.win_draw_loss.iter().sum();
            losses.values += f64::from(known);
            for ((gradient, said), wanted) in
                gradients.iter_mut().zip(said).zip(target.win_draw_loss)
            {
                *gradient = scale * weights.value * (known * said - wanted);
                losses.value -= f64::from(wanted * libm::logf(said.max(1e-30)));
            }
            if let Some(lead) = target.lead {
                let error = values[3] - lead / LEAD_SCALE;
                gradients[3] = scale * weights.lead * error.clamp(-1.0, 1.0);
                losses.leads += 1.0;
                losses.lead += f64::from(huber(error));
            }
            if !target.ownership.is_empty() {
                let range = board * area..(board + 1) * area;
                losses.ownerships += 1.0;
                let said = &pass.ownership[range.clone()];
                let gradients = &mut self.ownership[range];
                for (wanted, point) in target.ownership.iter().zip(&size.points()) {
                    let place = place(point);
                    let error = said[place] - wanted;
                    let slope = 1.0 - said[place] * said[place];
                    gradients[place] =
                        scale * weights.ownership * 2.0 * error * slope / area as f32;
                    losses.ownership += f64::from(error * error / area as f32);
                }
            }
        }
        losses
    }
}

/// The gradients of the policy of one position, and its loss. Moves come as their numbers in the target and in the
/// logits.
fn policy(
    logits: &[f32],
    gradients: &mut [f32],
    target: &[f32],
    moves: impl Iterator<Item = (usize, usize)> + Clone,
    scale: f32,
) -> f32 {
    let sum = log_sum_exp(moves.clone().map(|(_, place)| logits[place]));
    let mut loss = 0.0;
    for (number, place) in moves {
        let wanted = target[number];
        let log = logits[place] - sum;
        gradients[place] = scale * (libm::expf(log) - wanted);
        if wanted > 0.0 {
            loss += wanted * (libm::logf(wanted) - log);
        }
    }
    loss
}

fn huber(error: f32) -> f32 {
    let size = error.abs();
    if size < 1.0 {
        0.5 * size * size
    } else {
        size - 0.5
    }
}
