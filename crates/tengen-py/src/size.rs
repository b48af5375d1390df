//! Board dimensions as Python writes them.

use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyTuple};

/// The dimensions of a board: `9`, `(9, 13)` for 9 columns by 13 rows, or `"9x13"`.
#[derive(Clone, Copy)]
pub(crate) struct Size(pub(crate) tengen_core::Size);

impl<'py> FromPyObject<'_, 'py> for Size {
    type Error = PyErr;

    fn extract(value: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        let is_truth = value.is_instance_of::<PyBool>();
        let size = if let Ok(text) = value.extract::<String>() {
            text.parse()
        } else if is_truth {
            return Err(not_a_size(&value)?);
        } else if let Ok(side) = value.extract::<i64>() {
            let side = u8::try_from(side).unwrap_or(0);
            tengen_core::Size::square(side)
        } else if let Ok((width, height)) = value.extract::<(i64, i64)>() {
            // No board has a side of 0, so whatever does not fit is refused with the others.
            let side = |length: i64| u8::try_from(length).unwrap_or(0);
            tengen_core::Size::new(side(width), side(height))
        } else {
            return Err(not_a_size(&value)?);
        };
        size.map(Self)
            .map_err(|error| PyValueError::new_err(error.to_string()))
    }
}

fn not_a_size(value: &Bound<'_, PyAny>) -> PyResult<PyErr> {
    Ok(PyTypeError::new_err(format!(
        "a size is a number such as 9, or a pair (columns, rows), not {}",
        value.repr()?
    )))
}

impl<'py> IntoPyObject<'py> for Size {
    type Target = PyTuple;
    type Output = Bound<'py, PyTuple>;
    type Error = PyErr;

    fn into_pyobject(self, py: Python<'py>) -> PyResult<Self::Output> {
        (self.0.width(), self.0.height()).into_pyobject(py)
    }
}
