//! What a search found, as Python sees it.

use numpy::{PyArray1, PyArray2, PyArrayMethods};
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use tengen_core::{Move, PointMap, Size};
use tengen_search::Worth;

use crate::color::Color;
use crate::pickle;

/// What a search knows about a position. All numbers are those of the player to move, ownership apart.
///
/// >>> from tengen import Engine, Game
/// >>> analysis = Engine(threads=1).analyze(Game(9, to_move='white'), visits=50)
/// >>> analysis.to_move, analysis.best == analysis.moves[0].move
/// ('white', True)
/// >>> 0 <= analysis.win_rate <= 1
/// True
#[pyclass(frozen, module = "tengen")]
pub(crate) struct Analysis {
    analysis: tengen_search::Analysis,
    size: Size,
}

impl Analysis {
    pub(crate) const fn new(analysis: tengen_search::Analysis, size: Size) -> Self {
        Self { analysis, size }
    }

    fn values(&self, map: &PointMap<f32>) -> Vec<f32> {
        self.size.points().iter().map(|point| map[point]).collect()
    }

    fn grid<'py>(
        &self,
        py: Python<'py>,
        map: &PointMap<f32>,
    ) -> PyResult<Bound<'py, PyArray2<f32>>> {
        let [height, width] = [self.size.height(), self.size.width()].map(usize::from);
        PyArray1::from_vec(py, self.values(map)).reshape([height, width])
    }
}

#[pymethods]
impl Analysis {
    /// Whose position it is: 'black' or 'white'.
    #[getter]
    fn to_move(&self) -> Color {
        self.analysis.to_move.into()
    }

    /// How many times the position was searched.
    #[getter]
    const fn visits(&self) -> u32 {
        self.analysis.visits
    }

    /// The share of games that the player wins, a draw being half of one.
    #[getter]
    const fn win_rate(&self) -> f32 {
        self.analysis.worth.win_rate
    }

    /// The mean number of points by which the player is ahead, komi included.
    #[getter]
    const fn lead(&self) -> f32 {
        self.analysis.worth.lead
    }

    /// The standard deviation of that number.
    #[getter]
    const fn lead_spread(&self) -> f32 {
        self.analysis.worth.lead_spread
    }

    /// The best move, such as 'D4' or 'pass'.
    #[getter]
    fn best(&self) -> String {
        self.analysis.best().to_gtp(self.size)
    }

    /// All moves that the player may make, the best first.
    #[getter]
    fn moves(&self) -> Vec<Candidate> {
        let moves = self.analysis.moves.iter();
        moves
            .map(|candidate| Candidate {
                candidate: candidate.clone(),
                size: self.size,
            })
            .collect()
    }

    /// Whose each point will be, as a float32 array with a row for each row of the board: 1 is Black's, -1 White's.
    #[getter]
    fn ownership<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f32>>> {
        self.grid(py, &self.analysis.ownership)
    }

    /// How much the owner of each point varied from one game to the next, as such an array: the standard deviation.
    #[getter]
    fn ownership_spread<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f32>>> {
        self.grid(py, &self.analysis.ownership_spread)
    }

    fn __repr__(&self) -> String {
        format!(
            "<Analysis {} to move, best {}, win rate {:.3}, lead {:.1}, visits {}>",
            Color(self.analysis.to_move).name(),
            self.best(),
            self.win_rate(),
            self.lead(),
            self.visits()
        )
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let analysis = &self.analysis;
        let moves: Vec<CandidateState> = analysis
            .moves
            .iter()
            .map(|candidate| CandidateState::of(candidate, self.size))
            .collect();
        let state = (
            crate::size::Size(self.size),
            self.to_move(),
            analysis.visits,
            worth_state(analysis.worth),
            moves,
            self.values(&analysis.ownership),
            self.values(&analysis.ownership_spread),
        );
        pickle::reduce::<Self>(py, state)
    }

    #[staticmethod]
    #[expect(
        clippy::needless_pass_by_value,
        reason = "what Python hands over comes by value"
    )]
    fn _restore(
        size: crate::size::Size,
        to_move: Color,
        visits: u32,
        worth: WorthState,
        moves: Vec<CandidateState>,
        ownership: Vec<f32>,
        ownership_spread: Vec<f32>,
    ) -> PyResult<Self> {
        let size = size.0;
        let map = |values: &[f32]| {
            if values.len() != size.area() {
                return Err(pickle::damaged("Analysis"));
            }
            let mut map = PointMap::new(0.0);
            for (point, value) in size.points().iter().zip(values) {
                map[point] = *value;
            }
            Ok(map)
        };
        let moves = moves.into_iter().map(|state| state.candidate(size));
        let analysis = tengen_search::Analysis {
            to_move: to_move.0,
            visits,
            worth: worth_of(worth),
            moves: moves.collect::<PyResult<_>>()?,
            ownership: map(&ownership)?,
            ownership_spread: map(&ownership_spread)?,
        };
        Ok(Self { analysis, size })
    }
}

