//! Where a run is, between two starts of the program.

use std::collections::HashMap;

use tengen_nn::Losses;

/// Where a run is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Standing {
    pub(super) generation: u64,
    /// Games of all generations before.
    pub(super) games_before: u64,
    /// The steps at the start of this generation.
    pub(super) steps_before: u64,
    /// The steps at the end of this generation, once its games are complete.
    pub(super) steps_due: Option<u64>,
    /// Seconds that this generation has taken so far.
    pub(super) play_seconds: f64,
    pub(super) learn_seconds: f64,
    pub(super) losses: Losses,
}

impl Standing {
    pub(super) fn notes(&self) -> Vec<(&'static str, String)> {
        let mut notes = vec![
            ("generation", self.generation.to_string()),
            ("games_before", self.games_before.to_string()),
            ("steps_before", self.steps_before.to_string()),
            ("play_seconds", self.play_seconds.to_string()),
            ("learn_seconds", self.learn_seconds.to_string()),
            (
                "losses",
                serde_json::to_string(&self.losses).unwrap_or_default(),
            ),
        ];
        notes.extend(self.steps_due.map(|due| ("steps_due", due.to_string())));
        notes
    }

    pub(super) fn from_notes(notes: &HashMap<String, String>) -> Option<Self> {
        let whole = |name: &str| notes.get(name)?.parse().ok();
        let fraction = |name: &str| notes.get(name)?.parse().ok();
        Some(Self {
            generation: whole("generation")?,
            games_before: whole("games_before")?,
            steps_before: whole("steps_before")?,
            steps_due: match notes.get("steps_due") {
                Some(due) => Some(due.parse().ok()?),
                None => None,
            },
            play_seconds: fraction("play_seconds")?,
            learn_seconds: fraction("learn_seconds")?,
            losses: serde_json::from_str(notes.get("losses")?).ok()?,
        })
    }
}
