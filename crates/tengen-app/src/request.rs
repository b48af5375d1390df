//! What methods take.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use tengen_core::Color;

use crate::clock::ClockSettings;
use crate::edit::Edit;
use crate::refusal::Refusal;
use crate::seat::Seat;

/// A call over the WebSocket.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Call {
    /// What the answer is to be marked with: a number or a text of the caller's choice.
    #[cfg_attr(test, schemars(with = "crate::words::CallId"))]
    pub id: Value,
    /// The method.
    pub method: String,
    /// Its parameters, an empty object if they are left out.
    #[serde(default = "no_params")]
    #[cfg_attr(test, schemars(with = "Map<String, Value>"))]
    pub params: Value,
}

fn no_params() -> Value {
    Value::Object(Map::new())
}

/// Reads the parameters of a method. None at all are the same as an empty object.
pub(crate) fn read<T: DeserializeOwned>(params: Value) -> Result<T, Refusal> {
    let params = match params {
        Value::Null => no_params(),
        params => params,
    };
    serde_json::from_value(params).map_err(Refusal::params)
}

/// No parameters.
#[derive(Clone, Copy, Debug, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct NoParams {}

#[derive(Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct OfGame {
    /// The game.
    #[cfg_attr(test, schemars(with = "crate::words::GameId"))]
    pub game: String,
}

#[derive(Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct OfNode {
    /// The game.
    #[cfg_attr(test, schemars(with = "crate::words::GameId"))]
    pub game: String,
    /// The node.
    #[cfg_attr(test, schemars(with = "crate::words::Node"))]
    pub node: usize,
}

#[derive(Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct OfSomeNode {
    /// The game.
    #[cfg_attr(test, schemars(with = "crate::words::GameId"))]
    pub game: String,
    /// The node; where the game stands, if it is left out.
    #[cfg_attr(test, schemars(with = "Option<crate::words::Node>"))]
    pub node: Option<usize>,
}

#[derive(Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct NewGame {
    /// The number of columns, 2 to 25. It may be left out if `position` is given.
    pub width: Option<u8>,
    /// The number of rows, 2 to 25.
    pub height: Option<u8>,
    /// The rules: one of the names that `about` lists, or any text that names rules, such as `koSIMPLEscoreAREAsui0`.
    pub rules: String,
    /// White's komi in points; if it is left out, that of the rules and the size, or 0.5 with handicap stones.
    pub komi: Option<f64>,
    /// Handicap stones on the star points: 0, or 2 to 9.
    pub handicap: Option<u8>,
    /// Who plays Black.
    pub black: Seat,
    /// Who plays White.
    pub white: Seat,
    /// How the time is regulated; without it there is no clock.
    pub clock: Option<ClockSettings>,
    /// Milliseconds between two moves of a game without persons and clocks, at least: see `game.pace`.
    pub pace: Option<u32>,
    /// A diagram to begin with: a row a line of `X`, `O` and `.`, and perhaps `White to move`. It then gives the size.
    pub position: Option<String>,
    /// What the game is called.
    pub title: Option<String>,
    /// False for a lesson or a scratch board: it is neither listed nor saved, and gone when its viewers are.
    pub keep: Option<bool>,
}

/// A file that is to be opened: either `text` or `base64`.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct OpenFile {
    /// What the file is called. Games without a name of their own get this one.
    pub name: Option<String>,
    /// The record as text, for what was pasted.
    pub text: Option<String>,
    /// The bytes of the file, which may have any encoding.
    pub base64: Option<String>,
    /// The name of the encoding of the bytes, such as `GBK`, for somebody who knows better than the file.
    pub encoding: Option<String>,
    /// False for games to look at once: they are neither listed nor saved, and gone when their viewers are.
    pub keep: Option<bool>,
}

