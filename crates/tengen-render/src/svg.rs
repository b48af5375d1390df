//! SVG documents.

use std::fmt::Write;

use tengen_core::{Color, Point};

use crate::decimal::Decimal as D;
use crate::grain;
use crate::layout::Layout;
use crate::picture::{Coordinates, Picture};
use crate::scene::{self, Layer};
use crate::text::{Escaped, FAMILY};
use crate::theme::Style;

/// The names of what a picture defines.
///
/// They say all that the definitions depend on, so that pictures of different looks can stand in one page.
pub(crate) struct Names {
    prefix: String,
    board: String,
}

impl Names {
    pub(crate) fn of(picture: &Picture, layout: &Layout) -> Self {
        let style = picture.theme.style();
        let prefix = format!("{}{}", style.letter, D(layout.cell)).replace('.', "_");
        let board = if style.board[0] == style.board[1] {
            style.board[0].to_owned()
        } else {
            format!("url(#{prefix}g{}x{})", layout.width, layout.height)
        };
        Self { prefix, board }
    }

    /// What the board is painted with.
    pub(crate) fn board_fill(&self) -> String {
        self.board.clone()
    }

    pub(crate) fn stone(&self, color: Color) -> String {
        format!("{}{}", self.prefix, color.letter().to_ascii_lowercase())
    }

    pub(crate) fn shadow(&self) -> String {
        format!("{}s", self.prefix)
    }
}

/// A picture as a document.
pub(crate) fn document(picture: &Picture, layout: &Layout) -> String {
    let mut svg = head(picture, layout, &describe(picture));
    let mut elements = scene::elements(picture, layout).into_iter().peekable();
    while let Some(first) = elements.next() {
        svg.push_str(&open(first.layer, picture.theme.style()));
        svg.push_str(&first.svg);
        while let Some(next) = elements.next_if(|next| next.layer == first.layer) {
            svg.push_str(&next.svg);
        }
        svg.push_str("</g>");
    }
    svg.push_str(TAIL);
    svg
}

/// What closes a document that [`head`] has opened.
pub(crate) const TAIL: &str = "</g></svg>\n";

/// The group of a layer, which `</g>` closes.
pub(crate) fn open(layer: Layer, style: &Style) -> String {
    match layer {
        Layer::Label => "<g font-weight=\"700\">".to_owned(),
        Layer::Caption => format!("<g fill=\"{}\">", style.text),
        Layer::Shadow | Layer::Stone | Layer::Veil | Layer::Mark | Layer::Last | Layer::Link => {
            "<g>".to_owned()
        }
    }
}

/// A document up to the empty board, in a group whose origin is the upper left point.
pub(crate) fn head(picture: &Picture, layout: &Layout, description: &str) -> String {
    let (width, height) = (layout.width, layout.height);
    let title = match &picture.caption {
        Some(caption) => caption.clone(),
        None => format!("Go board, {}", picture.size),
    };
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {width} {height}\" role=\"img\" font-family=\"{FAMILY}\" text-anchor=\"middle\">\
         <title>{}</title><desc>{}</desc>{}",
        Escaped(&title),
        Escaped(description),
        board(picture, layout)
    )
}

/// The definitions and the empty board, in a group that stays open.
fn board(picture: &Picture, layout: &Layout) -> String {
    let mut svg = definitions(picture, layout);
    let [x, y] = layout.origin;
    let _ = write!(svg, "<g transform=\"translate({} {})\">", D(x), D(y));
    background(&mut svg, picture, layout);
    grid(&mut svg, picture, layout);
    if picture.coordinates == Coordinates::Shown {
        coordinates(&mut svg, picture, layout);
    }
    svg
}

/// A document with the definitions but not the board, for elements that are drawn onto a board.
#[cfg(feature = "pixels")]
pub(crate) fn bare_head(picture: &Picture, layout: &Layout) -> String {
    let [x, y] = layout.origin;
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{}\" height=\"{}\" font-family=\"{FAMILY}\" \
         text-anchor=\"middle\">{}<g transform=\"translate({} {})\">",
        layout.width,
        layout.height,
        definitions(picture, layout),
        D(x),
        D(y)
    )
}

/// What a picture shows, in words.
pub(crate) fn describe(picture: &Picture) -> String {
    let count = |color| picture.stones[color].len();
    let mut text = format!(
        "A {} board with {} black and {} white stones.",
        picture.size,
        count(Color::Black),
        count(Color::White)
    );
    if let Some(last) = picture.last.filter(|last| picture.size.contains(*last)) {
        let _ = write!(text, " Last move: {}.", last.to_gtp(picture.size));
    }
    text
}

