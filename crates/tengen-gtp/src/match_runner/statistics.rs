//! What the results of a match say about the strength of its players.

use serde::Serialize;

/// Won, drawn and lost games of one player.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Tally {
    /// Games won.
    pub wins: u32,
    /// Games drawn, and void ones.
    pub draws: u32,
    /// Games lost.
    pub losses: u32,
}

/// A number and the interval that holds the true one 95 times of 100.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Estimate {
    /// The likeliest value.
    pub value: f64,
    /// The lower end of the interval.
    pub low: f64,
    /// The upper end of the interval.
    pub high: f64,
}

impl Tally {
    /// Adds a game that was worth so many half-points to the player: 0, 1 or 2.
    pub(super) const fn add(&mut self, halves: u32) {
        match halves {
            0 => self.losses += 1,
            1 => self.draws += 1,
            _ => self.wins += 1,
        }
    }

    /// How many games they are.
    pub const fn games(&self) -> u32 {
        self.wins + self.draws + self.losses
    }

    /// The share of the points, a draw being half of one, with Wilson's interval: unlike the plain one it makes sense
    /// after few games and after nothing but wins.
    pub fn score(&self) -> Option<Estimate> {
        if self.games() == 0 {
            return None;
        }
        let games = f64::from(self.games());
        let share = (f64::from(self.wins) + f64::from(self.draws) / 2.0) / games;
        let z2 = Z * Z;
        let center = (share + z2 / (2.0 * games)) / (1.0 + z2 / games);
        let width = Z / (1.0 + z2 / games)
            * (share * (1.0 - share) / games + z2 / (4.0 * games * games)).sqrt();
        Some(Estimate {
            value: share,
            low: (center - width).max(0.0),
            high: (center + width).min(1.0),
        })
    }

    /// The difference in strength. It is infinite after nothing but wins or losses, and then only one end of the
    /// interval is finite.
    pub fn elo(&self) -> Option<Estimate> {
        let score = self.score()?;
        Some(Estimate {
            value: elo(score.value),
            low: elo(score.low),
            high: elo(score.high),
        })
    }
}

/// The normal distribution has 95 % within so many standard deviations.
const Z: f64 = 1.959_963_984_540_054;

/// The difference in Elo that goes with an expected score.
fn elo(score: f64) -> f64 {
    -400.0 * (1.0 / score - 1.0).log10()
}

/// The expected score that goes with a difference in Elo.
fn expected_score(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

/// How many pairs of games with one opening and colours exchanged brought 0, ½, 1, 1½ and 2 points.
///
/// An opening that favours one colour gives each player one of two games. Counting pairs sees that this is no luck, and
/// a test needs fewer games.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Pairs(
    /// One count for each of the five sums.
    pub [u32; 5],
);

impl Pairs {
    /// Adds a pair that was worth so many half-points, 0 to 4.
    pub(super) fn add(&mut self, halves: usize) {
        self.0[halves.min(4)] += 1;
    }
}

/// A sequential probability ratio test of two assumptions about the difference in Elo.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Sprt {
    /// The difference of the first assumption.
    pub elo0: f64,
    /// The difference of the second assumption, which is larger.
    pub elo1: f64,
    /// The probability of each wrong decision.
    pub error: f64,
}

/// What a test has found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum SprtDecision {
    /// The difference is that of the first assumption or less.
    AcceptElo0,
    /// The difference is that of the second assumption or more.
    AcceptElo1,
    /// More games are needed.
    Open,
}

impl Sprt {
    /// The logarithm of the likelihood ratio at which the second assumption is accepted; its negative accepts the
    /// first.
    pub fn bound(&self) -> f64 {
        ((1.0 - self.error) / self.error).ln()
    }

    /// The logarithm of the likelihood ratio of the two assumptions, each with the distribution of results that
    /// explains the pairs best.
    pub fn llr(&self, pairs: &Pairs) -> f64 {
        if pairs.0 == [0; 5] {
            return 0.0;
        }
        // A result that never occurred is possible all the same.
        let counts = pairs.0.map(|count| f64::from(count).max(1e-3));
        let values = [0.0, 0.25, 0.5, 0.75, 1.0];
        llr(
            &counts,
            &values,
            expected_score(self.elo0),
            expected_score(self.elo1),
        )
    }

    /// What the pairs decide.
    pub fn decision(&self, pairs: &Pairs) -> SprtDecision {
        let llr = self.llr(pairs);
        if llr >= self.bound() {
            SprtDecision::AcceptElo1
        } else if llr <= -self.bound() {
            SprtDecision::AcceptElo0
        } else {
            SprtDecision::Open
        }
    }
}

/// The logarithm of the likelihood ratio of the means `mean1` and `mean0` for results that were counted.
fn llr(counts: &[f64], values: &[f64], mean0: f64, mean1: f64) -> f64 {
    let weight0 = tilt(counts, values, mean0);
    let weight1 = tilt(counts, values, mean1);
    let term = |(count, value): (&f64, &f64)| {
        // The likeliest distribution with a mean divides each observed share by 1 + t (value − mean).
        let share0 = 1.0 + weight0 * (value - mean0);
        let share1 = 1.0 + weight1 * (value - mean1);
        count * (share0 / share1).ln()
    };
    counts.iter().zip(values).map(term).sum()
}

