//! Boards and holdings by numbers.

use std::collections::HashMap;
use std::hash::Hash;

use tengen_core::{ByColor, Color, Point, Size, Symmetry};

use super::super::bound::Holding;

/// What a rule of repetition remembers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Board {
    pub(super) stones: ByColor<u64>,
    /// Who is to move, under situational superko.
    pub(super) to_move: Option<Color>,
}

/// Where a symmetry takes the points.
pub(super) struct Image([u8; 64]);

impl Image {
    pub(super) fn of(symmetry: Symmetry, size: Size) -> Self {
        let number = |point: Point| point.y() * size.width() + point.x();
        let mut image = [0; 64];
        for point in size.points() {
            image[usize::from(number(point))] = number(symmetry.apply(point, size));
        }
        Self(image)
    }

    pub(super) fn turn(&self, set: u64) -> u64 {
        let points = (0..64).filter(|point| set >> point & 1 != 0);
        points.fold(0, |turned, point| turned | 1 << self.0[point])
    }
}

/// What can be turned.
pub(super) trait Turn {
    fn turned(&self, image: &Image) -> Self;
}

impl Turn for Board {
    fn turned(&self, image: &Image) -> Self {
        Self {
            stones: self.stones.map(|stones| image.turn(stones)),
            ..*self
        }
    }
}

impl Turn for Holding {
    fn turned(&self, image: &Image) -> Self {
        Self {
            alive: image.turn(self.alive),
            territory: image.turn(self.territory),
        }
    }
}

/// Things by numbers, and which is which when turned.
pub(super) struct Register<T> {
    items: Vec<T>,
    numbers: HashMap<T, u32>,
    /// For each symmetry the number of the turned thing, or [`UNKNOWN`].
    turned: Vec<[u32; 8]>,
}

const UNKNOWN: u32 = u32::MAX;

impl<T> Default for Register<T> {
    fn default() -> Self {
        Self {
            items: Vec::new(),
            numbers: HashMap::new(),
            turned: Vec::new(),
        }
    }
}

impl<T: Copy + Eq + Hash + Turn> Register<T> {
    /// The number of a thing.
    pub(super) fn number(&mut self, item: T) -> u32 {
        let next = self.items.len() as u32;
        *self.numbers.entry(item).or_insert_with(|| {
            self.items.push(item);
            self.turned.push([UNKNOWN; 8]);
            next
        })
    }

    /// The thing with this number.
    pub(super) fn get(&self, number: u32) -> &T {
        &self.items[number as usize]
    }

    /// The number of a thing that is turned.
    pub(super) fn turn(&mut self, number: u32, symmetry: usize, image: &Image) -> u32 {
        let known = self.turned[number as usize][symmetry];
        if known != UNKNOWN {
            return known;
        }
        let turned = self.number(self.items[number as usize].turned(image));
        self.turned[number as usize][symmetry] = turned;
        turned
    }
}

/// All that conditions name.
#[derive(Default)]
pub(super) struct Registers {
    pub(super) boards: Register<Board>,
    pub(super) holdings: Register<Holding>,
}
