//! What a room wants its host to do.

use serde::Serialize;
use serde_json::Value;

use crate::event::Event;
use crate::job::{Job, JobId};
use crate::refusal::Refusal;
use crate::room::{Ticket, Viewer};
use crate::state::SavedGame;

/// What a room wants its host to do, in the order in which it came up.
#[derive(Debug, Default)]
pub struct Outbox {
    /// Events to be sent.
    pub events: Vec<Delivery>,
    /// Answers to calls that had to wait.
    pub answers: Vec<Answer>,
    /// Jobs to begin.
    pub jobs: Vec<Job>,
    /// Jobs to end; what they report is ignored from now on.
    pub cancelled: Vec<JobId>,
    /// Records to write or delete; only the last about each game matters.
    pub saves: Vec<Save>,
}

/// An event and who is to hear of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Delivery {
    /// The viewers.
    pub viewers: Vec<Viewer>,
    /// The event.
    pub event: Event,
}

/// The answer to a call for which [`Room::call`](crate::Room::call) gave a ticket.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    /// The ticket of the call.
    pub ticket: Ticket,
    /// Who called.
    pub viewer: Viewer,
    /// The result, or why there is none.
    pub result: Result<Value, Refusal>,
}

/// An answer over the WebSocket.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum AnswerMessage {
    /// The call was done.
    Done {
        /// The `id` of the call.
        #[cfg_attr(test, schemars(with = "crate::words::CallId"))]
        id: Value,
        /// The result.
        #[cfg_attr(test, schemars(with = "serde_json::Map<String, Value>"))]
        result: Value,
    },
    /// The call was refused.
    Refused {
        /// The `id` of the call.
        #[cfg_attr(test, schemars(with = "crate::words::CallId"))]
        id: Value,
        /// Why.
        error: Refusal,
    },
}

impl AnswerMessage {
    /// The answer to the call with this `id`.
    pub fn new(id: Value, result: Result<Value, Refusal>) -> Self {
        match result {
            Ok(result) => Self::Done { id, result },
            Err(error) => Self::Refused { id, error },
        }
    }
}

/// A record to be written, or deleted.
#[derive(Clone, Debug)]
pub struct Save {
    /// The game: small letters and digits, fit for the name of a file.
    pub game: String,
    /// The record; `None` if the game was deleted.
    pub record: Option<SavedGame>,
}
