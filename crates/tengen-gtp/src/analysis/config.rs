//! Configuration files, in KataGo's notation and in words of our own.

use std::fmt;

use super::course::StartingMoves;
use super::overrides::{clamp_visits, seconds};
use super::settings::{Settings, UnusedFields};

/// A name and its value, as text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The name.
    pub key: String,
    /// The value.
    pub value: String,
}

/// What is wrong with a configuration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConfigError {
    /// The line, counted from 1, if the text has lines.
    pub line: Option<usize>,
    /// What is wrong.
    pub problem: String,
}

impl fmt::Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            Some(line) => write!(f, "line {line}: {}", self.problem),
            None => f.write_str(&self.problem),
        }
    }
}

impl std::error::Error for ConfigError {}

/// Reads `key = value` lines. `#` begins a comment, and double quotes keep one from beginning.
pub fn read_config(text: &str) -> Result<Vec<Entry>, ConfigError> {
    let mut entries = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let wrong = |problem: &str| ConfigError {
            line: Some(index + 1),
            problem: problem.to_owned(),
        };
        // Windows editors begin a file with a mark.
        let line = line.trim_start_matches('\u{feff}').trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        if let Some(rest) = line.strip_prefix('@') {
            let (directive, value) = rest.split_once([' ', '=']).unwrap_or((rest, ""));
            entries.push(Entry {
                key: format!("@{directive}"),
                value: value.trim().to_owned(),
            });
            continue;
        }
        let (key, value) = line
            .split_once('=')
            .ok_or_else(|| wrong("expected `key = value`"))?;
        let value = match value.trim().strip_prefix('"') {
            Some(quoted) => unquote(quoted).ok_or_else(|| wrong("a quote that does not end"))?,
            None => {
                let plain = value.split_once('#').map_or(value, |(value, _)| value);
                plain.trim().to_owned()
            }
        };
        entries.push(Entry {
            key: key.trim().to_owned(),
            value,
        });
    }
    Ok(entries)
}

/// The text up to the closing quote, backslashes taken away.
fn unquote(quoted: &str) -> Option<String> {
    let mut value = String::new();
    let mut characters = quoted.chars();
    loop {
        match characters.next()? {
            '"' => return Some(value),
            '\\' => value.push(characters.next()?),
            other => value.push(other),
        }
    }
}

/// Reads `key=value,key=value`.
pub fn read_overrides(text: &str) -> Result<Vec<Entry>, ConfigError> {
    text.split(',')
        .map(str::trim)
        .filter(|pair| !pair.is_empty())
        .map(|pair| {
            let (key, value) = pair.split_once('=').ok_or_else(|| ConfigError {
                line: None,
                problem: format!("expected `key=value`, not `{pair}`"),
            })?;
            Ok(Entry {
                key: key.trim().to_owned(),
                value: value.trim().to_owned(),
            })
        })
        .collect()
}

