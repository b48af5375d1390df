//! Commands that change the position.

use tengen_core::{Color, Game, Point, PointSet, Setup, Size};

use crate::gtp::arguments::{self, Arguments};
use crate::gtp::channel::Channel;
use crate::gtp::failure::{Failure, Reply};
use crate::gtp::session::{Session, done};

/// One side, two sides, or both in one word: `9`, `9 13`, `9x13`, `9:13`.
pub(crate) fn boardsize(
    session: &mut Session,
    arguments: &Arguments<'_>,
    _: &mut Channel<'_>,
) -> Reply {
    let first = arguments.word(0)?;
    let side = |word: &str| match word.parse::<i64>() {
        Ok(side) => u8::try_from(side).map_err(|_| Failure::Size),
        Err(_) => Err(Failure::Syntax),
    };
    let size = match first.parse::<i64>() {
        Ok(_) => {
            let width = side(first)?;
            let height = arguments.get(1).map_or(Ok(width), side)?;
            Size::new(width, height).map_err(|_| Failure::Size)?
        }
        Err(_) => first.parse().map_err(|error| match error {
            tengen_core::SizeError::OutOfRange => Failure::Size,
            tengen_core::SizeError::Syntax => Failure::Syntax,
        })?,
    };
    session.start(Game::new(size, session.settings.rules));
    done()
}

pub(crate) fn query_boardsize(
    session: &mut Session,
    _: &Arguments<'_>,
    _: &mut Channel<'_>,
) -> Reply {
    let size = session.game.size();
    Ok(match size.is_square() {
        true => size.width().to_string(),
        false => format!("{} {}", size.width(), size.height()),
    })
}

pub(crate) fn clear_board(session: &mut Session, _: &Arguments<'_>, _: &mut Channel<'_>) -> Reply {
    session.start(Game::new(session.game.size(), session.settings.rules));
    done()
}

pub(crate) fn komi(session: &mut Session, arguments: &Arguments<'_>, _: &mut Channel<'_>) -> Reply {
    let word = arguments.word(0)?;
    let komi = word.parse().map_err(|error| match error {
        tengen_core::ParseKomiError::Syntax => Failure::Syntax,
        _ => Failure::because(error),
    })?;
    if session.game.komi() != komi {
        session.forget();
    }
    session.settings.komi = Some(komi);
    session.agree_on_komi();
    done()
}

pub(crate) fn get_komi(session: &mut Session, _: &Arguments<'_>, _: &mut Channel<'_>) -> Reply {
    Ok(session.game.komi().to_string())
}

pub(crate) fn fixed_handicap(
    session: &mut Session,
    arguments: &Arguments<'_>,
    _: &mut Channel<'_>,
) -> Reply {
    let stones = number_of_stones(session, arguments)?;
    let stones = u8::try_from(stones).map_err(|_| Failure::NumberOfStones)?;
    let points = session.game.size().fixed_handicap(stones);
    let points = points.map_err(|_| Failure::NumberOfStones)?;
    give_handicap(session, &points)?;
    Ok(session.vertices(points))
}

/// The engine chooses where they go.
pub(crate) fn place_free_handicap(
    session: &mut Session,
    arguments: &Arguments<'_>,
    _: &mut Channel<'_>,
) -> Reply {
    let stones = number_of_stones(session, arguments)?;
    let game = Game::new(session.game.size(), session.settings.rules);
    let points = session.engine.place_handicap(&game, stones);
    let points: Vec<Point> = points.ok_or(Failure::NumberOfStones)?.iter().collect();
    give_handicap(session, &points)?;
    Ok(session.vertices(points))
}

/// How many handicap stones are asked for: at least two, and fewer than the board has points.
fn number_of_stones(session: &Session, arguments: &Arguments<'_>) -> Result<usize, Failure> {
    let stones: i64 = arguments.number(0)?;
    refuse_stones_on_board(session)?;
    let stones = usize::try_from(stones).map_err(|_| Failure::NumberOfStones)?;
    match (2..session.game.size().area()).contains(&stones) {
        true => Ok(stones),
        false => Err(Failure::NumberOfStones),
    }
}

