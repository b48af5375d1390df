//! Random numbers of the kinds that self-play needs.

use rand_core::Rng;

use libm::log;

/// A number between 0 and 1 that is neither.
pub(crate) fn unit(rng: &mut impl Rng) -> f64 {
    ((rng.next_u64() >> 12) as f64 + 0.5) / (1_u64 << 52) as f64
}

/// A number below `bound`, which is not 0.
pub(crate) fn below(rng: &mut impl Rng, bound: u64) -> u64 {
    ((u128::from(rng.next_u64()) * u128::from(bound)) >> 64) as u64
}

/// From Gumbel's distribution: the largest of such numbers plus logits is a draw from the softmax of the logits.
pub(crate) fn gumbel(rng: &mut impl Rng) -> f64 {
    -log(-log(unit(rng)))
}

/// From the exponential distribution with this mean.
pub(crate) fn exponential(rng: &mut impl Rng, mean: f64) -> f64 {
    -mean * log(unit(rng))
}

/// From the normal distribution, by Marsaglia's polar method.
pub(crate) fn normal(rng: &mut impl Rng) -> f64 {
    loop {
        let (x, y) = (2.0 * unit(rng) - 1.0, 2.0 * unit(rng) - 1.0);
        let square = x * x + y * y;
        if square < 1.0 && square.is_normal() {
            return x * (-2.0 * log(square) / square).sqrt();
        }
    }
}

/// From the gamma distribution with this shape and a mean equal to it, by the method of Marsaglia and Tsang.
pub(crate) fn gamma(rng: &mut impl Rng, shape: f64) -> f64 {
    if shape < 1.0 {
        return gamma(rng, shape + 1.0) * libm::pow(unit(rng), 1.0 / shape);
    }
    let d = shape - 1.0 / 3.0;
    let c = 1.0 / (9.0 * d).sqrt();
    loop {
        let x = normal(rng);
        let cube = (1.0 + c * x) * (1.0 + c * x) * (1.0 + c * x);
        if cube > 0.0 && log(unit(rng)) < 0.5 * x * x + d - d * cube + d * log(cube) {
            return d * cube;
        }
    }
}

/// The place of one of these weights, each as likely as it is large; `None` if none is above 0.
pub(crate) fn weighted(
    rng: &mut impl Rng,
    weights: impl Iterator<Item = f64> + Clone,
) -> Option<usize> {
    let total: f64 = weights.clone().sum();
    let mut left = unit(rng) * total;
    let mut last = None;
    for (place, weight) in weights.enumerate().filter(|(_, weight)| *weight > 0.0) {
        last = Some(place);
        left -= weight;
        if left < 0.0 {
            break;
        }
    }
    last
}

#[cfg(test)]
mod tests {
    use rand_core::SeedableRng;
    use rand_xoshiro::Xoshiro256PlusPlus;

    use super::*;

    /// Mean and variance of many draws.
    fn moments(mut draw: impl FnMut(&mut Xoshiro256PlusPlus) -> f64) -> (f64, f64) {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
        let draws: Vec<f64> = (0..100_000).map(|_| draw(&mut rng)).collect();
        let mean = draws.iter().sum::<f64>() / 1e5;
        let variance = draws.iter().map(|x| (x - mean) * (x - mean)).sum::<f64>() / 1e5;
        (mean, variance)
    }

    #[test]
    fn distributions_have_their_means_and_variances() {
        let near = |(mean, variance): (f64, f64), expected: (f64, f64)| {
            assert!((mean - expected.0).abs() < 0.03, "mean {mean}");
            assert!(
                (variance / expected.1 - 1.0).abs() < 0.05,
                "variance {variance}"
            );
        };
        near(moments(unit), (0.5, 1.0 / 12.0));
        near(moments(normal), (0.0, 1.0));
        near(moments(|rng| exponential(rng, 2.0)), (2.0, 4.0));
        // Euler's constant and π²/6.
        near(moments(gumbel), (0.577_215_664_9, 1.644_934));
        near(moments(|rng| gamma(rng, 0.3)), (0.3, 0.3));
        near(moments(|rng| gamma(rng, 4.0)), (4.0, 4.0));
        near(moments(|rng| below(rng, 4) as f64), (1.5, 1.25));
        let place = |rng: &mut _| weighted(rng, [1.0, 0.0, 3.0].into_iter()).unwrap() as f64;
        near(moments(place), (1.5, 0.75));
    }

    #[test]
    fn nothing_is_drawn_from_no_weight() {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
        assert_eq!(weighted(&mut rng, [0.0, 0.0].into_iter()), None);
    }
}
