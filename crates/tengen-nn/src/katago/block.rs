//! The blocks of a trunk as a file describes them. All are residual: what they make is added to what they get.

use super::file::{KataGoFault, Result, Words};
use super::layer::{ConvolutionLayer, MOST_CHANNELS, MatrixLayer, NormActivation, RootMeanSquare};

/// Blocks may lie within blocks so deep.
const DEEPEST: usize = 8;

/// A stack has at most so many blocks.
pub(super) const MOST_BLOCKS: usize = 1000;

#[derive(Debug)]
pub(super) enum Block {
    Ordinary {
        before: NormActivation,
        first: ConvolutionLayer,
        between: NormActivation,
        second: ConvolutionLayer,
    },
    Pooling {
        before: NormActivation,
        regular: ConvolutionLayer,
        pooled: ConvolutionLayer,
        after_pooled: NormActivation,
        to_bias: MatrixLayer,
        between: NormActivation,
        second: ConvolutionLayer,
    },
    Bottleneck {
        before: NormActivation,
        narrow: ConvolutionLayer,
        blocks: Vec<Block>,
        after: NormActivation,
        widen: ConvolutionLayer,
    },
    Attention(AttentionBlock),
    FeedForward {
        norm: RootMeanSquare,
        first: MatrixLayer,
        gate: MatrixLayer,
        second: MatrixLayer,
    },
}

#[derive(Debug)]
pub(super) struct AttentionBlock {
    pub(super) heads: usize,
    /// Several heads may share keys and values.
    pub(super) shared_heads: usize,
    pub(super) query_size: usize,
    pub(super) value_size: usize,
    pub(super) rotation: Option<Rotation>,
    pub(super) norm: RootMeanSquare,
    pub(super) queries: MatrixLayer,
    pub(super) keys: MatrixLayer,
    pub(super) values: MatrixLayer,
    pub(super) out: MatrixLayer,
}

/// How queries and keys are turned by their place on the board.
#[derive(Debug)]
pub(super) enum Rotation {
    /// For each shared head and pair of channels, by how much each column and row turns it.
    Learned(Vec<f32>),
    /// By powers of this number: half of the pairs by rows, the others by columns.
    Fixed(f32),
}

/// Reads a stack of blocks. `place` says where it is.
pub(super) fn read_blocks(
    words: &mut Words<'_>,
    version: u64,
    place: &str,
    count: usize,
    channels: usize,
    depth: usize,
) -> Result<Vec<Block>> {
    if depth == DEEPEST {
        return Err(words.error(KataGoFault::Range {
            what: "the depth of blocks within blocks",
            found: format!("more than {DEEPEST}"),
        }));
    }
    let mut blocks = Vec::new();
    for number in 1..=count {
        let place = match depth {
            0 => format!("block {number} of {count}"),
            _ => format!("{place}, block {number} of {count} within"),
        };
        words.begin(place.clone());
        let kind = words.word()?;
        let name = words.name()?;
        words.begin(format!("{place} ({name})"));
        let reader = Reader {
            words,
            version,
            channels,
        };
        blocks.push(match kind.as_str() {
            "ordinary_block" => reader.ordinary()?,
            "gpool_block" => reader.pooling()?,
            "nested_bottleneck_block" => reader.bottleneck(&place, depth)?,
            "transformer_attention_block" => reader.attention()?,
            "transformer_ffn_block" => reader.feed_forward()?,
            _ => {
                let what = "block";
                return Err(words.error(KataGoFault::Unknown { what, found: kind }));
            }
        });
    }
    Ok(blocks)
}

struct Reader<'a, 'b> {
    words: &'a mut Words<'b>,
    version: u64,
    channels: usize,
}

impl Reader<'_, '_> {
    fn norm(&mut self, channels: usize) -> Result<NormActivation> {
        NormActivation::read(self.words, channels, self.version)
    }

    fn convolution(&mut self, inputs: usize) -> Result<ConvolutionLayer> {
        ConvolutionLayer::read(self.words, inputs)
    }

    /// The last convolution of a block.
    fn last_convolution(&mut self, inputs: usize) -> Result<ConvolutionLayer> {
        let layer = self.convolution(inputs)?;
        let what = "outputs of the last convolution of a block";
        self.words.same(what, layer.outputs, self.channels)?;
        Ok(layer)
    }