fn definitions(picture: &Picture, layout: &Layout) -> String {
    let style = picture.theme.style();
    let names = Names::of(picture, layout);
    let cell = layout.cell;
    let mut svg = "<defs>".to_owned();
    if let Some(name) = reference(&names.board) {
        let [left, top, right, bottom] = layout.edges();
        let _ = write!(
            svg,
            "<linearGradient id=\"{name}\" gradientUnits=\"userSpaceOnUse\" x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\">\
             <stop stop-color=\"{}\"/><stop offset=\"1\" stop-color=\"{}\"/></linearGradient>",
            D(left),
            D(top),
            D(right),
            D(bottom),
            style.board[0],
            style.board[1]
        );
    }
    if style.shadow {
        let name = names.shadow();
        let _ = write!(
            svg,
            "<radialGradient id=\"{name}g\"><stop offset=\".7\" stop-opacity=\".5\"/>\
             <stop offset=\".85\" stop-opacity=\".22\"/><stop offset=\"1\" stop-opacity=\"0\"/></radialGradient>\
             <circle id=\"{name}\" cx=\"{}\" cy=\"{}\" r=\"{}\" fill=\"url(#{name}g)\"/>",
            D(cell * 0.035),
            D(cell * 0.06),
            D(cell * 0.54)
        );
    }
    for color in Color::BOTH {
        let stone = style.stone(color);
        let name = names.stone(color);
        let fill = if let [(_, flat)] = stone.fill {
            (*flat).to_owned()
        } else {
            let _ = write!(
                svg,
                "<radialGradient id=\"{name}g\" cx=\".34\" cy=\".3\" r=\".76\">"
            );
            for (place, color) in stone.fill {
                let offset = D(f64::from(*place) / 100.0);
                let _ = write!(svg, "<stop offset=\"{offset}\" stop-color=\"{color}\"/>");
            }
            svg.push_str("</radialGradient>");
            format!("url(#{name}g)")
        };
        let (rim, width) = stone.rim;
        // The rim is inside of the stone, and never thinner than a line of the board.
        let width = if width > 0.0 {
            (width * cell).max(layout.stroke)
        } else {
            0.0
        };
        let radius = cell * 0.475;
        // The rim is a disc beneath the stone: a thin stroke would have gaps in pixels.
        let face = format!("r=\"{}\" fill=\"{fill}\"/>", D(radius - width));
        let _ = if width > 0.0 {
            let rim = format!("<circle r=\"{}\" fill=\"{rim}\"/>", D(radius));
            write!(svg, "<g id=\"{name}\">{rim}<circle {face}</g>")
        } else {
            write!(svg, "<circle id=\"{name}\" {face}")
        };
    }
    svg.push_str("</defs>");
    svg
}

/// The name in `url(#name)`.
fn reference(fill: &str) -> Option<&str> {
    fill.strip_prefix("url(#")?.strip_suffix(')')
}

fn background(svg: &mut String, picture: &Picture, layout: &Layout) {
    let style = picture.theme.style();
    let edges @ [left, top, right, bottom] = layout.edges();
    let _ = write!(
        svg,
        "<path d=\"M{0} {1}H{2}V{3}H{0}Z\" fill=\"{4}\"/>",
        D(left),
        D(top),
        D(right),
        D(bottom),
        Names::of(picture, layout).board_fill()
    );
    if let Some(color) = style.grain {
        svg.push_str(&grain::stripes(edges, color));
    }
}

