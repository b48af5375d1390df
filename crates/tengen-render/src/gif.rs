//! Animated GIFs.

use gif::{DisposalMethod, Encoder, Frame};
use resvg::tiny_skia::Pixmap;

use crate::animation::{Animation, Repeat};
use crate::error::RenderError;
use crate::fonts::Fonts;
use crate::layout::Layout;
use crate::palette::{Histogram, Palette, Rgb};
use crate::picture::Picture;
use crate::scene::{self, Element};
use crate::{png, svg};

/// The number that means "as before"; all others are colours.
const UNCHANGED: u8 = 255;

/// How many pictures are looked at to choose the colours of all.
const SAMPLES: usize = 6;

impl Animation {
    /// The animation as a GIF this many pixels wide.
    pub fn to_gif(&self, width: u32) -> Result<Vec<u8>, RenderError> {
        self.to_gif_with(width, &Fonts::embedded())
    }

    /// [`Animation::to_gif`] with more fonts.
    pub fn to_gif_with(&self, width: u32, fonts: &Fonts) -> Result<Vec<u8>, RenderError> {
        let layout = Layout::with_captions(self.first(), &self.captions(), width)?;
        encode(self, &layout, fonts)
    }
}

/// Draws and encodes an animation.
///
/// The empty board is drawn once. From one picture to the next, only the surroundings of what comes and goes are drawn
/// anew, and only pixels that change are written.
pub(crate) fn encode(
    animation: &Animation,
    layout: &Layout,
    fonts: &Fonts,
) -> Result<Vec<u8>, RenderError> {
    let too_large = RenderError::Pixels {
        width: layout.width,
        height: layout.height,
    };
    let width = u16::try_from(layout.width).map_err(|_| too_large)?;
    let height = u16::try_from(layout.height).map_err(|_| too_large)?;
    let mut stage = Stage::new(animation.first(), layout, fonts)?;
    let mut palette = choose_colors(animation, &stage)?;
    let mut colors = palette.bytes();
    colors.resize(3 * 256, 0);

    let mut bytes = Vec::new();
    let internal = |_| RenderError::Internal;
    let mut encoder = Encoder::new(&mut bytes, width, height, &colors).map_err(internal)?;
    if animation.repeat == Repeat::Forever {
        encoder
            .set_repeat(gif::Repeat::Infinite)
            .map_err(internal)?;
    }
    let delays = Delays::of(animation);
    let mut shown = vec![UNCHANGED; usize::from(width) * usize::from(height)];
    for (index, picture) in animation.frames.iter().enumerate() {
        let drawn = stage.turn_to(picture)?;
        let area = if index == 0 {
            Area::whole(layout)
        } else {
            // A picture like the one before still takes its time, and a frame cannot be empty.
            drawn.into_iter().reduce(Area::union).unwrap_or(Area {
                left: 0,
                top: 0,
                right: 1,
                bottom: 1,
            })
        };
        let (area, buffer) = changes(&stage.canvas, area, &mut shown, &mut palette);
        let frame = Frame {
            delay: delays.at(index),
            dispose: DisposalMethod::Keep,
            transparent: Some(UNCHANGED),
            left: area.left as u16,
            top: area.top as u16,
            width: area.width() as u16,
            height: area.height() as u16,
            buffer: buffer.into(),
            ..Frame::default()
        };
        encoder.write_frame(&frame).map_err(internal)?;
    }
    drop(encoder);
    Ok(bytes)
}

/// Which hundredths of a second belong to which picture.
struct Delays {
    frame: f64,
    pause: f64,
    frames: usize,
}

impl Delays {
    fn of(animation: &Animation) -> Self {
        Self {
            frame: animation.frame_duration.as_secs_f64() * 100.0,
            pause: animation.end_pause.as_secs_f64() * 100.0,
            frames: animation.frames.len(),
        }
    }

    fn at(&self, index: usize) -> u16 {
        let last = index + 1 == self.frames;
        let delay = self.frame + if last { self.pause } else { 0.0 };
        delay.round() as u16
    }
}

/// A rectangle of pixels; right and bottom are beyond it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Area {
    left: u32,
    top: u32,
    right: u32,
    bottom: u32,
}

impl Area {
    fn whole(layout: &Layout) -> Self {
        Self {
            left: 0,
            top: 0,
            right: layout.width,
            bottom: layout.height,
        }
    }

    /// The pixels that an element may touch, if it is in the picture.
    fn of(element: &Element, layout: &Layout) -> Option<Self> {
        let [x, y] = layout.origin;
        let [left, top, right, bottom] = element.bounds;
        // Conversions of negative numbers end at 0.
        let area = Self {
            left: (left + x).floor() as u32,
            top: (top + y).floor() as u32,
            right: ((right + x).ceil() as u32).min(layout.width),
            bottom: ((bottom + y).ceil() as u32).min(layout.height),
        };
        (area.left < area.right && area.top < area.bottom).then_some(area)
    }

