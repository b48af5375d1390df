//! Commands about time.

use std::time::Duration;

use tengen_search::{Left, TimeControl};

use crate::gtp::arguments::Arguments;
use crate::gtp::channel::Channel;
use crate::gtp::failure::{Failure, Reply};
use crate::gtp::session::{Session, done};
use crate::gtp::timer::Timer;

/// `main_time byo_yomi_time byo_yomi_stones`, in the sense of GTP: Canadian overtime.
pub(crate) fn settings(
    session: &mut Session,
    arguments: &Arguments<'_>,
    _: &mut Channel<'_>,
) -> Reply {
    let main = arguments.seconds(0)?;
    let period = arguments.seconds(1)?;
    let stones: u32 = arguments.number(2)?;
    set(
        session,
        match (main, period, stones) {
            // A period in which no stone has to be played never ends.
            (_, Duration::ZERO, _) if main.is_zero() => TimeControl::Unlimited,
            (_, Duration::ZERO, _) => TimeControl::Absolute { main },
            (_, _, 0) => TimeControl::Unlimited,
            _ => TimeControl::Canadian {
                main,
                period,
                stones,
            },
        },
    );
    done()
}

/// The kinds of time control that can be named.
const KINDS: [&str; 5] = ["none", "absolute", "byoyomi", "canadian", "fischer"];

pub(crate) fn settings_by_kind(
    session: &mut Session,
    arguments: &Arguments<'_>,
    _: &mut Channel<'_>,
) -> Reply {
    let control = match arguments.word(0)? {
        "none" => TimeControl::Unlimited,
        "absolute" => TimeControl::Absolute {
            main: arguments.seconds(1)?,
        },
        "canadian" => TimeControl::Canadian {
            main: arguments.seconds(1)?,
            period: arguments.seconds(2)?,
            stones: at_least_one(arguments.number(3)?)?,
        },
        "byoyomi" => TimeControl::Japanese {
            main: arguments.seconds(1)?,
            period: arguments.seconds(2)?,
            periods: at_least_one(arguments.number(3)?)?,
        },
        "fischer" => TimeControl::Fischer {
            main: arguments.seconds(1)?,
            increment: arguments.seconds(2)?,
        },
        _ => return Err(Failure::Syntax),
    };
    set(session, control);
    done()
}

fn at_least_one(count: u32) -> Result<u32, Failure> {
    match count {
        0 => Err(Failure::Syntax),
        _ => Ok(count),
    }
}

fn set(session: &mut Session, control: TimeControl) {
    session.timers.black = Timer::new(control);
    session.timers.white = Timer::new(control);
}

pub(crate) fn list_kinds(_: &mut Session, _: &Arguments<'_>, _: &mut Channel<'_>) -> Reply {
    Ok(KINDS.join(" "))
}

/// `color time stones`: with Japanese byo-yomi the stones are the periods that are left, as on KGS.
pub(crate) fn left(session: &mut Session, arguments: &Arguments<'_>, _: &mut Channel<'_>) -> Reply {
    let color = arguments.color(0)?;
    // A clock that is behind is at zero.
    let time: f64 = arguments.number(1)?;
    let time = Duration::try_from_secs_f64(time.max(0.0)).map_err(|_| Failure::Syntax)?;
    let stones = arguments.number(2)?;
    session.timers[color].set_left(Left { time, stones });
    done()
}
