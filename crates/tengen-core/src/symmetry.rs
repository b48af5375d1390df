//! Rotations and reflections of the board.

use crate::color::{ByColor, Color};
use crate::point::Point;
use crate::point_set::PointSet;
use crate::setup::Setup;
use crate::size::Size;

/// A way to turn or mirror a board. All eight fit every board; on a rectangle four of them exchange width and height.
///
/// ```
/// use tengen_core::{Point, Size, Symmetry};
/// let size = Size::new(9, 13)?;
/// let corner = Point::new(0, 0);
/// assert_eq!(Symmetry::MIRROR.apply(corner, size), Point::new(8, 0));
/// assert_eq!(Symmetry::onto_itself(size).count(), 4);
/// # Ok::<(), tengen_core::SizeError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Symmetry {
    /// Exchange columns and rows, after the mirrors.
    transpose: bool,
    /// Mirror left and right.
    mirror_x: bool,
    /// Mirror top and bottom.
    mirror_y: bool,
}

impl Symmetry {
    /// Leaves everything where it is.
    pub const IDENTITY: Self = Self::new(0);
    /// Exchanges left and right.
    pub const MIRROR: Self = Self::new(1);

    /// Symmetry number 0 to 7: bit 0 mirrors left and right, bit 1 top and bottom, bit 2 then exchanges columns and
    /// rows. Higher bits are ignored.
    pub const fn new(number: u8) -> Self {
        Self {
            mirror_x: number & 1 != 0,
            mirror_y: number & 2 != 0,
            transpose: number & 4 != 0,
        }
    }

    /// The number that [`Symmetry::new`] takes.
    pub const fn number(self) -> u8 {
        self.mirror_x as u8 | (self.mirror_y as u8) << 1 | (self.transpose as u8) << 2
    }

    /// All eight, the identity first.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..8).map(Self::new)
    }

    /// Those that keep the shape of the board: eight for a square, four for a rectangle.
    pub fn onto_itself(size: Size) -> impl Iterator<Item = Self> {
        Self::all().filter(move |symmetry| symmetry.size(size) == size)
    }

    /// The symmetry that undoes this one.
    #[must_use]
    pub const fn inverse(self) -> Self {
        if self.transpose {
            Self {
                transpose: true,
                mirror_x: self.mirror_y,
                mirror_y: self.mirror_x,
            }
        } else {
            self
        }
    }

    /// This symmetry, followed by another.
    #[must_use]
    pub const fn then(self, next: Self) -> Self {
        // What `next` mirrors are columns and rows as this symmetry leaves them.
        let (mirror_x, mirror_y) = if self.transpose {
            (next.mirror_y, next.mirror_x)
        } else {
            (next.mirror_x, next.mirror_y)
        };
        Self {
            transpose: self.transpose != next.transpose,
            mirror_x: self.mirror_x != mirror_x,
            mirror_y: self.mirror_y != mirror_y,
        }
    }

    /// The shape of a board afterwards.
    pub const fn size(self, size: Size) -> Size {
        if self.transpose {
            size.transposed()
        } else {
            size
        }
    }

    /// Where a point of a board of this size goes.
    pub const fn apply(self, point: Point, size: Size) -> Point {
        let mut x = point.x();
        let mut y = point.y();
        if self.mirror_x {
            x = size.width() - 1 - x;
        }
        if self.mirror_y {
            y = size.height() - 1 - y;
        }
        if self.transpose {
            Point::new(y, x)
        } else {
            Point::new(x, y)
        }
    }

    /// Where the points of a set go.
    pub fn apply_to_set(self, set: &PointSet, size: Size) -> PointSet {
        set.iter().map(|point| self.apply(point, size)).collect()
    }
}

impl Setup {
    /// The position turned or mirrored.
    #[must_use]
    pub fn transformed(&self, symmetry: Symmetry) -> Self {
        Self {
            size: symmetry.size(self.size),
            stones: self
                .stones
                .map(|stones| symmetry.apply_to_set(&stones, self.size)),
            to_move: self.to_move,
            ko: self.ko.map(|ko| symmetry.apply(ko, self.size)),
        }
    }

