//! Records that were refused, as Python sees them.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use tengen_sgf::{Diagnostic, ParseError};

pyo3::create_exception!(
    tengen,
    SgfError,
    PyValueError,
    "A record that cannot be read or played. The message says where, as line and column, and why."
);

/// The file is no record, or not as the format wants it.
pub(crate) fn refused(error: &ParseError) -> PyErr {
    SgfError::new_err(error.to_string())
}

/// The record cannot be played.
pub(crate) fn unplayable(problem: &Diagnostic) -> PyErr {
    SgfError::new_err(problem.message.clone())
}
