//! Games in which a position came up.

use serde::{Deserialize, Serialize};
use tengen_core::{ByColor, Color, Move, PointSet, Size, Symmetry};

use crate::aside::Apart;
use crate::call::Caller;
use crate::game_tree::GameTree;
use crate::refusal::Result;
use crate::room::Room;
use crate::shared::Shared;
use crate::table::Table;

/// Which part of a board is looked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub(crate) enum Part {
    /// All of it.
    #[default]
    Board,
    /// The quarter in the upper left, middle lines included.
    UpperLeft,
    /// The quarter in the upper right.
    UpperRight,
    /// The quarter in the lower left.
    LowerLeft,
    /// The quarter in the lower right.
    LowerRight,
}

#[derive(Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct SearchGames {
    /// The game.
    #[cfg_attr(test, schemars(with = "crate::words::GameId"))]
    pub game: String,
    /// The node of the position.
    #[cfg_attr(test, schemars(with = "crate::words::Node"))]
    pub node: usize,
    /// Which part of it is looked for; all of it, if this is left out.
    #[serde(default)]
    pub part: Part,
}

/// Games in which a position came up.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct FoundGames {
    /// The games, the latest first, each with the first position that is the same.
    pub games: Vec<FoundGame>,
    /// What was played next, the most frequent first, on the board that was asked about.
    pub next: Vec<NextMove>,
}

/// A game in which a position came up.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct FoundGame {
    /// Its name.
    #[cfg_attr(test, schemars(with = "crate::words::GameId"))]
    pub id: String,
    /// What people call it.
    pub title: String,
    /// The result as records write it.
    pub result: Option<String>,
    /// The node of the position.
    #[cfg_attr(test, schemars(with = "crate::words::Node"))]
    pub node: usize,
    /// The number of the last move there.
    pub number: usize,
}

/// A move that was played next.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct NextMove {
    /// The move, as on the board that was asked about.
    #[serde(rename = "move")]
    #[cfg_attr(test, schemars(with = "crate::words::Move"))]
    pub action: String,
    /// Whose move it is.
    #[cfg_attr(test, schemars(with = "crate::words::Color"))]
    pub color: Color,
    /// In how many games it was played.
    pub count: usize,
    /// How many of them Black has won.
    pub black_wins: usize,
    /// How many of them White has won.
    pub white_wins: usize,
}

/// A position that is looked for, turned or mirrored.
struct Pattern {
    symmetry: Symmetry,
    mask: PointSet,
    stones: ByColor<PointSet>,
}

/// What is needed of a game to search it where nobody waits.
struct Searched {
    tree: Shared<GameTree>,
    found: FoundGame,
}

/// Looks for games with a position: turned and mirrored ones, too.
pub(crate) fn search(
    room: &mut Room,
    SearchGames { game, node, part }: SearchGames,
    _: Caller,
) -> Result<Apart<FoundGames>> {
    let asked = room.table(&game)?.tree.clone();
    asked.node(node)?;
    let mut tables: Vec<&Table> = room.tables.values().filter(|table| table.keep).collect();
    tables.sort_by(|a, b| b.updated.cmp(&a.updated).then_with(|| b.id.cmp(&a.id)));
    let games: Vec<Searched> = tables
        .into_iter()
        .filter(|table| table.tree.size() == asked.size())
        .map(|table| Searched {
            tree: table.tree.clone(),
            found: FoundGame {
                id: table.id.clone(),
                title: table.title(),
                result: table.result_text(),
                node: 0,
                number: 0,
            },
        })
        .collect();
    Ok(Apart(Box::new(move || {
        let patterns = patterns(&asked, node, part)?;
        let mut all = FoundGames {
            games: Vec::new(),
            next: Vec::new(),
        };
        for searched in games {
            find(searched, &patterns, &mut all);
        }
        // The sort is stable: of moves with equal counts, that of the latest game comes first.
        all.next.sort_by_key(|next| std::cmp::Reverse(next.count));
        Ok(all)
    })))
}

/// The position of a node in all of its forms.
fn patterns(tree: &GameTree, node: usize, part: Part) -> Result<Vec<Pattern>> {
    let setup = tree.trail(node)?.game.position();
    let size = setup.size;
    let mask = mask(size, part);
    let turned = |symmetry: Symmetry| Pattern {
        symmetry,
        mask: symmetry.apply_to_set(&mask, size),
        stones: setup
            .stones
            .map(|stones| symmetry.apply_to_set(&(stones & mask), size)),
    };
    Ok(Symmetry::onto_itself(size).map(turned).collect())
}

fn mask(size: Size, part: Part) -> PointSet {
    let (width, height) = (size.width().div_ceil(2), size.height().div_ceil(2));
    let is_inside = |x: u8, y: u8| match part {
        Part::Board => true,
        Part::UpperLeft => x < width && y < height,
        Part::UpperRight => x >= size.width() - width && y < height,
        Part::LowerLeft => x < width && y >= size.height() - height,
        Part::LowerRight => x >= size.width() - width && y >= size.height() - height,
    };
    let points = size.points();
    points
        .iter()
        .filter(|point| is_inside(point.x(), point.y()))
        .collect()
}

/// Adds a game in whose main line the position comes up.
fn find(searched: Searched, patterns: &[Pattern], all: &mut FoundGames) {
    let Searched { tree, mut found } = searched;
    let main = tree.main_line();
    let Some(last) = main.last() else { return };
    let mut met: Option<&Pattern> = None;
    let walked = tree.walk(*last, |node, replay| {
        if met.is_some() {
            return;
        }
        let board = replay.game().board();
        let is_same = |pattern: &&Pattern| {
            let same = |color| *board.stones(color) & pattern.mask == pattern.stones[color];
            same(Color::Black) && same(Color::White)
        };
        met = patterns.iter().find(is_same);
        if met.is_some() {
            found.node = tree.number(node);
            found.number = replay.moves();
        }
    });
    let (Some(pattern), Ok(_)) = (met, walked) else {
        return;
    };
    let after = main.iter().skip_while(|node| **node != found.node).skip(1);
    // In a part of the board, the next move there is meant.
    let next = after
        .filter_map(|node| tree.turn(*node))
        .find_map(|(color, action)| match action {
            Move::Play(point) if pattern.mask.contains(point) => Some((color, point)),
            _ => None,
        });
    if let Some((color, point)) = next {
        let point = pattern.symmetry.inverse().apply(point, tree.size());
        let action = Move::Play(point).to_gtp(tree.size());
        let place = all
            .next
            .iter()
            .position(|next| next.action == action && next.color == color);
        let place = place.unwrap_or_else(|| {
            all.next.push(NextMove {
                action,
                color,
                count: 0,
                black_wins: 0,
                white_wins: 0,
            });
            all.next.len() - 1
        });
        let next = &mut all.next[place];
        next.count += 1;
        let result = found.result.as_deref().unwrap_or_default();
        next.black_wins += usize::from(result.starts_with(['B', 'b']));
        next.white_wins += usize::from(result.starts_with(['W', 'w']));
    }
    all.games.push(found);
}
