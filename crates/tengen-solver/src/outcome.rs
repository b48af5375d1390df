//! How searches end, and what their failures rest on.

/// What came of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    Win,
    Fail(Why),
    Stopped,
}

/// What a failure rests on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Why {
    /// The first situation of the path whose repetition it needs: its number from 1, `FREE` if there is none, `UNKNOWN`
    /// if the table has forgotten which.
    pub(crate) base: u16,
    /// Did the search end somewhere for want of depth or width?
    pub(crate) cut: bool,
}

pub(crate) const FREE: u16 = u16::MAX;
pub(crate) const UNKNOWN: u16 = 0;

impl Why {
    pub(crate) const FINAL: Self = Self {
        base: FREE,
        cut: false,
    };
    pub(crate) const SHALLOW: Self = Self {
        base: FREE,
        cut: true,
    };

    pub(crate) const fn repetition(base: u16) -> Self {
        Self { base, cut: false }
    }

    pub(crate) fn and(self, other: Self) -> Self {
        Self {
            base: self.base.min(other.base),
            cut: self.cut || other.cut,
        }
    }

    /// Would every other search fail as well?
    pub(crate) fn is_final(self) -> bool {
        self == Self::FINAL
    }
}
