//! A game as a whole, for messages.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use tengen_core::{Color, Outcome, Reason};

use crate::clock::ClockMessage;
use crate::color::ColorName;
use crate::score::ScoreMessage;
use crate::seat::Seat;

/// What is being done with a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
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
pub struct Sheet {
    pub(crate) id: String,
    pub(crate) version: u64,
    pub(crate) keep: bool,
    pub(crate) updated: u64,
    #[serde(flatten)]
    pub(crate) head: Head,
    pub(crate) clock: Option<ClockMessage>,
    pub(crate) info: BTreeMap<&'static str, String>,
    pub(crate) style: StyleMessage,
    pub(crate) tree: TreeMessage,
}

/// The part of a sheet whose fields are told one by one when they change.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct Head {
    pub title: String,
    pub width: u8,
    pub height: u8,
    pub rules: String,
    pub komi: f64,
    pub handicap: u16,
    pub black: Seat,
    pub white: Seat,
    pub phase: Phase,
    pub live: usize,
    pub to_move: ColorName,
    pub thinking: bool,
    pub paused: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub trouble: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub result: Option<ResultMessage>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dead: Option<Vec<String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seki: Option<Vec<String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub score: Option<ScoreMessage>,
}

/// What a record wants to be shown of variations.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub(crate) struct StyleMessage {
    pub variations: &'static str,
    pub markup: bool,
}

impl StyleMessage {
    /// From the number that records have for it.
    pub(crate) const fn from_number(style: i64) -> Self {
        Self {
            variations: if style & 1 == 0 {
                "children"
            } else {
                "siblings"
            },
            markup: style & 2 == 0,
        }
    }
}

/// The nodes of a game by their numbers.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct TreeMessage {
    pub parents: Vec<Option<usize>>,
    pub moves: Vec<String>,
    pub main: Vec<usize>,
    pub has_comment: Vec<bool>,
}

/// How a game has ended.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct ResultMessage {
    #[serde(flatten)]
    pub ending: Ending,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parts: Option<ScoreMessage>,
}

/// A result in words.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Ending {
    pub text: String,
    pub winner: Option<ColorName>,
    pub reason: EndReason,
}

/// Why a game has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum EndReason {
    Score,
    Resignation,
    Time,
    Repetition,
    Forfeit,
    Draw,
    Void,
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
            winner: outcome.winner().map(ColorName::from),
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
            winner: winner.map(ColorName::from),
            reason,
        }
    }
}
