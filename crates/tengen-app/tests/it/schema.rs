//! The OpenAPI document, and whether values are as it says.

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};
use tengen_app::{Code, Host, HostMethod, OPENAPI, Room, RoomSettings, Viewer, methods};

/// The part of JSON Schema that the document uses.
pub(crate) struct Schemas {
    document: Value,
}

impl Schemas {
    pub(crate) fn new() -> Self {
        Self {
            document: serde_json::from_str(OPENAPI).unwrap(),
        }
    }

    pub(crate) fn check_named(&self, name: &str, value: &Value) {
        let schema = &self.document["components"]["schemas"][name];
        assert!(schema.is_object(), "no schema {name}");
        if let Err(problem) = self.fits(schema, value) {
            panic!("{value} is no {name}: {problem}");
        }
    }

    pub(crate) fn check_result(&self, method: &str, value: &Value) {
        let schema =
            &self.operation(method)["responses"]["200"]["content"]["application/json"]["schema"];
        if let Err(problem) = self.fits(schema, value) {
            panic!("{value} is no result of {method}: {problem}");
        }
    }

    fn operation(&self, method: &str) -> &Value {
        let operation = &self.document["paths"][format!("/api/{method}")]["post"];
        assert!(operation.is_object(), "{method} is not documented");
        operation
    }

    fn params(&self, method: &str) -> &Value {
        &self.operation(method)["requestBody"]["content"]["application/json"]["schema"]
    }

    fn fits(&self, schema: &Value, value: &Value) -> Result<(), String> {
        let schema = schema.as_object().expect("a schema is an object");
        for (key, rule) in schema {
            match key.as_str() {
                "$ref" => {
                    let pointer = rule.as_str().unwrap().trim_start_matches('#');
                    let target = self.document.pointer(pointer);
                    self.fits(target.unwrap_or_else(|| panic!("no {pointer}")), value)?;
                }
                "type" => self.is_type(rule, value)?,
                "const" if rule != value => return Err(format!("{value} is not {rule}")),
                "enum" if !rule.as_array().unwrap().contains(value) => {
                    return Err(format!("{value} is none of {rule}"));
                }
                "minimum" if value.is_number() && value.as_f64() < rule.as_f64() => {
                    return Err(format!("{value} < {rule}"));
                }
                "maximum" if value.as_f64() > rule.as_f64() => {
                    return Err(format!("{value} > {rule}"));
                }
                "oneOf" | "anyOf" => {
                    let choices = rule.as_array().unwrap().iter();
                    let fits = choices.map(|choice| self.fits(choice, value));
                    let (good, bad): (Vec<_>, Vec<_>) = fits.partition(Result::is_ok);
                    let is_right = good.len() == 1 || key == "anyOf" && !good.is_empty();
                    if !is_right {
                        return Err(format!("{} choices fit {value}; {bad:?}", good.len()));
                    }
                }
                "items" => {
                    for item in value.as_array().into_iter().flatten() {
                        self.fits(rule, item)?;
                    }
                }
                "required" => {
                    for name in rule.as_array().unwrap() {
                        if value.get(name.as_str().unwrap()).is_none() {
                            return Err(format!("{name} is missing"));
                        }
                    }
                }
                "properties" => self.fit_fields(schema, value)?,
                "additionalProperties" if !schema.contains_key("properties") => {
                    for field in value.as_object().into_iter().flat_map(Map::values) {
                        self.fits(rule, field)?;
                    }
                }
                "const"
                | "enum"
                | "minimum"
                | "maximum"
                | "additionalProperties"
                | "description" => {}
                "pattern" => {
                    let text = value.as_str().unwrap_or_default();
                    let allowed = |c: char| match rule.as_str().unwrap() {
                        "^[.XO]+$" => matches!(c, '.' | 'X' | 'O'),
                        "^[a-z0-9]{1,32}$" => c.is_ascii_lowercase() || c.is_ascii_digit(),
                        other => panic!("the pattern {other} is not understood"),
                    };
                    if text.is_empty() || !text.chars().all(allowed) {
                        return Err(format!("{value} does not match {rule}"));
                    }
                }
                other => panic!("the keyword {other} is not understood"),
            }
        }
        Ok(())
    }

    fn is_type(&self, rule: &Value, value: &Value) -> Result<(), String> {
        if let Some(types) = rule.as_array() {
            let fits = types.iter().any(|rule| self.is_type(rule, value).is_ok());
            return fits
                .then_some(())
                .ok_or_else(|| format!("{value} is none of {rule}"));
        }
        let fits = match rule.as_str().unwrap() {
            "object" => value.is_object(),
            "array" => value.is_array(),
            "string" => value.is_string(),
            "boolean" => value.is_boolean(),
            "integer" => value.is_u64() || value.is_i64(),
            "number" => value.is_number(),
            "null" => value.is_null(),
            other => panic!("the type {other} is not understood"),
        };
        fits.then_some(())
            .ok_or_else(|| format!("{value} is no {rule}"))
    }

