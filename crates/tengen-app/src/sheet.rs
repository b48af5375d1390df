//! A game as a whole, for messages.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use tengen_core::{Color, Outcome, Reason};

use crate::clock::ClockMessage;
use crate::score::ScoreMessage;
use crate::seat::Seat;

/// What is being done with a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Phase {
    /// It is played.
    Playing,
    /// Both have passed, and dead stones are marked.
    Marking,
    /// It has ended.
    Finished,
    /// It is walked through and edited.
    Review,
}

impl Phase {
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Playing => "playing",
            Self::Marking => "marking",
            Self::Finished => "finished",
            Self::Review => "review",
        }
    }
}

/// A game as a whole.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Sheet {
    /// The name of the game.
    #[cfg_attr(test, schemars(with = "crate::words::GameId"))]
    pub(crate) id: String,
    /// It grows by one with every change of the game. Who has seen 7 and hears of 9 has missed something.
    pub(crate) version: u64,
    /// Is the game listed and saved?
    pub(crate) keep: bool,
    /// When it last changed, in milliseconds since 1970.
    pub(crate) updated: u64,
    #[serde(flatten)]
    pub(crate) head: Head,
    /// The clocks, if there are any.
    pub(crate) clock: Option<ClockMessage>,
    /// Facts about the game, by the keys that the edit `info` takes, as far as the record has them: `black`,
    /// `black_rank`, `black_team`, `white`, `white_rank`, `white_team`, `title`, `event`, `round`, `date`, `place`,
    /// `result`, `time`, `overtime`, `opening`, `annotator`, `copyright`, `source`, `user`, `comment`, `rules`, `komi`,
    /// `handicap`, `tags`.
    pub(crate) info: BTreeMap<&'static str, String>,
    /// What the record wants to be shown of variations.
    pub(crate) style: StyleMessage,
    /// The nodes.
    pub(crate) tree: TreeMessage,
}

/// The part of a sheet whose fields are told one by one when they change.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[expect(
    clippy::struct_excessive_bools,
    reason = "they are fields of a message, each for itself"
)]
pub(crate) struct Head {
    /// What people call the game.
    pub title: String,
    /// The number of columns.
    pub width: u8,
    /// The number of rows.
    pub height: u8,
    /// The name of the rules.
    pub rules: String,
    /// White's komi in points.
    pub komi: f64,
    /// Black's handicap stones.
    pub handicap: u16,
    /// Who plays Black.
    pub black: Seat,
    /// Who plays White.
    pub white: Seat,
    /// What is being done with the game.
    pub phase: Phase,
    /// The node where the game stands.
    #[cfg_attr(test, schemars(with = "crate::words::Node"))]
    pub live: usize,
    /// Whose turn it is there.
    #[cfg_attr(test, schemars(with = "crate::words::Color"))]
    pub to_move: Color,
    /// An engine or a program thinks about a move or about the dead stones, or will as soon as somebody watches.
    pub thinking: bool,
    /// Milliseconds between two moves of a game without persons and clocks, at least (`game.pace`).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pace: Option<u32>,
    /// It would be the turn of an engine or a program, and it waits for `game.resume`.
    pub paused: bool,
    /// The game was paused because nobody who may play watched it for `limits.seconds_of_absence` (`about`) while a
    /// clock ran.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[cfg_attr(test, schemars(with = "Option<bool>"))]
    pub away: bool,
    /// The colour that somebody elsewhere was invited to play (`game.invite`).
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(with = "Option<crate::words::Color>"))]
    pub guest: Option<Color>,
    /// The game could not be saved. Until it is, it does not go on: calls that would change it are refused, and clocks
    /// stand still.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[cfg_attr(test, schemars(with = "Option<bool>"))]
    pub unsaved: bool,
    /// In phase `review`: can the last edit be taken back?
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[cfg_attr(test, schemars(with = "Option<bool>"))]
    pub can_undo: bool,
    /// In phase `review`: can an edit be made again that was taken back?
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[cfg_attr(test, schemars(with = "Option<bool>"))]
    pub can_redo: bool,
    /// Why an engine or a program could not move; the game is then paused. Or why the game could not be saved, if it is
    /// `unsaved`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub trouble: Option<String>,
    /// How the game has ended.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub result: Option<ResultMessage>,
    /// The stones that are dead, in phase `marking`, and in `finished` if the game was counted.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(with = "Option<Vec<crate::words::Point>>"))]
    pub dead: Option<Vec<String>>,
    /// The stones that are in seki, in the same phases.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(with = "Option<Vec<crate::words::Point>>"))]
    pub seki: Option<Vec<String>>,
    /// The count, in the same phases.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub score: Option<ScoreMessage>,
    /// The empty points and the dead stones that count for each side, in the same phases, once the engine has made its
    /// proposal or somebody has marked something.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub territory: Option<TerritoryMessage>,
}

