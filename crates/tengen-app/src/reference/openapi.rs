//! The OpenAPI document.

use serde_json::{Map, Value, json};

use super::{Entry, Reference};

pub(super) fn document(reference: &Reference) -> String {
    let mut paths = Map::new();
    for method in &reference.methods {
        paths.insert(format!("/api/{}", method.name), operation(method));
    }
    for (path, operation) in other_paths() {
        paths.insert(path.to_owned(), operation);
    }
    let document = json!({
        "openapi": "3.1.0",
        "info": {
            "title": "Tengen's app",
            "version": env!("CARGO_PKG_VERSION"),
            "description": "Games of Go: played, scored, reviewed, analysed. docs/api.md explains the words.",
            "license": {"name": "MIT OR Apache-2.0", "identifier": "MIT OR Apache-2.0"},
        },
        "paths": paths,
        "components": {
            "schemas": reference.schemas.named,
            "parameters": {
                "Id": {
                    "name": "id",
                    "in": "path",
                    "required": true,
                    "schema": {"$ref": "#/components/schemas/GameId"},
                },
                "AtNode": {
                    "name": "node",
                    "in": "query",
                    "required": false,
                    "schema": {"$ref": "#/components/schemas/Node"},
                    "description": "Where the game stands, if left out.",
                },
            },
            "responses": {
                "Refused": {
                    "description": "Why the call was refused.",
                    "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}},
                },
            },
        },
    });
    let mut text = String::new();
    write(&mut text, &document, 0, 0);
    text.push('\n');
    text
}

fn operation(method: &Entry) -> Value {
    let (summary, details) = method
        .paragraphs
        .split_first()
        .expect("a method is described");
    let result = format!("#/components/schemas/{}", method.signature.result);
    let mut operation = json!({
        "operationId": method.name,
        "summary": summary,
        "requestBody": {
            "required": false,
            "content": {"application/json": {"schema": method.signature.params}},
        },
        "responses": {
            "200": {
                "description": "The result.",
                "content": {"application/json": {"schema": {"$ref": result}}},
            },
            "default": {"$ref": "#/components/responses/Refused"},
        },
    });
    if !details.is_empty() {
        operation["description"] = json!(details.join("\n\n"));
    }
    json!({"post": operation})
}

/// What the server has besides methods.
fn other_paths() -> [(&'static str, Value); 5] {
    let refused = json!({"$ref": "#/components/responses/Refused"});
    let download = |id: &str, summary: &str, media_type: &str| {
        let mut content = Map::new();
        content.insert(media_type.to_owned(), json!({}));
        let mut parameters = vec![json!({"$ref": "#/components/parameters/Id"})];
        if id != "download.sgf" {
            parameters.push(json!({"$ref": "#/components/parameters/AtNode"}));
        }
        json!({"get": {
            "operationId": id,
            "summary": summary,
            "parameters": parameters,
            "responses": {"200": {"description": "The file.", "content": content}, "default": refused},
        }})
    };
    [
        (
            "/games/{id}.sgf",
            download(
                "download.sgf",
                "The record of a game",
                "application/x-go-sgf",
            ),
        ),
        (
            "/games/{id}.svg",
            download("download.svg", "A position as SVG", "image/svg+xml"),
        ),
        (
            "/games/{id}.png",
            download("download.png", "A position as PNG", "image/png"),
        ),
        (
            "/games/{id}.gif",
            download("download.gif", "A game as an animated GIF", "image/gif"),
        ),
        (
            "/api/live",
            json!({"get": {
                "operationId": "live",
                "summary": "A WebSocket for the same methods (schemas Call and Answer) and for events (schema Event)",
                "responses": {
                    "101": {"description": "The protocol is changed to WebSocket."},
                    "default": refused,
                },
            }}),
        ),
    ]
}

/// Writes JSON so that what fits into a line stays in one.
fn write(out: &mut String, value: &Value, indent: usize, before: usize) {
    const COLUMNS: usize = 120;
    let compact = compact(value);
    let parts: Vec<(String, &Value)> = match value {
        _ if indent + before + compact.chars().count() < COLUMNS => Vec::new(),
        Value::Object(fields) => fields
            .iter()
            .map(|(key, field)| (format!("{}: ", json!(key)), field))
            .collect(),
        Value::Array(items) => items.iter().map(|item| (String::new(), item)).collect(),
        _ => Vec::new(),
    };
    if parts.is_empty() {
        out.push_str(&compact);
        return;
    }
    let (open, close) = if value.is_object() {
        ('{', '}')
    } else {
        ('[', ']')
    };
    out.push(open);
    for (place, (key, part)) in parts.iter().enumerate() {
        out.push_str(if place == 0 { "\n" } else { ",\n" });
        out.push_str(&" ".repeat(indent + 2));
        out.push_str(key);
        write(out, part, indent + 2, key.chars().count());
    }
    out.push('\n');
    out.push_str(&" ".repeat(indent));
    out.push(close);
}

fn compact(value: &Value) -> String {
    match value {
        Value::Object(fields) => {
            let field =
                |(key, field): (&String, &Value)| format!("{}: {}", json!(key), compact(field));
            let fields: Vec<String> = fields.iter().map(field).collect();
            format!("{{{}}}", fields.join(", "))
        }
        Value::Array(items) => {
            let items: Vec<String> = items.iter().map(compact).collect();
            format!("[{}]", items.join(", "))
        }
        other => other.to_string(),
    }
}
