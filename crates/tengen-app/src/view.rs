//! A position with all that a record says about it.

use serde::Serialize;
use serde_json::{Map, Value};
use tengen_core::{Color, Move, Size};

use crate::game_tree::{GameTree, Trail, sets_up};
use crate::legality::{IllegalMessage, illegal_points};
use crate::marks::{self, LabelMessage, LineMessage, MarkMessage};
use crate::refusal::Refusal;
use crate::score::names;

/// A position with all that a record says about it.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct View {
    /// The node.
    #[cfg_attr(test, schemars(with = "crate::words::Node"))]
    node: usize,
    /// The number of the last move; moves count from 1.
    number: usize,
    /// Whose turn it is.
    #[cfg_attr(test, schemars(with = "crate::words::Color"))]
    to_move: Color,
    /// The stones.
    #[cfg_attr(test, schemars(with = "crate::words::Stones"))]
    stones: String,
    /// The last stone that was played; null after a pass and after setup.
    last: Option<LastMessage>,
    /// The point that simple ko forbids.
    #[cfg_attr(test, schemars(with = "Option<crate::words::Point>"))]
    ko: Option<String>,
    /// How many stones each player has captured.
    captures: Captures,
    /// The empty points where whoever is to move may not play.
    illegal: Vec<IllegalMessage>,
    /// Marks on points.
    marks: Vec<MarkMessage>,
    /// Texts on points.
    labels: Vec<LabelMessage>,
    /// Lines and arrows.
    lines: Vec<LineMessage>,
    /// The part of the board that the record wants to be seen; all of it, if this is missing.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(with = "Option<Vec<crate::words::Point>>"))]
    visible: Option<Vec<String>>,
    /// What the record says about the node.
    comment: String,
    /// What the record calls the node.
    name: String,
    /// Judgements and numbers by their SGF names: `GB`, `GW`, `DM`, `UC`, `BM`, `TE`, `HO` (1, or 2 for emphasis),
    /// `DO`, `IT` (1), `V` (a number), `BL`, `WL` (seconds left), `OB`, `OW` (stones left), `MN`.
    #[cfg_attr(test, schemars(with = "std::collections::BTreeMap<String, f64>"))]
    annotations: Map<String, Value>,
    /// The nodes that follow, in their order.
    children: Vec<Branch>,
    /// All children of the parent, this node included. The sheet's `style` says which the record wants to be shown.
    siblings: Vec<Branch>,
}

/// The last stone that was played.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct LastMessage {
    /// Whose it is.
    #[cfg_attr(test, schemars(with = "crate::words::Color"))]
    pub color: Color,
    /// Where it is.
    #[cfg_attr(test, schemars(with = "crate::words::Point"))]
    pub point: String,
}

/// How many stones each player has captured.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Captures {
    /// The stones that Black has captured.
    black: u32,
    /// The stones that White has captured.
    white: u32,
}

/// A way on.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Branch {
    /// The node.
    #[cfg_attr(test, schemars(with = "crate::words::Node"))]
    node: usize,
    /// Its move.
    #[serde(rename = "move")]
    #[cfg_attr(test, schemars(with = "crate::words::Turn"))]
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
            to_move: game.to_move(),
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
        color,
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
