//! Settings that a query changes for itself.

use std::ops::RangeInclusive;

use serde_json::{Map, Value};
use tengen_search::{Adjustment, Tuning};

use super::complaint::Complaint;
use super::fields::{Fields, shorten};
use super::people::Imitated;
use super::settings::{QUERY_SETTINGS, QueryDefaults, Source, find};

/// The field that they stand in.
const FIELD: &str = "overrideSettings";

/// The name of the players that a network should imitate.
const PROFILE: &str = "humanSLProfile";

/// What a query wants of its search otherwise than usual.
#[derive(Clone, Debug, Default)]
pub(super) struct Overrides {
    /// Numbers that the search is tuned by.
    pub(super) tuning: Vec<Adjustment>,
    /// Whom a network should imitate.
    pub(super) people: Option<Imitated>,
    /// Are moves left out that are others turned?
    pub(super) prunes_symmetries: bool,
}

/// A parameter of KataGo's search that this one has as well.
struct Parameter {
    name: &'static str,
    range: RangeInclusive<f32>,
    apply: fn(&mut Tuning, f32),
}

/// These do what they say. KataGo's utilities go from -1 to 1 and those of this search from 0 to 1, so that what is
/// added to them counts half.
const PARAMETERS: [Parameter; 9] = [
    Parameter {
        name: "cpuctExploration",
        range: 0.0..=10.0,
        apply: |tuning, value| tuning.exploration = value / 2.0,
    },
    Parameter {
        name: "cpuctExplorationLog",
        range: 0.0..=10.0,
        apply: |tuning, value| tuning.exploration_log = value / 2.0,
    },
    Parameter {
        name: "dynamicScoreUtilityFactor",
        range: 0.0..=1.0,
        apply: |tuning, value| tuning.centered_score_weight = value / 2.0,
    },
    Parameter {
        name: "fpuReductionMax",
        range: 0.0..=2.0,
        apply: |tuning, value| tuning.first_play_reduction = value / 2.0,
    },
    Parameter {
        name: "lcbStdevs",
        range: 1.0..=12.0,
        apply: |tuning, value| tuning.lcb_deviations = value,
    },
    Parameter {
        name: "rootFpuReductionMax",
        range: 0.0..=2.0,
        apply: |tuning, value| tuning.root_first_play_reduction = value / 2.0,
    },
    Parameter {
        name: "rootNumSymmetriesToSample",
        range: 1.0..=8.0,
        apply: |tuning, value| tuning.root_symmetries = value,
    },
    Parameter {
        name: "rootPolicyTemperature",
        range: 0.01..=100.0,
        apply: |tuning, value| tuning.root_policy_temperature = value,
    },
    Parameter {
        name: "wideRootNoise",
        range: 0.0..=5.0,
        // KataGo flattens priors so much; it adds a random bonus too, which is left out.
        apply: |tuning, value| tuning.root_policy_temperature *= 1.0 + 4.0 * value,
    },
];

/// Parameters that may also be fields of a query, which go before `overrideSettings`.
const FIELDS: [&str; 2] = ["rootFpuReductionMax", "rootPolicyTemperature"];

/// Other parameters of KataGo's search that say how it should look for moves, not what is asked. This search looks in
/// its own way, and clients send some of them with every query: they are accepted in silence.
const SILENT_PARAMETERS: [&str; 17] = [
    "allowResignation",
    "avoidMYTDaggerHack",
    "avoidRepeatedPatternUtility",
    "chosenMovePrune",
    "chosenMoveSubtract",
    "chosenMoveTemperature",
    "chosenMoveTemperatureEarly",
    "chosenMoveTemperatureHalflife",
    "conservativePass",
    "enablePassingHacks",
    "ignorePreRootHistory",
    "lagBuffer",
    "numSearchThreads",
    "rootEndingBonusPoints",
    "rootPolicyTemperatureEarly",
    "staticScoreUtilityFactor",
    "useGraphSearch",
];

