//! Pictures as Python asks for them.

use numpy::{PyArray1, PyArray3, PyArrayMethods};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};
use tengen_core::{Color, Game, Point, PointSet, Size};
use tengen_render::{Coordinates, Link, LinkKind, Mark, Picture, Region, Theme};

use crate::vertex::Vertex;

/// The names of marks.
const MARKS: [(&str, Mark); 8] = [
    ("triangle", Mark::Triangle),
    ("square", Mark::Square),
    ("circle", Mark::Circle),
    ("cross", Mark::Cross),
    ("selected", Mark::Selected),
    ("dimmed", Mark::Dimmed),
    ("black", Mark::Territory(Color::Black)),
    ("white", Mark::Territory(Color::White)),
];

/// What a picture can show besides the stones.
pub(crate) struct Subject {
    size: Size,
    /// The point of the last move, if its stone is still there.
    last: Option<Point>,
    /// The stones that were played, each with the number of its move.
    numbers: Vec<(Point, usize)>,
}

impl Subject {
    /// Stones that nobody has played.
    pub(crate) const fn still(size: Size) -> Self {
        Self {
            size,
            last: None,
            numbers: Vec::new(),
        }
    }

    /// A game, before whose first move so many others were made.
    pub(crate) fn of_game(game: &Game, before: usize) -> Self {
        let board = game.board();
        let stones = *board.stones(Color::Black) | *board.stones(Color::White);
        let last = game.last_turn().and_then(|turn| turn.action.point());
        let played = game.last_played_map();
        let number = |point: Point| Some((point, before + played[point]?));
        Self {
            size: game.size(),
            last: last.filter(|point| stones.contains(*point)),
            numbers: stones.iter().filter_map(number).collect(),
        }
    }

    /// Adds to a picture what the keywords say.
    pub(crate) fn draw(
        &self,
        picture: Picture,
        options: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Picture> {
        let mut picture = picture.last(self.last);
        for (name, value) in options.into_iter().flatten() {
            let name: String = name.extract()?;
            picture = self.draw_option(picture, &name, &value)?;
        }
        Ok(picture)
    }

    fn draw_option(
        &self,
        mut picture: Picture,
        name: &str,
        value: &Bound<'_, PyAny>,
    ) -> PyResult<Picture> {
        let point = |value: &Bound<'_, PyAny>| Vertex::read_point(value, self.size);
        match name {
            "theme" => {
                let theme: String = value.extract()?;
                let theme: Theme = theme.parse().map_err(|error| refuse(&error))?;
                Ok(picture.theme(theme))
            }
            "coordinates" if value.extract()? => Ok(picture.coordinates(Coordinates::Shown)),
            "coordinates" => Ok(picture.coordinates(Coordinates::Hidden)),
            "last" => match value.extract::<bool>() {
                Ok(true) => Ok(picture.last(self.last)),
                Ok(false) => Ok(picture.last(None)),
                Err(_) => Ok(picture.last(Some(point(value)?))),
            },
            "numbers" => self.draw_numbers(picture, value),
            "marks" => {
                for (mark, points) in value.cast::<PyDict>()? {
                    let points = Vertex::read_points(&points, self.size)?;
                    picture = picture.mark_all(&points, read_mark(&mark.extract::<String>()?)?);
                }
                Ok(picture)
            }
            "labels" => {
                for (at, text) in value.cast::<PyDict>()? {
                    picture = picture.label(point(&at)?, text.str()?.extract::<String>()?);
                }
                Ok(picture)
            }
            "lines" => self.draw_links(picture, value, LinkKind::Line),
            "arrows" => self.draw_links(picture, value, LinkKind::Arrow),
            "crop" => {
                let corners: PointSet = Vertex::read_points(value, self.size)?;
                Ok(picture.crop(Region::around(&corners)))
            }
            "caption" => Ok(picture.caption(value.extract::<String>()?)),
            _ => Err(PyTypeError::new_err(format!(
                "a picture has no option {name:?}: use theme, coordinates, last, numbers, marks, labels, lines, \
                    arrows, \
                 crop or caption"
            ))),
        }
    }

    /// Writes numbers on the stones of all moves, or of those from one move to another.
    fn draw_numbers(&self, mut picture: Picture, value: &Bound<'_, PyAny>) -> PyResult<Picture> {
        let (first, last) = match value.extract::<bool>() {
            Ok(true) => (1, usize::MAX),
            Ok(false) => return Ok(picture),
            Err(_) => value.extract::<(usize, usize)>()?,
        };
        // The highest number is the last move.
        picture = picture.last(None);
        for (point, number) in &self.numbers {
            if (first..=last).contains(number) {
                picture = picture.number(*point, *number as u32);
            }
        }
        Ok(picture)
    }

    fn draw_links(
        &self,
        mut picture: Picture,
        value: &Bound<'_, PyAny>,
        kind: LinkKind,
    ) -> PyResult<Picture> {
        for link in value.try_iter()? {
            let (from, to) = link?.extract::<(Bound<'_, PyAny>, Bound<'_, PyAny>)>()?;
            picture = picture.link(Link {
                from: Vertex::read_point(&from, self.size)?,
                to: Vertex::read_point(&to, self.size)?,
                kind,
            });
        }
        Ok(picture)
    }
}

fn read_mark(name: &str) -> PyResult<Mark> {
    let found = MARKS.iter().find(|(known, _)| *known == name);
    found.map(|(_, mark)| *mark).ok_or_else(|| {
        let names = MARKS.map(|(known, _)| known).join(", ");
        PyValueError::new_err(format!("a mark is one of {names}, not {name:?}"))
    })
}

fn refuse(error: &impl ToString) -> PyErr {
    PyValueError::new_err(error.to_string())
}

/// Makes an SVG while other threads run.
pub(crate) fn svg(py: Python<'_>, picture: &Picture) -> String {
    py.detach(|| picture.to_svg())
}

/// Makes a PNG while other threads run.
pub(crate) fn png<'py>(
    py: Python<'py>,
    picture: &Picture,
    width: u32,
) -> PyResult<Bound<'py, PyBytes>> {
    let bytes = py.detach(|| picture.to_png(width));
    Ok(PyBytes::new(py, &bytes.map_err(|error| refuse(&error))?))
}

/// Makes an array of pixels while other threads run.
pub(crate) fn pixels<'py>(
    py: Python<'py>,
    picture: &Picture,
    width: u32,
) -> PyResult<Bound<'py, PyArray3<u8>>> {
    let (rgb, height) = py
        .detach(|| picture.to_rgb(width))
        .map_err(|error| refuse(&error))?;
    PyArray1::from_vec(py, rgb).reshape([height as usize, width as usize, 3])
}

/// An SVG as notebooks show it: no wider than a column of text, with a remark below.
pub(crate) fn html(svg: &str, remark: &str) -> String {
    let mut text = String::new();
    for character in remark.chars() {
        match character {
            '&' => text.push_str("&amp;"),
            '<' => text.push_str("&lt;"),
            '>' => text.push_str("&gt;"),
            '\n' => text.push_str("<br>"),
            other => text.push(other),
        }
    }
    // A page scales it down with its column, and never up.
    let svg = svg.replacen("<svg ", "<svg style=\"max-width:100%;height:auto\" ", 1);
    format!("<div style=\"max-width:28em\">{svg}<div>{text}</div></div>")
}
