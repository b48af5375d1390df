//! The tables of the settings of `tengen analysis`: a row for each, and nowhere else is anything said about it.
//!
//! To add a setting, add a field to [`QueryDefaults`] or [`AnalysisSettings`] with its default, a row here and an
//! example to the test at the end.

use super::{AnalysisSettings, AtEnd, QueryDefaults, UnusedFields};
use crate::analysis::course::StartingMoves;
use crate::setting::Kind::{Line, Number, Parsed, Switch, TimeLimit};
use crate::setting::{Description, Kind, MOST_THREADS, Refusal, Row, about, parse};

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
#[rustfmt::skip]
pub(crate) static QUERY_SETTINGS: [Setting<QueryDefaults>; 7] = [
    Setting {
        about: about("visits", "N", "1000", "Visits of a position whose query does not say"),
        // KataGo's own range; more than a search can count are as many as it can.
        kind: Number {
            subject: "a number from",
            range: 1..=1 << 50,
            set: |d, visits| d.visits = u32::try_from(visits).unwrap_or(u32::MAX),
        },
        keys: &[Key::new("maxVisits", EVERYWHERE), Key::new("maxPlayouts", &[Source::Override])],
    },
    Setting {
        about: about("time", "SECONDS", "no limit", "The most time for a position"),
        kind: TimeLimit(|d, time| d.time = time),
        keys: &[Key::new("maxTime", CONFIG_AND_OVERRIDE)],
    },
    Setting {
        about: about("report-winrates-as", "SIDE", "BLACK", "Whose win rates are reported"),
        kind: Parsed {
            values: "`BLACK`, `WHITE`, `SIDETOMOVE`",
            set: |d, text| parse(text).map(|side| d.perspective = side),
        },
        keys: &[Key::new("reportAnalysisWinratesAs", CONFIG_AND_OVERRIDE)],
    },
    Setting {
        about: about("variation-length", "N", "15", "Moves of a variation that are reported after the first"),
        kind: Number { subject: "a number from", range: 1..=1000, set: |d, n| d.variation_length = n as usize },
        keys: &[Key::new("analysisPVLen", EVERYWHERE)],
    },
    Setting {
        about: about("rules", "RULES", "none", "The rules of queries that name none; \
                                                without it, such a query is an error"),
        kind: Parsed { values: "a name or a text", set: |d, text| parse(text).map(|rules| d.rules = Some(rules)) },
        keys: &[],
    },
    Setting {
        about: about("warn-unused-fields", "BOOL", "true", "Whether unknown fields of a query are warned about"),
        kind: Parsed { values: SWITCH_VALUES, set: |d, text| {
            d.unused_fields = match katago_switch(text)? {
                true => UnusedFields::Warn,
                false => UnusedFields::Ignore,
            };
            Ok(())
        } },
        keys: &[Key::new("warnUnusedFields", CONFIG)],
    },
    Setting {
        about: about("assume-handicap", "BOOL", "true", "Whether several black moves at the start are a handicap"),
        kind: Parsed { values: SWITCH_VALUES, set: |d, text| {
            d.starting_moves = match katago_switch(text)? {
                true => StartingMoves::Handicap,
                false => StartingMoves::Ordinary,
            };
            Ok(())
        } },
        keys: &[Key::new("assumeMultipleStartingBlackMovesAreHandicap", CONFIG)],
    },
];

/// The settings of all queries together.
#[rustfmt::skip]
pub(crate) static SERVICE_SETTINGS: [Setting<AnalysisSettings>; 6] = [
    Setting {
        about: about("analysis-threads", "N", "2", "Positions that are searched at a time"),
        kind: Number { subject: "a number from", range: 1..=MOST_THREADS, set: |s, n| s.positions = n as usize },
        // Two at least, so that a quick question need not wait for one that takes long.
        keys: &[Key::lowered("numAnalysisThreads", |cores| cores.max(2))],
    },
    Setting {
        about: about("search-threads", "N", "all cores", "Threads that search a position")
            .details("With one, the same seed finds the same every time."),
        kind: Number { subject: "a number from", range: 1..=MOST_THREADS, set: |s, n| s.engine.threads = n as usize },
        keys: &[
            Key::lowered("numSearchThreadsPerAnalysisThread", |cores| cores.max(1)),
            Key::lowered("numSearchThreads", |cores| cores.max(1)),
        ],
    },
    Setting {
        about: about("seed", "N", "0", "The seed of all that is random"),
        kind: Number { subject: "", range: 0..=u64::MAX, set: |s, seed| s.engine.seed = seed },
        keys: &[],
    },
    Setting {
        about: about("memory", "MIB", "1024", "Memory for all searches together, in MiB"),
        kind: Number {
            subject: "a number from",
            range: 1..=MOST_MEBIBYTES,
            set: |s, mebibytes| s.engine.memory = (mebibytes as usize) << 20,
        },
        keys: &[],
    },
    Setting {
        about: about("model", "FILE", "baseline", "The network to think with: a file that `tengen train` or \
                                                   KataGo made, or `none` for rollouts")
            .aliases(&["net"])
            .details("`baseline` is part of the program. \
                      A network of KataGo that is not there is named and left out."),
        kind: Line(|s, name| s.net = Some(name)),
        keys: &[],
    },
    Setting {
        about: about("quit-without-waiting", "", "false", "When the input ends, end at once \
                                                           instead of answering what is left"),
        kind: Switch(|s, on| s.at_end = if on { AtEnd::Abandon } else { AtEnd::Finish }),
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
