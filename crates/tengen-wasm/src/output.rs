//! What a host wants to be done by the worker that it runs in.

use serde::Serialize;
use serde_json::Value;

/// What is to be done, in this order: records are written before anybody hears of what is in them.
#[derive(Debug, Default, Serialize)]
pub(crate) struct Output {
    /// Records to write, or to delete.
    pub(crate) saves: Vec<Saved>,
    /// Messages to send.
    pub(crate) messages: Vec<Letter>,
    /// Is there something to think about?
    pub(crate) busy: bool,
    /// When the time has to be told at the latest, if a clock runs.
    pub(crate) tick: Option<u64>,
    /// Who judges from now on, if that has changed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) network: Option<String>,
    /// Why something was not done, if nobody else is told.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) trouble: Option<String>,
}

/// A record and the game that it is of; without one, the game was deleted.
#[derive(Debug, Serialize)]
pub(crate) struct Saved {
    pub(crate) game: String,
    pub(crate) sgf: Option<String>,
}

/// A message for somebody.
#[derive(Debug, Serialize)]
pub(crate) struct Letter {
    pub(crate) viewer: u64,
    pub(crate) message: Value,
}
