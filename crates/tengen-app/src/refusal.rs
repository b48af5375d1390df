//! Why a call was refused.

use std::fmt;

use serde::Serialize;
use serde_json::{Value, json};

/// What a call comes to.
pub(crate) type Result<T> = std::result::Result<T, Refusal>;

/// Why a call was refused: a code for programs, a sentence for people, and what they may want to know besides.
#[derive(Clone, Debug, PartialEq, Serialize, thiserror::Error)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(rename = "Error"))]
#[error("{message}")]
pub struct Refusal {
    /// The kind of refusal: a `Code`, or one of the host's for what it refuses before a call is looked at.
    #[cfg_attr(test, schemars(with = "String"))]
    pub code: Code,
    /// A sentence in English.
    pub message: String,
    /// Facts that belong to the code, such as the point of an illegal move.
    #[serde(skip_serializing_if = "Value::is_null")]
    #[cfg_attr(test, schemars(with = "serde_json::Map<String, Value>"))]
    pub data: Value,
}

/// The kind of refusal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Code {
    /// There is no such method.
    UnknownMethod,
    /// Parameters are missing, misspelt or out of range.
    InvalidParams,
    /// There is no such game.
    NoGame,
    /// The game has no such node.
    NoNode,
    /// The rules forbid the move. The data has `point` and `reason`: `occupied`, `suicide`, `ko`, `superko` or
    /// `off_board`; for `superko` also `node` and `number` of the earlier position that would return.
    IllegalMove,
    /// A chain without liberties was set up. The data has `point`.
    IllegalSetup,
    /// An engine or a program is to move. The data has `color`.
    NotYourTurn,
    /// The game has moved on: `node` is not where it stands. The data has `live`.
    NotLive,
    /// It cannot be done in this phase of the game. The data has `phase`.
    WrongPhase,
    /// No move of a person can be taken back.
    NothingToUndo,
    /// What was done, or what was done before, is not on disk. The host keeps it in memory and tries again; until it is
    /// written, the game does not go on.
    NotSaved,
    /// Who may only look on has tried to change something.
    ReadOnly,
    /// The engine still works on it.
    Busy,
    /// It is too much; `about` tells most limits. The data has `what` and `limit`.
    Limit,
    /// The file is no record of a game. The data may have `line` and `column`.
    Unreadable,
    /// The call was replaced by a newer one, or its game is gone.
    Cancelled,
    /// The engine or program failed.
    EngineFailed,
    /// This host does not offer it.
    Unsupported,
}

impl Code {
    /// All codes.
    pub const ALL: [Self; 18] = [
        Self::UnknownMethod,
        Self::InvalidParams,
        Self::NoGame,
        Self::NoNode,
        Self::IllegalMove,
        Self::IllegalSetup,
        Self::NotYourTurn,
        Self::NotLive,
        Self::WrongPhase,
        Self::NothingToUndo,
        Self::NotSaved,
        Self::ReadOnly,
        Self::Busy,
        Self::Limit,
        Self::Unreadable,
        Self::Cancelled,
        Self::EngineFailed,
        Self::Unsupported,
    ];
}

impl Refusal {
    /// A refusal with nothing to add.
    pub fn new(code: Code, message: impl Into<String>) -> Self {
        Self {
            code,
            message: message.into(),
            data: Value::Null,
        }
    }

    /// The same with facts.
    #[must_use]
    pub fn with(mut self, data: Value) -> Self {
        self.data = data;
        self
    }

    /// Wrong parameters.
    pub(crate) fn params(message: impl fmt::Display) -> Self {
        Self::new(Code::InvalidParams, message.to_string())
    }

    /// A limit that was reached: what is limited, and to how much.
    pub(crate) fn limit(what: &str, limit: usize) -> Self {
        let message = format!("the limit is {limit} {}", what.replace('_', " "));
        Self::new(Code::Limit, message).with(json!({"what": what, "limit": limit}))
    }
}
