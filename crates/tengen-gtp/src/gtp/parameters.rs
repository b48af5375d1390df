//! Commands that change how the engine thinks.

use std::time::Duration;

use tengen_search::Level;

use crate::gtp::arguments::Arguments;
use crate::gtp::channel::Channel;
use crate::gtp::failure::{Failure, Reply};
use crate::gtp::session::{Session, done};
use crate::gtp::settings::{Resignation, Settings};

/// KataGo's names for what can be read and changed, and one of our own.
const PARAMETERS: [&str; 8] = [
    "maxVisits",
    "maxTime",
    "numSearchThreads",
    "ponderingEnabled",
    "allowResignation",
    "resignThreshold",
    "lagBuffer",
    "level",
];

/// What KataGo calls no limit of time.
const ENDLESS: f64 = 1e20;

pub(crate) fn list(_: &mut Session, _: &Arguments<'_>, _: &mut Channel<'_>) -> Reply {
    Ok(PARAMETERS.join(" "))
}

pub(crate) fn get(session: &mut Session, arguments: &Arguments<'_>, _: &mut Channel<'_>) -> Reply {
    let settings = &session.settings;
    Ok(match arguments.word(0)? {
        "maxVisits" => settings.visits.unwrap_or(u32::MAX).to_string(),
        "maxTime" => settings
            .time
            .map_or(ENDLESS, |time| time.as_secs_f64())
            .to_string(),
        "numSearchThreads" => settings.engine.threads.to_string(),
        "ponderingEnabled" => settings.ponder.to_string(),
        "allowResignation" => (settings.resignation != Resignation::Never).to_string(),
        // KataGo's threshold lies between a loss at -1 and a win at 1.
        "resignThreshold" => match settings.resignation {
            Resignation::Below(share) => format!("{:.6}", 2.0 * share - 1.0),
            Resignation::Hopeless | Resignation::Never => "-1".to_owned(),
        },
        "lagBuffer" => settings.lag.as_secs_f64().to_string(),
        "level" => settings.level.number().to_string(),
        name => return Err(unknown(name)),
    })
}

pub(crate) fn set(session: &mut Session, arguments: &Arguments<'_>, _: &mut Channel<'_>) -> Reply {
    let name = arguments.word(0)?;
    let settings = &mut session.settings;
    match name {
        "maxVisits" => {
            let visits: u64 = arguments.number(1)?;
            settings.visits = visits_within(visits)?;
        }
        "maxTime" => {
            let seconds: f64 = arguments.number(1)?;
            settings.time = match seconds < ENDLESS {
                true => Some(arguments.seconds(1)?),
                false => None,
            };
        }
        "numSearchThreads" => {
            let threads: usize = arguments.number(1)?;
            if !(1..=Settings::MOST_THREADS).contains(&threads) {
                let most = Settings::MOST_THREADS;
                return Err(Failure::because(format_args!("threads are 1 to {most}")));
            }
            settings.engine.threads = threads;
            renew_engine(session);
        }
        "ponderingEnabled" => settings.ponder = arguments.number(1)?,
        "allowResignation" => {
            settings.resignation = match (arguments.number(1)?, settings.resignation) {
                (false, _) => Resignation::Never,
                (true, Resignation::Never) => Resignation::Hopeless,
                (true, other) => other,
            };
        }
        "resignThreshold" => {
            let threshold: f32 = arguments.number(1)?;
            if !(-1.0..1.0).contains(&threshold) {
                return Err(Failure::because("the threshold is -1 to 1"));
            }
            settings.resignation = Resignation::Below(f32::midpoint(threshold, 1.0));
        }
        "lagBuffer" => settings.lag = arguments.seconds(1)?,
        "level" => settings.level = read_level(arguments, 1)?,
        _ => return Err(unknown(name)),
    }
    done()
}

fn unknown(name: &str) -> Failure {
    Failure::because(format_args!("unknown parameter `{name}`"))
}

/// A limit of visits, unless it is so high that it is none.
fn visits_within(visits: u64) -> Result<Option<u32>, Failure> {
    match u32::try_from(visits) {
        Ok(0) => Err(Failure::because("a move takes at least 1 visit")),
        Ok(u32::MAX) | Err(_) => Ok(None),
        Ok(visits) => Ok(Some(visits)),
    }
}

