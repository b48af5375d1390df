//! The canonical form says the same.

use proptest::prelude::{prop_assert_eq, proptest};
use tengen_sgf::{Collection, Mode, Node, Property, SgfPoint, Value};

use crate::random_record::collections;

/// What a value means, so that two ways to write it are equal.
#[derive(Debug, PartialEq)]
enum Meaning {
    Pass,
    Points(Vec<SgfPoint>),
    Number(i64),
    Real(f64),
    Text(String),
    Pair(String, String),
    Raw(String),
}

fn meaning(name: &str, value: Value<'_>, small: bool, sides: (u8, u8)) -> Meaning {
    let raw = || Meaning::Raw(value.raw().to_owned());
    match name {
        "B" | "W" if value.raw().trim().is_empty() => Meaning::Pass,
        "B" | "W" if small && value.point() == Some(SgfPoint { x: 19, y: 19 }) => Meaning::Pass,
        "B" | "W" => value
            .point_on(sides)
            .map_or_else(raw, |point| Meaning::Points(vec![point])),
        "AB" | "AW" | "AE" | "TR" | "TB" | "VW" => match value.points_on(sides) {
            Some(points) => Meaning::Points(points),
            None if value.raw().trim().is_empty() => Meaning::Points(Vec::new()),
            None => raw(),
        },
        "AR" | "LN" => match value.points() {
            Some(points) => Meaning::Points(points.collect()),
            None if value.raw().trim().is_empty() => Meaning::Points(Vec::new()),
            None => raw(),
        },
        "HA" | "DM" | "OB" | "FF" | "GM" => value.number().map_or_else(raw, Meaning::Number),
        "KM" | "BL" => value.real().map_or_else(raw, Meaning::Real),
        "SZ" => match value.halves() {
            None => value.number().map_or_else(raw, Meaning::Number),
            Some((width, height)) => match (width.number(), height.number()) {
                (Some(width), Some(height)) => Meaning::Pair(width.to_string(), height.to_string()),
                _ => raw(),
            },
        },
        "C" | "GC" => Meaning::Text(value.text().into_owned()),
        "N" | "PB" | "RE" | "RU" | "CA" => Meaning::Text(value.simple_text().into_owned()),
        "LB" | "FG" | "AP" => match value.halves() {
            Some((first, second)) => {
                Meaning::Pair(first.simple_text().into(), second.simple_text().into())
            }
            None => Meaning::Text(value.simple_text().into_owned()),
        },
        "PL" => value
            .color()
            .map_or_else(raw, |color| Meaning::Text(color.to_string())),
        _ => raw(),
    }
}

/// The names and meanings of a node's properties; those that the canonical form sets itself left out.
fn meanings(node: Node<'_>, root: Node<'_>) -> Vec<(String, Vec<Meaning>)> {
    let (is_go, small) = (is_go(root), is_small(root));
    let is_root = node.parent().is_none();
    let fixed = |property: &Property<'_>| {
        is_root && ["FF", "GM", "CA"].iter().any(|name| property.is(name))
    };
    let properties = node.properties().filter(|property| !fixed(property));
    let read = |property: Property<'_>| {
        let name = property.name();
        let kind = if is_go { name.as_str() } else { "" };
        // Points with commas between them become values of their own.
        let each = |meaning: Meaning| match meaning {
            Meaning::Points(points) if points.len() > 1 => {
                let alone = |point| Meaning::Points(vec![point]);
                points.into_iter().map(alone).collect()
            }
            meaning => vec![meaning],
        };
        let values = property
            .values()
            .flat_map(|value| each(meaning(kind, value, small, sides(root))))
            .collect();
        (name, values)
    };
    properties.map(read).collect()
}

fn is_go(root: Node<'_>) -> bool {
    root.value("GM")
        .and_then(Value::number)
        .is_none_or(|game| game == 1)
}

fn sides(root: Node<'_>) -> (u8, u8) {
    let side = |value: Value<'_>| u8::try_from(value.number()?).ok();
    let sides = root.value("SZ").and_then(|value| match value.halves() {
        Some((width, height)) => Some((side(width)?, side(height)?)),
        None => Some((side(value)?, side(value)?)),
    });
    sides.unwrap_or((19, 19))
}

fn is_small(root: Node<'_>) -> bool {
    let small = |value: Value<'_>| value.number().is_none_or(|side| side <= 19);
    root.value("SZ").is_none_or(|value| match value.halves() {
        Some((width, height)) => small(width) && small(height),
        None => small(value),
    })
}

proptest! {
    #[test]
    fn the_canonical_form_is_stable_and_means_the_same(games in collections()) {
        let canonical = games.to_canonical();
        let read = Collection::parse(canonical.as_str(), Mode::Strict);
        let read = read.unwrap_or_else(|error| panic!("{error}: {canonical:?}")).collection;
        prop_assert_eq!(read.to_canonical(), canonical);

        prop_assert_eq!(read.roots().count(), games.roots().count());
        for (ours, theirs) in games.roots().zip(read.roots()) {
            prop_assert_eq!(theirs.value("FF").map(Value::raw), Some("4"));
            prop_assert_eq!(theirs.value("CA").map(Value::raw), Some("UTF-8"));
            prop_assert_eq!(is_go(theirs), is_go(ours));
            prop_assert_eq!(ours.main_line().count(), theirs.main_line().count());
            prop_assert_eq!(ours.descendants().count(), theirs.descendants().count());
            for (a, b) in ours.descendants().zip(theirs.descendants()) {
                let shape = |node: Node<'_>| (node.children().count(), node.next_sibling().is_some());
                prop_assert_eq!(shape(a), shape(b));
                prop_assert_eq!(meanings(a, ours), meanings(b, theirs));
            }
        }
    }
}
