//! The schemas of all types that occur in messages.

use std::collections::BTreeMap;

use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, SchemaGenerator};
use serde_json::{Map, Value, json};

/// Where schemas of types are in the document.
const PLACE: &str = "/components/schemas";

/// In what is sent, a field that can be missing is never null. In a change null means that a field is gone.
const WITH_NULLS: &str = "Change";

/// Schemas by the names of their types.
pub(crate) struct Schemas {
    /// For what is sent and for what is taken: serde may see a type differently from both sides.
    sending: SchemaGenerator,
    taking: SchemaGenerator,
    pub(super) named: BTreeMap<String, Value>,
    /// The names of the parameters, which are described where the methods are.
    params: Vec<String>,
}

/// What a method takes and gives.
pub(crate) struct Signature {
    /// The schema of an object.
    pub params: Value,
    /// The name of the type of the result.
    pub result: String,
}

impl Schemas {
    pub(super) fn new() -> Self {
        let settings = SchemaSettings::draft2020_12().with(|settings| {
            settings.definitions_path = PLACE.into();
            settings.meta_schema = None;
        });
        Self {
            sending: settings.clone().for_serialize().into_generator(),
            taking: settings.for_deserialize().into_generator(),
            named: BTreeMap::new(),
            params: Vec::new(),
        }
    }

    /// The schemas of a method.
    pub(crate) fn signature<P: JsonSchema, R: JsonSchema>(&mut self) -> Signature {
        let mut params = P::json_schema(&mut self.taking).to_value();
        tidy(&mut params, Side::Taken);
        if let Some(object) = params.as_object_mut() {
            object.remove("description");
        }
        self.params.push(P::schema_name().into_owned());
        Signature {
            params,
            result: self.sent::<R>(),
        }
    }

    /// Adds a type that is sent.
    pub(super) fn sent<T: JsonSchema>(&mut self) -> String {
        let schema = self.sending.subschema_for::<T>();
        referenced(schema.as_value()).expect("only types with names are sent")
    }

    /// Adds a type that is taken.
    pub(super) fn taken<T: JsonSchema>(&mut self) -> String {
        let schema = self.taking.subschema_for::<T>();
        referenced(schema.as_value()).expect("only types with names are taken")
    }

    /// Puts the schemas of both sides together. Of a type that is both sent and taken, what is sent is told: it is also
    /// taken.
    pub(super) fn finish(&mut self) {
        let definitions = |generator: &mut SchemaGenerator| generator.take_definitions(true);
        for (name, mut schema) in definitions(&mut self.taking) {
            tidy(&mut schema, Side::Taken);
            self.named.insert(without_suffix(&name), schema);
        }
        let sent = definitions(&mut self.sending);
        for (name, schema) in &sent {
            let mut schema = schema.clone();
            merge_references(&mut schema, &sent);
            let side = match name.as_str() {
                WITH_NULLS => Side::Taken,
                _ => Side::Sent,
            };
            tidy(&mut schema, side);
            self.named.insert(without_suffix(name), schema);
        }
        for name in self.named.keys() {
            assert!(
                !name.ends_with(|letter: char| letter.is_ascii_digit()),
                "two types have the name of {name}"
            );
        }
    }
}

/// Who sends a message.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Sent,
    Taken,
}

/// The name of the type that a schema refers to.
pub(super) fn referenced(schema: &Value) -> Option<String> {
    let reference = schema.get("$ref")?.as_str()?;
    Some(without_suffix(reference.rsplit('/').next()?))
}

/// Types are called messages where the crate has another thing of that name; nobody else needs to know.
fn without_suffix(name: &str) -> String {
    name.strip_suffix("Message").unwrap_or(name).to_owned()
}

/// Puts what is referred to in the place of references that have fields beside them: variants that are structs.
fn merge_references(schema: &mut Value, named: &Map<String, Value>) {
    match schema {
        Value::Object(fields) => {
            if fields.contains_key("properties")
                && let Some(Value::String(reference)) = fields.remove("$ref")
            {
                let name = reference.rsplit('/').next().unwrap_or_default();
                let inner = named[name].as_object().expect("it is an object");
                for key in ["properties", "required"] {
                    match (fields.get_mut(key), inner.get(key)) {
                        (Some(Value::Object(own)), Some(Value::Object(more))) => {
                            own.extend(more.clone());
                        }
                        (Some(Value::Array(own)), Some(Value::Array(more))) => {
                            own.extend(more.iter().cloned());
                        }
                        _ => {}
                    }
                }
            }
            for value in fields.values_mut() {
                merge_references(value, named);
            }
        }
        Value::Array(values) => {
            for value in values {
                merge_references(value, named);
            }
        }
        _ => {}
    }
}

/// Takes away what says nothing, and says of objects that they have no further fields.
fn tidy(schema: &mut Value, side: Side) {
    match schema {
        Value::Object(fields) => tidy_object(fields, side),
        Value::Array(values) => {
            for value in values {
                tidy(value, side);
            }
        }
        _ => {}
    }
}

fn tidy_object(fields: &mut Map<String, Value>, side: Side) {
    for key in ["format", "title", "default", "$schema"] {
        fields.remove(key);
    }
    if let Some(Value::String(text)) = fields.get_mut("description") {
        *text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    }
    if let Some(Value::String(reference)) = fields.get_mut("$ref") {
        *reference = without_suffix(reference);
    }
    // Every number of bits has its limits; only those that mean something are told.
    let most = fields.get("maximum").and_then(Value::as_u64);
    if most == Some(u64::from(u8::MAX)) || most == Some(u64::from(u16::MAX)) {
        fields.remove("maximum");
    }
    // An object whose fields are told has no others; one without any may have all.
    match fields.get("additionalProperties") {
        Some(Value::Bool(true)) => _ = fields.remove("additionalProperties"),
        None | Some(Value::Bool(false)) if fields.get("type") == Some(&json!("object")) => {
            fields.entry("properties").or_insert_with(|| json!({}));
            fields.insert("additionalProperties".to_owned(), json!(false));
        }
        _ => {}
    }
    let required = fields.get("required").cloned().unwrap_or(json!([]));
    if let (Some(Value::Object(properties)), Side::Sent) = (fields.get_mut("properties"), side) {
        for (name, property) in properties {
            if !required
                .as_array()
                .is_some_and(|required| required.contains(&json!(name)))
            {
                without_null(property);
            }
        }
    }
    for (key, value) in fields.iter_mut() {
        if key == "properties" {
            // The names of fields are no keywords.
            for property in value.as_object_mut().into_iter().flat_map(Map::values_mut) {
                tidy(property, side);
            }
        } else {
            tidy(value, side);
        }
    }
}

/// The same schema, in which null does not fit.
fn without_null(schema: &mut Value) {
    let Some(fields) = schema.as_object_mut() else {
        return;
    };
    if let Some(Value::Array(types)) = fields.get_mut("type") {
        types.retain(|name| name != "null");
        if let [only] = types.as_slice() {
            let only = only.clone();
            fields.insert("type".to_owned(), only);
        }
    }
    if let Some(Value::Array(choices)) = fields.get_mut("anyOf") {
        choices.retain(|choice| choice.get("type") != Some(&json!("null")));
        if let [Value::Object(only)] = choices.as_slice() {
            let only = only.clone();
            fields.remove("anyOf");
            for (key, value) in only {
                fields.entry(key).or_insert(value);
            }
        }
    }
}
