//! The tables of docs/training.md, generated from the types of the configuration, their comments and their defaults.
//!
//! `UPDATE_EXPECT=1 cargo test -p tengen-train --lib reference` writes them anew.

use std::path::Path;
use std::{env, fmt, fs};

use serde::de::{MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::{Map, Value};

use crate::config::Config;
use crate::records::RecordsOptions;

const BEGIN: &str = "<!-- generated: configuration (UPDATE_EXPECT=1 cargo test -p tengen-train --lib reference) -->\n";
const END: &str = "<!-- end: configuration -->\n";

/// Prose is not wider than this.
const WIDTH: usize = 120;

/// Longer defaults are left to the description.
const LONGEST_DEFAULT: usize = 60;

/// Writes sections and rows.
struct Writer<'a> {
    definitions: &'a Map<String, Value>,
    text: String,
}

impl Writer<'_> {
    /// The schema that a property has, through references and options.
    fn resolved<'b>(&'b self, schema: &'b Value) -> &'b Value {
        if let Some(name) = schema["$ref"].as_str() {
            let name = name.trim_start_matches("#/$defs/");
            return self.resolved(&self.definitions[name]);
        }
        let alternatives = schema["anyOf"].as_array().into_iter().flatten();
        let mut real = alternatives.filter(|one| one["type"] != "null");
        match (real.next(), real.next()) {
            (Some(only), None) => self.resolved(only),
            _ => schema,
        }
    }

    /// A section with its table, and then its own sections.
    fn section(&mut self, path: &str, about: &str, schema: &Value, order: &Fields) {
        let heading = match path {
            "" => String::new(),
            path => format!("`[{path}]`: {about}"),
        };
        self.text += &wrapped(&heading);
        let Some(properties) = schema["properties"].as_object() else {
            panic!("`{path}` has no settings");
        };
        let required: Vec<&str> = schema["required"]
            .as_array()
            .into_iter()
            .flatten()
            .filter_map(Value::as_str)
            .collect();
        let mut rows = String::new();
        let mut sections = Vec::new();
        let mut properties: Vec<(&String, &Value)> = properties.iter().collect();
        properties.sort_by_key(|(name, _)| order.place(name));
        for (name, property) in properties {
            let about = description(property);
            let resolved = self.resolved(property).clone();
            if resolved.get("properties").is_some() {
                sections.push((name.clone(), about, resolved));
            } else {
                let default = match required.contains(&name.as_str()) {
                    true => "needed".to_owned(),
                    false => shown(&order.field(name).value),
                };
                rows += &format!("| `{name}` | {default} | {about} |\n");
            }
        }
        if !rows.is_empty() {
            self.text += &format!("| setting | default | |\n|---|---|---|\n{rows}\n");
        }
        for (name, about, schema) in sections {
            let path = match path {
                "" => name.clone(),
                path => format!("{path}.{name}"),
            };
            self.section(&path, &about, &schema, order.field(&name));
        }
    }
}

/// A default with its fields in the order of the source, which `Value` does not keep.
struct Fields {
    value: Value,
    fields: Vec<(String, Fields)>,
}

impl Fields {
    fn place(&self, name: &str) -> Option<usize> {
        self.fields.iter().position(|(own, _)| own == name)
    }

    fn field(&self, name: &str) -> &Self {
        let place = self.place(name).expect("every setting has a default");
        &self.fields[place].1
    }
}

impl<'de> Deserialize<'de> for Fields {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(FieldsVisitor)
    }
}

/// Reads the fields of an object in their order, and anything else as it is.
struct FieldsVisitor;

impl<'de> Visitor<'de> for FieldsVisitor {
    type Value = Fields;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any value")
    }

    fn visit_map<M: MapAccess<'de>>(self, mut map: M) -> Result<Fields, M::Error> {
        let mut fields: Vec<(String, Fields)> = Vec::new();
        while let Some(entry) = map.next_entry()? {
            fields.push(entry);
        }
        let entries = fields.iter();
        let value = entries.map(|(name, field)| (name.clone(), field.value.clone()));
        Ok(Fields {
            value: Value::Object(value.collect()),
            fields,
        })
    }

    fn visit_seq<S: SeqAccess<'de>>(self, mut sequence: S) -> Result<Fields, S::Error> {
        let mut items = Vec::new();
        while let Some(item) = sequence.next_element::<Value>()? {
            items.push(item);
        }
        Ok(Value::Array(items).into())
    }

    fn visit_unit<E>(self) -> Result<Fields, E> {
        Ok(Value::Null.into())
    }

    fn visit_bool<E>(self, value: bool) -> Result<Fields, E> {
        Ok(Value::from(value).into())
    }

    fn visit_u64<E>(self, value: u64) -> Result<Fields, E> {
        Ok(Value::from(value).into())
    }

    fn visit_f64<E>(self, value: f64) -> Result<Fields, E> {
        Ok(Value::from(value).into())
    }

    fn visit_str<E>(self, value: &str) -> Result<Fields, E> {
        Ok(Value::from(value).into())
    }
}