fn read_level(arguments: &Arguments<'_>, index: usize) -> Result<Level, Failure> {
    Level::new(arguments.number(index)?).ok_or_else(|| Failure::because("a level is 1 to 10"))
}

/// Threads, memory and seed are given to an engine when it is made.
fn renew_engine(session: &mut Session) {
    session.engine = session.judge.engine(session.settings.engine);
    session.found = None;
}

/// GNU Go's command: sets the level, from 1 to 10.
pub(crate) fn level(
    session: &mut Session,
    arguments: &Arguments<'_>,
    _: &mut Channel<'_>,
) -> Reply {
    session.settings.level = read_level(arguments, 0)?;
    done()
}

pub(crate) fn get_seed(session: &mut Session, _: &Arguments<'_>, _: &mut Channel<'_>) -> Reply {
    Ok(session.settings.engine.seed.to_string())
}

pub(crate) fn set_seed(
    session: &mut Session,
    arguments: &Arguments<'_>,
    _: &mut Channel<'_>,
) -> Reply {
    session.settings.engine.seed = arguments.number(0)?;
    renew_engine(session);
    done()
}

/// Leela Zero's command: lists its options, or sets one with `name NAME value VALUE`. Names have spaces and any case.
pub(crate) fn set_option(
    session: &mut Session,
    arguments: &Arguments<'_>,
    _: &mut Channel<'_>,
) -> Reply {
    if arguments.len() == 0 {
        return Ok(options(&session.settings));
    }
    let option = arguments
        .text
        .strip_prefix("name ")
        .ok_or(Failure::Syntax)?;
    let (name, value) = option.split_once(" value ").ok_or(Failure::Syntax)?;
    let value = value.trim();
    let number = || value.parse::<i64>().map_err(|_| Failure::Syntax);
    let settings = &mut session.settings;
    match name.trim().to_ascii_lowercase().as_str() {
        // No visits are any number of them.
        "visits" => {
            let visits = u64::try_from(number()?).map_err(|_| Failure::Syntax)?;
            settings.visits = match visits {
                0 => None,
                visits => visits_within(visits)?,
            };
        }
        "pondering" | "ponder" => settings.ponder = value.parse().map_err(|_| Failure::Syntax)?,
        "lagbuffer" => {
            let centiseconds = u32::try_from(number()?).map_err(|_| Failure::Syntax)?;
            settings.lag = Duration::from_millis(10 * u64::from(centiseconds));
        }
        "resign percentage" => {
            settings.resignation = match number()? {
                -1 => Resignation::Hopeless,
                0 => Resignation::Never,
                percent @ 1..=100 => Resignation::Below(percent as f32 / 100.0),
                _ => return Err(Failure::Syntax),
            };
        }
        "maximum memory use (mib)" => {
            let megabytes = usize::try_from(number()?).map_err(|_| Failure::Syntax)?;
            let bytes = megabytes.checked_mul(1 << 20).filter(|bytes| *bytes > 0);
            settings.engine.memory = bytes.ok_or(Failure::Syntax)?;
            renew_engine(session);
        }
        _ => return Err(Failure::because(format_args!("unknown option `{name}`"))),
    }
    done()
}

/// The options with their values, as Leela Zero lists them.
fn options(settings: &Settings) -> String {
    let resign = match settings.resignation {
        Resignation::Hopeless => -1,
        Resignation::Never => 0,
        Resignation::Below(share) => (100.0 * share).round() as i32,
    };
    [
        String::new(),
        format!(
            "option name Maximum Memory Use (MiB) type spin default {} min 1 max 1048576",
            settings.engine.memory >> 20
        ),
        format!(
            "option name Visits type spin default {} min 0 max 1000000000",
            settings.visits.unwrap_or(0)
        ),
        format!(
            "option name Lagbuffer type spin default {} min 0 max 3000",
            settings.lag.as_millis() / 10
        ),
        format!("option name Resign Percentage type spin default {resign} min -1 max 100"),
        format!(
            "option name Pondering type check default {}",
            settings.ponder
        ),
    ]
    .join("\n")
}
