//! Changes to a record.

use serde::Deserialize;
use tengen_core::{Color, Point, PointSet, Setup, Size};

use crate::game_tree::{GameTree, PRIVATE, sets_up};
use crate::limits::{Limits, at_most};
use crate::marks::{self, MarkKind};
use crate::refusal::{Code, Refusal};

/// A change at a node. Null takes away, and so do empty texts.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(tag = "do", rename_all = "snake_case", deny_unknown_fields)]
pub(crate) enum Edit {
    /// What is said about the node.
    Comment {
        /// The comment.
        text: String,
    },
    /// What the node is called.
    Name {
        /// The name.
        text: String,
    },
    /// A mark on a point, in place of others there.
    Mark {
        /// The point.
        #[cfg_attr(test, schemars(with = "crate::words::Point"))]
        point: String,
        /// The mark.
        kind: Option<MarkKind>,
    },
    /// A text on a point.
    Label {
        /// The point.
        #[cfg_attr(test, schemars(with = "crate::words::Point"))]
        point: String,
        /// The text.
        text: Option<String>,
    },
    /// A line or an arrow.
    Line {
        /// Where it begins.
        #[cfg_attr(test, schemars(with = "crate::words::Point"))]
        from: String,
        /// Where it ends.
        #[cfg_attr(test, schemars(with = "crate::words::Point"))]
        to: String,
        /// False for a line, true for an arrow.
        arrow: Option<bool>,
    },
    /// A judgement or a number.
    Annotation {
        /// Its SGF name, as in the annotations of a view.
        key: String,
        /// Its value.
        value: Option<f64>,
    },
    /// A fact about the game.
    Info {
        /// Its name, as in the info of a sheet.
        key: String,
        /// What the record is to say.
        value: Option<String>,
    },
    /// A stone that is set up, or taken away. At a node with a move, a child is made for the stones.
    Setup {
        /// The point.
        #[cfg_attr(test, schemars(with = "crate::words::Point"))]
        point: String,
        /// The colour of the stone.
        #[cfg_attr(test, schemars(with = "Option<crate::words::Color>"))]
        color: Option<Color>,
    },
    /// Whose turn it is.
    ToMove {
        /// The player.
        #[cfg_attr(test, schemars(with = "crate::words::Color"))]
        color: Color,
    },
    /// The node is removed with all behind it; its parent is where the edits end.
    Remove {},
    /// The node becomes part of the main line.
    Promote {},
    /// Moves from elsewhere are added behind the node: the first game of a text, or what follows its first node if that
    /// has neither a move nor stones. The first node that was added is where the edits end.
    Paste {
        /// The text, SGF.
        text: String,
    },
}

/// Facts about a game: their names in messages and their properties.
pub(crate) const INFO: [(&str, &str); 24] = [
    ("black", "PB"),
    ("black_rank", "BR"),
    ("black_team", "BT"),
    ("white", "PW"),
    ("white_rank", "WR"),
    ("white_team", "WT"),
    ("title", "GN"),
    ("event", "EV"),
    ("round", "RO"),
    ("date", "DT"),
    ("place", "PC"),
    ("result", "RE"),
    ("time", "TM"),
    ("overtime", "OT"),
    ("opening", "ON"),
    ("annotator", "AN"),
    ("copyright", "CP"),
    ("source", "SO"),
    ("user", "US"),
    ("comment", "GC"),
    ("rules", "RU"),
    ("komi", "KM"),
    ("handicap", "HA"),
    ("tags", "KW"),
];

impl Edit {
    /// Does it change more than what is said about positions that stay as they are?
    pub(crate) fn needs_review(&self) -> bool {
        match self {
            Self::Setup { .. }
            | Self::ToMove { .. }
            | Self::Remove {}
            | Self::Promote {}
            | Self::Paste { .. } => true,
            Self::Info { key, .. } => {
                matches!(key.as_str(), "rules" | "komi" | "handicap" | "result")
            }
            Self::Comment { .. }
            | Self::Name { .. }
            | Self::Mark { .. }
            | Self::Label { .. }
            | Self::Line { .. }
            | Self::Annotation { .. } => false,
        }
    }

    /// Is the whole record written anew for it?
    pub(crate) const fn rewrites(&self) -> bool {
        matches!(self, Self::Remove {} | Self::Promote {})
    }

