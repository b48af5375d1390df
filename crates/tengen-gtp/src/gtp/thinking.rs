//! Commands that ask for a move.

use std::time::Instant;

use tengen_core::{Color, Move, Size};
use tengen_search::{Analysis, Choice, Task};

use crate::gtp::arguments::Arguments;
use crate::gtp::channel::Channel;
use crate::gtp::failure::{Failure, Reply};
use crate::gtp::inbox::SearchEnd;
use crate::gtp::session::{Session, done};
use crate::gtp::settings::Resignation;

/// What a move is wanted for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Aim {
    /// To be played.
    Play,
    /// To be played after the players disagreed about what is dead.
    CleanUp,
    /// Only to be known.
    Advice,
    /// Only to be known, and not any more once another line arrives.
    Cancellable,
}

impl Aim {
    /// Is the move made?
    const fn is_played(self) -> bool {
        matches!(self, Self::Play | Self::CleanUp)
    }
}

/// A low win rate has to last for so many moves before a share of it makes the engine resign.
const TURNS_BEFORE_RESIGNING: u8 = 3;

pub(crate) fn genmove(
    session: &mut Session,
    arguments: &Arguments<'_>,
    channel: &mut Channel<'_>,
) -> Reply {
    let color = arguments.color(0)?;
    decide(session, color, Aim::Play, channel)
}

/// As `genmove`, but the move is not played.
pub(crate) fn regression(
    session: &mut Session,
    arguments: &Arguments<'_>,
    channel: &mut Channel<'_>,
) -> Reply {
    let color = arguments.optional_color()?;
    let color = color.unwrap_or(session.game.to_move());
    decide(session, color, Aim::Advice, channel)
}

/// As `kata-search`, but any line ends it.
pub(crate) fn cancellable(
    session: &mut Session,
    arguments: &Arguments<'_>,
    channel: &mut Channel<'_>,
) -> Reply {
    let color = arguments.optional_color()?;
    let color = color.unwrap_or(session.game.to_move());
    decide(session, color, Aim::Cancellable, channel)
}

pub(crate) fn clean_up(
    session: &mut Session,
    arguments: &Arguments<'_>,
    channel: &mut Channel<'_>,
) -> Reply {
    let color = arguments.color(0)?;
    decide(session, color, Aim::CleanUp, channel)
}

fn decide(session: &mut Session, color: Color, aim: Aim, channel: &mut Channel<'_>) -> Reply {
    choose(
        session,
        color,
        aim,
        Task::default(),
        channel,
        &mut |_, _| {},
    )
}

/// Thinks about a move as long as it may, and makes it if that is the aim. The limits of the task are set here.
pub(crate) fn choose(
    session: &mut Session,
    color: Color,
    aim: Aim,
    task: Task,
    channel: &mut Channel<'_>,
    report: &mut dyn FnMut(&mut Channel<'_>, &Analysis),
) -> Reply {
    let started = Instant::now();
    let game = session.game_for(color);
    let choice = Choice {
        task: Task {
            limits: session.limits(color),
            ..task
        },
        level: session.settings.level,
        may_resign: aim == Aim::Play && session.settings.resignation == Resignation::Hopeless,
        cleanup: aim == Aim::CleanUp,
    };
    let (stop, watch) = channel.watch(match aim {
        Aim::Cancellable => SearchEnd::AtAnyLine,
        Aim::Play | Aim::CleanUp | Aim::Advice => SearchEnd::WhenDone,
    });
    let decision = session
        .engine
        .choose(&game, &choice, &stop, &mut |analysis| {
            report(channel, analysis);
            if channel.is_broken() {
                stop.stop();
            }
        });
    drop(watch);
    report(channel, &decision.analysis);
    let action = decision
        .action
        .filter(|_| aim != Aim::Play || !gives_up(session, color, &decision.analysis));
    session.keep(&game, decision.analysis);
    if aim == Aim::Cancellable && stop.is_stopped() {
        return Ok("cancelled".to_owned());
    }
    if aim.is_played() {
        if let Some(action) = action {
            session.play(color, action).map_err(|_| {
                let vertex = action.to_gtp(game.size());
                Failure::because(format_args!("the engine chose {vertex}, which is illegal"))
            })?;
            session.note_move();
        }
        session.charge(color, started);
    }
    Ok(written(action, game.size()))
}

/// Has the win rate been below the share at which the client wants to see no more?
fn gives_up(session: &mut Session, color: Color, analysis: &Analysis) -> bool {
    let Resignation::Below(share) = session.settings.resignation else {
        return false;
    };
    let hopeless_turns = &mut session.hopeless_turns[color];
    *hopeless_turns = match analysis.worth.win_rate < share {
        true => hopeless_turns.saturating_add(1),
        false => 0,
    };
    *hopeless_turns >= TURNS_BEFORE_RESIGNING
}

/// A decision as the protocol writes it.
fn written(action: Option<Move>, size: Size) -> String {
    action.map_or_else(|| "resign".to_owned(), |action| action.to_gtp(size))
}

/// What the last search made of the position: a line for people.
pub(crate) fn explain(session: &mut Session, _: &Arguments<'_>, _: &mut Channel<'_>) -> Reply {
    let Some(found) = &session.found else {
        return done();
    };
    Ok(explanation(&found.analysis, session.game.size()))
}

/// What a search found, in a line for people.
pub(crate) fn explanation(analysis: &Analysis, size: Size) -> String {
    let moves = analysis
        .moves
        .first()
        .map_or(&[][..], |best| &best.variation);
    let moves: Vec<String> = moves.iter().map(|action| action.to_gtp(size)).collect();
    format!(
        "{}: win rate {:.1} %, lead {:+.1}, visits {}, {}",
        analysis.to_move,
        100.0 * analysis.worth.win_rate,
        analysis.worth.lead,
        analysis.visits,
        moves.join(" "),
    )
}

/// The server has counted: what was learnt about the game is not needed any more.
pub(crate) fn game_over(session: &mut Session, _: &Arguments<'_>, _: &mut Channel<'_>) -> Reply {
    session.forget();
    done()
}

pub(crate) fn clear_cache(session: &mut Session, _: &Arguments<'_>, _: &mut Channel<'_>) -> Reply {
    session.forget();
    done()
}

/// Any line ends the thinking in the opponent's time, so that nothing is left to be done here.
pub(crate) fn stop(_: &mut Session, _: &Arguments<'_>, _: &mut Channel<'_>) -> Reply {
    done()
}
