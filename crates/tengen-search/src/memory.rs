//! What an engine learnt about a game.

use tengen_core::Game;

use crate::tree::Tree;

/// A position and the tree that was grown below it.
pub(crate) struct Memory {
    pub(crate) game: Game,
    pub(crate) tree: Tree,
    /// The lead of Black from which its search saw scores.
    pub(crate) center: Option<f32>,
}

impl Memory {
    /// What is known about this game, if it is the one that was searched or follows from it.
    pub(crate) fn after(self, game: &Game, memory: usize) -> Option<Tree> {
        let known = self.game.turns().len();
        let same_game = self.game.start() == game.start()
            && self.game.rules() == game.rules()
            && self.game.komi() == game.komi()
            && self.game.handicap() == game.handicap()
            && game.turns().len() >= known
            && game.turns()[..known] == *self.game.turns();
        if !same_game {
            return None;
        }
        let mut to_move = self.game.to_move();
        let mut node = self.tree.root();
        for turn in &game.turns()[known..] {
            if turn.color != to_move {
                return None;
            }
            to_move = !to_move;
            let children = self.tree.children(node);
            node = children
                .iter()
                .find(|child| child.action() == turn.action)?;
        }
        if to_move != game.to_move() {
            return None;
        }
        if game.turns().len() == known {
            return Some(self.tree);
        }
        Some(self.tree.subtree(node, memory, 0))
    }
}

/// The tree without what was visited least, at most half as large as it may be.
pub(crate) fn pruned(tree: &Tree, memory: usize) -> Tree {
    let mut least = 4;
    while tree.count_kept(least) > tree.capacity() / 2 && least < tree.root().visits() {
        least *= 2;
    }
    tree.subtree(tree.root(), memory, least)
}
