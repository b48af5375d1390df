//! Prints what is in the files whose paths stand on the lines of the standard input, as a line of JSON each. The
//! comparison with other programs in `tests/peers` reads it.

use std::io::{BufRead, Write, stdin, stdout};

use serde_json::{Value as Json, json};
use tengen_sgf::{Mode, Node, Property, Record, SgfPoint, Value};

fn main() -> std::io::Result<()> {
    for path in stdin().lock().lines() {
        let path = path?;
        let content = match Record::read(std::fs::read(&path)?, Mode::Lenient) {
            Ok(record) => json!({
                "file": path,
                "encoding": record.encoding,
                "repairs": record.diagnostics.len(),
                "games": record.collection.roots().map(game).collect::<Vec<_>>(),
            }),
            Err(error) => json!({ "file": path, "error": error.to_string() }),
        };
        writeln!(stdout().lock(), "{content}")?;
    }
    Ok(())
}

/// All nodes with the number of their parent and their properties; the moves of the main line; the stones set up in it.
fn game(root: Node<'_>) -> Json {
    let mut numbers = std::collections::HashMap::new();
    let mut nodes = Vec::new();
    for node in root.descendants() {
        let number = numbers.len();
        numbers.insert(node.id(), number);
        let parent = node.parent().map(|parent| numbers[&parent.id()]);
        nodes.push(json!([
            parent,
            node.properties().map(property).collect::<Vec<_>>()
        ]));
    }
    let small = root
        .value("SZ")
        .and_then(Value::number)
        .is_none_or(|side| side <= 19);
    json!({
        "nodes": nodes,
        "moves": root.main_line().flat_map(|node| moves(node, small)).collect::<Vec<_>>(),
        "setup": root.main_line().flat_map(setup).collect::<Vec<_>>(),
    })
}

fn property(property: Property<'_>) -> Json {
    json!([
        property.name(),
        property
            .values()
            .map(|value| value.text().into_owned())
            .collect::<Vec<_>>()
    ])
}

fn moves(node: Node<'_>, small: bool) -> Vec<Json> {
    let moves = node
        .properties()
        .filter(|property| property.is("B") || property.is("W"));
    let is_pass = |point: &SgfPoint| small && *point == SgfPoint { x: 19, y: 19 };
    let point = |value: Value<'_>| value.point().filter(|point| !is_pass(point)).map(letters);
    let read = |property: Property<'_>| json!([property.name(), property.value().and_then(point)]);
    moves.map(read).collect()
}

fn setup(node: Node<'_>) -> Vec<Json> {
    let is_setup =
        |property: &Property<'_>| ["AB", "AW", "AE"].iter().any(|name| property.is(name));
    let read = |property: Property<'_>| {
        let points = property.values().filter_map(Value::points).flatten();
        let mut points: Vec<_> = points.map(letters).collect();
        points.sort_unstable();
        points.dedup();
        json!([property.name(), points])
    };
    node.properties().filter(is_setup).map(read).collect()
}

fn letters(point: SgfPoint) -> String {
    let letter = |line: u8| {
        char::from(if line < 26 {
            b'a' + line
        } else {
            b'A' + line - 26
        })
    };
    format!("{}{}", letter(point.x), letter(point.y))
}
