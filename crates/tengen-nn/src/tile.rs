//! Tiles for Winograd's minimal filtering.
//!
//! A convolution with 3 × 3 weights becomes a product, place by place, of transformed tiles and transformed weights
//! (Lavin and Gray, 2015). A tile of `n` points on a side has `n + 2` places there: the values of its polynomial at as
//! many points. The points of a smaller tile are among those of a larger one, so that tiles of several sizes share
//! their weights, and a board is cut into few tiles that fit without a rest: 9 is 5 and 4.

use crate::grid::Grid;

/// The longest side that a tile has.
pub(crate) const LONGEST: usize = 5;

/// A tile has at least so many points on a side, since a shorter one would not need fewer products.
pub(crate) const SHORTEST: usize = 3;

/// How many places a side of the largest tile has: the values at 0, infinity, 1, −1, 2, −2 and 1/2. A tile of `n`
/// points has the first `n + 2` of them.
pub(crate) const SIDE_PLACES: usize = LONGEST + 2;

/// How many places the largest tile has.
pub(crate) const PLACES: usize = SIDE_PLACES * SIDE_PLACES;

/// What is saved by the way in which boards are cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Saving {
    /// Products, by the fewest tiles: best for many boards at once, and for weights that stay in the cache.
    Products,
    /// Weights, which are read from far away for every board: a small board has so many tiles that they are worth the
    /// way.
    Weights,
}

/// So many tiles of one board are worth the way of the weights.
const ENOUGH: usize = 6;

impl Saving {
    /// How boards are cut across and down.
    pub(crate) const fn cuts(self, grid: &Grid) -> [Cut; 2] {
        let down = Cut::fewest(grid.height());
        let across = Cut::fewest(grid.width());
        match self {
            Self::Weights if across.count * down.count < ENOUGH => {
                [Cut::shortest(grid.width()), down]
            }
            _ => [across, down],
        }
    }
}

/// How one side of a board is cut into spans of about equal length, the longer ones first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Cut {
    count: usize,
    /// The length of the shorter spans.
    short: usize,
    /// How many spans are longer by one.
    longer: usize,
}

impl Cut {
    /// The fewest spans, which need the fewest products.
    pub(crate) const fn fewest(side: usize) -> Self {
        Self::into(side, side.div_ceil(LONGEST))
    }

    /// The shortest spans.
    pub(crate) const fn shortest(side: usize) -> Self {
        Self::into(side, side / SHORTEST)
    }

    /// A side that is too short for one span is hung over.
    const fn into(side: usize, count: usize) -> Self {
        if side < SHORTEST {
            return Self {
                count: 1,
                short: SHORTEST,
                longer: 0,
            };
        }
        Self {
            count,
            short: side / count,
            longer: side % count,
        }
    }

    /// How many spans there are.
    pub(crate) const fn count(self) -> usize {
        self.count
    }

    /// How many points a span has.
    pub(crate) const fn length(self, span: usize) -> usize {
        self.short + (span < self.longer) as usize
    }

    /// How many points all spans have.
    pub(crate) const fn sum(self) -> usize {
        self.start(self.count)
    }

    /// The first point of a span.
    pub(crate) const fn start(self, span: usize) -> usize {
        let longer = if span < self.longer {
            span
        } else {
            self.longer
        };
        span * self.short + longer
    }

    /// How many spans have a place. They are the first ones.
    pub(crate) const fn having(self, place: usize) -> usize {
        if place < self.short + 2 {
            self.count
        } else if place < self.short + 3 {
            self.longer
        } else {
            0
        }
    }

    /// How many places before this one all spans have together.
    pub(crate) const fn before(self, place: usize) -> usize {
        let common = self.short + 2;
        if place <= common {
            place * self.count
        } else {
            common * self.count + self.longer
        }
    }

    /// How many places all spans have together.
    pub(crate) const fn places(self) -> usize {
        self.before(SIDE_PLACES)
    }
}

#[cfg(test)]
mod tests {
    use super::{Cut, LONGEST, SHORTEST, SIDE_PLACES};

    #[test]
    fn spans_cover_a_side_once_and_share_their_places() {
        for side in 1..=25 {
            for cut in [Cut::fewest(side), Cut::shortest(side)] {
                let mut next = 0;
                let mut places = [0; SIDE_PLACES];
                for span in 0..cut.count() {
                    assert_eq!(cut.start(span), next);
                    let length = cut.length(span);
                    assert!((SHORTEST..=LONGEST).contains(&length));
                    next += length;
                    for (place, count) in places[..length + 2].iter_mut().enumerate() {
                        assert_eq!(*count, span, "those with place {place} are the first");
                        *count += 1;
                    }
                }
                assert_eq!(next, side.max(SHORTEST));
                for place in 0..SIDE_PLACES {
                    assert_eq!(cut.having(place), places[place]);
                    assert_eq!(cut.before(place), places[..place].iter().sum::<usize>());
                }
                assert_eq!(cut.places(), places.iter().sum::<usize>());
            }
        }
    }
}
