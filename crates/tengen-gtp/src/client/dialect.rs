//! Rules as other programs name them.

use tengen_core::{Ko, Rules, Scoring, Suicide};

/// Rules in the notation that KataGo understands, ko and suicide spelled out: its named rules are not ours in every
/// detail.
pub(super) fn rules_for_katago(rules: &Rules) -> String {
    let ko = match rules.ko {
        Ko::Simple => "SIMPLE",
        Ko::Positional => "POSITIONAL",
        Ko::Situational => "SITUATIONAL",
    };
    let (scoring, tax) = match rules.scoring {
        Scoring::Territory => ("TERRITORY", "SEKI"),
        Scoring::Area | Scoring::AreaAndPrisoners => ("AREA", "NONE"),
    };
    let suicide = match rules.suicide {
        Suicide::Forbidden => 0,
        Suicide::MultiStone | Suicide::Allowed => 1,
    };
    format!("ko{ko}score{scoring}tax{tax}sui{suicide}")
}

/// The rules of the KGS server that come nearest, if any do.
pub(super) fn rules_for_kgs(rules: &Rules) -> Option<&'static str> {
    match (rules.scoring, rules.suicide, rules.ko) {
        (Scoring::Territory, Suicide::Forbidden, Ko::Simple) => Some("japanese"),
        (Scoring::Area, Suicide::Forbidden, Ko::Situational) => Some("aga"),
        (Scoring::Area, Suicide::Forbidden, _) => Some("chinese"),
        (Scoring::Area, _, Ko::Situational) => Some("new_zealand"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use tengen_core::Preset;

    use super::*;

    #[test]
    fn rules_are_sent_as_others_know_them() {
        for (preset, katago, kgs) in [
            (
                Preset::Chinese,
                "koPOSITIONALscoreAREAtaxNONEsui0",
                Some("chinese"),
            ),
            (
                Preset::TrompTaylor,
                "koPOSITIONALscoreAREAtaxNONEsui1",
                None,
            ),
            (
                Preset::Japanese,
                "koSIMPLEscoreTERRITORYtaxSEKIsui0",
                Some("japanese"),
            ),
            (
                Preset::Aga,
                "koSITUATIONALscoreAREAtaxNONEsui0",
                Some("aga"),
            ),
            (
                Preset::NewZealand,
                "koSITUATIONALscoreAREAtaxNONEsui1",
                Some("new_zealand"),
            ),
        ] {
            let rules = preset.rules();
            assert_eq!(rules_for_katago(&rules), katago);
            assert_eq!(rules_for_kgs(&rules), kgs);
            let read: Rules = katago.parse().unwrap();
            assert_eq!((read.ko, read.scoring), (rules.ko, rules.scoring));
        }
    }
}
