//! How self-play games are set up and played.

use rand_core::Rng;
use serde::{Deserialize, Serialize};
use tengen_core::{Ko, Komi, Repetition, Rules, Scoring, Size, Suicide};

use crate::dice;
use crate::gumbel::{GumbelOptions, Halving, Noise, Values};

/// How self-play games are set up and played.
///
/// The randomisation of the number of visits, of komi and of openings follows Wu, "Accelerating self-play learning in
/// Go" (2019).
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SelfPlay {
    /// Boards to choose from: `size` such as `"9"` or `"9x7"`, `weight` (how often, in relation to the others; 1),
    /// `komi` (its mean; the fair one, as far as that is known), `full_visits` (those of this board, if they are not
    /// those of all).
    pub boards: Vec<BoardChoice>,
    /// Rules to choose from: `rules` such as `"tromp-taylor"` or `"koSIMPLEscoreAREAsui0"`, `weight`. They count area,
    /// and their komi is replaced. By default half of the games have positional superko without suicide, and an eighth
    /// each positional superko with suicide, situational superko without and with that of several stones, and simple
    /// ko.
    pub rules: Vec<RulesChoice>,
    /// How komi varies around the mean of a board.
    pub komi: KomiChoice,
    /// The share of turns that are searched well, with noise, and that are learned from.
    pub full_share: f64,
    /// The simulations of such a search.
    pub full_visits: u32,
    /// The moves that such a search considers.
    pub full_considered: u32,
    /// The simulations of all other searches, which only carry the game on.
    pub fast_visits: u32,
    /// The moves that such a search considers.
    pub fast_considered: u32,
    /// How much values weigh against the policy in a search.
    pub value_scale: f64,
    /// What the score is worth beside winning.
    pub score_weight: f64,
    /// The share of the policy that comes from the priors of the rollouts instead of the network: for boards on which a
    /// network does not know how to begin.
    pub advised_share: f64,
    /// The mean number of moves that the policy alone plays first, as a share of the points of the board. Each game
    /// draws its own from an exponential distribution.
    pub opening_moves: f64,
    /// The temperature at which it draws these: higher is wilder.
    pub opening_temperature: f64,
    /// When a game is given up. The policy alone then plays it to its end, so that there is a result and a count, and
    /// no more of it is learned from.
    pub resignation: Resignation,
    /// A game that has lasted so many times the points of the board is counted as it stands.
    pub max_moves: f64,
    /// Whether a game in which every point is settled for certain is counted at once.
    pub stop_when_decided: bool,
}

/// A board to play on.
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BoardChoice {
    /// Its size, such as `9` or `7x9`.
    #[cfg_attr(test, schemars(with = "String"))]
    pub size: Size,
    /// How often it is taken, in relation to the others.
    #[serde(default = "one")]
    pub weight: f64,
    /// The mean komi; by default the fair one, as far as it is known.
    pub komi: Option<f64>,
    /// The simulations of a search that is learned from; by default those of all boards.
    pub full_visits: Option<u32>,
}

/// What a game is about.
pub(crate) struct Occasion {
    pub(crate) size: Size,
    /// Komi included.
    pub(crate) rules: Rules,
    /// The simulations of a search that is learned from.
    pub(crate) full_visits: u32,
}

impl BoardChoice {
    const NINE: Self = Self {
        size: NINE,
        weight: 1.0,
        komi: None,
        full_visits: None,
    };
}

/// Rules to play by.
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RulesChoice {
    /// The rules, such as `tromp-taylor` or `koSIMPLEscoreAREAsui0`.
    #[cfg_attr(test, schemars(with = "String"))]
    pub rules: Rules,
    /// How often they are taken, in relation to the others.
    #[serde(default = "one")]
    pub weight: f64,
}

const fn one() -> f64 {
    1.0
}

