//! Canonical `FF[4]`.

use std::borrow::Cow;
use std::fmt::Write;

use crate::property::Kind;
use crate::tree::{Collection, Node, Property};
use crate::value::{SgfPoint, Value};
use crate::writer::write_tree;

/// A pass on boards of up to 19×19.
const TT: SgfPoint = SgfPoint { x: 19, y: 19 };

/// Lines are broken before a node that would make them longer than this.
const LINE: usize = 80;

impl Collection {
    /// The games as canonical `FF[4]` in UTF-8: values rewritten by the rules for their kind, properties of the root
    /// one a line, one form for each pass, point and escape. What is not understood is kept as it was.
    ///
    /// ```
    /// use tengen_sgf::{Collection, Mode};
    /// let parsed = Collection::parse("(;SiZe[9]B[tt];White[ e e ])", Mode::Lenient)?;
    /// assert_eq!(parsed.collection.to_canonical(), "(;FF[4]\nGM[1]\nCA[UTF-8]\nSZ[9]\nB[]\n;W[ee])\n");
    /// # Ok::<(), tengen_sgf::ParseError>(())
    /// ```
    pub fn to_canonical(&self) -> String {
        let mut out = String::with_capacity(self.text.len() + 64);
        for root in self.roots() {
            let mut format = Format::new(root);
            write_tree(root, &mut out, |node, out| format.node(node, out));
            out.push('\n');
        }
        out
    }
}

struct Format {
    /// Up to 19×19 `tt` is a pass.
    small: bool,
    /// Columns and rows, where the root names them well.
    sides: (u8, u8),
    is_go: bool,
    line_start: usize,
    node: String,
}

impl Format {
    fn new(root: Node<'_>) -> Self {
        let number = |value: Value<'_>| value.number();
        let sides = root.value("SZ").map(|value| match value.halves() {
            Some((width, height)) => (number(width), number(height)),
            None => (number(value), number(value)),
        });
        let small = |side: Option<i64>| side.is_none_or(|side| side <= 19);
        Self {
            small: sides.is_none_or(|(width, height)| small(width) && small(height)),
            sides: root.value("SZ").and_then(Value::sides).unwrap_or((19, 19)),
            is_go: root.is_go(),
            line_start: 0,
            node: String::new(),
        }
    }

    fn node(&mut self, node: Node<'_>, out: &mut String) {
        if node.parent().is_none() {
            self.root(node, out);
            return;
        }
        self.node.clear();
        self.node.push(';');
        for property in node.properties() {
            let mut text = std::mem::take(&mut self.node);
            self.property(property, &mut text);
            self.node = text;
        }
        // Brackets that the tree wrote since the last node may have begun a line's worth of text already.
        let long = out.len() - self.line_start + self.node.len() > LINE;
        if long && !out.ends_with('\n') {
            out.push('\n');
            self.line_start = out.len();
        }
        out.push_str(&self.node);
        if let Some(last) = self.node.rfind('\n') {
            self.line_start = out.len() - (self.node.len() - last - 1);
        }
    }

    fn root(&mut self, root: Node<'_>, out: &mut String) {
        out.push_str(";FF[4]\n");
        let game = root.value("GM").and_then(Value::number).unwrap_or(1);
        // Writing to a string cannot fail.
        let _ = write!(out, "GM[{game}]\nCA[UTF-8]\n");
        let fixed = ["FF", "GM", "CA"];
        for property in root
            .properties()
            .filter(|property| !fixed.iter().any(|name| property.is(name)))
        {
            self.property(property, out);
            out.push('\n');
        }
        self.line_start = out.len();
    }

    fn property(&self, property: Property<'_>, out: &mut String) {
        let kind = if self.is_go {
            Kind::of(property.ident())
        } else {
            Kind::Unknown
        };
        property.write_name(out);
        for value in property.values() {
            out.push('[');
            out.push_str(&self.value(kind, value));
            out.push(']');
        }
    }

    fn value<'a>(&self, kind: Kind, value: Value<'a>) -> Cow<'a, str> {
        let raw = value.raw();
        match kind {
            Kind::Move if raw.trim().is_empty() || self.small && value.point() == Some(TT) => {
                "".into()
            }
            Kind::Move if value.point().is_some() => tidy(raw),
            Kind::Move => match value.point_on(self.sides) {
                Some(point) => point.letters().into(),
                None => raw.into(),
            },
            Kind::Points if value.points().is_some() || raw.trim().is_empty() => tidy(raw),
            Kind::Points => match value.points_on(self.sides) {
                Some(points) => {
                    let letters: Vec<String> = points.into_iter().map(SgfPoint::letters).collect();
                    letters.join("][").into()
                }
                None => raw.into(),
            },
            Kind::PointPairs if value.points().is_some() => tidy(raw),
            Kind::Number | Kind::Double if value.number().is_some() => raw.trim().into(),
            Kind::Real if value.real().is_some() => raw.trim().into(),
            Kind::Size if value.number().is_some() => raw.trim().into(),
            Kind::Color => match value.color() {
                Some(color) => color.letter().to_string().into(),
                None => raw.into(),
            },
            Kind::Text => escaped(value.text()),
            Kind::SimpleText => escaped(value.simple_text()),
            Kind::PointTexts | Kind::TextPair | Kind::Figure => match value.halves() {
                Some((first, second)) => {
                    let half = |half: Value<'_>| Value::escape_composed(&half.simple_text());
                    format!("{}:{}", half(first), half(second)).into()
                }
                None => Value::escape_composed(&value.simple_text()).into(),
            },
            _ => raw.into(),
        }
    }
}

/// The value without white space, which means nothing in points.
fn tidy(raw: &str) -> Cow<'_, str> {
    if raw.bytes().any(|byte| byte.is_ascii_whitespace()) {
        raw.split_ascii_whitespace().collect::<String>().into()
    } else {
        raw.into()
    }
}

fn escaped(text: Cow<'_, str>) -> Cow<'_, str> {
    match text {
        Cow::Borrowed(text) => Value::escape(text),
        Cow::Owned(text) => Value::escape(&text).into_owned().into(),
    }
}
