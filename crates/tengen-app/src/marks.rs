//! What a record draws on the board at a node.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value as Json, json};
use tengen_core::{Point, PointSet, Size};
use tengen_sgf::{Node, Property, Value};

/// A mark on a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub(crate) enum MarkKind {
    /// A triangle.
    Triangle,
    /// A square.
    Square,
    /// A circle.
    Circle,
    /// A cross.
    Cross,
    /// The point is selected.
    Selected,
    /// The point is greyed out.
    Dim,
    /// The point is Black's.
    TerritoryBlack,
    /// The point is White's.
    TerritoryWhite,
}

impl MarkKind {
    pub(crate) const ALL: [Self; 8] = [
        Self::Triangle,
        Self::Square,
        Self::Circle,
        Self::Cross,
        Self::Selected,
        Self::Dim,
        Self::TerritoryBlack,
        Self::TerritoryWhite,
    ];

    /// The name of its property.
    pub(crate) const fn property(self) -> &'static str {
        match self {
            Self::Triangle => "TR",
            Self::Square => "SQ",
            Self::Circle => "CR",
            Self::Cross => "MA",
            Self::Selected => "SL",
            Self::Dim => "DD",
            Self::TerritoryBlack => "TB",
            Self::TerritoryWhite => "TW",
        }
    }
}

/// A mark on a point.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct MarkMessage {
    /// Where it is.
    #[cfg_attr(test, schemars(with = "crate::words::Point"))]
    pub point: String,
    /// What it looks like.
    pub kind: MarkKind,
}

/// A text on a point.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct LabelMessage {
    /// Where it is.
    #[cfg_attr(test, schemars(with = "crate::words::Point"))]
    pub point: String,
    /// What it says.
    pub text: String,
}

/// A line or an arrow.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct LineMessage {
    /// Where it begins.
    #[cfg_attr(test, schemars(with = "crate::words::Point"))]
    pub from: String,
    /// Where it ends.
    #[cfg_attr(test, schemars(with = "crate::words::Point"))]
    pub to: String,
    /// Is it an arrow?
    pub arrow: bool,
}

/// The points of a property that are on the board.
pub(crate) fn points(node: Node<'_>, name: &str, size: Size) -> PointSet {
    let property = node.property(name).map(Property::points);
    property.unwrap_or_default() & size.points()
}

/// A property that holds until another node on the way changes it.
fn inherited<'a>(node: Node<'a>, name: &str) -> Option<Property<'a>> {
    std::iter::successors(Some(node), |node| node.parent()).find_map(|node| node.property(name))
}

/// The points with a mark; what is dimmed stays so.
pub(crate) fn marked(node: Node<'_>, kind: MarkKind, size: Size) -> PointSet {
    match kind {
        MarkKind::Dim => {
            let property = inherited(node, kind.property()).map(Property::points);
            property.unwrap_or_default() & size.points()
        }
        _ => points(node, kind.property(), size),
    }
}

pub(crate) fn marks(node: Node<'_>, size: Size) -> Vec<MarkMessage> {
    let of_kind = |kind| {
        let points = marked(node, kind, size);
        points.into_iter().map(move |point: Point| MarkMessage {
            point: point.to_gtp(size),
            kind,
        })
    };
    MarkKind::ALL.into_iter().flat_map(of_kind).collect()
}

/// The values of a property that have two halves.
fn halves<'a>(node: Node<'a>, name: &str) -> impl Iterator<Item = (Value<'a>, Value<'a>)> {
    let values = node.property(name).into_iter().flat_map(Property::values);
    values.filter_map(Value::halves)
}

fn point(value: Value<'_>, size: Size) -> Option<Point> {
    let point = value.point()?.to_point()?;
    size.contains(point).then_some(point)
}

/// Labels and where they are.
pub(crate) fn labels(node: Node<'_>, size: Size) -> Vec<(Point, String)> {
    let label = |(at, text): (Value<'_>, Value<'_>)| {
        Some((point(at, size)?, text.simple_text().into_owned()))
    };
    halves(node, "LB").filter_map(label).collect()
}

/// Lines or arrows: from where to where.
pub(crate) fn lines(node: Node<'_>, name: &str, size: Size) -> Vec<(Point, Point)> {
    let line = |(from, to)| Some((point(from, size)?, point(to, size)?));
    halves(node, name).filter_map(line).collect()
}

/// The part of the board that is to be seen, unless it is all of it.
pub(crate) fn visible(node: Node<'_>, size: Size) -> Option<PointSet> {
    let visible = inherited(node, "VW")?.points() & size.points();
    (!visible.is_empty()).then_some(visible)
}

/// Judgements and numbers about a node, by the names of their properties. With each goes whether it is emphasised by 1
/// or 2.
const ANNOTATIONS: [(&str, Worth); 15] = [
    ("GB", Worth::Double),
    ("GW", Worth::Double),
    ("DM", Worth::Double),
    ("UC", Worth::Double),
    ("BM", Worth::Double),
    ("TE", Worth::Double),
    ("HO", Worth::Double),
    ("DO", Worth::Flag),
    ("IT", Worth::Flag),
    ("V", Worth::Number),
    ("BL", Worth::Number),
    ("WL", Worth::Number),
    ("OB", Worth::Number),
    ("OW", Worth::Number),
    ("MN", Worth::Number),
];

/// What the value of an annotation can be.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Worth {
    /// 1 or 2.
    Double,
    /// It is there or not.
    Flag,
    /// Any number.
    Number,
}

pub(crate) fn annotations(node: Node<'_>) -> Map<String, Json> {
    let mut found = Map::new();
    for (name, worth) in ANNOTATIONS {
        let Some(value) = node.value(name) else {
            continue;
        };
        let value = match worth {
            Worth::Double => json!(value.number().unwrap_or(1).clamp(1, 2)),
            Worth::Flag => json!(1),
            Worth::Number => match value.real() {
                Some(number) => json!(number),
                None => continue,
            },
        };
        found.insert(name.to_owned(), value);
    }
    found
}

/// The value of an annotation as a record writes it, or `None` if there is no such annotation or it cannot be that.
pub(crate) fn annotation(name: &str, value: f64) -> Option<String> {
    let (_, worth) = ANNOTATIONS.iter().find(|(known, _)| *known == name)?;
    match worth {
        Worth::Double if value == 1.0 || value == 2.0 => Some(value.to_string()),
        Worth::Flag if value == 1.0 => Some(String::new()),
        Worth::Number if value.is_finite() && value.abs() < 1e9 => Some(value.to_string()),
        _ => None,
    }
}

/// Can a node have such an annotation?
pub(crate) fn is_annotation(name: &str) -> bool {
    ANNOTATIONS.iter().any(|(known, _)| *known == name)
}
