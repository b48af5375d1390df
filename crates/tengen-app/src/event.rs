//! What viewers are told without having asked.

use serde::Serialize;
use serde_json::{Map, Value};

use crate::analysis::AnalysisMessage;
use crate::clock::SideMessage;
use crate::exact::ExactMessage;
use crate::review::ReviewedMessage;

/// What a viewer is told without having asked. As JSON it has its name as `event`.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "event", rename_all = "lowercase")]
pub enum Event {
    /// A game has changed.
    Game {
        /// The game.
        game: String,
        /// Its version now.
        version: u64,
        /// What is new: fields of the sheet, and nodes of the tree.
        change: Map<String, Value>,
    },
    /// Clocks have started, stopped or begun a new period.
    Clock {
        /// The game.
        game: String,
        /// Black's clock.
        black: SideMessage,
        /// White's clock.
        white: SideMessage,
    },
    /// A search has found something.
    Analysis(Box<AnalysisMessage>),
    /// A search has failed, or its position is gone.
    #[serde(rename = "analysis")]
    AnalysisFailed {
        /// The game.
        game: String,
        /// The node.
        node: usize,
        /// Why.
        failed: String,
        /// Nothing more follows.
        done: bool,
    },
    /// Something is proven about a position.
    Exact(Box<ExactMessage>),
    /// A proof has failed, or its position is gone.
    #[serde(rename = "exact")]
    ExactFailed {
        /// The game.
        game: String,
        /// The node.
        node: usize,
        /// Why.
        failed: String,
        /// Nothing more follows.
        done: bool,
    },
    /// A review has looked at a position.
    Review {
        /// The game.
        game: String,
        /// How many positions were looked at.
        done: usize,
        /// How many there are.
        total: usize,
        /// The position.
        #[serde(flatten)]
        reviewed: ReviewedMessage,
    },
    /// A review has failed, and ends.
    #[serde(rename = "review")]
    ReviewFailed {
        /// The game.
        game: String,
        /// How many positions were looked at.
        done: usize,
        /// How many there are.
        total: usize,
        /// Why.
        failed: String,
    },
}
