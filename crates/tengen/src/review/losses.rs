//! What moves lost, all in all.

use serde::Serialize;

use super::reviewer::ReviewedMove;

/// What the moves of a player, or of many games, lost, in points.
#[derive(Clone, Debug, Default)]
pub(super) struct Losses {
    lost: Vec<f64>,
}

/// The same in a few numbers.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub(super) struct Summary {
    pub moves: usize,
    pub mean: f64,
    pub median: f64,
    /// How many moves lost more than two points.
    pub over_2: usize,
    pub over_5: usize,
}

impl Losses {
    pub(super) fn add<'a>(&mut self, moves: impl IntoIterator<Item = &'a ReviewedMove>) {
        self.lost.extend(moves.into_iter().map(|moved| moved.lost));
    }

    pub(super) fn summary(&self) -> Summary {
        let mut sorted = self.lost.clone();
        sorted.sort_by(f64::total_cmp);
        let count = sorted.len();
        // Of an even number of losses the mean of the two in the middle.
        let median = match sorted.get(count.saturating_sub(1) / 2..=count / 2) {
            Some(middle) if count > 0 => middle.iter().sum::<f64>() / middle.len() as f64,
            _ => 0.0,
        };
        let over = |points| sorted.iter().filter(|lost| **lost > points).count();
        Summary {
            moves: count,
            mean: sorted.iter().sum::<f64>() / count.max(1) as f64,
            median,
            over_2: over(2.0),
            over_5: over(5.0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Losses, Summary};

    fn summary(lost: &[f64]) -> Summary {
        let lost = lost.to_vec();
        Losses { lost }.summary()
    }

    #[test]
    fn numbers_are_those_of_the_losses() {
        let expected = Summary {
            moves: 4,
            mean: 3.0,
            median: 2.0,
            over_2: 2,
            over_5: 1,
        };
        assert_eq!(summary(&[8.0, 0.0, 1.0, 3.0]), expected);
        assert_eq!(summary(&[2.0, 7.0, 5.0]).median, 5.0);
        assert_eq!(summary(&[2.0, 7.0, 5.0]).over_5, 1);
        assert_eq!(summary(&[4.0]).median, 4.0);
    }

    #[test]
    fn without_moves_nothing_is_lost() {
        let expected = Summary {
            moves: 0,
            mean: 0.0,
            median: 0.0,
            over_2: 0,
            over_5: 0,
        };
        assert_eq!(summary(&[]), expected);
    }
}
