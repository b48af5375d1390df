//! What a run tells of itself.

use std::path::PathBuf;

use tengen_nn::Losses;

use crate::log::Summary;
use crate::records::Skipped;

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
    /// A file of records was read.
    Reading {
        /// The file.
        path: PathBuf,
        /// Games of all files so far.
        games: usize,
    },
    /// All records were read.
    Library {
        /// Games to learn from.
        lessons: usize,
        /// Games that are held out.
        held_out: usize,
        /// Games that were left out.
        skipped: Skipped,
    },
    /// The network is asked about games that it does not learn from.
    Exam,
    /// A match begins, against this opponent.
    Match(String),
    /// A generation has ended.
    Generation(Box<Summary>),
}
