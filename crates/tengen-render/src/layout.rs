//! Where things are.

use tengen_core::Point;

#[cfg(feature = "pixels")]
use crate::error::RenderError;
use crate::picture::{Coordinates, Picture};
use crate::region::Region;
use crate::text;

/// The distance of two lines in an SVG.
const NATURAL_CELL: f64 = 40.0;

/// More pixels than this are a mistake of the caller.
#[cfg(feature = "pixels")]
const MOST_PIXELS: u64 = 100_000_000;

/// From the outermost lines to the edge of the picture, in cells, without and with coordinates.
const MARGIN: [f64; 2] = [0.85, 1.32];

/// The font size of captions in cells, and at least this share of the width of the board.
const CAPTION_SIZE: [f64; 2] = [0.44, 1.0 / 45.0];

/// A board narrower than this many cells is given more margin for the sake of its caption.
const CAPTION_WIDTH: f64 = 9.0;

/// The measures of a picture. The origin is the upper left point that is shown; one unit is one pixel.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Layout {
    pub(crate) region: Region,
    /// The distance of two lines.
    pub(crate) cell: f64,
    /// The width of a line.
    pub(crate) stroke: f64,
    /// The width of the lines at the edge of the board.
    pub(crate) border: f64,
    /// Where the origin is in the picture.
    pub(crate) origin: [f64; 2],
    pub(crate) width: u32,
    pub(crate) height: u32,
    /// The middle of the caption below the origin.
    pub(crate) caption_y: f64,
    /// The font size of a caption that need not shrink.
    pub(crate) caption_size: f64,
}

/// The measures of a picture in cells.
struct Proportions {
    region: Region,
    margin: f64,
    /// What is added on either side of a narrow board.
    side: f64,
    caption_size: f64,
    /// The height of the caption.
    caption: f64,
}

impl Proportions {
    fn of(picture: &Picture, captions: &[&str]) -> Self {
        let region = picture.region();
        let margin = MARGIN[usize::from(picture.coordinates == Coordinates::Shown)];
        let board = f64::from(region.width() - 1) + 2.0 * margin;
        let caption_size = CAPTION_SIZE[0].max(board * CAPTION_SIZE[1]);
        let widest = captions
            .iter()
            .map(|caption| text::width(caption) * caption_size + 1.0)
            .fold(0.0, f64::max);
        Self {
            region,
            margin,
            side: ((widest.min(CAPTION_WIDTH) - board) / 2.0).max(0.0),
            caption_size,
            caption: if captions.is_empty() {
                0.0
            } else {
                caption_size * 2.1
            },
        }
    }

    fn width(&self) -> f64 {
        f64::from(self.region.width() - 1) + 2.0 * (self.margin + self.side)
    }

    fn height(&self) -> f64 {
        f64::from(self.region.height() - 1) + 2.0 * self.margin + self.caption
    }

    /// The layout with this cell. A width that is given is kept, and what is left over goes to all four margins.
    fn layout(&self, cell: f64, width: Option<u32>) -> Layout {
        let width = width.unwrap_or((self.width() * cell).round() as u32);
        let extra = f64::from(width) - self.width() * cell;
        let stroke = (cell * 0.022).round().max(1.0);
        // An odd number of pixels is centred on the middle of a pixel.
        let align = |at: f64| (at - stroke / 2.0).round() + stroke / 2.0;
        let side = (self.margin + self.side) * cell + extra / 2.0;
        let top = self.margin * cell + extra / 2.0;
        let height = (self.height() * cell + extra).round().max(1.0);
        Layout {
            region: self.region,
            cell,
            stroke,
            border: (cell * 0.042).round().max(stroke),
            origin: [align(side), align(top)],
            width,
            height: height as u32,
            caption_y: (f64::from(self.region.height() - 1)
                + self.margin
                + self.caption_size * 0.72)
                * cell
                + extra / 4.0,
            caption_size: self.caption_size * cell,
        }
    }
}

impl Layout {
    /// For an SVG of one picture.
    pub(crate) fn natural(picture: &Picture) -> Self {
        let captions: Vec<&str> = picture.caption.as_deref().into_iter().collect();
        Proportions::of(picture, &captions).layout(NATURAL_CELL, None)
    }

    /// For one picture this many pixels wide.
    #[cfg(feature = "pixels")]
    pub(crate) fn of_width(picture: &Picture, width: u32) -> Result<Self, RenderError> {
        let captions: Vec<&str> = picture.caption.as_deref().into_iter().collect();
        Self::with_captions(picture, &captions, width)
    }

    /// For an SVG of pictures that are like this one and have these captions.
    pub(crate) fn natural_with_captions(picture: &Picture, captions: &[&str]) -> Self {
        Proportions::of(picture, captions).layout(NATURAL_CELL, None)
    }

    /// For pictures that are like this one, have these captions and are this many pixels wide.
    #[cfg(feature = "pixels")]
    pub(crate) fn with_captions(
        picture: &Picture,
        captions: &[&str],
        width: u32,
    ) -> Result<Self, RenderError> {
        let proportions = Proportions::of(picture, captions);
        let exact = f64::from(width) / proportions.width();
        // Below a few pixels a rounded cell would waste much of the picture, and there is nothing to be sharp.
        let cell = if exact < 6.0 { exact } else { exact.floor() };
        let layout = proportions.layout(cell, Some(width));
        let pixels = u64::from(layout.width) * u64::from(layout.height);
        if pixels == 0 || pixels > MOST_PIXELS {
            return Err(RenderError::Pixels {
                width,
                height: layout.height,
            });
        }
        Ok(layout)
    }

    /// Where a point is, if it is shown.
    pub(crate) fn place(&self, point: Point) -> Option<[f64; 2]> {
        self.region.contains(point).then(|| {
            [
                f64::from(point.x() - self.region.left()) * self.cell,
                f64::from(point.y() - self.region.top()) * self.cell,
            ]
        })
    }

    /// The width of a line that is this share of a cell. It is more than a pixel, since thinner ones have gaps.
    pub(crate) fn line(&self, share: f64) -> f64 {
        (share * self.cell).max(1.1)
    }

    /// The nearest place between two pixels.
    pub(crate) fn snap(&self, at: f64) -> f64 {
        let between = self.stroke / 2.0;
        (at - between).round() + between
    }

    /// The distance from the first column that is shown to the last.
    pub(crate) fn across(&self) -> f64 {
        f64::from(self.region.width() - 1) * self.cell
    }

    /// The distance from the first row that is shown to the last.
    pub(crate) fn down(&self) -> f64 {
        f64::from(self.region.height() - 1) * self.cell
    }

    /// The edges of the picture as seen from the origin: left, top, right, bottom.
    pub(crate) fn edges(&self) -> [f64; 4] {
        let [x, y] = self.origin;
        [
            -x,
            -y,
            f64::from(self.width) - x,
            f64::from(self.height) - y,
        ]
    }
}