/// How komi varies around the mean of a board.
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct KomiChoice {
    /// Its standard deviation, in points.
    pub spread: f64,
    /// The share of games with a komi far from the mean.
    pub extreme_share: f64,
    /// The standard deviation in these.
    pub extreme_spread: f64,
    /// The share of games with a whole komi, which can be drawn. All others have a half more.
    pub whole_share: f64,
}

/// When a game is given up. It is then played to its end by the policy alone, and no more of it is learned from.
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Resignation {
    /// A winning chance below this is hopeless. At 0 no game is given up.
    pub threshold: f64,
    /// For so many turns in a row, those of both players, it must have been.
    pub turns: u32,
    /// The share of games that are played on nevertheless; the report says how many of them the one without hope did
    /// not lose.
    pub check_share: f64,
}

impl Default for SelfPlay {
    fn default() -> Self {
        let rules = |ko, suicide, weight| RulesChoice {
            rules: Rules {
                ko,
                suicide,
                ..Rules::TROMP_TAYLOR
            },
            weight,
        };
        Self {
            boards: vec![BoardChoice::NINE],
            rules: vec![
                rules(Ko::Positional, Suicide::Forbidden, 4.0),
                rules(Ko::Positional, Suicide::Allowed, 1.0),
                rules(Ko::Situational, Suicide::Forbidden, 1.0),
                rules(Ko::Situational, Suicide::MultiStone, 1.0),
                rules(Ko::Simple, Suicide::Forbidden, 1.0),
            ],
            komi: KomiChoice::default(),
            full_share: 0.25,
            full_visits: 64,
            full_considered: 16,
            fast_visits: 16,
            fast_considered: 8,
            value_scale: 1.0,
            score_weight: 0.05,
            advised_share: 0.0,
            opening_moves: 0.04,
            opening_temperature: 1.0,
            resignation: Resignation::default(),
            max_moves: 2.5,
            stop_when_decided: true,
        }
    }
}

pub(crate) const NINE: Size = match Size::square(9) {
    Ok(size) => size,
    Err(_) => panic!("nine by nine is a board"),
};

impl Default for KomiChoice {
    fn default() -> Self {
        Self {
            spread: 1.5,
            extreme_share: 0.05,
            extreme_spread: 8.0,
            whole_share: 0.3,
        }
    }
}

impl Default for Resignation {
    fn default() -> Self {
        Self {
            threshold: 0.03,
            turns: 6,
            check_share: 0.1,
        }
    }
}

impl SelfPlay {
    /// Says what is wrong with the settings, if anything is.
    pub fn check(&self) -> Result<(), SelfPlayError> {
        let weights = |name, weights: &mut dyn Iterator<Item = f64>| {
            let mut sum = 0.0;
            for weight in weights {
                if !(0.0..=1e9).contains(&weight) {
                    return Err(SelfPlayError::Range(name, 0.0, 1e9));
                }
                sum += weight;
            }
            match sum > 0.0 {
                true => Ok(()),
                false => Err(SelfPlayError::Nothing(name)),
            }
        };
        weights(
            "boards",
            &mut self.boards.iter().map(|choice| choice.weight),
        )?;
        weights("rules", &mut self.rules.iter().map(|choice| choice.weight))?;
        for choice in &self.rules {
            let rules = &choice.rules;
            // Whatever else ends a game, the board says who has won.
            if rules.scoring != Scoring::Area || rules.repetition != Repetition::PLAY_ON {
                return Err(SelfPlayError::Rules(*rules));
            }
        }
        let largest_komi = f64::from(Komi::MAX.halves()) / 2.0;
        let komis = self.boards.iter().filter_map(|choice| choice.komi);
        let komis = komis.map(|komi| ("komi", komi, -largest_komi, largest_komi));
        let ranges = [
            ("komi.spread", self.komi.spread, 0.0, largest_komi),
            ("komi.extreme_share", self.komi.extreme_share, 0.0, 1.0),
            (
                "komi.extreme_spread",
                self.komi.extreme_spread,
                0.0,
                largest_komi,
            ),
            ("komi.whole_share", self.komi.whole_share, 0.0, 1.0),
            ("full_share", self.full_share, 0.0, 1.0),
            ("value_scale", self.value_scale, 0.0, 1e3),
            ("score_weight", self.score_weight, 0.0, 1.0),
            ("advised_share", self.advised_share, 0.0, 1.0),
            ("opening_moves", self.opening_moves, 0.0, 1e3),
            ("opening_temperature", self.opening_temperature, 1e-3, 1e3),
            (
                "resignation.threshold",
                self.resignation.threshold,
                0.0,
                0.5,
            ),
            (
                "resignation.check_share",
                self.resignation.check_share,
                0.0,
                1.0,
            ),
            // A record counts turns in sixteen bits.
            ("max_moves", self.max_moves, 0.0, 100.0),
        ];
        for (name, value, low, high) in ranges.into_iter().chain(komis) {
            if !(low..=high).contains(&value) {
                return Err(SelfPlayError::Range(name, low, high));
            }
        }
        Ok(())
    }

