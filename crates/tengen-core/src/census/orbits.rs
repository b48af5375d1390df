//! Positions counted once for all that are the same but for symmetry, by Burnside's lemma: as many as there are
//! positions fixed by a symmetry, on average over the symmetries.

use super::{CensusError, positions};
use crate::color::ByColor;
use crate::size::Size;
use crate::symmetry::Symmetry;

/// Numbers of legal positions of which no two are the same but for symmetry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Orbits {
    /// Up to rotation and reflection.
    pub symmetry: u128,
    /// Up to rotation, reflection and the exchange of the colours.
    pub symmetry_and_color: u128,
}

/// The most independent choices that the positions fixed by a symmetry may have: 3¹⁸ boards take seconds.
const MOST_CHOICES: usize = 18;

/// The number of legal positions up to symmetry. Possible where no symmetry leaves more than 18 points to choose: 5×5,
/// 5×6, 4×8 or 2×17, for example.
///
/// ```
/// use tengen_core::{Size, census};
/// let orbits = census::positions_up_to_symmetry(Size::square(3)?)?;
/// assert_eq!((orbits.symmetry, orbits.symmetry_and_color), (1824, 924));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn positions_up_to_symmetry(size: Size) -> Result<Orbits, CensusError> {
    let symmetries: Vec<Permutation> = Symmetry::onto_itself(size)
        .map(|symmetry| Permutation::of(symmetry, size))
        .collect();
    let feasible = |permutation: &Permutation| {
        permutation.is_identity() || permutation.cycles.len() <= MOST_CHOICES
    };
    if !symmetries.iter().all(feasible) {
        return Err(CensusError::TooManySymmetric(size));
    }
    let all = positions(size)?;
    let grid = Grid::new(size);
    let overflow = CensusError::Overflow(size);
    let mut fixed = 0_u128;
    let mut inverted = 0_u128;
    for permutation in &symmetries {
        let same = if permutation.is_identity() {
            all
        } else {
            grid.count(&permutation.choices())
        };
        fixed = fixed.checked_add(same).ok_or(overflow)?;
        inverted += grid.count(&permutation.inverting_choices());
    }
    let order = symmetries.len() as u128;
    let both = fixed.checked_add(inverted).ok_or(overflow)?;
    Ok(Orbits {
        symmetry: fixed / order,
        symmetry_and_color: both / (2 * order),
    })
}

/// Points as bits, in reading order.
type Points = u64;

/// Points that get stones together: one set the one colour, the other set the other colour.
type Choice = ByColor<Points>;

/// Where a symmetry takes each point, as cycles.
struct Permutation {
    cycles: Vec<Vec<usize>>,
}

impl Permutation {
    fn of(symmetry: Symmetry, size: Size) -> Self {
        let points: Vec<_> = size.points().iter().collect();
        let image = |index: usize| {
            let point = symmetry.apply(points[index], size);
            size.index(point)
        };
        let mut cycles: Vec<Vec<usize>> = Vec::new();
        for first in 0..points.len() {
            if cycles.iter().flatten().any(|&index| index == first) {
                continue;
            }
            let rest = std::iter::successors(Some(image(first)), |&index| Some(image(index)));
            cycles.push(
                [first]
                    .into_iter()
                    .chain(rest.take_while(|&index| index != first))
                    .collect(),
            );
        }
        Self { cycles }
    }

    fn is_identity(&self) -> bool {
        self.cycles.iter().all(|cycle| cycle.len() == 1)
    }

    /// What can be chosen in a position that the symmetry leaves as it is: the colour of each cycle.
    fn choices(&self) -> Vec<Choice> {
        let cycles = self.cycles.iter();
        cycles
            .map(|cycle| ByColor::new(mask(cycle.iter()), 0))
            .collect()
    }

