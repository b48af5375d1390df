//! Results as Python writes them.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use tengen_core::{Color, Komi, Outcome, Reason};

/// Reads a result as records write it: `B+3.5`, `W+R`, `B+T`, `W+F`, `0` or `Draw`, `Void`.
pub(crate) fn read_outcome(text: &str) -> PyResult<Outcome> {
    let plain = text.trim().to_uppercase();
    if matches!(plain.as_str(), "0" | "DRAW") {
        return Ok(Outcome::Draw);
    }
    if plain == "VOID" {
        return Ok(Outcome::NoResult);
    }
    win(&plain).ok_or_else(|| {
        PyValueError::new_err(format!(
            "{text:?} is no result: write 'B+3.5', 'W+R' (resignation), 'W+T' (time), 'W+F' (forfeit), 'Draw' or 'Void'"
        ))
    })
}

fn win(text: &str) -> Option<Outcome> {
    let (winner, by) = text.split_once('+')?;
    let winner: Color = winner.parse().ok()?;
    let reason = match by {
        "R" | "RESIGN" => Reason::Resignation,
        "T" | "TIME" => Reason::Time,
        "F" | "FORFEIT" => Reason::Forfeit,
        // Half-points are written as komi is.
        points => Reason::Score(u32::try_from(points.parse::<Komi>().ok()?.halves()).ok()?),
    };
    Some(Outcome::Win(winner, reason))
}
