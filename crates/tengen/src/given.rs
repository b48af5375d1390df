//! The settings that a command line gives, as the table of a protocol declares them.

use std::fs;
use std::marker::PhantomData;
use std::path::Path;

use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches};
use tengen_gtp::config::{ConfigError, Entry, read_katago, read_toml};
use tengen_gtp::setting::{Description, SettingError, Tabulated};

use crate::failure::Usage;

/// The settings that a command line gives, as text. What they mean is known when they are applied.
#[derive(Clone, Debug)]
pub(crate) struct Given<S> {
    entries: Vec<(&'static str, String)>,
    settings: PhantomData<S>,
}

impl<S: Tabulated> Given<S> {
    /// Was this setting given?
    pub(crate) fn has(&self, name: &str) -> bool {
        self.entries.iter().any(|(given, _)| *given == name)
    }

    /// Changes the settings to what was given.
    pub(crate) fn apply(&self, settings: &mut S) -> Result<(), Usage> {
        for (name, value) in &self.entries {
            settings
                .set(name, value)
                .map_err(|SettingError { name, problem }| {
                    Usage::new(format_args!("--{name} {value}: {problem}"))
                })?;
        }
        Ok(())
    }
}

/// Is this setting a flag, whose option has no value?
const fn is_flag(description: &Description) -> bool {
    description.value_name.is_empty()
}

/// The option of a setting.
fn option(description: &Description) -> Arg {
    let Description {
        name,
        aliases,
        value_name,
        default,
        help,
        details,
        conflicts,
    } = *description;
    let option = Arg::new(name)
        .long(name)
        .visible_aliases(aliases.iter().copied())
        .conflicts_with_all(conflicts);
    if is_flag(description) {
        return option.action(ArgAction::SetTrue).help(help);
    }
    let short = format!("{help} [default: {default}]");
    let long = match details {
        "" => short.clone(),
        details => format!("{help}. {details}\n\n[default: {default}]"),
    };
    option
        .value_name(value_name)
        .allow_negative_numbers(true)
        .help(short)
        .long_help(long)
}

impl<S: Tabulated> Args for Given<S> {
    fn augment_args(command: Command) -> Command {
        let rows = S::rows();
        command.args(rows.iter().map(|row| option(row.description)))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl<S: Tabulated> FromArgMatches for Given<S> {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let given = |description: &'static Description| {
            let name = description.name;
            let value = match is_flag(description) {
                true => matches.get_flag(name).then(|| true.to_string()),
                false => matches.get_one::<String>(name).cloned(),
            };
            Some((name, value?))
        };
        let rows = S::rows();
        Ok(Self {
            entries: rows
                .iter()
                .filter_map(|row| given(row.description))
                .collect(),
            settings: PhantomData,
        })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

/// The notation of a configuration file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Notation {
    Toml,
    /// TOML if its name ends so, otherwise that of KataGo.
    ByName,
}

/// The entries of a configuration file. That it cannot be read is a mistake of the user, too.
pub(crate) fn read_file(file: &Path, notation: Notation) -> Result<Vec<Entry>, Usage> {
    let name = file.display();
    let text =
        fs::read_to_string(file).map_err(|error| Usage::new(format_args!("{name}: {error}")))?;
    let is_toml = notation == Notation::Toml
        || file
            .extension()
            .is_some_and(|extension| extension.eq_ignore_ascii_case("toml"));
    let entries = match is_toml {
        true => read_toml(&text),
        false => read_katago(&text),
    };
    entries.map_err(|error: ConfigError| Usage::new(format_args!("{name}: {error}")))
}

#[cfg(test)]
mod tests {
    use tengen_gtp::analysis::AnalysisSettings;
    use tengen_gtp::gtp::GtpSettings;

    use super::*;

    fn given<S: Tabulated>(line: &str) -> Result<Given<S>, clap::Error> {
        let command = Given::<S>::augment_args(Command::new("test").no_binary_name(true));
        Given::from_arg_matches(&command.try_get_matches_from(line.split_whitespace())?)
    }

    /// Every row is an option that is understood, under all of its names.
    fn check<S: Tabulated + PartialEq>() {
        Given::<S>::augment_args(Command::new("test")).debug_assert();
        for row in S::rows() {
            let Description { name, aliases, .. } = *row.description;
            for spelled in [name].iter().chain(aliases) {
                let value = if is_flag(row.description) { "" } else { "7" };
                let read = given::<S>(&format!("--{spelled} {value}")).unwrap();
                assert!(read.has(name), "{spelled}");
            }
        }
    }

    #[test]
    fn every_row_is_an_option() {
        check::<GtpSettings>();
        check::<AnalysisSettings>();
    }

    #[test]
    fn what_was_given_is_applied_and_nothing_else() {
        let mut settings = GtpSettings::default();
        let line = given::<GtpSettings>("--visits 7 --ponder --komi -3.5").unwrap();
        line.apply(&mut settings).unwrap();
        let expected = GtpSettings {
            visits: Some(7),
            ponder: true,
            komi: Some("-3.5".parse().unwrap()),
            ..GtpSettings::default()
        };
        assert_eq!(settings, expected);
        assert!(given::<GtpSettings>("--visits 7 --time 1").is_err());
        assert!(given::<GtpSettings>("--visitors 7").is_err());
        let refusal = given::<GtpSettings>("--level 0")
            .unwrap()
            .apply(&mut settings);
        let expected = "--level 0: a level is 1 to 20";
        assert_eq!(refusal.unwrap_err().to_string(), expected);
    }
}
