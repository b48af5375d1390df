//! Rules by their names.

use serde::Serialize;
use tengen_core::{Ko, Komi, Preset, Rules, Size, Suicide};

use crate::refusal::Refusal;
use crate::score::ScoringName;

/// The presets that people play under; the others are for learning programs.
const OFFERED: [Preset; 6] = [
    Preset::Chinese,
    Preset::Japanese,
    Preset::Korean,
    Preset::Aga,
    Preset::NewZealand,
    Preset::TrompTaylor,
];

/// Rules that a page offers.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct RulesMessage {
    /// The name that `games.new` takes.
    pub id: &'static str,
    /// The komi on a 19×19 board.
    pub komi: f64,
    /// What counts.
    pub scoring: ScoringName,
    /// Which repetitions are forbidden.
    pub ko: KoName,
    /// Which suicides are allowed.
    pub suicide: SuicideName,
}

/// Which repetitions are forbidden.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(rename = "Ko"))]
#[serde(rename_all = "snake_case")]
pub enum KoName {
    /// Taking back at once.
    Simple,
    /// Any earlier board.
    Positional,
    /// Any earlier board with the same player to move.
    Situational,
}

impl From<Ko> for KoName {
    fn from(ko: Ko) -> Self {
        match ko {
            Ko::Simple => Self::Simple,
            Ko::Positional => Self::Positional,
            Ko::Situational => Self::Situational,
        }
    }
}

/// Which repetitions a superko rule forbids.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(rename = "Superko"))]
#[serde(rename_all = "snake_case")]
pub enum SuperkoName {
    /// Any earlier board.
    Positional,
    /// Any earlier board with the same player to move.
    Situational,
}

impl SuperkoName {
    pub(crate) const fn of(ko: Ko) -> Option<Self> {
        match ko {
            Ko::Simple => None,
            Ko::Positional => Some(Self::Positional),
            Ko::Situational => Some(Self::Situational),
        }
    }
}

/// Which suicides are allowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(rename = "Suicide"))]
#[serde(rename_all = "snake_case")]
pub(crate) enum SuicideName {
    /// None.
    Forbidden,
    /// Those of several stones.
    MultiStone,
    /// All.
    Allowed,
}

/// The rules that a page offers, with what to know about them.
pub(crate) fn offered() -> Vec<RulesMessage> {
    let describe = |preset: Preset| {
        let rules = preset.rules();
        let nineteen = Size::square(19).map(|size| rules.komi_for(size));
        RulesMessage {
            id: preset.name(),
            komi: nineteen.map_or(0.0, points),
            scoring: rules.scoring.into(),
            ko: rules.ko.into(),
            suicide: match rules.suicide {
                Suicide::Forbidden => SuicideName::Forbidden,
                Suicide::MultiStone => SuicideName::MultiStone,
                Suicide::Allowed => SuicideName::Allowed,
            },
        }
    };
    OFFERED.into_iter().map(describe).collect()
}

/// The name of rules, whatever the komi. Where presets have the same rules, `text`, which a record gives, decides.
pub(crate) fn name(rules: &Rules, text: Option<&str>) -> String {
    let is_same = |preset: &Preset| {
        let other = preset.rules();
        Rules {
            komi: other.komi,
            ..*rules
        } == other
    };
    let named = text.and_then(Preset::named).filter(is_same);
    match named.or_else(|| Preset::ALL.into_iter().find(is_same)) {
        Some(preset) => preset.name().to_owned(),
        None => Rules {
            komi: None,
            ..*rules
        }
        .to_string(),
    }
}

/// The name of rules as records usually write it.
pub(crate) fn record_name(name: &str) -> &str {
    match Preset::named(name) {
        Some(Preset::Chinese) => "Chinese",
        Some(Preset::Japanese) => "Japanese",
        Some(Preset::Korean) => "Korean",
        Some(Preset::Aga) => "AGA",
        Some(Preset::NewZealand) => "NZ",
        Some(Preset::TrompTaylor) => "Tromp-Taylor",
        _ => name,
    }
}

/// A komi in points.
pub(crate) fn points(komi: Komi) -> f64 {
    f64::from(komi.halves()) / 2.0
}

/// The komi of so many points.
pub(crate) fn komi(points: f64) -> Result<Komi, Refusal> {
    let halves = points * 2.0;
    if !halves.is_finite() || halves.fract() != 0.0 || halves.abs() > f64::from(Komi::MAX.halves())
    {
        let message = "a komi is a whole number of half-points, 625 points at most";
        return Err(Refusal::params(message));
    }
    Ok(Komi::from_halves(halves as i16))
}