    const fn width(self) -> u32 {
        self.right - self.left
    }

    const fn height(self) -> u32 {
        self.bottom - self.top
    }

    const fn touches(self, other: Self) -> bool {
        self.left < other.right
            && other.left < self.right
            && self.top < other.bottom
            && other.top < self.bottom
    }

    fn union(self, other: Self) -> Self {
        Self {
            left: self.left.min(other.left),
            top: self.top.min(other.top),
            right: self.right.max(other.right),
            bottom: self.bottom.max(other.bottom),
        }
    }

    /// The pixels of one of its rows in a picture this many pixels wide.
    const fn row(self, y: u32, width: u32) -> std::ops::Range<usize> {
        let start = (y * width) as usize;
        start + self.left as usize..start + self.right as usize
    }
}

/// A picture that becomes another one with as little drawing as possible.
struct Stage<'a> {
    layout: &'a Layout,
    fonts: &'a Fonts,
    /// A document without elements and without the board: it defines what elements use.
    head: String,
    theme: &'static crate::theme::Style,
    /// The empty board.
    board: Pixmap,
    canvas: Pixmap,
    /// Where areas are drawn anew. It is as large as the canvas, because a curve that is cut off at the edge of a
    /// smaller one is smoothed a little differently.
    scratch: Pixmap,
    elements: Vec<Element>,
}

impl<'a> Stage<'a> {
    /// The empty board of a picture.
    fn new(picture: &Picture, layout: &'a Layout, fonts: &'a Fonts) -> Result<Self, RenderError> {
        let document = svg::head(picture, layout, "") + svg::TAIL;
        let board = png::draw(&document, layout, fonts)?;
        Ok(Self {
            layout,
            fonts,
            head: svg::bare_head(picture, layout),
            theme: picture.theme.style(),
            canvas: board.clone(),
            scratch: board.clone(),
            board,
            elements: Vec::new(),
        })
    }

    /// Makes it look like a picture, and tells where it was drawn upon.
    fn turn_to(&mut self, picture: &Picture) -> Result<Vec<Area>, RenderError> {
        let elements = scene::elements(picture, self.layout);
        let gone = self.elements.iter().filter(|old| !elements.contains(old));
        let come = elements.iter().filter(|new| !self.elements.contains(new));
        let areas = gone
            .chain(come)
            .filter_map(|element| Area::of(element, self.layout));
        let areas = merge(areas);
        self.elements = elements;
        for &area in &areas {
            self.draw(area)?;
        }
        Ok(areas)
    }

    /// Draws an area anew.
    fn draw(&mut self, area: Area) -> Result<(), RenderError> {
        let mut document = self.head.clone();
        for element in &self.elements {
            if Area::of(element, self.layout).is_some_and(|other| other.touches(area)) {
                document.push_str(&svg::open(element.layer, self.theme));
                document.push_str(&element.svg);
                document.push_str("</g>");
            }
        }
        document.push_str(svg::TAIL);
        let rows = (area.top..area.bottom).map(|y| area.row(y, self.layout.width));
        for row in rows.clone() {
            let board = &self.board.pixels()[row.clone()];
            self.scratch.pixels_mut()[row].copy_from_slice(board);
        }
        png::draw_onto(&document, self.fonts, &mut self.scratch.as_mut())?;
        for row in rows {
            let drawn = &self.scratch.pixels()[row.clone()];
            self.canvas.pixels_mut()[row].copy_from_slice(drawn);
        }
        Ok(())
    }
}

/// Areas of which no two touch, around all of these.
fn merge(areas: impl Iterator<Item = Area>) -> Vec<Area> {
    let mut merged: Vec<Area> = Vec::new();
    for mut area in areas {
        while let Some(index) = merged.iter().position(|other| other.touches(area)) {
            area = area.union(merged.swap_remove(index));
        }
        merged.push(area);
    }
    merged
}

