//! Learning from examples, step by step.

use std::cmp::Reverse;
use std::thread;

use serde::{Deserialize, Serialize};
use tengen_core::Size;

use crate::architecture::Layout;
use crate::convolution::Transformation;
use crate::grid::Grid;
use crate::kernels::{Buffer, Kernels};
use crate::net::Net;
use crate::pass::{Keep, Packed, Pass};
use crate::tile::Saving;
use crate::training::backward::{Backward, Turned, Way};
use crate::training::example::Example;
use crate::training::loss::{LossWeights, Losses, OutputGradients};
use crate::training::muon::Muon;
use crate::training::state::LearningState;

/// How a network learns.
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Learning {
    /// How steps are made from gradients.
    pub method: Method,
    /// How far a weight moves in one step, at most about.
    pub rate: f32,
    /// How much of the mean gradient is kept from step to step.
    pub momentum: f32,
    /// How much of the mean squared gradient is kept from step to step.
    pub memory: f32,
    /// How much weights shrink in a step, as a multiple of the rate; biases do not.
    pub decay: f32,
    /// Longer gradients are shortened to this.
    pub longest_gradient: f32,
    /// How much of the averaged weights is kept from step to step; the average is what plays.
    pub averaging: f32,
    /// What the other parts of the loss count beside the policy, which counts 1.
    pub loss: LossWeights,
}

impl Default for Learning {
    fn default() -> Self {
        Self {
            method: Method::Adam,
            rate: 1e-3,
            momentum: 0.9,
            memory: 0.99,
            decay: 0.03,
            longest_gradient: 5.0,
            averaging: 0.999,
            loss: LossWeights::default(),
        }
    }
}

/// How steps are made from gradients.
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Method {
    /// Adam with decoupled weight decay.
    Adam,
    /// Muon for the matrices of the trunk, which learns more from each position; Adam for all else.
    Muon,
}

/// There is no such method.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a method of learning is adam or muon, not {0:?}")]
pub struct MethodError(String);

impl Method {
    /// What it is called.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Adam => "adam",
            Self::Muon => "muon",
        }
    }
}

impl std::str::FromStr for Method {
    type Err = MethodError;

    fn from_str(name: &str) -> Result<Self, MethodError> {
        let known = [Self::Adam, Self::Muon];
        let found = known.into_iter().find(|method| method.name() == name);
        found.ok_or_else(|| MethodError(name.to_owned()))
    }
}

/// Teaches a network, by Adam with decoupled weight decay (Kingma and Ba 2015, Loshchilov and Hutter 2019) or by Muon.
#[derive(Debug)]
pub struct Trainer {
    architecture: crate::Architecture,
    layout: Layout,
    kernels: Kernels,
    state: LearningState,
    workers: Vec<Worker>,
    gradient: Vec<f32>,
    /// How far each weight moves at a rate of 1.
    step: Vec<f32>,
}

impl Trainer {
    /// Goes on with a network from a state, on so many threads.
    ///
    /// # Panics
    ///
    /// If the state is one of a network of another size.
    pub fn new(net: &Net, state: LearningState, threads: usize) -> Self {
        let layout = net.layout().clone();
        for vector in [
            &state.weights,
            &state.averaged,
            &state.first_moment,
            &state.second_moment,
        ] {
            assert_eq!(vector.len(), layout.len, "a network has this many weights");
        }
        Self {
            architecture: net.architecture(),
            gradient: vec![0.0; layout.len],
            step: Vec::new(),
            kernels: net.kernels(),
            workers: (0..threads.max(1)).map(|_| Worker::default()).collect(),
            layout,
            state,
        }
    }

    /// Where it is.
    pub const fn state(&self) -> &LearningState {
        &self.state
    }

    /// The gradient of the last step, before it was shortened.
    pub fn gradient(&self) -> &[f32] {
        &self.gradient
    }

    /// The network as it is now.
    pub fn net(&self) -> Net {
        Net::new(self.architecture, self.state.weights.clone())
    }

    /// The network with averaged weights.
    pub fn averaged_net(&self) -> Net {
        Net::new(self.architecture, self.state.averaged.clone())
    }

    /// How many boards of a size a group should have for the fastest learning: enough to share the work that a group
    /// takes, and not more than the nearer caches hold.
    pub const fn group(size: Size) -> usize {
        let boards = GROUP_POINTS / size.area();
        if boards == 0 { 1 } else { boards }
    }

