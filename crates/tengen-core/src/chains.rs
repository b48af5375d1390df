//! Stones, chains and liberties, kept up to date move by move.
//!
//! This is the one place where stones are put on a board and captured. It is lean because rollouts play on it
//! directly; [`Board`](crate::Board) adds the point sets that whole-board questions need.

mod liberties;

use crate::color::Color;
use crate::point::{Point, STRIDE, beside, diagonal};
use crate::size::Size;
use crate::zobrist;
use liberties::Liberties;

/// What a cell of the guarded grid holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Content {
    /// Nothing.
    Empty = 0,
    /// A black stone.
    Black = 1,
    /// A white stone.
    White = 2,
    /// The edge, or what is beyond it.
    OffBoard = 3,
}

impl From<Color> for Content {
    #[inline]
    fn from(color: Color) -> Self {
        match color {
            Color::Black => Self::Black,
            Color::White => Self::White,
        }
    }
}

/// How many neighbours of a cell are black, white and empty: three bits, three bits and two; the edge counts as both
/// colours.
///
/// Four empty neighbours are written as none, which is no loss: without an empty neighbour there are black or white
/// ones. Cells off the board count up and down as well, and nobody reads what they count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Beside(u8);

impl Beside {
    const EMPTY: u8 = 0x40;
    const OFF_BOARD: u8 = 0x09;

    /// What one more stone of this colour, on a point that was empty, adds.
    #[inline]
    const fn stone(color: Color) -> u8 {
        match color {
            Color::Black => 0x01_u8.wrapping_sub(Self::EMPTY),
            Color::White => 0x08_u8.wrapping_sub(Self::EMPTY),
        }
    }

    #[inline]
    const fn any_empty(self) -> bool {
        // Zero, which stands for four, wraps around.
        self.0.wrapping_sub(1) >= Self::EMPTY - 1
    }

    #[inline]
    const fn empty(self) -> usize {
        match self.0 {
            0 => 4,
            counts => (counts / Self::EMPTY) as usize,
        }
    }

    /// Is every neighbour this colour or the edge?
    #[inline]
    const fn all(self, color: Color) -> bool {
        match color {
            Color::Black => self.0 & 0x07 == 0x04,
            Color::White => self.0 & 0x38 == 0x20,
        }
    }
}

/// A cell of the guarded grid: sixteen bytes, four to a line of the cache. What describes a chain is valid in the cell
/// of its head only.
#[derive(Clone, Copy, Debug)]
struct Cell {
    liberties: Liberties,
    /// The stone that stands for the chain; the cell itself where there is no stone.
    head: u16,
    /// The stones of a chain form a ring.
    next: u16,
    stones: u16,
    beside: Beside,
    content: Content,
}

const _: () = assert!(size_of::<Cell>() == 16);

/// The stones of a board and what follows from them.
#[derive(Debug)]
pub(crate) struct Chains {
    size: Size,
    cells: Box<[Cell]>,
    pub(crate) hash: u64,
    pub(crate) ko: Option<Point>,
}

/// Marks stones whose chain is being taken apart. Cell 0 is a guard: what is added to its liberties is never read.
const NO_HEAD: u16 = 0;

impl Chains {
    /// An empty board.
    pub(crate) fn new(size: Size) -> Self {
        let rows = usize::from(size.height()) + 2;
        let mut cells: Box<[Cell]> = (0..rows * STRIDE)
            .map(|index| Cell {
                liberties: Liberties::NONE,
                head: index as u16,
                next: index as u16,
                stones: 0,
                beside: Beside(0),
                content: Content::OffBoard,
            })
            .collect();
        for point in size.points() {
            cells[point.index()].content = Content::Empty;
        }
        for point in size.points() {
            let around = beside(point.index()).map(|cell| match cells[cell].content {
                Content::OffBoard => Beside::OFF_BOARD,
                _ => Beside::EMPTY,
            });
            let around = around.into_iter().fold(0, u8::wrapping_add);
            cells[point.index()].beside = Beside(around);
        }
        Self {
            size,
            cells,
            hash: zobrist::empty_board(size),
            ko: None,
        }
    }

    #[inline]
    pub(crate) const fn size(&self) -> Size {
        self.size
    }

    #[inline]
    pub(crate) fn content(&self, index: usize) -> Content {
        self.cells[index].content
    }

    /// The head of the chain whose stone is in this cell.
    #[inline]
    pub(crate) fn head(&self, index: usize) -> usize {
        usize::from(self.cells[index].head)
    }

