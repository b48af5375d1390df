//! The table of the settings of `tengen gtp`: a row for each, and nowhere else is anything said about it.
//!
//! To add a setting, add a field to [`GtpSettings`] with its default, a row here and an example to the test at the end.

use std::time::Duration;

use tengen_search::Level;

use super::{GtpSettings, Resignation};
use crate::record_file::FileAccess;
use crate::setting::Kind::{Line, Number, Parsed, Seconds, Switch};
use crate::setting::{Description, Kind, MOST_THREADS, Refusal, about, parse, seconds};

/// A setting of a session.
#[derive(Debug)]
pub(crate) struct Setting {
    /// Its names, its default and its help.
    pub(crate) about: Description,
    /// Its values.
    pub(crate) kind: Kind<GtpSettings>,
    /// What KataGo calls it in `kata-get-param` and `kata-set-param`.
    pub(crate) parameters: &'static [Parameter],
    /// What Leela Zero calls it in `lz-setoption`.
    pub(crate) option: Option<LeelaOption>,
    /// What has to happen when it changes during a session.
    pub(crate) effect: Effect,
}

/// Reads a value and stores it.
pub(crate) type Reader = fn(&mut GtpSettings, &str) -> Result<(), Refusal>;

/// A parameter of KataGo.
#[derive(Debug)]
pub(crate) struct Parameter {
    pub(crate) name: &'static str,
    pub(crate) get: fn(&GtpSettings) -> String,
    /// How KataGo's values are read, if they are not our own.
    pub(crate) set: Option<Reader>,
}

/// An option of Leela Zero.
#[derive(Debug)]
pub(crate) struct LeelaOption {
    pub(crate) name: &'static str,
    /// The place in Leela Zero's own list, which has another order than ours.
    pub(crate) rank: u8,
    pub(crate) form: LeelaForm,
}

/// The two forms of Leela Zero's options, as UCI has them.
#[derive(Debug)]
pub(crate) enum LeelaForm {
    /// A whole number. `set` returns `None` if it cannot be.
    Spin {
        min: i64,
        max: i64,
        get: fn(&GtpSettings) -> i64,
        set: fn(&mut GtpSettings, i64) -> Option<()>,
    },
    /// `true` or `false`.
    Check {
        get: fn(&GtpSettings) -> bool,
        set: fn(&mut GtpSettings, bool),
    },
}

/// When a change of a setting counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Effect {
    /// From the next move on.
    NextMove,
    /// An engine takes it when it is made, so that another one is needed.
    NewEngine,
}

/// What KataGo calls no limit of time, in seconds.
const KATAGO_NO_LIMIT: f64 = 1e20;

