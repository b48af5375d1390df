//! What a host says about itself.

use std::collections::BTreeMap;

use crate::limits::Limits;

/// What a host says about itself when it opens a room.
#[derive(Clone, Debug, PartialEq)]
pub struct RoomSettings {
    /// The name of the engine.
    pub engine: String,
    /// The name of its network, if it has one.
    pub network: Option<String>,
    /// The programs that may sit down at a game.
    pub programs: Vec<String>,
    /// What the host offers, by name; the page hides what is missing.
    pub features: BTreeMap<String, bool>,
    /// How much is too much.
    pub limits: Limits,
    /// How hard the engine thinks.
    pub effort: Effort,
}

/// How hard the engine thinks where nobody says it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Effort {
    /// Milliseconds for a move at full strength in a game without clocks; 0 for no limit.
    pub move_ms: u64,
    /// Visits for a move at full strength, at most.
    pub move_visits: u32,
    /// Visits of a hint.
    pub hint_visits: u32,
    /// Visits of an analysis.
    pub analysis_visits: u32,
    /// Visits of each position in the first look of a review.
    pub first_visits: u32,
    /// Visits of the positions of a review that matter most.
    pub review_visits: u32,
    /// Situations that are looked at for what is proven about a position, before anybody asks for more.
    pub exact_nodes: u64,
    /// Situations that are looked at for a proof to walk through.
    pub proof_nodes: u64,
    /// What is lost on the way with each move that has to be made in time, in milliseconds.
    pub lag_ms: u64,
}

impl Default for Effort {
    fn default() -> Self {
        Self {
            move_ms: 5_000,
            move_visits: 100_000,
            hint_visits: 2_000,
            analysis_visits: 20_000,
            first_visits: 48,
            review_visits: 3_200,
            exact_nodes: 1_500_000,
            proof_nodes: 8_000_000,
            lag_ms: 200,
        }
    }
}

impl Default for RoomSettings {
    fn default() -> Self {
        let features = ["analysis", "review", "estimate", "hint", "exact"];
        Self {
            engine: "Tengen".to_owned(),
            network: None,
            programs: Vec::new(),
            features: features.map(|name| (name.to_owned(), true)).into(),
            limits: Limits::default(),
            effort: Effort::default(),
        }
    }
}
