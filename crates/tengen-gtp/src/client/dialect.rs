//! What programs call things that every one of them calls otherwise.

use tengen_core::{Ko, Rules, Scoring, Suicide};

/// Rules in the notation that KataGo understands, ko and suicide spelled out: its named rules are not ours in every detail.
pub fn rules_for_katago(rules: &Rules) -> String {
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
