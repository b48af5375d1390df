//! Players as Python names them.

use std::convert::Infallible;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyString;

/// A player: `"black"` or `"white"`.
#[derive(Clone, Copy)]
pub(crate) struct Color(pub(crate) tengen_core::Color);

impl Color {
    /// The word for it.
    pub(crate) const fn name(self) -> &'static str {
        match self.0 {
            tengen_core::Color::Black => "black",
            tengen_core::Color::White => "white",
        }
    }
}

impl From<tengen_core::Color> for Color {
    fn from(color: tengen_core::Color) -> Self {
        Self(color)
    }
}

impl<'py> FromPyObject<'_, 'py> for Color {
    type Error = PyErr;

    fn extract(value: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        let text: String = value.extract()?;
        match text.parse() {
            Ok(color) => Ok(Self(color)),
            Err(error) => Err(PyValueError::new_err(format!("{error}, not {text:?}"))),
        }
    }
}

impl<'py> IntoPyObject<'py> for Color {
    type Target = PyString;
    type Output = Bound<'py, PyString>;
    type Error = Infallible;

    fn into_pyobject(self, py: Python<'py>) -> Result<Self::Output, Infallible> {
        Ok(PyString::intern(py, self.name()))
    }
}
