//! The nodes of a strategy in little memory: on larger boards there are a hundred million of them.

use hashbrown::HashTable;

use super::watches::NONE;
use crate::geometry::NO_MOVE;

/// The rank of a node that is not proven yet.
pub(super) const OPEN: u32 = u32::MAX;
/// The rank of a node that nobody asks about at present.
const ASLEEP: u32 = OPEN - 1;

/// The prover's moves at all nodes that were proven.
pub(super) struct Moves {
    ranks: Vec<u32>,
    cells: Vec<u8>,
}

/// What is known about each node, by its number.
#[derive(Default)]
pub(super) struct Nodes {
    /// The number of the situation, twice, and one more where the prover is to move.
    keys: Vec<u64>,
    /// In which order it was proven. What it rests on was proven before.
    ranks: Vec<u32>,
    /// The first of those who wait for it.
    watches: Vec<u32>,
    /// The prover's move that was tried last, which is the strategy's when it is proven; the move that the enemy's node
    /// waits for.
    cells: Vec<u8>,
    numbers: HashTable<u32>,
}

impl Nodes {
    pub(super) const fn len(&self) -> usize {
        self.keys.len()
    }

    /// The number of the node with a key.
    pub(super) fn find(&self, key: u64) -> Option<u32> {
        let is_it = |number: &u32| self.keys[*number as usize] == key;
        self.numbers.find(hash(key), is_it).copied()
    }

    /// Adds a node with a new key, asleep.
    pub(super) fn add(&mut self, key: u64) -> u32 {
        let number = self.keys.len() as u32;
        self.keys.push(key);
        self.ranks.push(ASLEEP);
        self.watches.push(NONE);
        self.cells.push(NO_MOVE);
        let hash_of = |number: &u32| hash(self.keys[*number as usize]);
        self.numbers.insert_unique(hash(key), number, hash_of);
        number
    }

    pub(super) fn key(&self, number: u32) -> u64 {
        self.keys[number as usize]
    }

    pub(super) fn is_prover(&self, number: u32) -> bool {
        self.key(number) & 1 == 1
    }

    pub(super) fn rank(&self, number: u32) -> u32 {
        self.ranks[number as usize]
    }

    pub(super) fn set_rank(&mut self, number: u32, rank: u32) {
        self.ranks[number as usize] = rank;
    }

    pub(super) fn is_proven(&self, number: u32) -> bool {
        self.rank(number) < ASLEEP
    }

    pub(super) fn is_asleep(&self, number: u32) -> bool {
        self.rank(number) == ASLEEP
    }

    pub(super) fn put_to_sleep(&mut self, number: u32) {
        self.set_rank(number, ASLEEP);
    }

    /// The node is open, and nothing was tried yet.
    pub(super) fn wake(&mut self, number: u32) {
        self.set_rank(number, OPEN);
        self.set_cell(number, if self.is_prover(number) { NO_MOVE } else { 0 });
    }

    /// The prover's moves at all nodes that are proven now.
    pub(super) fn moves(&self) -> Moves {
        Moves {
            ranks: self.ranks.clone(),
            cells: self.cells.clone(),
        }
    }

    /// Brings back the prover's moves of an earlier time. What was met since is asleep.
    pub(super) fn bring_back(&mut self, moves: Moves) {
        let Moves {
            mut ranks,
            mut cells,
        } = moves;
        ranks.resize(self.len(), ASLEEP);
        cells.resize(self.len(), NO_MOVE);
        (self.ranks, self.cells) = (ranks, cells);
    }

    pub(super) fn cell(&self, number: u32) -> u8 {
        self.cells[number as usize]
    }

    pub(super) fn set_cell(&mut self, number: u32, cell: u8) {
        self.cells[number as usize] = cell;
    }

    /// The first of those who wait for a node.
    pub(super) fn watches_mut(&mut self, number: u32) -> &mut u32 {
        &mut self.watches[number as usize]
    }
}

/// Spreads keys over all bits: the table of numbers needs the upper as well as the lower ones.
const fn hash(key: u64) -> u64 {
    let mixed = (key ^ key >> 32).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    mixed ^ mixed >> 29
}
