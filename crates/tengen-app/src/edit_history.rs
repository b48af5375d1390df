//! What a record was before it was edited, so that edits can be taken back.

use crate::game_tree::GameTree;
use crate::shared::Shared;

/// How many edits can be taken back, and how much text they keep.
const STEPS: usize = 100;
const BYTES: usize = 8 << 20;

/// What a record was before each of the last edits, and after those that were taken back.
#[derive(Clone, Debug, Default)]
pub(crate) struct EditHistory {
    past: Vec<Step>,
    future: Vec<Step>,
}

/// An edit, and the record on its other side.
#[derive(Clone, Debug)]
struct Step {
    tree: Shared<GameTree>,
    /// The nodes at which the edit began and ended.
    from: usize,
    to: usize,
}

impl EditHistory {
    /// Notes an edit of a record that was like this.
    pub(crate) fn note(&mut self, before: Shared<GameTree>, from: usize, to: usize) {
        self.future.clear();
        self.past.push(Step {
            tree: before,
            from,
            to,
        });
        let mut bytes = 0;
        let kept = self.past.iter().rev().take(STEPS).take_while(|step| {
            bytes += step.tree.text_len();
            bytes <= BYTES
        });
        let gone = self.past.len() - kept.count();
        self.past.drain(..gone);
    }

    /// Takes the last edit back: the record that there was, and the node to look at.
    pub(crate) fn undo(&mut self, now: &Shared<GameTree>) -> Option<(Shared<GameTree>, usize)> {
        let step = self.past.pop()?;
        let (tree, from) = (step.tree, step.from);
        self.future.push(Step {
            tree: now.clone(),
            ..step
        });
        Some((tree, from))
    }

    /// Makes the last edit again that was taken back.
    pub(crate) fn redo(&mut self, now: &Shared<GameTree>) -> Option<(Shared<GameTree>, usize)> {
        let step = self.future.pop()?;
        let (tree, to) = (step.tree, step.to);
        self.past.push(Step {
            tree: now.clone(),
            ..step
        });
        Some((tree, to))
    }

    pub(crate) fn can_undo(&self) -> bool {
        !self.past.is_empty()
    }

    pub(crate) fn can_redo(&self) -> bool {
        !self.future.is_empty()
    }
}