fn grid(svg: &mut String, picture: &Picture, layout: &Layout) {
    let style = picture.theme.style();
    let (region, cell) = (layout.region, layout.cell);
    let (last_x, last_y) = (picture.size.width() - 1, picture.size.height() - 1);
    // Lines run on beyond the part that is shown if the board does, and otherwise end at its edge, corner included.
    let beyond = |at_edge: bool| {
        if at_edge {
            layout.stroke / 2.0
        } else {
            cell / 2.0
        }
    };
    let west = -beyond(region.left() == 0);
    let north = -beyond(region.top() == 0);
    let east = layout.across() + beyond(region.right() == last_x);
    let south = layout.down() + beyond(region.bottom() == last_y);
    let (mut thin, mut thick) = (String::new(), String::new());
    // The border grows outwards, so that the innermost pixel of every line is where it would be without.
    let outwards = (layout.border - layout.stroke) / 2.0;
    for y in region.top()..=region.bottom() {
        let at = f64::from(y - region.top()) * cell;
        let (path, at) = match y {
            0 => (&mut thick, at - outwards),
            y if y == last_y => (&mut thick, at + outwards),
            _ => (&mut thin, at),
        };
        let (from, to) = (
            west - corner(region.left() == 0, layout),
            east + corner(region.right() == last_x, layout),
        );
        let _ = write!(path, "M{} {}H{}", D(from), D(at), D(to));
    }
    for x in region.left()..=region.right() {
        let at = f64::from(x - region.left()) * cell;
        let (path, at) = match x {
            0 => (&mut thick, at - outwards),
            x if x == last_x => (&mut thick, at + outwards),
            _ => (&mut thin, at),
        };
        let _ = write!(path, "M{} {}V{}", D(at), D(north), D(south));
    }
    for (path, width) in [(thin, layout.stroke), (thick, layout.border)] {
        if !path.is_empty() {
            let _ = write!(
                svg,
                "<path d=\"{path}\" stroke=\"{}\" stroke-width=\"{}\"/>",
                style.lines,
                D(width)
            );
        }
    }
    let mut stars = picture.size.star_points();
    if picture.size.area() == 1 {
        // Without it, nothing would show that there is a point.
        stars.insert(Point::new(0, 0));
    }
    let radius = (cell * 0.11).max(layout.stroke * 1.5);
    let stars: Vec<_> = stars.iter().filter_map(|star| layout.place(star)).collect();
    if !stars.is_empty() {
        let mut path = String::new();
        for [x, y] in stars {
            let _ = write!(path, "M{} {}h.01", D(x), D(y));
        }
        let _ = write!(
            svg,
            "<path d=\"{path}\" stroke=\"{}\" stroke-width=\"{}\" stroke-linecap=\"round\"/>",
            style.lines,
            D(2.0 * radius)
        );
    }
}

/// How much further the lines at an edge go, to fill the corner.
fn corner(at_edge: bool, layout: &Layout) -> f64 {
    if at_edge {
        layout.border - layout.stroke
    } else {
        0.0
    }
}

fn coordinates(svg: &mut String, picture: &Picture, layout: &Layout) {
    let (region, cell) = (layout.region, layout.cell);
    // On small pictures, coordinates take more of the margin, so that they can still be read.
    let font_size = (cell * 0.35).max((cell * 0.5).min(8.0));
    let away = cell * 0.9;
    let baseline = font_size * 0.357;
    let _ = write!(
        svg,
        "<g font-size=\"{}\" fill=\"{}\">",
        D(font_size),
        picture.theme.style().text
    );
    let mut write_at = |x: f64, y: f64, text: &str| {
        let _ = write!(
            svg,
            "<text x=\"{}\" y=\"{}\">{text}</text>",
            D(x),
            D(y + baseline)
        );
    };
    for x in region.left()..=region.right() {
        let point = Point::new(x, picture.size.height() - 1);
        let name = point.to_gtp(picture.size);
        let letter = name.trim_end_matches(|symbol: char| symbol.is_ascii_digit());
        let at = f64::from(x - region.left()) * cell;
        write_at(at, -away, letter);
        write_at(at, layout.down() + away, letter);
    }
    for y in region.top()..=region.bottom() {
        let number = (picture.size.height() - y).to_string();
        let at = f64::from(y - region.top()) * cell;
        write_at(-away, at, &number);
        write_at(layout.across() + away, at, &number);
    }
    svg.push_str("</g>");
}

#[cfg(test)]
mod tests {
    use roxmltree::{Document, Node};
    use tengen_core::{Board, Setup, Size};

    use super::*;
    use crate::{Link, LinkKind, Mark, Region, Theme};

    fn uses(document: &Document<'_>, name: &str) -> usize {
        let is_use = |node: &Node<'_, '_>| {
            let href = node.attribute("href").unwrap_or_default();
            node.has_tag_name("use") && href.ends_with(name)
        };
        document.descendants().filter(is_use).count()
    }

    fn texts<'a>(document: &'a Document<'_>) -> Vec<&'a str> {
        let nodes = document.descendants();
        let texts = nodes.filter(|node| node.has_tag_name("text"));
        texts.filter_map(|node| node.text()).collect()
    }

    fn position() -> Setup {
        "X O .\n. X .\nO . .\n. . O".parse().unwrap()
    }

