//! The reference in `docs/api.md`.

use serde_json::Value;

use super::typescript::{choices, fields, has_fields, type_of};
use super::{Reference, wrapped};

const BEGIN: &str = concat!(
    "<!-- generated: messages of the app ",
    "(UPDATE_EXPECT=1 cargo test -p tengen-app --lib reference) -->\n"
);
const END: &str = "<!-- end: messages of the app -->\n";

/// The page with the reference in its place.
pub(super) fn with_reference(page: &str, reference: &Reference) -> String {
    let (before, rest) = page
        .split_once(BEGIN)
        .expect("the page says where the reference begins");
    let (_, after) = rest
        .split_once(END)
        .expect("the page says where the reference ends");
    format!("{before}{BEGIN}{}\n{END}{after}", text(reference))
}

fn text(reference: &Reference) -> String {
    let mut out = String::new();
    let mut section = "";
    for method in &reference.methods {
        if method.section != section {
            section = method.section;
            heading(&mut out, "##", section);
        }
        heading(&mut out, "###", method.name);
        for paragraph in &method.paragraphs {
            out.push('\n');
            out.push_str(&wrapped(paragraph, "", ""));
        }
        out.push('\n');
        list_fields(&mut out, &method.signature.params, "");
        out.push_str(&wrapped(
            &format!("→ `{}`", method.signature.result),
            "* ",
            "  ",
        ));
    }
    let named = &reference.schemas.named;
    heading(&mut out, "##", "Events");
    describe(&mut out, &named["Event"]);
    heading(&mut out, "##", "Codes");
    describe(&mut out, &named["Code"]);
    heading(&mut out, "##", "Types");
    for (name, schema) in named {
        if !matches!(name.as_str(), "Event" | "Code") {
            heading(&mut out, "###", name);
            describe(&mut out, schema);
        }
    }
    out
}

fn heading(out: &mut String, level: &str, text: &str) {
    out.push_str(&format!("\n{level} {text}\n"));
}

/// What is said about a type, and what it consists of.
fn describe(out: &mut String, schema: &Value) {
    out.push('\n');
    let described = schema.get("description").and_then(Value::as_str);
    out.push_str(&wrapped(described.unwrap_or_default(), "", ""));
    if let Some(choices) = choices(schema) {
        out.push('\n');
        for choice in choices {
            let is_object = has_fields(choice);
            // A variant is named by the field that is a constant; the others follow.
            let tag = fields(choice)
                .into_iter()
                .find(|(_, field, _)| field.get("const").is_some_and(Value::is_string));
            let name = match (tag, choice.get("const").and_then(Value::as_str)) {
                (Some((name, field, _)), _) => format!("`{name}: {}`", type_of(field)),
                (None, Some(word)) => format!("`{word}`"),
                (None, None) if is_object => "An object".to_owned(),
                (None, None) => format!("`{}`", type_of(choice)),
            };
            item(out, &name, choice, "");
            if is_object {
                list_fields(out, choice, "  ");
            }
        }
    } else if has_fields(schema) {
        out.push('\n');
        list_fields(out, schema, "");
    }
}

fn list_fields(out: &mut String, schema: &Value, indent: &str) {
    for (name, field, presence) in fields(schema) {
        let is_tag = !indent.is_empty() && field.get("const").is_some_and(Value::is_string);
        if !is_tag {
            let name = format!("`{name}{}: {}`", presence.mark(), type_of(field));
            item(out, &name, field, indent);
        }
    }
}

fn item(out: &mut String, name: &str, schema: &Value, indent: &str) {
    let text = match schema.get("description").and_then(Value::as_str) {
        Some(described) => format!("{name} {described}"),
        None => name.to_owned(),
    };
    out.push_str(&wrapped(
        &text,
        &format!("{indent}* "),
        &format!("{indent}  "),
    ));
}
