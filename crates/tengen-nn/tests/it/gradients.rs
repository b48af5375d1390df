//! Gradients against differences of the loss, and whether a network learns.

use tengen_core::{Size, Symmetry};
use tengen_nn::{
    Architecture, Example, Inputs, Kernels, Learning, LearningState, LossWeights, Method, Net,
    Target, Trainer,
};

use crate::inference::{fuses, position};

fn example(size: Size, seed: usize) -> Example {
    let game = position(size, 3 + seed % 17, seed);
    let area = size.area();
    let mut policy: Vec<f32> = (0..=area)
        .map(|action| ((action * 37 + seed * 11) % 10) as f32)
        .collect();
    for (number, point) in size.points().iter().enumerate() {
        if !game.legal_moves().contains(point) {
            policy[number] = 0.0;
        }
    }
    policy[area] += 1.0;
    let sum: f32 = policy.iter().sum();
    let symmetries: Vec<Symmetry> = Symmetry::onto_itself(size).collect();
    Example {
        inputs: Inputs::new(&game),
        symmetry: symmetries[seed % symmetries.len()],
        target: Target {
            policy: policy.into_iter().map(|value| value / sum).collect(),
            legal: game.legal_moves(),
            win_draw_loss: [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]][seed % 3],
            lead: (!seed.is_multiple_of(4)).then_some(seed as f32 - 7.0),
            ownership: if seed.is_multiple_of(5) {
                Vec::new()
            } else {
                (0..area)
                    .map(|place| ((place + seed) % 3) as f32 - 1.0)
                    .collect()
            },
        },
    }
}

fn groups() -> Vec<Vec<Example>> {
    [(5, 5), (7, 7), (9, 9), (6, 4)]
        .into_iter()
        .map(|(width, height)| {
            let size = Size::new(width, height).expect("it is a size");
            (0..3)
                .map(|seed| example(size, seed + usize::from(width)))
                .collect()
        })
        .collect()
}

#[test]
fn gradients_are_the_slopes_of_the_loss() {
    for kernels in Kernels::available() {
        let net = Net::random(
            Architecture {
                blocks: 2,
                channels: 16,
            },
            3,
        )
        .expect("it is a size")
        .with_kernels(kernels);
        let groups = groups();
        let weights = LossWeights::default();
        let examples: usize = groups.iter().map(Vec::len).sum();
        let loss = |values: Vec<f32>| {
            let mut trainer = Trainer::new(&net, LearningState::new(values), 1);
            trainer.losses(&groups).total(weights) / examples as f64
        };
        let mut trainer = Trainer::new(&net, LearningState::new(net.weights().to_vec()), 1);
        trainer.losses(&groups);
        let gradient = trainer.gradient().to_vec();
        for (part, _) in net.parts() {
            let range = part.range();
            // Along its own gradient, the slope of the loss in a part of the weights is the length of the gradient.
            let length = gradient[range.clone()]
                .iter()
                .map(|g| f64::from(g * g))
                .sum::<f64>()
                .sqrt();
            assert!(length > 1e-6, "{} does not matter", part.name());
            let slope = |step: f64| {
                let moved = |sign: f64| {
                    let mut values = net.weights().to_vec();
                    for place in range.clone() {
                        values[place] += (sign * step * f64::from(gradient[place]) / length) as f32;
                    }
                    loss(values)
                };
                (moved(1.0) - moved(-1.0)) / (2.0 * step)
            };
            // A long step goes over the kinks of rectifiers and maxima, and of a short one little is left after
            // rounding.
            let slopes = [4e-3, 2e-3, 1e-3, 5e-4].map(slope);
            assert!(
                slopes
                    .iter()
                    .any(|slope| (slope - length).abs() < 0.01 * length + 1e-4),
                "{}: the slopes are {slopes:?} and the gradient {length}",
                part.name()
            );
        }
    }
}

#[test]
fn all_kernels_find_the_same_gradients_on_large_boards_and_on_tiny_ones() {
    let architecture = Architecture {
        blocks: 1,
        channels: 48,
    };
    let net = || Net::random(architecture, 5).expect("it is a size");
    let groups: Vec<Vec<Example>> = [(19, 19), (13, 9), (2, 1), (3, 8)]
        .into_iter()
        .map(|(width, height)| {
            let size = Size::new(width, height).expect("it is a size");
            (0..3).map(|seed| example(size, seed)).collect()
        })
        .collect();
    let gradient = |kernels| {
        let net = net().with_kernels(kernels);
        let mut trainer = Trainer::new(&net, LearningState::new(net.weights().to_vec()), 1);
        // Boards of another size were in the same memory before.
        trainer.losses(&groups[1..]);
        trainer.losses(&groups);
        trainer.gradient().to_vec()
    };
    let portable = gradient(Kernels::PORTABLE);
    for kernels in Kernels::available() {
        let found = gradient(kernels);
        for (part, _) in net().parts() {
            let length = |values: &mut dyn Iterator<Item = f32>| {
                values
                    .map(|value| f64::from(value).powi(2))
                    .sum::<f64>()
                    .sqrt()
            };
            let wanted = &portable[part.range()];
            let pairs = found[part.range()].iter().zip(wanted);
            let difference = length(&mut pairs.map(|(a, b)| a - b));
            assert!(
                difference < 1e-3 * length(&mut wanted.iter().copied()) + 1e-6,
                "{} differs by {difference} with {}",
                part.name(),
                kernels.name()
            );
        }
    }
    // Wider vectors do the same in the same order.
    let vectors = Kernels::available().into_iter();
    let vectors = vectors.filter(|kernels| fuses(*kernels));
    let found: Vec<Vec<f32>> = vectors.map(gradient).collect();
    assert!(found.windows(2).all(|pair| pair[0] == pair[1]));
}

