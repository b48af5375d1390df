//! What the search has found out about situations, shared by all threads.
//!
//! An entry is one atomic word, so that no lock is needed and no entry is ever half written. Keys are exact: they are
//! mixed by a bijection, the remainder modulo the number of buckets says where an entry is, and the quotient is stored.

use std::hint::black_box;
use std::sync::atomic::{AtomicU64, Ordering};

/// Entries of a bucket: one line of the processor's cache.
const WAYS: usize = 8;

/// Bits of an entry for what is known, below the quotient of the key.
const DATA_BITS: u32 = 23;

const DATA_MASK: u64 = (1 << DATA_BITS) - 1;

/// Entries of less worth than this are found again faster than they are read from a file.
const KEPT: u32 = 8;

/// The depth of a failure that no deeper search would change.
pub(crate) const FINAL: u8 = 127;

/// A fact about a situation and a prover.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fact {
    /// The prover forces at least this margin, by this move where it is the prover's turn.
    Win {
        threshold: i32,
        place: u8,
        effort: u8,
    },
    /// The search did not prove this margin to this depth. The move was best for whoever was to move.
    Fail {
        threshold: i32,
        place: u8,
        depth: u8,
        /// Did the failure rest on the way that led here?
        on_path: bool,
        /// Did the search end somewhere for want of depth?
        cut: bool,
    },
}

const WIN: u64 = 1;
const FAIL: u64 = 2;
const FAIL_ON_PATH: u64 = 3;

/// All that the table knows about a situation and a prover.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Known {
    pub(crate) win: Option<Fact>,
    pub(crate) fail: Option<Fact>,
}

#[repr(align(64))]
#[derive(Default)]
struct Bucket([AtomicU64; WAYS]);

/// Where a situation is kept, and what is left of its key there.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct TableSlot {
    bucket: usize,
    quotient: u64,
}

/// The table.
pub(crate) struct TranspositionTable {
    buckets: Vec<Bucket>,
    key_bits: u32,
    /// The margin of nothing: thresholds are stored as distances from below it.
    area: i32,
}

impl TranspositionTable {
    /// A table for boards of so many points in about so many bytes.
    pub(crate) fn new(area: usize, bytes: u64) -> Self {
        let situations = 3_f64.powi(area as i32) * (area as f64 + 2.0) * 2.0;
        let key_bits = libm::log2(situations).floor() as u32 + 1;
        // The quotient has to fit beside the data; and there is no use in more entries than situations.
        let least = 1_u64 << (key_bits + DATA_BITS).saturating_sub(64);
        let most = (situations / 64.0) as u64 + 64;
        let count = (bytes / 64).clamp(16, most).max(least);
        let mut buckets = Vec::new();
        buckets.resize_with(count as usize, Bucket::default);
        Self {
            buckets,
            key_bits,
            area: area as i32,
        }
    }

    /// Mixes a key without losing anything.
    const fn mix(&self, key: u64) -> u64 {
        let mask = u64::MAX >> (64 - self.key_bits);
        let half = self.key_bits / 2;
        let mut mixed = key.wrapping_mul(0x9e37_79b9_7f4a_7c15) & mask;
        mixed ^= mixed >> half;
        mixed = mixed.wrapping_mul(0xd6e8_feb8_6659_fd93) & mask;
        mixed ^= mixed >> half;
        mixed
    }

    #[inline]
    fn find(&self, mixed: u64) -> TableSlot {
        let count = self.buckets.len() as u64;
        TableSlot {
            bucket: (mixed % count) as usize,
            quotient: mixed / count,
        }
    }

    /// Where a situation is, once that part of the table is on its way into the processor's cache.
    ///
    /// This is a prefetch: a caller that needs many situations asks for all slots first, and waits for memory once.
    #[inline]
    pub(crate) fn call(&self, key: u64) -> TableSlot {
        let place = self.find(self.mix(key));
        black_box(self.buckets[place.bucket].0[0].load(Ordering::Relaxed));
        place
    }

    /// What is known about a situation.
    #[inline]
    pub(crate) fn get(&self, key: u64) -> Known {
        self.at(self.find(self.mix(key)))
    }

    /// What is known about the situation at a place.
    #[inline]
    pub(crate) fn at(&self, place: TableSlot) -> Known {
        let mut known = Known::default();
        for slot in &self.buckets[place.bucket].0 {
            let word = slot.load(Ordering::Relaxed);
            if word >> DATA_BITS == place.quotient && word & 3 != 0 {
                let fact = self.unpack(word);
                match fact {
                    Fact::Win { .. } => known.win = Some(fact),
                    Fact::Fail { .. } => known.fail = Some(fact),
                }
            }
        }
        known
    }

    /// Remembers a fact, in place of what is the least loss: failures before wins, what was easy to find before what
    /// was hard.
    pub(crate) fn put(&self, key: u64, fact: Fact) {
        self.put_at(self.mix(key), fact);
    }