impl Settings {
    /// Applies entries in turn, and returns the names of those that mean nothing here.
    ///
    /// KataGo's numbers of threads are chosen for a graphics card that wants many positions at once, so under its names
    /// they are lowered to `cores`; under our own they are taken as they are.
    pub fn apply<'a>(
        &mut self,
        entries: &'a [Entry],
        cores: usize,
    ) -> Result<Vec<&'a str>, ConfigError> {
        let mut ignored = Vec::new();
        for entry in entries {
            let key = entry.key.as_str();
            let value = entry.value.as_str();
            let wrong = |problem: &dyn fmt::Display| ConfigError {
                line: None,
                problem: format!("{key} = {value}: {problem}"),
            };
            let count = |most: u64| {
                let count = value.parse::<u64>().ok();
                count
                    .filter(|count| (1..=most).contains(count))
                    .ok_or_else(|| wrong(&format_args!("a number from 1 to {most}")))
            };
            let switch = || match value.to_ascii_lowercase().as_str() {
                "true" | "1" => Ok(true),
                "false" | "0" => Ok(false),
                _ => Err(wrong(&"true or false")),
            };
            match key {
                // An empty value takes a setting back.
                _ if value.is_empty() => {}
                "visits" | "maxVisits" => {
                    self.defaults.visits = clamp_visits(count(1 << 50)?);
                }
                "time" | "maxTime" => {
                    let time = value.parse().ok().and_then(seconds);
                    self.defaults.time = time.ok_or_else(|| wrong(&"a number of seconds"))?;
                }
                "analysis-threads" => self.positions = count(MOST_THREADS)? as usize,
                "numAnalysisThreads" => {
                    // Two at least, so that a quick question need not wait for one that ponders.
                    let most = cores.max(2);
                    self.positions = (count(MOST_THREADS)? as usize).min(most);
                }
                "search-threads" => self.engine.threads = count(MOST_THREADS)? as usize,
                "numSearchThreadsPerAnalysisThread" | "numSearchThreads" => {
                    self.engine.threads = (count(MOST_THREADS)? as usize).min(cores.max(1));
                }
                "report-winrates-as" | "reportAnalysisWinratesAs" => {
                    self.defaults.perspective = value.parse().map_err(|error| wrong(&error))?;
                }
                "variation-length" | "analysisPVLen" => {
                    self.defaults.variation_length = count(1000)? as usize;
                }
                "rules" => {
                    self.defaults.rules = Some(value.parse().map_err(|error| wrong(&error))?);
                }
                "seed" => {
                    self.engine.seed = value.parse().map_err(|_| wrong(&"a whole number"))?;
                }
                "memory" => {
                    // In MiB, as on the command line.
                    self.engine.memory = (count(1 << 24)? as usize) << 20;
                }
                "warnUnusedFields" => {
                    self.defaults.unused_fields = match switch()? {
                        true => UnusedFields::Warn,
                        false => UnusedFields::Ignore,
                    };
                }
                "assumeMultipleStartingBlackMovesAreHandicap" => {
                    self.defaults.starting_moves = match switch()? {
                        true => StartingMoves::Handicap,
                        false => StartingMoves::Ordinary,
                    };
                }
                _ => ignored.push(key),
            }
        }
        Ok(ignored)
    }
}

/// The most threads of either kind that anyone may ask for: more are a slip of the keyboard.
const MOST_THREADS: u64 = 1024;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::Perspective;

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
        let entries = read_config(text).unwrap();
        assert_eq!(entries[6].value, "a # b");
        let mut settings = Settings::default();
        let ignored = settings.apply(&entries, 4).unwrap();
        assert_eq!(ignored, ["nnCacheSizePowerOfTwo", "logDir", "@include"]);
        assert_eq!(settings.positions, 4);
        assert_eq!(settings.engine.threads, 4);
        assert_eq!(settings.defaults.visits, 500);
        assert_eq!(
            settings.defaults.time,
            Some(std::time::Duration::from_millis(2500))
        );
        assert_eq!(settings.defaults.perspective, Perspective::SideToMove);
        assert_eq!(settings.defaults.unused_fields, UnusedFields::Ignore);
        // One core still answers a second query while the first ponders.
        settings.apply(&entries, 1).unwrap();
        assert_eq!((settings.positions, settings.engine.threads), (2, 1));
    }

    #[test]
    fn our_own_names_are_taken_as_they_are() {
        let entries = read_overrides("analysis-threads=12, search-threads=3,,rules=aga").unwrap();
        let mut settings = Settings::default();
        assert!(settings.apply(&entries, 2).unwrap().is_empty());
        assert_eq!((settings.positions, settings.engine.threads), (12, 3));
        assert_eq!(settings.defaults.rules, Some("aga".parse().unwrap()));
    }

    #[test]
    fn says_what_is_wrong_and_where() {
        let error = read_config("a = b\nnonsense\n").unwrap_err();
        assert_eq!(error.to_string(), "line 2: expected `key = value`");
        assert!(read_config("a = \"b").is_err());
        assert!(read_overrides("nonsense").is_err());
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
            let error = Settings::default().apply(&entries, 2).unwrap_err();
            assert!(error.to_string().contains(problem), "{text}: {error}");
        }
    }
}