/// The number t for which the observed shares, divided by 1 + t (value − mean), have this mean.
fn tilt(counts: &[f64], values: &[f64], mean: f64) -> f64 {
    let least = values.iter().copied().fold(f64::INFINITY, f64::min);
    let most = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    // Between these every divisor is positive, and the excess falls from one end to the other.
    let (mut low, mut high) = (-1.0 / (most - mean), 1.0 / (mean - least));
    let excess = |t: f64| -> f64 {
        let term =
            |(count, value): (&f64, &f64)| count * (value - mean) / (1.0 + t * (value - mean));
        counts.iter().zip(values).map(term).sum()
    };
    for _ in 0..200 {
        let middle = (low + high) / 2.0;
        if excess(middle) > 0.0 {
            low = middle;
        } else {
            high = middle;
        }
    }
    (low + high) / 2.0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(found: f64, expected: f64) {
        assert!(
            (found - expected).abs() < 1e-3 * expected.abs().max(1.0),
            "{found} instead of {expected}"
        );
    }

    #[test]
    fn the_score_has_wilsons_interval() {
        let tally = Tally {
            wins: 90,
            draws: 0,
            losses: 10,
        };
        let score = tally.score().unwrap();
        near(score.value, 0.9);
        near(score.low, 0.82563);
        near(score.high, 0.94477);
        let perfect = Tally {
            wins: 10,
            ..Tally::default()
        };
        let score = perfect.score().unwrap();
        near(score.low, 0.72247);
        near(score.high, 1.0);
        assert_eq!(Tally::default().score(), None);
    }

    #[test]
    fn elo_is_logistic() {
        near(elo(0.5), 0.0);
        near(elo(0.75), 190.848_5);
        near(elo(0.9), 381.697);
        near(expected_score(elo(0.37)), 0.37);
        let drawn = Tally {
            wins: 3,
            draws: 4,
            losses: 3,
        };
        let elo = drawn.elo().unwrap();
        near(elo.value, 0.0);
        near(elo.low, -elo.high);
        let perfect = Tally {
            wins: 10,
            ..Tally::default()
        };
        assert_eq!(perfect.elo().unwrap().value, f64::INFINITY);
        assert!(perfect.elo().unwrap().low.is_finite());
    }

    #[test]
    fn two_results_have_the_ratio_of_the_binomial_distribution() {
        // With wins and losses only, the ratio is that of p1^w q1^l and p0^w q0^l.
        let (wins, losses) = (57.0, 43.0);
        for (mean0, mean1) in [(0.5, 0.55), (0.4, 0.6), (0.5, 0.9)] {
            let expected =
                wins * f64::ln(mean1 / mean0) + losses * f64::ln((1.0 - mean1) / (1.0 - mean0));
            near(llr(&[losses, wins], &[0.0, 1.0], mean0, mean1), expected);
        }
    }

    #[test]
    fn five_results_come_near_the_normal_distribution() {
        // For many pairs and small differences the ratio is n (m1 − m0) (2 m − m0 − m1) / 2 σ².
        let counts: [f64; 5] = [4_000.0, 20_000.0, 51_000.0, 21_000.0, 4_000.0];
        let values: [f64; 5] = [0.0, 0.25, 0.5, 0.75, 1.0];
        let total: f64 = counts.iter().sum();
        let moment = |power: i32| -> f64 {
            let terms = counts
                .iter()
                .zip(values)
                .map(|(count, value)| count * value.powi(power));
            terms.sum::<f64>() / total
        };
        let mean = moment(1);
        let variance = moment(2) - mean * mean;
        let (mean0, mean1) = (0.5, 0.504);
        let expected = total * (mean1 - mean0) * (2.0 * mean - mean0 - mean1) / (2.0 * variance);
        let found = llr(&counts, &values, mean0, mean1);
        assert!(
            (found - expected).abs() < 0.01 * expected.abs(),
            "{found} {expected}"
        );
    }

    #[test]
    fn a_test_ends_when_one_assumption_is_far_likelier() {
        let test = Sprt {
            elo0: 0.0,
            elo1: 50.0,
            error: 0.05,
        };
        near(test.bound(), 2.944_439);
        assert_eq!(test.decision(&Pairs::default()), SprtDecision::Open);
        assert_eq!(test.decision(&Pairs([0, 0, 5, 0, 1])), SprtDecision::Open);
        assert_eq!(
            test.decision(&Pairs([0, 0, 5, 0, 40])),
            SprtDecision::AcceptElo1
        );
        assert_eq!(
            test.decision(&Pairs([40, 0, 5, 0, 0])),
            SprtDecision::AcceptElo0
        );
        // What neither player gains in, both do not.
        assert_eq!(
            test.decision(&Pairs([30, 0, 300, 0, 30])),
            SprtDecision::AcceptElo0
        );
    }
}