    /// Makes the change at a node, and says at which node it ended.
    pub(crate) fn apply(
        &self,
        tree: &mut GameTree,
        node: usize,
        limits: &Limits,
    ) -> Result<usize, Refusal> {
        tree.node(node)?;
        match self {
            Self::Comment { text } => {
                limits.check_comment(text)?;
                tree.set_text(node, "C", text);
            }
            Self::Name { text } => {
                limits.check_line(text)?;
                tree.set_text(node, "N", text);
            }
            Self::Mark { point, kind } => mark(tree, node, point, *kind)?,
            Self::Label { point, text } => {
                let text = text.as_deref().unwrap_or_default();
                limits.check_line(text)?;
                label(tree, node, point, text)?;
            }
            Self::Line { from, to, arrow } => line(tree, node, from, to, *arrow)?,
            Self::Annotation { key, value } => annotation(tree, node, key, *value)?,
            Self::Info { key, value } => {
                let value = value.as_deref().unwrap_or_default();
                info(tree, key, value, limits)?;
            }
            Self::Setup { point, color } => {
                return set_up(tree, node, read_point(point, tree.size())?, *color, limits);
            }
            Self::ToMove { color } => {
                let node = node_for_setup(tree, node, limits)?;
                let letter = color.letter().to_string();
                tree.set(node, "PL", [letter]);
                tree.note_positions();
                return Ok(node);
            }
            Self::Remove {} => {
                let parent = tree.parent(node);
                let parent = parent.ok_or_else(|| Refusal::params("the root stays"))?;
                tree.remove(node);
                return Ok(parent);
            }
            Self::Promote {} => tree.promote(node),
            Self::Paste { text } => return paste(tree, node, text, limits),
        }
        Ok(node)
    }
}

/// A point of the board by its name.
pub(crate) fn read_point(text: &str, size: Size) -> Result<Point, Refusal> {
    Point::from_gtp(text, size)
        .map_err(|error| Refusal::params(format_args!("{text:?} is no point: {error}")))
}

/// The points as a record writes them, one by one.
pub(crate) fn sgf_points(points: &PointSet) -> Vec<String> {
    points.iter().map(Point::to_sgf).collect()
}

fn mark(
    tree: &mut GameTree,
    node: usize,
    point: &str,
    kind: Option<MarkKind>,
) -> Result<(), Refusal> {
    let size = tree.size();
    let point = read_point(point, size)?;
    for other in MarkKind::ALL {
        let here = tree.node(node)?;
        let before = marks::marked(here, other, size);
        let mut after = before;
        after.remove(point);
        if Some(other) == kind {
            after.insert(point);
        }
        if after == before {
            continue;
        }
        let mut values = sgf_points(&after);
        let above = here
            .parent()
            .map(|parent| marks::marked(parent, other, size));
        // What is dimmed stays so until a node says that nothing is.
        if other == MarkKind::Dim
            && values.is_empty()
            && above.is_some_and(|above| !above.is_empty())
        {
            values.push(String::new());
        }
        tree.set(node, other.property(), values);
    }
    Ok(())
}

fn label(tree: &mut GameTree, node: usize, point: &str, text: &str) -> Result<(), Refusal> {
    let size = tree.size();
    let point = read_point(point, size)?;
    let mut labels = marks::labels(tree.node(node)?, size);
    labels.retain(|(at, _)| *at != point);
    if !text.is_empty() {
        labels.push((point, text.to_owned()));
    }
    let values = labels
        .into_iter()
        .map(|(at, text)| format!("{}:{text}", at.to_sgf()));
    tree.set(node, "LB", values);
    Ok(())
}

fn line(
    tree: &mut GameTree,
    node: usize,
    from: &str,
    to: &str,
    arrow: Option<bool>,
) -> Result<(), Refusal> {
    let size = tree.size();
    let ends = (read_point(from, size)?, read_point(to, size)?);
    if ends.0 == ends.1 {
        return Err(Refusal::params("a line has two ends"));
    }
    for (name, kind) in [("LN", false), ("AR", true)] {
        let mut lines = marks::lines(tree.node(node)?, name, size);
        lines.retain(|line| *line != ends);
        if arrow == Some(kind) {
            lines.push(ends);
        }
        let values = lines
            .into_iter()
            .map(|(from, to)| format!("{}:{}", from.to_sgf(), to.to_sgf()));
        tree.set(node, name, values);
    }
    Ok(())
}

fn annotation(
    tree: &mut GameTree,
    node: usize,
    key: &str,
    value: Option<f64>,
) -> Result<(), Refusal> {
    let value = match value {
        None if marks::is_annotation(key) => None,
        None => {
            return Err(Refusal::params(format_args!(
                "no annotation is called {key:?}"
            )));
        }
        Some(value) => match marks::annotation(key, value) {
            Some(text) => Some(text),
            None => {
                let message = format!("{value} is no value of an annotation {key:?}");
                return Err(Refusal::params(message));
            }
        },
    };
    tree.set(node, key, value);
    Ok(())
}

