//! Moves that were made, as Python sees them.

use pyo3::prelude::*;
use tengen_core::Size;

use crate::color::Color;

/// One move of a game.
///
/// >>> import tengen
/// >>> game = tengen.Game(9)
/// >>> game.play('E5')
/// >>> game.turns
/// [<Turn black E5>]
/// >>> game.turns[0].color, game.turns[0].move, game.turns[0].removed
/// ('black', 'E5', 0)
#[pyclass(frozen, eq, module = "tengen")]
#[derive(PartialEq, Eq)]
pub(crate) struct Turn {
    turn: tengen_core::Turn,
    size: Size,
}

impl Turn {
    pub(crate) const fn new(turn: tengen_core::Turn, size: Size) -> Self {
        Self { turn, size }
    }
}

#[pymethods]
impl Turn {
    /// Who moved: 'black' or 'white'.
    #[getter]
    fn color(&self) -> Color {
        self.turn.color.into()
    }

    /// The point, such as 'D4', or 'pass'.
    #[getter]
    fn r#move(&self) -> String {
        self.turn.action.to_gtp(self.size)
    }

    /// How many stones it took off the board.
    #[getter]
    const fn removed(&self) -> u16 {
        self.turn.removed
    }

    /// Were they the player's own?
    #[getter]
    const fn suicide(&self) -> bool {
        self.turn.suicide
    }

    fn __repr__(&self) -> String {
        let color = Color(self.turn.color).name();
        format!("<Turn {color} {}>", self.turn.action.to_gtp(self.size))
    }
}
