//! What viewers are told without having asked.

use serde::Serialize;

use crate::analysis::AnalysisMessage;
use crate::clock::SideMessage;
use crate::difference::Change;
use crate::exact::ExactMessage;
use crate::review::ReviewedMessage;
use crate::walk::ProofProgress;

/// What a viewer is told over the WebSocket without having asked. As JSON it has its name as `event`.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(tag = "event", rename_all = "lowercase")]
pub enum Event {
    /// A game has changed. Those who watch it are told.
    Game {
        /// The game.
        #[cfg_attr(test, schemars(with = "crate::words::GameId"))]
        game: String,
        /// Its version now.
        version: u64,
        /// What is new.
        change: Box<Change>,
    },
    /// Clocks have started, stopped or begun a new period.
    Clock {
        /// The game.
        #[cfg_attr(test, schemars(with = "crate::words::GameId"))]
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
        #[cfg_attr(test, schemars(with = "crate::words::GameId"))]
        game: String,
        /// The node.
        #[cfg_attr(test, schemars(with = "crate::words::Node"))]
        node: usize,
        /// Why.
        failed: String,
        /// Nothing more follows.
        #[cfg_attr(test, schemars(extend("const" = true)))]
        done: bool,
    },
    /// Something is proven about a position.
    Exact(Box<ExactMessage>),
    /// A proof has failed, or its position is gone.
    #[serde(rename = "exact")]
    ExactFailed {
        /// The game.
        #[cfg_attr(test, schemars(with = "crate::words::GameId"))]
        game: String,
        /// The node.
        #[cfg_attr(test, schemars(with = "crate::words::Node"))]
        node: usize,
        /// Why.
        failed: String,
        /// Nothing more follows.
        #[cfg_attr(test, schemars(extend("const" = true)))]
        done: bool,
    },
    /// The search for a proof goes on.
    Proof(ProofProgress),
    /// A review has looked at a position. What it found may also settle what is known of the position before.
    Review {
        /// The game.
        #[cfg_attr(test, schemars(with = "crate::words::GameId"))]
        game: String,
        /// Does it go on?
        running: bool,
        /// The round: 0 is the first look at all positions, later ones look closer at those that matter.
        round: u32,
        /// How many positions of the round were looked at.
        done: usize,
        /// How many there are.
        total: usize,
        /// The position.
        #[serde(flatten)]
        reviewed: Box<ReviewedMessage>,
    },
    /// A review has failed, and ends.
    #[serde(rename = "review")]
    ReviewFailed {
        /// The game.
        #[cfg_attr(test, schemars(with = "crate::words::GameId"))]
        game: String,
        /// How many positions were looked at.
        done: usize,
        /// How many there are.
        total: usize,
        /// Why.
        failed: String,
    },
}

impl Event {
    /// About how many nodes of records it speaks of: to write it down takes as long.
    pub fn weight(&self) -> usize {
        match self {
            Self::Game { change, .. } => change.weight(),
            _ => 0,
        }
    }
}