#[test]
fn a_network_learns_its_examples_by_each_method() {
    for method in [Method::Adam, Method::Muon] {
        learns_its_examples(method);
    }
}

fn learns_its_examples(method: Method) {
    let net = Net::random(
        Architecture {
            blocks: 2,
            channels: 32,
        },
        8,
    )
    .expect("it is a size");
    let groups = groups();
    let learning = Learning {
        method,
        rate: 3e-3,
        ..Learning::default()
    };
    let mut trainer = Trainer::new(&net, LearningState::new(net.weights().to_vec()), 1);
    let before = trainer.losses(&groups).mean();
    for _ in 0..150 {
        trainer.step(&groups, &learning);
    }
    let after = trainer.losses(&groups).mean();
    assert!(after.policy < 0.3 * before.policy, "{before:?} {after:?}");
    assert!(after.value < 0.3 * before.value, "{before:?} {after:?}");
    assert!(after.lead < 0.3 * before.lead, "{before:?} {after:?}");
    assert!(
        after.ownership < 0.5 * before.ownership,
        "{before:?} {after:?}"
    );
}

#[test]
fn steps_are_the_same_every_time_and_nearly_the_same_on_two_threads() {
    let net = Net::random(
        Architecture {
            blocks: 2,
            channels: 16,
        },
        8,
    )
    .expect("it is a size");
    let groups = groups();
    for method in [Method::Adam, Method::Muon] {
        let learning = Learning {
            method,
            ..Learning::default()
        };
        let learn = |threads| {
            let start = LearningState::new(net.weights().to_vec());
            let mut trainer = Trainer::new(&net, start, threads);
            for _ in 0..3 {
                trainer.step(&groups, &learning);
            }
            trainer.state().clone()
        };
        let one = learn(1);
        assert_eq!(one, learn(1));
        let two = learn(2);
        assert_eq!(two, learn(2));
        // A step of Adam is about as long for the smallest gradient as for the largest, so only most weights are alike.
        let far = one
            .weights
            .iter()
            .zip(&two.weights)
            .filter(|(a, b)| (*a - *b).abs() > 1e-4)
            .count();
        assert!(far < one.weights.len() / 100, "{far} weights differ");
    }
}

#[test]
fn a_state_goes_on_as_if_nothing_had_happened() {
    let net = Net::random(
        Architecture {
            blocks: 1,
            channels: 16,
        },
        2,
    )
    .expect("it is a size");
    let groups = groups();
    let learning = Learning::default();
    let mut through = Trainer::new(&net, LearningState::new(net.weights().to_vec()), 1);
    for _ in 0..4 {
        through.step(&groups, &learning);
    }
    let mut first = Trainer::new(&net, LearningState::new(net.weights().to_vec()), 1);
    first.step(&groups, &learning);
    first.step(&groups, &learning);
    let mut second = Trainer::new(&net, first.state().clone(), 1);
    second.step(&groups, &learning);
    second.step(&groups, &learning);
    assert_eq!(through.state(), second.state());
}

#[test]
fn what_is_not_known_teaches_nothing() {
    let net = Net::random(
        Architecture {
            blocks: 1,
            channels: 16,
        },
        4,
    )
    .expect("it is a size");
    let size = Size::new(5, 5).expect("it is a size");
    let mut unknown = example(size, 7);
    unknown.target.policy.clear();
    unknown.target.win_draw_loss = [0.0; 3];
    unknown.target.lead = None;
    unknown.target.ownership.clear();
    let gradient = |groups: &[Vec<Example>]| {
        let state = LearningState::new(net.weights().to_vec());
        let mut trainer = Trainer::new(&net, state, 1);
        let losses = trainer.step(groups, &Learning::default());
        (trainer.gradient().to_vec(), losses)
    };
    let (alone, losses) = gradient(&[vec![unknown.clone()]]);
    assert!(alone.iter().all(|slope| *slope == 0.0));
    assert_eq!(
        (
            losses.values,
            losses.leads,
            losses.ownerships,
            losses.policies
        ),
        (0.0, 0.0, 0.0, 0.0)
    );
    // Means are over those that are known.
    let known = example(size, 8);
    let [one, both] =
        [vec![known.clone()], vec![known, unknown]].map(|group| gradient(&[group]).1.mean());
    assert!((one.value - both.value).abs() < 1e-6 && (one.lead - both.lead).abs() < 1e-6);
    assert!((both.values - 0.5).abs() < 1e-9);
}
