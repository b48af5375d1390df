//! Networks that people bring, for messages. Hosts keep and read them.

use serde::{Deserialize, Serialize};

/// Which network the engine is to judge by.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct ChooseNetwork {
    /// The name of its file; the host's own networks, if it is left out.
    pub name: Option<String>,
}

/// A network that somebody has brought.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct OfNetwork {
    /// The name of its file.
    pub name: String,
}

/// The networks that people have brought.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct NetworkList {
    /// By their names.
    pub networks: Vec<NetworkMessage>,
    /// How many bytes the file of one may have.
    pub most_bytes: u64,
}

/// A network that somebody has brought.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct NetworkMessage {
    /// The name of its file.
    pub name: String,
    /// What it says of itself; empty if it was not read yet.
    pub about: String,
    /// The bytes of its file.
    pub bytes: u64,
    /// Does the engine judge by it?
    pub chosen: bool,
}