    fn ordinary(mut self) -> Result<Block> {
        let before = self.norm(self.channels)?;
        let first = self.convolution(self.channels)?;
        let between = self.norm(first.outputs)?;
        let second = self.last_convolution(first.outputs)?;
        Ok(Block::Ordinary {
            before,
            first,
            between,
            second,
        })
    }

    fn pooling(mut self) -> Result<Block> {
        let before = self.norm(self.channels)?;
        let regular = self.convolution(self.channels)?;
        let pooled = self.convolution(self.channels)?;
        let after_pooled = self.norm(pooled.outputs)?;
        let to_bias = MatrixLayer::read_to(self.words, 3 * pooled.outputs, regular.outputs)?;
        let between = self.norm(regular.outputs)?;
        let second = self.last_convolution(regular.outputs)?;
        Ok(Block::Pooling {
            before,
            regular,
            pooled,
            after_pooled,
            to_bias,
            between,
            second,
        })
    }

    fn bottleneck(mut self, place: &str, depth: usize) -> Result<Block> {
        let count = self.words.count("blocks", MOST_BLOCKS)?;
        let before = self.norm(self.channels)?;
        let narrow = self.convolution(self.channels)?;
        let inner = narrow.outputs;
        let blocks = read_blocks(self.words, self.version, place, count, inner, depth + 1)?;
        self.words.begin(format!("{place}, after its blocks"));
        let after = self.norm(inner)?;
        let widen = self.last_convolution(inner)?;
        Ok(Block::Bottleneck {
            before,
            narrow,
            blocks,
            after,
            widen,
        })
    }

    fn attention(self) -> Result<Block> {
        let Self {
            words, channels, ..
        } = self;
        let heads = words.count("heads", MOST_CHANNELS)?;
        let shared_heads = words.count("heads", MOST_CHANNELS)?;
        let query_size = words.count("channels", MOST_CHANNELS)?;
        let value_size = words.count("channels", MOST_CHANNELS)?;
        let [is_rotated, is_learned] = [words.flag()?, words.flag()?];
        let wrong = |words: &Words<'_>, what| {
            let found = format!("{heads} heads, {shared_heads} of them shared, of {query_size}");
            Err(words.error(KataGoFault::Range { what, found }))
        };
        if heads % shared_heads != 0 {
            return wrong(words, "heads that share keys");
        }
        if is_rotated && query_size % 2 != 0 {
            return wrong(words, "pairs of channels");
        }
        if heads * query_size.max(value_size) > MOST_CHANNELS {
            return wrong(words, "a layer");
        }
        let norm = RootMeanSquare::read(words, channels)?;
        let queries = MatrixLayer::read_to(words, channels, heads * query_size)?;
        let keys = MatrixLayer::read_to(words, channels, shared_heads * query_size)?;
        let values = MatrixLayer::read_to(words, channels, shared_heads * value_size)?;
        let out = MatrixLayer::read_to(words, heads * value_size, channels)?;
        let rotation = match (is_rotated, is_learned) {
            (false, _) => None,
            (true, false) => {
                words.name()?;
                Some(Rotation::Fixed(words.positive("a rotation")?))
            }
            (true, true) => {
                words.name()?;
                let sizes = [
                    ("heads of a rotation", shared_heads),
                    ("pairs of a rotation", query_size / 2),
                    ("directions of a rotation", 2),
                ];
                for (what, wanted) in sizes {
                    let found = words.count("a rotation", MOST_CHANNELS)?;
                    words.same(what, found, wanted)?;
                }
                Some(Rotation::Learned(words.array(shared_heads * query_size)?))
            }
        };
        Ok(Block::Attention(AttentionBlock {
            heads,
            shared_heads,
            query_size,
            value_size,
            rotation,
            norm,
            queries,
            keys,
            values,
            out,
        }))
    }

    fn feed_forward(self) -> Result<Block> {
        let Self {
            words, channels, ..
        } = self;
        let found = words.count("channels", MOST_CHANNELS)?;
        words.same("channels of a block", found, channels)?;
        let inner = words.count("channels", MOST_CHANNELS)?;
        if !words.flag()? {
            return Err(words.error(KataGoFault::Unknown {
                what: "feed-forward block",
                found: "without a gate".to_owned(),
            }));
        }
        let norm = RootMeanSquare::read(words, channels)?;
        let first = MatrixLayer::read_to(words, channels, inner)?;
        let gate = MatrixLayer::read_to(words, channels, inner)?;
        let second = MatrixLayer::read_to(words, inner, channels)?;
        Ok(Block::FeedForward {
            norm,
            first,
            gate,
            second,
        })
    }
}