    #[test]
    fn every_stone_is_drawn_once() {
        for theme in Theme::ALL {
            let svg = Picture::of_setup(&position()).theme(theme).to_svg();
            let document = Document::parse(&svg).unwrap();
            assert_eq!((uses(&document, "b"), uses(&document, "w")), (2, 3));
            let shadows = if theme == Theme::Wood { 5 } else { 0 };
            assert_eq!(uses(&document, "s"), shadows);
        }
    }

    #[test]
    fn a_part_of_the_board_has_only_its_own_stones_and_coordinates() {
        let region = Region::new(Point::new(1, 0), Point::new(2, 1));
        let svg = Picture::of_setup(&position()).crop(Some(region)).to_svg();
        let document = Document::parse(&svg).unwrap();
        assert_eq!((uses(&document, "b"), uses(&document, "w")), (1, 1));
        assert_eq!(texts(&document), ["B", "B", "C", "C", "4", "4", "3", "3"]);
    }

    #[test]
    fn every_reference_has_its_definition() {
        let mut picture = Picture::of_setup(&position()).label(Point::new(2, 3), "a");
        for mark in [Mark::Dimmed, Mark::Cross, Mark::Triangle] {
            picture = picture.mark(Point::new(1, 3), mark);
        }
        for theme in Theme::ALL {
            let svg = picture.clone().theme(theme).to_svg();
            let document = Document::parse(&svg).unwrap();
            let ids: Vec<_> = document
                .descendants()
                .filter_map(|node| node.attribute("id"))
                .collect();
            for attribute in document.descendants().flat_map(|node| node.attributes()) {
                let name = match attribute.name() {
                    "href" => attribute.value().strip_prefix('#'),
                    _ => reference(attribute.value()),
                };
                assert!(name.is_none_or(|name| ids.contains(&name)), "{name:?}");
            }
        }
    }

    #[test]
    fn hostile_text_stays_text() {
        let hostile = "</text>\u{0}<script>&\"'\u{1b}";
        let svg = Picture::of_setup(&position())
            .label(Point::new(2, 2), "<&>\u{1}")
            .label(Point::new(0, 0), " \n ")
            .caption(hostile)
            .to_svg();
        let document = Document::parse(&svg).unwrap();
        assert!(texts(&document).contains(&"<&>"));
        assert!(texts(&document).contains(&"</text><script>&\"'"));
        assert!(
            !document
                .descendants()
                .any(|node| node.has_tag_name("script"))
        );
        let title = document
            .descendants()
            .find(|node| node.has_tag_name("title"));
        assert_eq!(title.unwrap().text(), Some("</text><script>&\"'"));
    }

    #[test]
    fn it_says_what_it_shows() {
        let picture = Picture::of_setup(&position()).last(Some(Point::new(1, 1)));
        let svg = picture.to_svg();
        let document = Document::parse(&svg).unwrap();
        let root = document.root_element();
        assert_eq!(root.attribute("role"), Some("img"));
        let text = |name| {
            let node = root.children().find(|node| node.has_tag_name(name));
            node.unwrap().text().unwrap().to_owned()
        };
        assert_eq!(text("title"), "Go board, 3x4");
        assert_eq!(
            text("desc"),
            "A 3x4 board with 2 black and 3 white stones. Last move: B3."
        );
    }

    #[test]
    fn what_is_off_the_board_is_left_out() {
        let plain = Picture::new(&Board::new(Size::square(5).unwrap()));
        let (on, off) = (Point::new(2, 2), Point::new(20, 2));
        let link = Link {
            from: on,
            to: off,
            kind: LinkKind::Arrow,
        };
        let point_to_itself = Link { to: on, ..link };
        let picture = plain
            .clone()
            .mark(off, Mark::Circle)
            .label(off, "1")
            .last(Some(off))
            .link(link)
            .link(point_to_itself);
        assert_eq!(picture.to_svg(), plain.to_svg());
    }

    #[test]
    fn the_last_move_has_a_ring_that_leaves_room_for_a_label() {
        let point = Point::new(1, 1);
        let radius = |picture: &Picture| {
            let svg = picture.to_svg();
            let document = Document::parse(&svg).unwrap();
            let mut rings = document
                .descendants()
                .filter(|node| node.has_tag_name("circle") && node.has_attribute("cx"))
                .filter(|node| !node.has_attribute("id"));
            let ring = rings.next().unwrap();
            assert!(rings.next().is_none());
            ring.attribute("r").unwrap().parse::<f64>().unwrap()
        };
        let picture = Picture::of_setup(&position()).last(Some(point));
        assert!(radius(&picture) < radius(&picture.clone().number(point, 100)));
    }
}
