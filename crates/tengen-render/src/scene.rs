//! What lies on the board, piece by piece.

use std::fmt::Write;

use tengen_core::{Color, Point};

use crate::decimal::Decimal as D;
use crate::layout::Layout;
use crate::link::{Link, LinkKind};
use crate::mark::Mark;
use crate::picture::Picture;
use crate::svg::Names;
use crate::text::{self, Escaped};
use crate::theme::Style;

/// What is above what, from the bottom.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Layer {
    Shadow,
    Stone,
    Veil,
    Mark,
    Label,
    Last,
    Link,
    Caption,
}

/// One piece of a picture that can come and go by itself.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Element {
    pub(crate) layer: Layer,
    pub(crate) svg: String,
    /// What it covers at most: left, top, right, bottom, as seen from the origin.
    pub(crate) bounds: [f64; 4],
}

/// The pieces of a picture on the empty board, from the lowest layer to the highest.
pub(crate) fn elements(picture: &Picture, layout: &Layout) -> Vec<Element> {
    let mut scene = Scene {
        picture,
        layout,
        style: picture.theme.style(),
        names: Names::of(picture, layout),
        elements: Vec::new(),
    };
    scene.stones();
    for &(point, mark) in &picture.marks {
        scene.mark(point, mark);
    }
    for (&point, text) in &picture.labels {
        scene.label(point, text);
    }
    if let Some(last) = picture.last {
        scene.last(last);
    }
    for &link in &picture.links {
        scene.link(link);
    }
    if let Some(caption) = &picture.caption {
        scene.caption(caption);
    }
    scene.elements.sort_by_key(|element| element.layer);
    scene.elements
}

struct Scene<'a> {
    picture: &'a Picture,
    layout: &'a Layout,
    style: &'static Style,
    names: Names,
    elements: Vec<Element>,
}

