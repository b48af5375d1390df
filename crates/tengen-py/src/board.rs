//! Positions as Python sees them.

use std::hash::{Hash, Hasher};

use numpy::PyArray3;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyString, PyTuple};
use tengen_core::{ByColor, Settlement, Setup, Symmetry};
use tengen_render::Picture;

use crate::array::{self, Grid};
use crate::chain::Chain;
use crate::color::Color;
use crate::picture::{self, Subject};
use crate::rules;
use crate::size::Size;
use crate::vertex::{Vertex, names};

/// A position without turn and history, which never changes: boards can be keys of a dict.
///
/// `Board(9)` is empty, `Board.parse` reads a diagram and `Board.from_stones` an array.
///
/// >>> from tengen import Board
/// >>> board = Board.parse('''
/// ...     . X O .
/// ...     X . X O
/// ...     . X O .''')
/// >>> board.size
/// (4, 3)
/// >>> print(board)
///    A B C D
///  3 . X O .  3
///  2 X . X O  2
///  1 . X O .  1
///    A B C D
/// <BLANKLINE>
#[pyclass(frozen, eq, hash, module = "tengen")]
#[derive(PartialEq, Eq)]
pub(crate) struct Board(pub(crate) tengen_core::Board);

/// The hash of the position, which is the same on every machine.
impl Hash for Board {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.hash().hash(state);
    }
}

impl Board {
    fn of_setup(setup: &Setup) -> PyResult<Self> {
        setup
            .board()
            .map(Self)
            .map_err(|error| PyValueError::new_err(error.to_string()))
    }

    fn setup(&self) -> Setup {
        Setup::of(&self.0, tengen_core::Color::Black)
    }

    fn picture(&self, options: Option<&Bound<'_, PyDict>>) -> PyResult<Picture> {
        Subject::still(self.0.size()).draw(Picture::new(&self.0), options)
    }
}

/// Reads a diagram, a board or an array of stones.
pub(crate) fn read_setup(value: &Bound<'_, PyAny>) -> PyResult<Setup> {
    if let Ok(board) = value.cast::<Board>() {
        return Ok(board.get().setup());
    }
    if let Ok(text) = value.cast::<PyString>() {
        let text = text.to_cow()?;
        let setup = text.parse::<Setup>();
        return setup.map_err(|error| PyValueError::new_err(error.to_string()));
    }
    let (size, stones) = array::read_stones(value)?;
    Ok(Setup {
        stones,
        ..Setup::empty(size)
    })
}

/// Reads what the players agreed on.
pub(crate) fn read_settlement(
    dead: Option<&Bound<'_, PyAny>>,
    seki: Option<&Bound<'_, PyAny>>,
    size: tengen_core::Size,
) -> PyResult<Settlement> {
    let points = |value: Option<&Bound<'_, PyAny>>| {
        let points = value.map(|value| Vertex::read_points(value, size));
        points.transpose().map(Option::unwrap_or_default)
    };
    Ok(Settlement {
        dead: points(dead)?,
        seki: points(seki)?,
    })
}

#[pymethods]
impl Board {
    #[new]
    #[pyo3(signature = (size=None), text_signature = "(size=19)")]
    fn new(size: Option<Size>) -> PyResult<Self> {
        let size = match size {
            Some(Size(size)) => size,
            None => nineteen()?,
        };
        Ok(Self(tengen_core::Board::new(size)))
    }

    /// Reads a diagram: X or # is Black, O White, . empty; coordinates and frames are skipped.
    ///
    /// >>> Board.parse('X . O').chain('A1').liberties
    /// ['B1']
    #[staticmethod]
    fn parse(text: &Bound<'_, PyString>) -> PyResult<Self> {
        Self::of_setup(&read_setup(text.as_any())?)
    }

    /// The board with the stones of an array, a row for each row of the board: 0 empty, 1 Black, 2 White.
    ///
    /// >>> Board.from_stones([[0, 1], [2, 0]]) == Board.parse('. X\nO .')
    /// True
    #[staticmethod]
    fn from_stones(stones: &Bound<'_, PyAny>) -> PyResult<Self> {
        let (size, stones) = array::read_stones(stones)?;
        Self::of_setup(&Setup {
            stones,
            ..Setup::empty(size)
        })
    }

