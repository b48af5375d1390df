//! Where one may not play, and why.

use serde::Serialize;
use serde_json::json;
use tengen_core::{Color, IllegalMove, Ko, Move, Point};

use crate::game_tree::Trail;
use crate::refusal::{Code, Refusal};

/// An empty point where one may not play.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct IllegalMessage {
    /// The point.
    #[cfg_attr(test, schemars(with = "crate::words::Point"))]
    pub point: String,
    /// Why not.
    pub reason: Barred,
    /// The node of the earlier position that a stone there would recreate.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(with = "Option<crate::words::Node>"))]
    pub node: Option<usize>,
    /// The number of the last move in that position.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub number: Option<usize>,
}

/// Why one may not play on an empty point.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub(crate) enum Barred {
    /// The stone would have no liberties.
    Suicide,
    /// It would take back at once.
    Ko,
    /// It would recreate an earlier position.
    Superko,
}

impl Barred {
    const fn of(reason: IllegalMove) -> Option<Self> {
        match reason {
            IllegalMove::Suicide => Some(Self::Suicide),
            IllegalMove::Ko => Some(Self::Ko),
            IllegalMove::Superko => Some(Self::Superko),
            IllegalMove::Occupied | IllegalMove::OffBoard | IllegalMove::GameOver => None,
        }
    }
}

/// The name of a reason.
const fn reason_name(reason: IllegalMove) -> &'static str {
    match reason {
        IllegalMove::Occupied => "occupied",
        IllegalMove::Suicide => "suicide",
        IllegalMove::Ko => "ko",
        IllegalMove::Superko => "superko",
        IllegalMove::OffBoard => "off_board",
        IllegalMove::GameOver => "game_over",
    }
}

/// The empty points where the player to move may not play. A game that has ended is looked at as if it went on.
pub(crate) fn illegal_points(trail: &Trail) -> Vec<IllegalMessage> {
    let game = &trail.game;
    let barred = game.board().empty_points() - game.legal_moves();
    let why = |point: Point| {
        let reason = game.check(Move::Play(point)).err()?;
        let earlier = earlier_position(trail, point, reason);
        Some(IllegalMessage {
            point: point.to_gtp(game.size()),
            reason: Barred::of(reason)?,
            node: earlier.map(|(node, _)| node),
            number: earlier.map(|(_, number)| number),
        })
    };
    barred.into_iter().filter_map(why).collect()
}

/// The node and number of the position that a stone would recreate.
fn earlier_position(trail: &Trail, point: Point, reason: IllegalMove) -> Option<(usize, usize)> {
    if reason != IllegalMove::Superko {
        return None;
    }
    let game = &trail.game;
    let color = game.to_move();
    let mut board = game.board().clone();
    board.play_unchecked(point, color, |_| {});
    let next_to_move = |index: usize| match index {
        0 => game.start().to_move,
        _ => !game.turns()[index - 1].color,
    };
    let is_same = |(index, hash): &(usize, u64)| {
        let situation = game.rules().ko != Ko::Situational || next_to_move(*index) != color;
        *hash == board.hash() && situation
    };
    let (index, _) = game.hashes().enumerate().find(is_same)?;
    trail.past.get(index).copied()
}

/// Refuses a move that the rules forbid.
pub(crate) fn check(trail: &Trail, action: Move) -> Result<(), Refusal> {
    let Err(reason) = trail.game.check(action) else {
        return Ok(());
    };
    let size = trail.game.size();
    let Some(point) = action.point() else {
        return Err(Refusal::new(Code::IllegalMove, reason.to_string()));
    };
    let earlier = earlier_position(trail, point, reason);
    let who = match trail.game.to_move() {
        Color::Black => "Black",
        Color::White => "White",
    };
    let what = match (reason, earlier) {
        (IllegalMove::Superko, Some((_, 0))) => "it would recreate the first position".to_owned(),
        (IllegalMove::Superko, Some((_, number))) => {
            format!("it would recreate the position after move {number}")
        }
        (reason, _) => reason.to_string(),
    };
    let message = format!("{who} may not play {}: {what}", action.to_gtp(size));
    let mut data = json!({"point": point.to_gtp(size), "reason": reason_name(reason)});
    if let Some((node, number)) = earlier {
        data["node"] = json!(node);
        data["number"] = json!(number);
    }
    Err(Refusal::new(Code::IllegalMove, message).with(data))
}