    /// Learns from examples, in groups of one size of board each. Returns how wrong it was before.
    ///
    /// # Panics
    ///
    /// If boards of a group have different sizes.
    pub fn step(&mut self, groups: &[Vec<Example>], learning: &Learning) -> Losses {
        let losses = self.compute_gradient(groups, learning.loss);
        self.descend(learning);
        losses
    }

    /// How wrong the network is about examples; nothing is learnt.
    ///
    /// # Panics
    ///
    /// As for [`Trainer::step`].
    pub fn losses(&mut self, groups: &[Vec<Example>]) -> Losses {
        self.compute_gradient(groups, LossWeights::default())
    }

    fn compute_gradient(&mut self, groups: &[Vec<Example>], weights: LossWeights) -> Losses {
        let examples: usize = groups.iter().map(Vec::len).sum();
        let [packed, turned] = std::mem::take(&mut self.workers[0].memory);
        let shared = Shared {
            kernels: self.kernels,
            architecture: self.architecture,
            layout: &self.layout,
            weights: &self.state.weights,
            packed: Packed::by(
                self.kernels,
                (Saving::Products, Transformation::Whole),
                &self.layout,
                &self.state.weights,
                self.architecture.channels,
                packed,
            ),
            turned: Turned::new(
                self.kernels,
                &self.layout,
                &self.state.weights,
                self.architecture.channels,
                turned,
            ),
            loss: weights,
            scale: 1.0 / examples.max(1) as f32,
        };
        let mut shares = shares(groups, self.workers.len());
        let own_share = shares.remove(0);
        let (own, others) = self
            .workers
            .split_first_mut()
            .expect("there is at least one worker");
        thread::scope(|scope| {
            for (worker, share) in others.iter_mut().zip(shares) {
                let shared = &shared;
                scope.spawn(move || worker.run(shared, &share));
            }
            own.run(&shared, &own_share);
        });
        let Shared { packed, turned, .. } = shared;
        own.memory = [packed.into_memory(), turned.into_memory()];
        self.gradient.fill(0.0);
        let mut losses = Losses::default();
        for worker in &self.workers {
            losses += worker.losses;
            for (sum, gradient) in self.gradient.iter_mut().zip(&worker.gradient) {
                *sum += gradient;
            }
        }
        losses
    }

    /// Moves the weights.
    fn descend(&mut self, learning: &Learning) {
        let state = &mut self.state;
        state.steps += 1;
        let squares: f64 = self.gradient.iter().map(|g| f64::from(g * g)).sum();
        let length = squares.sqrt() as f32;
        let shorten = (learning.longest_gradient / length.max(1e-12)).min(1.0);
        let steps = state.steps.min(1 << 20) as i32;
        let first_share = 1.0 - learning.momentum.powi(steps);
        let second_share = 1.0 - learning.memory.powi(steps);
        // At first the average follows the weights, which were random.
        let averaging = learning
            .averaging
            .min((1.0 + state.steps as f32) / (10.0 + state.steps as f32));
        self.step.resize(self.layout.len, 0.0);
        for part in &self.layout.parts {
            let by_muon = learning.method == Method::Muon && Muon::moves(part);
            for place in part.range.clone() {
                let gradient = self.gradient[place] * shorten;
                let first = &mut state.first_moment[place];
                *first += (1.0 - learning.momentum) * (gradient - *first);
                self.step[place] = if by_muon {
                    // As Nesterov: the gradient counts once more.
                    gradient + learning.momentum * (*first - gradient)
                } else {
                    let second = &mut state.second_moment[place];
                    *second += (1.0 - learning.memory) * (gradient * gradient - *second);
                    (*first / first_share) / ((*second / second_share).sqrt() + 1e-8)
                };
            }
        }
        if learning.method == Method::Muon {
            self.orthogonalize();
        }
        let state = &mut self.state;
        for part in &self.layout.parts {
            // Biases and other vectors do not shrink.
            let decay = if part.shape.len() > 1 {
                learning.rate * learning.decay
            } else {
                0.0
            };
            for place in part.range.clone() {
                let weight = &mut state.weights[place];
                *weight -= learning.rate * self.step[place] + decay * *weight;
                let averaged = &mut state.averaged[place];
                *averaged += (1.0 - averaging) * (*weight - *averaged);
            }
        }
    }

