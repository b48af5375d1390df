//! Settings that a query changes for itself.

use serde_json::{Map, Value};

use super::complaint::Complaint;
use super::fields::{Fields, shorten};
use super::settings::{QUERY_SETTINGS, QueryDefaults, Source, find};

/// Parameters of KataGo's search that say how it should look for moves, not what is asked. This search looks in its
/// own way, and clients send some of them with every query: they are accepted in silence.
const SEARCH_PARAMETERS: [&str; 28] = [
    "allowResignation",
    "avoidMYTDaggerHack",
    "avoidRepeatedPatternUtility",
    "chosenMovePrune",
    "chosenMoveSubtract",
    "chosenMoveTemperature",
    "chosenMoveTemperatureEarly",
    "chosenMoveTemperatureHalflife",
    "conservativePass",
    "cpuctExploration",
    "cpuctExplorationLog",
    "dynamicScoreUtilityFactor",
    "enablePassingHacks",
    "fpuReductionMax",
    "ignorePreRootHistory",
    "lagBuffer",
    "lcbStdevs",
    "numSearchThreads",
    "rootEndingBonusPoints",
    "rootFpuReductionMax",
    "rootNumSymmetriesToSample",
    "rootPolicyTemperature",
    "rootPolicyTemperatureEarly",
    "rootSymmetryPruning",
    "staticScoreUtilityFactor",
    "useGraphSearch",
    "useLcbForSelection",
    "wideRootNoise",
];

/// Applies `overrideSettings` to what holds for this query. Warnings go to `warnings`.
pub(super) fn apply(
    fields: Fields<'_>,
    defaults: &mut QueryDefaults,
    warnings: &mut Vec<Complaint>,
) -> Result<(), Complaint> {
    const FIELD: &str = "overrideSettings";
    let settings: &Map<String, Value> = match fields.get(FIELD) {
        None => return Ok(()),
        Some(Value::Object(settings)) => settings,
        Some(_) => return Err(fields.error(FIELD, "must be an object")),
    };
    let mut unknown = Vec::new();
    let mut without_effect = Vec::new();
    for (key, value) in settings {
        let wrong = |problem: &dyn std::fmt::Display| {
            let value = shorten(&value.to_string());
            fields.error(FIELD, format_args!("{key} cannot be {value}: {problem}"))
        };
        // KataGo takes each value as text, so that "8" is as good as 8.
        let text = match value {
            Value::String(text) => text.trim().to_owned(),
            other => other.to_string(),
        };
        if let Some((row, _)) = find(&QUERY_SETTINGS, key, Source::Override) {
            row.kind
                .set(defaults, &text)
                .map_err(|refusal| wrong(&refusal))?;
            continue;
        }
        match key.as_str() {
            _ if key.starts_with("humanSL") => {
                let problem = format_args!("{key}: there is no network that imitates people");
                return Err(fields.error(FIELD, problem));
            }
            "antiMirror" | "playoutDoublingAdvantage" | "playoutDoublingAdvantagePla" => {
                without_effect.push(key.as_str());
            }
            name if SEARCH_PARAMETERS.contains(&name) => {}
            _ => unknown.push(shorten(key)),
        }
    }
    if !without_effect.is_empty() {
        let names = without_effect.join(", ");
        warnings.push(Complaint::warning(
            fields.id,
            FIELD,
            format_args!("without effect here: {names}"),
        ));
    }
    if !unknown.is_empty() {
        let names = unknown.join(", ");
        warnings.push(Complaint::warning(
            fields.id,
            FIELD,
            format_args!("unknown settings, left out: {names}"),
        ));
    }
    Ok(())
}