    fn fit_fields(&self, schema: &Map<String, Value>, value: &Value) -> Result<(), String> {
        let Some(fields) = value.as_object() else {
            return Ok(());
        };
        for (name, field) in fields {
            match schema["properties"].get(name) {
                Some(rule) => self
                    .fits(rule, field)
                    .map_err(|problem| format!("{name}: {problem}"))?,
                None if schema.get("additionalProperties") == Some(&json!(false)) => {
                    return Err(format!("{name} is not documented"));
                }
                None => {}
            }
        }
        Ok(())
    }
}

#[test]
fn every_method_is_documented_with_its_parameters() {
    let schemas = Schemas::new();
    assert_eq!(
        schemas.document["info"]["version"],
        env!("CARGO_PKG_VERSION")
    );
    let mut documented: BTreeSet<&str> = schemas.document["paths"]
        .as_object()
        .unwrap()
        .keys()
        .filter_map(|path| path.strip_prefix("/api/"))
        .collect();
    documented.remove("live");
    assert_eq!(documented, methods().collect());
    let mut room = Room::new(RoomSettings::default());
    for method in methods() {
        let mut refusal = |params| {
            let refusal = match HostMethod::named(method) {
                Some(own) => own.call(&Bare, params).unwrap_err(),
                None => room.call(method, params, Viewer(1), 0).unwrap_err(),
            };
            refusal.message
        };
        // Serde says which fields there are when one is unknown, and which is missing.
        let message = refusal(json!({"no such field": 1}));
        let known: BTreeSet<&str> = message.split('`').skip(3).step_by(2).collect();
        let params = schemas.params(method);
        let fields = params["properties"].as_object().unwrap();
        assert_eq!(
            known,
            fields.keys().map(String::as_str).collect(),
            "{method}: {message}"
        );
        let required = params["required"].as_array().cloned().unwrap_or_default();
        for name in &required {
            let mut others = Map::new();
            for other in required.iter().filter(|other| *other != name) {
                let other = other.as_str().unwrap();
                others.insert(other.to_owned(), example(other));
            }
            let message = refusal(Value::Object(others));
            let missing = format!("missing field `{}`", name.as_str().unwrap());
            assert_eq!(message, missing, "{method}");
        }
    }
}

/// A host without methods of its own.
struct Bare;

impl Host for Bare {}

#[test]
fn a_host_refuses_what_it_does_not_have() {
    let (all, mut room) = (methods(), Room::new(RoomSettings::default()));
    let own: Vec<_> = all
        .filter_map(|name| Some((name, HostMethod::named(name)?)))
        .collect();
    assert_eq!(own.len(), 8);
    for (name, method) in own {
        let params = json!({"game": "x", "kind": "sgf", "run": "x", "generation": 0, "index": 0, "name": "x"});
        let fields = ["game", "kind", "run", "generation", "index", "name"];
        // Those that the method knows.
        let refusal = method.call(&Bare, json!({"no such field": 1})).unwrap_err();
        let known: Vec<&str> = refusal.message.split('`').skip(3).step_by(2).collect();
        let params: Map<String, Value> = fields
            .into_iter()
            .filter(|field| known.contains(field))
            .map(|field| (field.to_owned(), params[field].clone()))
            .collect();
        let refusal = method.call(&Bare, params.into()).unwrap_err();
        assert_eq!(refusal.code, Code::UnknownMethod, "{name}");
        let refusal = room.call(name, Value::Null, Viewer(1), 0).unwrap_err();
        assert_eq!(refusal.code, Code::UnknownMethod, "{name}");
    }
}

/// A value that a parameter can have.
fn example(name: &str) -> Value {
    match name {
        "node" => json!(0),
        "black" | "white" => json!({"kind": "person"}),
        "edits" => json!([]),
        "kind" => json!("sgf"),
        "color" => json!("black"),
        "generation" | "index" | "margin" | "pace" => json!(0),
        _ => json!("chinese"),
    }
}

#[test]
fn the_page_for_people_tells_of_every_method_and_code() {
    let page = include_str!("../../../../docs/api.md");
    for method in methods() {
        let told = page
            .lines()
            .any(|line| line.starts_with("###") && line.contains(method));
        assert!(told, "docs/api.md does not tell of {method}");
    }
    for code in Code::ALL {
        let code = serde_json::to_string(&code).unwrap().replace('"', "`");
        assert!(page.contains(&code), "docs/api.md does not tell of {code}");
    }
}
