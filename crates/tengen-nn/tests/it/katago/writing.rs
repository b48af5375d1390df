//! How networks are written in KataGo's format.

use std::fmt::Write as _;
use std::io::Write as _;

use flate2::Compression;
use flate2::write::GzEncoder;

use super::network::{
    Act, Conv, Mat, Network, Norm, Part, PolicyHead, Rms, Tip, Turning, ValueHead,
};

impl Network {
    /// As a file, without compression.
    pub(super) fn write(&self, binary: bool) -> Vec<u8> {
        let mut file = File {
            bytes: Vec::new(),
            binary,
            names: 0,
            version: self.version,
        };
        file.network(self);
        file.bytes
    }
}

/// As gzip has it.
pub(super) fn compressed(file: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(file).expect("memory takes all");
    encoder.finish().expect("memory takes all")
}

struct File {
    bytes: Vec<u8>,
    binary: bool,
    names: usize,
    version: usize,
}

impl File {
    fn line(&mut self, words: &[&dyn std::fmt::Display]) {
        let mut line = String::new();
        for word in words {
            write!(line, "{word} ").expect("memory takes all");
        }
        self.bytes.extend(line.trim_end().bytes());
        self.bytes.push(b'\n');
    }

    fn name(&mut self) -> String {
        self.names += 1;
        format!("layer{}", self.names)
    }

    fn array(&mut self, values: &[f32]) {
        if self.binary {
            self.bytes.extend(b"@BIN@");
            self.bytes
                .extend(values.iter().flat_map(|value| value.to_le_bytes()));
            self.bytes.push(b'\n');
        } else {
            for value in values {
                self.line(&[value]);
            }
        }
    }

    fn conv(&mut self, conv: &Conv) {
        let name = self.name();
        let [down, across] = conv.dilation;
        self.line(&[
            &name,
            &conv.rows,
            &conv.columns,
            &conv.inputs,
            &conv.outputs,
            &down,
            &across,
        ]);
        self.array(&conv.weights);
    }

    fn norm(&mut self, norm: &Norm) {
        let name = self.name();
        let count = norm.mean.len();
        let [scale, bias] = [&norm.scale, &norm.bias].map(|some| u8::from(some.is_some()));
        self.line(&[&name, &count, &norm.epsilon, &scale, &bias]);
        self.array(&norm.mean);
        self.array(&norm.variance);
        for more in [&norm.scale, &norm.bias].into_iter().flatten() {
            self.array(more);
        }
    }

    fn act(&mut self, act: Act) {
        let name = self.name();
        let kind = match act {
            Act::Identity => "ACTIVATION_IDENTITY",
            Act::Relu => "ACTIVATION_RELU",
            Act::Mish => "ACTIVATION_MISH",
            Act::Silu => "ACTIVATION_SILU",
        };
        match self.version {
            11.. => self.line(&[&name, &kind]),
            _ => self.line(&[&name]),
        }
    }

    fn mat(&mut self, mat: &Mat) {
        let name = self.name();
        self.line(&[&name, &mat.inputs, &mat.outputs]);
        self.array(&mat.weights);
    }

    fn bias(&mut self, bias: &[f32]) {
        let name = self.name();
        self.line(&[&name, &bias.len()]);
        self.array(bias);
    }

    fn rms(&mut self, rms: &Rms) {
        let name = self.name();
        self.line(&[&name, &rms.weights.len(), &rms.epsilon]);
        self.array(&rms.weights);
    }

