//! The tables of the settings of `tengen analysis`: a row for each, and nowhere else is anything said about it.
//!
//! To add a setting, add a field to [`QueryDefaults`] or [`AnalysisSettings`] with its default, a row here and an
//! example to the test at the end.

use super::{AnalysisSettings, AtEnd, QueryDefaults, UnusedFields};
use crate::analysis::course::StartingMoves;
use crate::setting::{Description, Kind, MOST_THREADS, Refusal, Row, parse};

/// A setting that is stored in `S`.
#[derive(Debug)]
pub(crate) struct Setting<S: 'static> {
    /// Its names, its default and its help.
    pub(crate) about: Description,
    /// Its values.
    pub(crate) kind: Kind<S>,
    /// What KataGo calls it.
    pub(crate) keys: &'static [Key],
}

/// A name that KataGo has for a setting.
#[derive(Debug)]
pub(crate) struct Key {
    pub(crate) name: &'static str,
    /// Where the name is understood.
    pub(crate) sources: &'static [Source],
    /// The most that a number under this name counts for, on a machine with so many cores.
    pub(crate) lowered_to: Option<fn(usize) -> usize>,
}

/// Where KataGo's names of settings occur.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Source {
    /// In a configuration file, and in `--override-config`.
    Config,
    /// In a query's `overrideSettings`.
    Override,
    /// As a field of a query.
    Field,
}

impl Key {
    const fn new(name: &'static str, sources: &'static [Source]) -> Self {
        Self {
            name,
            sources,
            lowered_to: None,
        }
    }

    const fn lowered(name: &'static str, most: fn(usize) -> usize) -> Self {
        Self {
            lowered_to: Some(most),
            ..Self::new(name, CONFIG)
        }
    }
}

/// The setting that KataGo calls by this name in this place.
pub(crate) fn find<'a, S>(
    table: &'a [Setting<S>],
    name: &str,
    source: Source,
) -> Option<(&'a Setting<S>, &'a Key)> {
    let is_meant = |key: &&Key| key.name == name && key.sources.contains(&source);
    let in_row = |row: &'a Setting<S>| Some((row, row.keys.iter().find(is_meant)?));
    table.iter().find_map(in_row)
}

impl<S> Setting<S> {
    /// Is this one of our own names for it?
    pub(crate) fn is_called(&self, name: &str) -> bool {
        self.about.name == name || self.about.aliases.contains(&name)
    }

    /// What command lines and documents need of it.
    pub(crate) fn row(&'static self) -> Row {
        let names = |source: Source| {
            let known = self.keys.iter();
            known
                .filter(|key| key.sources.contains(&source))
                .map(|key| key.name)
                .collect()
        };
        Row {
            description: &self.about,
            values: self.kind.values(),
            foreign_names: [names(Source::Config), names(Source::Override)],
        }
    }
}

const CONFIG: &[Source] = &[Source::Config];
const CONFIG_AND_OVERRIDE: &[Source] = &[Source::Config, Source::Override];
const EVERYWHERE: &[Source] = &[Source::Config, Source::Override, Source::Field];