    /// What can be chosen in a position whose colours the symmetry exchanges: they alternate along a cycle, so that one
    /// of odd length must be empty.
    fn inverting_choices(&self) -> Vec<Choice> {
        let cycles = self.cycles.iter().filter(|cycle| cycle.len() % 2 == 0);
        cycles
            .map(|cycle| {
                let every_other = |from| mask(cycle.iter().skip(from).step_by(2));
                ByColor::new(every_other(0), every_other(1))
            })
            .collect()
    }
}

fn mask<'a>(indices: impl Iterator<Item = &'a usize>) -> Points {
    indices.fold(0, |mask, index| mask | 1 << index)
}

/// A board as bits: small enough for a word, and legal or not in a few operations.
struct Grid {
    width: u32,
    all: Points,
    first_column: Points,
}

impl Grid {
    fn new(size: Size) -> Self {
        let width = u32::from(size.width());
        let rows = 0..u32::from(size.height());
        Self {
            width,
            all: Points::MAX >> (Points::BITS - size.area() as u32),
            first_column: rows.fold(0, |column, row| column | 1 << (row * width)),
        }
    }

    /// The number of legal boards that these choices make.
    fn count(&self, choices: &[Choice]) -> u128 {
        self.count_from(choices, ByColor::new(0, 0))
    }

    fn count_from(&self, choices: &[Choice], stones: ByColor<Points>) -> u128 {
        let Some((choice, rest)) = choices.split_first() else {
            return u128::from(self.is_legal(stones));
        };
        [
            (0, 0),
            (choice.black, choice.white),
            (choice.white, choice.black),
        ]
        .into_iter()
        .map(|(black, white)| {
            let stones = ByColor::new(stones.black | black, stones.white | white);
            self.count_from(rest, stones)
        })
        .sum()
    }

    /// Has every chain a liberty?
    fn is_legal(&self, stones: ByColor<Points>) -> bool {
        let liberties = self.beside(self.all & !stones.black & !stones.white);
        [stones.black, stones.white].into_iter().all(|stones| {
            let mut alive = 0;
            let mut more = liberties & stones;
            while more != alive {
                alive = more;
                more |= self.beside(alive) & stones;
            }
            alive == stones
        })
    }

    fn beside(&self, points: Points) -> Points {
        let right = points << 1 & !self.first_column;
        let left = (points & !self.first_column) >> 1;
        let below = points << self.width;
        (left | right | below | points >> self.width) & self.all
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn agrees_with_the_published_numbers() {
        for (text, symmetry, symmetry_and_color) in [
            ("2x2", 13, 8),
            ("2x3", 145, 78),
            ("2x4", 1070, 555),
            ("5x2", 8973, 4532),
            ("2x6", 75243, 37790),
            ("3x3", 1824, 924),
            ("3x4", 81712, 40997),
            ("5x3", 2_058_184, 1_029_413),
            ("4x4", 3_047_783, 1_524_805),
        ] {
            let expected = Orbits {
                symmetry,
                symmetry_and_color,
            };
            assert_eq!(
                positions_up_to_symmetry(text.parse().unwrap()),
                Ok(expected),
                "{text}"
            );
        }
    }

    #[test]
    fn counts_the_classes_that_there_are() {
        // One row, where turning the board upside down changes nothing: a position and its mirror image are one.
        let orbits = |text: &str| positions_up_to_symmetry(text.parse().unwrap()).unwrap();
        assert_eq!(orbits("1x1").symmetry, 1);
        // .., X., O., XO and OX are illegal.
        assert_eq!(
            (orbits("2x1").symmetry, orbits("2x1").symmetry_and_color),
            (3, 2)
        );
    }

    #[test]
    fn refuses_what_would_take_too_long() {
        for text in ["6x6", "9x9", "3x25", "19"] {
            let size: Size = text.parse().unwrap();
            assert_eq!(
                positions_up_to_symmetry(size),
                Err(CensusError::TooManySymmetric(size))
            );
        }
    }
}
