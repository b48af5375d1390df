//! Rules as text: everything that is printed reads back, and what people write is understood.

use proptest::prelude::*;
use tengen_core::{
    Compensation, DeadStones, HandicapPlacement, Ko, Komi, MoveLimit, Preset, Repetition,
    RepetitionEffect, Rules, Scoring, Suicide, Ties,
};

fn any_rules() -> impl Strategy<Value = Rules> {
    let repetition = (
        prop::sample::select(vec![
            RepetitionEffect::PlayOn,
            RepetitionEffect::Loses,
            RepetitionEffect::Draws,
            RepetitionEffect::NoResult,
        ]),
        prop::option::of(any::<u16>()),
    );
    let handicap = (
        prop::sample::select(vec![HandicapPlacement::Fixed, HandicapPlacement::Free]),
        prop::sample::select(vec![
            Compensation::None,
            Compensation::PerStone,
            Compensation::PerStoneButFirst,
        ]),
    );
    let end = (
        // Two passes are the default, and none or one are edges.
        prop_oneof![0..=3_u8, any::<u8>()],
        prop_oneof![
            Just(MoveLimit::None),
            any::<u32>().prop_map(MoveLimit::Moves),
            any::<u8>().prop_map(MoveLimit::TimesArea),
        ],
    );
    (
        prop::sample::select(vec![Ko::Simple, Ko::Positional, Ko::Situational]),
        repetition,
        prop::sample::select(vec![
            Suicide::Forbidden,
            Suicide::MultiStone,
            Suicide::Allowed,
        ]),
        (
            prop::sample::select(vec![
                Scoring::Area,
                Scoring::Territory,
                Scoring::AreaAndPrisoners,
            ]),
            prop::sample::select(vec![DeadStones::Captured, DeadStones::Agreed]),
        ),
        prop::option::of((-1250_i16..=1250).prop_map(Komi::from_halves)),
        prop::sample::select(vec![Ties::Draw, Ties::Black, Ties::White]),
        handicap,
        end,
    )
        .prop_map(
            |(
                ko,
                (effect, window),
                suicide,
                (scoring, dead_stones),
                komi,
                ties,
                (handicap, compensation),
                end,
            )| {
                let (passes, max_moves) = end;
                Rules {
                    ko,
                    repetition: Repetition { effect, window },
                    suicide,
                    scoring,
                    dead_stones,
                    komi,
                    ties,
                    handicap,
                    compensation,
                    passes,
                    max_moves,
                }
            },
        )
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn printed_rules_read_back(rules in any_rules()) {
        prop_assert_eq!(rules.to_string().parse(), Ok(rules));
    }

    /// A text with one character exchanged is either other rules or an error that points into the text.
    #[test]
    fn damaged_rules_are_refused_where_they_are_damaged(
        rules in any_rules(),
        place in any::<prop::sample::Index>(),
        letter in any::<char>(),
    ) {
        let mut text: Vec<char> = rules.to_string().chars().collect();
        let place = place.index(text.len());
        text[place] = letter;
        let text: String = text.into_iter().collect();
        match text.parse::<Rules>() {
            Ok(read) => prop_assert_eq!(read.to_string().parse(), Ok(read)),
            Err(error) => {
                prop_assert!(text.is_char_boundary(error.position), "{:?}", error);
                prop_assert!(!error.problem.is_empty());
            }
        }
    }
}

#[test]
fn every_preset_has_its_name() {
    for preset in Preset::ALL {
        assert_eq!(Preset::named(preset.name()), Some(preset));
        assert_eq!(preset.name().parse(), Ok(preset.rules()));
        // Korean rules are Japanese rules, and EnvPool's are those of the training engine: the first name is printed.
        let printed: Rules = preset.rules().to_string().parse().unwrap();
        assert_eq!(printed, preset.rules());
    }
}

#[test]
fn presets_by_the_names_that_records_and_people_use() {
    for (names, preset) in [
        (
            &["Chinese", "chinese", "CHINESE", "cn", "中国规则"][..],
            Preset::Chinese,
        ),
        (
            &["Japanese", "japan", "JP", " Japanese ", "日本"],
            Preset::Japanese,
        ),
        (&["Korean", "korea", "kr"], Preset::Korean),
        (&["AGA", "aga", "BGA", "French"], Preset::Aga),
        (
            &[
                "NZ",
                "New Zealand",
                "new_zealand",
                "new-zealand",
                "NewZealand",
            ],
            Preset::NewZealand,
        ),
        (
            &[
                "tromp-taylor",
                "Tromp_Taylor",
                "TrompTaylor",
                "Tromp-Taylor",
                "tromp taylor",
            ],
            Preset::TrompTaylor,
        ),
        (&["pgx", "PGX"], Preset::Pgx),
        (&["open_spiel", "OpenSpiel"], Preset::OpenSpiel),
        (&["PettingZoo", "petting-zoo"], Preset::PettingZoo),
        (&["envpool", "EnvPool"], Preset::EnvPool),
    ] {
        for name in names {
            assert_eq!(Preset::named(name), Some(preset), "{name}");
            assert_eq!(name.parse(), Ok(preset.rules()), "{name}");
        }
    }
}