/// Chooses the colours of all pictures by looking at a few.
fn choose_colors(animation: &Animation, stage: &Stage<'_>) -> Result<Palette, RenderError> {
    let mut histogram = Histogram::default();
    let mut count = |pixmap: &Pixmap| {
        for pixel in pixmap.pixels() {
            histogram.add([pixel.red(), pixel.green(), pixel.blue()], 1);
        }
    };
    count(&stage.board);
    let last = animation.frames.len() - 1;
    let mut samples: Vec<usize> = (0..SAMPLES)
        .map(|part| last * part / (SAMPLES - 1))
        .collect();
    samples.dedup();
    for index in samples {
        let document = svg::document(&animation.frames[index], stage.layout);
        count(&png::draw(&document, stage.layout, stage.fonts)?);
    }
    // What the samples miss must not be without its colour.
    let style = stage.theme;
    for color in [
        style.ink,
        style.accent,
        style.casing,
        style.black.ink,
        style.white.ink,
    ] {
        if let Some(rgb) = parse(color) {
            histogram.add(rgb, 1000);
        }
    }
    Ok(histogram.palette(usize::from(UNCHANGED)))
}

/// A colour such as `#dcac5c`.
fn parse(color: &str) -> Option<Rgb> {
    let number = u32::from_str_radix(color.strip_prefix('#')?, 16).ok()?;
    let [_, red, green, blue] = number.to_be_bytes();
    Some([red, green, blue])
}

/// The pixels of an area that are not as they were, trimmed to the smallest rectangle around them.
fn changes(
    canvas: &Pixmap,
    area: Area,
    shown: &mut [u8],
    palette: &mut Palette,
) -> (Area, Vec<u8>) {
    let width = canvas.width();
    let mut buffer = Vec::with_capacity((area.width() * area.height()) as usize);
    let mut changed: Option<Area> = None;
    for y in area.top..area.bottom {
        let row = area.row(y, width);
        let pixels = canvas.pixels()[row.clone()].iter().zip(&mut shown[row]);
        for ((pixel, before), x) in pixels.zip(area.left..) {
            let now = palette.index([pixel.red(), pixel.green(), pixel.blue()]);
            if *before == now {
                buffer.push(UNCHANGED);
                continue;
            }
            *before = now;
            buffer.push(now);
            let here = Area {
                left: x,
                top: y,
                right: x + 1,
                bottom: y + 1,
            };
            changed = Some(changed.map_or(here, |area| area.union(here)));
        }
    }
    let kept = changed.unwrap_or(Area {
        right: area.left + 1,
        bottom: area.top + 1,
        ..area
    });
    let trimmed = (kept.top..kept.bottom)
        .flat_map(|y| {
            let start = ((y - area.top) * area.width()) as usize;
            let from = start + (kept.left - area.left) as usize;
            &buffer[from..from + kept.width() as usize]
        })
        .copied()
        .collect();
    (kept, trimmed)
}

#[cfg(test)]
mod tests {
    use tengen_core::{Color, Point, Setup, Size};

    use super::*;
    use crate::{Link, LinkKind, Mark, Theme};

    /// Pictures that differ in stones, marks, labels, lines and captions.
    fn pictures(theme: Theme) -> Vec<Picture> {
        let size = Size::new(6, 4).unwrap();
        let mut setup = Setup::empty(size);
        let mut pictures = Vec::new();
        for (index, point) in (0..).zip(size.points()) {
            let color = Color::BOTH[index % 2];
            setup.stones[color].insert(point);
            if index % 5 == 4 {
                setup.stones.black.remove(Point::new(index as u8 % 6, 0));
            }
            let opposite = Point::new(5 - point.x(), 3 - point.y());
            pictures.push(
                Picture::of_setup(&setup)
                    .theme(theme)
                    .last(Some(point))
                    .mark(opposite, Mark::Dimmed)
                    .mark(Point::new(0, 3), Mark::Territory(color))
                    .label(opposite, "abc")
                    .link(Link {
                        from: point,
                        to: Point::new(3, 2),
                        kind: LinkKind::Arrow,
                    })
                    .caption(format!("move {index}")),
            );
        }
        pictures
    }

    #[test]
    fn drawing_what_changes_is_drawing_everything() {
        let fonts = Fonts::embedded();
        for theme in Theme::ALL {
            let pictures = pictures(theme);
            for width in [90, 150, 333] {
                let layout = Layout::of_width(&pictures[0], width).unwrap();
                let mut stage = Stage::new(&pictures[0], &layout, &fonts).unwrap();
                for picture in &pictures {
                    stage.turn_to(picture).unwrap();
                    let document = svg::document(picture, &layout);
                    let whole = png::draw(&document, &layout, &fonts).unwrap();
                    assert!(
                        whole == stage.canvas,
                        "{theme}, {width}, {:?}",
                        picture.last
                    );
                }
            }
        }
    }

    #[test]
    fn areas_that_touch_become_one() {
        let area = |left, right| Area {
            left,
            top: 0,
            right,
            bottom: 1,
        };
        let merged = merge([area(0, 2), area(4, 6), area(8, 9), area(1, 5)].into_iter());
        assert_eq!(merged, [area(8, 9), area(0, 6)]);
    }
}
