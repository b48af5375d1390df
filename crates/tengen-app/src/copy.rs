//! A game at a moment, to be made into files.

use tengen_render::Picture;

use crate::game_tree::GameTree;
use crate::picture;
use crate::refusal::Refusal;
use crate::shared::Shared;
use crate::verdict::{Comments, Verdicts, annotated};

/// A game as it was at a moment. What is made of it needs no room, and nobody waits for it but who wants it.
#[derive(Clone, Debug)]
pub struct Copy {
    pub(crate) tree: Shared<GameTree>,
    pub(crate) live: usize,
    pub(crate) verdicts: Verdicts,
}

impl Copy {
    /// The record for other programs, with what a review has found.
    pub fn sgf(&self, comments: Comments) -> String {
        match self.verdicts.is_empty() {
            true => self.tree.to_sgf(),
            false => annotated(&self.tree, &self.verdicts, comments).to_sgf(),
        }
    }

    /// A position as a picture; without a node, the one where the game stands.
    pub fn picture(&self, node: Option<usize>) -> Result<Picture, Refusal> {
        picture::picture(&self.tree, node.unwrap_or(self.live))
    }

    /// The positions up to a node, as pictures; without a node, up to where the game stands.
    pub fn frames(&self, node: Option<usize>) -> Result<Vec<Picture>, Refusal> {
        picture::frames(&self.tree, node.unwrap_or(self.live))
    }
}
