//! Counts as Python sees them.

use pyo3::prelude::*;
use pyo3::types::PyTuple;
use tengen_core::ByColor;

use crate::color::Color;
use crate::komi::{Komi, points};
use crate::pickle;
use crate::rules;

/// A count with all its parts; pairs are Black's number, then White's.
///
/// >>> import tengen
/// >>> game = tengen.Game(setup='. X O .\n. X O .\n. X O .', komi=0.5)
/// >>> score = game.score()
/// >>> print(score)
/// W+0.5
/// >>> score.stones, score.territory, score.margin
/// ((3, 3), (3, 3), -0.5)
#[pyclass(frozen, eq, module = "tengen")]
#[derive(PartialEq, Eq)]
pub(crate) struct Score(pub(crate) tengen_core::Score);

const fn pair(parts: ByColor<u32>) -> (u32, u32) {
    (parts.black, parts.white)
}

#[pymethods]
impl Score {
    /// Which of the parts count: 'area', 'territory' or 'area-and-prisoners'.
    #[getter]
    fn scoring(&self) -> &'static str {
        rules::scoring(self.0.scoring)
    }

    /// Living stones on the board.
    #[getter]
    const fn stones(&self) -> (u32, u32) {
        pair(self.0.stones)
    }

    /// Empty points, those of dead stones included, that belong to each player.
    #[getter]
    const fn territory(&self) -> (u32, u32) {
        pair(self.0.territory)
    }

    /// Enemy stones that each player has captured or that are dead.
    #[getter]
    const fn prisoners(&self) -> (u32, u32) {
        pair(self.0.prisoners)
    }

    /// Empty points that belong to nobody.
    #[getter]
    const fn dame(&self) -> u32 {
        self.0.dame
    }

    /// White's komi.
    #[getter]
    fn komi(&self) -> Komi {
        Komi(self.0.komi)
    }

    /// White's points for Black's handicap stones.
    #[getter]
    const fn compensation(&self) -> u16 {
        self.0.compensation
    }

    /// Black's total.
    #[getter]
    fn black(&self) -> f64 {
        points(self.0.halves(tengen_core::Color::Black))
    }

    /// White's total, komi and compensation included.
    #[getter]
    fn white(&self) -> f64 {
        points(self.0.halves(tengen_core::Color::White))
    }

    /// By how much Black leads; negative where White does.
    #[getter]
    fn margin(&self) -> f64 {
        points(self.0.margin_halves())
    }

    /// Who has more, 'black' or 'white'; None for a tie.
    #[getter]
    fn leader(&self) -> Option<Color> {
        match self.0.margin_halves().signum() {
            1 => Some(tengen_core::Color::Black.into()),
            -1 => Some(tengen_core::Color::White.into()),
            _ => None,
        }
    }

    fn __str__(&self) -> String {
        self.0.to_string()
    }

    fn __repr__(&self) -> String {
        let score = &self.0;
        format!(
            "<Score {score}: stones {:?}, territory {:?}, prisoners {:?}, dame {}, komi {}, compensation {}>",
            pair(score.stones),
            pair(score.territory),
            pair(score.prisoners),
            score.dame,
            score.komi,
            score.compensation
        )
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let score = &self.0;
        let state = (
            self.scoring(),
            pair(score.stones),
            pair(score.territory),
            pair(score.prisoners),
            score.dame,
            Komi(score.komi),
            score.compensation,
        );
        pickle::reduce::<Self>(py, state)
    }

    #[staticmethod]
    fn _restore(
        scoring: &str,
        stones: (u32, u32),
        territory: (u32, u32),
        prisoners: (u32, u32),
        dame: u32,
        komi: Komi,
        compensation: u16,
    ) -> PyResult<Self> {
        let parts = |(black, white)| ByColor::new(black, white);
        Ok(Self(tengen_core::Score {
            scoring: rules::read_scoring(scoring)?,
            stones: parts(stones),
            territory: parts(territory),
            prisoners: parts(prisoners),
            dame,
            komi: komi.0,
            compensation,
        }))
    }
}
