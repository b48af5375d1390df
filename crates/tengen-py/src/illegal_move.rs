//! Moves that were refused, as Python sees them.

use std::error::Error;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyString;
use tengen_core::IllegalMove;

pyo3::create_exception!(
    tengen,
    IllegalMoveError,
    PyValueError,
    "A move that the rules forbid. `reason` says why, in one of the words of `Game.check`, and `move` which one.\n\n\
     >>> import tengen\n\
     >>> game = tengen.Game(9)\n\
     >>> game.play('E5')\n\
     >>> try:\n\
     ...     game.play('E5')\n\
     ... except tengen.IllegalMoveError as error:\n\
     ...     print(error.reason, error.move)\n\
     occupied E5\n"
);

/// The word for a reason.
pub(crate) const fn reason(refusal: IllegalMove) -> &'static str {
    match refusal {
        IllegalMove::Occupied => "occupied",
        IllegalMove::Suicide => "suicide",
        IllegalMove::Ko => "ko",
        IllegalMove::Superko => "superko",
        IllegalMove::OffBoard => "off board",
        IllegalMove::GameOver => "game over",
    }
}

/// What to do about it, in a few words.
const fn advice(refusal: IllegalMove) -> &'static str {
    match refusal {
        IllegalMove::Occupied => "a stone is there already",
        IllegalMove::Suicide => "the stone would have no liberty, which these rules forbid",
        IllegalMove::Ko => "it takes back a ko at once; play elsewhere first",
        IllegalMove::Superko => "it recreates an earlier position of the game",
        IllegalMove::OffBoard => "the point is not on the board",
        IllegalMove::GameOver => "the game has ended; resume() or undo() to play on",
    }
}

/// The exception for what a row of games refused, with game, action and reason where an action was refused.
pub(crate) fn refusal(
    py: Python<'_>,
    error: &dyn Error,
    refused: Option<(usize, i32, IllegalMove)>,
) -> PyErr {
    let message = error.to_string();
    let Some((game, action, refusal)) = refused else {
        return PyValueError::new_err(message);
    };
    let error = IllegalMoveError::new_err(message);
    let value = error.value(py);
    let described = value
        .setattr("reason", reason(refusal))
        .and_then(|()| value.setattr("move", action))
        .and_then(|()| value.setattr("game", game));
    described.err().unwrap_or(error)
}

/// The exception for a refused move, which is named as the caller wrote it unless it has a name of its own.
pub(crate) fn error(asked: &Bound<'_, PyAny>, name: Option<String>, refusal: IllegalMove) -> PyErr {
    let describe = || -> PyResult<PyErr> {
        let py = asked.py();
        let name = match name {
            Some(name) => PyString::new(py, &name),
            None => asked.str()?,
        };
        let word = reason(refusal);
        let message = format!("{name} is illegal ({word}): {}", advice(refusal));
        let error = IllegalMoveError::new_err(message);
        let value = error.value(py);
        value.setattr("reason", word)?;
        value.setattr("move", name)?;
        Ok(error)
    };
    describe().unwrap_or_else(|error| error)
}
