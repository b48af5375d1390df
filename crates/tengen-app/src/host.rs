//! What only some hosts can do.

use serde::Serialize;
use serde_json::Value;

use crate::file::{File, OfFile};
use crate::networks::{ChooseNetwork, NetworkList, OfNetwork};
use crate::refusal::{Code, Refusal};
use crate::request::{NoParams, OpenFile};
use crate::results::Opened;
use crate::runs::{OfGeneration, OfRun, OfRunGame, RunGames, RunList, RunMessage};

/// The methods that a host answers itself, without the room. Those that it does not have are unknown there.
pub trait Host {
    /// `game.file`
    fn file(&self, _: OfFile) -> Result<File, Refusal> {
        Err(unknown_method())
    }

    /// `networks.list`
    fn list_networks(&self, _: NoParams) -> Result<NetworkList, Refusal> {
        Err(unknown_method())
    }

    /// `networks.choose`
    fn choose_network(&self, _: ChooseNetwork) -> Result<NetworkList, Refusal> {
        Err(unknown_method())
    }

    /// `networks.delete`
    fn delete_network(&self, _: OfNetwork) -> Result<NetworkList, Refusal> {
        Err(unknown_method())
    }

    /// `runs.list`
    fn list_runs(&self, _: NoParams) -> Result<RunList, Refusal> {
        Err(unknown_method())
    }

    /// `runs.get`
    fn run(&self, _: OfRun) -> Result<RunMessage, Refusal> {
        Err(unknown_method())
    }

    /// `runs.games`
    fn run_games(&self, _: OfGeneration) -> Result<RunGames, Refusal> {
        Err(unknown_method())
    }

    /// `runs.open`: the record, which the room then opens.
    fn run_record(&self, _: OfRunGame) -> Result<OpenFile, Refusal> {
        Err(unknown_method())
    }
}

/// What a method of a host comes to.
#[derive(Clone, Debug)]
pub enum HostReply {
    /// The result.
    Now(Value),
    /// A file that the room has to open. What `games.open` answers to it is the result.
    Open(OpenFile),
}

/// What a host's method returns instead of its result `R`.
pub(crate) trait IntoHostReply<R> {
    fn into_reply(self) -> Result<HostReply, Refusal>;
}

impl<R: Serialize> IntoHostReply<R> for R {
    fn into_reply(self) -> Result<HostReply, Refusal> {
        to_value(&self).map(HostReply::Now)
    }
}

impl IntoHostReply<Opened> for OpenFile {
    fn into_reply(self) -> Result<HostReply, Refusal> {
        Ok(HostReply::Open(self))
    }
}

pub(crate) fn to_value(result: &impl Serialize) -> Result<Value, Refusal> {
    serde_json::to_value(result).map_err(|error| Refusal::new(Code::Unsupported, error.to_string()))
}

pub(crate) fn unknown_method() -> Refusal {
    Refusal::new(Code::UnknownMethod, "there is no such method")
}

pub(crate) fn unsupported(what: &str) -> Refusal {
    Refusal::new(Code::Unsupported, format!("this host offers no {what}"))
}
