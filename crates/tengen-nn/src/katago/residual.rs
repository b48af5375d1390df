//! The blocks of a trunk with their weights packed.

use super::attention::{Attention, FeedForward};
use super::block::Block;
use super::convolution::{Activated, After, Convolved, Normed};
use super::matrix::Matrix;
use super::memory::{Memory, ThirdPooling};
use crate::kernels::Buffer;

#[derive(Debug)]
pub(super) enum Residual {
    Ordinary {
        before: Normed,
        first: Activated,
        second: Convolved,
    },
    Pooling {
        before: Normed,
        pooled: Activated,
        to_bias: Matrix,
        first: Activated,
        second: Convolved,
    },
    Bottleneck {
        before: Normed,
        /// Its results are what the blocks within add to.
        narrow: Convolved,
        blocks: Vec<Residual>,
        after: Normed,
        widen: Convolved,
    },
    Attention(Attention),
    FeedForward(FeedForward),
}

impl Residual {
    /// Packs a stack of blocks. `layers` counts layers with rotations.
    pub(super) fn stack(blocks: Vec<Block>, layers: &mut usize) -> Vec<Self> {
        let blocks = blocks.into_iter();
        blocks.map(|block| Self::new(block, layers)).collect()
    }

    fn new(block: Block, layers: &mut usize) -> Self {
        match block {
            Block::Ordinary {
                before,
                first,
                between,
                second,
            } => Self::Ordinary {
                before: Normed::new(&before),
                first: Activated::new(first, &between),
                second: Convolved::new(&second),
            },
            Block::Pooling {
                before,
                regular,
                pooled,
                after_pooled,
                mut to_bias,
                between,
                second,
            } => {
                // What is pooled is added before the normalization.
                to_bias.scale(&between.norm.scale);
                Self::Pooling {
                    before: Normed::new(&before),
                    pooled: Activated::new(pooled, &after_pooled),
                    to_bias: Matrix::of_pooled(&to_bias),
                    first: Activated::new(regular, &between),
                    second: Convolved::new(&second),
                }
            }
            Block::Bottleneck {
                before,
                narrow,
                blocks,
                after,
                widen,
            } => Self::Bottleneck {
                before: Normed::new(&before),
                narrow: Convolved::new(&narrow),
                blocks: Self::stack(blocks, layers),
                after: Normed::new(&after),
                widen: Convolved::new(&widen),
            },
            Block::Attention(block) => {
                *layers += 1;
                Self::Attention(Attention::new(&block, *layers))
            }
            Block::FeedForward {
                norm,
                first,
                gate,
                second,
            } => Self::FeedForward(FeedForward::new(&norm, &first, &gate, &second)),
        }
    }

    /// Adds what it makes of the trunk to the trunk.
    pub(super) fn run(&self, memory: &mut Memory, trunk: &mut Buffer, channels: usize) {
        match self {
            Self::Ordinary {
                before,
                first,
                second,
            } => {
                let mut ready = memory.take(channels);
                before.run(memory, trunk, &mut ready);
                let mut inner = memory.take(first.outputs());
                first.run(memory, &ready, &mut inner, &[]);
                finish(memory, second, &inner, trunk, ready, channels);
                memory.give(first.outputs(), inner);
            }
            Self::Pooling {
                before,
                pooled,
                to_bias,
                first,
                second,
            } => {
                let mut ready = memory.take(channels);
                before.run(memory, trunk, &mut ready);
                let mut seen = memory.take(pooled.outputs());
                pooled.run(memory, &ready, &mut seen, &[]);
                let means = memory.pool(&seen, pooled.outputs(), ThirdPooling::Maximum);
                memory.give(pooled.outputs(), seen);
                let more = to_bias.of_rows(memory.kernels, &means);
                let mut inner = memory.take(first.outputs());
                first.run(memory, &ready, &mut inner, &more);
                finish(memory, second, &inner, trunk, ready, channels);
                memory.give(first.outputs(), inner);
            }
            Self::Bottleneck {
                before,
                narrow,
                blocks,
                after,
                widen,
            } => {
                let mut ready = memory.take(channels);
                before.run(memory, trunk, &mut ready);
                let width = narrow.outputs();
                let mut inner = memory.take(width);
                narrow.run(memory, &ready, &mut inner, After::Nothing);
                for block in blocks {
                    block.run(memory, &mut inner, width);
                }
                let mut last = memory.take(width);
                after.run(memory, &inner, &mut last);
                finish(memory, widen, &last, trunk, ready, channels);
                memory.give(width, inner);
                memory.give(width, last);
            }
            Self::Attention(attention) => attention.run(memory, trunk, channels),
            Self::FeedForward(layers) => layers.run(memory, trunk, channels),
        }
    }
}

/// The last convolution of a block, whose results are added to the trunk. `out` is memory for them.
fn finish(
    memory: &mut Memory,
    last: &Convolved,
    inner: &[f32],
    trunk: &mut Buffer,
    mut out: Buffer,
    channels: usize,
) {
    last.run(memory, inner, &mut out, After::Add(trunk));
    std::mem::swap(trunk, &mut out);
    memory.give(channels, out);
}