    /// A board and rules for a game.
    pub(crate) fn draw(&self, rng: &mut impl Rng) -> Occasion {
        let board = dice::weighted(rng, self.boards.iter().map(|choice| choice.weight));
        let rules = dice::weighted(rng, self.rules.iter().map(|choice| choice.weight));
        let rules = rules.map_or(Rules::TROMP_TAYLOR, |place| self.rules[place].rules);
        let board = board.map_or(BoardChoice::NINE, |place| self.boards[place]);
        let size = board.size;
        let fair = || f64::from(Komi::fair(size, Scoring::Area).halves()) / 2.0;
        let komi = self.komi.draw(board.komi.unwrap_or_else(fair), size, rng);
        Occasion {
            size,
            rules: rules.with_komi(komi),
            full_visits: board.full_visits.unwrap_or(self.full_visits),
        }
    }

    /// How a turn is searched that is learned from.
    pub(crate) const fn full(&self) -> GumbelOptions {
        GumbelOptions {
            simulations: self.full_visits,
            considered: self.full_considered,
            noise: Noise::Gumbel,
            halving: Halving::Ranked,
            values: Values::AsTheyAre,
            value_visits: 50.0,
            value_scale: self.value_scale,
            score_weight: self.score_weight,
        }
    }

    /// How all others are searched.
    pub(crate) const fn fast(&self) -> GumbelOptions {
        GumbelOptions {
            simulations: self.fast_visits,
            considered: self.fast_considered,
            noise: Noise::Off,
            ..self.full()
        }
    }

    /// The policy alone.
    pub(crate) const fn policy(&self) -> GumbelOptions {
        GumbelOptions {
            simulations: 0,
            noise: Noise::Off,
            ..self.full()
        }
    }
}

impl KomiChoice {
    fn draw(&self, mean: f64, size: Size, rng: &mut impl Rng) -> Komi {
        let spread = match dice::unit(rng) < self.extreme_share {
            true => self.extreme_spread,
            false => self.spread,
        };
        // A komi larger than the board decides the game, whatever is played.
        let most = size.area() as f64 + 0.5;
        let drawn = (mean + spread * dice::normal(rng)).clamp(-most, most);
        let halves = match dice::unit(rng) < self.whole_share {
            true => 2.0 * (drawn + 0.5).floor(),
            false => 2.0 * drawn.floor() + 1.0,
        };
        Komi::from_halves(halves as i16)
    }
}

/// Why settings were refused.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum SelfPlayError {
    /// There is nothing to choose from, or all weights are 0.
    #[error("`{0}` has nothing to choose from")]
    Nothing(&'static str),
    /// The number with this name is not between these two.
    #[error("`{0}` is a number from {1} to {2}")]
    Range(&'static str, f64, f64),
    /// By these rules the board does not say who has won.
    #[error(
        "games cannot be learned from under the rules `{0}`: \
        they must count area, and play on after a repetition"
    )]
    Rules(Rules),
}
