//! What methods give, where it is no message of its own.

use std::collections::BTreeMap;

use serde::Serialize;
use tengen_core::Color;
use tengen_search::Level;

use crate::limits::Limits;
use crate::review::{JudgedMessage, ReviewedMessage};
use crate::rules::RulesMessage;
use crate::score::ScoreMessage;
use crate::seat::Seat;
use crate::sheet::Phase;
use crate::upload::Remark;
use crate::view::View;

/// Nothing but that the call was not refused.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct Nothing {}

/// What a host says about itself.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct About {
    /// The version of Tengen.
    pub version: &'static str,
    /// Who thinks.
    pub engine: EngineMessage,
    /// The rules that a page offers.
    pub rules: Vec<RulesMessage>,
    /// How well the engine can play, the lowest level first.
    pub levels: Vec<LevelMessage>,
    /// How long the sides of a board can be.
    pub sizes: Sizes,
    /// The names of the programs that can take a seat.
    pub programs: Vec<String>,
    /// What this host offers, by name.
    pub features: BTreeMap<String, bool>,
    /// How much is too much.
    pub limits: LimitsMessage,
    /// May the caller change anything, or only look on?
    pub may_play: bool,
    /// The only seat that the caller may take, if somebody was invited to one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seat: Option<SeatMessage>,
}

/// A seat of a game.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(rename = "InvitedSeat"))]
pub(crate) struct SeatMessage {
    /// The game.
    #[cfg_attr(test, schemars(with = "crate::words::GameId"))]
    pub game: String,
    /// The colour.
    #[cfg_attr(test, schemars(with = "crate::words::Color"))]
    pub color: Color,
}

/// How well the engine plays.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct LevelMessage {
    /// Its number, as a seat has it.
    pub level: u8,
    /// About the rank of a person who wins every other game against it, as records write it: `12k`, `1d`.
    pub rank: &'static str,
}

impl From<Level> for LevelMessage {
    fn from(level: Level) -> Self {
        Self {
            level: level.number(),
            rank: level.skill().rank,
        }
    }
}

/// The engine of a host.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct EngineMessage {
    /// What it is called.
    pub name: String,
    /// What its network is called, if it has one.
    pub network: Option<String>,
}

/// How long the sides of a board can be.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct Sizes {
    /// The shortest side.
    pub min: u8,
    /// The longest side.
    pub max: u8,
}

/// How much is too much.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct LimitsMessage {
    /// Games of the host.
    pub games: usize,
    /// Nodes of a game.
    pub nodes: usize,
    /// Nodes of a game behind each other.
    pub nodes_in_a_row: usize,
    /// Bytes of a file that is opened.
    pub bytes_of_a_file: usize,
    /// Games of a file that is opened.
    pub games_of_a_file: usize,
    /// Bytes of a comment.
    pub bytes_of_a_comment: usize,
    /// Bytes of a name, a label and other single lines.
    pub bytes_of_a_line: usize,
    /// Edits in one call.
    pub edits: usize,
    /// Visits that may be asked for.
    pub visits: u32,
    /// Points of a board about which anything is proven.
    pub points_of_an_exact_board: usize,
    /// Seconds on a clock.
    pub seconds_on_a_clock: u32,
    /// Seconds after which a game against an engine is paused that nobody watches while a clock runs.
    pub seconds_of_absence: u32,
}

impl From<&Limits> for LimitsMessage {
    fn from(limits: &Limits) -> Self {
        Self {
            games: limits.games,
            nodes: limits.nodes,
            nodes_in_a_row: limits.depth,
            bytes_of_a_file: limits.file_bytes,
            games_of_a_file: limits.games_of_a_file,
            bytes_of_a_comment: limits.comment_bytes,
            bytes_of_a_line: limits.line_bytes,
            edits: limits.edits,
            visits: limits.visits,
            points_of_an_exact_board: limits.exact_points,
            seconds_on_a_clock: limits.clock_seconds,
            seconds_of_absence: limits.absence_seconds,
        }
    }
}

/// The games that are kept.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct GameList {
    /// The games, the latest first.
    pub games: Vec<Listing>,
}

