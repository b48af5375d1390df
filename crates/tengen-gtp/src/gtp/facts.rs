//! Commands that tell what is on the board.

use tengen_core::{Chain, Color, Diagram, Move};

use crate::gtp::arguments::Arguments;
use crate::gtp::channel::Channel;
use crate::gtp::failure::{Failure, Reply};
use crate::gtp::session::Session;

pub(crate) fn showboard(session: &mut Session, _: &Arguments<'_>, _: &mut Channel<'_>) -> Reply {
    let game = &session.game;
    let last = game.last_turn().and_then(|turn| turn.action.point());
    let last = last.filter(|point| game.board().color_at(*point).is_some());
    let [black, white] = Color::BOTH.map(|color| game.prisoners(color));
    Ok(format!(
        "\n{}{} to move, move {}, {} rules, komi {}\nBlack (X) has captured {black}, White (O) has captured {white}",
        Diagram::new(game.board()).last(last),
        game.to_move(),
        game.turns().len() + 1,
        game.rules(),
        game.komi(),
    ))
}

pub(crate) fn color(
    session: &mut Session,
    arguments: &Arguments<'_>,
    _: &mut Channel<'_>,
) -> Reply {
    let point = arguments.point(0, session.game.size())?;
    let color = session.game.board().color_at(point);
    Ok(color.map_or("empty", name).to_owned())
}

const fn name(color: Color) -> &'static str {
    match color {
        Color::Black => "black",
        Color::White => "white",
    }
}

pub(crate) fn list_stones(
    session: &mut Session,
    arguments: &Arguments<'_>,
    _: &mut Channel<'_>,
) -> Reply {
    let color = arguments.color(0)?;
    Ok(session.vertices(session.game.board().stones(color)))
}

pub(crate) fn count_liberties(
    session: &mut Session,
    arguments: &Arguments<'_>,
    _: &mut Channel<'_>,
) -> Reply {
    Ok(chain(session, arguments)?.liberties.len().to_string())
}

pub(crate) fn list_liberties(
    session: &mut Session,
    arguments: &Arguments<'_>,
    _: &mut Channel<'_>,
) -> Reply {
    Ok(session.vertices(chain(session, arguments)?.liberties))
}

fn chain(session: &Session, arguments: &Arguments<'_>) -> Result<Chain, Failure> {
    let point = arguments.point(0, session.game.size())?;
    let chain = session.game.board().chain_at(point);
    chain.ok_or_else(|| Failure::because("vertex must not be empty"))
}

pub(crate) fn is_legal(
    session: &mut Session,
    arguments: &Arguments<'_>,
    _: &mut Channel<'_>,
) -> Reply {
    let color = arguments.color(0)?;
    let action = arguments.action(1, session.game.size())?;
    let is_legal = session.game_for(color).check(action).is_ok();
    Ok(u8::from(is_legal).to_string())
}

/// The points where this player may play; a pass is always legal.
pub(crate) fn all_legal(
    session: &mut Session,
    arguments: &Arguments<'_>,
    _: &mut Channel<'_>,
) -> Reply {
    let color = arguments.optional_color()?;
    let color = color.unwrap_or(session.game.to_move());
    Ok(session.vertices(session.game_for(color).legal_moves()))
}

/// How many stones this player has captured.
pub(crate) fn captures(
    session: &mut Session,
    arguments: &Arguments<'_>,
    _: &mut Channel<'_>,
) -> Reply {
    Ok(session.game.prisoners(arguments.color(0)?).to_string())
}

pub(crate) fn last_move(session: &mut Session, _: &Arguments<'_>, _: &mut Channel<'_>) -> Reply {
    let turn = session.game.last_turn();
    let turn = turn.ok_or_else(|| Failure::because("no previous move known"))?;
    Ok(written(session, turn.color, turn.action))
}

/// All moves, the last one first.
pub(crate) fn move_history(session: &mut Session, _: &Arguments<'_>, _: &mut Channel<'_>) -> Reply {
    let turns = session.game.turns().iter().rev();
    let moves: Vec<String> = turns
        .map(|turn| written(session, turn.color, turn.action))
        .collect();
    Ok(moves.join("\n"))
}

fn written(session: &Session, color: Color, action: Move) -> String {
    let vertex = action.to_gtp(session.game.size());
    format!("{} {vertex}", name(color))
}
