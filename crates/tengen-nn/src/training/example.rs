//! What a network learns from.

use tengen_core::{PointSet, Symmetry};

use crate::features::Inputs;

/// A position and what is known about it.
#[derive(Clone, Debug)]
pub struct Example {
    /// What the network sees.
    pub inputs: Inputs,
    /// How it is turned before the network sees it. It must turn the board into one of the same size.
    pub symmetry: Symmetry,
    /// What the network should say.
    pub target: Target,
}

/// What a network should say about a position, as the player to move sees it.
#[derive(Clone, Debug)]
pub struct Target {
    /// How likely each move should be: the points row by row, then the pass. Empty if that is not known.
    pub policy: Vec<f32>,
    /// The points where the player may play; the network need not know which they are.
    pub legal: PointSet,
    /// The probabilities to win, to draw and to lose. What they lack of 1 is not known: all are 0 if nothing is.
    pub win_draw_loss: [f32; 3],
    /// By how many points the player was ahead at the end, if that is known.
    pub lead: Option<f32>,
    /// Whose each point was at the end, row by row: 1 is the player's, -1 the opponent's. Empty if that is not known.
    pub ownership: Vec<f32>,
}
