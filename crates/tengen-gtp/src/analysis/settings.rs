//! What holds for all queries.

mod table;

use std::time::Duration;

use tengen_core::Rules;
use tengen_search::Options;

use super::course::StartingMoves;
use super::people::People;
use super::perspective::Perspective;
use crate::config::{ConfigError, Entry};
use crate::setting::{Refusal, Row, SettingError, Tabulated};

pub(super) use table::{QUERY_SETTINGS, Source, find};
use table::{SERVICE_SETTINGS, Setting};

/// How queries are served. `analysis/settings/table.rs` has a row for each field, and for each of [`QueryDefaults`].
#[derive(Clone, Debug, PartialEq)]
pub struct AnalysisSettings {
    /// What a query means that does not say it itself.
    pub defaults: QueryDefaults,
    /// How many positions are searched at a time, each by an engine of its own.
    pub positions: usize,
    /// How these engines think; they share the memory.
    pub engine: Options,
    /// The network that the program loads for them; `None` is the one that is part of the program.
    pub net: Option<String>,
    /// What happens to queries that are still open when the input ends.
    pub at_end: AtEnd,
}

/// What a query means that does not say it itself.
#[derive(Clone, Debug, PartialEq)]
pub struct QueryDefaults {
    /// How many visits a position gets at most.
    pub visits: u32,
    /// How long a position is searched at most.
    pub time: Option<Duration>,
    /// From whose side numbers are seen.
    pub perspective: Perspective,
    /// How many moves of a variation are reported after the first.
    pub variation_length: usize,
    /// The rules; without them, a query has to name its own.
    pub rules: Option<Rules>,
    /// What to say about fields that nobody knows.
    pub unused_fields: UnusedFields,
    /// What Black's moves are before White's first.
    pub starting_moves: StartingMoves,
    /// The network that imitates people, if there is one.
    pub people: Option<People>,
}

/// What to say about fields that nobody knows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum UnusedFields {
    /// Each is answered with a warning.
    #[default]
    Warn,
    /// Nothing.
    Ignore,
}

/// What happens to queries that are still open when the input ends.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum AtEnd {
    /// They are answered first.
    #[default]
    Finish,
    /// They are given up.
    Abandon,
}

impl Default for QueryDefaults {
    fn default() -> Self {
        Self {
            visits: 1000,
            time: None,
            perspective: Perspective::default(),
            variation_length: 15,
            rules: None,
            unused_fields: UnusedFields::default(),
            starting_moves: StartingMoves::default(),
            people: None,
        }
    }
}

impl Default for AnalysisSettings {
    fn default() -> Self {
        Self {
            defaults: QueryDefaults::default(),
            // A second one answers while the first is busy with a long search.
            positions: 2,
            engine: Options::default(),
            net: None,
            at_end: AtEnd::default(),
        }
    }
}

impl AnalysisSettings {
    /// Applies the entries of a configuration in turn, and returns the names of those that mean nothing here.
    ///
    /// KataGo's numbers of threads are chosen for a graphics card that wants many positions at once, so under its names
    /// they are lowered to `cores`; under our own they are taken as they are.
    pub fn apply<'a>(
        &mut self,
        entries: &'a [Entry],
        cores: usize,
    ) -> Result<Vec<&'a str>, ConfigError> {
        let mut ignored = Vec::new();
        for Entry { key, value } in entries {
            // An empty value takes a setting back.
            if value.is_empty() {
                continue;
            }
            let changed = change(&QUERY_SETTINGS, &mut self.defaults, key, value, cores)
                .or_else(|| change(&SERVICE_SETTINGS, self, key, value, cores));
            match changed {
                None => ignored.push(key.as_str()),
                Some(Ok(())) => {}
                Some(Err(refusal)) => {
                    return Err(ConfigError {
                        line: None,
                        problem: format!("{key} = {value}: {refusal}"),
                    });
                }
            }
        }
        Ok(ignored)
    }
}