#[test]
fn the_axes_of_presets() {
    let axes = |preset: Preset| {
        let rules = preset.rules();
        (
            rules.ko,
            rules.suicide,
            rules.scoring,
            rules.repetition.effect,
        )
    };
    let (area, territory) = (Scoring::Area, Scoring::Territory);
    let (no, any) = (Suicide::Forbidden, Suicide::Allowed);
    use RepetitionEffect::{Draws, Loses, NoResult, PlayOn};
    for (preset, expected) in [
        (Preset::TrompTaylor, (Ko::Positional, any, area, PlayOn)),
        (Preset::Chinese, (Ko::Positional, no, area, PlayOn)),
        (Preset::Japanese, (Ko::Simple, no, territory, NoResult)),
        (Preset::Korean, (Ko::Simple, no, territory, NoResult)),
        (Preset::Aga, (Ko::Situational, no, area, PlayOn)),
        (Preset::NewZealand, (Ko::Situational, any, area, PlayOn)),
        (Preset::Seed, (Ko::Positional, no, area, PlayOn)),
        (Preset::Pgx, (Ko::Simple, no, area, Loses)),
        (Preset::OpenSpiel, (Ko::Simple, no, area, Draws)),
        (Preset::PettingZoo, (Ko::Simple, no, area, PlayOn)),
        (Preset::EnvPool, (Ko::Positional, no, area, PlayOn)),
    ] {
        assert_eq!(axes(preset), expected, "{preset}");
    }
    assert_eq!(Preset::Pgx.rules().ties, Ties::White);
    assert_eq!(Preset::Chinese.rules().compensation, Compensation::PerStone);
    assert_eq!(
        Preset::Aga.rules().compensation,
        Compensation::PerStoneButFirst
    );
    assert_eq!(Preset::Seed.rules().max_moves, MoveLimit::TimesArea(2));
    assert_eq!(Preset::PettingZoo.rules().max_moves, MoveLimit::None);
}

#[test]
fn katago_texts() {
    let area = Rules {
        suicide: Suicide::Forbidden,
        ..Rules::TROMP_TAYLOR
    };
    for (text, expected) in [
        ("koPOSITIONALscoreAREAsui0", area),
        ("koPOSITIONALscoreAREAtaxNONEsui0", area),
        ("koPOSITIONALscoreAREAtaxNONEsui0button0whb0fpok0", area),
        (
            "koPOSITIONALscoreAREAtaxNONEsui0button0whb0fpok1",
            Rules {
                dead_stones: DeadStones::Agreed,
                ..area
            },
        ),
        (
            "koSIMPLEscoreTERRITORYtaxSEKIsui0",
            Rules {
                ko: Ko::Simple,
                scoring: Scoring::Territory,
                dead_stones: DeadStones::Agreed,
                ..area
            },
        ),
        (
            "koSITUATIONALscoreAREAtaxNONEsui1whbN-1",
            Rules {
                ko: Ko::Situational,
                suicide: Suicide::MultiStone,
                compensation: Compensation::PerStoneButFirst,
                ..area
            },
        ),
        ("koPOSITIONALscoreAREAsui0whbN", Preset::Chinese.rules()),
        (
            "koSIMPLEscoreAREAsui0komi7.5",
            Rules {
                ko: Ko::Simple,
                komi: Some(Komi::from_halves(15)),
                ..area
            },
        ),
    ] {
        assert_eq!(text.parse(), Ok(expected), "{text}");
    }
}

/// What other rules count as they stand does not change when one axis of a preset does.
#[test]
fn dead_stones_are_an_axis_of_their_own() {
    for (preset, expected) in [
        (Preset::TrompTaylor, DeadStones::Captured),
        (Preset::Chinese, DeadStones::Agreed),
        (Preset::Japanese, DeadStones::Agreed),
        (Preset::Aga, DeadStones::Agreed),
        (Preset::NewZealand, DeadStones::Agreed),
        (Preset::Pgx, DeadStones::Captured),
    ] {
        let rules = preset.rules();
        assert_eq!(rules.dead_stones, expected, "{preset}");
        for suicide in [Suicide::Forbidden, Suicide::MultiStone] {
            let changed = Rules { suicide, ..rules };
            let read: Rules = changed.to_string().parse().unwrap();
            assert_eq!(read.dead_stones, expected, "{changed}");
        }
    }
}

/// Each text with the place that the error has to name, and a word that its message has to hold.
#[test]
fn errors_say_where_and_what() {
    for (text, position, word) in [
        ("", 0, "unknown rules"),
        ("GOE", 0, "unknown rules `GOE`"),
        ("ing", 0, "unknown rules `ing`"),
        ("  Mars rules", 2, "Mars"),
        ("koSIMPLE!", 8, "`!`"),
        ("koSTRICTscoreAREA", 2, "STRICT"),
        ("koSIMPLEscoreSTONES", 13, "STONES"),
        ("koSIMPLEscoreAREAsui2", 20, "sui"),
        ("koSIMPLEscoreAREAtaxALL", 23, "tax"),
        ("koSIMPLEscoreAREAbutton1", 24, "button"),
        ("koSIMPLEscoreAREAkomi7.3", 24, "komi7.3"),
        ("koSIMPLEscoreAREApass", 21, "pass"),
        ("koSIMPLEscoreAREApass256", 24, "256"),
        ("koSIMPLEscoreAREAmaxfew", 20, "max"),
        ("koSIMPLEscoreAREAmax256x", 24, "255"),
        ("koSIMPLEscoreAREArepDRAWS70000", 30, "70000"),
    ] {
        let error = text.parse::<Rules>().unwrap_err();
        assert_eq!(error.position, position, "{text}: {error}");
        assert!(error.to_string().contains(word), "{text}: {error}");
        assert_eq!(error.to_string().lines().count(), 1, "{text}: {error}");
    }
    // Whoever mistypes a name is told the names there are.
    let error = "chines".parse::<Rules>().unwrap_err().to_string();
    assert!(
        Preset::ALL
            .iter()
            .all(|preset| error.contains(preset.name())),
        "{error}"
    );
}
