//! A setting, declared once.
//!
//! A table has a row for each setting: its name, range, default and help, and how its value is stored. The command
//! line, the configuration file, the parameters of the protocols and the tables in the documents all derive from the
//! rows. The table of `tengen gtp` is in `gtp/settings/table.rs`, that of `tengen analysis` in
//! `analysis/settings/table.rs`.

use std::fmt;
use std::ops::RangeInclusive;
use std::str::FromStr;
use std::time::Duration;

/// What people read about a setting, and the names by which they give it.
#[derive(Clone, Copy, Debug)]
pub struct Description {
    /// The key in a TOML file and, behind two dashes, the option of the command line.
    pub name: &'static str,
    /// Further names of the option.
    pub aliases: &'static [&'static str],
    /// What stands for the value in the help; empty if the option is a flag without one.
    pub value_name: &'static str,
    /// What holds if nobody says anything. Prose where it depends on the machine or on other settings.
    pub default: &'static str,
    /// One line of help, without a full stop.
    pub help: &'static str,
    /// More sentences, for those who ask for more than a line; often empty.
    pub details: &'static str,
    /// Settings that cannot stand beside this one on a command line.
    pub conflicts: &'static [&'static str],
}

/// The description of a setting: its name, what stands for its value, its default and a line of help.
pub(crate) const fn about(
    name: &'static str,
    value_name: &'static str,
    default: &'static str,
    help: &'static str,
) -> Description {
    Description {
        name,
        aliases: &[],
        value_name,
        default,
        help,
        details: "",
        conflicts: &[],
    }
}

impl Description {
    pub(crate) const fn details(self, details: &'static str) -> Self {
        Self { details, ..self }
    }

    pub(crate) const fn aliases(self, aliases: &'static [&'static str]) -> Self {
        Self { aliases, ..self }
    }

    pub(crate) const fn conflicts(self, conflicts: &'static [&'static str]) -> Self {
        Self { conflicts, ..self }
    }
}

/// What values a setting has, and how one of them is stored in `S`.
#[derive(Debug)]
pub enum Kind<S> {
    /// A whole number.
    Number {
        /// The beginning of a refusal, such as `threads are`, to which the range is added.
        subject: &'static str,
        /// The numbers that can be.
        range: RangeInclusive<u64>,
        /// Stores a number of the range.
        set: fn(&mut S, u64),
    },
    /// A time in seconds.
    Seconds(fn(&mut S, Duration)),
    /// A time in seconds; one that is longer than any search is no limit.
    TimeLimit(fn(&mut S, Option<Duration>)),
    /// `true` or `false`.
    Switch(fn(&mut S, bool)),
    /// One line of text.
    Line(fn(&mut S, String)),
    /// What another type reads.
    Parsed {
        /// The values, for the documents.
        values: &'static str,
        /// Reads and stores a value.
        set: fn(&mut S, &str) -> Result<(), Refusal>,
    },
}

/// Why a value was refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// The text is no value of this kind.
    Unreadable(String),
    /// It is a value of this kind, but none that can be.
    OutOfRange(String),
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unreadable(problem) | Self::OutOfRange(problem) => f.write_str(problem),
        }
    }
}

impl std::error::Error for Refusal {}

/// The most threads that anyone may ask for: more are a slip of the keyboard.
pub(crate) const MOST_THREADS: u64 = 1024;

/// Ranges that end here or beyond have no end that anybody need know.
const NO_END: u64 = u32::MAX as u64;

impl<S> Kind<S> {
    /// Reads a value and stores it.
    pub fn set(&self, settings: &mut S, text: &str) -> Result<(), Refusal> {
        match self {
            Self::Number {
                subject,
                range,
                set,
            } => set(settings, number(text, subject, range)?),
            Self::Seconds(set) => set(settings, seconds(text)?),
            Self::TimeLimit(set) => set(settings, time_limit(text)?),
            Self::Switch(set) => set(settings, switch(text)?),
            Self::Line(set) => set(settings, line(text)?),
            Self::Parsed { set, .. } => set(settings, text)?,
        }
        Ok(())
    }

    /// The values that can be, for the documents.
    pub fn values(&self) -> String {
        match self {
            Self::Number { range, .. } if *range.end() >= NO_END => {
                format!("{} or more", range.start())
            }
            Self::Number { range, .. } => format!("{} to {}", range.start(), range.end()),
            Self::Seconds(_) | Self::TimeLimit(_) => "seconds".to_owned(),
            Self::Switch(_) => "`true`, `false`".to_owned(),
            Self::Line(_) => "text".to_owned(),
            Self::Parsed { values, .. } => (*values).to_owned(),
        }
    }
}

/// Reads a value by the parser of its type.
pub(crate) fn parse<T: FromStr<Err: fmt::Display>>(text: &str) -> Result<T, Refusal> {
    text.parse()
        .map_err(|error: T::Err| Refusal::Unreadable(error.to_string()))
}

/// A whole number within a range.
fn number(text: &str, subject: &str, range: &RangeInclusive<u64>) -> Result<u64, Refusal> {
    let (least, most) = (range.start(), range.end());
    let has_end = *most < NO_END;
    let number: u64 = text.parse().map_err(|_| {
        Refusal::Unreadable(match has_end {
            true => format!("a whole number from {least} to {most} is needed"),
            false => format!("a whole number from {least} on is needed, and not too large a one"),
        })
    })?;
    if range.contains(&number) {
        return Ok(number);
    }
    Err(Refusal::OutOfRange(if !subject.is_empty() {
        format!("{subject} {least} to {most}")
    } else if number < *least {
        format!("at least {least} is needed")
    } else {
        format!("at most {most} is possible")
    }))
}

