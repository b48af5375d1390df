//! Probabilities from logits.

/// Replaces logits by their probabilities. A logit of minus infinity gets the probability 0.
pub fn softmax<'a>(logits: impl IntoIterator<Item = &'a mut f32>) {
    let mut logits: Vec<&mut f32> = logits.into_iter().collect();
    let most = largest(logits.iter().map(|logit| **logit));
    let mut sum = 0.0;
    for logit in &mut logits {
        **logit = libm::expf(**logit - most);
        sum += **logit;
    }
    for power in logits {
        *power /= sum;
    }
}

/// The logarithm of the sum of the exponentials of logits: what is taken off a logit to get the logarithm of its
/// probability.
pub fn log_sum_exp(logits: impl Iterator<Item = f32> + Clone) -> f32 {
    let most = largest(logits.clone());
    let sum: f32 = logits.map(|logit| libm::expf(logit - most)).sum();
    most + libm::logf(sum)
}

fn largest(logits: impl Iterator<Item = f32>) -> f32 {
    logits.fold(f32::NEG_INFINITY, f32::max)
}

#[cfg(test)]
mod tests {
    use super::{log_sum_exp, softmax};

    #[test]
    fn probabilities_sum_to_one_and_large_logits_do_not_overflow() {
        let mut logits = [1000.0, 1000.0 + 2_f32.ln(), f32::NEG_INFINITY];
        softmax(&mut logits);
        assert!((logits[0] - 1.0 / 3.0).abs() < 1e-4, "{logits:?}");
        assert!((logits[1] - 2.0 / 3.0).abs() < 1e-4, "{logits:?}");
        assert_eq!(logits[2], 0.0);
    }

    #[test]
    fn a_logit_less_the_log_of_the_sum_is_the_log_of_its_probability() {
        let logits = [0.5, -1.5, 3.0];
        let mut probabilities = logits;
        softmax(&mut probabilities);
        let sum = log_sum_exp(logits.into_iter());
        for (logit, probability) in logits.iter().zip(probabilities) {
            assert!((logit - sum - probability.ln()).abs() < 1e-6);
        }
    }
}