    /// Columns and rows.
    #[getter]
    const fn size(&self) -> Size {
        Size(self.0.size())
    }

    /// The stones as an int8 array with a row for each row of the board: 0 empty, 1 Black, 2 White.
    ///
    /// >>> Board.parse('. X\nO .').stones.tolist()
    /// [[0, 1], [2, 0]]
    #[getter]
    fn stones<'py>(&self, py: Python<'py>) -> PyResult<Grid<'py>> {
        array::of_sets(py, self.0.size(), &self.setup().stones, 2)
    }

    /// The hash of the position, the same on every machine: 64 bits.
    #[getter]
    const fn hash(&self) -> u64 {
        self.0.hash()
    }

    /// The point that simple ko forbids, if there is one.
    #[getter]
    fn ko(&self) -> Option<String> {
        self.0.ko().map(|point| point.to_gtp(self.0.size()))
    }

    /// The stone on a point: 'black', 'white' or None.
    ///
    /// >>> Board.parse('. X\nO .').color_at('A1')
    /// 'white'
    fn color_at(&self, point: &Bound<'_, PyAny>) -> PyResult<Option<Color>> {
        let point = Vertex::read_point(point, self.0.size())?;
        Ok(self.0.color_at(point).map(Color))
    }

    /// The chain that the stone on a point belongs to, or None.
    fn chain(&self, point: &Bound<'_, PyAny>) -> PyResult<Option<Chain>> {
        let size = self.0.size();
        let chain = self.0.chain_at(Vertex::read_point(point, size)?);
        Ok(chain.map(|chain| Chain::new(&chain, size)))
    }

    /// All chains, from the top left.
    ///
    /// >>> [len(chain) for chain in Board.parse('X X .\n. O .').chains()]
    /// [2, 1]
    fn chains(&self) -> Vec<Chain> {
        let size = self.0.size();
        self.0
            .chains()
            .map(|chain| Chain::new(&chain, size))
            .collect()
    }

    /// The enemy stones that a player would capture on a point.
    ///
    /// >>> Board.parse('O X .\n. . .').captures('A1', 'black')
    /// ['A2']
    fn captures(&self, point: &Bound<'_, PyAny>, color: Color) -> PyResult<Vec<String>> {
        let size = self.0.size();
        let point = Vertex::read_point(point, size)?;
        Ok(names(&self.0.captures(point, color.0), size))
    }

    /// The board after a stone of this colour; captured stones are gone. ValueError if it cannot be put there.
    ///
    /// >>> print(Board.parse('O X .\n. . .').after('A1', 'black').stones)
    /// [[0 1 0]
    ///  [1 0 0]]
    #[pyo3(signature = (point, color, suicide="forbidden"))]
    fn after(&self, point: &Bound<'_, PyAny>, color: Color, suicide: &str) -> PyResult<Self> {
        let place = Vertex::read_point(point, self.0.size())?;
        let mut board = self.0.clone();
        match board.play(place, color.0, rules::suicide(suicide)?) {
            Ok(_) => Ok(Self(board)),
            Err(refusal) => {
                let name = place.to_gtp(self.0.size());
                Err(crate::illegal_move::error(point, Some(name), refusal))
            }
        }
    }

    /// What each player owns for certain, even by passing all the time: 1 Black, -1 White, 0 neither.
    ///
    /// >>> Board.parse('. X . X .\nX X X X .\n. . . . .').pass_alive().tolist()
    /// [[1, 1, 1, 1, 0], [1, 1, 1, 1, 0], [0, 0, 0, 0, 0]]
    #[pyo3(signature = (suicide="forbidden"))]
    fn pass_alive<'py>(&self, py: Python<'py>, suicide: &str) -> PyResult<Grid<'py>> {
        let suicide = rules::suicide(suicide)?;
        let alive = tengen_core::Color::BOTH.map(|color| {
            let alive = self.0.pass_alive(color, suicide);
            alive.stones | alive.territory
        });
        array::of_sets(py, self.0.size(), &ByColor::from(alive), -1)
    }

    /// Who owns the empty points, and those of dead stones: 1 Black, -1 White, 0 stones and neutral points.
    ///
    /// >>> Board.parse('. X . O .').territory().tolist()
    /// [[1, 0, 0, 0, -1]]
    #[pyo3(signature = (dead=None, seki=None))]
    fn territory<'py>(
        &self,
        py: Python<'py>,
        dead: Option<&Bound<'py, PyAny>>,
        seki: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Grid<'py>> {
        let settlement = read_settlement(dead, seki, self.0.size())?;
        array::of_sets(py, self.0.size(), &self.0.territory(&settlement).owned, -1)
    }

    /// Is the point an eye of this colour that a sensible player would not fill?
    fn is_eye(&self, point: &Bound<'_, PyAny>, color: Color) -> PyResult<bool> {
        let point = Vertex::read_point(point, self.0.size())?;
        Ok(self.0.is_eye(point, color.0))
    }

    /// The board turned or mirrored: symmetry 0 to 7, of which bit 0 mirrors left and right, bit 1 top and bottom, and
    /// bit 2 then exchanges columns and rows.
    ///
    /// >>> Board.parse('X . O').transformed(1) == Board.parse('O . X')
    /// True
    fn transformed(&self, symmetry: u8) -> PyResult<Self> {
        if symmetry > 7 {
            return Err(PyValueError::new_err("a symmetry is a number from 0 to 7"));
        }
        Self::of_setup(&self.setup().transformed(Symmetry::new(symmetry)))
    }

    /// The picture as an SVG.
    ///
    /// Keywords: theme ('wood', 'plain', 'dark'), coordinates (bool), last (a point to put a ring on), marks (a dict
    /// from 'triangle', 'square', 'circle', 'cross', 'selected', 'dimmed', 'black' or 'white' to points), labels (a
    /// dict from points to texts), lines and arrows (lists of pairs of points), crop (two opposite corners), caption (a
    /// line below).
    ///
    /// >>> svg = Board(9).svg(theme='plain', marks={'triangle': 'E5'}, labels={'C3': 'A'})
    /// >>> svg.startswith('<svg ')
    /// True
    #[pyo3(signature = (**options))]
    fn svg(&self, py: Python<'_>, options: Option<&Bound<'_, PyDict>>) -> PyResult<String> {
        Ok(picture::svg(py, &self.picture(options)?))
    }

    /// The picture as a PNG of this width in pixels, with the keywords of `svg`.
    ///
    /// >>> Board(9).png(200)[1:4]
    /// b'PNG'
    #[pyo3(signature = (width=640, **options))]
    fn png<'py>(
        &self,
        py: Python<'py>,
        width: u32,
        options: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyBytes>> {
        picture::png(py, &self.picture(options)?, width)
    }

    /// The picture as an array of rows, columns and red, green and blue, this many pixels wide, with the keywords of
    /// `svg`.
    ///
    /// >>> Board(9).pixels(300).shape[1:]
    /// (300, 3)
    #[pyo3(signature = (width=640, **options))]
    fn pixels<'py>(
        &self,
        py: Python<'py>,
        width: u32,
        options: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyArray3<u8>>> {
        picture::pixels(py, &self.picture(options)?, width)
    }

    fn _repr_svg_(&self, py: Python<'_>) -> PyResult<String> {
        self.svg(py, None)
    }

    fn _repr_html_(&self, py: Python<'_>) -> PyResult<String> {
        Ok(picture::html(&self.svg(py, None)?, ""))
    }

    fn __str__(&self) -> String {
        self.0.to_string()
    }

    fn __repr__(&self) -> String {
        let stones = self.0.count_stones();
        format!(
            "<Board {}, {} black and {} white stones>",
            self.0.size(),
            stones.black,
            stones.white
        )
    }

    /// The same board: there is no need for two of it.
    fn copy(slf: Bound<'_, Self>) -> Bound<'_, Self> {
        slf
    }

    fn __copy__(slf: Bound<'_, Self>) -> Bound<'_, Self> {
        slf
    }

    #[pyo3(signature = (_memo, /))]
    fn __deepcopy__<'py>(slf: Bound<'py, Self>, _memo: &Bound<'py, PyAny>) -> Bound<'py, Self> {
        slf
    }

    fn __reduce__<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let parse = py.get_type::<Self>().getattr("parse")?;
        Ok((parse, PyTuple::new(py, [self.setup().to_string()])?))
    }
}

/// The size that a board has when nobody says another.
pub(crate) fn nineteen() -> PyResult<tengen_core::Size> {
    tengen_core::Size::square(19).map_err(|error| PyValueError::new_err(error.to_string()))
}
