//! What there is to know about a point, as Python reads it.

use pyo3::prelude::*;
use pyo3::types::PyDict;
use tengen_core::{Point, PointKnowledge, Size};

use crate::chain::Chain;
use crate::color::Color;
use crate::illegal_move;
use crate::vertex::names;

pub(crate) fn as_dict<'py>(
    py: Python<'py>,
    point: Point,
    known: &PointKnowledge,
    size: Size,
) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    let chain = known.chain.as_ref().map(|chain| Chain::new(chain, size));
    dict.set_item("point", point.to_gtp(size))?;
    dict.set_item("chain", chain)?;
    dict.set_item("illegal", known.verdict.err().map(illegal_move::reason))?;
    dict.set_item("captures", names(&known.captures, size))?;
    dict.set_item("atari_of", names(&known.atari_of, size))?;
    dict.set_item("last_played", known.last_played)?;
    dict.set_item("eye", known.eye.map(Color))?;
    dict.set_item("pass_alive", known.pass_alive.map(Color))?;
    dict.set_item("owner", known.owner.map(Color))?;
    Ok(dict)
}