/// All settings, in the order in which help, documents and `kata-list-params` have them.
#[rustfmt::skip]
pub(crate) static SETTINGS: [Setting; 19] = [
    Setting {
        about: about("visits", "N", "none", "The most visits a move").conflicts(&["time"]),
        kind: Number { subject: "", range: 1..=u32::MAX as u64, set: |s, n| s.visits = u32::try_from(n).ok() },
        parameters: &[Parameter {
            name: "maxVisits",
            get: |s| s.visits.unwrap_or(u32::MAX).to_string(),
            set: Some(|s, text| {
                s.visits = match parse(text)? {
                    0 => return Err(out_of_range("a move takes at least 1 visit")),
                    visits => limit_of_visits(visits),
                };
                Ok(())
            }),
        }],
        option: Some(LeelaOption { name: "Visits", rank: 1, form: LeelaForm::Spin {
            min: 0,
            max: 1_000_000_000,
            // No visits are any number of them.
            get: |s| s.visits.unwrap_or(0).into(),
            set: |s, visits| {
                s.visits = limit_of_visits(u64::try_from(visits).ok()?).filter(|visits| *visits > 0);
                Some(())
            },
        } }),
        ..ROW
    },
    Setting {
        about: about("time", "SECONDS", "none", "The most time a move")
            .details("Without visits, a clock and this, a move takes two seconds."),
        kind: Seconds(|s, time| s.time = Some(time)),
        parameters: &[Parameter {
            name: "maxTime",
            get: |s| s.time.map_or(KATAGO_NO_LIMIT, |time| time.as_secs_f64()).to_string(),
            set: Some(|s, text| {
                let is_endless = text.parse().is_ok_and(|time: f64| time >= KATAGO_NO_LIMIT);
                s.time = if is_endless { None } else { Some(seconds(text)?) };
                Ok(())
            }),
        }],
        ..ROW
    },
    Setting {
        about: about("threads", "N", "all cores", "How many threads search")
            .details("With one and a fixed number of visits, the same seed plays the same game."),
        kind: Number { subject: "threads are", range: 1..=MOST_THREADS, set: |s, n| s.engine.threads = n as usize },
        parameters: &[Parameter { name: "numSearchThreads", get: |s| s.engine.threads.to_string(), set: None }],
        effect: Effect::NewEngine,
        ..ROW
    },
    Setting {
        about: about("ponder", "", "false", "Think while the opponent does"),
        kind: Switch(|s, on| s.ponder = on),
        parameters: &[Parameter { name: "ponderingEnabled", get: |s| s.ponder.to_string(), set: None }],
        option: Some(LeelaOption { name: "Pondering", rank: 4, form: LeelaForm::Check {
            get: |s| s.ponder,
            set: |s, on| s.ponder = on,
        } }),
        ..ROW
    },
    Setting {
        about: about("resign", "WHEN", "hopeless", "When to give up a game")
            .details("`never`, `hopeless`, or a win rate such as 0.05 that three moves in a row fell short of."),
        kind: Parsed {
            values: "`never`, `hopeless`, a win rate",
            set: |s, text| parse(text).map(|when| s.resignation = when),
        },
        parameters: &[
            Parameter {
                name: "allowResignation",
                get: |s| (s.resignation != Resignation::Never).to_string(),
                set: Some(|s, text| {
                    s.resignation = match (parse(text)?, s.resignation) {
                        (false, _) => Resignation::Never,
                        (true, Resignation::Never) => Resignation::Hopeless,
                        (true, other) => other,
                    };
                    Ok(())
                }),
            },
            // KataGo's threshold lies between a loss at -1 and a win at 1.
            Parameter {
                name: "resignThreshold",
                get: |s| match s.resignation {
                    Resignation::Below(share) => format!("{:.6}", 2.0 * share - 1.0),
                    Resignation::Hopeless | Resignation::Never => "-1".to_owned(),
                },
                set: Some(|s, text| {
                    let threshold: f32 = parse(text)?;
                    if !(-1.0..1.0).contains(&threshold) {
                        return Err(out_of_range("the threshold is -1 to 1"));
                    }
                    s.resignation = Resignation::Below(f32::midpoint(threshold, 1.0));
                    Ok(())
                }),
            },
        ],
        option: Some(LeelaOption { name: "Resign Percentage", rank: 3, form: LeelaForm::Spin {
            min: -1,
            max: 100,
            get: |s| match s.resignation {
                Resignation::Hopeless => -1,
                Resignation::Never => 0,
                Resignation::Below(share) => (100.0 * share).round() as i64,
            },
            set: |s, percent| {
                s.resignation = match percent {
                    -1 => Resignation::Hopeless,
                    0 => Resignation::Never,
                    1..=100 => Resignation::Below(percent as f32 / 100.0),
                    _ => return None,
                };
                Some(())
            },
        } }),
        ..ROW
    },
    Setting {
        about: about("lag", "SECONDS", "0.2", "What is lost of every move's time on the way to a server"),
        kind: Seconds(|s, time| s.lag = time),
        parameters: &[Parameter { name: "lagBuffer", get: |s| s.lag.as_secs_f64().to_string(), set: None }],
        option: Some(LeelaOption { name: "Lagbuffer", rank: 2, form: LeelaForm::Spin {
            min: 0,
            max: 3000,
            // In hundredths of a second.
            get: |s| (s.lag.as_millis() / 10) as i64,
            set: |s, hundredths| {
                s.lag = Duration::from_millis(10 * u64::from(u32::try_from(hundredths).ok()?));
                Some(())
            },
        } }),
        ..ROW
    },
    Setting {
        about: about("level", "L", "20", "How well to play, from 1 (whom a beginner beats) to 20 (full strength)")
            .details("Lower levels have few visits, whatever else is allowed, and the lowest overlook moves."),
        kind: Number { subject: "a level is", range: 1..=Level::FULL.number() as u64, set: |s, number| {
            let level = u8::try_from(number).ok().and_then(Level::new);
            s.level = level.expect("the range of this row is that of levels");
        } },
        parameters: &[Parameter { name: "level", get: |s| s.level.number().to_string(), set: None }],
        ..ROW
    },
    Setting {
        about: about("net", "FILE", "baseline", "The network to think with: a file that `tengen train` or \
                                                 KataGo made, or `none` for rollouts")
            .details("`baseline` is part of the program. A network judges boards up to the longest side that it has \
                      learned on, if its file says which. Larger boards are judged by rollouts, and the network has \
                      a say in which moves are searched. A network of KataGo judges boards up to 19x19."),
        kind: Line(|s, name| s.net = Some(name)),
        ..ROW
    },
    Setting {
        about: about("profile", "NAME", "none", "Whom a network of KataGo imitates that has learned from people")
            .details("`rank_5k`, `rank_5k_2d` for Black and White, `preaz_5k` for people before 2017, or \
                      `proyear_1990` for professionals. Moves are drawn as they would play them, at every level."),
        kind: Line(|s, name| s.profile = Some(name)),
        ..ROW
    },
    Setting {
        about: about("seed", "N", "0", "The seed of all that is random"),
        kind: Number { subject: "", range: 0..=u64::MAX, set: |s, seed| s.engine.seed = seed },
        effect: Effect::NewEngine,
        ..ROW
    },
    Setting {
        about: about("memory", "MIB", "1024", "The most memory for the tree, in MiB"),
        kind: Number {
            subject: "",
            range: 1..=usize::MAX as u64 >> 20,
            set: |s, mebibytes| s.engine.memory = (mebibytes as usize) << 20,
        },
        option: Some(LeelaOption { name: "Maximum Memory Use (MiB)", rank: 0, form: LeelaForm::Spin {
            min: 1,
            max: 1 << 20,
            get: |s| (s.engine.memory >> 20) as i64,
            set: |s, mebibytes| {
                let bytes = usize::try_from(mebibytes).ok()?.checked_mul(1 << 20)?;
                s.engine.memory = Some(bytes).filter(|bytes| *bytes > 0)?;
                Some(())
            },
        } }),
        effect: Effect::NewEngine,
        ..ROW
    },
    Setting {
        about: about("size", "SIZE", "19", "The board before a client asks for another")
            .details("`9x13` is 9 columns by 13 rows."),
        kind: Parsed {
            values: "1 to 25, or two such numbers",
            set: |s, text| parse(text).map(|size| s.size = size),
        },
        ..ROW
    },
    Setting {
        about: about("rules", "RULES", "tromp-taylor", "The rules before a client asks for others"),
        kind: Parsed { values: "a name or a text", set: |s, text| parse(text).map(|rules| s.rules = rules) },
        ..ROW
    },
    Setting {
        about: about("komi", "KOMI", "by rules and size", "The komi before a client asks for another"),
        kind: Parsed { values: "points, whole or half", set: |s, text| parse(text).map(|komi| s.komi = Some(komi)) },
        ..ROW
    },
    Setting {
        about: about("linger", "SECONDS", "5", "How long a search may go on when the client is gone"),
        kind: Seconds(|s, time| s.linger = time),
        ..ROW
    },
    Setting {
        about: about("no-files", "", "false", "Forbid clients to name files")
            .details("`loadsgf` and `printsgf` with a file are refused then."),
        kind: Switch(|s, on| s.files = match (on, s.files) {
            (true, _) => FileAccess::Forbidden,
            (false, FileAccess::Forbidden) => FileAccess::default(),
            (false, other) => other,
        }),
        ..ROW
    },
    Setting {
        about: about("force-files", "", "false", "Let `printsgf` write over files that are no game records")
            .conflicts(&["no-files"]),
        kind: Switch(|s, on| s.files = match (on, s.files) {
            // What is forbidden stays forbidden, whatever is said first.
            (_, FileAccess::Forbidden) => FileAccess::Forbidden,
            (true, _) => FileAccess::Forced,
            (false, _) => FileAccess::default(),
        }),
        ..ROW
    },
    Setting {
        about: about("name", "NAME", "Tengen", "The name that the client is told").aliases(&["override-name"]),
        kind: Line(|s, name| s.name = name),
        ..ROW
    },
    Setting {
        about: about("version", "VERSION", "that of Tengen", "The version that the client is told")
            .aliases(&["override-version"])
            .details("Some clients refuse versions that they have not heard of."),
        kind: Line(|s, version| s.version = version),
        ..ROW
    },
];