/// The settings of a single query, some of which it may change for itself.
pub(crate) static QUERY_SETTINGS: [Setting<QueryDefaults>; 7] = [
    Setting {
        about: Description {
            name: "visits",
            value_name: "N",
            default: "1000",
            help: "Visits of a position whose query does not say",
            ..Description::NONE
        },
        kind: Kind::Number {
            subject: "a number from",
            // KataGo's own range.
            range: 1..=1 << 50,
            // As many as a search can count.
            set: |defaults, visits| defaults.visits = u32::try_from(visits).unwrap_or(u32::MAX),
        },
        keys: &[
            Key::new("maxVisits", EVERYWHERE),
            Key::new("maxPlayouts", &[Source::Override]),
        ],
    },
    Setting {
        about: Description {
            name: "time",
            value_name: "SECONDS",
            default: "no limit",
            help: "The most time for a position",
            ..Description::NONE
        },
        kind: Kind::TimeLimit(|defaults, time| defaults.time = time),
        keys: &[Key::new("maxTime", CONFIG_AND_OVERRIDE)],
    },
    Setting {
        about: Description {
            name: "report-winrates-as",
            value_name: "SIDE",
            default: "BLACK",
            help: "Whose win rates are reported",
            ..Description::NONE
        },
        kind: Kind::Parsed {
            values: "`BLACK`, `WHITE`, `SIDETOMOVE`",
            set: |defaults, text| {
                defaults.perspective = parse(text)?;
                Ok(())
            },
        },
        keys: &[Key::new("reportAnalysisWinratesAs", CONFIG_AND_OVERRIDE)],
    },
    Setting {
        about: Description {
            name: "variation-length",
            value_name: "N",
            default: "15",
            help: "Moves of a variation that are reported after the first",
            ..Description::NONE
        },
        kind: Kind::Number {
            subject: "a number from",
            range: 1..=1000,
            set: |defaults, length| defaults.variation_length = length as usize,
        },
        keys: &[Key::new("analysisPVLen", EVERYWHERE)],
    },
    Setting {
        about: Description {
            name: "rules",
            value_name: "RULES",
            default: "none",
            help: "The rules of queries that name none; without it, such a query is an error",
            ..Description::NONE
        },
        kind: Kind::Parsed {
            values: "a name or a text",
            set: |defaults, text| {
                defaults.rules = Some(parse(text)?);
                Ok(())
            },
        },
        keys: &[],
    },
    Setting {
        about: Description {
            name: "warn-unused-fields",
            value_name: "BOOL",
            default: "true",
            help: "Whether unknown fields of a query are warned about",
            ..Description::NONE
        },
        kind: Kind::Parsed {
            values: SWITCH_VALUES,
            set: |defaults, text| {
                defaults.unused_fields = match katago_switch(text)? {
                    true => UnusedFields::Warn,
                    false => UnusedFields::Ignore,
                };
                Ok(())
            },
        },
        keys: &[Key::new("warnUnusedFields", CONFIG)],
    },
    Setting {
        about: Description {
            name: "assume-handicap",
            value_name: "BOOL",
            default: "true",
            help: "Whether several black moves at the start are a handicap",
            ..Description::NONE
        },
        kind: Kind::Parsed {
            values: SWITCH_VALUES,
            set: |defaults, text| {
                defaults.starting_moves = match katago_switch(text)? {
                    true => StartingMoves::Handicap,
                    false => StartingMoves::Ordinary,
                };
                Ok(())
            },
        },
        keys: &[Key::new(
            "assumeMultipleStartingBlackMovesAreHandicap",
            CONFIG,
        )],
    },
];

