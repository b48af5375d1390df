//! Objects as Python's pickle wants them.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::type_object::PyTypeInfo;
use pyo3::types::PyTuple;

/// What `__reduce__` returns: the class's `_restore`, and what it takes.
pub(crate) fn reduce<'py, T: PyTypeInfo>(
    py: Python<'py>,
    state: impl IntoPyObject<'py, Target = PyTuple, Output = Bound<'py, PyTuple>, Error: Into<PyErr>>,
) -> PyResult<Bound<'py, PyTuple>> {
    let restore = py.get_type::<T>().getattr("_restore")?;
    let state = state.into_pyobject(py).map_err(Into::into)?;
    PyTuple::new(py, [restore, state.into_any()])
}

/// The refusal of a state that `__reduce__` has not made.
pub(crate) fn damaged(what: &str) -> PyErr {
    PyValueError::new_err(format!("this is no pickled {what}"))
}