impl Overrides {
    /// Reads `overrideSettings`, and changes what holds for this query. Warnings go to `warnings`.
    pub(super) fn read(
        fields: Fields<'_>,
        defaults: &mut QueryDefaults,
        warnings: &mut Vec<Complaint>,
    ) -> Result<Self, Complaint> {
        let mut overrides = Self::default();
        overrides.read_fields(fields)?;
        let settings: &Map<String, Value> = match fields.get(FIELD) {
            None => return Ok(overrides),
            Some(Value::Object(settings)) => settings,
            Some(_) => return Err(fields.error(FIELD, "must be an object")),
        };
        let mut unknown = Vec::new();
        let mut without_effect = Vec::new();
        for (key, value) in settings {
            if FIELDS.contains(&key.as_str()) && fields.get(key).is_some() {
                continue;
            }
            // KataGo takes each value as text, so that "8" is as good as 8.
            let text = match value {
                Value::String(text) => text.trim().to_owned(),
                other => other.to_string(),
            };
            let wrong = |problem: &dyn std::fmt::Display| {
                let value = shorten(&value.to_string());
                fields.error(FIELD, format_args!("{key} cannot be {value}: {problem}"))
            };
            if let Some((row, _)) = find(&QUERY_SETTINGS, key, Source::Override) {
                row.kind
                    .set(defaults, &text)
                    .map_err(|refusal| wrong(&refusal))?;
                continue;
            }
            let done = overrides.set(key, &text, defaults);
            match done.map_err(|problem| wrong(&problem))? {
                Effect::Done => {}
                Effect::Nothing => without_effect.push(key.as_str()),
                Effect::Unknown => unknown.push(shorten(key)),
            }
        }
        for (problem, names) in [
            ("without effect here", without_effect.join(", ")),
            ("unknown settings, left out", unknown.join(", ")),
        ] {
            if !names.is_empty() {
                let problem = format_args!("{problem}: {names}");
                warnings.push(Complaint::warning(fields.id, FIELD, problem));
            }
        }
        Ok(overrides)
    }

    /// Sets one of them.
    fn set(&mut self, key: &str, text: &str, defaults: &QueryDefaults) -> Result<Effect, String> {
        let flag = || match text {
            "true" => Ok(true),
            "false" => Ok(false),
            _ => Err("true or false".to_owned()),
        };
        if let Some(parameter) = PARAMETERS.iter().find(|parameter| parameter.name == key) {
            let number = text.parse().map_err(|_| "it is no number".to_owned())?;
            self.tuning.push(parameter.adjustment(number)?);
            return Ok(Effect::Done);
        }
        match (key, &defaults.people) {
            (PROFILE, _) if text.is_empty() => self.people = None,
            (PROFILE, Some(people)) => self.people = Some(people.named(text)?),
            (_, None) if key.starts_with("humanSL") => {
                return Err("there is no network that imitates people".to_owned());
            }
            ("rootSymmetryPruning", _) => self.prunes_symmetries = flag()?,
            ("useLcbForSelection", _) => {
                if !flag()? {
                    let apply = |tuning: &mut Tuning, value| tuning.lcb_deviations = value;
                    self.tuning.push(Adjustment { apply, value: 0.0 });
                }
            }
            ("antiMirror" | "playoutDoublingAdvantage" | "playoutDoublingAdvantagePla", _) => {
                return Ok(Effect::Nothing);
            }
            _ if key.starts_with("humanSL") => return Ok(Effect::Nothing),
            _ if SILENT_PARAMETERS.contains(&key) => {}
            _ => return Ok(Effect::Unknown),
        }
        Ok(Effect::Done)
    }

    /// Reads parameters that stand in fields of their own.
    fn read_fields(&mut self, fields: Fields<'_>) -> Result<(), Complaint> {
        let parameters = PARAMETERS.iter();
        for parameter in parameters.filter(|parameter| FIELDS.contains(&parameter.name)) {
            let range = &parameter.range;
            // As they are written, and not as 32 bits have them.
            let written = |end: &f32| end.to_string().parse().unwrap_or(f64::from(*end));
            let range = written(range.start())..=written(range.end());
            if let Some(number) = fields.number(parameter.name, range)? {
                self.tuning.push(Adjustment {
                    apply: parameter.apply,
                    value: number as f32,
                });
            }
        }
        Ok(())
    }
}

/// What came of a setting.
enum Effect {
    Done,
    Nothing,
    Unknown,
}

impl Parameter {
    fn adjustment(&self, value: f32) -> Result<Adjustment, String> {
        let (least, most) = (self.range.start(), self.range.end());
        match self.range.contains(&value) {
            true => Ok(Adjustment {
                apply: self.apply,
                value,
            }),
            false => Err(format!("it is from {least} to {most}")),
        }
    }
}