/// The points that count as territory.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(rename = "Territory"))]
pub(crate) struct TerritoryMessage {
    /// Black's points.
    #[cfg_attr(test, schemars(with = "Vec<crate::words::Point>"))]
    pub black: Vec<String>,
    /// White's points.
    #[cfg_attr(test, schemars(with = "Vec<crate::words::Point>"))]
    pub white: Vec<String>,
}

/// What a record wants to be shown of variations.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct StyleMessage {
    /// Which variations are shown.
    pub variations: Variations,
    /// Are they marked on the board?
    pub markup: bool,
}

/// Which variations are shown at a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub(crate) enum Variations {
    /// The moves that follow.
    Children,
    /// The moves that could have been played instead.
    Siblings,
}

impl StyleMessage {
    /// From the number that records have for it.
    pub(crate) const fn from_number(style: i64) -> Self {
        Self {
            variations: if style & 1 == 0 {
                Variations::Children
            } else {
                Variations::Siblings
            },
            markup: style & 2 == 0,
        }
    }
}

/// The nodes of a game by their numbers.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct TreeMessage {
    /// The node before each; null for the root and for nodes that were removed.
    #[cfg_attr(test, schemars(with = "Vec<Option<crate::words::Node>>"))]
    pub parents: Vec<Option<usize>>,
    /// The move of each.
    #[cfg_attr(test, schemars(with = "Vec<crate::words::Turn>"))]
    pub moves: Vec<String>,
    /// The main line from the root on.
    #[cfg_attr(test, schemars(with = "Vec<crate::words::Node>"))]
    pub main: Vec<usize>,
    /// Whether each has a comment.
    pub has_comment: Vec<bool>,
}

/// How a game has ended.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct ResultMessage {
    #[serde(flatten)]
    pub ending: Ending,
    /// The count, if the game was counted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parts: Option<ScoreMessage>,
}

/// A result in words.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct Ending {
    /// The result as records write it, such as `B+3.5`.
    pub text: String,
    /// Who has won; null if nobody has, or if the record does not tell.
    #[cfg_attr(test, schemars(with = "Option<crate::words::Color>"))]
    pub winner: Option<Color>,
    /// Why the game has ended.
    pub reason: EndReason,
}

/// Why a game has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub(crate) enum EndReason {
    /// It was counted.
    Score,
    /// A player gave up.
    Resignation,
    /// A clock ran out.
    Time,
    /// A position was repeated that may not be.
    Repetition,
    /// A player broke the rules of the event.
    Forfeit,
    /// Nobody has more points.
    Draw,
    /// There is no result.
    Void,
    /// The record says something else.
    Unknown,
}

impl Ending {
    /// The result of a game that was played here.
    pub(crate) fn of_outcome(outcome: Outcome) -> Self {
        let reason = match outcome {
            Outcome::Win(_, Reason::Score(_)) => EndReason::Score,
            Outcome::Win(_, Reason::Resignation) => EndReason::Resignation,
            Outcome::Win(_, Reason::Time) => EndReason::Time,
            Outcome::Win(_, Reason::Repetition) => EndReason::Repetition,
            Outcome::Win(_, Reason::Forfeit) => EndReason::Forfeit,
            Outcome::Draw => EndReason::Draw,
            Outcome::NoResult => EndReason::Void,
        };
        Self {
            text: outcome.to_string(),
            winner: outcome.winner(),
            reason,
        }
    }

    /// The result that a record gives, as far as it can be understood.
    pub(crate) fn of_text(text: &str) -> Self {
        let plain = text.trim().to_ascii_lowercase();
        let winner = match plain.split_once('+') {
            Some(("b" | "black", _)) => Some(Color::Black),
            Some(("w" | "white", _)) => Some(Color::White),
            _ => None,
        };
        let rest = plain.split_once('+').map_or("", |(_, rest)| rest.trim());
        let reason = match (winner, rest) {
            (Some(_), "r" | "resign" | "resignation") => EndReason::Resignation,
            (Some(_), "t" | "time") => EndReason::Time,
            (Some(_), "f" | "forfeit") => EndReason::Forfeit,
            (Some(_), points) if points.parse::<f64>().is_ok() => EndReason::Score,
            (None, _) if matches!(plain.as_str(), "0" | "draw" | "jigo") => EndReason::Draw,
            (None, _) if plain == "void" => EndReason::Void,
            _ => EndReason::Unknown,
        };
        Self {
            text: text.trim().to_owned(),
            winner,
            reason,
        }
    }
}