/// The settings of all queries together.
pub(crate) static SERVICE_SETTINGS: [Setting<AnalysisSettings>; 6] = [
    Setting {
        about: Description {
            name: "analysis-threads",
            value_name: "N",
            default: "2",
            help: "Positions that are searched at a time",
            ..Description::NONE
        },
        kind: Kind::Number {
            subject: "a number from",
            range: 1..=MOST_THREADS,
            set: |settings, threads| settings.positions = threads as usize,
        },
        // Two at least, so that a quick question need not wait for one that takes long.
        keys: &[Key::lowered("numAnalysisThreads", |cores| cores.max(2))],
    },
    Setting {
        about: Description {
            name: "search-threads",
            value_name: "N",
            default: "all cores",
            help: "Threads that search a position",
            details: "With one, the same seed finds the same every time.",
            ..Description::NONE
        },
        kind: Kind::Number {
            subject: "a number from",
            range: 1..=MOST_THREADS,
            set: |settings, threads| settings.engine.threads = threads as usize,
        },
        keys: &[
            Key::lowered("numSearchThreadsPerAnalysisThread", |cores| cores.max(1)),
            Key::lowered("numSearchThreads", |cores| cores.max(1)),
        ],
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
        keys: &[],
    },
    Setting {
        about: Description {
            name: "memory",
            value_name: "MIB",
            default: "1024",
            help: "Memory for all searches together, in MiB",
            ..Description::NONE
        },
        kind: Kind::Number {
            subject: "a number from",
            range: 1..=MOST_MEBIBYTES,
            set: |settings, mebibytes| settings.engine.memory = (mebibytes as usize) << 20,
        },
        keys: &[],
    },
    Setting {
        about: Description {
            name: "model",
            aliases: &["net"],
            value_name: "FILE",
            default: "baseline",
            help: "The network to think with: a file that `tengen train` made, or `none` for rollouts",
            details: "`baseline` is part of the program. A network of KataGo cannot be read; it is named and left out.",
            ..Description::NONE
        },
        kind: Kind::Line(|settings, name| settings.net = Some(name)),
        keys: &[],
    },
    Setting {
        about: Description {
            name: "quit-without-waiting",
            default: "false",
            help: "When the input ends, end at once instead of answering what is left",
            ..Description::NONE
        },
        kind: Kind::Switch(|settings, on| {
            settings.at_end = match on {
                true => AtEnd::Abandon,
                false => AtEnd::Finish,
            }
        }),
        keys: &[],
    },
];

/// 16 TiB, and on machines with short pointers what they can count.
const MOST_MEBIBYTES: u64 = match usize::BITS {
    64 => 1 << 24,
    _ => (usize::MAX >> 20) as u64,
};

const SWITCH_VALUES: &str = "`true`, `false`";

/// `true` or `false` in any case; KataGo's files also write them 1 and 0.
fn katago_switch(text: &str) -> Result<bool, Refusal> {
    match text.to_ascii_lowercase().as_str() {
        "true" | "1" => Ok(true),
        "false" | "0" => Ok(false),
        _ => Err(Refusal::Unreadable("true or false".to_owned())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::setting::Tabulated;

    /// A value of each setting that is not its default.
    const EXAMPLES: [(&str, &str); 13] = [
        ("visits", "100"),
        ("time", "0.5"),
        ("report-winrates-as", "SIDETOMOVE"),
        ("variation-length", "3"),
        ("rules", "aga"),
        ("warn-unused-fields", "false"),
        ("assume-handicap", "0"),
        ("analysis-threads", "12"),
        ("search-threads", "97"),
        ("seed", "7"),
        ("memory", "64"),
        ("model", "none"),
        ("quit-without-waiting", "true"),
    ];

    /// Settings whose default is no value that one could set.
    const PROSE: [&str; 4] = ["time", "rules", "search-threads", "model"];

    #[test]
    fn every_setting_takes_a_value_and_refuses_nonsense() {
        let rows = AnalysisSettings::rows();
        assert_eq!(rows.len(), EXAMPLES.len());
        for (row, (name, value)) in rows.iter().zip(EXAMPLES) {
            assert_eq!(row.description.name, name);
            let mut settings = AnalysisSettings::default();
            settings.set(name, value).unwrap();
            assert_ne!(settings, AnalysisSettings::default(), "{name}");
            for bad in ["", "\n", "-1 apple"] {
                if name == "model" && bad == "-1 apple" {
                    continue;
                }
                let refusal = AnalysisSettings::default().set(name, bad).unwrap_err();
                assert_eq!(refusal.name, name, "{refusal}");
            }
        }
        assert!(AnalysisSettings::default().set("maxVisits", "1").is_err());
    }

    #[test]
    fn every_default_is_what_the_row_says() {
        for row in AnalysisSettings::rows() {
            let Description { name, default, .. } = *row.description;
            let mut settings = AnalysisSettings::default();
            if !PROSE.contains(&name) {
                settings.set(name, default).unwrap();
            }
            assert_eq!(settings, AnalysisSettings::default(), "{name}");
            assert!(
                !default.is_empty() && !row.description.help.ends_with('.'),
                "{name}"
            );
        }
    }
}
