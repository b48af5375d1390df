//! What a training run does, as people write it down.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use tengen_core::{Komi, Size};
use tengen_nn::{Architecture, ArchitectureError, Learning};

use crate::records::RecordsOptions;
use crate::schedule::Schedule;
use crate::settings::{SelfPlay, SelfPlayError};
use crate::teacher::Teacher;
use crate::window::WindowOptions;

/// A training run. All but the size of the network and the seed may be changed while it is not running.
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Config {
    /// The seed of all that is random.
    #[serde(default)]
    pub seed: u64,
    /// The size of the network. [One network plays on boards of every size](net.md).
    pub network: Architecture,
    /// The network that a new run begins with: a file, or `"baseline"` or `"baseline-large"` for those that are part of
    /// the program. If `[network]` says a larger size, new channels and blocks are added that say nothing at first.
    /// Without it weights are random.
    #[cfg_attr(test, schemars(with = "Option<String>"))]
    pub start: Option<PathBuf>,
    /// Games of the search with rollouts to begin with. Without this section the network begins with its own.
    pub teacher: Option<Teacher>,
    /// Games of others to learn from. Without this section the network learns from self-play alone.
    pub records: Option<RecordsOptions>,
    /// How games are played.
    #[serde(default)]
    pub self_play: SelfPlay,
    /// Which games are learned from. Of N positions so far it holds the latest c · (1 + β · ((N/c)^α − 1) / α).
    #[serde(default)]
    pub window: WindowOptions,
    /// How much is played and learned with one network.
    #[serde(default)]
    pub generation: Generation,
    /// How the network learns, by Adam.
    #[serde(default)]
    pub learning: Learning,
    /// How the rate of learning changes from step to step, counted over the whole run.
    #[serde(default)]
    pub schedule: Schedule,
    /// How it is measured whether the network becomes stronger.
    #[serde(default)]
    pub evaluation: Evaluation,
    /// When the run ends. Without any of these, somebody has to end it.
    #[serde(default)]
    pub until: Until,
}

/// How much is played and learned between two networks that play.
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Generation {
    /// Games to play, if records are not all that is learned from.
    pub games: u64,
    /// Steps of learning, if records are all that is learned from.
    pub steps: u64,
    /// Positions in a step of learning.
    pub batch: usize,
    /// How often a new position is learned from: there are reuse · (new positions) / batch steps, drawn from the whole
    /// window.
    pub reuse: f64,
    /// How much of the value that is learned is what the search thought, and not how the game ended.
    pub search_share: f32,
    /// Other rates of learning from some generation on: `[{ from = 100, rate = 3e-4 }]`.
    pub rates: Vec<Rate>,
}

/// A rate of learning from some generation on.
#[cfg_attr(test, derive(schemars::JsonSchema))]
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
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Evaluation {
    /// Measure every so many generations; never if 0.
    pub every: u64,
    /// Games against each opponent, in pairs with one opening and colours exchanged.
    pub games: u32,
    /// The network's visits.
    pub visits: u32,
    /// The visits of the search with rollouts that it plays against; 0 leaves it out.
    pub rollout_visits: u32,
    /// How many of the networks that were measured last it plays against.
    pub opponents: usize,
    /// The board of these games.
    #[cfg_attr(test, schemars(with = "String"))]
    pub size: Size,
    /// The komi of these games; the fair one, as far as it is known, if it is left out. On 5×5 that is 25, with which
    /// White cannot lose, so name a smaller one.
    pub komi: Option<f64>,
    /// Boards for which it is asked which komi is fair. What is known: 25 on 5×5, 4 on 6×6, 9 on 7×7.
    #[cfg_attr(test, schemars(with = "Vec<String>"))]
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
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Until {
    /// After so many generations.
    pub generations: Option<u64>,
    /// After so many hours of work, those of earlier starts included.
    pub hours: Option<f64>,
}

/// Why a run cannot be made.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    /// The text is not a configuration.
    #[error("{0}")]
    Text(Box<toml::de::Error>),
    /// There is no network of this size.
    #[error("network: {0}")]
    Network(ArchitectureError),
    /// Games cannot be played like this.
    #[error("self_play: {0}")]
    SelfPlay(SelfPlayError),
    /// The number with this name must be above 0.
    #[error("`{0}` must be above 0")]
    NotPositive(&'static str),
    /// The setting with this name should be something else.
    #[error("`{0}` must be {1}")]
    Records(&'static str, &'static str),
}

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
