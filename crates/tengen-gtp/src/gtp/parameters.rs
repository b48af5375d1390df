//! Commands that change settings. What there is to change, and how, the table of settings says.

use serde_json::{Map, Value};

use crate::gtp::arguments::Arguments;
use crate::gtp::channel::Channel;
use crate::gtp::failure::{Failure, Reply};
use crate::gtp::session::{Session, done};
use crate::gtp::settings::{
    Effect, GtpSettings, LeelaForm, LeelaOption, Parameter, SETTINGS, Setting,
};
use crate::setting::Refusal;

/// KataGo's parameters, each with its setting.
fn parameters() -> impl Iterator<Item = (&'static Setting, &'static Parameter)> {
    let known = |row: &'static Setting| row.parameters.iter().map(move |known| (row, known));
    SETTINGS.iter().flat_map(known)
}

fn parameter(name: &str) -> Result<(&'static Setting, &'static Parameter), Failure> {
    let unknown = || Failure::because(format_args!("unknown parameter `{name}`"));
    parameters()
        .find(|(_, parameter)| parameter.name == name)
        .ok_or_else(unknown)
}

pub(crate) fn list(_: &mut Session, _: &Arguments<'_>, _: &mut Channel<'_>) -> Reply {
    let names: Vec<&str> = parameters().map(|(_, parameter)| parameter.name).collect();
    Ok(names.join(" "))
}

pub(crate) fn get(session: &mut Session, arguments: &Arguments<'_>, _: &mut Channel<'_>) -> Reply {
    let (_, parameter) = parameter(arguments.word(0)?)?;
    Ok((parameter.get)(&session.settings))
}

pub(crate) fn set(session: &mut Session, arguments: &Arguments<'_>, _: &mut Channel<'_>) -> Reply {
    let value = arguments.word(1)?;
    let row = store(&mut session.settings, arguments.word(0)?, value)?;
    take_effect(session, row);
    done()
}

/// Gives the parameter with this name a value.
fn store(settings: &mut GtpSettings, name: &str, value: &str) -> Result<&'static Setting, Failure> {
    let (row, parameter) = parameter(name)?;
    match parameter.set {
        Some(set) => set(settings, value),
        None => row.kind.set(settings, value),
    }
    .map_err(failure)?;
    Ok(row)
}

/// All parameters as a JSON object, numbers and truth values as what they are.
pub(crate) fn get_all(session: &mut Session, _: &Arguments<'_>, _: &mut Channel<'_>) -> Reply {
    let values = parameters().map(|(_, parameter)| {
        let text = (parameter.get)(&session.settings);
        let value = serde_json::from_str(&text).ok();
        let value = value.filter(|value: &Value| value.is_number() || value.is_boolean());
        (parameter.name.to_owned(), value.unwrap_or(text.into()))
    });
    Ok(Value::Object(values.collect()).to_string())
}

/// Sets all parameters of a JSON object, or none of them if one is refused.
pub(crate) fn set_all(
    session: &mut Session,
    arguments: &Arguments<'_>,
    _: &mut Channel<'_>,
) -> Reply {
    let wanted: Map<String, Value> =
        serde_json::from_str(arguments.text).map_err(|_| Failure::Syntax)?;
    let mut settings = session.settings.clone();
    let mut rows = Vec::new();
    for (name, value) in &wanted {
        let value = match value {
            Value::String(text) => text.clone(),
            Value::Number(_) | Value::Bool(_) => value.to_string(),
            Value::Null | Value::Array(_) | Value::Object(_) => return Err(Failure::Syntax),
        };
        rows.push(store(&mut settings, name, &value)?);
    }
    session.settings = settings;
    for row in rows {
        take_effect(session, row);
    }
    done()
}

/// A text that is no value at all has the protocol's own words.
fn failure(refusal: Refusal) -> Failure {
    match refusal {
        Refusal::Unreadable(_) => Failure::Syntax,
        Refusal::OutOfRange(problem) => Failure::Because(problem),
    }
}

/// Makes another engine where that is needed for a setting to count.
fn take_effect(session: &mut Session, row: &Setting) {
    if row.effect == Effect::NewEngine {
        session.engine = session.judge.engine(session.settings.engine);
        session.found = None;
    }
}

/// Changes the setting with this name of ours.
fn change(session: &mut Session, name: &str, value: &str) -> Reply {
    let row = SETTINGS.iter().find(|row| row.about.name == name);
    let row = row.ok_or(Failure::Syntax)?;
    row.kind
        .set(&mut session.settings, value)
        .map_err(failure)?;
    take_effect(session, row);
    done()
}

/// GNU Go's command: sets the level, from 1 to 20.
pub(crate) fn level(
    session: &mut Session,
    arguments: &Arguments<'_>,
    _: &mut Channel<'_>,
) -> Reply {
    change(session, "level", arguments.word(0)?)
}

pub(crate) fn get_seed(session: &mut Session, _: &Arguments<'_>, _: &mut Channel<'_>) -> Reply {
    Ok(session.settings.engine.seed.to_string())
}

pub(crate) fn set_seed(
    session: &mut Session,
    arguments: &Arguments<'_>,
    _: &mut Channel<'_>,
) -> Reply {
    change(session, "seed", arguments.word(0)?)
}

/// Leela Zero's options in its own order, each with its setting.
fn options() -> Vec<(&'static Setting, &'static LeelaOption)> {
    let known = |row: &'static Setting| Some((row, row.option.as_ref()?));
    let mut options: Vec<_> = SETTINGS.iter().filter_map(known).collect();
    options.sort_by_key(|(_, option)| option.rank);
    options
}

/// Leela Zero's command: lists its options, or sets one with `name NAME value VALUE`. Names have spaces and any case.
pub(crate) fn set_option(
    session: &mut Session,
    arguments: &Arguments<'_>,
    _: &mut Channel<'_>,
) -> Reply {
    if arguments.len() == 0 {
        let lines = options().into_iter().map(|(_, option)| {
            let name = option.name;
            match option.form {
                LeelaForm::Spin { min, max, get, .. } => {
                    let value = get(&session.settings);
                    format!("\noption name {name} type spin default {value} min {min} max {max}")
                }
                LeelaForm::Check { get, .. } => {
                    let value = get(&session.settings);
                    format!("\noption name {name} type check default {value}")
                }
            }
        });
        return Ok(lines.collect());
    }
    let option = arguments
        .text
        .strip_prefix("name ")
        .ok_or(Failure::Syntax)?;
    let (name, value) = option.split_once(" value ").ok_or(Failure::Syntax)?;
    let value = value.trim();
    let wanted = match name.trim() {
        // Some clients know it by a shorter name.
        short if short.eq_ignore_ascii_case("ponder") => "Pondering",
        name => name,
    };
    let found = options()
        .into_iter()
        .find(|(_, option)| option.name.eq_ignore_ascii_case(wanted));
    let (row, option) =
        found.ok_or_else(|| Failure::because(format_args!("unknown option `{name}`")))?;
    let settings = &mut session.settings;
    match option.form {
        LeelaForm::Spin { set, .. } => {
            let number = value.parse().map_err(|_| Failure::Syntax)?;
            set(settings, number).ok_or(Failure::Syntax)?;
        }
        LeelaForm::Check { set, .. } => set(settings, value.parse().map_err(|_| Failure::Syntax)?),
    }
    take_effect(session, row);
    done()
}
