//! Games as files, for messages. Hosts whose viewers cannot download them make them.

use serde::{Deserialize, Serialize};

/// Which file is asked for.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct OfFile {
    /// The game.
    #[cfg_attr(test, schemars(with = "crate::words::GameId"))]
    pub game: String,
    /// What is to be in the file.
    pub kind: FileKind,
    /// The node of the position; where the game stands, if it is left out.
    #[cfg_attr(test, schemars(with = "Option<crate::words::Node>"))]
    pub node: Option<usize>,
}

/// What is in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum FileKind {
    /// The record, with what a review has found in properties that other programs leave alone.
    Sgf,
    /// The record, with what a review has found in comments, too.
    #[serde(rename = "comments.sgf")]
    CommentedSgf,
    /// A position.
    Svg,
    /// The game, played move by move.
    Animation,
}

/// A file to be saved by somebody.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct File {
    /// What it is to be called.
    pub name: String,
    /// Its media type.
    #[serde(rename = "type")]
    pub media_type: &'static str,
    /// What is in it.
    pub text: String,
}
