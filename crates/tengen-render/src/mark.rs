//! Signs on points.

use tengen_core::Color;

/// A sign on a point, on a stone or not; SGF's markup properties and a few more.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Mark {
    /// The point fades into the background (SGF `DD`).
    Dimmed,
    /// A frame around the point (SGF `SL`).
    Selected,
    /// The point belongs to a player (SGF `TB`, `TW`). A stone of the other colour on it is dead and drawn faintly.
    Territory(Color),
    /// A triangle (SGF `TR`).
    Triangle,
    /// A square (SGF `SQ`).
    Square,
    /// A circle (SGF `CR`).
    Circle,
    /// A cross (SGF `MA`).
    Cross,
}