/// A time in seconds, with or without a fraction.
pub(crate) fn seconds(text: &str) -> Result<Duration, Refusal> {
    time_limit(text)?.ok_or_else(no_time)
}

/// A time in seconds, or `None` if it is longer than any that can be counted.
fn time_limit(text: &str) -> Result<Option<Duration>, Refusal> {
    let seconds: f64 = text.parse().map_err(|_| no_time())?;
    match seconds >= 0.0 {
        true => Ok(Duration::try_from_secs_f64(seconds).ok()),
        false => Err(no_time()),
    }
}

fn no_time() -> Refusal {
    Refusal::Unreadable("a number of seconds is needed, such as 2.5".to_owned())
}

fn switch(text: &str) -> Result<bool, Refusal> {
    text.parse()
        .map_err(|_| Refusal::Unreadable("`true` or `false`".to_owned()))
}

/// A text that can stand in a reply.
fn line(text: &str) -> Result<String, Refusal> {
    match text.trim().is_empty() || text.chars().any(char::is_control) {
        true => Err(Refusal::Unreadable("one line of text is needed".to_owned())),
        false => Ok(text.trim().to_owned()),
    }
}

/// A row of a table of settings, as command lines and documents need it.
#[derive(Clone, Debug)]
pub struct Row {
    /// Its names and its help.
    pub description: &'static Description,
    /// The values that can be.
    pub values: String,
    /// The names that other programs have for it, in the two places where such names are understood.
    pub foreign_names: [Vec<&'static str>; 2],
}

/// Settings that are declared in a table.
pub trait Tabulated: Default {
    /// The rows of the table, in the order in which people read them.
    fn rows() -> Vec<Row>;

    /// Changes the setting with this name.
    fn set(&mut self, name: &str, value: &str) -> Result<(), SettingError>;
}

/// Why a setting was not changed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{name}`: {problem}")]
pub struct SettingError {
    /// The name of the setting.
    pub name: String,
    /// What is wrong with its value, or with the name.
    pub problem: String,
}

impl SettingError {
    /// A value that this setting does not take.
    pub(crate) fn refused(name: &str, refusal: &Refusal) -> Self {
        Self {
            name: name.to_owned(),
            problem: refusal.to_string(),
        }
    }

    /// A name that no setting has.
    pub(crate) fn unknown<S: Tabulated>(name: &str) -> Self {
        let names: Vec<&str> = S::rows().iter().map(|row| row.description.name).collect();
        Self {
            name: name.to_owned(),
            problem: format!("no such key; there are {}", names.join(", ")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refusal<S>(kind: &Kind<S>, settings: &mut S, text: &str) -> String {
        kind.set(settings, text).unwrap_err().to_string()
    }

    #[test]
    fn a_number_stays_within_its_range() {
        let level = |subject, range| Kind::Number {
            subject,
            range,
            set: |stored: &mut u64, number| *stored = number,
        };
        let mut stored = 0;
        let kind = level("a level is", 1..=10);
        kind.set(&mut stored, "10").unwrap();
        assert_eq!(stored, 10);
        assert_eq!(kind.values(), "1 to 10");
        assert_eq!(refusal(&kind, &mut stored, "11"), "a level is 1 to 10");
        let needed = "a whole number from 1 to 10 is needed";
        assert_eq!(refusal(&kind, &mut stored, "-1"), needed);
        let kind = level("", 1..=u64::MAX);
        assert_eq!(kind.values(), "1 or more");
        assert_eq!(refusal(&kind, &mut stored, "0"), "at least 1 is needed");
        assert_eq!(stored, 10);
    }

    #[test]
    fn a_time_is_finite_and_a_limit_need_not_be() {
        let time = Kind::Seconds(|stored: &mut Option<Duration>, time| *stored = Some(time));
        let limit = Kind::TimeLimit(|stored: &mut Option<Duration>, time| *stored = time);
        let mut stored = None;
        time.set(&mut stored, "2.5").unwrap();
        assert_eq!(stored, Some(Duration::from_millis(2500)));
        limit.set(&mut stored, "1e30").unwrap();
        assert_eq!(stored, None);
        for text in ["soon", "-1", "NaN", ""] {
            assert!(refusal(&time, &mut stored, text).contains("seconds"));
            assert!(refusal(&limit, &mut stored, text).contains("seconds"));
        }
        assert!(refusal(&time, &mut stored, "1e30").contains("seconds"));
    }

    #[test]
    fn a_switch_and_a_line_are_what_they_are() {
        let kind = Kind::Switch(|stored: &mut bool, on| *stored = on);
        let mut on = false;
        for (text, expected) in [("true", true), ("false", false)] {
            kind.set(&mut on, text).unwrap();
            assert_eq!(on, expected);
        }
        assert!(refusal(&kind, &mut on, "perhaps").contains("`true` or `false`"));
        let kind = Kind::Line(|stored: &mut String, text| *stored = text);
        let mut text = String::new();
        kind.set(&mut text, " Deep Thought ").unwrap();
        assert_eq!(text, "Deep Thought");
        for empty in ["", " ", "a\nb"] {
            refusal(&kind, &mut text, empty);
        }
    }
}