impl From<Value> for Fields {
    fn from(value: Value) -> Self {
        Self {
            value,
            fields: Vec::new(),
        }
    }
}

/// The comment of a field, in one line.
fn description(schema: &Value) -> String {
    let text = schema["description"].as_str().unwrap_or_default();
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A default as TOML writes it.
fn shown(value: &Value) -> String {
    let text = match value {
        Value::Null => return "none".to_owned(),
        Value::Number(number) => {
            let number = number.as_f64().unwrap_or_default();
            // A short number that was kept in 32 bits has many digits in 64.
            let short = number as f32;
            match f64::from(short) == number {
                true => short.to_string(),
                false => number.to_string(),
            }
        }
        Value::Array(items) => {
            let items: Vec<String> = items.iter().map(inline).collect();
            format!("[{}]", items.join(", "))
        }
        other => inline(other),
    };
    match text.len() <= LONGEST_DEFAULT {
        true => format!("`{text}`"),
        false => "see there".to_owned(),
    }
}

/// A value within a line of TOML.
fn inline(value: &Value) -> String {
    match value {
        Value::Object(fields) => {
            let fields: Vec<String> = fields
                .iter()
                .filter(|(_, value)| !value.is_null())
                .map(|(name, value)| format!("{name} = {}", inline(value)))
                .collect();
            format!("{{ {} }}", fields.join(", "))
        }
        other => other.to_string(),
    }
}

/// A paragraph, broken between words.
fn wrapped(text: &str) -> String {
    let mut lines = String::new();
    let mut column = 0;
    for word in text.split_whitespace() {
        let length = word.chars().count();
        if column > 0 {
            let fits = column + 1 + length <= WIDTH;
            lines.push(if fits { ' ' } else { '\n' });
            column = if fits { column + 1 } else { 0 };
        }
        lines += word;
        column += length;
    }
    match lines.is_empty() {
        true => lines,
        false => lines + "\n\n",
    }
}

/// What counts when nothing is said, sections that may be left out included.
fn defaults() -> Fields {
    let text = "[network]\nblocks = 1\nchannels = 16\n[teacher]\ngames = 1\n";
    let mut config = Config::parse(text).expect("it is a configuration");
    config.records = Some(RecordsOptions::default());
    let text = serde_json::to_string(&config).expect("it can be written");
    serde_json::from_str(&text).expect("it can be read")
}

fn generated() -> String {
    let schema = schemars::schema_for!(Config).to_value();
    let definitions = schema["$defs"].as_object().expect("types have names");
    let mut writer = Writer {
        definitions,
        text: "\n".to_owned(),
    };
    writer.section("", "", &schema, &defaults());
    writer.text
}

#[test]
fn the_page_about_training_is_current() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/training.md");
    let page = fs::read_to_string(&path).expect("the page is there");
    let start = page.find(BEGIN).expect("the page has the marker") + BEGIN.len();
    let length = page[start..].find(END).expect("the part has an end");
    let current = &page[start..start + length];
    let generated = generated();
    if env::var_os("UPDATE_EXPECT").is_some() {
        let written = format!("{}{generated}{}", &page[..start], &page[start + length..]);
        fs::write(&path, written).expect("the page can be written");
    } else {
        assert_eq!(
            current, generated,
            "docs/training.md is not current: {BEGIN}"
        );
    }
}

#[test]
fn every_setting_is_described() {
    for line in generated().lines().filter(|line| line.starts_with("| `")) {
        let about = line.split(" | ").nth(2).unwrap_or_default();
        assert!(about.len() > 10, "{line}");
    }
}
