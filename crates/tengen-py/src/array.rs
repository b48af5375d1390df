//! Boards as NumPy arrays.

use numpy::{PyArray1, PyArray2, PyArrayMethods};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use tengen_core::{ByColor, Color, Point, PointSet, Size};

/// A number for each point, a row of the array for each row of the board.
pub(crate) type Grid<'py> = Bound<'py, PyArray2<i8>>;

/// 1 for Black's points, `white` for White's and 0 for all others.
pub(crate) fn of_sets<'py>(
    py: Python<'py>,
    size: Size,
    sets: &ByColor<PointSet>,
    white: i8,
) -> PyResult<Grid<'py>> {
    let mut cells = Vec::with_capacity(size.area());
    for y in 0..size.height() {
        let rows = sets.map(|set| set.row_bits(y));
        for x in 0..size.width() {
            let [on_black, on_white] = [rows.black, rows.white].map(|row| (row >> x & 1) as i8);
            cells.push(on_black + white * on_white);
        }
    }
    PyArray1::from_vec(py, cells).reshape([usize::from(size.height()), usize::from(size.width())])
}

/// A truth value for each point, row by row from the top left.
pub(crate) fn flags(size: Size, set: &PointSet) -> Vec<bool> {
    // Room for a pass behind the points.
    let mut flags = Vec::with_capacity(size.area() + 1);
    for y in 0..size.height() {
        let row = set.row_bits(y);
        flags.extend((0..size.width()).map(|x| row >> x & 1 == 1));
    }
    flags
}

/// The stones of an array with a row for each row of the board: 0 empty, 1 Black, 2 White.
pub(crate) fn read_stones(value: &Bound<'_, PyAny>) -> PyResult<(Size, ByColor<PointSet>)> {
    let array = value
        .py()
        .import("numpy")?
        .call_method1("asarray", (value,))?;
    let kind: String = array.getattr("dtype")?.getattr("kind")?.extract()?;
    if !matches!(kind.as_str(), "i" | "u" | "b") {
        return Err(PyTypeError::new_err(
            "stones are an array of whole numbers: 0 empty, 1 black, 2 white",
        ));
    }
    let Ok(array) = array
        .call_method1("astype", ("int64",))?
        .cast_into::<PyArray2<i64>>()
    else {
        return Err(PyValueError::new_err(
            "stones are an array of two dimensions, a row for each row of the board",
        ));
    };
    let array = array.readonly();
    let cells = array.as_array();
    let side = |length: usize| u8::try_from(length).unwrap_or(0);
    let size = Size::new(side(cells.ncols()), side(cells.nrows()))
        .map_err(|error| PyValueError::new_err(error.to_string()))?;
    let mut stones = ByColor::<PointSet>::default();
    for ((row, column), number) in cells.indexed_iter() {
        let color = match number {
            0 => continue,
            1 => Color::Black,
            2 => Color::White,
            other => {
                return Err(PyValueError::new_err(format!(
                    "{other} in row {row}, column {column} is no stone: 0 is empty, 1 black, 2 white"
                )));
            }
        };
        stones[color].insert(Point::new(column as u8, row as u8));
    }
    Ok((size, stones))
}
