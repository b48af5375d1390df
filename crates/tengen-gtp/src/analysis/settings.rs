//! What holds for all queries.

use std::time::Duration;

use tengen_core::Rules;
use tengen_search::Options;

use super::course::StartingMoves;
use super::perspective::Perspective;

/// How queries are served.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// What a query means that does not say it itself.
    pub defaults: Defaults,
    /// How many positions are searched at a time, each by an engine of its own.
    pub positions: usize,
    /// How these engines think; they share the memory.
    pub engine: Options,
    /// What happens to queries that are still open when the input ends.
    pub at_end: AtEnd,
}

/// What a query means that does not say it itself.
#[derive(Clone, Debug, PartialEq)]
pub struct Defaults {
    /// How many visits a position gets at most.
    pub visits: u32,
    /// How long a position is searched at most.
    pub time: Option<Duration>,
    /// From whose side numbers are seen.
    pub perspective: Perspective,
    /// How many moves of a variation are reported after the first.
    pub variation_length: usize,
    /// The rules; without them, a query has to name its own.
    pub rules: Option<Rules>,
    /// What to say about fields that nobody knows.
    pub unused_fields: UnusedFields,
    /// What Black's moves are before White's first.
    pub starting_moves: StartingMoves,
}

/// What to say about fields that nobody knows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum UnusedFields {
    /// Each is answered with a warning.
    #[default]
    Warn,
    /// Nothing.
    Ignore,
}

/// What happens to queries that are still open when the input ends.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum AtEnd {
    /// They are answered first.
    #[default]
    Finish,
    /// They are given up.
    Abandon,
}

impl Default for Defaults {
    fn default() -> Self {
        Self {
            visits: 1000,
            time: None,
            perspective: Perspective::default(),
            variation_length: 15,
            rules: None,
            unused_fields: UnusedFields::default(),
            starting_moves: StartingMoves::default(),
        }
    }
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            defaults: Defaults::default(),
            // A second one answers while the first ponders.
            positions: 2,
            engine: Options::default(),
            at_end: AtEnd::default(),
        }
    }
}