/// Win rate, lead, its spread and its deviation.
type WorthState = (f32, f32, f32, f32);

const fn worth_state(worth: Worth) -> WorthState {
    (
        worth.win_rate,
        worth.lead,
        worth.lead_spread,
        worth.lead_deviation,
    )
}

const fn worth_of((win_rate, lead, lead_spread, lead_deviation): WorthState) -> Worth {
    Worth {
        win_rate,
        lead,
        lead_spread,
        lead_deviation,
    }
}

/// A candidate as it is pickled.
#[derive(FromPyObject, IntoPyObject)]
struct CandidateState(
    String,
    u32,
    f32,
    WorthState,
    f32,
    f32,
    Vec<String>,
    Vec<u32>,
    Vec<f32>,
    Vec<f32>,
);

impl CandidateState {
    fn of(candidate: &tengen_search::Candidate, size: Size) -> Self {
        let variation = candidate.variation.iter();
        Self(
            candidate.action.to_gtp(size),
            candidate.visits,
            candidate.selection,
            worth_state(candidate.worth),
            candidate.lcb,
            candidate.prior,
            variation.map(|action| action.to_gtp(size)).collect(),
            candidate.variation_visits.clone(),
            candidate.ownership.clone(),
            candidate.ownership_spread.clone(),
        )
    }

    fn candidate(self, size: Size) -> PyResult<tengen_search::Candidate> {
        let Self(
            action,
            visits,
            selection,
            worth,
            lcb,
            prior,
            variation,
            variation_visits,
            ownership,
            ownership_spread,
        ) = self;
        let read =
            |text: &String| Move::from_gtp(text, size).map_err(|_| pickle::damaged("Candidate"));
        Ok(tengen_search::Candidate {
            action: read(&action)?,
            visits,
            selection,
            worth: worth_of(worth),
            lcb,
            prior,
            variation: variation.iter().map(read).collect::<PyResult<_>>()?,
            variation_visits,
            ownership,
            ownership_spread,
        })
    }
}

/// A move that a player may make, and what a search found about it. All numbers are those of that player.
///
/// >>> from tengen import Engine, Game
/// >>> best = Engine(threads=1).analyze(Game(9), visits=50).moves[0]
/// >>> best.variation[0] == best.move, len(best.variation) == len(best.variation_visits)
/// (True, True)
#[pyclass(frozen, module = "tengen")]
pub(crate) struct Candidate {
    candidate: tengen_search::Candidate,
    size: Size,
}

#[pymethods]
impl Candidate {
    /// The move, such as 'D4' or 'pass'.
    #[getter]
    fn r#move(&self) -> String {
        self.candidate.action.to_gtp(self.size)
    }

    /// How many times it was searched.
    #[getter]
    const fn visits(&self) -> u32 {
        self.candidate.visits
    }

    /// The share of games that it wins; that of the position if it was never searched.
    #[getter]
    const fn win_rate(&self) -> f32 {
        self.candidate.worth.win_rate
    }

    /// The mean number of points by which the player is ahead after it, komi included.
    #[getter]
    const fn lead(&self) -> f32 {
        self.candidate.worth.lead
    }

    /// The standard deviation of that number.
    #[getter]
    const fn lead_spread(&self) -> f32 {
        self.candidate.worth.lead_spread
    }

    /// A win rate that the move falls short of with small probability.
    #[getter]
    const fn lcb(&self) -> f32 {
        self.candidate.lcb
    }

    /// How likely the move seemed before it was searched; all moves together have 1.
    #[getter]
    const fn prior(&self) -> f32 {
        self.candidate.prior
    }

    /// The moves that are expected to follow, this one first.
    #[getter]
    fn variation(&self) -> Vec<String> {
        let variation = self.candidate.variation.iter();
        variation.map(|action| action.to_gtp(self.size)).collect()
    }

    /// How many times each of them was searched.
    #[getter]
    fn variation_visits(&self) -> Vec<u32> {
        self.candidate.variation_visits.clone()
    }

    fn __repr__(&self) -> String {
        format!(
            "<Candidate {}, win rate {:.3}, lead {:.1}, visits {}>",
            self.r#move(),
            self.win_rate(),
            self.lead(),
            self.visits()
        )
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let state = CandidateState::of(&self.candidate, self.size);
        pickle::reduce::<Self>(py, (crate::size::Size(self.size), state))
    }

    #[staticmethod]
    fn _restore(size: crate::size::Size, state: CandidateState) -> PyResult<Self> {
        Ok(Self {
            candidate: state.candidate(size.0)?,
            size: size.0,
        })
    }
}
