//! A network as its file describes it: header, trunk and heads.

use super::block::{Block, MOST_BLOCKS, read_blocks};
use super::file::{KataGoFault, Result, Words};
use super::layer::{
    ConvolutionLayer, MOST_CHANNELS, MatrixLayer, NormActivation, NormLayer, TipNorm,
    read_activation, read_bias,
};
use super::{GLOBALS, METADATA, PLANES};
use crate::kernels::Activation;

/// The versions that can be read.
pub(super) const VERSIONS: std::ops::RangeInclusive<u64> = 8..=17;

/// By what the numbers of the value head are multiplied.
#[derive(Clone, Copy, Debug)]
pub(super) struct Multipliers {
    pub(super) score_mean: f32,
    pub(super) score_stdev: f32,
    pub(super) lead: f32,
    pub(super) time_variance: f32,
    pub(super) value_error: f32,
    pub(super) score_error: f32,
}

/// Those of networks whose files do not say them.
impl Default for Multipliers {
    fn default() -> Self {
        Self {
            score_mean: 20.0,
            score_stdev: 20.0,
            lead: 20.0,
            time_variance: 40.0,
            value_error: 0.25,
            score_error: 30.0,
        }
    }
}

#[derive(Debug)]
pub(super) struct Header {
    pub(super) name: String,
    pub(super) version: u64,
    pub(super) multipliers: Multipliers,
    pub(super) has_metadata: bool,
    /// Stones live for good as if suicide were legal, whatever the rules.
    pub(super) suicide_for_life: bool,
}

impl Header {
    pub(super) fn read(words: &mut Words<'_>) -> Result<Self> {
        let name = words.word()?;
        let version = words.whole()?;
        if !VERSIONS.contains(&version) {
            return Err(words.error(KataGoFault::Version(version)));
        }
        let planes = words.count("planes", MOST_CHANNELS)?;
        words.same("planes", planes, PLANES)?;
        let globals = words.count("global numbers", MOST_CHANNELS)?;
        words.same("global numbers", globals, GLOBALS)?;
        let mut multipliers = Multipliers::default();
        if version >= 13 {
            // That of scores of later turns, which only training has.
            words.positive("a multiplier")?;
            multipliers = Multipliers {
                score_mean: words.positive("a multiplier")?,
                score_stdev: words.positive("a multiplier")?,
                lead: words.positive("a multiplier")?,
                time_variance: words.positive("a multiplier")?,
                value_error: words.positive("a multiplier")?,
                score_error: words.positive("a multiplier")?,
            };
        }
        let [mut has_metadata, mut suicide_for_life] = [false; 2];
        if version >= 15 {
            has_metadata = words.flag()?;
            suicide_for_life = words.flag()?;
            words.unused(6)?;
        }
        Ok(Self {
            name,
            version,
            multipliers,
            has_metadata,
            suicide_for_life,
        })
    }
}

/// What is made of who plays: a small network of its own.
#[derive(Debug)]
pub(super) struct MetadataLayers {
    pub(super) first: MatrixLayer,
    pub(super) first_bias: Vec<f32>,
    pub(super) first_activation: Activation,
    pub(super) second: MatrixLayer,
    pub(super) second_bias: Vec<f32>,
    pub(super) second_activation: Activation,
    pub(super) third: MatrixLayer,
}

impl MetadataLayers {
    fn read(words: &mut Words<'_>, version: u64, channels: usize) -> Result<Self> {
        words.begin("the encoder of metadata".to_owned());
        words.name()?;
        let found = words.count("inputs", MOST_CHANNELS)?;
        words.same("inputs", found, METADATA)?;
        let first = MatrixLayer::read(words, METADATA)?;
        let first_bias = read_bias(words, first.outputs)?;
        let first_activation = read_activation(words, version)?;
        let second = MatrixLayer::read(words, first.outputs)?;
        let second_bias = read_bias(words, second.outputs)?;
        let second_activation = read_activation(words, version)?;
        let third = MatrixLayer::read_to(words, second.outputs, channels)?;
        Ok(Self {
            first,
            first_bias,
            first_activation,
            second,
            second_bias,
            second_activation,
            third,
        })
    }
}

#[derive(Debug)]
pub(super) struct TrunkLayers {
    pub(super) channels: usize,
    pub(super) stem: ConvolutionLayer,
    pub(super) globals: MatrixLayer,
    pub(super) metadata: Option<MetadataLayers>,
    pub(super) blocks: Vec<Block>,
    pub(super) tip: TipNorm,
    pub(super) tip_activation: Activation,
}

