//! Random choices from a seed.

use rand_core::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use tengen_core::{Point, PointSet};

pub(crate) struct Dice(Xoshiro256PlusPlus);

impl Dice {
    pub(crate) fn new(seed: u64) -> Self {
        Self(Xoshiro256PlusPlus::seed_from_u64(seed))
    }

    /// A number below `bound`.
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        ((u128::from(self.0.next_u64()) * bound as u128) >> 64) as usize
    }

    /// True in so many of a hundred cases.
    pub(crate) fn percent(&mut self, chance: usize) -> bool {
        self.below(100) < chance
    }

    pub(crate) fn one_of<T: Copy>(&mut self, values: &[T]) -> T {
        values[self.below(values.len())]
    }

    pub(crate) fn point_of(&mut self, points: &PointSet) -> Option<Point> {
        match points.len() {
            0 => None,
            len => points.iter().nth(self.below(len)),
        }
    }

    /// The generator itself, for what brings its own way to choose.
    pub(crate) fn generator(&mut self) -> &mut Xoshiro256PlusPlus {
        &mut self.0
    }
}
