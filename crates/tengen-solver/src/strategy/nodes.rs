//! The nodes of a strategy in little memory: on larger boards there are a hundred million of them.

use hashbrown::HashTable;

use super::watches::NONE;

/// The rank of a node that is not proven yet.
pub(super) const OPEN: u32 = u32::MAX;

/// What is known about each node, by its number.
#[derive(Default)]
pub(super) struct Nodes {
    /// The number of the situation, twice, and one more where the prover is to move.
    keys: Vec<u64>,
    /// In which order it was proven. What it rests on was proven before.
    ranks: Vec<u32>,
    /// The first of those who wait for it.
    watches: Vec<u32>,
    /// The prover's move that was tried last, which is the strategy's when it is proven; the move that the enemy's node waits for.
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

    /// Adds a node with a new key and a first cell.
    pub(super) fn add(&mut self, key: u64, cell: u8) -> u32 {
        let number = self.keys.len() as u32;
        self.keys.push(key);
        self.ranks.push(OPEN);
        self.watches.push(NONE);
        self.cells.push(cell);
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
        self.rank(number) != OPEN
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