impl TrunkLayers {
    pub(super) fn read(words: &mut Words<'_>, header: &Header) -> Result<Self> {
        let version = header.version;
        words.begin("the trunk".to_owned());
        words.name()?;
        let count = words.count("blocks", MOST_BLOCKS)?;
        let channels = words.count("channels", MOST_CHANNELS)?;
        // Of the middle of blocks, as their layers say too; one of them is not used.
        for _ in 0..4 {
            words.whole()?;
        }
        let mut by_root_mean_square = false;
        if version >= 15 {
            by_root_mean_square = words.flag()?;
            words.unused(5)?;
        }
        let stem = ConvolutionLayer::read(words, PLANES)?;
        words.same("outputs of the first convolution", stem.outputs, channels)?;
        let globals = MatrixLayer::read_to(words, GLOBALS, channels)?;
        let metadata = match header.has_metadata {
            true => Some(MetadataLayers::read(words, version, channels)?),
            false => None,
        };
        let blocks = read_blocks(words, version, "", count, channels, 0)?;
        words.begin("the end of the trunk".to_owned());
        let tip = match by_root_mean_square {
            true => TipNorm::read_root_mean_square(words, channels)?,
            false => TipNorm::Batch(NormLayer::read(words, channels)?),
        };
        let tip_activation = read_activation(words, version)?;
        Ok(Self {
            channels,
            stem,
            globals,
            metadata,
            blocks,
            tip,
            tip_activation,
        })
    }
}

#[derive(Debug)]
pub(super) struct PolicyLayers {
    pub(super) own: ConvolutionLayer,
    pub(super) pooled: ConvolutionLayer,
    pub(super) after_pooled: NormActivation,
    pub(super) to_bias: MatrixLayer,
    pub(super) between: NormActivation,
    pub(super) last: ConvolutionLayer,
    pub(super) pass: MatrixLayer,
    pub(super) pass_more: Option<PassLayers>,
}

/// What comes after the first matrix of a pass since version 15.
#[derive(Debug)]
pub(super) struct PassLayers {
    pub(super) bias: Vec<f32>,
    pub(super) activation: Activation,
    pub(super) second: MatrixLayer,
}

impl PolicyLayers {
    pub(super) fn read(words: &mut Words<'_>, version: u64, channels: usize) -> Result<Self> {
        words.begin("the policy head".to_owned());
        words.name()?;
        let count = match version {
            ..12 => 1,
            12..16 => 2,
            16 => 4,
            _ => match words.whole()? {
                2 => 2,
                4 => 4,
                found => {
                    return Err(words.error(KataGoFault::Range {
                        what: "the channels of a policy",
                        found: found.to_string(),
                    }));
                }
            },
        };
        if version >= 17 {
            words.unused(3)?;
        }
        let own = ConvolutionLayer::read(words, channels)?;
        let pooled = ConvolutionLayer::read(words, channels)?;
        let after_pooled = NormActivation::read(words, pooled.outputs, version)?;
        let to_bias = MatrixLayer::read_to(words, 3 * pooled.outputs, own.outputs)?;
        let between = NormActivation::read(words, own.outputs, version)?;
        let last = ConvolutionLayer::read(words, own.outputs)?;
        words.same("channels of a policy", last.outputs, count)?;
        let pass = MatrixLayer::read(words, 3 * pooled.outputs)?;
        let pass_more = match version {
            15.. => {
                let bias = read_bias(words, pass.outputs)?;
                let activation = read_activation(words, version)?;
                let second = MatrixLayer::read_to(words, pass.outputs, count)?;
                Some(PassLayers {
                    bias,
                    activation,
                    second,
                })
            }
            _ => {
                words.same("outputs for a pass", pass.outputs, count)?;
                None
            }
        };
        Ok(Self {
            own,
            pooled,
            after_pooled,
            to_bias,
            between,
            last,
            pass,
            pass_more,
        })
    }
}

#[derive(Debug)]
pub(super) struct ValueLayers {
    pub(super) own: ConvolutionLayer,
    pub(super) after: NormActivation,
    pub(super) hidden: MatrixLayer,
    pub(super) hidden_bias: Vec<f32>,
    pub(super) hidden_activation: Activation,
    pub(super) outcome: MatrixLayer,
    pub(super) outcome_bias: Vec<f32>,
    pub(super) score: MatrixLayer,
    pub(super) score_bias: Vec<f32>,
    pub(super) ownership: ConvolutionLayer,
}

impl ValueLayers {
    pub(super) fn read(words: &mut Words<'_>, version: u64, channels: usize) -> Result<Self> {
        words.begin("the value head".to_owned());
        words.name()?;
        if version >= 17 {
            words.unused(3)?;
        }
        let own = ConvolutionLayer::read(words, channels)?;
        let after = NormActivation::read(words, own.outputs, version)?;
        let hidden = MatrixLayer::read(words, 3 * own.outputs)?;
        let hidden_bias = read_bias(words, hidden.outputs)?;
        let hidden_activation = read_activation(words, version)?;
        let outcome = MatrixLayer::read_to(words, hidden.outputs, 3)?;
        let outcome_bias = read_bias(words, 3)?;
        let scores = if version >= 9 { 6 } else { 4 };
        let score = MatrixLayer::read_to(words, hidden.outputs, scores)?;
        let score_bias = read_bias(words, scores)?;
        let ownership = ConvolutionLayer::read(words, own.outputs)?;
        words.same("channels of ownership", ownership.outputs, 1)?;
        Ok(Self {
            own,
            after,
            hidden,
            hidden_bias,
            hidden_activation,
            outcome,
            outcome_bias,
            score,
            score_bias,
            ownership,
        })
    }
}
