//! The same networks run slowly: plain loops over numbers with 64 bits, written from the description of the format.

use super::network::{Act, Conv, Mat, Network, Norm, Part, Rms, Tip, Turning};

/// Channels of a board, each row by row.
type Board = Vec<Vec<f64>>;

/// What a network should say.
pub(super) struct Said {
    /// The channels of the policy, with that of a pass.
    pub(super) policy: Vec<Vec<f64>>,
    pub(super) win_loss_no_result: [f64; 3],
    pub(super) score_mean: f64,
    pub(super) score_stdev: f64,
    pub(super) lead: f64,
    pub(super) time_variance: f64,
    pub(super) errors: [f64; 2],
    pub(super) ownership: Vec<f64>,
}

pub(super) struct Reference<'a> {
    pub(super) network: &'a Network,
    pub(super) width: usize,
    pub(super) height: usize,
}

fn activate(act: Act, x: f64) -> f64 {
    match act {
        Act::Identity => x,
        Act::Relu => x.max(0.0),
        Act::Mish => x * x.exp().ln_1p().tanh(),
        Act::Silu => x / (1.0 + (-x).exp()),
    }
}

fn normalized(board: &Board, norm: &Norm, act: Act) -> Board {
    let channel = |(number, channel): (usize, &Vec<f64>)| {
        let scale = norm
            .scale
            .as_ref()
            .map_or(1.0, |scale| f64::from(scale[number]));
        let bias = norm
            .bias
            .as_ref()
            .map_or(0.0, |bias| f64::from(bias[number]));
        let variance = f64::from(norm.variance[number]) + f64::from(norm.epsilon);
        let mean = f64::from(norm.mean[number]);
        let of = |x: &f64| activate(act, (x - mean) / variance.sqrt() * scale + bias);
        channel.iter().map(of).collect()
    };
    board.iter().enumerate().map(channel).collect()
}

fn product(mat: &Mat, row: &[f64]) -> Vec<f64> {
    assert_eq!(row.len(), mat.inputs);
    let column = |column: usize| {
        let weights = mat.weights[column..].iter().step_by(mat.outputs);
        row.iter()
            .zip(weights)
            .map(|(x, weight)| x * f64::from(*weight))
            .sum()
    };
    (0..mat.outputs).map(column).collect()
}

fn plus(row: &[f64], bias: &[f32]) -> Vec<f64> {
    row.iter()
        .zip(bias)
        .map(|(x, bias)| x + f64::from(*bias))
        .collect()
}

fn activated(row: &[f64], act: Act) -> Vec<f64> {
    row.iter().map(|x| activate(act, *x)).collect()
}

fn softplus(x: f64) -> f64 {
    x.exp().ln_1p()
}

fn add(board: &mut Board, more: &Board) {
    for (own, more) in board.iter_mut().zip(more) {
        for (own, more) in own.iter_mut().zip(more) {
            *own += more;
        }
    }
}

fn add_row(board: &mut Board, row: &[f64]) {
    for (channel, more) in board.iter_mut().zip(row) {
        for own in channel {
            *own += more;
        }
    }
}

fn add_rows(board: &mut Board, rows: &[Vec<f64>]) {
    for (point, row) in rows.iter().enumerate() {
        for (channel, more) in board.iter_mut().zip(row) {
            channel[point] += more;
        }
    }
}

