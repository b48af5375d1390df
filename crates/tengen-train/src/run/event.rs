//! What a run tells of itself.

use tengen_nn::Losses;

use crate::log::Summary;

/// What a run is doing.
#[derive(Clone, Debug)]
pub enum Event {
    /// Something in its folder was left out.
    Complaint(String),
    /// A game of a generation has ended.
    Game {
        /// The generation.
        generation: u64,
        /// Games of it that have ended.
        played: u64,
        /// Games that it has.
        games: u64,
        /// Games in an hour.
        rate: f64,
    },
    /// A step was learned.
    Step {
        /// The generation.
        generation: u64,
        /// Steps since its start.
        step: u64,
        /// Steps that it has.
        steps: u64,
        /// How wrong the network was.
        losses: Losses,
    },
    /// A match begins, against this opponent.
    Match(String),
    /// A generation has ended.
    Generation(Box<Summary>),
}