    /// Where the cells beside this one are.
    #[inline]
    pub(crate) fn addresses_beside(&self, index: usize) -> [*const u8; 4] {
        beside(index).map(|cell| (&raw const self.cells[cell]).cast())
    }

    /// Where the heads of the chains beside this cell are.
    #[inline]
    pub(crate) fn addresses_of_heads(&self, index: usize) -> [*const u8; 4] {
        beside(index).map(|cell| (&raw const self.cells[self.head(cell)]).cast())
    }

    /// The number of stones of a chain.
    #[inline]
    pub(crate) fn stones(&self, head: usize) -> usize {
        usize::from(self.cells[head].stones)
    }

    /// The XOR of the hashes of the stones of a chain of this colour. It is rarely asked for, and so not kept.
    pub(crate) fn chain_hash(&self, head: usize, color: Color) -> u64 {
        let stones = self.members(head);
        stones.fold(0, |hash, stone| hash ^ zobrist::stone(stone, color))
    }

    /// Has the chain exactly one liberty?
    #[inline]
    pub(crate) fn in_atari(&self, head: usize) -> bool {
        self.cells[head].liberties.single()
    }

    /// The one liberty of a chain in atari.
    #[inline]
    pub(crate) fn last_liberty(&self, head: usize) -> Option<usize> {
        let liberties = self.cells[head].liberties;
        (liberties.single() && liberties.count() > 0)
            .then(|| (liberties.sum() / liberties.count()) as usize)
    }

    /// The number of pairs of a stone of the chain and an empty point beside it.
    #[inline]
    pub(crate) fn pseudo_liberties(&self, head: usize) -> usize {
        self.cells[head].liberties.count() as usize
    }

    /// The number of empty points beside a point.
    #[inline]
    pub(crate) fn empty_beside(&self, index: usize) -> usize {
        self.cells[index].beside.empty()
    }

    /// Is this empty cell the only liberty of the chain of the stone beside it?
    #[inline]
    fn only_liberty(&self, stone: usize, empty: usize) -> bool {
        self.cells[self.head(stone)].liberties.all_in(empty)
    }

    /// The cells of a chain's stones, starting with its head.
    pub(crate) fn members(&self, head: usize) -> impl Iterator<Item = usize> {
        let mut next = Some(head);
        std::iter::from_fn(move || {
            let here = next?;
            let after = usize::from(self.cells[here].next);
            next = (after != head).then_some(after);
            Some(here)
        })
    }

    /// Is the empty cell surrounded by this colour and the edge alone?
    #[inline]
    pub(crate) fn surrounded(&self, index: usize, color: Color) -> bool {
        self.cells[index].beside.all(color)
    }

    /// Is the empty cell an eye that a rollout does not fill: surrounded by its colour, with fewer than two enemy
    /// stones on its diagonals, where the edge counts as one?
    #[inline]
    pub(crate) fn is_eye(&self, index: usize, color: Color) -> bool {
        if !self.surrounded(index, color) {
            return false;
        }
        let enemy = Content::from(!color);
        let mut edge = 0;
        let mut enemies = 0;
        for corner in diagonal(index) {
            let content = self.content(corner);
            edge |= u32::from(content == Content::OffBoard);
            enemies += u32::from(content == enemy);
        }
        edge + enemies < 2
    }

    /// Would a stone on this empty cell have a liberty once what it captures is gone?
    #[inline]
    pub(crate) fn breathes(&self, index: usize, color: Color) -> bool {
        if self.cells[index].beside.any_empty() {
            return true;
        }
        let own = Content::from(color);
        beside(index).into_iter().any(|cell| {
            let content = self.content(cell);
            content != Content::OffBoard && self.only_liberty(cell, index) != (content == own)
        })
    }

    /// May a rollout play here: no simple ko, no suicide, no own eye filled?
    #[inline]
    pub(crate) fn is_sensible(&self, index: usize, color: Color) -> bool {
        // A point with an empty neighbour is neither suicide nor an eye, and most points that are tried have one.
        let taken_ko = self.ko.is_some_and(|ko| ko.index() == index);
        if self.cells[index].beside.any_empty() && !taken_ko {
            return true;
        }
        !taken_ko && !self.is_eye(index, color) && self.breathes(index, color)
    }

    /// The heads of the distinct enemy chains that a stone here captures.
    #[inline]
    pub(crate) fn captures(&self, index: usize, color: Color) -> impl Iterator<Item = usize> {
        let enemy = Content::from(!color);
        let mut heads = [0; 4];
        let mut found = 0;
        for cell in beside(index) {
            if self.content(cell) == enemy && self.only_liberty(cell, index) {
                let head = self.head(cell);
                if !heads[..found].contains(&head) {
                    heads[found] = head;
                    found += 1;
                }
            }
        }
        heads.into_iter().take(found)
    }

