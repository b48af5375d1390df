//! Remarks about records, as Python sees them.

use pyo3::prelude::*;
use pyo3::types::PyTuple;
use tengen_sgf::{Places, Severity};

use crate::pickle;

/// One thing that was wrong with a record, where, and what was done about it.
///
/// >>> import tengen.sgf
/// >>> for remark in tengen.sgf.loads('(;SZ[9];B[ee];W[ge]').diagnostics:
/// ...     print(remark)
/// 1:20: error: a `)` is missing: added at the end
#[pyclass(frozen, eq, module = "tengen.sgf")]
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Diagnostic {
    severity: Severity,
    /// The line, from 1.
    #[pyo3(get)]
    line: usize,
    /// The character in the line, from 1.
    #[pyo3(get)]
    column: usize,
    /// What was wrong and what was done about it.
    #[pyo3(get)]
    message: String,
}

impl Diagnostic {
    /// Finds the lines and columns of remarks about a text.
    pub(crate) fn all(
        text: &str,
        diagnostics: impl IntoIterator<Item = tengen_sgf::Diagnostic>,
    ) -> Vec<Self> {
        let places = Places::new(text);
        let place = |diagnostic: tengen_sgf::Diagnostic| {
            let place = places.at(diagnostic.offset);
            Self {
                severity: diagnostic.severity,
                line: place.line,
                column: place.column,
                message: diagnostic.told(),
            }
        };
        diagnostics.into_iter().map(place).collect()
    }
}

#[pymethods]
impl Diagnostic {
    /// How bad it is: 'note', 'warning' or 'error'.
    #[getter]
    fn severity(&self) -> String {
        self.severity.to_string()
    }

    fn __str__(&self) -> String {
        let (line, column) = (self.line, self.column);
        format!("{line}:{column}: {}: {}", self.severity, self.message)
    }

    fn __repr__(&self) -> String {
        format!("<Diagnostic {}>", self.__str__())
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let state = (self.severity(), self.line, self.column, &self.message);
        pickle::reduce::<Self>(py, state)
    }

    #[staticmethod]
    fn _restore(severity: &str, line: usize, column: usize, message: String) -> PyResult<Self> {
        let known = [Severity::Note, Severity::Warning, Severity::Error];
        let severity = known
            .into_iter()
            .find(|known| known.to_string() == severity)
            .ok_or_else(|| pickle::damaged("Diagnostic"))?;
        Ok(Self {
            severity,
            line,
            column,
            message,
        })
    }
}