/// A game in a list.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct Listing {
    /// Its name.
    #[cfg_attr(test, schemars(with = "crate::words::GameId"))]
    pub id: String,
    /// What people call it.
    pub title: String,
    /// When it last changed, in milliseconds since 1970.
    pub updated: u64,
    /// The number of columns.
    pub width: u8,
    /// The number of rows.
    pub height: u8,
    /// How many moves were played.
    pub moves: usize,
    /// What is being done with it.
    pub phase: Phase,
    /// Who plays Black.
    pub black: Seat,
    /// Who plays White.
    pub white: Seat,
    /// Was it begun here? Then the title only repeats who plays.
    pub native: bool,
    /// The result as records write it.
    pub result: Option<String>,
    /// Who played Black, as the record has it.
    pub black_name: Option<String>,
    /// Who played White, as the record has it.
    pub white_name: Option<String>,
    /// When it was played, as the record has it.
    pub date: Option<String>,
    /// Words by which people find it again, with commas between them.
    pub tags: Option<String>,
}

/// What was opened.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Opened {
    /// The games of the file.
    pub(crate) games: Vec<OpenedGame>,
    /// What was wrong with the file.
    pub(crate) diagnostics: Vec<Remark>,
}

/// A game that was opened.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct OpenedGame {
    /// Its name.
    #[cfg_attr(test, schemars(with = "crate::words::GameId"))]
    pub id: String,
    /// What people call it.
    pub title: String,
}

/// A move that was played.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct Played {
    /// The node of the move.
    #[cfg_attr(test, schemars(with = "crate::words::Node"))]
    pub node: usize,
    /// The version of the game with the move.
    pub version: u64,
    /// The position after it.
    pub view: View,
}

/// What was edited.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct Edited {
    /// The node at which the edits ended.
    #[cfg_attr(test, schemars(with = "crate::words::Node"))]
    pub node: usize,
    /// The version of the game with the edits.
    pub version: u64,
    /// The position there.
    pub view: View,
}

/// A record as text.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct RecordText {
    /// The record.
    pub sgf: String,
}

/// A picture as text.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct PictureText {
    /// The picture.
    pub svg: String,
}

/// A good move.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct Hint {
    /// The move.
    #[serde(rename = "move")]
    #[cfg_attr(test, schemars(with = "crate::words::Move"))]
    pub action: String,
    /// How many times the position was searched.
    pub visits: u32,
    /// The share of games that Black wins.
    pub winrate: f64,
    /// By how many points Black is ahead.
    pub lead: f64,
    /// The moves that are expected, this one first.
    #[cfg_attr(test, schemars(with = "Vec<crate::words::Move>"))]
    pub pv: Vec<String>,
}

/// What a move is worth.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct MoveJudged {
    #[serde(flatten)]
    pub judged: JudgedMessage,
    /// Is it as good as the best move?
    pub is_good: bool,
    /// The best move.
    #[cfg_attr(test, schemars(with = "crate::words::Move"))]
    pub best: String,
    /// By how many points Black is ahead after the best move.
    pub best_lead: f64,
    /// The moves that are expected, the best one first.
    #[cfg_attr(test, schemars(with = "Vec<crate::words::Move>"))]
    pub best_pv: Vec<String>,
}

/// The score as it will probably be.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct Estimate {
    /// Whose each point will be, from 1 for Black to -1, row by row.
    pub ownership: Vec<f64>,
    /// The stones that are dead.
    #[cfg_attr(test, schemars(with = "Vec<crate::words::Point>"))]
    pub dead: Vec<String>,
    /// The stones that are in seki.
    #[cfg_attr(test, schemars(with = "Vec<crate::words::Point>"))]
    pub seki: Vec<String>,
    /// The count.
    pub score: ScoreMessage,
    /// The share of games that Black wins.
    pub winrate: f64,
    /// By how many points Black is ahead.
    pub lead: f64,
}

/// A review that has begun.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct ReviewStarted {
    /// Is there anything left to be found?
    pub running: bool,
    /// The round that it begins with: 0 is the first look at all positions.
    pub round: u32,
    /// How many positions the round has.
    pub total: usize,
    /// How many of them are known already.
    pub done: usize,
}

/// What a review has found so far.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct ReviewFound {
    /// Does it go on?
    pub running: bool,
    /// The round: 0 is the first look at all positions, later ones look closer at those that matter.
    pub round: u32,
    /// How many positions of the round were looked at.
    pub done: usize,
    /// How many there are.
    pub total: usize,
    /// What was found, by node.
    pub nodes: Vec<ReviewedMessage>,
}
