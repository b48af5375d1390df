//! Which records are learned from, and how.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use tengen_core::{Outcome, Reason};

/// Which records are learned from, and how.
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct RecordsOptions {
    /// Files, folders and patterns such as `games/*.sgf.xz`. Collections, gzip, xz and zip are read as they are.
    pub files: Vec<String>,
    /// The share of every batch that comes from records. The rest comes from self-play; with 1 no games are played, and
    /// a generation has `generation.steps` steps.
    pub share: f64,
    /// The share of games that are held out: the network is asked about them and never learns from them.
    pub held_out: f64,
    /// How many positions of the games held out are asked at the end of a generation.
    pub questions: usize,
    /// How many positions of a game a pass over all games takes.
    pub positions: usize,
    /// The share of the policy that is spread over all moves, and not the move that was played.
    pub smoothing: f32,
    /// A network to learn from besides (knowledge distillation): a file that `tengen train` made, one of KataGo such as
    /// `kata1-….bin.gz`, or `"baseline"` or `"baseline-large"`. It judges every position that is learned from, by the
    /// rules that are told.
    #[cfg_attr(test, schemars(with = "Option<String>"))]
    pub tutor: Option<PathBuf>,
    /// How much of the policy, the value, the lead and the owners of points is what the tutor says, and not what the
    /// record says.
    pub tutor_share: f32,
    /// The share of positions that the tutor is asked about. Of all others, what the record says is learned alone: that
    /// costs less, and keeps in mind how people play.
    pub asked_share: f64,
    /// How often a position is learned from, each time turned in another way, at most 8. The tutor is asked once for
    /// all of them.
    pub views: u64,
    /// The share of games by territory that are told as games by area with a komi of one point more. If all games were
    /// told under one rule set, the network would not know others.
    pub area_share: f64,
    /// The standard deviation of the points by which the komi that is told differs from that of the game. Only games
    /// that were counted have other komis, since of these it is known who wins then.
    pub komi_spread: f64,
    /// How sure it is that who won on time or by forfeit won on the board: 0.5 knows nothing, 1 is certain.
    pub forfeit_certainty: f32,
    /// Boards, such as `["19", "9x7"]`; all if it is empty.
    pub sizes: Vec<String>,
    /// The lowest rank of both players, such as `"5d"`, `"3k"` or `"1p"`. Games without ranks are left out then.
    pub lowest_rank: Option<String>,
    /// How games may have ended; `"time"`, `"forfeit"` and `"unknown"` are left out unless named.
    pub endings: Vec<Ending>,
    /// The fewest moves of a game.
    pub fewest_moves: usize,
    /// The most moves of a game.
    pub most_moves: usize,
    /// The first date, such as `"2010"` or `"2010-06-01"`. Games without dates are left out then.
    pub from: Option<String>,
    /// The last date, in the same way.
    pub to: Option<String>,
    /// The most handicap stones.
    pub most_handicap: u16,
    /// The most games of a file that are learned from. Which ones depends on their moves alone. With it, a large file
    /// does not drown a small one.
    pub most_games: Option<usize>,
}

impl Default for RecordsOptions {
    fn default() -> Self {
        Self {
            files: Vec::new(),
            share: 1.0,
            held_out: 0.01,
            questions: 4000,
            positions: 4,
            smoothing: 0.0,
            tutor: None,
            tutor_share: 0.8,
            asked_share: 1.0,
            views: 1,
            area_share: 0.5,
            komi_spread: 2.0,
            forfeit_certainty: 0.75,
            sizes: Vec::new(),
            lowest_rank: None,
            endings: vec![Ending::Count, Ending::Resignation, Ending::Draw],
            fewest_moves: 30,
            most_moves: 500,
            from: None,
            to: None,
            most_handicap: 0,
            most_games: None,
        }
    }
}

/// How a game may have ended.
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Ending {
    /// It was counted.
    Count,
    /// A player resigned.
    Resignation,
    /// Nobody won.
    Draw,
    /// A player ran out of time.
    Time,
    /// A player forfeited it, or nobody says why the other one won.
    Forfeit,
    /// Nobody says who won, or nobody did.
    Unknown,
}

impl Ending {
    pub(crate) const fn of(outcome: Option<Outcome>) -> Self {
        match outcome {
            Some(Outcome::Win(_, Reason::Score(_))) => Self::Count,
            Some(Outcome::Win(_, Reason::Resignation)) => Self::Resignation,
            Some(Outcome::Win(_, Reason::Time)) => Self::Time,
            Some(Outcome::Win(_, Reason::Forfeit | Reason::Repetition)) => Self::Forfeit,
            Some(Outcome::Draw) => Self::Draw,
            Some(Outcome::NoResult) | None => Self::Unknown,
        }
    }
}

impl RecordsOptions {
    /// What is wrong with them, if anything is: the name of a number, and what it should be.
    pub(crate) fn check(&self) -> Result<(), (&'static str, &'static str)> {
        let share = 0.0..=1.0;
        let checks = [
            ("records.files", "at least one file", !self.files.is_empty()),
            (
                "records.share",
                "above 0 and at most 1",
                self.share > 0.0 && self.share <= 1.0,
            ),
            (
                "records.held_out",
                "from 0 to below 1",
                (0.0..1.0).contains(&self.held_out),
            ),
            ("records.positions", "at least 1", self.positions > 0),
            (
                "records.smoothing",
                "from 0 to below 1",
                (0.0..1.0).contains(&self.smoothing),
            ),
            (
                "records.tutor_share",
                "from 0 to 1",
                (0.0..=1.0).contains(&self.tutor_share),
            ),
            (
                "records.asked_share",
                "from 0 to 1",
                share.contains(&self.asked_share),
            ),
            (
                "records.views",
                "from 1 to 8",
                (1..=8).contains(&self.views),
            ),
            (
                "records.area_share",
                "from 0 to 1",
                share.contains(&self.area_share),
            ),
            (
                "records.komi_spread",
                "from 0 to 50",
                (0.0..=50.0).contains(&self.komi_spread),
            ),
            (
                "records.forfeit_certainty",
                "from 0.5 to 1",
                (0.5..=1.0).contains(&self.forfeit_certainty),
            ),
            (
                "records.endings",
                "at least one ending",
                !self.endings.is_empty(),
            ),
        ];
        match checks.into_iter().find(|(.., holds)| !holds) {
            Some((name, wanted, _)) => Err((name, wanted)),
            None => Ok(()),
        }
    }
}