fn info(tree: &mut GameTree, key: &str, value: &str, limits: &Limits) -> Result<(), Refusal> {
    let Some((_, property)) = INFO.iter().find(|(name, _)| *name == key) else {
        return Err(Refusal::params(format_args!("no fact is called {key:?}")));
    };
    limits.check_line(value)?;
    let wrong = || Refusal::params(format_args!("{value:?} is no {key}"));
    match key {
        _ if value.is_empty() => {}
        "komi" => drop(value.parse::<tengen_core::Komi>().map_err(|_| wrong())?),
        "handicap" => drop(value.parse::<u8>().map_err(|_| wrong())?),
        "rules" => drop(value.parse::<tengen_core::Rules>().map_err(|_| wrong())?),
        _ => {}
    }
    tree.set_text(0, property, value);
    tree.note_info();
    if matches!(key, "komi" | "handicap" | "rules") {
        tree.note_positions();
    }
    Ok(())
}

/// The node at which stones can be set up: a move does not stand beside them, so that a node with one gets a child.
fn node_for_setup(tree: &mut GameTree, node: usize, limits: &Limits) -> Result<usize, Refusal> {
    let here = tree.node(node)?;
    if here.property("B").is_none() && here.property("W").is_none() {
        return Ok(node);
    }
    limits.check_child(tree, node)?;
    Ok(tree.add(node))
}

fn set_up(
    tree: &mut GameTree,
    node: usize,
    point: Point,
    color: Option<Color>,
    limits: &Limits,
) -> Result<usize, Refusal> {
    let node = node_for_setup(tree, node, limits)?;
    let before = match tree.parent(node) {
        Some(parent) => tree.trail(parent)?.game.position(),
        None => Setup::empty(tree.size()),
    };
    let mut after = tree.trail(node)?.game.position();
    after.ko = None;
    after.stones.black.remove(point);
    after.stones.white.remove(point);
    if let Some(color) = color {
        after.stones[color].insert(point);
    }
    if let Err(error) = after.board() {
        let point = error.point().to_gtp(tree.size());
        let message = format!("this cannot stand: {error}");
        let refusal = Refusal::new(Code::IllegalSetup, message);
        return Err(refusal.with(serde_json::json!({"point": point})));
    }
    for (name, color) in [("AB", Color::Black), ("AW", Color::White)] {
        let stones = after.stones[color] - before.stones[color];
        tree.set(node, name, sgf_points(&stones));
    }
    let stood = before.stones.black | before.stones.white;
    let emptied = stood - after.stones.black - after.stones.white;
    tree.set(node, "AE", sgf_points(&emptied));
    tree.note_positions();
    Ok(node)
}

/// Properties that belong to a whole game and not to a branch.
const OF_A_ROOT: [&str; 8] = ["FF", "GM", "CA", "AP", "ST", "SZ", "RU", "KM"];

/// Adds the moves of a text behind a node, and says which node was the first.
fn paste(tree: &mut GameTree, node: usize, text: &str, limits: &Limits) -> Result<usize, Refusal> {
    at_most("bytes_of_a_file", text.len(), limits.file_bytes)?;
    tree.check_len(text.len(), limits)?;
    let pasted = GameTree::read(text)?;
    if pasted.size() != tree.size() && pasted.root().property("SZ").is_some() {
        return Err(Refusal::params("the text is about a board of another size"));
    }
    let root = pasted.root();
    let has_content = sets_up(root) || ["B", "W"].iter().any(|name| root.property(name).is_some());
    let mut places = std::collections::HashMap::new();
    let mut first = None;
    for from in root.descendants() {
        let parent = from.parent().and_then(|parent| places.get(&parent.id()));
        let parent = parent.copied().unwrap_or(node);
        if from.parent().is_none() && !has_content {
            places.insert(from.id(), node);
            continue;
        }
        limits.check_child(tree, parent)?;
        let added = tree.add(parent);
        places.insert(from.id(), added);
        first = first.or(Some(added));
        for property in from.properties() {
            let name = property.name();
            if !OF_A_ROOT.contains(&name.as_str()) && name != PRIVATE {
                tree.set(added, &name, property.values().map(tengen_sgf::Value::text));
            }
        }
    }
    first.ok_or_else(|| Refusal::params("there are no moves in the text"))
}

/// Is there nothing in a node but what play put there?
pub(crate) fn is_plain(tree: &GameTree, node: usize) -> bool {
    const OF_PLAY: [&str; 6] = ["B", "W", "BL", "WL", "OB", "OW"];
    tree.get(node).is_some_and(|node| {
        let mut properties = node.properties();
        !sets_up(node)
            && properties.all(|property| OF_PLAY.into_iter().any(|name| property.is(name)))
    })
}
