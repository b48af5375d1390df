//! Points and moves as Python writes them.

use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyString, PyTuple};
use tengen_core::{CoordinateError, Move, Point, PointSet, Size};

/// A move that Python may write for a board of any size: on a board of this size it can lie off it.
pub(crate) enum Vertex {
    /// A pass, or a point of the board.
    On(Move),
    /// A point, but none of this board.
    Off,
}

impl Vertex {
    /// Reads `"D4"` or `"pass"`, a pair `(x, y)` from the top left, the number of an action, or `None` for a pass.
    pub(crate) fn read(value: &Bound<'_, PyAny>, size: Size) -> PyResult<Self> {
        if value.is_none() {
            return Ok(Self::On(Move::Pass));
        }
        if let Ok(text) = value.cast::<PyString>() {
            return Self::from_text(&text.to_cow()?, size);
        }
        if !value.is_instance_of::<PyBool>() {
            if let Ok(action) = value.extract::<i64>() {
                return Ok(Self::from_action(action, size));
            }
            if let Ok((x, y)) = value.extract::<(i64, i64)>() {
                return Ok(Self::from_pair(x, y, size));
            }
        }
        Err(PyTypeError::new_err(format!(
            "a move is text such as 'D4' or 'pass', a pair (x, y), the number of an action, or None for a pass, not {}",
            value.get_type().name()?
        )))
    }

    fn from_text(text: &str, size: Size) -> PyResult<Self> {
        match Move::from_gtp(text.trim(), size) {
            Ok(action) => Ok(Self::On(action)),
            Err(CoordinateError::OffBoard(_)) => Ok(Self::Off),
            Err(error) => Err(PyValueError::new_err(format!("{text:?}: {error}"))),
        }
    }

    fn from_pair(x: i64, y: i64, size: Size) -> Self {
        let (Ok(x), Ok(y)) = (u8::try_from(x), u8::try_from(y)) else {
            return Self::Off;
        };
        match Point::checked_new(x, y).filter(|point| size.contains(*point)) {
            Some(point) => Self::On(Move::Play(point)),
            None => Self::Off,
        }
    }

    fn from_action(action: i64, size: Size) -> Self {
        if action == size.area() as i64 {
            return Self::On(Move::Pass);
        }
        let width = i64::from(size.width());
        // Rounded down, so that a number below 0 is a row below 0.
        Self::from_pair(action.rem_euclid(width), action.div_euclid(width), size)
    }

    /// Reads a move of the board, for which nothing else will do.
    pub(crate) fn read_move(value: &Bound<'_, PyAny>, size: Size) -> PyResult<Move> {
        match Self::read(value, size)? {
            Self::On(action) => Ok(action),
            Self::Off => Err(PyValueError::new_err(format!(
                "{} is not on a {size} board",
                value.repr()?
            ))),
        }
    }

    /// Reads a point of the board.
    pub(crate) fn read_point(value: &Bound<'_, PyAny>, size: Size) -> PyResult<Point> {
        match Self::read_move(value, size)? {
            Move::Play(point) => Ok(point),
            Move::Pass => Err(PyValueError::new_err("a point is needed here, not a pass")),
        }
    }

    /// Reads any number of points: a list of them, or a text such as `"D4 E5"` or `"A1:D4"`.
    pub(crate) fn read_points(value: &Bound<'_, PyAny>, size: Size) -> PyResult<PointSet> {
        if let Ok(text) = value.cast::<PyString>() {
            return PointSet::from_gtp(&text.to_cow()?, size)
                .map_err(|error| PyValueError::new_err(error.to_string()));
        }
        if value.is_instance_of::<PyTuple>() && value.extract::<(i64, i64)>().is_ok() {
            let pair = value.repr()?;
            return Err(PyValueError::new_err(format!(
                "{pair} could be one point or two actions: write [{pair}] for the point"
            )));
        }
        let points = value.try_iter()?;
        points
            .map(|point| Self::read_point(&point?, size))
            .collect()
    }
}

/// The number of a move: row by row from the top left, a pass behind all points.
pub(crate) fn action(action: Move, size: Size) -> usize {
    match action {
        Move::Play(point) => {
            usize::from(point.y()) * usize::from(size.width()) + usize::from(point.x())
        }
        Move::Pass => size.area(),
    }
}

/// The names of points, from the top left.
pub(crate) fn names(points: &PointSet, size: Size) -> Vec<String> {
    points.iter().map(|point| point.to_gtp(size)).collect()
}
