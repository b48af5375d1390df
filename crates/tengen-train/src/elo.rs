//! How strong players are, from the results of games between many of them.

/// The results of games between players, who have numbers.
#[derive(Clone, Debug, PartialEq)]
pub struct Results {
    players: usize,
    /// Row by row, the points of each player against each other one.
    points: Vec<f64>,
}

/// A number and the interval that holds the true one 95 times of 100.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// The most likely number.
    pub value: f64,
    /// How far the interval goes either way.
    pub error: f64,
}

/// The strengths that make the results most likely, by the model of Bradley and Terry.
///
/// ```
/// use tengen_train::Results;
/// let mut results = Results::new(2);
/// for game in 0..400 {
///     results.add(0, 1, if game % 4 == 0 { 0.0 } else { 1.0 })?;
/// }
/// let stronger = results.ratings().difference(0, 1)?;
/// assert!((stronger.value - 190.8).abs() < 2.0);
/// # Ok::<(), tengen_train::UnknownPlayer>(())
/// ```
#[derive(Clone, Debug)]
pub struct Ratings {
    players: usize,
    /// Natural units: a difference of one multiplies the odds by e.
    strengths: Vec<f64>,
    covariance: Vec<f64>,
}

/// No player has this number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no player number {0}")]
pub struct UnknownPlayer(pub usize);

/// Each player is taken to have drawn so many games with one of average strength. It keeps ratings finite after nothing
/// but wins, and hardly matters after a few dozen games.
const PRIOR_GAMES: f64 = 0.5;

/// The normal distribution has 95 % within so many standard deviations.
const DEVIATIONS: f64 = 1.959_963_984_540_054;

/// The share of points that goes with a difference in Elo.
pub fn expected_score(elo: f64) -> f64 {
    1.0 / (1.0 + libm::pow(10.0, -elo / 400.0))
}

/// One natural unit in Elo.
fn unit() -> f64 {
    400.0 / std::f64::consts::LN_10
}

impl Results {
    /// No games between so many players.
    pub fn new(players: usize) -> Self {
        Self {
            players,
            points: vec![0.0; players * players],
        }
    }

    /// How many players there are.
    pub const fn players(&self) -> usize {
        self.players
    }

    /// Adds a player, and says which number that is.
    pub fn add_player(&mut self) -> usize {
        let mut wider = Self::new(self.players + 1);
        for first in 0..self.players {
            for second in 0..self.players {
                wider.points[first * wider.players + second] = self.points(first, second);
            }
        }
        *self = wider;
        self.players - 1
    }

    /// Adds a game with the points of the first player: 1, 0, or half for a draw.
    pub fn add(&mut self, first: usize, second: usize, points: f64) -> Result<(), UnknownPlayer> {
        for player in [first, second] {
            if player >= self.players {
                return Err(UnknownPlayer(player));
            }
        }
        let points = points.clamp(0.0, 1.0);
        self.points[first * self.players + second] += points;
        self.points[second * self.players + first] += 1.0 - points;
        Ok(())
    }

    fn points(&self, first: usize, second: usize) -> f64 {
        self.points[first * self.players + second]
    }

    /// The most likely strengths.
    pub fn ratings(&self) -> Ratings {
        let players = self.players;
        let mut strengths = vec![0.0; players];
        // Newton's method on a function with one minimum. Steps are kept short, as the first ones overshoot.
        for _ in 0..200 {
            let (gradient, curvature) = self.slopes(&strengths);
            let step = solve(&curvature, &gradient);
            let longest = step
                .iter()
                .fold(0.0_f64, |longest, by| longest.max(by.abs()));
            let shorten = (1.0 / longest).min(1.0);
            for (strength, by) in strengths.iter_mut().zip(&step) {
                *strength += shorten * by;
            }
            if longest < 1e-10 {
                break;
            }
        }
        let (_, curvature) = self.slopes(&strengths);
        let mut covariance = vec![0.0; players * players];
        for player in 0..players {
            let mut unit = vec![0.0; players];
            unit[player] = 1.0;
            let column = solve(&curvature, &unit);
            covariance[player * players..][..players].copy_from_slice(&column);
        }
        Ratings {
            players,
            strengths,
            covariance,
        }
    }

