//! Little networks that tests make themselves.

/// Random numbers, the same everywhere.
pub(super) struct Numbers(u64);

impl Numbers {
    pub(super) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(2) + 1)
    }

    /// Between -1 and 1.
    pub(super) fn next(&mut self) -> f32 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 40) as f32 / 8_388_608.0 - 1.0
    }

    fn many(&mut self, count: usize, spread: f32) -> Vec<f32> {
        (0..count).map(|_| spread * self.next()).collect()
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Act {
    Identity,
    Relu,
    Mish,
    Silu,
}

pub(super) struct Conv {
    pub(super) rows: usize,
    pub(super) columns: usize,
    pub(super) inputs: usize,
    pub(super) outputs: usize,
    pub(super) dilation: [usize; 2],
    pub(super) weights: Vec<f32>,
}

impl Conv {
    pub(super) fn new(numbers: &mut Numbers, side: usize, inputs: usize, outputs: usize) -> Self {
        let count = side * side * inputs;
        Self {
            rows: side,
            columns: side,
            inputs,
            outputs,
            dilation: [1, 1],
            weights: numbers.many(count * outputs, 1.6 / (count as f32).sqrt()),
        }
    }
}

pub(super) struct Norm {
    pub(super) epsilon: f32,
    pub(super) mean: Vec<f32>,
    pub(super) variance: Vec<f32>,
    pub(super) scale: Option<Vec<f32>>,
    pub(super) bias: Option<Vec<f32>>,
}

impl Norm {
    /// One that has factors and summands, or not.
    pub(super) fn new(numbers: &mut Numbers, channels: usize, has: [bool; 2]) -> Self {
        let positive = |values: Vec<f32>| values.into_iter().map(|value| value + 1.2).collect();
        Self {
            epsilon: 0.001,
            mean: numbers.many(channels, 0.3),
            variance: positive(numbers.many(channels, 1.0)),
            scale: has[0].then(|| numbers.many(channels, 1.5)),
            bias: has[1].then(|| numbers.many(channels, 0.5)),
        }
    }
}

pub(super) struct Mat {
    pub(super) inputs: usize,
    pub(super) outputs: usize,
    pub(super) weights: Vec<f32>,
}

impl Mat {
    pub(super) fn new(numbers: &mut Numbers, inputs: usize, outputs: usize) -> Self {
        let spread = 1.6 / (inputs as f32).sqrt();
        Self {
            inputs,
            outputs,
            weights: numbers.many(inputs * outputs, spread),
        }
    }
}

pub(super) struct Rms {
    pub(super) epsilon: f32,
    pub(super) weights: Vec<f32>,
}

impl Rms {
    fn new(numbers: &mut Numbers, channels: usize) -> Self {
        let weights = numbers.many(channels, 0.5).into_iter();
        Self {
            epsilon: 1e-6,
            weights: weights.map(|weight| weight + 1.0).collect(),
        }
    }
}

pub(super) enum Turning {
    None,
    Fixed(f32),
    Learned(Vec<f32>),
}

pub(super) enum Part {
    Ordinary {
        norms: [Norm; 2],
        acts: [Act; 2],
        convs: [Conv; 2],
    },
    Pooling {
        /// Before all, of what is pooled, and before the last.
        norms: [Norm; 3],
        acts: [Act; 3],
        /// Regular, pooled, last.
        convs: [Conv; 3],
        to_bias: Mat,
    },
    Bottleneck {
        norms: [Norm; 2],
        acts: [Act; 2],
        convs: [Conv; 2],
        parts: Vec<Part>,
    },
    Attention {
        heads: usize,
        shared: usize,
        query: usize,
        value: usize,
        turning: Turning,
        rms: Rms,
        /// Queries, keys, values, out.
        mats: [Mat; 4],
    },
    FeedForward {
        inner: usize,
        rms: Rms,
        /// First, gate, second.
        mats: [Mat; 3],
    },
}

pub(super) enum Tip {
    Batch(Norm),
    Rms {
        epsilon: f32,
        spatial: bool,
        gamma: Vec<f32>,
        beta: Vec<f32>,
    },
}

pub(super) struct Metadata {
    pub(super) mats: [Mat; 3],
    pub(super) biases: [Vec<f32>; 2],
    pub(super) acts: [Act; 2],
}

/// A whole network.
pub(super) struct Network {
    pub(super) version: usize,
    pub(super) channels: usize,
    pub(super) multipliers: [f32; 7],
    pub(super) stem: Conv,
    pub(super) globals: Mat,
    pub(super) metadata: Option<Metadata>,
    pub(super) parts: Vec<Part>,
    pub(super) tip: Tip,
    pub(super) tip_act: Act,
    pub(super) policy: PolicyHead,
    pub(super) value: ValueHead,
}

pub(super) struct PolicyHead {
    pub(super) own: Conv,
    pub(super) pooled: Conv,
    pub(super) pooled_norm: Norm,
    pub(super) pooled_act: Act,
    pub(super) to_bias: Mat,
    pub(super) norm: Norm,
    pub(super) act: Act,
    pub(super) last: Conv,
    pub(super) pass: Mat,
    /// Since version 15.
    pub(super) pass_bias: Vec<f32>,
    pub(super) pass_act: Act,
    pub(super) pass_second: Mat,
}

pub(super) struct ValueHead {
    pub(super) own: Conv,
    pub(super) norm: Norm,
    pub(super) act: Act,
    pub(super) hidden: Mat,
    pub(super) hidden_bias: Vec<f32>,
    pub(super) hidden_act: Act,
    pub(super) outcome: Mat,
    pub(super) outcome_bias: Vec<f32>,
    pub(super) score: Mat,
    pub(super) score_bias: Vec<f32>,
    pub(super) ownership: Conv,
}

/// The blocks that a network may have.
#[derive(Clone, Copy, Debug)]
pub(super) enum Kind {
    Ordinary,
    Pooling,
    /// With an ordinary and a pooling block within.
    Bottleneck,
    /// With a bottleneck within.
    Nested,
    AttentionFixed,
    AttentionLearned,
    AttentionPlain,
    FeedForward,
}

pub(super) fn part(numbers: &mut Numbers, kind: Kind, act: Act, channels: usize) -> Part {
    let middle = channels - 3;
    let n = numbers;
    match kind {
        Kind::Ordinary => Part::Ordinary {
            norms: [
                Norm::new(n, channels, [false, true]),
                Norm::new(n, middle, [true, true]),
            ],
            acts: [act; 2],
            convs: [
                Conv::new(n, 3, channels, middle),
                Conv::new(n, 3, middle, channels),
            ],
        },
        Kind::Pooling => {
            let (regular, pooled) = (middle, 5);
            Part::Pooling {
                norms: [
                    Norm::new(n, channels, [false, true]),
                    Norm::new(n, pooled, [true, false]),
                    Norm::new(n, regular, [true, true]),
                ],
                acts: [act; 3],
                convs: [
                    Conv::new(n, 3, channels, regular),
                    Conv::new(n, 3, channels, pooled),
                    Conv::new(n, 3, regular, channels),
                ],
                to_bias: Mat::new(n, 3 * pooled, regular),
            }
        }
        Kind::Bottleneck | Kind::Nested => {
            let inner = channels / 2 + 1;
            let kinds: &[Kind] = match kind {
                Kind::Bottleneck => &[Kind::Ordinary, Kind::Pooling],
                _ => &[Kind::Bottleneck, Kind::Ordinary],
            };
            Part::Bottleneck {
                norms: [
                    Norm::new(n, channels, [false, true]),
                    Norm::new(n, inner, [true, true]),
                ],
                acts: [act; 2],
                convs: [
                    Conv::new(n, 1, channels, inner),
                    Conv::new(n, 1, inner, channels),
                ],
                parts: kinds
                    .iter()
                    .map(|kind| part(n, *kind, act, inner))
                    .collect(),
            }
        }
        Kind::AttentionFixed | Kind::AttentionLearned | Kind::AttentionPlain => {
            let (heads, shared, query, value) = match kind {
                Kind::AttentionFixed => (3, 3, 8, 8),
                Kind::AttentionLearned => (6, 3, 6, 4),
                _ => (4, 2, 5, 17),
            };
            Part::Attention {
                heads,
                shared,
                query,
                value,
                turning: match kind {
                    Kind::AttentionFixed => Turning::Fixed(100.0),
                    Kind::AttentionLearned => Turning::Learned(n.many(shared * query, 0.7)),
                    _ => Turning::None,
                },
                rms: Rms::new(n, channels),
                mats: [
                    Mat::new(n, channels, heads * query),
                    Mat::new(n, channels, shared * query),
                    Mat::new(n, channels, shared * value),
                    Mat::new(n, heads * value, channels),
                ],
            }
        }
        Kind::FeedForward => {
            let inner = 2 * channels + 1;
            Part::FeedForward {
                inner,
                rms: Rms::new(n, channels),
                mats: [
                    Mat::new(n, channels, inner),
                    Mat::new(n, channels, inner),
                    Mat::new(n, inner, channels),
                ],
            }
        }
    }
}

/// What a test wants of a network.
#[derive(Clone, Copy, Debug)]
pub(super) struct Wish<'a> {
    pub(super) version: usize,
    pub(super) kinds: &'a [Kind],
    pub(super) act: Act,
    pub(super) channels: usize,
    pub(super) has_metadata: bool,
    /// With a normalization by root mean square at the tip, over the points of the board or not.
    pub(super) rms_tip: Option<bool>,
}

