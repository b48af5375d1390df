//! What was proven, and on which paths it holds.
//!
//! Under superko a win may need that boards have not been there before, for then the winner's stones would be banned,
//! or that others have, since then the loser's are. A fact says which: it holds wherever none of the one kind and all
//! of the other are on the path. That is how the search deals with the graph history interaction.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use super::marks::{Key, MarkedSituation, Marks, STONES};
use crate::geometry::{FORMS, NO_MOVE};

/// The number of a fact, and a symmetry. For a situation it is the one that turns the situation into that of the fact,
/// for a link the one that turns the fact into what is linked to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Turned(u32);

impl Turned {
    pub(super) const fn new(fact: u32, symmetry: usize) -> Self {
        Self(fact << 3 | symmetry as u32)
    }

    pub(super) const fn fact(self) -> u32 {
        self.0 >> 3
    }

    pub(super) const fn symmetry(self) -> usize {
        (self.0 & 7) as usize
    }
}

/// Why a move of the loser is none, or how the winner answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Link {
    /// The stone repeats a board that was there before, and is banned.
    Repeats,
    /// The game is over, or will not be changed any more.
    Leaf,
    /// This was proven.
    Fact(Turned),
}

/// Stones of the winner that are alive for certain, and the points between them. The winner's stones there must make no
/// board that was there before.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Life {
    pub(super) alive: u32,
    pub(super) territory: u32,
}

/// On which paths something holds.
#[derive(Clone, Debug, Default)]
pub(super) struct Conditions {
    /// None of these boards may have been there before, in ascending order.
    pub(super) absent: Box<[u64]>,
    /// All of these must have been.
    pub(super) present: Box<[u64]>,
    pub(super) life: Box<[Life]>,
}

/// That a player wins in a situation.
#[derive(Clone, Debug)]
pub(super) struct Fact {
    pub(super) key: Key,
    pub(super) winner: u8,
    /// The winner's move, as a point of the situation that stands for its class; `NO_MOVE` if it is the loser's turn.
    pub(super) action: u8,
    pub(super) conditions: Conditions,
    /// Where the winner's move leads, or each of the loser's moves: stones by their points, then the pass unless it
    /// would end the game.
    pub(super) links: Box<[Link]>,
}

/// What is remembered about a situation.
#[derive(Clone, Debug, Default)]
pub(super) struct Slot {
    facts: Vec<u32>,
    /// Searches that found nothing, on some path, for each prover.
    pub(super) tried: [Tried; 2],
    /// The winner's move in the last fact, as a point plus 1.
    pub(super) best: u8,
}

/// A search that found nothing.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Tried {
    pub(super) depth: u16,
    pub(super) width: u16,
    /// In which iteration it was.
    pub(super) iteration: u32,
}

/// All that was proven.
#[derive(Default)]
pub(super) struct Facts {
    pub(super) all: Vec<Fact>,
    pub(super) slots: HashMap<Key, Slot, BuildHasherDefault<Mixer>>,
    /// The memory that the facts take, about.
    fact_bytes: u64,
}

/// The memory that a situation in the table takes, about.
const SLOT_BYTES: u64 = 80;

impl Facts {
    /// A fact about a situation that holds on this path.
    pub(super) fn find(&self, place: &MarkedSituation, path: &[[u64; FORMS]]) -> Option<u32> {
        let slot = self.slots.get(&place.key)?;
        slot.facts.iter().copied().find(|number| {
            let fact = &self.all[*number as usize];
            fact.conditions.hold(fact.winner, place.form, path)
        })
    }

    /// The memory that all of it takes, about.
    pub(super) fn bytes(&self) -> u64 {
        self.fact_bytes + SLOT_BYTES * self.slots.len() as u64
    }

    /// Remembers a fact.
    pub(super) fn add(&mut self, fact: Fact) -> u32 {
        let number = self.all.len() as u32;
        self.fact_bytes += fact.bytes();
        let slot = self.slots.entry(fact.key).or_default();
        slot.facts.push(number);
        if fact.action != NO_MOVE {
            slot.best = fact.action + 1;
        }
        self.all.push(fact);
        number
    }
}

impl Fact {
    /// The memory that it takes, about.
    fn bytes(&self) -> u64 {
        let conditions = &self.conditions;
        let words = conditions.absent.len() + conditions.present.len() + conditions.life.len();
        (8 * words + 8 * self.links.len() + 160) as u64
    }
}

impl Conditions {
    /// Do they hold on a path, whose boards are looked at in one of their forms?
    pub(super) fn hold(&self, winner: u8, form: usize, path: &[[u64; FORMS]]) -> bool {
        let is_there = |mark: &u64| path.iter().any(|marks| marks[form] == *mark);
        self.present.iter().all(is_there)
            && path.iter().all(|marks| self.allow(winner, marks[form]))
    }

    /// Do they allow a board on the path?
    fn allow(&self, winner: u8, mark: u64) -> bool {
        self.absent.binary_search(&mark).is_err()
            && self.life.iter().all(|life| life.allows(winner, mark))
    }
}

impl Life {
    pub(super) fn turned(self, marks: &Marks, symmetry: usize) -> Self {
        Self {
            alive: marks.turn_points(symmetry, self.alive),
            territory: marks.turn_points(symmetry, self.territory),
        }
    }

    /// May this board have been there before?
    pub(super) const fn allows(self, winner: u8, mark: u64) -> bool {
        let own = (mark >> (32 * winner) & STONES) as u32;
        own & self.alive != self.alive || own & self.territory == 0
    }
}

/// Conditions that are put together from those of links.
#[derive(Default)]
pub(super) struct Gathered {
    pub(super) absent: Vec<u64>,
    pub(super) present: Vec<u64>,
    pub(super) life: Vec<Life>,
}

impl Gathered {
    /// Adds what a fact needs, turned, but for boards that come about before it.
    pub(super) fn add(&mut self, marks: &Marks, conditions: &Conditions, symmetry: usize) {
        let turned = |list: &[u64], into: &mut Vec<u64>| {
            into.extend(list.iter().map(|mark| marks.turn(symmetry, *mark)));
        };
        turned(&conditions.absent, &mut self.absent);
        turned(&conditions.present, &mut self.present);
        let life = conditions.life.iter();
        self.life
            .extend(life.map(|life| life.turned(marks, symmetry)));
    }

    /// The conditions, without what the situation itself brings.
    pub(super) fn finish(mut self, own: u64) -> Conditions {
        self.absent.sort_unstable();
        self.absent.dedup();
        self.present.sort_unstable();
        self.present.dedup();
        self.present.retain(|mark| *mark != own);
        self.life.sort_unstable();
        self.life.dedup();
        Conditions {
            absent: self.absent.into(),
            present: self.present.into(),
            life: self.life.into(),
        }
    }
}

/// Mixes the bits of a key.
#[derive(Clone, Copy, Default)]
pub(super) struct Mixer(u64);

impl Hasher for Mixer {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.write_u8(*byte);
        }
    }

    fn write_u8(&mut self, number: u8) {
        // Most situations have no ko point, and then nothing is to be mixed.
        if number != 0 {
            self.write_u64(u64::from(number));
        }
    }

    fn write_u64(&mut self, number: u64) {
        let mixed = (self.0 ^ number).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        self.0 = (mixed ^ mixed >> 32).wrapping_mul(0xD6E8_FEB8_6659_FD93);
        self.0 ^= self.0 >> 29;
    }
}