impl Reference<'_> {
    fn convolved(&self, board: &Board, conv: &Conv) -> Board {
        let mut out = vec![vec![0.0; self.width * self.height]; conv.outputs];
        for y in 0..self.height as isize {
            for x in 0..self.width as isize {
                for row in 0..conv.rows {
                    for column in 0..conv.columns {
                        let down =
                            (row as isize - conv.rows as isize / 2) * conv.dilation[0] as isize;
                        let across = (column as isize - conv.columns as isize / 2)
                            * conv.dilation[1] as isize;
                        let (from_x, from_y) = (x + across, y + down);
                        let inside = (0..self.width as isize).contains(&from_x)
                            && (0..self.height as isize).contains(&from_y);
                        if !inside {
                            continue;
                        }
                        let from = from_y as usize * self.width + from_x as usize;
                        let to = y as usize * self.width + x as usize;
                        for (input, channel) in board.iter().enumerate() {
                            let first = ((row * conv.columns + column) * conv.inputs + input)
                                * conv.outputs;
                            for (output, out) in out.iter_mut().enumerate() {
                                out[to] += channel[from] * f64::from(conv.weights[first + output]);
                            }
                        }
                    }
                }
            }
        }
        out
    }

    fn pooled(&self, board: &Board, is_value: bool) -> Vec<f64> {
        let area = (self.width * self.height) as f64;
        let side = area.sqrt() - 14.0;
        let means: Vec<f64> = board
            .iter()
            .map(|channel| channel.iter().sum::<f64>() / area)
            .collect();
        let scaled = means.iter().map(|mean| mean * side * 0.1);
        let thirds = board
            .iter()
            .zip(&means)
            .map(|(channel, mean)| match is_value {
                true => mean * (side * side * 0.01 - 0.1),
                false => channel.iter().copied().fold(-1.0, f64::max),
            });
        means.iter().copied().chain(scaled).chain(thirds).collect()
    }

    /// The points of a board as rows of channels, normalized by root mean square.
    fn rows(&self, board: &Board, rms: &Rms) -> Vec<Vec<f64>> {
        let row = |point: usize| {
            let row: Vec<f64> = board.iter().map(|channel| channel[point]).collect();
            let mean = row.iter().map(|x| x * x).sum::<f64>() / row.len() as f64;
            let factor = 1.0 / (mean + f64::from(rms.epsilon)).sqrt();
            let both = row.iter().zip(&rms.weights);
            both.map(|(x, weight)| x * factor * f64::from(*weight))
                .collect()
        };
        (0..self.width * self.height).map(row).collect()
    }

    /// Turns pairs of channels of a head by the place of a point.
    fn turned(&self, row: &[f64], point: usize, turning: &Turning, shared: usize) -> Vec<f64> {
        let (x, y) = ((point % self.width) as f64, (point / self.width) as f64);
        let pairs = row.len() / 2;
        let angle = |pair: usize| match turning {
            Turning::None => 0.0,
            Turning::Fixed(base) => {
                let half = pairs / 2;
                let power = 2.0 * (pair % half) as f64 / pairs as f64;
                let speed = f64::from(*base).powf(-power);
                if pair < half { y * speed } else { x * speed }
            }
            Turning::Learned(speeds) => {
                let place = (shared * pairs + pair) * 2;
                x * f64::from(speeds[place]) + y * f64::from(speeds[place + 1])
            }
        };
        if matches!(turning, Turning::None) {
            return row.to_vec();
        }
        let pair = |pair: usize| {
            let (sin, cos) = angle(pair).sin_cos();
            let [a, b] = [row[2 * pair], row[2 * pair + 1]];
            [a * cos - b * sin, a * sin + b * cos]
        };
        (0..pairs).flat_map(pair).collect()
    }

    fn part(&self, part: &Part, board: &mut Board) {
        match part {
            Part::Ordinary { norms, acts, convs } => {
                let inner = self.convolved(&normalized(board, &norms[0], acts[0]), &convs[0]);
                let inner = self.convolved(&normalized(&inner, &norms[1], acts[1]), &convs[1]);
                add(board, &inner);
            }
            Part::Pooling {
                norms,
                acts,
                convs,
                to_bias,
            } => {
                let ready = normalized(board, &norms[0], acts[0]);
                let mut regular = self.convolved(&ready, &convs[0]);
                let pooled = normalized(&self.convolved(&ready, &convs[1]), &norms[1], acts[1]);
                add_row(
                    &mut regular,
                    &product(to_bias, &self.pooled(&pooled, false)),
                );
                let last = self.convolved(&normalized(&regular, &norms[2], acts[2]), &convs[2]);
                add(board, &last);
            }
            Part::Bottleneck {
                norms,
                acts,
                convs,
                parts,
            } => {
                let mut inner = self.convolved(&normalized(board, &norms[0], acts[0]), &convs[0]);
                for part in parts {
                    self.part(part, &mut inner);
                }
                let last = self.convolved(&normalized(&inner, &norms[1], acts[1]), &convs[1]);
                add(board, &last);
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
                let rows = self.rows(board, rms);
                let made = |mat: &Mat| -> Vec<Vec<f64>> {
                    rows.iter().map(|row| product(mat, row)).collect()
                };
                let [queries, keys, values] = [&mats[0], &mats[1], &mats[2]].map(made);
                let mut out = vec![Vec::new(); rows.len()];
                for head in 0..*heads {
                    let of = head * shared / heads;
                    for (point, out) in out.iter_mut().enumerate() {
                        let asked = &queries[point][head * query..][..*query];
                        let asked = self.turned(asked, point, turning, of);
                        let scores: Vec<f64> = (0..rows.len())
                            .map(|other| {
                                let key = &keys[other][of * query..][..*query];
                                let key = self.turned(key, other, turning, of);
                                let sum: f64 = asked.iter().zip(key).map(|(a, b)| a * b).sum();
                                (sum / (*query as f64).sqrt()).exp()
                            })
                            .collect();
                        let all: f64 = scores.iter().sum();
                        for number in 0..*value {
                            let place = of * value + number;
                            let both = scores.iter().zip(&values);
                            out.push(
                                both.map(|(score, row)| score / all * row[place])
                                    .sum::<f64>(),
                            );
                        }
                    }
                }
                let out: Vec<Vec<f64>> = out.iter().map(|row| product(&mats[3], row)).collect();
                add_rows(board, &out);
            }
            Part::FeedForward { rms, mats, .. } => {
                let rows = self.rows(board, rms);
                let made = rows.iter().map(|row| {
                    let first = activated(&product(&mats[0], row), Act::Silu);
                    let gate = product(&mats[1], row);
                    let inner: Vec<f64> = first.iter().zip(gate).map(|(a, b)| a * b).collect();
                    product(&mats[2], &inner)
                });
                let made: Vec<Vec<f64>> = made.collect();
                add_rows(board, &made);
            }
        }
    }

    fn tip(&self, board: &Board) -> Board {
        let act = self.network.tip_act;
        let (epsilon, spatial, gamma, beta) = match &self.network.tip {
            Tip::Batch(norm) => return normalized(board, norm, act),
            Tip::Rms {
                epsilon,
                spatial,
                gamma,
                beta,
            } => (f64::from(*epsilon), *spatial, gamma, beta),
        };
        let area = self.width * self.height;
        let square = |point: usize| {
            board
                .iter()
                .map(|channel| channel[point].powi(2))
                .sum::<f64>()
        };
        let mut out = board.clone();
        for point in 0..area {
            let mean = match spatial {
                true => (0..area).map(square).sum::<f64>() / (area * board.len()) as f64,
                false => square(point) / board.len() as f64,
            };
            for (number, channel) in out.iter_mut().enumerate() {
                let value = channel[point] / (mean + epsilon).sqrt();
                let value = value * f64::from(gamma[number]) + f64::from(beta[number]);
                channel[point] = activate(act, value);
            }
        }
        out
    }

    pub(super) fn run(
        &self,
        planes: &[f32],
        globals: &[f32],
        metadata: &[f32],
        no_result: bool,
    ) -> Said {
        let network = self.network;
        let area = self.width * self.height;
        let wide = |values: &[f32]| -> Vec<f64> { values.iter().map(|x| f64::from(*x)).collect() };
        let planes: Board = planes.chunks_exact(area).map(wide).collect();
        let mut trunk = self.convolved(&planes, &network.stem);
        add_row(&mut trunk, &product(&network.globals, &wide(globals)));
        if let Some(encoder) = &network.metadata {
            let mut row = wide(metadata);
            for number in 0..2 {
                row = plus(
                    &product(&encoder.mats[number], &row),
                    &encoder.biases[number],
                );
                row = activated(&row, encoder.acts[number]);
            }
            add_row(&mut trunk, &product(&encoder.mats[2], &row));
        }
        for part in &network.parts {
            self.part(part, &mut trunk);
        }
        let tip = self.tip(&trunk);
        self.heads(&tip, no_result)
    }

    fn heads(&self, tip: &Board, may_have_no_result: bool) -> Said {
        let Network {
            policy,
            value,
            version,
            multipliers,
            ..
        } = self.network;
        let pooled = normalized(
            &self.convolved(tip, &policy.pooled),
            &policy.pooled_norm,
            policy.pooled_act,
        );
        let pooled = self.pooled(&pooled, false);
        let mut own = self.convolved(tip, &policy.own);
        add_row(&mut own, &product(&policy.to_bias, &pooled));
        let mut logits = self.convolved(&normalized(&own, &policy.norm, policy.act), &policy.last);
        let mut pass = product(&policy.pass, &pooled);
        if *version >= 15 {
            pass = activated(&plus(&pass, &policy.pass_bias), policy.pass_act);
            pass = product(&policy.pass_second, &pass);
        }
        for (logits, pass) in logits.iter_mut().zip(pass) {
            logits.push(pass);
        }

        let own = normalized(&self.convolved(tip, &value.own), &value.norm, value.act);
        let hidden = plus(
            &product(&value.hidden, &self.pooled(&own, true)),
            &value.hidden_bias,
        );
        let hidden = activated(&hidden, value.hidden_act);
        let outcome = plus(&product(&value.outcome, &hidden), &value.outcome_bias);
        let mut chances = [outcome[0].exp(), outcome[1].exp(), outcome[2].exp()];
        if !may_have_no_result {
            chances[2] = 0.0;
        }
        let all: f64 = chances.iter().sum();
        let chances = chances.map(|chance| chance / all);
        let mut score = plus(&product(&value.score, &hidden), &value.score_bias);
        score.resize(6, 0.0);
        let by = multipliers.map(f64::from);
        let mean = score[0] * by[1];
        let stdev = softplus(score[1]) * by[2];
        let result = 1.0 - chances[2];
        let errors = match version {
            14.. => {
                [4, 5].map(|place| (softplus(score[place] / 2.0).powi(2) * by[place + 1]).sqrt())
            }
            10.. => [4, 5].map(|place| (softplus(score[place]) * by[place + 1]).sqrt()),
            _ => [softplus(score[4]), 10.0 * softplus(score[5])],
        };
        let ownership = self.convolved(&own, &value.ownership);
        Said {
            policy: logits,
            win_loss_no_result: chances,
            score_mean: mean * result,
            score_stdev: ((mean * mean + stdev * stdev) * result - (mean * result).powi(2)).sqrt(),
            lead: score[2] * by[3] * result,
            time_variance: softplus(score[3]) * by[4],
            errors,
            ownership: ownership[0].iter().map(|x| x.tanh()).collect(),
        }
    }
}
