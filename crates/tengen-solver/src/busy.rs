//! Where threads are, so that they do not all look at the same.

use std::sync::atomic::{AtomicU64, Ordering};

/// How many places there are: far more than threads have situations on their paths.
const PLACES: usize = 1 << 14;

const NOBODY: u64 = u64::MAX;

/// The situations that some thread is looking at. Where two of them share a place one is forgotten, which does no harm.
pub(crate) struct Busy {
    places: Box<[AtomicU64]>,
}

impl Busy {
    pub(crate) fn new() -> Self {
        Self {
            places: (0..PLACES).map(|_| AtomicU64::new(NOBODY)).collect(),
        }
    }

    fn place(&self, situation: u64) -> &AtomicU64 {
        let mixed = situation.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        &self.places[(mixed >> 32) as usize % PLACES]
    }

    /// Is a thread looking at it?
    pub(crate) fn has(&self, situation: u64) -> bool {
        self.place(situation).load(Ordering::Relaxed) == situation
    }

    /// A thread begins to look at it.
    pub(crate) fn enter(&self, situation: u64) {
        self.place(situation).store(situation, Ordering::Relaxed);
    }

    /// It was looked at.
    pub(crate) fn leave(&self, situation: u64) {
        let place = self.place(situation);
        if place.load(Ordering::Relaxed) == situation {
            place.store(NOBODY, Ordering::Relaxed);
        }
    }
}