    /// Makes the steps of the matrices of the trunk orthogonal, some of them on each thread.
    fn orthogonalize(&mut self) {
        let mut rest = &mut self.step[..];
        let mut matrices = Vec::new();
        for part in &self.layout.parts {
            let (own, others) = rest.split_at_mut(part.range.len());
            rest = others;
            if Muon::moves(part) {
                matrices.push((part, own));
            }
        }
        let share = matrices.len().div_ceil(self.workers.len());
        let kernels = self.kernels;
        thread::scope(|scope| {
            for (worker, matrices) in self.workers.iter_mut().zip(matrices.chunks_mut(share)) {
                scope.spawn(move || {
                    for (part, matrix) in matrices {
                        worker.muon.step(kernels, part, matrix);
                    }
                });
            }
        });
    }
}

/// A group has so many points at most: eight boards of 19 × 19.
const GROUP_POINTS: usize = 8 * 19 * 19;

/// What all workers read in a step.
struct Shared<'a> {
    kernels: Kernels,
    architecture: crate::Architecture,
    layout: &'a Layout,
    weights: &'a [f32],
    packed: Packed,
    turned: Turned,
    loss: LossWeights,
    scale: f32,
}

fn size_of(group: &[Example]) -> Option<Size> {
    Some(group.first()?.inputs.size())
}

/// What each of so many workers has to do: about as many points as any other, in the order in which groups were given.
fn shares(groups: &[Vec<Example>], workers: usize) -> Vec<Vec<&[Example]>> {
    let points = |group: &[Example]| size_of(group).map_or(0, |size| size.area() * group.len());
    let mut largest_first: Vec<usize> = (0..groups.len()).collect();
    largest_first.sort_by_key(|place| Reverse(points(&groups[*place])));
    let mut shares = vec![(0, Vec::new()); workers];
    for place in largest_first {
        let least = shares.iter_mut().min_by_key(|(points, _)| *points);
        let (sum, share) = least.expect("there is at least one worker");
        *sum += points(&groups[place]);
        share.push(place);
    }
    let in_order = |(_, mut places): (usize, Vec<usize>)| {
        places.sort_unstable();
        places.into_iter().map(|place| &groups[place][..]).collect()
    };
    shares.into_iter().map(in_order).collect()
}

/// One thread's memory.
#[derive(Debug, Default)]
struct Worker {
    /// Memory for packed and for turned weights, which the first worker keeps from step to step.
    memory: [Vec<Buffer>; 2],
    passes: Vec<Pass>,
    outputs: OutputGradients,
    backward: Backward,
    gradient: Vec<f32>,
    losses: Losses,
    muon: Muon,
}

/// So many passes of different sizes are kept for later steps.
const KEPT_PASSES: usize = 16;

impl Worker {
    fn run(&mut self, shared: &Shared<'_>, groups: &[&[Example]]) {
        self.gradient.clear();
        self.gradient.resize(shared.layout.len, 0.0);
        self.losses = Losses::default();
        for group in groups {
            self.add(shared, group);
        }
    }

    fn add(&mut self, shared: &Shared<'_>, group: &[Example]) {
        let Some(size) = size_of(group) else { return };
        let grid = Grid::new(size, group.len());
        let mut pass = match self.passes.iter().position(|pass| pass.grid == grid) {
            Some(place) => self.passes.swap_remove(place),
            None => Pass::new(shared.architecture, grid, Keep::Everything),
        };
        for (board, example) in group.iter().enumerate() {
            assert_eq!(
                example.inputs.size(),
                size,
                "a group has boards of one size"
            );
            assert_eq!(
                example.symmetry.size(size),
                size,
                "the board keeps its size"
            );
            pass.set(board, &example.inputs, example.symmetry);
        }
        pass.run(
            shared.kernels,
            shared.layout,
            shared.weights,
            &shared.packed,
        );
        self.losses += self
            .outputs
            .set(&pass, size, group, shared.loss, shared.scale);
        let way = Way {
            kernels: shared.kernels,
            layout: shared.layout,
            weights: shared.weights,
            turned: &shared.turned,
            pass: &pass,
            outputs: &self.outputs,
        };
        self.backward.add(way, &mut self.gradient);
        self.passes.truncate(KEPT_PASSES - 1);
        self.passes.push(pass);
    }
}
