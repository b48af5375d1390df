//! What a game starts from, as Python writes it.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use tengen_core::Setup;

use crate::board;
use crate::size::Size;
use crate::vertex::Vertex;

/// Reads the position that a game starts from, and its number of handicap stones.
pub(crate) fn read_start(
    size: Option<Size>,
    handicap: Option<&Bound<'_, PyAny>>,
    setup: Option<&Bound<'_, PyAny>>,
) -> PyResult<(Setup, u16)> {
    let refuse = |problem: String| Err(PyValueError::new_err(problem));
    let count = handicap.and_then(|value| value.extract::<u16>().ok());
    if let Some(setup) = setup {
        let setup = board::read_setup(setup)?;
        if let Some(Size(size)) = size
            && size != setup.size
        {
            return refuse(format!(
                "the size is {size} and the setup {}: leave the size out",
                setup.size
            ));
        }
        return match (handicap, count) {
            (None, _) => Ok((setup, 0)),
            (Some(_), Some(count)) => Ok((setup, count)),
            (Some(_), None) => refuse(
                "put the handicap stones into the setup, and give their number as handicap"
                    .to_owned(),
            ),
        };
    }
    let size = match size {
        Some(Size(size)) => size,
        None => board::nineteen()?,
    };
    let mut setup = Setup::empty(size);
    setup.stones.black = match (handicap, count) {
        (None, _) | (Some(_), Some(0)) => return Ok((setup, 0)),
        (Some(_), Some(count)) => {
            let points = size.fixed_handicap(u8::try_from(count).unwrap_or(u8::MAX));
            points
                .map_err(|error| PyValueError::new_err(error.to_string()))?
                .into_iter()
                .collect()
        }
        (Some(points), None) => Vertex::read_points(points, size)?,
    };
    setup.to_move = tengen_core::Color::White;
    Ok((setup, setup.stones.black.len() as u16))
}