impl Scene<'_> {
    /// Adds an element that stays near its point.
    fn at_point(&mut self, layer: Layer, [x, y]: [f64; 2], svg: String) {
        let reach = self.layout.cell * 0.65;
        self.elements.push(Element {
            layer,
            svg,
            bounds: [x - reach, y - reach, x + reach, y + reach],
        });
    }

    fn stones(&mut self) {
        let dead = |point, color: Color| {
            let mark = (point, Mark::Territory(!color));
            self.picture.marks.contains(&mark)
        };
        let stones: Vec<_> = (self.picture.stones.black | self.picture.stones.white)
            .iter()
            .filter_map(|point| Some((point, self.picture.stone_at(point)?)))
            .map(|(point, color)| (point, color, dead(point, color)))
            .collect();
        for (point, color, dead) in stones {
            let Some(place @ [x, y]) = self.layout.place(point) else {
                continue;
            };
            let position = format!("x=\"{}\" y=\"{}\"", D(x), D(y));
            if self.style.shadow && !dead {
                let shadow = format!("<use href=\"#{}\" {position}/>", self.names.shadow());
                self.at_point(Layer::Shadow, place, shadow);
            }
            let faint = if dead { " opacity=\".45\"" } else { "" };
            let name = self.names.stone(color);
            let stone = format!("<use href=\"#{name}\" {position}{faint}/>");
            self.at_point(Layer::Stone, place, stone);
        }
    }

    fn mark(&mut self, point: Point, mark: Mark) {
        let Some(place @ [x, y]) = self.layout.place(point) else {
            return;
        };
        let cell = self.layout.cell;
        let stone = self.picture.stone_at(point);
        let ink = self.style.ink_on(stone);
        // On an empty point, the lines of the board end at the outline of the mark.
        let inside = match stone {
            Some(_) => "none".to_owned(),
            None => self.names.board_fill(),
        };
        let outline = format!(
            "fill=\"{inside}\" stroke=\"{ink}\" stroke-width=\"{}\" stroke-linejoin=\"round\"",
            D(self.layout.line(0.06))
        );
        let (layer, svg) = match mark {
            Mark::Dimmed => {
                // Neighbouring veils meet between two pixels, so that no seam shows.
                let edge = |at: f64| self.layout.snap(at);
                let half = cell / 2.0;
                let veil = format!(
                    "<path d=\"M{0} {1}H{2}V{3}H{0}Z\" fill=\"{4}\" fill-opacity=\".62\"/>",
                    D(edge(x - half)),
                    D(edge(y - half)),
                    D(edge(x + half)),
                    D(edge(y + half)),
                    self.names.board_fill()
                );
                (Layer::Veil, veil)
            }
            Mark::Selected => {
                let half = cell * 0.46;
                let side = D(2.0 * half);
                let accent = self.style.accent;
                let tint = if stone.is_some() { "0" } else { ".16" };
                let frame = format!(
                    "<rect x=\"{}\" y=\"{}\" width=\"{side}\" height=\"{side}\" rx=\"{}\" fill=\"{accent}\" \
                     fill-opacity=\"{tint}\" stroke=\"{accent}\" stroke-width=\"{}\"/>",
                    D(x - half),
                    D(y - half),
                    D(cell * 0.1),
                    D(self.layout.line(0.055)),
                );
                (Layer::Mark, frame)
            }
            Mark::Territory(color) => {
                let half = cell * 0.14;
                let side = D(2.0 * half);
                let owner = self.style.stone(color);
                let square = format!(
                    "<rect x=\"{}\" y=\"{}\" width=\"{side}\" height=\"{side}\" fill=\"{}\" stroke=\"{}\" \
                     stroke-width=\"{}\"/>",
                    D(x - half),
                    D(y - half),
                    owner.territory(),
                    self.style.stone(!color).territory(),
                    D(self.layout.line(0.03)),
                );
                (Layer::Mark, square)
            }
            Mark::Triangle => {
                let (side, low) = (cell * 0.29, cell * 0.165);
                let triangle = format!(
                    "<path d=\"M{} {}L{} {}H{}Z\" {outline}/>",
                    D(x),
                    D(y - cell * 0.33),
                    D(x + side),
                    D(y + low),
                    D(x - side),
                );
                (Layer::Mark, triangle)
            }
            Mark::Square => {
                let half = cell * 0.225;
                let side = D(2.0 * half);
                let square = format!(
                    "<rect x=\"{}\" y=\"{}\" width=\"{side}\" height=\"{side}\" {outline}/>",
                    D(x - half),
                    D(y - half),
                );
                (Layer::Mark, square)
            }
            Mark::Circle => {
                let circle = format!(
                    "<circle cx=\"{}\" cy=\"{}\" r=\"{}\" {outline}/>",
                    D(x),
                    D(y),
                    D(cell * 0.25)
                );
                (Layer::Mark, circle)
            }
            Mark::Cross => {
                let half = cell * 0.2;
                let mut cross = String::new();
                if stone.is_none() {
                    cross = self.patch(place, [cell * 0.6, cell * 0.6]);
                }
                let _ = write!(
                    cross,
                    "<path d=\"M{0} {1}L{2} {3}M{2} {1}L{0} {3}\" stroke=\"{ink}\" stroke-width=\"{4}\" \
                     stroke-linecap=\"round\"/>",
                    D(x - half),
                    D(y - half),
                    D(x + half),
                    D(y + half),
                    D(self.layout.line(0.08)),
                );
                (Layer::Mark, cross)
            }
        };
        self.at_point(layer, place, svg);
    }

    /// A piece of bare board that hides the lines around a point.
    fn patch(&self, [x, y]: [f64; 2], [width, height]: [f64; 2]) -> String {
        format!(
            "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"{}\" fill=\"{}\"/>",
            D(x - width / 2.0),
            D(y - height / 2.0),
            D(width),
            D(height),
            D(width.min(height) / 2.0),
            self.names.board_fill()
        )
    }

    fn label(&mut self, point: Point, label: &str) {
        let Some(place @ [x, y]) = self.layout.place(point) else {
            return;
        };
        if text::is_blank(label) {
            return;
        }
        let cell = self.layout.cell;
        let stone = self.picture.stone_at(point);
        let space = if stone.is_some() { 0.76 } else { 0.9 };
        let largest = match label.trim().chars().count() {
            1 => 0.54,
            2 => 0.49,
            _ => 0.44,
        };
        let fitted = text::fit(label, space * cell, [largest * cell, 0.2 * cell]);
        let mut svg = String::new();
        let marked = self
            .picture
            .marks
            .range((point, Mark::Territory(Color::Black))..);
        let marked = marked.take_while(|(at, _)| *at == point).next().is_some();
        if stone.is_none() && !marked {
            let width = text::width(&fitted.text) * fitted.font_size + 0.12 * cell;
            let height = fitted.font_size + 0.1 * cell;
            svg = self.patch(place, [width.max(height), height]);
        }
        let digits = fitted.text.bytes().all(|byte| byte.is_ascii_digit());
        // Long numbers must fit their stone in wider fonts too.
        let length = if digits && fitted.text.len() > 2 {
            let length = text::width(&fitted.text) * fitted.font_size;
            format!(
                " textLength=\"{}\" lengthAdjust=\"spacingAndGlyphs\"",
                D(length)
            )
        } else {
            String::new()
        };
        let _ = write!(
            svg,
            "<text x=\"{}\" y=\"{}\" font-size=\"{}\" fill=\"{}\"{length}>{}</text>",
            D(x),
            D(y + text::baseline(&fitted.text) * fitted.font_size),
            D(fitted.font_size),
            self.style.ink_on(stone),
            Escaped(&fitted.text)
        );
        self.at_point(Layer::Label, place, svg);
    }

    fn last(&mut self, point: Point) {
        let Some(place @ [x, y]) = self.layout.place(point) else {
            return;
        };
        let cell = self.layout.cell;
        let marks = self.picture.marks.iter();
        let busy = self.picture.labels.contains_key(&point)
            || marks
                .into_iter()
                .any(|&(at, mark)| at == point && mark > Mark::Selected);
        // A label or a mark keeps the middle of the stone, and the ring goes around it.
        let (radius, width) = if busy { (0.415, 0.045) } else { (0.24, 0.07) };
        let ring = format!(
            "<circle cx=\"{}\" cy=\"{}\" r=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"{}\"/>",
            D(x),
            D(y),
            D(cell * radius),
            self.style.ink_on(self.picture.stone_at(point)),
            D(self.layout.line(width))
        );
        self.at_point(Layer::Last, place, ring);
    }

    fn link(&mut self, link: Link) {
        let (Some(from), Some(to)) = (self.layout.place(link.from), self.layout.place(link.to))
        else {
            return;
        };
        let cell = self.layout.cell;
        let (dx, dy) = (to[0] - from[0], to[1] - from[1]);
        let length = dx.hypot(dy);
        if length == 0.0 {
            return;
        }
        let (ux, uy) = (dx / length, dy / length);
        let along = |at: f64, aside: f64| {
            let (x, y) = (
                from[0] + ux * at - uy * aside,
                from[1] + uy * at + ux * aside,
            );
            format!("{} {}", D(x), D(y))
        };
        let path = match link.kind {
            LinkKind::Line => format!("M{}L{}", along(0.0, 0.0), along(length, 0.0)),
            LinkKind::Arrow => {
                let (tip, head) = (length - cell * 0.06, cell * 0.3);
                format!(
                    "M{}L{}M{}L{}L{}",
                    along(0.0, 0.0),
                    along(tip, 0.0),
                    along(tip - head, head * 0.62),
                    along(tip, 0.0),
                    along(tip - head, -head * 0.62)
                )
            }
        };
        let mut svg = String::new();
        for (color, width) in [(self.style.casing, 0.16), (self.style.accent, 0.085)] {
            let _ = write!(
                svg,
                "<path d=\"{path}\" fill=\"none\" stroke=\"{color}\" stroke-width=\"{}\" \
                 stroke-linecap=\"round\" stroke-linejoin=\"round\"/>",
                D(self.layout.line(width))
            );
        }
        let reach = cell * 0.4;
        self.elements.push(Element {
            layer: Layer::Link,
            svg,
            bounds: [
                from[0].min(to[0]) - reach,
                from[1].min(to[1]) - reach,
                from[0].max(to[0]) + reach,
                from[1].max(to[1]) + reach,
            ],
        });
    }

    fn caption(&mut self, caption: &str) {
        let cell = self.layout.cell;
        let [left, _, right, bottom] = self.layout.edges();
        let space = (right - left - 0.8 * cell).max(cell);
        let fitted = text::fit(
            caption,
            space,
            [self.layout.caption_size, self.layout.caption_size * 0.7],
        );
        let y = self.layout.caption_y;
        let svg = format!(
            "<text x=\"{}\" y=\"{}\" font-size=\"{}\">{}</text>",
            D((left + right) / 2.0),
            D(y + 0.357 * fitted.font_size),
            D(fitted.font_size),
            Escaped(&fitted.text)
        );
        self.elements.push(Element {
            layer: Layer::Caption,
            svg,
            bounds: [left, y - self.layout.caption_size, right, bottom],
        });
    }
}
