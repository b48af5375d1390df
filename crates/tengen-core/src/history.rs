//! The positions a game has seen, and how to find one among them.

use crate::board::Board;
use crate::color::{ByColor, Color};

/// One position of a game.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Position {
    /// The hash of its board.
    pub(crate) hash: u64,
    /// How many stones of each colour it has.
    pub(crate) stones: ByColor<u16>,
    /// Who was to move.
    pub(crate) to_move: Color,
    /// Has it a slot of its own? Not where the same situation came before.
    has_slot: bool,
}

/// All positions in order, the starting one first, with a hash table over them once they are many.
///
/// A board that comes again mostly does so soon, and [`Game`](crate::Game) knows how far back it must look: it reads
/// the last few positions, which are in the cache, and the table is for games that are very long.
#[derive(Clone, Debug)]
pub(crate) struct History {
    positions: Vec<Position>,
    /// Empty as long as there are few positions. Open addressing: 0 is free, any other number is one more than the
    /// index of a position.
    slots: Vec<u32>,
}

/// Enough for a game of ordinary length on a small board without growing.
const FIRST_POSITIONS: usize = 256;

/// More positions than this are looked up in a hash table.
const MANY: usize = 1024;

impl History {
    /// A game's starting position.
    pub(crate) fn new(board: &Board, to_move: Color) -> Self {
        let mut history = Self {
            positions: Vec::with_capacity(FIRST_POSITIONS),
            slots: Vec::new(),
        };
        history.push(board.hash(), to_move, board.count_stones());
        history
    }

    /// Starts over, keeping the memory.
    pub(crate) fn restart(&mut self, board: &Board, to_move: Color) {
        self.positions.clear();
        self.slots.clear();
        self.push(board.hash(), to_move, board.count_stones());
    }

    #[inline]
    pub(crate) fn positions(&self) -> &[Position] {
        &self.positions
    }

    /// The index of the position as it stands.
    #[inline]
    pub(crate) const fn last(&self) -> usize {
        self.positions.len() - 1
    }

    /// Are there so many positions that looking one up is cheaper than reading back?
    #[inline]
    pub(crate) const fn is_long(&self) -> bool {
        !self.slots.is_empty()
    }

    /// Has the game seen this board, with this player to move where one is named? No position before `since` is one
    /// of these.
    #[inline]
    pub(crate) fn contains(&self, hash: u64, to_move: Option<Color>, since: usize) -> bool {
        if self.is_long() {
            return self.find(hash, to_move).is_ok();
        }
        self.positions[since..].iter().any(|position| {
            position.hash == hash && to_move.is_none_or(|color| color == position.to_move)
        })
    }

    /// The first position since this one with so many stones of each colour.
    #[inline]
    pub(crate) fn with_stones(&self, stones: ByColor<u32>, since: usize) -> Option<usize> {
        if self.is_long() {
            return Some(since);
        }
        let stones = stones.map(|stones| stones as u16);
        let later = self.positions[since..].iter();
        let mut found = later
            .enumerate()
            .filter(|(_, position)| position.stones == stones);
        found.next().map(|(index, _)| since + index)
    }

    /// Has one of the last `window` positions this board?
    pub(crate) fn contains_lately(&self, hash: u64, window: usize) -> bool {
        let mut lately = self.positions.iter().rev().take(window);
        lately.any(|position| position.hash == hash)
    }

    /// Adds the position after a move.
    #[inline]
    pub(crate) fn push(&mut self, hash: u64, to_move: Color, stones: ByColor<u32>) {
        self.positions.push(Position {
            hash,
            stones: stones.map(|stones| stones as u16),
            to_move,
            has_slot: false,
        });
        if self.positions.len() > MANY {
            self.file();
        }
    }

    /// Where the next position is going to be written.
    #[inline]
    pub(crate) fn address(&self) -> *const u8 {
        let next = self.positions.len();
        self.positions.as_ptr().wrapping_add(next).cast()
    }