pub(crate) fn set_free_handicap(
    session: &mut Session,
    arguments: &Arguments<'_>,
    _: &mut Channel<'_>,
) -> Reply {
    refuse_stones_on_board(session)?;
    let size = session.game.size();
    let point = |word: &&str| Point::from_gtp(word, size).map_err(|_| Failure::VertexList);
    let points: Result<Vec<Point>, Failure> = arguments.words().iter().map(point).collect();
    let points = points?;
    if points.len() < 2 {
        return Err(Failure::VertexList);
    }
    give_handicap(session, &points)?;
    done()
}

pub(crate) fn get_handicap(session: &mut Session, _: &Arguments<'_>, _: &mut Channel<'_>) -> Reply {
    Ok(session.game.handicap().to_string())
}

fn refuse_stones_on_board(session: &Session) -> Result<(), Failure> {
    let board = session.game.board();
    match board.empty_points() == *board.points() {
        true => Ok(()),
        false => Err(Failure::BoardNotEmpty),
    }
}

fn give_handicap(session: &mut Session, points: &[Point]) -> Result<(), Failure> {
    let game = Game::with_handicap(session.game.size(), session.settings.rules, points)
        .map_err(|_| Failure::VertexList)?;
    session.start(game);
    Ok(())
}

pub(crate) fn play(session: &mut Session, arguments: &Arguments<'_>, _: &mut Channel<'_>) -> Reply {
    let color = arguments.color(0)?;
    let action = arguments.action(1, session.game.size())?;
    session.play(color, action)?;
    done()
}

/// Moves of one or both players; all of them, or none if one cannot be played.
pub(crate) fn play_sequence(
    session: &mut Session,
    arguments: &Arguments<'_>,
    _: &mut Channel<'_>,
) -> Reply {
    let size = session.game.size();
    let before = session.game.clone();
    for (color, action) in arguments.pairs()? {
        let result = arguments::color(color)
            .and_then(|color| Ok((color, arguments::action(action, size)?)))
            .and_then(|(color, action)| session.play(color, action));
        if let Err(failure) = result {
            session.game = before;
            return Err(failure);
        }
    }
    done()
}

pub(crate) fn undo(session: &mut Session, _: &Arguments<'_>, _: &mut Channel<'_>) -> Reply {
    session.game.undo().ok_or(Failure::CannotUndo)?;
    done()
}

/// So many moves; all of them, or none if there are fewer.
pub(crate) fn undo_many(
    session: &mut Session,
    arguments: &Arguments<'_>,
    _: &mut Channel<'_>,
) -> Reply {
    let moves = match arguments.len() {
        0 => 1,
        _ => arguments.number::<usize>(0)?,
    };
    if moves > session.game.turns().len() {
        return Err(Failure::CannotUndo);
    }
    for _ in 0..moves {
        session.game.undo();
    }
    done()
}

/// These stones and no others, without a history.
pub(crate) fn set_position(
    session: &mut Session,
    arguments: &Arguments<'_>,
    _: &mut Channel<'_>,
) -> Reply {
    let mut setup = Setup::empty(session.game.size());
    let mut taken = PointSet::EMPTY;
    for (color, vertex) in arguments.pairs()? {
        let color = arguments::color(color)?;
        let point = arguments::point(vertex, setup.size)?;
        if !taken.insert(point) {
            return Err(Failure::because("repeated vertex"));
        }
        setup.stones[color].insert(point);
    }
    let game = session.set_up(&setup)?;
    session.start(game);
    done()
}

/// These stones in addition to those on the board; `empty` takes one off.
pub(crate) fn set_up_stones(
    session: &mut Session,
    arguments: &Arguments<'_>,
    _: &mut Channel<'_>,
) -> Reply {
    let mut setup = session.game.position();
    setup.ko = None;
    for (color, vertex) in arguments.pairs()? {
        let is_empty = ["e", "empty"]
            .iter()
            .any(|word| color.eq_ignore_ascii_case(word));
        let color = match is_empty {
            true => None,
            false => Some(arguments::color(color)?),
        };
        let point = arguments::point(vertex, setup.size)?;
        for player in Color::BOTH {
            setup.stones[player].remove(point);
        }
        if let Some(color) = color {
            setup.stones[color].insert(point);
        }
    }
    session.game.set_up(&setup).map_err(Failure::because)?;
    session.forget();
    done()
}

pub(crate) fn set_player(
    session: &mut Session,
    arguments: &Arguments<'_>,
    _: &mut Channel<'_>,
) -> Reply {
    let color = arguments.color(0)?;
    session.game.set_to_move(color);
    done()
}
