//! The marks of a record on a picture.

use tengen_core::{Color, Point};
use tengen_render::{Link, LinkKind, Mark, Picture, Region};
use tengen_sgf::{Node, Property, Value};

const MARKS: [(&str, Mark); 8] = [
    ("DD", Mark::Dimmed),
    ("SL", Mark::Selected),
    ("TB", Mark::Territory(Color::Black)),
    ("TW", Mark::Territory(Color::White)),
    ("TR", Mark::Triangle),
    ("SQ", Mark::Square),
    ("CR", Mark::Circle),
    ("MA", Mark::Cross),
];

/// Draws the marks, labels and lines of a node, and shows the part of the board that the record shows there.
pub(crate) fn draw(mut picture: Picture, node: Node<'_>) -> Picture {
    for (name, mark) in MARKS {
        if let Some(property) = node.property(name) {
            picture = picture.mark_all(&property.points(), mark);
        }
    }
    for (at, label) in composed(node, "LB") {
        if let Some(at) = point(at) {
            picture = picture.label(at, label.simple_text());
        }
    }
    for (name, kind) in [("LN", LinkKind::Line), ("AR", LinkKind::Arrow)] {
        for (from, to) in composed(node, name) {
            if let (Some(from), Some(to)) = (point(from), point(to)) {
                picture = picture.link(Link { from, to, kind });
            }
        }
    }
    picture.crop(view(node))
}

/// The visible part, which stays until a node changes it.
fn view(node: Node<'_>) -> Option<Region> {
    let above = std::iter::successors(Some(node), |node| node.parent());
    let property = above.into_iter().find_map(|node| node.property("VW"))?;
    Region::around(&property.points())
}

fn point(value: Value<'_>) -> Option<Point> {
    value.point()?.to_point()
}

fn composed<'a>(
    node: Node<'a>,
    name: &str,
) -> impl Iterator<Item = (Value<'a>, Value<'a>)> + use<'a> {
    let values = node.property(name).into_iter().flat_map(Property::values);
    values.filter_map(Value::halves)
}
