//! What an engine is asked to do.

use std::sync::Arc;
use std::time::Duration;

use serde::Serialize;
use tengen_core::{Color, Game, Move, Settlement};
use tengen_search::{Analysis, Level};
use tengen_solver::verify::Proof;
use tengen_solver::{Bound, Values};

use crate::clock::ClockSettings;
use crate::room::Viewer;

/// The number of a job; no two jobs of a room have the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub struct JobId(pub u64);

/// Something for an engine or a program to think about. What comes of it is told to the room with
/// [`Room::report`](crate::Room::report).
#[derive(Clone, Debug)]
pub struct Job {
    /// Its number.
    pub id: JobId,
    /// Who waits for it, so that a host can give every viewer a fair share. `None` after a restart, until somebody
    /// acts.
    pub viewer: Option<Viewer>,
    /// The game that it is about.
    pub game: String,
    /// The node of the position.
    pub node: usize,
    /// The position, with its history, rules and komi.
    pub position: Game,
    /// What to find out.
    pub kind: JobKind,
}

/// What to find out about a position.
#[derive(Clone, Debug, PartialEq)]
pub enum JobKind {
    /// The engine's move in a game.
    Move {
        /// How well to play.
        level: Level,
        /// How long it may take, if there is a limit.
        time: Option<Duration>,
        /// The most visits.
        visits: u32,
    },
    /// The move of a program that the host has started.
    Program {
        /// Its name.
        name: String,
        /// How the time of the game is regulated.
        clock: Option<ClockSettings>,
        /// What both have left: seconds, and stones or periods in the sense of GTP's `time_left`.
        left: Vec<(Color, u32, u32)>,
    },
    /// A good move, for a person.
    Hint {
        /// The visits.
        visits: u32,
    },
    /// Whose the points will be, and the score.
    Estimate {
        /// The visits.
        visits: u32,
    },
    /// The dead stones at the end of a game.
    Propose,
    /// What the position is worth, with reports on the way.
    Analyze {
        /// The visits.
        visits: u32,
        /// A move that is looked at whatever it seems worth, such as the one that was played.
        beside: Option<Move>,
    },
    /// What is proven about the position and its moves, with reports on the way. The board has few points.
    Exact {
        /// How many situations to look at, at most.
        nodes: u64,
    },
    /// A proof of what a player forces, with reports on the way. The board has few points.
    Proof {
        /// What the player forces.
        bound: Bound,
        /// How many situations to look at, at most.
        nodes: u64,
    },
    /// What the position is worth, as part of a review or to judge a move.
    Review {
        /// The visits.
        visits: u32,
        /// A move that is looked at whatever it seems worth, such as the one that was played.
        beside: Option<Move>,
    },
}

/// What a host tells the room about a job.
#[derive(Clone, Debug)]
pub enum Report {
    /// What is known so far; more follows.
    Progress(Box<Analysis>),
    /// What is proven so far; more follows.
    Proving(Box<Values>),
    /// How far the search for a proof has come; more follows.
    Seeking {
        /// Situations that were looked at.
        nodes: u64,
        /// Is it found, so that it is only to be written down and checked?
        found: bool,
    },
    /// The end of the job.
    Done(Finding),
    /// The job has failed: why, in a sentence.
    Failed(String),
}

/// What came of a job.
#[derive(Clone, Debug)]
pub enum Finding {
    /// For [`JobKind::Move`] and [`JobKind::Program`]: the move, or `None` to resign.
    Move(Option<Move>),
    /// For [`JobKind::Hint`], [`JobKind::Analyze`] and [`JobKind::Review`].
    Analysis(Box<Analysis>),
    /// For [`JobKind::Estimate`].
    Estimate(Box<Analysis>, Box<Settlement>),
    /// For [`JobKind::Exact`].
    Values(Box<Values>),
    /// For [`JobKind::Proof`]; `None` if there is none, or it would take more effort.
    Proof(Option<Arc<Proof>>),
    /// For [`JobKind::Propose`].
    Settlement(Box<Settlement>),
}