impl Network {
    pub(super) fn new(wish: Wish<'_>) -> Self {
        let Wish {
            version,
            act,
            channels,
            ..
        } = wish;
        let n = &mut Numbers::new(version as u64 + 1000 * channels as u64);
        let act = if version < 11 { Act::Relu } else { act };
        let policies = match version {
            ..12 => 1,
            12..16 => 2,
            16 => 4,
            _ => 2,
        };
        let scores = if version < 9 { 4 } else { 6 };
        let (own, pooled, hidden) = (7, 6, 10);
        let pass_outputs = if version < 15 { policies } else { own };
        let mut dilated = Conv::new(n, 3, 22, channels);
        dilated.dilation = [2, 1];
        let policy = PolicyHead {
            own: Conv::new(n, 1, channels, own),
            pooled: Conv::new(n, 1, channels, pooled),
            pooled_norm: Norm::new(n, pooled, [false, true]),
            pooled_act: act,
            to_bias: Mat::new(n, 3 * pooled, own),
            norm: Norm::new(n, own, [true, true]),
            act,
            last: Conv::new(n, 1, own, policies),
            pass: Mat::new(n, 3 * pooled, pass_outputs),
            pass_bias: n.many(own, 0.5),
            pass_act: act,
            pass_second: Mat::new(n, own, policies),
        };
        let value = ValueHead {
            own: Conv::new(n, 1, channels, own),
            norm: Norm::new(n, own, [false, true]),
            act,
            hidden: Mat::new(n, 3 * own, hidden),
            hidden_bias: n.many(hidden, 0.5),
            hidden_act: act,
            outcome: Mat::new(n, hidden, 3),
            outcome_bias: n.many(3, 0.5),
            score: Mat::new(n, hidden, scores),
            score_bias: n.many(scores, 0.5),
            ownership: Conv::new(n, 1, own, 1),
        };
        Self {
            version,
            channels,
            multipliers: match version {
                13.. => [20.0, 15.0, 17.0, 18.0, 30.0, 0.3, 25.0],
                _ => [20.0, 20.0, 20.0, 20.0, 40.0, 0.25, 30.0],
            },
            stem: match version % 3 {
                0 => dilated,
                1 => Conv::new(n, 3, 22, channels),
                _ => Conv::new(n, 5, 22, channels),
            },
            globals: Mat::new(n, 19, channels),
            metadata: wish.has_metadata.then(|| Metadata {
                mats: [
                    Mat::new(n, 192, 21),
                    Mat::new(n, 21, 20),
                    Mat::new(n, 20, channels),
                ],
                biases: [n.many(21, 0.5), n.many(20, 0.5)],
                acts: [act; 2],
            }),
            parts: wish
                .kinds
                .iter()
                .map(|kind| part(n, *kind, act, channels))
                .collect(),
            tip: match wish.rms_tip {
                None => Tip::Batch(Norm::new(n, channels, [true, true])),
                Some(spatial) => Tip::Rms {
                    epsilon: 1e-5,
                    spatial,
                    gamma: n.many(channels, 1.5),
                    beta: n.many(channels, 0.5),
                },
            },
            tip_act: act,
            policy,
            value,
        }
    }
}
