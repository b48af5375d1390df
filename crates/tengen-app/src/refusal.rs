//! Why a call was refused.

use std::fmt;

use serde::Serialize;
use serde_json::{Value, json};

/// A call that was refused: a code for programs, a sentence for people, and what they may want to know besides.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Refusal {
    /// The kind of refusal.
    pub code: Code,
    /// A sentence in English.
    pub message: String,
    /// Facts that belong to the code, such as the point of an illegal move.
    #[serde(skip_serializing_if = "Value::is_null")]
    pub data: Value,
}

/// The kind of refusal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Code {
    /// There is no such method.
    UnknownMethod,
    /// The parameters are not those of the method.
    InvalidParams,
    /// There is no such game.
    NoGame,
    /// The game has no such node.
    NoNode,
    /// The rules forbid the move.
    IllegalMove,
    /// The position cannot stand.
    IllegalSetup,
    /// Somebody else is to move.
    NotYourTurn,
    /// The game has moved on since the caller looked.
    NotLive,
    /// It cannot be done in this phase of the game.
    WrongPhase,
    /// No move can be taken back.
    NothingToUndo,
    /// The engine has to finish first.
    Busy,
    /// A limit was reached.
    Limit,
    /// The file is no record of a game.
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
    pub const ALL: [Self; 16] = [
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

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Refusal {}
