//! Moves that were made, as Python sees them.

use pyo3::prelude::*;
use pyo3::types::PyTuple;
use tengen_core::Size;

use crate::color::Color;
use crate::pickle;

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
    color: tengen_core::Color,
    /// The point, such as 'D4', or 'pass'.
    #[pyo3(get, name = "move")]
    action: String,
    /// How many stones it took off the board.
    #[pyo3(get)]
    removed: u16,
    /// Were they the player's own?
    #[pyo3(get)]
    suicide: bool,
    size: Size,
}

impl Turn {
    pub(crate) fn new(turn: tengen_core::Turn, size: Size) -> Self {
        Self {
            color: turn.color,
            action: turn.action.to_gtp(size),
            removed: turn.removed,
            suicide: turn.suicide,
            size,
        }
    }
}

#[pymethods]
impl Turn {
    /// Who moved: 'black' or 'white'.
    #[getter]
    fn color(&self) -> Color {
        self.color.into()
    }

    fn __repr__(&self) -> String {
        format!("<Turn {} {}>", Color(self.color).name(), self.action)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let Self {
            color,
            action,
            removed,
            suicide,
            size,
        } = self;
        let size = crate::size::Size(*size);
        pickle::reduce::<Self>(py, (Color(*color), action, *removed, *suicide, size))
    }

    #[staticmethod]
    fn _restore(
        color: Color,
        action: String,
        removed: u16,
        suicide: bool,
        size: crate::size::Size,
    ) -> Self {
        Self {
            color: color.0,
            action,
            removed,
            suicide,
            size: size.0,
        }
    }
}
