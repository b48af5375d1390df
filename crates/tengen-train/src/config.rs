//! What a training run does, as people write it down.

use std::fmt;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use tengen_core::{Komi, Size};
use tengen_nn::{Architecture, ArchitectureError, Learning};

use crate::records::RecordsOptions;
use crate::schedule::Schedule;
use crate::settings::{SelfPlay, SettingsError};
use crate::teacher::Teacher;
use crate::text;
use crate::window::WindowOptions;

/// A training run. All but the size of the network and the seed may be changed while it is not running.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Config {
    /// The seed of all that is random.
    #[serde(default)]
    pub seed: u64,
    /// The size of the network.
    pub network: Architecture,
    /// The network that a new run begins with: a file, `baseline` or `baseline-large`. Random weights if it is left out.
    pub start: Option<PathBuf>,
    /// Games of a search without a network, to begin with.
    pub teacher: Option<Teacher>,
    /// Games of others to learn from.
    pub records: Option<RecordsOptions>,
    /// How games are played.
    #[serde(default)]
    pub self_play: SelfPlay,
    /// Which games are learned from.
    #[serde(default)]
    pub window: WindowOptions,
    /// How much is played and learned in a generation.
    #[serde(default)]
    pub generation: Generation,
    /// How the network learns.
    #[serde(default)]
    pub learning: Learning,
    /// How the rate of learning changes from step to step.
    #[serde(default)]
    pub schedule: Schedule,
    /// How it is seen whether it does.
    #[serde(default)]
    pub evaluation: Evaluation,
    /// When to end.
    #[serde(default)]
    pub until: Until,
}

/// How much is played and learned between two networks that play.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Generation {
    /// Games to play; none where records alone are learned from.
    pub games: u64,
    /// Steps of learning where records alone are learned from.
    pub steps: u64,
    /// Positions in a step of learning.
    pub batch: usize,
    /// How often a position is learned from, on average, as long as it is new.
    pub reuse: f64,
    /// How much of the value that is learned is what the search thought, and not how the game ended.
    pub search_share: f32,
    /// From which generation on the rate of learning is which; before the first of them it is that of `learning`.
    pub rates: Vec<Rate>,
}

/// A rate of learning from some generation on.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rate {
    /// From this generation on.
    pub from: u64,
    /// This rate.
    pub rate: f32,
}

impl Default for Generation {
    fn default() -> Self {
        Self {
            games: 500,
            steps: 500,
            batch: 128,
            reuse: 6.0,
            search_share: 0.0,
            rates: Vec::new(),
        }
    }
}

impl Config {
    /// How to learn in a step of a generation.
    pub fn learning_at(&self, generation: u64, step: u64) -> Learning {
        let rates = self.generation.rates.iter();
        let begun = rates.filter(|rate| rate.from <= generation);
        let rate = begun
            .max_by_key(|rate| rate.from)
            .map_or(self.learning.rate, |rate| rate.rate);
        Learning {
            rate: (f64::from(rate) * self.schedule.factor(step)) as f32,
            ..self.learning
        }
    }

    /// The share of every batch that comes from records.
    pub(crate) fn records_share(&self) -> f64 {
        self.records.as_ref().map_or(0.0, |records| records.share)
    }

    /// Does the network learn from the games of others alone?
    pub(crate) fn is_without_games(&self) -> bool {
        self.records_share() >= 1.0
    }
}

/// How a run is measured.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Evaluation {
    /// Every so many generations; never if 0.
    pub every: u64,
    /// Games against each opponent.
    pub games: u32,
    /// The network's visits.
    pub visits: u32,
    /// The visits of the search with rollouts that it plays against; 0 leaves it out.
    pub rollout_visits: u32,
    /// How many earlier networks it plays against.
    pub opponents: usize,
    /// The board of these games.
    #[serde(with = "text")]
    pub size: Size,
    /// Their komi; the fair one of the board if it is left out.
    pub komi: Option<f64>,
    /// Boards for which it is asked what komi is fair.
    #[serde(with = "sizes")]
    pub fair_komi: Vec<Size>,
}

