//! The liberties of a chain, without the chain.

/// The pseudo-liberties of a chain: one for each pair of a stone and an empty point beside it.
///
/// Their number, the sum of their cell indices and the sum of the squares of these are packed in one word, so that
/// gaining, losing and merging are one addition. The largest board has 1,200 pairs of neighbours and indices below
/// 864, so the fields need 11, 20 and 30 bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Liberties(pub(super) u64);

impl Liberties {
    pub(super) const NONE: Self = Self(0);
    const COUNT_BITS: u32 = 12;
    const SUM_BITS: u32 = 21;

    /// One pseudo-liberty in this cell.
    #[inline]
    pub(super) const fn one(index: usize) -> Self {
        let index = index as u64;
        Self((index * index) << (Self::COUNT_BITS + Self::SUM_BITS) | index << Self::COUNT_BITS | 1)
    }

    // Empty cells, too, count up and down, since skipping them would cost a branch; nobody reads what wraps there.
    #[inline]
    pub(super) const fn plus(self, other: Self) -> Self {
        Self(self.0.wrapping_add(other.0))
    }

    #[inline]
    pub(super) const fn minus(self, other: Self) -> Self {
        Self(self.0.wrapping_sub(other.0))
    }

    #[inline]
    pub(super) const fn count(self) -> u64 {
        self.0 & ((1 << Self::COUNT_BITS) - 1)
    }

    #[inline]
    pub(super) const fn sum(self) -> u64 {
        self.0 >> Self::COUNT_BITS & ((1 << Self::SUM_BITS) - 1)
    }

    /// Are all pseudo-liberties the same point? Exact: n·Σx² = (Σx)² only when all x are equal.
    #[inline]
    pub(super) const fn single(self) -> bool {
        let squares = self.0 >> (Self::COUNT_BITS + Self::SUM_BITS);
        self.count() * squares == self.sum() * self.sum()
    }

    /// Are all pseudo-liberties in this cell, which is known to hold at least one of them?
    #[inline]
    pub(super) const fn all_in(self, index: usize) -> bool {
        self.0 == self.count().wrapping_mul(Self::one(index).0)
    }
}