    /// The heads of the distinct own chains that a stone here joins.
    pub(crate) fn joins(&self, index: usize, color: Color) -> impl Iterator<Item = usize> {
        let own = Content::from(color);
        let mut heads = [0; 4];
        let mut found = 0;
        for cell in beside(index) {
            let head = self.head(cell);
            if self.content(cell) == own && !heads[..found].contains(&head) {
                heads[found] = head;
                found += 1;
            }
        }
        heads.into_iter().take(found)
    }

    /// Puts a stone on an empty cell, removes what it captures (or, in a suicide, its own chain) and reports every
    /// cell that became empty. True for a suicide.
    #[inline]
    pub(crate) fn play(
        &mut self,
        index: usize,
        color: Color,
        mut removed: impl FnMut(usize),
    ) -> bool {
        let own = Content::from(color);
        let enemy = Content::from(!color);
        let taken = Liberties::one(index);
        let cells = &mut *self.cells;
        let neighbors = beside(index);

        // Every neighbour is treated alike, whatever it holds: branches that the processor cannot foresee cost more.
        let mut liberties = Liberties::NONE;
        let mut captures = false;
        let mut friends = 0_u32;
        for (side, cell) in neighbors.into_iter().enumerate() {
            let neighbor = &mut cells[cell];
            neighbor.beside.0 = neighbor.beside.0.wrapping_add(Beside::stone(color));
            let content = neighbor.content;
            let head = usize::from(neighbor.head);
            let if_empty = u64::from(content == Content::Empty).wrapping_neg();
            liberties = liberties.plus(Liberties(Liberties::one(cell).0 & if_empty));
            let chain = &mut cells[head];
            chain.liberties = chain.liberties.minus(taken);
            captures |= (content == enemy) & (chain.liberties == Liberties::NONE);
            friends |= u32::from(content == own) << side;
        }

        self.hash ^= zobrist::stone(index, color);
        let mut head = index;
        let cell = &mut cells[index];
        cell.content = own;
        if friends == 0 {
            cell.liberties = liberties;
            cell.head = index as u16;
            cell.next = index as u16;
            cell.stones = 1;
        } else {
            head = usize::from(cells[neighbors[friends.trailing_zeros() as usize]].head);
            let chain = &mut cells[head];
            chain.liberties = chain.liberties.plus(liberties);
            chain.stones += 1;
            let next = std::mem::replace(&mut chain.next, index as u16);
            cells[index].head = head as u16;
            cells[index].next = next;
            friends &= friends - 1;
            while friends != 0 {
                let other = usize::from(cells[neighbors[friends.trailing_zeros() as usize]].head);
                friends &= friends - 1;
                if other != head {
                    head = merge(cells, head, other);
                }
            }
        }

        self.ko = None;
        if captures {
            let mut prisoners = 0;
            let mut last = index;
            for cell in neighbors {
                let chain = usize::from(cells[cell].head);
                if cells[cell].content == enemy && cells[chain].liberties == Liberties::NONE {
                    prisoners += cells[chain].stones;
                    last = chain;
                    self.hash ^= remove(cells, chain, !color, &mut removed);
                }
            }
            if prisoners == 1
                && cells[head].stones == 1
                && cells[head].liberties == Liberties::one(last)
            {
                self.ko = Some(Point::from_index(last));
            }
        } else if cells[head].liberties == Liberties::NONE {
            self.hash ^= remove(cells, head, color, &mut removed);
            return true;
        }
        false
    }

    /// Takes back the stone on `index`, the last one played, and puts the enemy stones that it captured back.
    pub(crate) fn retract(
        &mut self,
        index: usize,
        color: Color,
        captured: impl Iterator<Item = Point> + Clone,
    ) {
        let head = self.head(index);
        let mut stone = head;
        loop {
            self.cells[stone].head = NO_HEAD;
            stone = usize::from(self.cells[stone].next);
            if stone == head {
                break;
            }
        }
        self.hash ^= zobrist::stone(index, color);
        empty(&mut self.cells, index, color);
        self.put_back(captured, !color);
        for cell in beside(index) {
            if self.cells[cell].head == NO_HEAD {
                self.link(cell);
            }
        }
    }