    /// Takes the last position back.
    #[inline]
    pub(crate) fn pop(&mut self) {
        let number = self.positions.len() as u32;
        let Some(position) = self.positions.pop() else {
            return;
        };
        if position.has_slot {
            // It came last, so no other position was put behind it: its slot can simply become free.
            let mask = self.slots.len() - 1;
            let mut slot = position.hash as usize & mask;
            while self.slots[slot] != number {
                slot = (slot + 1) & mask;
            }
            self.slots[slot] = 0;
        }
    }

    /// The slot of a position, or the free one where it would go.
    fn find(&self, hash: u64, to_move: Option<Color>) -> Result<usize, usize> {
        let mask = self.slots.len() - 1;
        let mut slot = hash as usize & mask;
        loop {
            let Some(index) = self.slots[slot].checked_sub(1) else {
                return Err(slot);
            };
            let position = &self.positions[index as usize];
            if position.hash == hash && to_move.is_none_or(|color| color == position.to_move) {
                return Ok(slot);
            }
            slot = (slot + 1) & mask;
        }
    }

    /// Puts the last position into the table; all of them where it is new or too small.
    #[cold]
    fn file(&mut self) {
        let mut first = self.positions.len() - 1;
        if self.positions.len() * 2 > self.slots.len() {
            let slots = (4 * self.positions.len()).next_power_of_two();
            self.slots.clear();
            self.slots.resize(slots, 0);
            first = 0;
        }
        for index in first..self.positions.len() {
            let Position { hash, to_move, .. } = self.positions[index];
            let free = self.find(hash, Some(to_move)).err();
            self.positions[index].has_slot = free.is_some();
            if let Some(slot) = free {
                self.slots[slot] = index as u32 + 1;
            }
        }
    }

    /// Copies without allocating where the memory suffices.
    pub(crate) fn copy_from(&mut self, source: &Self) {
        self.positions.clone_from(&source.positions);
        self.slots.clone_from(&source.slots);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::size::Size;

    const NO_STONES: ByColor<u32> = ByColor::new(0, 0);

    /// A history whose first position has hash 1.
    fn history() -> History {
        let mut history = History::new(&Board::new(Size::square(9).unwrap()), Color::Black);
        history.pop();
        history.push(1, Color::Black, NO_STONES);
        history
    }

    #[test]
    fn finds_what_was_pushed_and_forgets_what_was_popped() {
        let mut history = history();
        // Few distinct low bits, so that probes collide and wrap, and enough of them that a table is made and grows.
        let hash = |index: u64| (index << 32) | (index % 7) | 0x1f8;
        for index in 0..5000 {
            history.push(hash(index), Color::White, NO_STONES);
            assert_eq!(history.is_long(), history.positions().len() > MANY);
        }
        assert!(history.contains(1, Some(Color::Black), 0));
        assert!(!history.contains(1, Some(Color::White), 0));
        for index in (0..5000).rev() {
            assert!(history.contains(hash(index), None, 0));
            assert!(!history.contains(hash(index), Some(Color::Black), 0));
            history.pop();
            assert!(!history.contains(hash(index), None, 0));
        }
        assert_eq!(history.positions().len(), 1);
    }

    #[test]
    fn a_repeated_position_stays_until_its_first_occurrence_goes() {
        for between in [1, 3 * MANY as u64] {
            let mut history = history();
            for hash in 2..2 + between {
                history.push(hash, Color::White, NO_STONES);
            }
            history.push(1, Color::Black, NO_STONES);
            history.pop();
            assert!(history.contains(1, Some(Color::Black), 0));
            assert!(history.contains_lately(1 + between, 1));
            assert!(!history.contains_lately(1, 1));
        }
    }

    #[test]
    fn a_short_history_is_read_from_where_one_says() {
        let mut history = history();
        history.push(2, Color::White, ByColor::new(1, 0));
        assert!(history.contains(1, None, 0));
        assert!(!history.contains(1, None, 1));
        assert_eq!(history.positions()[1].stones, ByColor::new(1, 0));
    }
}