    /// The one position that stands for all that are this one turned, mirrored or with the colours exchanged, and how
    /// to get there.
    ///
    /// ```
    /// use tengen_core::Setup;
    /// let a: Setup = ". X\n. .\nWhite to move".parse()?;
    /// let b: Setup = ". .\nO .\nBlack to move".parse()?;
    /// assert_eq!(a.canonical().setup, b.canonical().setup);
    /// # Ok::<(), tengen_core::DiagramError>(())
    /// ```
    pub fn canonical(&self) -> Canonical {
        let size = self.size;
        let upright = Symmetry::new(if size.width() > size.height() { 4 } else { 0 });
        let form = |symmetry, inverted| Canonical {
            setup: if inverted { self.inverted() } else { *self }.transformed(symmetry),
            symmetry,
            inverted,
        };
        let others = [false, true].into_iter().flat_map(|inverted| {
            Symmetry::all()
                .filter(|symmetry| symmetry.size(size) == upright.size(size))
                .map(move |symmetry| form(symmetry, inverted))
        });
        others.fold(form(upright, false), |best, other| {
            std::cmp::min_by_key(best, other, |form| form.setup.sort_key())
        })
    }

    /// Orders positions of one size. Which order it is does not matter, as long as different positions differ.
    fn sort_key(&self) -> (Color, ByColorKey, Option<Point>) {
        (
            self.to_move,
            self.stones.map(|stones| *stones.rows()).into(),
            self.ko,
        )
    }
}

/// The rows of the stones of both colours.
type ByColorKey = [[u32; crate::point_set::WORDS]; 2];

impl<T> From<ByColor<T>> for [T; 2] {
    fn from(both: ByColor<T>) -> Self {
        [both.black, both.white]
    }
}

/// The position that stands for its symmetric ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Canonical {
    /// The position itself: no wider than high, with Black to move.
    pub setup: Setup,
    /// What was done to the board to get there, after the colours.
    pub symmetry: Symmetry,
    /// Were the colours exchanged?
    pub inverted: bool,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_eight_form_a_group() {
        let size = Size::new(4, 7).unwrap();
        for a in Symmetry::all() {
            assert_eq!(Symmetry::new(a.number()), a);
            assert_eq!(a.then(a.inverse()), Symmetry::IDENTITY);
            for b in Symmetry::all() {
                for point in size.points() {
                    let step_by_step = b.apply(a.apply(point, size), a.size(size));
                    assert_eq!(a.then(b).apply(point, size), step_by_step, "{a:?} {b:?}");
                }
            }
        }
    }

    #[test]
    fn each_keeps_a_board_whole() {
        for size in ["1", "1x5", "7", "25x3"] {
            let size: Size = size.parse().unwrap();
            for symmetry in Symmetry::all() {
                let image = symmetry.apply_to_set(&size.points(), size);
                assert_eq!(image, symmetry.size(size).points());
            }
        }
    }

    #[test]
    fn all_sixteen_forms_share_one_canonical_form() {
        for text in [
            "X O . .\n. . X .\n. . . O\nWhite to move\nko: D2",
            "X . .\n. O .\n. . .",
        ] {
            let setup: Setup = text.parse().unwrap();
            let canonical = setup.canonical();
            assert_eq!(canonical.setup.to_move, Color::Black);
            for symmetry in Symmetry::all() {
                let image = setup.transformed(symmetry);
                assert_eq!(image.canonical().setup, canonical.setup);
                assert_eq!(image.inverted().canonical().setup, canonical.setup);
                assert_eq!(image.transformed(symmetry.inverse()), setup);
            }
            let colors = if canonical.inverted {
                setup.inverted()
            } else {
                setup
            };
            assert_eq!(colors.transformed(canonical.symmetry), canonical.setup);
        }
    }
}