    /// Puts stones of one colour on empty points: all that were captured at once.
    pub(crate) fn put_back(&mut self, stones: impl Iterator<Item = Point> + Clone, color: Color) {
        for point in stones.clone() {
            let index = point.index();
            self.hash ^= zobrist::stone(index, color);
            let cell = &mut self.cells[index];
            cell.content = color.into();
            cell.head = NO_HEAD;
            for side in beside(index) {
                let neighbor = &mut self.cells[side];
                neighbor.beside.0 = neighbor.beside.0.wrapping_add(Beside::stone(color));
                let head = usize::from(neighbor.head);
                let chain = &mut self.cells[head];
                chain.liberties = chain.liberties.minus(Liberties::one(index));
            }
        }
        for point in stones {
            if self.cells[point.index()].head == NO_HEAD {
                self.link(point.index());
            }
        }
    }

    /// Makes one chain of all stones without a head that are joined to this one; the ring is the queue of the search.
    fn link(&mut self, seed: usize) {
        let cells = &mut *self.cells;
        let content = cells[seed].content;
        if !matches!(content, Content::Black | Content::White) {
            return;
        }
        let mut liberties = Liberties::NONE;
        let mut stones = 1;
        let mut last = seed;
        let mut here = seed;
        cells[seed].head = seed as u16;
        loop {
            for side in beside(here) {
                if cells[side].content == Content::Empty {
                    liberties = liberties.plus(Liberties::one(side));
                } else if cells[side].content == content && cells[side].head == NO_HEAD {
                    cells[side].head = seed as u16;
                    cells[last].next = side as u16;
                    last = side;
                    stones += 1;
                }
            }
            if here == last {
                break;
            }
            here = usize::from(cells[here].next);
        }
        cells[last].next = seed as u16;
        let head = &mut cells[seed];
        head.liberties = liberties;
        head.stones = stones;
    }

    /// Has the chain no liberty at all? Only a position that was set up can hold such a chain.
    pub(crate) fn is_breathless(&self, head: usize) -> bool {
        self.cells[head].liberties == Liberties::NONE
    }
}

/// Joins two chains of one colour; relabels the smaller.
#[inline]
fn merge(cells: &mut [Cell], a: usize, b: usize) -> usize {
    let (large, small) = if cells[a].stones >= cells[b].stones {
        (a, b)
    } else {
        (b, a)
    };
    let Cell {
        liberties, stones, ..
    } = cells[small];
    let chain = &mut cells[large];
    chain.liberties = chain.liberties.plus(liberties);
    chain.stones += stones;
    let mut stone = small;
    loop {
        let cell = &mut cells[stone];
        cell.head = large as u16;
        stone = usize::from(cell.next);
        if stone == small {
            break;
        }
    }
    // Exchanging the successors of one member of each ring makes one ring of both.
    let next = cells[large].next;
    cells[large].next = cells[small].next;
    cells[small].next = next;
    large
}

/// Empties the cells of a chain and returns the XOR of the hashes of its stones.
#[inline]
fn remove(cells: &mut [Cell], chain: usize, color: Color, removed: &mut impl FnMut(usize)) -> u64 {
    let mut hash = 0;
    let mut stone = chain;
    loop {
        let next = usize::from(cells[stone].next);
        hash ^= zobrist::stone(stone, color);
        empty(cells, stone, color);
        removed(stone);
        stone = next;
        if stone == chain {
            return hash;
        }
    }
}

/// Takes one stone of this colour off, which gives a pseudo-liberty to every neighbour.
#[inline]
fn empty(cells: &mut [Cell], index: usize, color: Color) {
    let cell = &mut cells[index];
    cell.content = Content::Empty;
    cell.head = index as u16;
    let freed = Liberties::one(index);
    for side in beside(index) {
        let neighbor = &mut cells[side];
        neighbor.beside.0 = neighbor.beside.0.wrapping_sub(Beside::stone(color));
        let head = usize::from(neighbor.head);
        let chain = &mut cells[head];
        chain.liberties = chain.liberties.plus(freed);
    }
}

impl Clone for Chains {
    fn clone(&self) -> Self {
        Self {
            size: self.size,
            cells: self.cells.clone(),
            hash: self.hash,
            ko: self.ko,
        }
    }

    fn clone_from(&mut self, source: &Self) {
        if self.size == source.size {
            // Cells to the right of the board stay as they were made.
            let columns = usize::from(self.size.width()) + 2;
            let rows = self.cells.chunks_exact_mut(STRIDE);
            for (row, source) in rows.zip(source.cells.chunks_exact(STRIDE)) {
                row[..columns].copy_from_slice(&source[..columns]);
            }
        } else {
            self.cells = source.cells.clone();
        }
        self.size = source.size;
        self.hash = source.hash;
        self.ko = source.ko;
    }
}