/// Changes the setting that a configuration calls by this name, or returns `None` if this table has none.
fn change<S>(
    table: &[Setting<S>],
    settings: &mut S,
    name: &str,
    value: &str,
    cores: usize,
) -> Option<Result<(), Refusal>> {
    if let Some(row) = table.iter().find(|row| row.is_called(name)) {
        return Some(row.kind.set(settings, value));
    }
    let (row, key) = find(table, name, Source::Config)?;
    let most = key.lowered_to.map(|most| most(cores));
    let changed =
        row.kind
            .set(settings, value)
            .and_then(|()| match (most, value.parse::<usize>()) {
                (Some(most), Ok(number)) if number > most => {
                    row.kind.set(settings, &most.to_string())
                }
                _ => Ok(()),
            });
    Some(changed)
}

impl Tabulated for AnalysisSettings {
    fn rows() -> Vec<Row> {
        let query = QUERY_SETTINGS.iter().map(Setting::row);
        query
            .chain(SERVICE_SETTINGS.iter().map(Setting::row))
            .collect()
    }

    fn set(&mut self, name: &str, value: &str) -> Result<(), SettingError> {
        let query = QUERY_SETTINGS.iter().find(|row| row.is_called(name));
        let service = SERVICE_SETTINGS.iter().find(|row| row.is_called(name));
        match (query, service) {
            (Some(row), _) => row.kind.set(&mut self.defaults, value),
            (None, Some(row)) => row.kind.set(self, value),
            (None, None) => return Err(SettingError::unknown::<Self>(name)),
        }
        .map_err(|refusal| SettingError::refused(name, &refusal))
    }
}
#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::{read_katago, read_overrides};

    #[test]
    fn reads_a_katago_config() {
        let text = "\u{feff}# Config\r\n\
            reportAnalysisWinratesAs = SIDETOMOVE  # or BLACK\r\n\
            \r\n\
            numAnalysisThreads = 12\n\
            numSearchThreads = 8\n\
            maxVisits = 500\n\
            maxTime = 2.5\n\
            nnCacheSizePowerOfTwo = 20\n\
            logDir = \"a # b\" # quoted\n\
            @include other.cfg\n\
            warnUnusedFields = false\n";
        let entries = read_katago(text).unwrap();
        assert_eq!(entries[6].value, "a # b");
        let mut settings = AnalysisSettings::default();
        let ignored = settings.apply(&entries, 4).unwrap();
        assert_eq!(ignored, ["nnCacheSizePowerOfTwo", "logDir", "@include"]);
        assert_eq!(settings.positions, 4);
        assert_eq!(settings.engine.threads, 4);
        assert_eq!(settings.defaults.visits, 500);
        assert_eq!(settings.defaults.time, Some(Duration::from_millis(2500)));
        assert_eq!(settings.defaults.perspective, Perspective::SideToMove);
        assert_eq!(settings.defaults.unused_fields, UnusedFields::Ignore);
        // One core still answers a second query while the first is searched.
        settings.apply(&entries, 1).unwrap();
        assert_eq!((settings.positions, settings.engine.threads), (2, 1));
    }

    #[test]
    fn our_own_names_are_taken_as_they_are() {
        let entries = read_overrides("analysis-threads=12, search-threads=3,,rules=aga").unwrap();
        let mut settings = AnalysisSettings::default();
        assert!(settings.apply(&entries, 2).unwrap().is_empty());
        assert_eq!((settings.positions, settings.engine.threads), (12, 3));
        assert_eq!(settings.defaults.rules, Some("aga".parse().unwrap()));
    }

    #[test]
    fn says_what_is_wrong() {
        for (text, problem) in [
            ("numAnalysisThreads=0", "from 1"),
            ("numAnalysisThreads=99999", "from 1"),
            ("maxVisits=-3", "from 1"),
            ("maxTime=soon", "seconds"),
            ("maxTime=-1", "seconds"),
            ("maxTime=NaN", "seconds"),
            ("reportAnalysisWinratesAs=GREEN", "BLACK"),
            ("rules=chess", "chess"),
            ("seed=x", "whole number"),
            ("memory=0", "from 1"),
            ("warnUnusedFields=perhaps", "true or false"),
        ] {
            let entries = read_overrides(text).unwrap();
            let error = AnalysisSettings::default().apply(&entries, 2).unwrap_err();
            assert!(error.to_string().contains(problem), "{text}: {error}");
        }
    }
}