    fn part(&mut self, part: &Part, channels: usize) {
        let name = self.name();
        match part {
            Part::Ordinary { norms, acts, convs } => {
                self.line(&[&"ordinary_block", &name]);
                for ((norm, act), conv) in norms.iter().zip(acts).zip(convs) {
                    self.norm(norm);
                    self.act(*act);
                    self.conv(conv);
                }
            }
            Part::Pooling {
                norms,
                acts,
                convs,
                to_bias,
            } => {
                self.line(&[&"gpool_block", &name]);
                self.norm(&norms[0]);
                self.act(acts[0]);
                self.conv(&convs[0]);
                self.conv(&convs[1]);
                self.norm(&norms[1]);
                self.act(acts[1]);
                self.mat(to_bias);
                self.norm(&norms[2]);
                self.act(acts[2]);
                self.conv(&convs[2]);
            }
            Part::Bottleneck {
                norms,
                acts,
                convs,
                parts,
            } => {
                self.line(&[&"nested_bottleneck_block", &name, &parts.len()]);
                self.norm(&norms[0]);
                self.act(acts[0]);
                self.conv(&convs[0]);
                for part in parts {
                    self.part(part, convs[0].outputs);
                }
                self.norm(&norms[1]);
                self.act(acts[1]);
                self.conv(&convs[1]);
            }
            Part::Attention {
                heads,
                shared,
                query,
                value,
                turning,
                rms,
                mats,
            } => {
                let rotated = u8::from(!matches!(turning, Turning::None));
                let learned = u8::from(matches!(turning, Turning::Learned(_)));
                self.line(&[&"transformer_attention_block", &name]);
                self.line(&[heads, shared, query, value, &rotated, &learned]);
                self.rms(rms);
                for mat in mats {
                    self.mat(mat);
                }
                let name = self.name();
                match turning {
                    Turning::None => {}
                    Turning::Fixed(base) => self.line(&[&name, base]),
                    Turning::Learned(speeds) => {
                        self.line(&[&name, shared, &(query / 2), &2]);
                        self.array(speeds);
                    }
                }
            }
            Part::FeedForward { inner, rms, mats } => {
                self.line(&[&"transformer_ffn_block", &name, &channels, inner, &1]);
                self.rms(rms);
                for mat in mats {
                    self.mat(mat);
                }
            }
        }
    }

    fn network(&mut self, network: &Network) {
        let version = self.version;
        self.line(&[&"little", &version, &22, &19]);
        if version >= 13 {
            for multiplier in network.multipliers {
                self.line(&[&multiplier]);
            }
        }
        if version >= 15 {
            let has_metadata = u8::from(network.metadata.is_some());
            self.line(&[&has_metadata, &1, &0, &0, &0, &0, &0, &0]);
        }
        self.line(&[
            &"trunk",
            &network.parts.len(),
            &network.channels,
            &8,
            &8,
            &8,
            &8,
        ]);
        if version >= 15 {
            let kind = u8::from(matches!(network.tip, Tip::Rms { .. }));
            self.line(&[&kind, &0, &0, &0, &0, &0]);
        }
        self.conv(&network.stem);
        self.mat(&network.globals);
        if let Some(metadata) = &network.metadata {
            self.line(&[&"metadata", &192]);
            let layers = metadata.mats.iter().zip(&metadata.biases);
            for ((mat, bias), act) in layers.zip(metadata.acts) {
                self.mat(mat);
                self.bias(bias);
                self.act(act);
            }
            self.mat(&metadata.mats[2]);
        }
        for part in &network.parts {
            self.part(part, network.channels);
        }
        match &network.tip {
            Tip::Batch(norm) => self.norm(norm),
            Tip::Rms {
                epsilon,
                spatial,
                gamma,
                beta,
            } => {
                self.line(&[&"tip", &gamma.len(), epsilon, &u8::from(*spatial), &0]);
                self.array(gamma);
                self.array(beta);
            }
        }
        self.act(network.tip_act);
        self.policy(&network.policy);
        self.value(&network.value);
    }

    fn policy(&mut self, head: &PolicyHead) {
        match self.version {
            17.. => self.line(&[&"policy", &2, &0, &0, &0]),
            _ => self.line(&[&"policy"]),
        }
        self.conv(&head.own);
        self.conv(&head.pooled);
        self.norm(&head.pooled_norm);
        self.act(head.pooled_act);
        self.mat(&head.to_bias);
        self.norm(&head.norm);
        self.act(head.act);
        self.conv(&head.last);
        self.mat(&head.pass);
        if self.version >= 15 {
            self.bias(&head.pass_bias);
            self.act(head.pass_act);
            self.mat(&head.pass_second);
        }
    }

    fn value(&mut self, head: &ValueHead) {
        match self.version {
            17.. => self.line(&[&"value", &0, &0, &0]),
            _ => self.line(&[&"value"]),
        }
        self.conv(&head.own);
        self.norm(&head.norm);
        self.act(head.act);
        self.mat(&head.hidden);
        self.bias(&head.hidden_bias);
        self.act(head.hidden_act);
        self.mat(&head.outcome);
        self.bias(&head.outcome_bias);
        self.mat(&head.score);
        self.bias(&head.score_bias);
        self.conv(&head.ownership);
    }
}
