//! Whether giving up was right.

use crate::record::GameRecord;

/// How often games were given up, and how often that would have been wrong.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Resignations {
    /// All games.
    pub games: u64,
    /// Games that were given up.
    pub given_up: u64,
    /// Games that would have been given up, but were played on to see what happens.
    pub played_on: u64,
    /// Those of them that the player who would have given up did not lose.
    pub wrong: u64,
}

impl Resignations {
    /// Counts a game.
    pub fn add(&mut self, record: &GameRecord) {
        self.games += 1;
        let Some(hopeless) = record.hopeless else {
            return;
        };
        if hopeless.played_on {
            self.played_on += 1;
            self.wrong += u64::from(record.winner != Some(!hopeless.loser));
        } else {
            self.given_up += 1;
        }
    }
}
