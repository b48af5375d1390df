//! A record that was edited where nobody waits for it.

use crate::difference::Told;
use crate::edit::Edit;
use crate::game_tree::{GameTree, Trail};
use crate::limits::Limits;
use crate::refusal::Refusal;
use crate::shared::Shared;
use crate::table::Table;

/// What is to be edited, and where the game stood when it was.
#[derive(Clone, Debug)]
pub(crate) struct Draft {
    pub game: String,
    /// The version of the game that was edited. If it has another one by now, the edits are made again.
    pub version: u64,
    pub node: usize,
    pub edits: Vec<Edit>,
    limits: Limits,
    live: usize,
    tree: Shared<GameTree>,
}

/// A record with all edits made.
#[derive(Debug)]
pub(crate) struct EditedTree {
    pub draft: Draft,
    pub tree: Shared<GameTree>,
    /// What has happened to it.
    pub told: Told,
    /// The node at which the edits ended.
    pub at: usize,
    /// Where the game stands: where it stood, or the last node before that which is left.
    pub live: usize,
    /// The way there.
    pub trail: Trail,
}

impl Draft {
    /// Edits for a game, if they may be made there at all.
    pub(crate) fn new(
        table: &Table,
        node: usize,
        edits: Vec<Edit>,
        limits: Limits,
    ) -> Result<Self, Refusal> {
        table.check_edits(node, &edits)?;
        Ok(Self {
            game: table.id.clone(),
            version: table.version,
            node,
            edits,
            limits,
            live: table.live,
            tree: table.tree.clone(),
        })
    }

    /// Makes all edits in a copy of the record, or none.
    pub(crate) fn make(self) -> Result<EditedTree, Refusal> {
        let mut tree = self.tree.copied();
        let mut at = self.node;
        for edit in &self.edits {
            at = edit.apply(&mut tree, at, &self.limits)?;
            tree.check_len(0, &self.limits)?;
        }
        let live = std::iter::successors(Some(self.live), |node| self.tree.parent(*node))
            .find(|node| tree.get(*node).is_some())
            .unwrap_or(0);
        // The table must not fail when it takes this.
        let trail = tree.trail(live)?;
        let mut tree = Shared::new(tree);
        Ok(EditedTree {
            told: Told::since(&self.tree, &mut tree),
            draft: self,
            tree,
            at,
            live,
            trail,
        })
    }
}
