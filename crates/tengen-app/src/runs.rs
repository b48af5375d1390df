//! Training runs, for messages. Hosts that have any read them.

use serde::{Deserialize, Serialize};

/// The training runs of a host.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct RunList {
    /// The runs.
    pub runs: Vec<RunSummary>,
}

/// A training run in a list.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct RunSummary {
    /// The name to ask for.
    pub run: String,
    /// How many generations have ended.
    pub generations: usize,
    /// How many games were played.
    pub games: u64,
    /// How many positions they have.
    pub positions: u64,
    /// How long it took.
    pub hours: f64,
}

/// Names a run.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct OfRun {
    /// The name of the run.
    pub run: String,
}

/// Names games of a run.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct OfGeneration {
    /// The name of the run.
    pub run: String,
    /// The generation; the latest, if it is left out.
    pub generation: Option<u64>,
    /// The number of the first game that is listed.
    #[serde(default)]
    pub offset: usize,
}

/// Names a game of a run.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct OfRunGame {
    /// The name of the run.
    pub run: String,
    /// The generation of the game.
    pub generation: u64,
    /// Its number in the generation.
    pub index: usize,
}

/// All that a page draws of a training run.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct RunMessage {
    /// The name of the run.
    pub run: String,
    /// The generations of the curves: 1,000 at most, the last one always among them.
    pub generations: Vec<u64>,
    /// When each of them ended, in hours of work.
    pub hours: Vec<f64>,
    /// A value for each of these generations.
    pub curves: Curves,
    /// The strength of the networks that were measured, beside the first of them.
    pub elo: Vec<Strength>,
    /// The points against opponents that are no earlier networks.
    pub versus: Vec<Opponent>,
    /// The komi that each generation takes for fair, by board.
    pub fair_komi: Vec<FairKomi>,
    /// The whole run in numbers.
    pub totals: RunTotals,
}

/// A value for each generation; null where there is none.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Curves {
    /// The loss of the policy.
    pub policy: Vec<Option<f64>>,
    /// The loss of the value.
    pub value: Vec<Option<f64>>,
    /// The loss of the lead.
    pub lead: Vec<Option<f64>>,
    /// The loss of the ownership.
    pub ownership: Vec<Option<f64>>,
    /// Games of self-play an hour.
    pub games_per_hour: Vec<Option<f64>>,
    /// The mean length of games.
    pub moves: Vec<Option<f64>>,
    /// The share of points that Black gets, from 0 to 1.
    pub black_wins: Vec<Option<f64>>,
    /// The share of hopeless games that were not lost, from 0 to 1.
    pub resignations_wrong: Vec<Option<f64>>,
}

/// The strength of a network.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Strength {
    /// The generation.
    pub generation: u64,
    /// When it ended.
    pub hours: f64,
    /// The difference to the first network that was measured.
    pub elo: f64,
    /// Half of the 95 % interval.
    pub error: f64,
}

/// The results against an opponent.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Opponent {
    /// Who it is.
    pub name: String,
    /// The results by generation.
    pub points: Vec<OpponentPoint>,
}

/// The result of a generation against an opponent.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct OpponentPoint {
    /// The generation.
    pub generation: u64,
    /// When it ended.
    pub hours: f64,
    /// The share of points that it got, from 0 to 1.
    pub share: f64,
    /// How many games were played.
    pub games: u32,
}

/// The fair komi of a board.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct FairKomi {
    /// The board, such as `9x9`.
    pub size: String,
    /// The komi by generation.
    pub points: Vec<FairKomiPoint>,
}

/// The komi that a generation takes for fair.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct FairKomiPoint {
    /// The generation.
    pub generation: u64,
    /// When it ended.
    pub hours: f64,
    /// The komi.
    pub komi: i32,
}

/// A whole run in numbers.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct RunTotals {
    /// Generations that have ended.
    pub generations: usize,
    /// Games that were played.
    pub games: u64,
    /// Positions of these games.
    pub positions: u64,
    /// Positions that are learned from now.
    pub window: u64,
    /// Steps of learning.
    pub steps: u64,
    /// How long it took.
    pub hours: f64,
}

/// Games of a generation.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct RunGames {
    /// The name of the run.
    pub run: String,
    /// The generations that have games here.
    pub generations: Vec<u64>,
    /// The generation of these games.
    pub generation: Option<u64>,
    /// The number of the first game.
    pub offset: usize,
    /// How many games the generation has.
    pub total: usize,
    /// The games, 200 at most.
    pub games: Vec<RunGame>,
}

/// A game of a run in a list.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct RunGame {
    /// Its number.
    pub index: usize,
    /// The number of columns.
    pub width: u8,
    /// The number of rows.
    pub height: u8,
    /// The rules.
    pub rules: String,
    /// The komi, if it is not that of the rules.
    pub komi: Option<f64>,
    /// How many moves were played.
    pub moves: usize,
    /// The result as records write it.
    pub result: Option<String>,
}
