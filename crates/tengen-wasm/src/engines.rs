//! Engines, each for a purpose.

use tengen_app::{Job, JobKind};
use tengen_core::Color;
use tengen_search::{Engine, Judge, Options, Time};

/// Bytes for the tree of an engine. Several engines may be at work, and on a telephone this is a good part of what a
/// page gets.
const MEMORY: usize = 48 << 20;

/// How many engines that nobody uses are kept for what follows.
const SPARE: usize = 2;

/// Makes engines, and keeps some that are done: who asked about a game asks about its next position soon.
#[derive(Debug)]
pub(crate) struct Engines {
    judge: Judge,
    /// How often the judge was replaced.
    generation: u32,
    time: Time,
    /// Those that were used last are at the end.
    spare: Vec<Lent>,
}

/// An engine that is used for one thing.
#[derive(Debug)]
pub(crate) struct Lent {
    pub(crate) engine: Engine,
    purpose: String,
    generation: u32,
}

impl Engines {
    pub(crate) fn new(time: Time) -> Self {
        Self {
            judge: Judge::default(),
            generation: 0,
            time,
            spare: Vec::new(),
        }
    }

    /// Lets all engines that are lent from now on trust this judge.
    pub(crate) fn trust(&mut self, judge: Judge) {
        self.judge = judge;
        self.generation += 1;
        self.spare.clear();
    }

    /// An engine for a job: the one that had such a job before, or a new one.
    pub(crate) fn lend(&mut self, job: &Job) -> Lent {
        let purpose = purpose(job);
        let known = self.spare.iter().position(|lent| lent.purpose == purpose);
        if let Some(place) = known {
            return self.spare.remove(place);
        }
        // What it has learnt is of no use here, and takes memory.
        if self.spare.len() >= SPARE {
            self.spare.remove(0);
        }
        let options = Options {
            threads: 1,
            seed: seed(&purpose),
            memory: MEMORY,
        };
        Lent {
            engine: self.judge.engine(options).timed_by(self.time),
            purpose,
            generation: self.generation,
        }
    }

    /// Takes an engine back.
    pub(crate) fn give_back(&mut self, lent: Lent) {
        if lent.generation != self.generation {
            return;
        }
        if self.spare.len() >= SPARE {
            self.spare.remove(0);
        }
        self.spare.push(lent);
    }
}

/// What an engine can be used for again. A player must not know what an analyst has found.
fn purpose(job: &Job) -> String {
    let kind = match (&job.kind, job.position.to_move()) {
        (JobKind::Move { .. }, Color::Black) => "black",
        (JobKind::Move { .. }, Color::White) => "white",
        _ => "analysis",
    };
    format!("{kind} {}", job.game)
}

/// Games have different names, so that two of them are not the same even if the same moves are played.
fn seed(purpose: &str) -> u64 {
    purpose.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}
