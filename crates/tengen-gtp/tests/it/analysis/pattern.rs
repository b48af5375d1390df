//! The patterns of `testdata/analysis`.

use serde_json::Value;

/// Does this answer, or part of one, match the pattern?
pub(crate) fn matches(pattern: &Value, found: Option<&Value>) -> bool {
    if pattern == "<absent>" {
        return found.is_none();
    }
    let Some(found) = found else {
        return false;
    };
    match (pattern, found) {
        (Value::String(text), _) if is_special(text) => matches_text(text, found),
        (Value::Object(keys), Value::Object(object)) => keys
            .iter()
            .all(|(key, pattern)| matches(pattern, object.get(key))),
        (Value::Array(patterns), Value::Array(array)) => match patterns.split_last() {
            Some((last, first)) if last == "…" => {
                array.len() >= first.len() && all_match(first, array)
            }
            _ => patterns.len() == array.len() && all_match(patterns, array),
        },
        (Value::Number(pattern), Value::Number(found)) => pattern.as_f64() == found.as_f64(),
        _ => pattern == found,
    }
}

fn all_match(patterns: &[Value], array: &[Value]) -> bool {
    patterns
        .iter()
        .zip(array)
        .all(|(pattern, found)| matches(pattern, Some(found)))
}

fn is_special(text: &str) -> bool {
    text.starts_with('~') || (text.starts_with('<') && text.ends_with('>'))
}

fn matches_text(pattern: &str, found: &Value) -> bool {
    if let Some(part) = pattern.strip_prefix('~') {
        return found.as_str().is_some_and(|text| text.contains(part));
    }
    let number = found.as_f64();
    let inside = |low: f64, high: f64| number.is_some_and(|it| (low..=high).contains(&it));
    match pattern {
        "<string>" => found.is_string(),
        "<hash>" => found
            .as_str()
            .is_some_and(|text| text.len() == 32 && text.bytes().all(|b| b.is_ascii_hexdigit())),
        "<count>" => found.is_u64(),
        "<number>" => number.is_some(),
        "<rate>" => inside(0.0, 1.0),
        _ => {
            let count = pattern.strip_prefix("<numbers ").expect("a known pattern");
            let count: usize = count.trim_end_matches('>').parse().unwrap();
            let numbers = found.as_array().into_iter().flatten();
            let numbers: Option<Vec<f64>> = numbers.map(Value::as_f64).collect();
            numbers.is_some_and(|numbers| {
                numbers.len() == count && numbers.iter().all(|it| (-1.0..=1.0).contains(it))
            })
        }
    }
}

#[test]
fn patterns_match_what_they_say() {
    use serde_json::json;
    let found = json!({"a": 1, "b": [0.5, "x"], "c": "hello"});
    for (pattern, expected) in [
        (json!({}), true),
        (json!({"a": 1.0, "c": "~ell"}), true),
        (json!({"a": 2}), false),
        (json!({"b": ["<rate>", "<string>"]}), true),
        (json!({"b": ["<rate>"]}), false),
        (json!({"b": ["<rate>", "…"]}), true),
        (json!({"b": ["<rate>", "<string>", "<string>", "…"]}), false),
        (json!({"b": "<numbers 2>"}), false),
        (json!({"d": "<absent>"}), true),
        (json!({"c": "<absent>"}), false),
        (json!({"d": "<number>"}), false),
    ] {
        assert_eq!(matches(&pattern, Some(&found)), expected, "{pattern}");
    }
}
