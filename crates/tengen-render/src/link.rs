//! Lines between points.

use tengen_core::Point;

/// A straight line from the middle of one point to that of another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Link {
    /// Where it begins.
    pub from: Point,
    /// Where it ends.
    pub to: Point,
    /// What it ends in.
    pub kind: LinkKind,
}

/// What a [`Link`] ends in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum LinkKind {
    /// Nothing (SGF `LN`).
    Line,
    /// A head that points at the end (SGF `AR`).
    Arrow,
}
