//! When a search ends.

use std::time::Duration;

pub use tengen_core::Stop;
use tengen_core::{Color, Move};

/// How long a search may go on. It ends at the first limit that it reaches; without any, only a [`Stop`] ends it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// Visits of the root, those of a tree that is searched further included.
    pub visits: Option<u32>,
    /// Time of the clock on the wall.
    pub time: Option<Duration>,
    /// May it end before, once no other move can become the best?
    pub may_end_early: bool,
}

impl Limits {
    /// So many visits.
    pub const fn visits(visits: u32) -> Self {
        Self {
            visits: Some(visits),
            time: None,
            may_end_early: false,
        }
    }

    /// So much time.
    pub const fn time(time: Duration) -> Self {
        Self {
            visits: None,
            time: Some(time),
            may_end_early: false,
        }
    }
}

/// A move of the root that gets at least a share of the visits, so that one search compares it with the best one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Beside {
    /// The move.
    pub action: Move,
    /// Its share of the visits, from 0 to 1.
    pub share: f32,
}

/// Moves that a search leaves out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Restrictions(pub Vec<Restriction>);

/// Moves that one player does not, or may only, make for some time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Restriction {
    /// Whose moves.
    pub color: Color,
    /// Which moves.
    pub moves: Vec<Move>,
    /// What about them.
    pub kind: RestrictionKind,
    /// For so many moves from the root; 1 is the root alone.
    pub until_depth: u32,
}

/// What a restriction does with its moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RestrictionKind {
    /// They are not searched.
    Avoid,
    /// Only they are searched.
    Allow,
}

impl Restrictions {
    /// Is every move searched?
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Is this move of this player searched, so many moves from the root (0 at the root)?
    pub fn permit(&self, color: Color, action: Move, depth: u32) -> bool {
        self.0
            .iter()
            .filter(|restriction| restriction.color == color && depth < restriction.until_depth)
            .all(|restriction| {
                let named = restriction.moves.contains(&action);
                named == (restriction.kind == RestrictionKind::Allow)
            })
    }
}
