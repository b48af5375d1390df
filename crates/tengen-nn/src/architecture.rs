//! The shape of a network, and where its weights are.

use std::ops::Range;

use serde::{Deserialize, Serialize};
use tengen_env::Features;

use crate::kernels::{COLUMNS, LANES};

/// The planes that the network looks at.
pub(crate) const FEATURES: Features = Features::Tactical;

/// How many planes there are.
pub(crate) const PLANES: usize = FEATURES.count();

/// The same, rounded up to whole vectors: the planes beyond are 0.
pub(crate) const PADDED_PLANES: usize = PLANES.next_multiple_of(LANES);

/// How many numbers describe the rules and the komi.
pub(crate) const GLOBALS: usize = 8;

/// In earlier releases so many more followed that were always 0. Their weights are still in files, at the end of
/// `stem.globals`, and are dropped when one is read.
pub(crate) const DROPPED_GLOBALS: usize = 8;

/// Channels of the head that become the policy.
pub(crate) const POLICY: usize = 16;

/// Channels of the head that are pooled, and that say whose each point will be.
pub(crate) const SUMMARY: usize = 48;

/// All channels of the head.
pub(crate) const HEAD: usize = POLICY + SUMMARY;

/// How many numbers a pooled channel becomes: its mean, its mean by the size of the board, its maximum.
pub(crate) const POOLINGS: usize = 3;

/// Numbers from pooling the head.
pub(crate) const POOLED: usize = POOLINGS * SUMMARY;

/// The layer between the pooled head and the value.
pub(crate) const HIDDEN: usize = 64;

/// Win, draw, loss, and the lead.
pub(crate) const VALUES: usize = 4;

/// The size of a network: a stem, residual blocks of two convolutions each, and a head.
///
/// All is convolution and pooling over the whole board, so that one network plays on boards of every size.
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Architecture {
    /// How many residual blocks there are, of two convolutions each: 1 to 64.
    pub blocks: usize,
    /// How many channels each has: 16 to 512, a multiple of 16.
    pub channels: usize,
}

/// Why there is no network of this size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ArchitectureError(pub(crate) Architecture);

impl std::fmt::Display for ArchitectureError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Architecture { blocks, channels } = self.0;
        write!(
            f,
            "a network has 1 to 64 blocks of 16 to 512 channels, in multiples of {COLUMNS}, \
             not {blocks} blocks of {channels}"
        )
    }
}

impl std::error::Error for ArchitectureError {}

impl Architecture {
    /// Is there a network of this size?
    pub fn check(self) -> Result<Self, ArchitectureError> {
        let fits = (1..=64).contains(&self.blocks)
            && (16..=512).contains(&self.channels)
            && self.channels.is_multiple_of(COLUMNS);
        fits.then_some(self).ok_or(ArchitectureError(self))
    }

    /// The arrays that its weights are made of, in order.
    pub fn parts(self) -> Vec<Part> {
        Layout::of(self).parts
    }

    /// How many weights it has.
    pub fn count(self) -> usize {
        Layout::of(self).len
    }
}

impl std::fmt::Display for Architecture {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}x{}", self.blocks, self.channels)
    }
}

/// Where one array of weights is among all of them.
#[derive(Clone, Debug)]
pub struct Part {
    pub(crate) name: String,
    pub(crate) shape: Vec<usize>,
    pub(crate) range: Range<usize>,
    /// How much one of its outputs varies at first if its inputs vary by one.
    pub(crate) gain: f32,
}

impl Part {
    /// What it is called.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Its dimensions; the last one changes fastest.
    pub fn shape(&self) -> &[usize] {
        &self.shape
    }

    /// Are these the weights of a convolution?
    pub(crate) fn is_convolution(&self) -> bool {
        self.shape.len() == 4
    }

    /// Does it make channels from channels or planes, at every point?
    pub(crate) fn is_in_trunk(&self) -> bool {
        self.is_convolution() || self.name.starts_with("blocks.") || self.name == "head.weight"
    }

    /// How many outputs it has, if it is a matrix or a convolution.
    pub(crate) fn columns(&self) -> usize {
        self.shape.last().copied().unwrap_or(1)
    }

    /// Its place among all weights.
    pub fn range(&self) -> Range<usize> {
        self.range.clone()
    }
}

