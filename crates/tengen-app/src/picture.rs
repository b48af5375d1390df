//! Positions of a game as pictures.

use tengen_core::{Color, Game, Size};
use tengen_render::{Link, LinkKind, Mark, Picture, Region};
use tengen_sgf::Node;

use crate::game_tree::GameTree;
use crate::marks::{self, MarkKind};
use crate::refusal::Refusal;

/// The position of a node, with what the record draws on it.
pub(crate) fn picture(tree: &GameTree, number: usize) -> Result<Picture, Refusal> {
    let node = tree.node(number)?;
    let visible = marks::visible(node, tree.size());
    let picture = position(tree, node, &tree.trail(number)?.game);
    Ok(picture.crop(visible.as_ref().and_then(Region::around)))
}

/// The positions from the root to a node.
pub(crate) fn frames(tree: &GameTree, number: usize) -> Result<Vec<Picture>, Refusal> {
    let mut frames = Vec::new();
    tree.walk(number, |node, replay| {
        frames.push(position(tree, node, replay.game()));
    })?;
    Ok(frames)
}

fn position(tree: &GameTree, node: Node<'_>, game: &Game) -> Picture {
    let turn = tree.turn(tree.number(node));
    let last = turn.and_then(|(_, action)| action.point());
    let stands = last.filter(|point| game.board().color_at(*point).is_some());
    let picture = Picture::of_setup(&game.position()).last(stands);
    marked(picture, node, tree.size())
}

fn marked(mut picture: Picture, node: Node<'_>, size: Size) -> Picture {
    for kind in MarkKind::ALL {
        picture = picture.mark_all(&marks::marked(node, kind, size), drawn(kind));
    }
    for (point, text) in marks::labels(node, size) {
        picture = picture.label(point, text);
    }
    for (name, kind) in [("LN", LinkKind::Line), ("AR", LinkKind::Arrow)] {
        for (from, to) in marks::lines(node, name, size) {
            picture = picture.link(Link { from, to, kind });
        }
    }
    picture
}

const fn drawn(kind: MarkKind) -> Mark {
    match kind {
        MarkKind::Triangle => Mark::Triangle,
        MarkKind::Square => Mark::Square,
        MarkKind::Circle => Mark::Circle,
        MarkKind::Cross => Mark::Cross,
        MarkKind::Selected => Mark::Selected,
        MarkKind::Dim => Mark::Dimmed,
        MarkKind::TerritoryBlack => Mark::Territory(Color::Black),
        MarkKind::TerritoryWhite => Mark::Territory(Color::White),
    }
}
