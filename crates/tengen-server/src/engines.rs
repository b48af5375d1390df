//! Engines, and the memory that they share.

use std::collections::VecDeque;

use tengen_search::{Engine, Judge, Options};

/// The least that a search can do with: a block of nodes, and room to copy it.
const LEAST: usize = 2 << 20;

/// How many engines that nobody uses are kept for what follows.
const SPARE: usize = 8;

/// Makes engines, and keeps some of those that are done: who asked about a game asks about its next position soon.
#[derive(Debug)]
pub(crate) struct Engines {
    judge: Judge,
    /// How often the judge was replaced.
    generation: u32,
    seed: u64,
    threads: usize,
    memory: usize,
    /// Those that were used last are at the end.
    spare: VecDeque<Lent>,
    /// The bytes of all engines that are in use or kept.
    taken: usize,
}

/// An engine that is used for one thing. Give it back with [`Engines::give_back`].
#[derive(Debug)]
pub(crate) struct Lent {
    pub(crate) engine: Engine,
    /// What it is used for: a game, and what about it.
    purpose: String,
    generation: u32,
}

impl Lent {
    /// How many threads it thinks with.
    pub(crate) fn width(&self) -> usize {
        self.engine.options().threads
    }

    fn memory(&self) -> usize {
        self.engine.options().memory
    }
}

impl Engines {
    pub(crate) fn new(judge: Judge, seed: u64, threads: usize, memory: usize) -> Self {
        Self {
            judge,
            generation: 0,
            seed,
            threads: threads.max(1),
            memory: memory.max(LEAST),
            spare: VecDeque::new(),
            taken: 0,
        }
    }

    /// Lets all engines that are lent from now on trust this judge.
    pub(crate) fn trust(&mut self, judge: Judge) {
        self.judge = judge;
        self.generation += 1;
        for lent in std::mem::take(&mut self.spare) {
            self.discard(&lent);
        }
    }

    /// An engine for this purpose, while so many things are thought about, this one included. A single one gets all
    /// threads.
    pub(crate) fn lend(&mut self, purpose: &str, active: usize) -> Lent {
        let width = if active <= 1 { self.threads } else { 1 };
        let place = self
            .spare
            .iter()
            .position(|lent| lent.purpose == purpose && lent.width() == width);
        if let Some(lent) = place.and_then(|place| self.spare.remove(place)) {
            return lent;
        }
        let share = self.share(active);
        while self.taken + share > self.memory
            && let Some(oldest) = self.spare.pop_front()
        {
            self.taken -= oldest.memory();
        }
        self.taken += share;
        let options = Options {
            threads: width,
            seed: self.seed ^ checksum(purpose),
            memory: share,
        };
        Lent {
            engine: self.judge.engine(options),
            purpose: purpose.to_owned(),
            generation: self.generation,
        }
    }

    /// Does this engine hold more than its share, now that so many things are thought about?
    pub(crate) fn is_greedy(&self, lent: &Lent, active: usize) -> bool {
        self.taken > self.memory && lent.memory() > self.share(active)
    }

    /// Takes an engine back that is done, and keeps it for what follows.
    pub(crate) fn give_back(&mut self, lent: Lent) {
        if lent.generation != self.generation {
            self.discard(&lent);
            return;
        }
        self.spare.push_back(lent);
        while self.spare.len() > SPARE || self.taken > self.memory {
            let Some(oldest) = self.spare.pop_front() else {
                break;
            };
            self.taken -= oldest.memory();
        }
    }

    /// Takes an engine back that is of no use any more.
    pub(crate) fn discard(&mut self, lent: &Lent) {
        self.taken -= lent.memory();
    }

    /// What each of so many searches may have: half of it, since trees that are kept want some, too.
    fn share(&self, active: usize) -> usize {
        (self.memory / (2 * active.max(4))).max(LEAST)
    }
}

/// A number for a text.
fn checksum(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn engines() -> Engines {
        Engines::new(Judge::default(), 0, 4, 64 << 20)
    }

    #[test]
    fn one_alone_gets_all_threads_and_many_a_share() {
        let mut engines = engines();
        assert_eq!(engines.lend("a", 1).width(), 4);
        let shares: Vec<Lent> = (2..8).map(|active| engines.lend("b", active)).collect();
        assert!(shares.iter().all(|lent| lent.width() == 1));
        assert_eq!(shares[0].memory(), 8 << 20);
        assert_eq!(shares[5].memory(), (64 << 20) / 14);
        // However many there are, each has enough to think at all.
        assert_eq!(engines.lend("c", 1000).memory(), LEAST);
    }

    #[test]
    fn an_engine_comes_back_to_its_purpose() {
        let mut engines = engines();
        let lent = engines.lend("a", 2);
        engines.give_back(lent);
        assert_eq!((engines.spare.len(), engines.taken), (1, 8 << 20));
        let other = engines.lend("b", 2);
        let same = engines.lend("a", 2);
        assert_eq!((engines.spare.len(), engines.taken), (0, 16 << 20));
        engines.discard(&same);
        engines.give_back(other);
        assert_eq!(engines.taken, 8 << 20);
    }

    #[test]
    fn nobody_gets_an_engine_that_trusts_a_former_judge() {
        let mut engines = engines();
        let (kept, used) = (engines.lend("a", 2), engines.lend("b", 2));
        engines.give_back(kept);
        engines.trust(Judge::new("other", |options| {
            Judge::default().evaluator(options)
        }));
        assert_eq!((engines.spare.len(), engines.taken), (0, 8 << 20));
        engines.give_back(used);
        assert_eq!((engines.spare.len(), engines.taken), (0, 0));
        let lent = engines.lend("a", 2);
        engines.give_back(lent);
        assert_eq!(engines.spare.len(), 1);
    }

    #[test]
    fn what_is_kept_gives_way_to_what_is_needed() {
        let mut engines = engines();
        let lent: Vec<Lent> = (0..6)
            .map(|number| engines.lend(&number.to_string(), 2))
            .collect();
        lent.into_iter().for_each(|lent| engines.give_back(lent));
        assert_eq!(engines.spare.len(), 6);
        let busy: Vec<Lent> = (10..14)
            .map(|number| engines.lend(&number.to_string(), 2))
            .collect();
        assert_eq!((engines.spare.len(), engines.taken), (4, 64 << 20));
        let more: Vec<Lent> = (20..40)
            .map(|number| engines.lend(&number.to_string(), 14))
            .collect();
        assert!(engines.spare.is_empty() && engines.taken > engines.memory);
        // Those who came when there was more room have to make some.
        assert!(engines.is_greedy(&busy[0], 14));
        assert!(!engines.is_greedy(&more[0], 14));
    }
}
