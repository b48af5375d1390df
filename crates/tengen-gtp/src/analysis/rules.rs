//! The rules of a query: a name, a text, or an object.

use std::fmt::Write;

use serde_json::{Map, Value};
use tengen_core::{Compensation, Ko, Repetition, RepetitionEffect, Rules};

use super::fields::shorten;

/// The rules that a value means, or what is wrong with it.
pub(super) fn read(value: &Value) -> Result<Rules, String> {
    match value {
        Value::Object(map) => from_object(map),
        Value::String(text) if text.trim_start().starts_with('{') => {
            match serde_json::from_str(text) {
                Ok(Value::Object(map)) => from_object(&map),
                _ => Err(format!("rules that are no JSON: {}", shorten(text))),
            }
        }
        Value::String(text) => from_text(text),
        _ => Err("must be a name such as \"chinese\", a text or an object".to_owned()),
    }
}

fn from_text(text: &str) -> Result<Rules, String> {
    let plain: String = text
        .chars()
        .filter(|c| c.is_alphanumeric())
        .flat_map(char::to_lowercase)
        .collect();
    match plain.as_str() {
        "stonescoring" | "ancientterritory" | "ancientarea" | "ancientchinese" => {
            Err(format!("{}: group tax is not supported", shorten(text)))
        }
        "agabutton" => Err(format!("{}: the button is not supported", shorten(text))),
        _ => text.parse().map_err(|error| format!("{error}")),
    }
}

/// Writes the object as a rule text, so that there is one reader of rules.
fn from_object(map: &Map<String, Value>) -> Result<Rules, String> {
    // A rule text begins with its ko rule.
    let ko = match map.get("ko") {
        None => "POSITIONAL",
        Some(Value::String(ko)) if ko.bytes().all(|byte| byte.is_ascii_uppercase()) => ko,
        Some(_) => return Err("\"ko\" must be SIMPLE, POSITIONAL or SITUATIONAL".to_owned()),
    };
    let mut text = format!("ko{ko}");
    for (key, value) in map {
        let axis = match key.as_str() {
            "ko" => continue,
            "score" | "scoring" => "score",
            "tax" => "tax",
            "suicide" => "sui",
            "hasButton" => "button",
            "whiteHandicapBonus" => "whb",
            "friendlyPassOk" => "fpok",
            "komi" => "komi",
            _ => return Err(format!("rules have no \"{}\"", shorten(key))),
        };
        let value = match (value, axis) {
            (Value::Bool(switch), "sui" | "button" | "fpok") => u8::from(*switch).to_string(),
            (Value::String(word), "score" | "tax" | "whb") if is_word(word) => word.clone(),
            (Value::Number(komi), "komi") => komi.to_string(),
            _ => {
                let value = shorten(&value.to_string());
                return Err(format!("\"{key}\" in the rules cannot be {value}"));
            }
        };
        // Writing to a string cannot fail.
        _ = write!(text, "{axis}{value}");
    }
    let mut rules: Rules = text.parse().map_err(|error| format!("{error}"))?;
    if rules.ko == Ko::Simple {
        // With nothing but simple ko, a long cycle voids the game, as under Japanese rules.
        rules.repetition = Repetition::all(RepetitionEffect::NoResult);
    }
    Ok(rules)
}

/// Is this one value of an axis, so that it cannot smuggle in another axis?
fn is_word(text: &str) -> bool {
    let known = ["AREA", "TERRITORY", "NONE", "SEKI", "ALL", "0", "N", "N-1"];
    known.contains(&text)
}

/// What White gets for handicap stones, in KataGo's words.
pub(super) fn compensation(text: &str) -> Option<Compensation> {
    match text {
        "0" => Some(Compensation::None),
        "N" => Some(Compensation::PerStone),
        "N-1" => Some(Compensation::PerStoneButFirst),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;
    use tengen_core::Preset;

    #[test]
    fn names_texts_and_objects_mean_the_same() {
        let japanese = Preset::Japanese.rules();
        for value in [
            json!("japanese"),
            json!("Korean"),
            json!("koSIMPLEscoreTERRITORYsui0repNORESULThcpFIXED"),
        ] {
            assert_eq!(read(&value), Ok(japanese), "{value}");
        }
        let object = json!({
            "hasButton": false, "ko": "SIMPLE", "scoring": "TERRITORY", "suicide": false,
            "tax": "SEKI", "whiteHandicapBonus": "0", "friendlyPassOk": true,
        });
        let read_object = read(&object).unwrap();
        assert_eq!(
            Rules {
                handicap: japanese.handicap,
                ..read_object
            },
            japanese
        );
        assert_eq!(read(&json!(object.to_string())), Ok(read_object));
        assert_eq!(read(&json!("new zealand")), Ok(Preset::NewZealand.rules()));
        let komi = read(&json!({"komi": 6.5, "ko": "SITUATIONAL"})).unwrap();
        assert_eq!(komi.komi, Some("6.5".parse().unwrap()));
        assert_eq!(read(&json!({})).unwrap().ko, Ko::Positional);
    }

    #[test]
    fn says_what_is_not_supported() {
        for (value, problem) in [
            (json!("stone_scoring"), "group tax"),
            (json!("aga-button"), "button"),
            (json!({"tax": "ALL"}), "group tax"),
            (json!({"scoring": "AREA", "tax": "SEKI"}), "group tax"),
            (json!({"hasButton": true}), "button"),
            (json!({"ko": "SPIGHT"}), "SPIGHT"),
            (json!({"ko": "SIMPLEmax3"}), "ko"),
            (json!({"ko": 3}), "ko"),
            (json!({"scoring": "AREAmax3"}), "scoring"),
            (json!({"komi": 7.25}), "half"),
            (json!({"komi": 1e300}), "komi"),
            (json!({"suicide": "yes"}), "suicide"),
            (json!({"bonus": 1}), "bonus"),
            (json!("{\"ko\":"), "JSON"),
            (json!("chess"), "chess"),
            (json!(7), "must be"),
            (json!(null), "must be"),
        ] {
            let refusal = read(&value).unwrap_err();
            assert!(refusal.contains(problem), "{value}: {refusal}");
        }
    }
}
