//! Settings that a query changes for itself.

use std::time::Duration;

use serde_json::{Map, Value};

use super::complaint::Complaint;
use super::fields::{Fields, shorten};
use super::settings::Defaults;

/// Parameters of KataGo's search that say how it should look for moves, not what is asked. This search looks in its
/// own way, and clients send some of them with every query: they are accepted in silence.
const TASTES: [&str; 28] = [
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
    defaults: &mut Defaults,
    warnings: &mut Vec<Complaint>,
) -> Result<(), Complaint> {
    const FIELD: &str = "overrideSettings";
    let settings: &Map<String, Value> = match fields.get(FIELD) {
        None => return Ok(()),
        Some(Value::Object(settings)) => settings,
        Some(_) => return Err(fields.error(FIELD, "must be an object")),
    };
    let mut unknown = Vec::new();
    let mut idle = Vec::new();
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
        match key.as_str() {
            "maxVisits" | "maxPlayouts" => {
                let visits = text.parse::<u64>().ok().filter(|visits| *visits > 0);
                let visits = visits.ok_or_else(|| wrong(&"it is a number from 1 on"))?;
                defaults.visits = clamp_visits(visits);
            }
            "maxTime" => {
                let time = text.parse().ok().and_then(seconds);
                let time = time.ok_or_else(|| wrong(&"it is a number of seconds from 0 on"))?;
                defaults.time = time;
            }
            "reportAnalysisWinratesAs" => {
                defaults.perspective = text.parse().map_err(|error| wrong(&error))?;
            }
            "analysisPVLen" => {
                let length = text
                    .parse()
                    .ok()
                    .filter(|length| (1..=1000).contains(length));
                let length = length.ok_or_else(|| wrong(&"it is a number from 1 to 1000"))?;
                defaults.variation_length = length;
            }
            _ if key.starts_with("humanSL") => {
                let problem = format_args!("{key}: there is no network that imitates people");
                return Err(fields.error(FIELD, problem));
            }
            "antiMirror" | "playoutDoublingAdvantage" | "playoutDoublingAdvantagePla" => {
                idle.push(key.as_str());
            }
            name if TASTES.contains(&name) => {}
            _ => unknown.push(shorten(key)),
        }
    }
    if !idle.is_empty() {
        let names = idle.join(", ");
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

/// As many visits as a search can count.
pub(super) fn clamp_visits(visits: u64) -> u32 {
    u32::try_from(visits).unwrap_or(u32::MAX)
}

/// A time limit in seconds; one that is longer than any search is none. The outer `None` is a number that is no time.
pub(super) fn seconds(seconds: f64) -> Option<Option<Duration>> {
    (seconds >= 0.0).then(|| Duration::try_from_secs_f64(seconds).ok())
}
