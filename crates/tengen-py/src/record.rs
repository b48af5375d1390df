//! Files as Python hands them over.

use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};
use tengen_sgf::{Mode, Record, Replay};

use crate::sgf_error;

/// A record as text, or as the bytes of a file whose encoding is to be found out.
pub(crate) enum Text {
    /// Decoded already.
    Text(String),
    /// In the encoding of the file.
    Bytes(Vec<u8>),
}

impl<'py> FromPyObject<'_, 'py> for Text {
    type Error = PyErr;

    fn extract(value: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        if let Ok(text) = value.cast::<PyString>() {
            return Ok(Self::Text(text.to_cow()?.into_owned()));
        }
        if let Ok(bytes) = value.cast::<PyBytes>() {
            return Ok(Self::Bytes(bytes.as_bytes().to_vec()));
        }
        Err(PyTypeError::new_err(format!(
            "a record is a text or the bytes of a file, not {}; tengen.sgf.read() reads a path",
            value.get_type().name()?
        )))
    }
}

impl Text {
    /// Reads the record.
    pub(crate) fn read(self, mode: Mode) -> PyResult<Record> {
        let record = match self {
            Self::Text(text) => Record::read_text(text, mode),
            Self::Bytes(bytes) => Record::read(bytes, mode),
        };
        record.map_err(|error| sgf_error::refused(&error))
    }
}

/// Plays the main line of the first game, to its end or to this move.
pub(crate) fn play(text: Text, number: Option<usize>) -> PyResult<tengen_core::Game> {
    let record = text.read(Mode::Lenient)?;
    let Some(root) = record.collection.roots().next() else {
        return Err(PyValueError::new_err("there is no game in this record"));
    };
    let cannot = |problem: tengen_sgf::Diagnostic| sgf_error::unplayable(&problem);
    let mut replay = Replay::start(root, Mode::Lenient).map_err(cannot)?;
    for node in root.main_line().skip(1) {
        if number.is_some_and(|number| replay.moves() >= number) {
            break;
        }
        replay.step(node).map_err(cannot)?;
    }
    match number {
        Some(number) if replay.moves() < number => Err(PyValueError::new_err(format!(
            "there is no move {number}: the game has {} moves",
            replay.moves()
        ))),
        _ => Ok(replay.into_game()),
    }
}