#[derive(Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct Play {
    /// The game.
    #[cfg_attr(test, schemars(with = "crate::words::GameId"))]
    pub game: String,
    /// The node after which the move is played. While the game is played it must be `live`.
    #[cfg_attr(test, schemars(with = "crate::words::Node"))]
    pub node: usize,
    /// The move.
    #[serde(rename = "move")]
    #[cfg_attr(test, schemars(with = "crate::words::Move"))]
    pub action: String,
    /// Whose move it is, in a review; whose turn it is, if it is left out.
    #[cfg_attr(test, schemars(with = "Option<crate::words::Color>"))]
    pub color: Option<Color>,
}

#[derive(Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct Resign {
    /// The game.
    #[cfg_attr(test, schemars(with = "crate::words::GameId"))]
    pub game: String,
    /// Who resigns. It may be left out if it is a person's turn, or if only one person plays.
    #[cfg_attr(test, schemars(with = "Option<crate::words::Color>"))]
    pub color: Option<Color>,
}

#[derive(Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct Invite {
    /// The game.
    #[cfg_attr(test, schemars(with = "crate::words::GameId"))]
    pub game: String,
    /// The seat. A person plays it.
    #[cfg_attr(test, schemars(with = "crate::words::Color"))]
    pub color: Color,
    /// What whoever is invited will know: 16 to 128 letters, digits, `-` and `_`, drawn at random.
    pub secret: String,
}

#[derive(Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct Pace {
    /// The game.
    #[cfg_attr(test, schemars(with = "crate::words::GameId"))]
    pub game: String,
    /// Milliseconds between two moves, at least; 60,000 at most.
    pub pace: u32,
}

#[derive(Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct Seats {
    /// The game.
    #[cfg_attr(test, schemars(with = "crate::words::GameId"))]
    pub game: String,
    /// Who plays Black from now on.
    pub black: Option<Seat>,
    /// Who plays White from now on.
    pub white: Option<Seat>,
}

#[derive(Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct Dead {
    /// The game.
    #[cfg_attr(test, schemars(with = "crate::words::GameId"))]
    pub game: String,
    /// A stone of the chain.
    #[cfg_attr(test, schemars(with = "crate::words::Point"))]
    pub point: String,
}

#[derive(Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct Edits {
    /// The game.
    #[cfg_attr(test, schemars(with = "crate::words::GameId"))]
    pub game: String,
    /// The node that is edited.
    #[cfg_attr(test, schemars(with = "crate::words::Node"))]
    pub node: usize,
    /// The edits, in order: all of them are made, or none.
    pub edits: Vec<Edit>,
}

#[derive(Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct Watch {
    /// The game.
    #[cfg_attr(test, schemars(with = "crate::words::GameId"))]
    pub game: String,
    /// The node of the position.
    #[cfg_attr(test, schemars(with = "crate::words::Node"))]
    pub node: usize,
    /// The visits after which the analysis ends.
    pub max_visits: Option<u32>,
    /// Are events to say whose each point will be?
    pub ownership: Option<bool>,
}

#[derive(Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct WatchExact {
    /// The game.
    #[cfg_attr(test, schemars(with = "crate::words::GameId"))]
    pub game: String,
    /// The node of the position.
    #[cfg_attr(test, schemars(with = "crate::words::Node"))]
    pub node: usize,
    /// True to search with four times the effort of last time.
    pub more: Option<bool>,
}

#[derive(Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct StartReview {
    /// The game.
    #[cfg_attr(test, schemars(with = "crate::words::GameId"))]
    pub game: String,
    /// Visits for the positions that matter most.
    pub visits: Option<u32>,
}

#[derive(Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct Judge {
    /// The game.
    #[cfg_attr(test, schemars(with = "crate::words::GameId"))]
    pub game: String,
    /// The node of the position.
    #[cfg_attr(test, schemars(with = "crate::words::Node"))]
    pub node: usize,
    /// The move of whoever is to move there.
    #[serde(rename = "move")]
    #[cfg_attr(test, schemars(with = "crate::words::Move"))]
    pub action: String,
}
