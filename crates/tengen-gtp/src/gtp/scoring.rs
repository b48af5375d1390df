//! Commands about the end of the game.

use std::fmt;

use tengen_core::{Color, Point, PointSet, Settlement};

use crate::gtp::arguments::Arguments;
use crate::gtp::channel::Channel;
use crate::gtp::failure::{Failure, Reply};
use crate::gtp::inbox::SearchEnd;
use crate::gtp::session::Session;

/// What becomes of a point when the board is counted as it stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Status {
    Alive,
    Dead,
    Seki,
    Territory(Color),
    Dame,
}

impl Status {
    const ALL: [Self; 6] = [
        Self::Alive,
        Self::Dead,
        Self::Seki,
        Self::Territory(Color::White),
        Self::Territory(Color::Black),
        Self::Dame,
    ];
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Alive => "alive",
            Self::Dead => "dead",
            Self::Seki => "seki",
            Self::Territory(Color::White) => "white_territory",
            Self::Territory(Color::Black) => "black_territory",
            Self::Dame => "dame",
        })
    }
}

fn settle(session: &mut Session, channel: &Channel<'_>) -> Settlement {
    let game = session.game_for(session.game.to_move());
    let (stop, _watch) = channel.watch(SearchEnd::WhenDone);
    session.engine.settle(&game, &stop)
}

pub(crate) fn score(session: &mut Session, _: &Arguments<'_>, channel: &mut Channel<'_>) -> Reply {
    let settlement = settle(session, channel);
    Ok(session.game.score_settled(&settlement).to_string())
}

pub(crate) fn status(
    session: &mut Session,
    arguments: &Arguments<'_>,
    channel: &mut Channel<'_>,
) -> Reply {
    let point = arguments.point(0, session.game.size())?;
    let settlement = settle(session, channel);
    Ok(status_of(session, point, &settlement).to_string())
}

fn status_of(session: &Session, point: Point, settlement: &Settlement) -> Status {
    let board = session.game.board();
    if board.color_at(point).is_none() {
        let territory = board.territory(settlement);
        let owner = |color: &Color| territory.owned[*color].contains(point);
        return Color::BOTH
            .into_iter()
            .find(owner)
            .map_or(Status::Dame, Status::Territory);
    }
    if settlement.dead.contains(point) {
        Status::Dead
    } else if settlement.seki.contains(point) {
        Status::Seki
    } else {
        Status::Alive
    }
}

/// Stones a chain a line, other points all in one.
pub(crate) fn status_list(
    session: &mut Session,
    arguments: &Arguments<'_>,
    channel: &mut Channel<'_>,
) -> Reply {
    let word = arguments.word(0)?.to_ascii_lowercase();
    let wanted = Status::ALL
        .into_iter()
        .find(|status| status.to_string() == word)
        .ok_or(Failure::Syntax)?;
    let settlement = settle(session, channel);
    let board = session.game.board();
    let lines: Vec<String> = match wanted {
        Status::Alive | Status::Dead | Status::Seki => board
            .chains()
            .filter(|chain| {
                let first = chain.stones.first();
                first.is_some_and(|point| status_of(session, point, &settlement) == wanted)
            })
            .map(|chain| session.vertices(chain.stones))
            .collect(),
        Status::Territory(_) | Status::Dame => {
            let empty = board.empty_points();
            let points: PointSet = empty
                .iter()
                .filter(|point| status_of(session, *point, &settlement) == wanted)
                .collect();
            vec![session.vertices(points)]
        }
    };
    Ok(lines.join("\n"))
}
