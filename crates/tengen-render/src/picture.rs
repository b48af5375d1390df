//! A board to be drawn.

use std::collections::{BTreeMap, BTreeSet};

use tengen_core::{Board, ByColor, Color, Point, PointSet, Setup, Size};

use crate::layout::Layout;
use crate::link::Link;
use crate::mark::Mark;
use crate::region::Region;
use crate::svg;
use crate::text;
use crate::theme::Theme;

/// Letters and numbers around the board.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Coordinates {
    /// None.
    Hidden,
    /// Letters without I below and above, numbers counted from the bottom on both sides.
    #[default]
    Shown,
}

/// A board to be drawn, with everything on it.
///
/// What is said about a point that is not on the board, or not in the part that is shown, is left out.
///
/// ```
/// use tengen_core::{Point, Setup};
/// use tengen_render::{Coordinates, Picture};
/// let setup: Setup = "
///     . X O .
///     X . X O
///     . X O .".parse()?;
/// let svg = Picture::of_setup(&setup)
///     .coordinates(Coordinates::Hidden)
///     .number(Point::new(2, 1), 31)
///     .to_svg();
/// assert!(svg.contains(">31</text>"));
/// # Ok::<(), tengen_core::DiagramError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture {
    pub(crate) size: Size,
    pub(crate) stones: ByColor<PointSet>,
    pub(crate) theme: Theme,
    pub(crate) coordinates: Coordinates,
    pub(crate) crop: Option<Region>,
    pub(crate) last: Option<Point>,
    pub(crate) marks: BTreeSet<(Point, Mark)>,
    pub(crate) labels: BTreeMap<Point, String>,
    pub(crate) links: BTreeSet<Link>,
    pub(crate) caption: Option<String>,
}

impl Picture {
    /// This board in the theme [`Theme::Wood`], with coordinates and nothing else.
    pub fn new(board: &Board) -> Self {
        Self::of_setup(&Setup::of(board, Color::Black))
    }

    /// This position, which need not be one that can stand: records hold stones without liberties too.
    pub fn of_setup(setup: &Setup) -> Self {
        let points = setup.size.points();
        Self {
            size: setup.size,
            stones: setup.stones.map(|stones| stones & points),
            theme: Theme::default(),
            coordinates: Coordinates::default(),
            crop: None,
            last: None,
            marks: BTreeSet::new(),
            labels: BTreeMap::new(),
            links: BTreeSet::new(),
            caption: None,
        }
    }

    /// Sets the look.
    #[must_use]
    pub const fn theme(mut self, theme: Theme) -> Self {
        self.theme = theme;
        self
    }

    /// Shows or hides the letters and numbers around the board.
    #[must_use]
    pub const fn coordinates(mut self, coordinates: Coordinates) -> Self {
        self.coordinates = coordinates;
        self
    }

    /// Shows only a part of the board (SGF `VW`); the whole of it for `None` and for a part without any point.
    #[must_use]
    pub fn crop(mut self, region: Option<Region>) -> Self {
        self.crop = region.and_then(|region| region.on(self.size));
        self
    }

    /// Puts a ring on the last move.
    #[must_use]
    pub const fn last(mut self, point: Option<Point>) -> Self {
        self.last = point;
        self
    }

    /// Marks a point; a point can have several marks.
    #[must_use]
    pub fn mark(mut self, point: Point, mark: Mark) -> Self {
        self.marks.insert((point, mark));
        self
    }

    /// Marks all points of a set.
    #[must_use]
    pub fn mark_all(mut self, points: &PointSet, mark: Mark) -> Self {
        self.marks.extend(points.iter().map(|point| (point, mark)));
        self
    }

    /// Writes on a point (SGF `LB`), instead of what was written there before. Long text shrinks, then is cut off.
    #[must_use]
    pub fn label(mut self, point: Point, text: impl Into<String>) -> Self {
        self.labels.insert(point, text.into());
        self
    }

    /// Writes the number of a move on its stone: a label like any other.
    #[must_use]
    pub fn number(self, point: Point, number: u32) -> Self {
        self.label(point, number.to_string())
    }

    /// Draws a line or an arrow between two points.
    #[must_use]
    pub fn link(mut self, link: Link) -> Self {
        self.links.insert(link);
        self
    }

    /// Writes a line below the board, which is also the title of the SVG; nothing for an empty text.
    #[must_use]
    pub fn caption(mut self, text: impl Into<String>) -> Self {
        self.caption = Some(text.into()).filter(|text| !text::is_blank(text));
        self
    }

    /// The picture as an SVG that needs no other file. Forty units are the distance of two lines.
    pub fn to_svg(&self) -> String {
        svg::document(self, &Layout::natural(self))
    }

    /// The part of the board that is shown.
    pub(crate) fn region(&self) -> Region {
        self.crop.unwrap_or_else(|| Region::whole(self.size))
    }

    /// The stone at a point.
    pub(crate) fn stone_at(&self, point: Point) -> Option<Color> {
        // Where a record has both, Black is on top.
        Color::BOTH
            .into_iter()
            .find(|&color| self.stones[color].contains(point))
    }

    /// Can a frame of an animation follow this one without anything moving that must not?
    pub(crate) fn is_like(&self, other: &Self) -> bool {
        (self.size, self.theme, self.coordinates) == (other.size, other.theme, other.coordinates)
            && self.crop == other.crop
    }
}
