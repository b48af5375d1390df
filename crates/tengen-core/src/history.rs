//! The positions a game has seen, and how to find one among them.

use crate::board::Board;
use crate::color::{ByColor, Color};

/// One position of a game.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Position {
    /// The hash of its board.
    pub(crate) hash: u64,
    /// Who was to move.
    pub(crate) to_move: Color,
    /// Has it a slot of its own? Not where the same situation came before.
    has_slot: bool,
}

/// All positions in order, the starting one first, with a hash table over them.
#[derive(Clone, Debug)]
pub(crate) struct History {
    positions: Vec<Position>,
    /// Open addressing: 0 is free, any other number is one more than the index of a position.
    slots: Vec<u32>,
    /// For each number of stones, which differences between the colours there were (modulo 64), one bit each. Undo
    /// leaves it as it is: it only spares look-ups, and may say yes too often.
    differences: Vec<u64>,
}

/// Enough for a game of ordinary length on a small board without growing.
const FIRST_SLOTS: usize = 512;

impl History {
    /// A game's starting position.
    pub(crate) fn new(board: &Board, to_move: Color) -> Self {
        let mut history = Self {
            positions: Vec::with_capacity(FIRST_SLOTS / 2),
            slots: vec![0; FIRST_SLOTS],
            differences: vec![0; board.size().area() + 1],
        };
        history.push(board.hash(), to_move, board.count_stones());
        history
    }

    /// Starts over, keeping the memory.
    pub(crate) fn restart(&mut self, board: &Board, to_move: Color) {
        self.positions.clear();
        self.slots.fill(0);
        self.differences.fill(0);
        self.push(board.hash(), to_move, board.count_stones());
    }

    pub(crate) fn positions(&self) -> &[Position] {
        &self.positions
    }

    /// Has the game seen this board, with this player to move where one is named?
    #[inline]
    pub(crate) fn contains(&self, hash: u64, to_move: Option<Color>) -> bool {
        self.find(hash, to_move).is_ok()
    }

    /// Has one of the last `window` positions this board?
    pub(crate) fn contains_lately(&self, hash: u64, window: usize) -> bool {
        let mut lately = self.positions.iter().rev().take(window);
        lately.any(|position| position.hash == hash)
    }

    /// Can a board with so many stones of each colour have been seen? Where not, it need not be looked for.
    #[inline]
    pub(crate) fn had_stones(&self, stones: ByColor<u32>) -> bool {
        let differences = self.differences.get((stones.black + stones.white) as usize);
        differences.is_some_and(|bits| bits & difference(stones) != 0)
    }

    /// Adds the position after a move.
    #[inline]
    pub(crate) fn push(&mut self, hash: u64, to_move: Color, stones: ByColor<u32>) {
        if let Some(bits) = self
            .differences
            .get_mut((stones.black + stones.white) as usize)
        {
            *bits |= difference(stones);
        }
        if self.positions.len() * 2 >= self.slots.len() {
            self.grow();
        }
        let free = self.find(hash, Some(to_move)).err();
        self.positions.push(Position {
            hash,
            to_move,
            has_slot: free.is_some(),
        });
        if let Some(slot) = free {
            self.slots[slot] = self.positions.len() as u32;
        }
    }

    /// Where a position with this hash and so many stones is going to be written.
    #[inline]
    pub(crate) fn addresses(&self, hash: u64, stones: usize) -> [*const u8; 3] {
        let slot = hash as usize & (self.slots.len() - 1);
        let position = self.positions.len();
        [
            self.slots.as_ptr().wrapping_add(slot).cast(),
            self.positions.as_ptr().wrapping_add(position).cast(),
            self.differences.as_ptr().wrapping_add(stones).cast(),
        ]
    }

    /// Takes the last position back.
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
    #[inline]
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

    #[cold]
    fn grow(&mut self) {
        let mask = 2 * self.slots.len() - 1;
        self.slots = vec![0; mask + 1];
        for (position, number) in self.positions.iter().zip(1..) {
            if position.has_slot {
                let mut slot = position.hash as usize & mask;
                while self.slots[slot] != 0 {
                    slot = (slot + 1) & mask;
                }
                self.slots[slot] = number;
            }
        }
    }

    /// Copies without allocating where the memory suffices.
    pub(crate) fn copy_from(&mut self, source: &Self) {
        self.positions.clone_from(&source.positions);
        self.slots.clone_from(&source.slots);
        self.differences.clone_from(&source.differences);
    }
}

/// The bit that stands for this difference between the colours.
#[inline]
const fn difference(stones: ByColor<u32>) -> u64 {
    1 << (stones.black.wrapping_sub(stones.white) % 64)
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
        // Few distinct low bits, so that probes collide and wrap, and enough of them to grow twice.
        let hash = |index: u64| (index << 32) | (index % 7) | 0x1f8;
        for index in 0..2000 {
            history.push(hash(index), Color::White, NO_STONES);
        }
        assert!(history.contains(1, Some(Color::Black)));
        assert!(!history.contains(1, Some(Color::White)));
        for index in (0..2000).rev() {
            assert!(history.contains(hash(index), None));
            assert!(!history.contains(hash(index), Some(Color::Black)));
            history.pop();
            assert!(!history.contains(hash(index), None));
        }
        assert_eq!(history.positions().len(), 1);
    }

    #[test]
    fn a_repeated_position_stays_until_its_first_occurrence_goes() {
        let mut history = history();
        history.push(2, Color::White, NO_STONES);
        history.push(1, Color::Black, NO_STONES);
        history.pop();
        assert!(history.contains(1, Some(Color::Black)));
        assert!(history.contains_lately(2, 1));
        assert!(!history.contains_lately(1, 1));
    }

    #[test]
    fn numbers_of_stones_are_told_apart() {
        let mut history = history();
        history.push(2, Color::White, ByColor::new(30, 28));
        assert!(history.had_stones(ByColor::new(30, 28)));
        assert!(!history.had_stones(ByColor::new(29, 29)));
        assert!(!history.had_stones(ByColor::new(30, 29)));
    }
}