/// A row in which settings leave what they do not need.
const ROW: Setting = Setting {
    about: about("", "", "", ""),
    kind: Switch(|_, _| {}),
    parameters: &[],
    option: None,
    effect: Effect::NextMove,
};

fn out_of_range(problem: &str) -> Refusal {
    Refusal::OutOfRange(problem.to_owned())
}

/// A limit of visits, unless it is so high that it is none.
fn limit_of_visits(visits: u64) -> Option<u32> {
    u32::try_from(visits)
        .ok()
        .filter(|visits| *visits < u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A value of each setting that is not its default.
    const EXAMPLES: [(&str, &str); 19] = [
        ("visits", "100"),
        ("time", "0.5"),
        ("threads", "97"),
        ("ponder", "true"),
        ("resign", "0.05"),
        ("lag", "1"),
        ("level", "3"),
        ("net", "none"),
        ("profile", "rank_5k"),
        ("seed", "7"),
        ("memory", "64"),
        ("size", "9x13"),
        ("rules", "japanese"),
        ("komi", "6.5"),
        ("linger", "0"),
        ("no-files", "true"),
        ("force-files", "true"),
        ("name", "Deep Thought"),
        ("version", "42"),
    ];

    /// Settings whose default is no value that one could set.
    const PROSE: [&str; 7] = [
        "visits", "time", "threads", "net", "profile", "komi", "version",
    ];

    #[test]
    fn every_setting_takes_a_value_and_refuses_nonsense() {
        for (row, (name, value)) in SETTINGS.iter().zip(EXAMPLES) {
            assert_eq!(row.about.name, name);
            let mut settings = GtpSettings::default();
            settings.set(name, value).unwrap();
            assert_ne!(settings, GtpSettings::default(), "{name}");
            for bad in ["", "\n", "-1 apple"] {
                if matches!(name, "name" | "version" | "net" | "profile") && bad == "-1 apple" {
                    continue;
                }
                let refusal = GtpSettings::default().set(name, bad).unwrap_err();
                assert_eq!(refusal.name, name, "{refusal}");
            }
        }
    }

    #[test]
    fn every_default_is_what_the_row_says() {
        for row in &SETTINGS {
            let Description { name, default, .. } = row.about;
            let mut settings = GtpSettings::default();
            if !PROSE.contains(&name) {
                settings.set(name, default).unwrap();
            }
            assert_eq!(settings, GtpSettings::default(), "{name}");
            assert!(
                !default.is_empty() && !row.about.help.ends_with('.'),
                "{name}"
            );
        }
    }

    /// What KataGo's parameters and Leela Zero's options say of a setting, they take back as it is.
    #[test]
    fn what_other_programs_call_a_setting_reads_what_it_writes() {
        for (row, (name, value)) in SETTINGS.iter().zip(EXAMPLES) {
            let mut changed = GtpSettings::default();
            changed.set(name, value).unwrap();
            if let Some(parameter) = row.parameters.last() {
                let mut settings = GtpSettings::default();
                let text = (parameter.get)(&changed);
                match parameter.set {
                    Some(set) => set(&mut settings, &text).unwrap(),
                    None => row.kind.set(&mut settings, &text).unwrap(),
                }
                assert_eq!((parameter.get)(&settings), text, "{name}");
                assert_ne!(settings, GtpSettings::default(), "{name}");
            }
            if let Some(option) = &row.option {
                let mut settings = GtpSettings::default();
                match option.form {
                    LeelaForm::Spin { min, max, get, set } => {
                        let number = get(&changed);
                        assert!((min..=max).contains(&number), "{name}");
                        set(&mut settings, number).unwrap();
                        assert_eq!(get(&settings), number, "{name}");
                    }
                    LeelaForm::Check { get, set } => set(&mut settings, get(&changed)),
                }
                assert_ne!(settings, GtpSettings::default(), "{name}");
            }
        }
    }

    #[test]
    fn an_unknown_name_is_named() {
        let refusal = GtpSettings::default().set("visitors", "1").unwrap_err();
        assert!(refusal.to_string().starts_with("`visitors`: "), "{refusal}");
    }

    #[test]
    fn no_limit_has_a_name_in_every_dialect() {
        let limited = GtpSettings {
            visits: Some(9),
            time: Some(Duration::from_secs(9)),
            ..GtpSettings::default()
        };
        let visits = &SETTINGS[0];
        let mut settings = limited.clone();
        for (visits_text, expected) in [("4294967295", None), ("1e3", Some(9)), ("12", Some(12))] {
            settings.visits = limited.visits;
            let set = visits.parameters[0].set.unwrap();
            assert_eq!(set(&mut settings, visits_text).is_ok(), expected != Some(9));
            assert_eq!(settings.visits, expected, "{visits_text}");
        }
        let set = SETTINGS[1].parameters[0].set.unwrap();
        set(&mut settings, "1e20").unwrap();
        assert_eq!(settings.time, None);
        assert!(set(&mut settings, "NaN").is_err());
    }
}
