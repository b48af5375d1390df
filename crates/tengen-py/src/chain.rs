//! Chains as Python sees them.

use pyo3::prelude::*;
use pyo3::types::PyTuple;
use tengen_core::Size;

use crate::color::Color;
use crate::pickle;
use crate::vertex::names;

/// Stones of one colour that are connected, and the empty points beside them.
///
/// >>> from tengen import Board
/// >>> chain = Board.parse('. X O\n. X .').chain('B2')
/// >>> chain.color, chain.stones, chain.liberties
/// ('black', ['B2', 'B1'], ['A2', 'A1', 'C1'])
#[pyclass(frozen, eq, module = "tengen")]
#[derive(PartialEq, Eq)]
pub(crate) struct Chain {
    color: tengen_core::Color,
    /// Its points, from the top left.
    #[pyo3(get)]
    stones: Vec<String>,
    /// The empty points beside it, from the top left.
    #[pyo3(get)]
    liberties: Vec<String>,
}

impl Chain {
    pub(crate) fn new(chain: &tengen_core::Chain, size: Size) -> Self {
        Self {
            color: chain.color,
            stones: names(&chain.stones, size),
            liberties: names(&chain.liberties, size),
        }
    }
}

#[pymethods]
impl Chain {
    /// 'black' or 'white'.
    #[getter]
    fn color(&self) -> Color {
        self.color.into()
    }

    /// Has it one liberty left?
    #[getter]
    fn in_atari(&self) -> bool {
        self.liberties.len() == 1
    }

    fn __len__(&self) -> usize {
        self.stones.len()
    }

    fn __repr__(&self) -> String {
        format!(
            "<Chain {} {}, liberties {}>",
            Color(self.color).name(),
            self.stones.join(" "),
            self.liberties.join(" ")
        )
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let state = (Color(self.color), &self.stones, &self.liberties);
        pickle::reduce::<Self>(py, state)
    }

    #[staticmethod]
    const fn _restore(color: Color, stones: Vec<String>, liberties: Vec<String>) -> Self {
        Self {
            color: color.0,
            stones,
            liberties,
        }
    }
}