impl Evaluation {
    /// The komi of its games, if it names one.
    pub(crate) fn komi(&self) -> Option<Komi> {
        let most = f64::from(Komi::MAX.halves());
        let halves = (2.0 * self.komi?).round().clamp(-most, most);
        Some(Komi::from_halves(halves as i16))
    }
}

impl Default for Evaluation {
    fn default() -> Self {
        Self {
            every: 10,
            games: 40,
            visits: 64,
            rollout_visits: 1000,
            opponents: 1,
            size: crate::settings::NINE,
            komi: None,
            fair_komi: Vec::new(),
        }
    }
}

/// When a run ends. Without any of these, somebody has to end it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Until {
    /// After so many generations.
    pub generations: Option<u64>,
    /// After so many hours, those of earlier starts included.
    pub hours: Option<f64>,
}

/// Sizes as texts.
mod sizes {
    use serde::de::Error;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};
    use tengen_core::Size;

    pub(super) fn serialize<S: Serializer>(sizes: &[Size], to: S) -> Result<S::Ok, S::Error> {
        let texts: Vec<String> = sizes.iter().map(Size::to_string).collect();
        texts.serialize(to)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<Size>, D::Error> {
        let texts = Vec::<String>::deserialize(from)?;
        let parse = |text: String| text.parse().map_err(D::Error::custom);
        texts.into_iter().map(parse).collect()
    }
}

/// Why a run cannot be made.
#[derive(Debug)]
pub enum ConfigError {
    /// The text is not a configuration.
    Text(Box<toml::de::Error>),
    /// There is no network of this size.
    Network(ArchitectureError),
    /// Games cannot be played like this.
    SelfPlay(SettingsError),
    /// The number with this name must be above 0.
    NotPositive(&'static str),
    /// The setting with this name should be something else.
    Records(&'static str, &'static str),
}

impl fmt::Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text(error) => write!(f, "{error}"),
            Self::Network(error) => write!(f, "network: {error}"),
            Self::SelfPlay(error) => write!(f, "self_play: {error}"),
            Self::NotPositive(name) => write!(f, "`{name}` must be above 0"),
            Self::Records(name, wanted) => write!(f, "`{name}` must be {wanted}"),
        }
    }
}

impl std::error::Error for ConfigError {}

impl Config {
    /// The longest side of the boards that games are played on; 0 if none are.
    pub(crate) fn longest_side(&self) -> u8 {
        if self.is_without_games() {
            return 0;
        }
        let sizes = self.self_play.boards.iter().map(|choice| choice.size);
        let sides = sizes.map(|size| size.width().max(size.height()));
        sides.max().unwrap_or(0)
    }

    /// A configuration from its text.
    pub fn parse(text: &str) -> Result<Self, ConfigError> {
        let config: Self =
            toml::from_str(text).map_err(|error| ConfigError::Text(Box::new(error)))?;
        config.network.check().map_err(ConfigError::Network)?;
        config.self_play.check().map_err(ConfigError::SelfPlay)?;
        if let Some(records) = &config.records {
            let wrong = |(name, wanted)| ConfigError::Records(name, wanted);
            records.check().map_err(wrong)?;
        }
        let positive = [
            ("generation.steps", config.generation.steps as f64),
            ("generation.games", config.generation.games as f64),
            ("generation.batch", config.generation.batch as f64),
            ("generation.reuse", config.generation.reuse),
            ("learning.rate", f64::from(config.learning.rate)),
            ("evaluation.games", f64::from(config.evaluation.games)),
        ];
        match positive
            .into_iter()
            .find(|(_, number)| number.is_nan() || *number <= 0.0)
        {
            Some((name, _)) => Err(ConfigError::NotPositive(name)),
            None => Ok(config),
        }
    }
}
