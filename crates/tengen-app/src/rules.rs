//! Rules by their names.

use serde_json::{Value, json};
use tengen_core::{Ko, Komi, Preset, Rules, Size, Suicide};

use crate::refusal::Refusal;
use crate::score::scoring_name;

/// The presets that people play under; the others are for learning programs.
const OFFERED: [Preset; 6] = [
    Preset::Chinese,
    Preset::Japanese,
    Preset::Korean,
    Preset::Aga,
    Preset::NewZealand,
    Preset::TrompTaylor,
];

/// The rules that a page offers, with what to know about them.
pub(crate) fn offered() -> Vec<Value> {
    let describe = |preset: Preset| {
        let rules = preset.rules();
        let nineteen = Size::square(19).map(|size| rules.komi_for(size));
        json!({
            "id": preset.name(),
            "komi": nineteen.map_or(0.0, points),
            "scoring": scoring_name(rules.scoring),
            "ko": match rules.ko {
                Ko::Simple => "simple",
                Ko::Positional => "positional",
                Ko::Situational => "situational",
            },
            "suicide": match rules.suicide {
                Suicide::Forbidden => "forbidden",
                Suicide::MultiStone => "multi_stone",
                Suicide::Allowed => "allowed",
            },
        })
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
