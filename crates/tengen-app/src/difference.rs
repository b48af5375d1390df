//! What is new about a game, for messages.

use std::collections::{BTreeMap, HashSet};

use serde::Serialize;
use serde_json::{Map, Value};

use crate::game_tree::{Changes, GameTree};
use crate::shared::Shared;
use crate::table::Table;
use crate::view::action_text;

/// How a game was before a change.
pub(crate) struct Before {
    head: Map<String, Value>,
    main: Vec<usize>,
    has_clock: bool,
}

impl Before {
    /// What has happened to the tree since.
    pub(crate) fn told(&self, tree: &mut Shared<GameTree>) -> Told {
        Told::taken(&self.main, tree)
    }

    pub(crate) fn of(table: &Table) -> Self {
        Self {
            head: head(table),
            main: table.tree.main_line(),
            has_clock: table.clock.is_some(),
        }
    }
}

fn head(table: &Table) -> Map<String, Value> {
    match serde_json::to_value(table.head()) {
        Ok(Value::Object(fields)) => fields,
        _ => Map::new(),
    }
}

/// What has happened to a tree, as it is told. To find it out may take as long as the tree is large.
#[derive(Debug, Default)]
pub(crate) struct Told {
    /// What has happened.
    pub changes: Changes,
    added: Vec<AddedNode>,
    nodes: Vec<ChangedNode>,
    main: Option<Vec<usize>>,
}

impl Told {
    /// What has happened to a tree that was like another one.
    pub(crate) fn since(before: &GameTree, tree: &mut Shared<GameTree>) -> Self {
        Self::taken(&before.main_line(), tree)
    }

    /// What has happened to a tree that had another main line.
    fn taken(main: &[usize], tree: &mut Shared<GameTree>) -> Self {
        // Only if there are any, since a tree that changes is copied while somebody reads it.
        let changes = match tree.has_changes() {
            true => tree.take_changes(),
            false => Changes::default(),
        };
        Self {
            added: changes
                .added
                .iter()
                .map(|node| added(tree, *node))
                .collect(),
            nodes: changed(tree, &changes),
            main: new_main(tree, main, &changes),
            changes,
        }
    }
}

/// What is new about a game. Whoever has the sheet of the version before can make the new one of it: fields of the
/// sheet are replaced, and those that are null are gone.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Change {
    #[serde(flatten)]
    #[cfg_attr(test, schemars(with = "HeadChange"))]
    head: Map<String, Value>,
    /// Null when the game has no clock any more. What clocks show is told by `clock` events.
    #[serde(skip_serializing_if = "Option::is_none")]
    clock: Option<()>,
    /// Nodes that are new, parents before their children.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    added: Vec<AddedNode>,
    /// Nodes that are gone.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(test, schemars(with = "Vec<crate::words::Node>"))]
    removed: Vec<usize>,
    /// The main line, when it is not simply longer by nodes that were added.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(with = "Vec<crate::words::Node>"))]
    main: Option<Vec<usize>>,
    /// Nodes whose view may be another now, and with it that of nodes behind them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(test, schemars(with = "Vec<crate::words::Node>"))]
    edited: Vec<usize>,
    /// What the tree says now of the nodes that were edited, and of those that were added with a comment.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    nodes: Vec<ChangedNode>,
    /// All facts about the game, when one has changed.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(with = "BTreeMap<String, String>"))]
    info: Option<BTreeMap<&'static str, String>>,
    /// True when the game is gone.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(with = "bool"))]
    deleted: Option<bool>,
}

/// A node that was added to a game.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct AddedNode {
    /// Its number.
    #[cfg_attr(test, schemars(with = "crate::words::Node"))]
    node: usize,
    /// The node before it.
    #[cfg_attr(test, schemars(with = "crate::words::Node"))]
    parent: Option<usize>,
    /// Its move.
    #[serde(rename = "move")]
    #[cfg_attr(test, schemars(with = "crate::words::Turn"))]
    action: String,
}

/// What the tree of a sheet says about a node.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct ChangedNode {
    /// Its number.
    #[cfg_attr(test, schemars(with = "crate::words::Node"))]
    node: usize,
    /// Its move.
    #[serde(rename = "move")]
    #[cfg_attr(test, schemars(with = "crate::words::Turn"))]
    action: String,
    /// Does it have a comment?
    has_comment: bool,
}

/// The head of a sheet of which any field may be missing.
#[cfg(test)]
struct HeadChange;

#[cfg(test)]
impl schemars::JsonSchema for HeadChange {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "HeadChange".into()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        let mut schema = crate::sheet::Head::json_schema(generator);
        schema.remove("required");
        schema
    }
}

impl Change {
    /// The game is gone.
    pub(crate) fn deleted() -> Self {
        Self {
            deleted: Some(true),
            ..Self::default()
        }
    }

    /// What is new, and what has happened to the tree.
    pub(crate) fn since(before: &Before, table: &Table, told: Told) -> Self {
        let after = head(table);
        let gone = before.head.keys().filter(|key| !after.contains_key(*key));
        let gone: Vec<_> = gone.map(|key| (key.clone(), Value::Null)).collect();
        let is_new = |key: &String, value: &Value| before.head.get(key) != Some(value);
        let new = after.into_iter().filter(|(key, value)| is_new(key, value));
        Self {
            head: new.chain(gone).collect(),
            clock: (before.has_clock && table.clock.is_none()).then_some(()),
            added: told.added,
            removed: told.changes.removed,
            main: told.main,
            edited: told.changes.edited,
            nodes: told.nodes,
            info: told.changes.info.then(|| table.info()),
            deleted: None,
        }
    }

    /// About how many nodes it speaks of.
    pub(crate) fn weight(&self) -> usize {
        let main = self.main.as_ref().map_or(0, Vec::len);
        let nodes = self.added.len() + self.nodes.len();
        nodes + main + self.removed.len() + self.edited.len()
    }

    pub(crate) fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

fn added(tree: &GameTree, node: usize) -> AddedNode {
    AddedNode {
        node,
        parent: tree.parent(node),
        action: action_text(tree, node),
    }
}

/// The main line, if nobody can tell it from the one before and the nodes that were added.
fn new_main(tree: &GameTree, before: &[usize], changes: &Changes) -> Option<Vec<usize>> {
    let main = tree.main_line();
    let added: HashSet<&usize> = changes.added.iter().collect();
    let rest = main.strip_prefix(before);
    let is_other = rest.is_none_or(|rest| rest.iter().any(|node| !added.contains(node)));
    is_other.then_some(main)
}

fn changed(tree: &GameTree, changes: &Changes) -> Vec<ChangedNode> {
    let added = changes.added.iter();
    let added = added.filter(|node| tree.has_comment(**node));
    let changed = |node: &usize| ChangedNode {
        node: *node,
        action: action_text(tree, *node),
        has_comment: tree.has_comment(*node),
    };
    added.chain(&changes.edited).map(changed).collect()
}
