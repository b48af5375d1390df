//! Checking values and where they stand.

use tengen_core::{ByColor, Color};

use crate::diagnostic::{Diagnostic, Severity};
use crate::findings::Findings;
use crate::property::{Kind, Role};
use crate::settings::shorten;
use crate::tree::{Node, Property};
use crate::value::Value;

/// Checks every property of a game against `FF[4]`: kinds of values, properties twice in a node, setup beside moves,
/// root properties elsewhere. Values stay as they are.
pub fn validate(root: Node<'_>) -> Vec<Diagnostic> {
    validate_but(root, &[])
}

/// [`validate`], but nothing is said of values that are wrong at these places, which are in order.
pub(crate) fn validate_but(root: Node<'_>, told: &[usize]) -> Vec<Diagnostic> {
    if !root.is_go() {
        return Vec::new();
    }
    let mut check = Check {
        size: root.value("SZ").and_then(Value::sides).unwrap_or((19, 19)),
        told,
        diagnostics: Findings::new(),
    };
    for node in root.descendants() {
        check.node(node);
    }
    check.diagnostics.into_vec()
}

/// A value that is not of its kind. Whoever replays the game says the same of the values that it needs.
pub(crate) const BAD_VALUE: &str = "bad-value";

struct Check<'a> {
    /// Columns and rows, up to 52, as far as the root gives them.
    size: (u8, u8),
    /// Where somebody else has said what is wrong with a value.
    told: &'a [usize],
    diagnostics: Findings,
}

impl Check<'_> {
    fn report(&mut self, severity: Severity, kind: &'static str, offset: usize, message: String) {
        if kind == BAD_VALUE && self.told.binary_search(&offset).is_ok() {
            return;
        }
        self.diagnostics
            .push(Diagnostic::new(severity, kind, offset, message));
    }

    fn node(&mut self, node: Node<'_>) {
        let mut setup = None;
        let mut moves = ByColor::new(false, false);
        for (index, property) in node.properties().enumerate() {
            let offset = property.value().map_or(0, Value::offset);
            let role = Role::of(property.ident());
            if role == Role::Setup {
                setup = Some(offset);
            }
            moves.black |= property.is("B");
            moves.white |= property.is("W");
            // A node has a few properties; where it has very many the search for a double is cut short.
            let mut before = node.properties().take(index.min(100));
            if before.any(|other| other.ident() == property.ident()) {
                let message = format!("`{}` twice in a node", property.name());
                self.report(Severity::Warning, "property-twice", offset, message);
            }
            if role == Role::Root && node.parent().is_some() {
                let message = format!("`{}` belongs into the first node", property.name());
                self.report(Severity::Note, "not-in-root", offset, message);
            }
            self.property(property);
        }
        let any_move = moves.black || moves.white;
        if let Some(offset) = setup.filter(|_| any_move) {
            let message =
                "stones set up and a move in one node: set up first, then played".to_owned();
            self.report(Severity::Warning, "setup-and-move", offset, message);
        }
        if moves.black && moves.white {
            let offset = node.value("W").map_or(0, Value::offset);
            let message = "two moves in one node: played in their order".to_owned();
            self.report(Severity::Warning, "two-moves", offset, message);
        }
    }

    fn property(&mut self, property: Property<'_>) {
        let kind = Kind::of(property.ident());
        let count = property.values().len();
        if count > 1 && !kind.is_list() {
            let offset = property.value().map_or(0, Value::offset);
            let message = format!("`{}` takes one value and has {count}", property.name());
            self.report(Severity::Warning, "many-values", offset, message);
        }
        for value in property.values() {
            if let Err(problem) = self.value(kind, value, count) {
                let message = format!("`{}[{}]` {problem}", property.name(), shorten(value.raw()));
                self.report(Severity::Warning, BAD_VALUE, value.offset(), message);
            }
        }
    }

    fn value(&self, kind: Kind, value: Value<'_>, count: usize) -> Result<(), &'static str> {
        let raw = value.raw().trim();
        let ok = |holds: bool, problem: &'static str| if holds { Ok(()) } else { Err(problem) };
        let spaced = || {
            ok(
                !value.raw().bytes().any(|byte| byte.is_ascii_whitespace()),
                "has white space inside",
            )
        };
        match kind {
            Kind::None => ok(raw.is_empty(), "takes no value"),
            Kind::Number => ok(value.number().is_some(), "is no whole number"),
            Kind::Real => ok(value.real().is_some(), "is no number"),
            Kind::Double => ok(matches!(raw, "1" | "2"), "is neither 1 nor 2"),
            Kind::Color => match value.color() {
                _ if matches!(raw, "B" | "W") => Ok(()),
                Some(Color::Black) => Err("is neither B nor W: read as Black"),
                Some(Color::White) => Err("is neither B nor W: read as White"),
                None => Err("is neither B nor W"),
            },
            Kind::Move if raw.is_empty() || raw == "tt" => Ok(()),
            Kind::Move => self.point(value).and_then(|()| spaced()),
            // An empty list is a list with one empty value.
            Kind::Points if raw.is_empty() && count == 1 => Ok(()),
            Kind::Points => self.points(value).and_then(|()| spaced()),
            Kind::PointPairs => match value.halves() {
                Some((from, to)) => self.point(from).and_then(|()| self.point(to)),
                None => Err("is no pair of points"),
            },
            Kind::PointTexts => match value.halves() {
                Some((point, _)) => self.point(point),
                None => Err("is no point with a text"),
            },
            Kind::Size => {
                let side =
                    |value: Value<'_>| value.number().is_some_and(|side| (1..=52).contains(&side));
                let fine = match value.halves() {
                    Some((width, height)) => side(width) && side(height),
                    None => side(value),
                };
                ok(fine, "is no size from 1 to 52")
            }
            Kind::SimpleText | Kind::Text | Kind::TextPair | Kind::Figure | Kind::Unknown => Ok(()),
        }
    }

    fn point(&self, value: Value<'_>) -> Result<(), &'static str> {
        match value.point() {
            Some(point) if point.x < self.size.0 && point.y < self.size.1 => Ok(()),
            Some(_) => Err("is not on the board"),
            None => Err("is no point"),
        }
    }

    fn points(&self, value: Value<'_>) -> Result<(), &'static str> {
        match value.halves() {
            Some((first, last)) => self.point(first).and_then(|()| self.point(last)),
            None => self.point(value),
        }
    }
}
