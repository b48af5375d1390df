//! The network computed in the plainest way, in double precision: what the fast one must agree with.

use tengen_core::Game;
use tengen_env::tactical;
use tengen_nn::{Net, Output};

/// An array of weights by its name.
fn part(net: &Net, name: &str) -> Vec<f64> {
    let (_, values) = net
        .parts()
        .find(|(part, _)| part.name() == name)
        .unwrap_or_else(|| panic!("no part {name}"));
    values.iter().map(|&value| f64::from(value)).collect()
}

struct Layer {
    width: usize,
    height: usize,
    channels: usize,
    values: Vec<f64>,
}

impl Layer {
    fn at(&self, x: isize, y: isize, channel: usize) -> f64 {
        let inside =
            (0..self.width as isize).contains(&x) && (0..self.height as isize).contains(&y);
        if inside {
            self.values[(y as usize * self.width + x as usize) * self.channels + channel]
        } else {
            0.0
        }
    }

    fn map(&self, channels: usize, value: impl Fn(isize, isize, usize) -> f64) -> Self {
        let mut values = Vec::new();
        for y in 0..self.height as isize {
            for x in 0..self.width as isize {
                values.extend((0..channels).map(|channel| value(x, y, channel)));
            }
        }
        Self {
            channels,
            values,
            ..*self
        }
    }

    fn convolve(&self, weights: &[f64], channels: usize) -> Self {
        self.map(channels, |x, y, out| {
            let mut sum = 0.0;
            for tap in 0..9 {
                let (dx, dy) = (tap as isize % 3 - 1, tap as isize / 3 - 1);
                for channel in 0..self.channels {
                    let weight = weights[(tap * self.channels + channel) * channels + out];
                    sum += weight * self.at(x + dx, y + dy, channel);
                }
            }
            sum
        })
    }

    fn pool(&self) -> Vec<f64> {
        let area = (self.width * self.height) as f64;
        let column = |channel| self.values.iter().skip(channel).step_by(self.channels);
        let means: Vec<f64> = (0..self.channels)
            .map(|channel| column(channel).sum::<f64>() / area)
            .collect();
        let factor = area.sqrt() / 9.0 - 1.0;
        let scaled: Vec<f64> = means.iter().map(|mean| mean * factor).collect();
        let maxima =
            (0..self.channels).map(|channel| column(channel).copied().fold(f64::MIN, f64::max));
        let maxima: Vec<f64> = maxima.collect();
        [means, scaled, maxima].concat()
    }
}

fn times(vector: &[f64], matrix: &[f64], columns: usize) -> Vec<f64> {
    let column = |column| {
        let rows = vector.iter().enumerate();
        rows.map(|(row, value)| value * matrix[row * columns + column])
            .sum()
    };
    (0..columns).map(column).collect()
}

/// What the network says about the player to move.
pub(crate) fn output(net: &Net, game: &Game, globals: &[f32]) -> Output {
    let channels = net.architecture().channels;
    let size = game.size();
    let planes = tactical(game, game.to_move());
    let (width, height) = (usize::from(size.width()), usize::from(size.height()));
    let blank = Layer {
        width,
        height,
        channels: 0,
        values: Vec::new(),
    };
    let input = blank.map(planes.len(), |x, y, plane| {
        let point = tengen_core::Point::new(x as u8, y as u8);
        f64::from(u8::from(planes[plane].contains(point)))
    });
    let globals: Vec<f64> = globals.iter().map(|&value| f64::from(value)).collect();
    let global_bias = times(&globals, &part(net, "stem.globals"), channels);
    let bias = part(net, "stem.bias");
    let convolved = input.convolve(&part(net, "stem.weight"), channels);
    let mut state = convolved.map(channels, |x, y, c| {
        (convolved.at(x, y, c) + bias[c] + global_bias[c]).max(0.0)
    });
    for block in 0..net.architecture().blocks {
        let get = |name: &str| part(net, &format!("blocks.{block}.{name}"));
        let pooled = times(&state.pool(), &get("first.pooled"), channels);
        let convolved = state.convolve(&get("first.weight"), channels);
        let bias = get("first.bias");
        let inner = convolved.map(channels, |x, y, c| {
            (convolved.at(x, y, c) + bias[c] + pooled[c]).max(0.0)
        });
        let convolved = inner.convolve(&get("second.weight"), channels);
        let bias = get("second.bias");
        state = state.map(channels, |x, y, c| {
            (state.at(x, y, c) + convolved.at(x, y, c) + bias[c]).max(0.0)
        });
    }
    let weights = part(net, "head.weight");
    let bias = part(net, "head.bias");
    let head = state.map(64, |x, y, out| {
        let sum: f64 = (0..channels)
            .map(|c| state.at(x, y, c) * weights[c * 64 + out])
            .sum();
        sum + bias[out]
    });
    let summary = head.map(48, |x, y, c| head.at(x, y, c + 16).max(0.0));
    let pooled = summary.pool();
    let policy_bias = times(&pooled, &part(net, "policy.pooled"), 16);
    let policy_weights = part(net, "policy.weight");
    let policy = head.map(1, |x, y, _| {
        (0..16)
            .map(|c| (head.at(x, y, c) + policy_bias[c]).max(0.0) * policy_weights[c])
            .sum()
    });
    let pass = times(&pooled, &part(net, "pass.weight"), 1)[0] + part(net, "pass.bias")[0];
    let ownership_weights = part(net, "ownership.weight");
    let ownership = summary.map(1, |x, y, _| {
        (0..48)
            .map(|c| summary.at(x, y, c) * ownership_weights[c])
            .sum::<f64>()
            .tanh()
    });
    let bias = part(net, "hidden.bias");
    let hidden = times(&pooled, &part(net, "hidden.weight"), 64);
    let hidden: Vec<f64> = hidden
        .iter()
        .zip(bias)
        .map(|(value, bias)| (value + bias).max(0.0))
        .collect();
    let bias = part(net, "value.bias");
    let values = times(&hidden, &part(net, "value.weight"), 4);
    let values: Vec<f64> = values
        .iter()
        .zip(bias)
        .map(|(value, bias)| value + bias)
        .collect();
    let powers: Vec<f64> = values[..3].iter().map(|value| value.exp()).collect();
    let sum: f64 = powers.iter().sum();
    let mut logits: Vec<f32> = policy.values.iter().map(|&value| value as f32).collect();
    logits.push(pass as f32);
    Output {
        policy: logits,
        win_draw_loss: [0, 1, 2].map(|place| (powers[place] / sum) as f32),
        lead: values[3] as f32 * 10.0,
        ownership: ownership.values.iter().map(|&value| value as f32).collect(),
    }
}