    fn put_at(&self, mixed: u64, fact: Fact) {
        let TableSlot { bucket, quotient } = self.find(mixed);
        let bucket = &self.buckets[bucket];
        let word = quotient << DATA_BITS | self.pack(fact);
        let is_win = matches!(fact, Fact::Win { .. });
        let mut victim = &bucket.0[0];
        let mut least = u32::MAX;
        for slot in &bucket.0 {
            let old = slot.load(Ordering::Relaxed);
            if old & 3 != 0 && old >> DATA_BITS == quotient && (old & 3 == WIN) == is_win {
                if outdates(fact, self.unpack(old)) {
                    slot.store(word, Ordering::Relaxed);
                }
                return;
            }
            let worth = worth(old);
            if worth < least {
                least = worth;
                victim = slot;
            }
        }
        victim.store(word, Ordering::Relaxed);
    }

    /// The part of the table that is in use, from 0 to 1: what a sample of its buckets says.
    pub(crate) fn fullness(&self) -> f64 {
        let step = (self.buckets.len() / 1024).max(1);
        let sample = self.buckets.iter().step_by(step);
        let slots = sample.flat_map(|bucket| &bucket.0);
        let (used, all) = slots.fold((0_u32, 0_u32), |(used, all), slot| {
            let in_use = slot.load(Ordering::Relaxed) & 3 != 0;
            (used + u32::from(in_use), all + 1)
        });
        f64::from(used) / f64::from(all)
    }

    /// How many bytes it takes.
    pub(crate) const fn bytes(&self) -> u64 {
        (self.buckets.len() * size_of::<Bucket>()) as u64
    }

    /// All entries that are worth keeping, as they are stored in files: the mixed key, which does not depend on the
    /// size of the table, and the data.
    pub(crate) fn records(&self) -> impl Iterator<Item = (u64, u32)> {
        let count = self.buckets.len() as u64;
        let words = (0..)
            .zip(&self.buckets)
            .flat_map(|(index, bucket): (u64, &Bucket)| {
                let words = bucket.0.iter().map(|slot| slot.load(Ordering::Relaxed));
                words.map(move |word| (index, word))
            });
        words
            .filter(|(_, word)| worth(*word) > KEPT)
            .map(move |(index, word)| {
                let mixed = (word >> DATA_BITS) * count + index;
                (mixed, (word & DATA_MASK) as u32)
            })
    }

    /// Takes an entry of a file in. What is not an entry of this board is left out.
    pub(crate) fn restore(&self, mixed: u64, data: u32) {
        let data = u64::from(data);
        let distance = (data >> 16) as i32;
        let is_fact = data & 3 != 0 && data <= DATA_MASK && distance <= 2 * self.area;
        if is_fact && mixed >> (self.key_bits - 1) <= 1 {
            self.put_at(mixed, self.unpack(data));
        }
    }

    fn pack(&self, fact: Fact) -> u64 {
        let distance = |threshold: i32| (threshold + self.area) as u64;
        match fact {
            Fact::Win {
                threshold,
                place,
                effort,
            } => distance(threshold) << 16 | u64::from(place) << 10 | u64::from(effort) << 3 | WIN,
            Fact::Fail {
                threshold,
                place,
                depth,
                on_path,
                cut,
            } => {
                let kind = if on_path { FAIL_ON_PATH } else { FAIL };
                distance(threshold) << 16
                    | u64::from(place) << 10
                    | u64::from(depth) << 3
                    | u64::from(cut) << 2
                    | kind
            }
        }
    }

    fn unpack(&self, word: u64) -> Fact {
        let threshold = (word >> 16 & 0x7f) as i32 - self.area;
        let place = (word >> 10 & 0x3f) as u8;
        let low = (word >> 3 & 0x7f) as u8;
        match word & 3 {
            WIN => Fact::Win {
                threshold,
                place,
                effort: low,
            },
            kind => Fact::Fail {
                threshold,
                place,
                depth: low,
                on_path: kind == FAIL_ON_PATH,
                cut: word & 4 != 0,
            },
        }
    }
}

/// How much would be lost with an entry.
const fn worth(word: u64) -> u32 {
    let low = (word >> 3 & 0x7f) as u32;
    match word & 3 {
        0 => 0,
        WIN => 256 + low,
        FAIL_ON_PATH => 1 + low,
        _ => 2 + low,
    }
}

/// Should this fact take the place of an older one of its kind about the same situation?
///
/// A win with the same threshold does not replace the old one: strategies have no cycles because the first proof
/// stays.
fn outdates(fact: Fact, old: Fact) -> bool {
    match (fact, old) {
        (Fact::Win { threshold, .. }, Fact::Win { threshold: old, .. }) => threshold > old,
        (
            Fact::Fail {
                threshold, depth, ..
            },
            Fact::Fail {
                threshold: old_threshold,
                depth: old_depth,
                ..
            },
        ) => {
            old_depth != FINAL
                || (threshold <= old_threshold && depth == FINAL)
                || threshold < old_threshold
        }
        _ => true,
    }
}
