//! What texts and numbers in messages stand for, as types for the generated documents.

use schemars::JsonSchema;
use serde::Serialize;

/// The name of a game.
#[derive(Serialize, JsonSchema)]
pub(crate) struct GameId(#[schemars(regex(pattern = "^[a-z0-9]{1,32}$"))] String);

/// The number of a node of a game's tree. The root is 0.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Node(usize);

/// A point as in GTP, such as `Q16`: columns from the left without I, rows from the bottom.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Point(String);

/// A point, or `pass`.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Move(String);

/// The stones of a board, a character a point, row by row from the top left: `.`, `X` for Black, `O` for White.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Stones(#[schemars(regex(pattern = "^[.XO]+$"))] String);

/// The move of a node: `B Q16`, `W pass`, `setup` for stones that were set up, `removed` for a node that is gone, or
/// nothing.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Turn(String);

/// A player, as messages name one.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[expect(dead_code, reason = "only its schema is of use")]
pub(crate) enum Color {
    /// Black.
    Black,
    /// White.
    White,
}

/// What marks a call and its answer.
#[derive(Serialize, JsonSchema)]
#[serde(untagged)]
#[expect(dead_code, reason = "only its schema is of use")]
pub(crate) enum CallId {
    /// A number.
    Number(i64),
    /// A short text.
    Text(String),
}