/// Where all weights are. Each field is the place of an array in `parts`.
#[derive(Clone, Debug)]
pub(crate) struct Layout {
    pub(crate) parts: Vec<Part>,
    pub(crate) len: usize,
    pub(crate) stem: usize,
    pub(crate) stem_bias: usize,
    pub(crate) globals: usize,
    pub(crate) blocks: Vec<BlockLayout>,
    pub(crate) head: usize,
    pub(crate) head_bias: usize,
    pub(crate) policy_pooled: usize,
    pub(crate) policy: usize,
    pub(crate) pass: usize,
    pub(crate) pass_bias: usize,
    pub(crate) hidden: usize,
    pub(crate) hidden_bias: usize,
    pub(crate) value: usize,
    pub(crate) value_bias: usize,
    pub(crate) ownership: usize,
}

/// The weights of a residual block.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BlockLayout {
    pub(crate) first: usize,
    pub(crate) first_bias: usize,
    pub(crate) pooled: usize,
    pub(crate) second: usize,
    pub(crate) second_bias: usize,
}

/// Names the parts one after another.
struct Builder {
    parts: Vec<Part>,
    len: usize,
}

impl Builder {
    fn add(&mut self, name: impl Into<String>, shape: &[usize], gain: f32) -> usize {
        let count: usize = shape.iter().product();
        self.parts.push(Part {
            name: name.into(),
            shape: shape.to_vec(),
            range: self.len..self.len + count,
            gain,
        });
        self.len += count;
        self.parts.len() - 1
    }
}

/// Keeps the variance of what goes through a rectifier.
const RECTIFIED: f32 = std::f32::consts::SQRT_2;

impl Layout {
    pub(crate) fn of(architecture: Architecture) -> Self {
        let Architecture { blocks, channels } = architecture;
        let mut builder = Builder {
            parts: Vec::new(),
            len: 0,
        };
        let stem = builder.add("stem.weight", &[3, 3, PLANES, channels], RECTIFIED);
        let stem_bias = builder.add("stem.bias", &[channels], 0.0);
        let globals = builder.add("stem.globals", &[GLOBALS, channels], 0.5);
        // Every block adds to the ones before it: together they should add about as much as there is.
        let branch = (blocks as f32).sqrt().recip();
        let convolution = [3, 3, channels, channels];
        let blocks = (0..blocks)
            .map(|block| {
                let mut add = |name: &str, shape: &[usize], gain| {
                    builder.add(format!("blocks.{block}.{name}"), shape, gain)
                };
                BlockLayout {
                    first: add("first.weight", &convolution, RECTIFIED),
                    first_bias: add("first.bias", &[channels], 0.0),
                    pooled: add("first.pooled", &[POOLINGS * channels, channels], 0.3),
                    second: add("second.weight", &convolution, 0.5 * branch),
                    second_bias: add("second.bias", &[channels], 0.0),
                }
            })
            .collect();
        Self {
            stem,
            stem_bias,
            globals,
            blocks,
            head: builder.add("head.weight", &[channels, HEAD], RECTIFIED),
            head_bias: builder.add("head.bias", &[HEAD], 0.0),
            policy_pooled: builder.add("policy.pooled", &[POOLED, POLICY], 0.5),
            policy: builder.add("policy.weight", &[POLICY], 0.3),
            pass: builder.add("pass.weight", &[POOLED], 0.3),
            pass_bias: builder.add("pass.bias", &[1], 0.0),
            hidden: builder.add("hidden.weight", &[POOLED, HIDDEN], RECTIFIED),
            hidden_bias: builder.add("hidden.bias", &[HIDDEN], 0.0),
            value: builder.add("value.weight", &[HIDDEN, VALUES], 0.3),
            value_bias: builder.add("value.bias", &[VALUES], 0.0),
            ownership: builder.add("ownership.weight", &[SUMMARY], 0.3),
            len: builder.len,
            parts: builder.parts,
        }
    }

    /// How many weights of a part are dropped that stand at its end in files of earlier releases.
    pub(crate) fn dropped(&self, part: usize) -> usize {
        match part == self.globals {
            true => DROPPED_GLOBALS * self.parts[part].columns(),
            false => 0,
        }
    }

    /// The numbers of a part.
    pub(crate) fn get<'a>(&self, weights: &'a [f32], part: usize) -> &'a [f32] {
        &weights[self.parts[part].range.clone()]
    }

    /// The numbers of a part, to be changed.
    pub(crate) fn get_mut<'a>(&self, weights: &'a mut [f32], part: usize) -> &'a mut [f32] {
        &mut weights[self.parts[part].range.clone()]
    }
}
