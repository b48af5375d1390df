//! The table of the settings of `tengen gtp`: a row for each, and nowhere else is anything said about it.
//!
//! To add a setting, add a field to [`GtpSettings`] with its default, a row here and an example to the test at the end.

use std::time::Duration;

use tengen_search::Level;

use super::{GtpSettings, Resignation};
use crate::setting::{Description, Kind, MOST_THREADS, Refusal, parse, seconds};

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

/// A row in which settings leave what they do not need.
const ROW: Setting = Setting {
    about: Description::NONE,
    kind: Kind::Switch(|_, _| {}),
    parameters: &[],
    option: None,
    effect: Effect::NextMove,
};

/// All settings, in the order in which help, documents and `kata-list-params` have them.
pub(crate) static SETTINGS: [Setting; 16] = [
    Setting {
        about: Description {
            name: "visits",
            value_name: "N",
            default: "none",
            help: "The most visits a move",
            conflicts: &["time"],
            ..Description::NONE
        },
        kind: Kind::Number {
            subject: "",
            range: 1..=u32::MAX as u64,
            set: |settings, visits| settings.visits = u32::try_from(visits).ok(),
        },
        parameters: &[Parameter {
            name: "maxVisits",
            get: |settings| settings.visits.unwrap_or(u32::MAX).to_string(),
            set: Some(|settings, text| {
                match parse(text)? {
                    0 => {
                        let problem = "a move takes at least 1 visit";
                        return Err(Refusal::OutOfRange(problem.to_owned()));
                    }
                    visits => settings.visits = limit_of_visits(visits),
                }
                Ok(())
            }),
        }],
        option: Some(LeelaOption {
            name: "Visits",
            rank: 1,
            form: LeelaForm::Spin {
                min: 0,
                max: 1_000_000_000,
                // No visits are any number of them.
                get: |settings| settings.visits.unwrap_or(0).into(),
                set: |settings, visits| {
                    let visits = u64::try_from(visits).ok()?;
                    settings.visits = limit_of_visits(visits).filter(|visits| *visits > 0);
                    Some(())
                },
            },
        }),
        ..ROW
    },
    Setting {
        about: Description {
            name: "time",
            value_name: "SECONDS",
            default: "none",
            help: "The most time a move",
            details: "Without visits, a clock and this, a move takes two seconds.",
            ..Description::NONE
        },
        kind: Kind::Seconds(|settings, time| settings.time = Some(time)),
        parameters: &[Parameter {
            name: "maxTime",
            get: |settings| {
                let limit = settings.time.map(|time| time.as_secs_f64());
                limit.unwrap_or(KATAGO_NO_LIMIT).to_string()
            },
            set: Some(|settings, text| {
                let is_endless = text.parse().is_ok_and(|time: f64| time >= KATAGO_NO_LIMIT);
                settings.time = match is_endless {
                    true => None,
                    false => Some(seconds(text)?),
                };
                Ok(())
            }),
        }],
        ..ROW
    },
    Setting {
        about: Description {
            name: "threads",
            value_name: "N",
            default: "all cores",
            help: "How many threads search",
            details: "With one and a fixed number of visits, the same seed plays the same game.",
            ..Description::NONE
        },
        kind: Kind::Number {
            subject: "threads are",
            range: 1..=MOST_THREADS,
            set: |settings, threads| settings.engine.threads = threads as usize,
        },
        parameters: &[Parameter {
            name: "numSearchThreads",
            get: |settings| settings.engine.threads.to_string(),
            set: None,
        }],
        effect: Effect::NewEngine,
        ..ROW
    },
    Setting {
        about: Description {
            name: "ponder",
            default: "false",
            help: "Think while the opponent does",
            ..Description::NONE
        },
        kind: Kind::Switch(|settings, on| settings.ponder = on),
        parameters: &[Parameter {
            name: "ponderingEnabled",
            get: |settings| settings.ponder.to_string(),
            set: None,
        }],
        option: Some(LeelaOption {
            name: "Pondering",
            rank: 4,
            form: LeelaForm::Check {
                get: |settings| settings.ponder,
                set: |settings, on| settings.ponder = on,
            },
        }),
        ..ROW
    },
    Setting {
        about: Description {
            name: "resign",
            value_name: "WHEN",
            default: "hopeless",
            help: "When to give up a game",
            details: "`never`, `hopeless`, or a win rate such as 0.05 that three moves in a row fell short of.",
            ..Description::NONE
        },
        kind: Kind::Parsed {
            values: "`never`, `hopeless`, a win rate",
            set: |settings, text| {
                settings.resignation = parse(text)?;
                Ok(())
            },
        },
        parameters: &[
            Parameter {
                name: "allowResignation",
                get: |settings| (settings.resignation != Resignation::Never).to_string(),
                set: Some(|settings, text| {
                    settings.resignation = match (parse(text)?, settings.resignation) {
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
                get: |settings| match settings.resignation {
                    Resignation::Below(share) => format!("{:.6}", 2.0 * share - 1.0),
                    Resignation::Hopeless | Resignation::Never => "-1".to_owned(),
                },
                set: Some(|settings, text| {
                    let threshold: f32 = parse(text)?;
                    if !(-1.0..1.0).contains(&threshold) {
                        let problem = "the threshold is -1 to 1";
                        return Err(Refusal::OutOfRange(problem.to_owned()));
                    }
                    settings.resignation = Resignation::Below(f32::midpoint(threshold, 1.0));
                    Ok(())
                }),
            },
        ],
        option: Some(LeelaOption {
            name: "Resign Percentage",
            rank: 3,
            form: LeelaForm::Spin {
                min: -1,
                max: 100,
                get: |settings| match settings.resignation {
                    Resignation::Hopeless => -1,
                    Resignation::Never => 0,
                    Resignation::Below(share) => (100.0 * share).round() as i64,
                },
                set: |settings, percent| {
                    settings.resignation = match percent {
                        -1 => Resignation::Hopeless,
                        0 => Resignation::Never,
                        1..=100 => Resignation::Below(percent as f32 / 100.0),
                        _ => return None,
                    };
                    Some(())
                },
            },
        }),
        ..ROW
    },
    Setting {
        about: Description {
            name: "lag",
            value_name: "SECONDS",
            default: "0.2",
            help: "What is lost of every move's time on the way to a server",
            ..Description::NONE
        },
        kind: Kind::Seconds(|settings, time| settings.lag = time),
        parameters: &[Parameter {
            name: "lagBuffer",
            get: |settings| settings.lag.as_secs_f64().to_string(),
            set: None,
        }],
        option: Some(LeelaOption {
            name: "Lagbuffer",
            rank: 2,
            form: LeelaForm::Spin {
                min: 0,
                max: 3000,
                // In hundredths of a second.
                get: |settings| (settings.lag.as_millis() / 10) as i64,
                set: |settings, hundredths| {
                    let hundredths = u32::try_from(hundredths).ok()?;
                    settings.lag = Duration::from_millis(10 * u64::from(hundredths));
                    Some(())
                },
            },
        }),
        ..ROW
    },
    Setting {
        about: Description {
            name: "level",
            value_name: "L",
            default: "10",
            help: "How well to play, from 1 (a beginner) to 10 (full strength)",
            details: "Up to level 6 rollouts judge, whatever the network.",
            ..Description::NONE
        },
        kind: Kind::Number {
            subject: "a level is",
            range: 1..=Level::FULL.number() as u64,
            set: |settings, number| {
                let level = u8::try_from(number).ok().and_then(Level::new);
                settings.level = level.expect("the range of this row is that of levels");
            },
        },
        parameters: &[Parameter {
            name: "level",
            get: |settings| settings.level.number().to_string(),
            set: None,
        }],
        ..ROW
    },
    Setting {
        about: Description {
            name: "net",
            value_name: "FILE",
            default: "baseline",
            help: "The network to think with: a file that `tengen train` made, or `none` for rollouts",
            details: "`baseline` is part of the program. A network judges boards up to the longest side that it has \
                      learned on, if its file says which, and two rollouts from each position weigh as much as it \
                      does. Larger boards are judged by rollouts, and the network has a say in which moves are \
                      searched.",
            ..Description::NONE
        },
        kind: Kind::Line(|settings, name| settings.net = Some(name)),
        ..ROW
    },
    Setting {
        about: Description {
            name: "seed",
            value_name: "N",
            default: "0",
            help: "The seed of all that is random",
            ..Description::NONE
        },
        kind: Kind::Number {
            subject: "",
            range: 0..=u64::MAX,
            set: |settings, seed| settings.engine.seed = seed,
        },
        effect: Effect::NewEngine,
        ..ROW
    },
    Setting {
        about: Description {
            name: "memory",
            value_name: "MIB",
            default: "1024",
            help: "The most memory for the tree, in MiB",
            ..Description::NONE
        },
        kind: Kind::Number {
            subject: "",
            range: 1..=usize::MAX as u64 >> 20,
            set: |settings, mebibytes| settings.engine.memory = (mebibytes as usize) << 20,
        },
        option: Some(LeelaOption {
            name: "Maximum Memory Use (MiB)",
            rank: 0,
            form: LeelaForm::Spin {
                min: 1,
                max: 1 << 20,
                get: |settings| (settings.engine.memory >> 20) as i64,
                set: |settings, mebibytes| {
                    let bytes = usize::try_from(mebibytes).ok()?.checked_mul(1 << 20)?;
                    settings.engine.memory = Some(bytes).filter(|bytes| *bytes > 0)?;
                    Some(())
                },
            },
        }),
        effect: Effect::NewEngine,
        ..ROW
    },
    Setting {
        about: Description {
            name: "size",
            value_name: "SIZE",
            default: "19",
            help: "The board before a client asks for another",
            details: "`9x13` is 9 columns by 13 rows.",
            ..Description::NONE
        },
        kind: Kind::Parsed {
            values: "1 to 25, or two such numbers",
            set: |settings, text| {
                settings.size = parse(text)?;
                Ok(())
            },
        },
        ..ROW
    },
    Setting {
        about: Description {
            name: "rules",
            value_name: "RULES",
            default: "tromp-taylor",
            help: "The rules before a client asks for others",
            ..Description::NONE
        },
        kind: Kind::Parsed {
            values: "a name or a text",
            set: |settings, text| {
                settings.rules = parse(text)?;
                Ok(())
            },
        },
        ..ROW
    },
    Setting {
        about: Description {
            name: "komi",
            value_name: "KOMI",
            default: "by rules and size",
            help: "The komi before a client asks for another",
            ..Description::NONE
        },
        kind: Kind::Parsed {
            values: "points, whole or half",
            set: |settings, text| {
                settings.komi = Some(parse(text)?);
                Ok(())
            },
        },
        ..ROW
    },
    Setting {
        about: Description {
            name: "linger",
            value_name: "SECONDS",
            default: "5",
            help: "How long a search may go on when the client is gone",
            ..Description::NONE
        },
        kind: Kind::Seconds(|settings, time| settings.linger = time),
        ..ROW
    },
    Setting {
        about: Description {
            name: "name",
            aliases: &["override-name"],
            value_name: "NAME",
            default: "Tengen",
            help: "The name that the client is told",
            ..Description::NONE
        },
        kind: Kind::Line(|settings, name| settings.name = name),
        ..ROW
    },
    Setting {
        about: Description {
            name: "version",
            aliases: &["override-version"],
            value_name: "VERSION",
            default: "that of Tengen",
            help: "The version that the client is told",
            details: "Some clients refuse versions that they have not heard of.",
            ..Description::NONE
        },
        kind: Kind::Line(|settings, version| settings.version = version),
        ..ROW
    },
];

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
    const EXAMPLES: [(&str, &str); 16] = [
        ("visits", "100"),
        ("time", "0.5"),
        ("threads", "97"),
        ("ponder", "true"),
        ("resign", "0.05"),
        ("lag", "1"),
        ("level", "3"),
        ("net", "none"),
        ("seed", "7"),
        ("memory", "64"),
        ("size", "9x13"),
        ("rules", "japanese"),
        ("komi", "6.5"),
        ("linger", "0"),
        ("name", "Deep Thought"),
        ("version", "42"),
    ];

    /// Settings whose default is no value that one could set.
    const PROSE: [&str; 6] = ["visits", "time", "threads", "net", "komi", "version"];

    #[test]
    fn every_setting_takes_a_value_and_refuses_nonsense() {
        for (row, (name, value)) in SETTINGS.iter().zip(EXAMPLES) {
            assert_eq!(row.about.name, name);
            let mut settings = GtpSettings::default();
            settings.set(name, value).unwrap();
            assert_ne!(settings, GtpSettings::default(), "{name}");
            for bad in ["", "\n", "-1 apple"] {
                if matches!(name, "name" | "version" | "net") && bad == "-1 apple" {
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
