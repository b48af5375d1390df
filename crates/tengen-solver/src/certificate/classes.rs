//! Situations as numbers, one for all that are the same but for a symmetry of the board.

use std::ops::Add;

use tengen_core::{ByColor, Point, Size, Symmetry};

use super::{Entry, MAX_AREA, Situation};

/// The classes of situations on boards of one size.
///
/// A situation's number is `(stones * (N + 1) + ko) * 2 + passed`, where N is the number of points, `stones` has a
/// digit to base 3 for each point (0 empty, 1 Black, 2 White; the first point is the lowest digit) and `ko` is 0 or the
/// ko point plus 1. A class goes by the smallest number among its situations.
pub struct Classes {
    size: Size,
    area: u8,
    /// Where each symmetry takes each point, in the order of the symmetries' numbers.
    images: Vec<[u8; MAX_AREA]>,
    /// Which point each symmetry takes to each point.
    origins: Vec<[u8; MAX_AREA]>,
    weights: Weights,
}

/// The class of a situation, and how to get there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Class {
    /// The number of the situation that stands for the class.
    pub key: u128,
    /// The symmetry that makes it of the situation asked about: the first that does.
    symmetry: u8,
}

/// What eight neighbouring points contribute to the number of the stones, after each symmetry.
enum Weights {
    /// Of boards whose numbers fit in 64 bits.
    Narrow(Vec<u64>),
    Wide(Vec<u128>),
}

impl Classes {
    /// The classes of a board size; `None` if it has more than [`MAX_AREA`] points.
    pub fn new(size: Size) -> Option<Self> {
        let area = size.area();
        if area > MAX_AREA {
            return None;
        }
        let place = |point: Point| point.y() * size.width() + point.x();
        let image = |symmetry: Symmetry| {
            let mut image = [0; MAX_AREA];
            for point in size.points() {
                image[usize::from(place(point))] = place(symmetry.apply(point, size));
            }
            image
        };
        let images: Vec<_> = Symmetry::onto_itself(size).map(image).collect();
        let origin = |image: &[u8; MAX_AREA]| {
            let mut origin = [0; MAX_AREA];
            for (place, to) in (0..).zip(&image[..area]) {
                origin[usize::from(*to)] = place;
            }
            origin
        };
        let power = |point: u8| 3_u128.pow(u32::from(point));
        let mut wide = Vec::new();
        for image in &images {
            for first in (0..area).step_by(8) {
                for bits in 0..256_usize {
                    let points =
                        (first..area.min(first + 8)).filter(|p| bits >> (p - first) & 1 != 0);
                    wide.push(points.map(|point| power(image[point])).sum());
                }
            }
        }
        // The number of the stones, twice as large for White, is below three to the power of the area.
        let narrow: Option<Vec<u64>> =
            (area <= 40).then(|| wide.iter().map(|weight| *weight as u64).collect());
        Some(Self {
            size,
            area: area as u8,
            origins: images.iter().map(origin).collect(),
            images,
            weights: narrow.map_or(Weights::Wide(wide), Weights::Narrow),
        })
    }

    /// The board size.
    pub const fn size(&self) -> Size {
        self.size
    }

    /// The number of points.
    pub const fn area(&self) -> u8 {
        self.area
    }

    /// How many symmetries the board has.
    pub fn symmetries(&self) -> usize {
        self.images.len()
    }

    /// The class of a situation.
    pub fn class(&self, situation: &Situation) -> Class {
        match &self.weights {
            Weights::Narrow(weights) => self.smallest(situation, weights, u128::from),
            Weights::Wide(weights) => self.smallest(situation, weights, |stones| stones),
        }
    }

