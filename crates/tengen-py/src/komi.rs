//! Komi as Python writes it.

use std::convert::Infallible;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyFloat;
use tengen_core::ParseKomiError;

/// Points added to White's score: a whole number or a half more.
#[derive(Clone, Copy)]
pub(crate) struct Komi(pub(crate) tengen_core::Komi);

impl<'py> FromPyObject<'_, 'py> for Komi {
    type Error = PyErr;

    fn extract(value: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        let komi = match value.extract::<String>() {
            Ok(text) => text.parse(),
            Err(_) => from_points(value.extract()?),
        };
        komi.map(Self)
            .map_err(|error| PyValueError::new_err(error.to_string()))
    }
}

fn from_points(points: f64) -> Result<tengen_core::Komi, ParseKomiError> {
    let halves = 2.0 * points;
    // A number that is none compares as not in range.
    let max = f64::from(tengen_core::Komi::MAX.halves());
    if !(-max..=max).contains(&halves) {
        return Err(ParseKomiError::OutOfRange);
    }
    if halves.fract() != 0.0 {
        return Err(ParseKomiError::NotHalves);
    }
    Ok(tengen_core::Komi::from_halves(halves as i16))
}

/// Half-points as Python counts points.
pub(crate) fn points(halves: i32) -> f64 {
    f64::from(halves) / 2.0
}

impl<'py> IntoPyObject<'py> for Komi {
    type Target = PyFloat;
    type Output = Bound<'py, PyFloat>;
    type Error = Infallible;

    fn into_pyobject(self, py: Python<'py>) -> Result<Self::Output, Infallible> {
        points(self.0.halves()).into_pyobject(py)
    }
}
