//! The types of the page.

use std::fmt::Write as _;

use serde_json::{Map, Value};

use super::schema::referenced;
use super::{Reference, wrapped};

const HEAD: &str = "\
// The messages between the page and a back end. Generated from the types in crates/tengen-app/src: do not edit this
// file, but those, and call `UPDATE_EXPECT=1 cargo test -p tengen-app --lib reference`.

declare namespace Api {
";

pub(super) fn declarations(reference: &Reference) -> String {
    let mut out = HEAD.to_owned();
    for (name, schema) in &reference.schemas.named {
        comment(&mut out, schema.get("description"), "  ");
        match schema.get("properties") {
            // Writing to a string does not fail.
            Some(_) => _ = writeln!(out, "  interface {name} {}\n", object(schema, "  ")),
            None => _ = writeln!(out, "  type {name} ={};\n", declared(schema)),
        }
    }
    out.push_str("  /** What each method takes and gives. */\n  interface Methods {\n");
    for method in &reference.methods {
        let text = method.paragraphs.join(" ");
        out.push_str(&comment_lines(&text, "    "));
        let params = object(&method.signature.params, "    ");
        let result = &method.signature.result;
        _ = writeln!(
            out,
            "    \"{}\": {{ params: {params}; result: {result} }};",
            method.name
        );
    }
    out.push_str("  }\n}\n");
    out
}

/// The fields of an object: those that are always there first, in the order of their type.
pub(super) fn fields(schema: &Value) -> Vec<(&str, &Value, Presence)> {
    let Some(properties) = schema.get("properties").and_then(Value::as_object) else {
        return Vec::new();
    };
    let required: Vec<&str> = schema
        .get("required")
        .and_then(Value::as_array)
        .map(|names| names.iter().filter_map(Value::as_str).collect())
        .unwrap_or_default();
    let always = required
        .iter()
        .map(|name| (*name, &properties[*name], Presence::Always));
    let others = properties
        .iter()
        .filter(|(name, _)| !required.contains(&name.as_str()));
    let others = others.map(|(name, schema)| (name.as_str(), schema, Presence::Sometimes));
    always.chain(others).collect()
}

/// Whether a field can be missing.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Presence {
    Always,
    Sometimes,
}

impl Presence {
    /// What stands behind the name of the field.
    pub(super) const fn mark(self) -> &'static str {
        match self {
            Self::Always => "",
            Self::Sometimes => "?",
        }
    }
}

fn comment(out: &mut String, text: Option<&Value>, indent: &str) {
    if let Some(text) = text.and_then(Value::as_str) {
        out.push_str(&comment_lines(text, indent));
    }
}

fn comment_lines(text: &str, indent: &str) -> String {
    let line = format!("{indent}/** {text} */\n");
    if line.chars().count() <= 120 {
        return line;
    }
    let rest = format!("{indent} * ");
    format!("{indent}/**\n{}{indent} */\n", wrapped(text, &rest, &rest))
}

/// An object, a field a line.
fn object(schema: &Value, indent: &str) -> String {
    let fields = fields(schema);
    if fields.is_empty() {
        return "{}".to_owned();
    }
    let mut out = String::from("{\n");
    let inner = format!("{indent}  ");
    for (name, field, presence) in fields {
        comment(&mut out, field.get("description"), &inner);
        let name = match name
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
        {
            true => name.to_owned(),
            false => format!("{name:?}"),
        };
        _ = writeln!(out, "{inner}{name}{}: {};", presence.mark(), type_of(field));
    }
    out.push_str(indent);
    out.push('}');
    out
}

/// What a name of a type stands for.
fn declared(schema: &Value) -> String {
    let Some(choices) = choices(schema) else {
        return format!(" {}", type_of(schema));
    };
    let mut out = String::new();
    for choice in choices {
        out.push('\n');
        comment(&mut out, choice.get("description"), "    ");
        let text = match choice.get("properties") {
            Some(_) => object(choice, "    "),
            None => type_of(choice),
        };
        _ = write!(out, "    | {text}");
    }
    out
}

pub(super) fn choices(schema: &Value) -> Option<&Vec<Value>> {
    let choices = schema.get("oneOf").or_else(|| schema.get("anyOf"))?;
    choices.as_array()
}

/// A type in a line.
pub(super) fn type_of(schema: &Value) -> String {
    if let Some(name) = referenced(schema) {
        return name;
    }
    if let Some(value) = schema.get("const") {
        return value.to_string();
    }
    let unions = choices(schema).or_else(|| schema.get("enum")?.as_array());
    if let Some(choices) = unions {
        let choices = choices.iter().map(|choice| match choice {
            Value::Object(_) => type_of(choice),
            literal => literal.to_string(),
        });
        return choices.collect::<Vec<_>>().join(" | ");
    }
    let types = match schema.get("type") {
        Some(Value::Array(types)) => types.clone(),
        Some(name) => vec![name.clone()],
        None => return "any".to_owned(),
    };
    let types = types.iter().filter_map(Value::as_str);
    let types: Vec<String> = types.map(|name| single(name, schema)).collect();
    types.join(" | ")
}

fn single(name: &str, schema: &Value) -> String {
    match name {
        "integer" | "number" => "number".to_owned(),
        "array" => {
            let item = type_of(&schema["items"]);
            match item.contains(' ') {
                true => format!("({item})[]"),
                false => format!("{item}[]"),
            }
        }
        "object" => match schema.get("additionalProperties") {
            Some(value @ Value::Object(_)) => format!("Record<string, {}>", type_of(value)),
            Some(_) => inline(schema),
            None => "Record<string, any>".to_owned(),
        },
        other => other.to_owned(),
    }
}

fn inline(schema: &Value) -> String {
    let fields = fields(schema).into_iter();
    let fields = fields
        .map(|(name, field, presence)| format!("{name}{}: {}", presence.mark(), type_of(field)));
    match fields.collect::<Vec<_>>().join("; ") {
        fields if fields.is_empty() => "{}".to_owned(),
        fields => format!("{{ {fields} }}"),
    }
}

/// Does a schema describe an object with fields that are told one by one?
pub(super) fn has_fields(schema: &Value) -> bool {
    let properties = schema.get("properties").and_then(Value::as_object);
    properties.is_some_and(|properties: &Map<String, Value>| !properties.is_empty())
}