    fn smallest<W: Copy + Default + Ord + Add<Output = W>>(
        &self,
        situation: &Situation,
        weights: &[W],
        widen: impl Fn(W) -> u128,
    ) -> Class {
        let bytes = usize::from(self.area).div_ceil(8);
        let black = situation.stones.black.to_le_bytes();
        let white = situation.stones.white.to_le_bytes();
        let mut best: Option<(W, u8, u8)> = None;
        for (symmetry, weights) in (0..).zip(weights.chunks_exact(256 * bytes)) {
            let mut stones = W::default();
            for (byte, weights) in weights.chunks_exact(256).enumerate() {
                let white = weights[usize::from(white[byte])];
                stones = stones + weights[usize::from(black[byte])] + white + white;
            }
            if best.is_some_and(|(least, ..)| stones > least) {
                continue;
            }
            let ko = situation.ko.map_or(0, |ko| self.image(symmetry, ko) + 1);
            if best.is_none_or(|(least, least_ko, _)| (stones, ko) < (least, least_ko)) {
                best = Some((stones, ko, symmetry));
            }
        }
        let (stones, ko, symmetry) = best.expect("every board is symmetric to itself");
        Class {
            key: self.number(widen(stones), ko, situation.passed),
            symmetry,
        }
    }

    const fn number(&self, stones: u128, ko: u8, passed: bool) -> u128 {
        (stones * (self.area as u128 + 1) + ko as u128) * 2 + passed as u128
    }

    fn image(&self, symmetry: u8, point: u8) -> u8 {
        self.images[usize::from(symmetry)][usize::from(point)]
    }

    /// The number of an entry for the situation that stands for the class: `class * (N + 1) + reply`, where the reply
    /// is a point, or N for a pass.
    pub fn code(&self, entry: &Entry) -> u128 {
        let class = self.class(&entry.situation);
        let reply = entry
            .reply
            .map_or(self.area, |point| self.image(class.symmetry, point));
        class.key * (u128::from(self.area) + 1) + u128::from(reply)
    }

    /// The class and the reply that an entry's number is made of.
    pub fn split(&self, code: u128) -> (u128, Option<u8>) {
        let radix = u128::from(self.area) + 1;
        let reply = (code % radix) as u8;
        (code / radix, (reply < self.area).then_some(reply))
    }

    /// The least number that an entry of this class can have.
    pub fn first_code(&self, key: u128) -> u128 {
        key * (u128::from(self.area) + 1)
    }

    /// The number of the stones alone, of situations of this class.
    pub fn stones(&self, key: u128) -> u128 {
        key / 2 / (u128::from(self.area) + 1)
    }

    /// The situation turned or mirrored in each way that the board allows, once or more often.
    pub fn images(&self, situation: &Situation) -> impl Iterator<Item = Situation> {
        self.images.iter().map(|image| {
            let points = |bits: u64| {
                let places = (0..usize::from(self.area)).filter(|place| bits >> place & 1 != 0);
                places.fold(0, |set, place| set | 1_u64 << image[place])
            };
            Situation {
                stones: situation.stones.map(points),
                ko: situation.ko.map(|ko| image[usize::from(ko)]),
                passed: situation.passed,
            }
        })
    }

    /// The reply in the situation that was asked about, when this is the one in the situation that stands for its
    /// class.
    pub fn reply(&self, class: Class, reply: Option<u8>) -> Option<u8> {
        reply.map(|place| self.origins[usize::from(class.symmetry)][usize::from(place)])
    }

    /// The numbers of entries are below this.
    pub fn code_limit(&self) -> u128 {
        let radix = u128::from(self.area) + 1;
        3_u128.pow(u32::from(self.area)) * 2 * radix * radix
    }

    /// The situation with this number, or `None` if its ko point is not empty or there is no such situation.
    pub fn situation(&self, key: u128) -> Option<Situation> {
        let radix = u128::from(self.area) + 1;
        let passed = key % 2 == 1;
        let ko = ((key / 2 % radix) as u8).checked_sub(1);
        let mut digits = key / 2 / radix;
        let mut stones = ByColor::new(0_u64, 0_u64);
        for point in 0..self.area {
            match digits % 3 {
                1 => stones.black |= 1 << point,
                2 => stones.white |= 1 << point,
                _ => {}
            }
            digits /= 3;
        }
        let situation = Situation { stones, ko, passed };
        let ko_is_empty = ko.is_none_or(|ko| situation.color_at(ko).is_none());
        (digits == 0 && ko_is_empty).then_some(situation)
    }
}
