//! A position with all that a record says about it.

use serde::Serialize;
use serde_json::{Map, Value};
use tengen_core::{Color, Move, Size};

use crate::color::ColorName;
use crate::game_tree::{GameTree, Trail, sets_up};
use crate::legality::{IllegalMessage, illegal_points};
use crate::marks::{self, LabelMessage, LineMessage, MarkMessage};
use crate::refusal::Refusal;
use crate::score::names;

/// A position with all that a record says about it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct View {
    node: usize,
    number: usize,
    to_move: ColorName,
    stones: String,
    last: Option<LastMessage>,
    ko: Option<String>,
    captures: Captures,
    illegal: Vec<IllegalMessage>,
    marks: Vec<MarkMessage>,
    labels: Vec<LabelMessage>,
    lines: Vec<LineMessage>,
    #[serde(skip_serializing_if = "Option::is_none")]
    visible: Option<Vec<String>>,
    comment: String,
    name: String,
    annotations: Map<String, Value>,
    children: Vec<Branch>,
    siblings: Vec<Branch>,
}

/// The last stone that was played.
#[derive(Clone, Debug, PartialEq, Serialize)]
struct LastMessage {
    color: ColorName,
    point: String,
}

/// How many stones each player has captured.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
struct Captures {
    black: u32,
    white: u32,
}

/// A way on.
#[derive(Clone, Debug, PartialEq, Serialize)]
struct Branch {
    node: usize,
    #[serde(rename = "move")]
    action: String,
}

impl View {
    /// The view of a node.
    pub(crate) fn of(tree: &GameTree, number: usize) -> Result<Self, Refusal> {
        let node = tree.node(number)?;
        let trail = tree.trail(number)?.going_on();
        let game = &trail.game;
        let size = game.size();
        let board = game.board();
        let text = |name: &str| {
            let value = node.value(name);
            value.map_or_else(String::new, |value| value.text().into_owned())
        };
        let label = |(point, text): (tengen_core::Point, String)| LabelMessage {
            point: point.to_gtp(size),
            text,
        };
        let lines = |name: &str, arrow: bool| {
            let lines = marks::lines(node, name, size).into_iter();
            lines.map(move |(from, to)| LineMessage {
                from: from.to_gtp(size),
                to: to.to_gtp(size),
                arrow,
            })
        };
        let siblings = tree.parent(number).map(|parent| tree.children(parent));
        Ok(Self {
            node: number,
            number: trail.number,
            to_move: game.to_move().into(),
            stones: stones(&trail),
            last: last(tree, number, size),
            ko: board.ko().map(|point| point.to_gtp(size)),
            captures: Captures {
                black: game.prisoners(Color::Black),
                white: game.prisoners(Color::White),
            },
            illegal: illegal_points(&trail),
            marks: marks::marks(node, size),
            labels: marks::labels(node, size).into_iter().map(label).collect(),
            lines: lines("LN", false).chain(lines("AR", true)).collect(),
            visible: marks::visible(node, size).map(|points| names(&points, size)),
            comment: text("C"),
            name: text("N"),
            annotations: marks::annotations(node),
            children: branches(tree, &tree.children(number)),
            siblings: branches(tree, &siblings.unwrap_or_else(|| vec![number])),
        })
    }
}

fn stones(trail: &Trail) -> String {
    let board = trail.game.board();
    let letter = |point| match board.color_at(point) {
        Some(Color::Black) => 'X',
        Some(Color::White) => 'O',
        None => '.',
    };
    board.points().iter().map(letter).collect()
}

fn last(tree: &GameTree, number: usize, size: Size) -> Option<LastMessage> {
    let (color, action) = tree.turn(number)?;
    Some(LastMessage {
        color: color.into(),
        point: action.point()?.to_gtp(size),
    })
}

fn branches(tree: &GameTree, numbers: &[usize]) -> Vec<Branch> {
    let branch = |number: &usize| Branch {
        node: *number,
        action: action_text(tree, *number),
    };
    numbers.iter().map(branch).collect()
}

/// The move of a node as trees show it: `B Q16`, `W pass`, `setup`, or nothing.
pub(crate) fn action_text(tree: &GameTree, number: usize) -> String {
    match tree.turn(number) {
        Some((color, Move::Pass)) => format!("{} pass", color.letter()),
        Some((color, action)) => format!("{} {}", color.letter(), action.to_gtp(tree.size())),
        None if tree.get(number).is_some_and(sets_up) => "setup".to_owned(),
        None => String::new(),
    }
}