    /// How the logarithm of the likelihood rises with each strength, and how that rise falls off with each.
    fn slopes(&self, strengths: &[f64]) -> (Vec<f64>, Vec<f64>) {
        let players = self.players;
        let mut gradient = vec![0.0; players];
        let mut curvature = vec![0.0; players * players];
        let share = |difference: f64| 1.0 / (1.0 + libm::exp(-difference));
        for first in 0..players {
            let prior = share(strengths[first]);
            gradient[first] += PRIOR_GAMES * (0.5 - prior);
            curvature[first * players + first] += PRIOR_GAMES * prior * (1.0 - prior);
            for second in (0..players).filter(|second| *second != first) {
                let points = self.points(first, second);
                let games = points + self.points(second, first);
                let expected = share(strengths[first] - strengths[second]);
                gradient[first] += points - games * expected;
                let weight = games * expected * (1.0 - expected);
                curvature[first * players + first] += weight;
                curvature[first * players + second] -= weight;
            }
        }
        (gradient, curvature)
    }
}

/// Games against a player whose strength is fixed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Against {
    /// The strength of that player in Elo.
    pub elo: f64,
    /// The points against that player.
    pub points: f64,
    /// How many games there were.
    pub games: f64,
}

/// The most likely strength of a player on a scale on which those of the others are fixed; `None` without games.
///
/// ```
/// use tengen_train::{Against, rate};
/// let games = [Against { elo: 1000.0, points: 300.0, games: 400.0 }];
/// let found = rate(&games).unwrap();
/// assert!((found.value - 1190.8).abs() < 2.0);
/// ```
pub fn rate(games: &[Against]) -> Option<Estimate> {
    let total: f64 = games.iter().map(|of| of.games).sum();
    if total <= 0.0 {
        return None;
    }
    let mean = games.iter().map(|of| of.games * of.elo).sum::<f64>() / total;
    // The same draws with a player of average strength as where all strengths are sought.
    let prior = Against {
        elo: mean,
        points: PRIOR_GAMES / 2.0,
        games: PRIOR_GAMES,
    };
    let slopes = |strength: f64| {
        let (mut gradient, mut curvature) = (0.0, 0.0);
        for of in games.iter().chain([&prior]) {
            let share = 1.0 / (1.0 + libm::exp(of.elo / unit() - strength));
            gradient += of.points - of.games * share;
            curvature += of.games * share * (1.0 - share);
        }
        (gradient, curvature)
    };
    let mut strength = mean / unit();
    for _ in 0..500 {
        let (gradient, curvature) = slopes(strength);
        let step = (gradient / curvature).clamp(-1.0, 1.0);
        strength += step;
        if step.abs() < 1e-10 {
            break;
        }
    }
    let (_, curvature) = slopes(strength);
    Some(Estimate {
        value: unit() * strength,
        error: unit() * DEVIATIONS / curvature.sqrt(),
    })
}

impl Ratings {
    /// By how many Elo the first player is stronger than the second.
    pub fn difference(&self, first: usize, second: usize) -> Result<Estimate, UnknownPlayer> {
        for player in [first, second] {
            if player >= self.players {
                return Err(UnknownPlayer(player));
            }
        }
        let covariance = |a: usize, b: usize| self.covariance[a * self.players + b];
        let variance =
            covariance(first, first) + covariance(second, second) - 2.0 * covariance(first, second);
        Ok(Estimate {
            value: unit() * (self.strengths[first] - self.strengths[second]),
            error: unit() * DEVIATIONS * variance.max(0.0).sqrt(),
        })
    }

    /// By how many Elo each player is stronger than this one.
    pub fn against(&self, anchor: usize) -> Result<Vec<Estimate>, UnknownPlayer> {
        (0..self.players)
            .map(|player| self.difference(player, anchor))
            .collect()
    }
}

/// Solves a system of linear equations whose matrix is symmetric and positive, by Gauss's elimination.
fn solve(matrix: &[f64], right: &[f64]) -> Vec<f64> {
    let size = right.len();
    let mut rows: Vec<f64> = matrix.to_vec();
    let mut solution = right.to_vec();
    for pivot in 0..size {
        for row in pivot + 1..size {
            let factor = rows[row * size + pivot] / rows[pivot * size + pivot];
            for column in pivot..size {
                rows[row * size + column] -= factor * rows[pivot * size + column];
            }
            solution[row] -= factor * solution[pivot];
        }
    }
    for row in (0..size).rev() {
        let known: f64 = (row + 1..size)
            .map(|column| rows[row * size + column] * solution[column])
            .sum();
        solution[row] = (solution[row] - known) / rows[row * size + row];
    }
    solution
}
