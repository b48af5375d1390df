//! Commands about the program itself.

use crate::gtp::arguments::Arguments;
use crate::gtp::channel::Channel;
use crate::gtp::command::{self, COMMANDS};
use crate::gtp::failure::Reply;
use crate::gtp::session::{Session, done};

pub(crate) fn protocol_version(_: &mut Session, _: &Arguments<'_>, _: &mut Channel<'_>) -> Reply {
    Ok("2".to_owned())
}

pub(crate) fn name(session: &mut Session, _: &Arguments<'_>, _: &mut Channel<'_>) -> Reply {
    Ok(session.settings.name.clone())
}

pub(crate) fn version(session: &mut Session, _: &Arguments<'_>, _: &mut Channel<'_>) -> Reply {
    Ok(session.settings.version.clone())
}

pub(crate) fn known_command(
    _: &mut Session,
    arguments: &Arguments<'_>,
    _: &mut Channel<'_>,
) -> Reply {
    let name = arguments.get(0).unwrap_or_default();
    Ok(command::find(name).is_some().to_string())
}

pub(crate) fn list_commands(_: &mut Session, _: &Arguments<'_>, _: &mut Channel<'_>) -> Reply {
    Ok(COMMANDS.map(|(name, _)| name).join("\n"))
}

pub(crate) fn quit(session: &mut Session, _: &Arguments<'_>, _: &mut Channel<'_>) -> Reply {
    session.quit();
    done()
}

pub(crate) fn echo(_: &mut Session, arguments: &Arguments<'_>, _: &mut Channel<'_>) -> Reply {
    Ok(arguments.text.to_owned())
}

/// Who is playing, for the records of a match.
pub(crate) fn describe(session: &mut Session, _: &Arguments<'_>, _: &mut Channel<'_>) -> Reply {
    let settings = &session.settings;
    let mut limits = Vec::new();
    if let Some(visits) = settings.visits {
        limits.push(format!("{visits} visits a move"));
    }
    if let Some(time) = settings.time {
        limits.push(format!("{} s a move", time.as_secs_f64()));
    }
    if limits.is_empty() {
        limits.push("no fixed limit".to_owned());
    }
    Ok(format!(
        "{} {}\n{}, level {}, threads {}, seed {}, {}",
        settings.name,
        settings.version,
        session.judge.name(),
        settings.level.number(),
        settings.engine.threads,
        settings.engine.seed,
        limits.join(", "),
    ))
}

/// The seconds of processor time that all threads have used so far; where the system does not say, the seconds on the
/// wall in which moves were searched.
pub(crate) fn time_used(session: &mut Session, _: &Arguments<'_>, _: &mut Channel<'_>) -> Reply {
    let used = processor_seconds().unwrap_or(session.thought.as_secs_f64());
    Ok(format!("{used:.3}"))
}

#[cfg(unix)]
fn processor_seconds() -> Option<f64> {
    use nix::sys::resource::{UsageWho, getrusage};
    let usage = getrusage(UsageWho::RUSAGE_SELF).ok()?;
    let seconds = [usage.user_time(), usage.system_time()]
        .map(|time| time.tv_sec() as f64 + time.tv_usec() as f64 / 1e6);
    Some(seconds[0] + seconds[1])
}

#[cfg(not(unix))]
const fn processor_seconds() -> Option<f64> {
    None
}
