//! A second reader of KataGo's files, for networks that others have made: plain, and trusting.

use std::io::Read as _;

use flate2::read::GzDecoder;

use super::network::{
    Act, Conv, Mat, Metadata, Network, Norm, Part, PolicyHead, Rms, Tip, Turning, ValueHead,
};

impl Network {
    /// The network of a compressed binary file.
    pub(super) fn read(file: &[u8]) -> Self {
        let mut bytes = Vec::new();
        GzDecoder::new(file)
            .read_to_end(&mut bytes)
            .expect("it is compressed");
        let mut reader = Reader {
            bytes: &bytes,
            version: 0,
        };
        reader.network()
    }
}

struct Reader<'a> {
    bytes: &'a [u8],
    version: usize,
}

impl Reader<'_> {
    fn word(&mut self) -> String {
        let begin = self
            .bytes
            .iter()
            .position(|byte| !byte.is_ascii_whitespace());
        let rest = &self.bytes[begin.expect("there is more")..];
        let end = rest
            .iter()
            .position(u8::is_ascii_whitespace)
            .expect("it ends");
        self.bytes = &rest[end..];
        String::from_utf8(rest[..end].to_vec()).expect("it is text")
    }

    fn skip(&mut self, words: usize) {
        for _ in 0..words {
            self.word();
        }
    }

    fn number<T: std::str::FromStr<Err: std::fmt::Debug>>(&mut self) -> T {
        self.word().parse().expect("it is a number")
    }

    fn array(&mut self, count: usize) -> Vec<f32> {
        let begin = self
            .bytes
            .iter()
            .position(|byte| *byte == b'@')
            .expect("it is binary");
        let (array, rest) = self.bytes[begin + 5..].split_at(4 * count);
        self.bytes = rest;
        let numbers = array.chunks_exact(4);
        numbers
            .map(|b| f32::from_le_bytes([b[0], b[1], b[2], b[3]]))
            .collect()
    }

    fn conv(&mut self) -> Conv {
        self.skip(1);
        let [rows, columns, inputs, outputs, down, across] = [(); 6].map(|()| self.number());
        Conv {
            rows,
            columns,
            inputs,
            outputs,
            dilation: [down, across],
            weights: self.array(rows * columns * inputs * outputs),
        }
    }

    fn norm(&mut self) -> Norm {
        self.skip(1);
        let count = self.number();
        let epsilon = self.number();
        let [has_scale, has_bias] = [(); 2].map(|()| self.word() == "1");
        Norm {
            epsilon,
            mean: self.array(count),
            variance: self.array(count),
            scale: has_scale.then(|| self.array(count)),
            bias: has_bias.then(|| self.array(count)),
        }
    }

    fn act(&mut self) -> Act {
        self.skip(1);
        if self.version < 11 {
            return Act::Relu;
        }
        match self.word().as_str() {
            "ACTIVATION_IDENTITY" => Act::Identity,
            "ACTIVATION_RELU" => Act::Relu,
            "ACTIVATION_MISH" => Act::Mish,
            _ => Act::Silu,
        }
    }

    fn mat(&mut self) -> Mat {
        self.skip(1);
        let [inputs, outputs] = [(); 2].map(|()| self.number());
        Mat {
            inputs,
            outputs,
            weights: self.array(inputs * outputs),
        }
    }

    fn bias(&mut self) -> Vec<f32> {
        self.skip(1);
        let count = self.number();
        self.array(count)
    }

    fn rms(&mut self) -> Rms {
        self.skip(1);
        let count = self.number();
        Rms {
            epsilon: self.number(),
            weights: self.array(count),
        }
    }

    fn part(&mut self) -> Part {
        let kind = self.word();
        self.skip(1);
        match kind.as_str() {
            "ordinary_block" => {
                let [first, second] = [(); 2].map(|()| (self.norm(), self.act(), self.conv()));
                Part::Ordinary {
                    norms: [first.0, second.0],
                    acts: [first.1, second.1],
                    convs: [first.2, second.2],
                }
            }
            "gpool_block" => {
                let before = (self.norm(), self.act());
                let [regular, pooled] = [(); 2].map(|()| self.conv());
                let of_pooled = (self.norm(), self.act());
                let to_bias = self.mat();
                let last = (self.norm(), self.act());
                Part::Pooling {
                    norms: [before.0, of_pooled.0, last.0],
                    acts: [before.1, of_pooled.1, last.1],
                    convs: [regular, pooled, self.conv()],
                    to_bias,
                }
            }
            "nested_bottleneck_block" => {
                let count: usize = self.number();
                let first = (self.norm(), self.act(), self.conv());
                let parts = (0..count).map(|_| self.part()).collect();
                let second = (self.norm(), self.act(), self.conv());
                Part::Bottleneck {
                    norms: [first.0, second.0],
                    acts: [first.1, second.1],
                    convs: [first.2, second.2],
                    parts,
                }
            }
            "transformer_attention_block" => {
                let [heads, shared, query, value] = [(); 4].map(|()| self.number());
                let [rotated, learned] = [(); 2].map(|()| self.word() == "1");
                Part::Attention {
                    heads,
                    shared,
                    query,
                    value,
                    rms: self.rms(),
                    mats: [(); 4].map(|()| self.mat()),
                    turning: if !rotated {
                        Turning::None
                    } else if learned {
                        self.skip(4);
                        Turning::Learned(self.array(shared * query))
                    } else {
                        self.skip(1);
                        Turning::Fixed(self.number())
                    },
                }
            }
            "transformer_ffn_block" => {
                self.skip(1);
                let inner = self.number();
                self.skip(1);
                Part::FeedForward {
                    inner,
                    rms: self.rms(),
                    mats: [(); 3].map(|()| self.mat()),
                }
            }
            kind => panic!("there is no {kind}"),
        }
    }

    fn network(&mut self) -> Network {
        self.skip(1);
        let version = self.number();
        self.version = version;
        self.skip(2);
        let multipliers = match version {
            13.. => [(); 7].map(|()| self.number()),
            _ => [20.0, 20.0, 20.0, 20.0, 40.0, 0.25, 30.0],
        };
        let mut has_metadata = false;
        if version >= 15 {
            has_metadata = self.word() != "0";
            self.skip(7);
        }
        self.skip(1);
        let count: usize = self.number();
        let channels = self.number();
        self.skip(4);
        let mut has_rms = false;
        if version >= 15 {
            has_rms = self.word() == "1";
            self.skip(5);
        }
        let stem = self.conv();
        let globals = self.mat();
        let metadata = has_metadata.then(|| {
            self.skip(2);
            let [first, second] = [(); 2].map(|()| (self.mat(), self.bias(), self.act()));
            Metadata {
                mats: [first.0, second.0, self.mat()],
                biases: [first.1, second.1],
                acts: [first.2, second.2],
            }
        });
        let parts = (0..count).map(|_| self.part()).collect();
        let tip = match has_rms {
            false => Tip::Batch(self.norm()),
            true => {
                self.skip(1);
                let count = self.number();
                let epsilon = self.number();
                let spatial = self.word() == "1";
                self.skip(1);
                Tip::Rms {
                    epsilon,
                    spatial,
                    gamma: self.array(count),
                    beta: self.array(count),
                }
            }
        };
        let tip_act = self.act();
        Network {
            version,
            channels,
            multipliers,
            stem,
            globals,
            metadata,
            parts,
            tip,
            tip_act,
            policy: self.policy(),
            value: self.value(),
        }
    }

    fn policy(&mut self) -> PolicyHead {
        self.skip(if self.version >= 17 { 5 } else { 1 });
        let [own, pooled] = [(); 2].map(|()| self.conv());
        let pooled_norm = self.norm();
        let pooled_act = self.act();
        let to_bias = self.mat();
        let norm = self.norm();
        let act = self.act();
        let last = self.conv();
        let pass = self.mat();
        let (mut pass_bias, mut pass_act) = (Vec::new(), act);
        let mut pass_second = Mat {
            inputs: 0,
            outputs: 0,
            weights: Vec::new(),
        };
        if self.version >= 15 {
            pass_bias = self.bias();
            pass_act = self.act();
            pass_second = self.mat();
        }
        PolicyHead {
            own,
            pooled,
            pooled_norm,
            pooled_act,
            to_bias,
            norm,
            act,
            last,
            pass,
            pass_bias,
            pass_act,
            pass_second,
        }
    }

    fn value(&mut self) -> ValueHead {
        self.skip(if self.version >= 17 { 4 } else { 1 });
        ValueHead {
            own: self.conv(),
            norm: self.norm(),
            act: self.act(),
            hidden: self.mat(),
            hidden_bias: self.bias(),
            hidden_act: self.act(),
            outcome: self.mat(),
            outcome_bias: self.bias(),
            score: self.mat(),
            score_bias: self.bias(),
            ownership: self.conv(),
        }
    }
}
