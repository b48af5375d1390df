//! The parameters of methods.

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use crate::clock::ClockSettings;
use crate::color::ColorName;
use crate::edit::Edit;
use crate::refusal::Refusal;
use crate::seat::Seat;

/// A call as a viewer sends it.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Call {
    /// What the answer is to be marked with.
    pub id: Value,
    /// The method.
    pub method: String,
    /// Its parameters, an empty object if they are left out.
    #[serde(default = "no_params")]
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

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Nothing {}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct OfGame {
    pub game: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct OfNode {
    pub game: String,
    pub node: usize,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct OfSomeNode {
    pub game: String,
    pub node: Option<usize>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct NewGame {
    pub width: Option<u8>,
    pub height: Option<u8>,
    pub rules: String,
    pub komi: Option<f64>,
    pub handicap: Option<u8>,
    pub black: Seat,
    pub white: Seat,
    pub clock: Option<ClockSettings>,
    pub position: Option<String>,
    pub title: Option<String>,
    pub keep: Option<bool>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct OpenFile {
    pub name: Option<String>,
    pub text: Option<String>,
    pub base64: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Play {
    pub game: String,
    pub node: usize,
    #[serde(rename = "move")]
    pub action: String,
    pub color: Option<ColorName>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Resign {
    pub game: String,
    pub color: Option<ColorName>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Seats {
    pub game: String,
    pub black: Option<Seat>,
    pub white: Option<Seat>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Dead {
    pub game: String,
    pub point: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Edits {
    pub game: String,
    pub node: usize,
    pub edits: Vec<Edit>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Watch {
    pub game: String,
    pub node: usize,
    pub max_visits: Option<u32>,
    pub ownership: Option<bool>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct WatchExact {
    pub game: String,
    pub node: usize,
    pub more: Option<bool>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct StartReview {
    pub game: String,
    pub visits: Option<u32>,
}
