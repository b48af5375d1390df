//! The whole tree of a small board, solved: every situation once, with all its parents and the score that each player
//! forces.
//!
//! Situations that are turned, mirrored or have the colours exchanged are one node. A score is an interval where
//! repetitions decide: the lower end is what the player to move forces if every repetition is lost, the upper end what
//! the opponent cannot prevent if every repetition is won.
//!
//! ```
//! use tengen_core::{Setup, Size};
//! use tengen_solver::tree::{Options, Tree};
//! let tree = Tree::grow(Setup::empty(Size::new(3, 1)?), &Options::default())?;
//! assert_eq!((tree.root().low, tree.root().high), (3, 3));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod policy;
mod values;

use std::collections::HashMap;

use tengen_core::{Board, Color, Move, Settlement, Setup, SetupError, Suicide};

pub use policy::Policy;

/// What is grown, and how far.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// Which moves are looked at.
    pub policy: Policy,
    /// The most nodes that are grown.
    pub most_nodes: usize,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            policy: Policy::Legal,
            most_nodes: 200_000,
        }
    }
}

/// A solved tree. Node 0 is the start.
pub struct Tree {
    nodes: Vec<Node>,
    numbers: HashMap<(Setup, bool), u32>,
    policy: Policy,
}

/// A situation, and all that are the same but for symmetry and colours.
#[derive(Clone, Debug)]
pub struct Node {
    /// The position in which it was first met.
    pub setup: Setup,
    /// Was the last move a pass?
    pub passed: bool,
    /// The moves, one for each node that they lead to.
    pub moves: Vec<(Move, Next)>,
    /// The nodes from which a move leads here.
    pub parents: Vec<u32>,
    /// What the player to move forces at least: points minus the opponent's.
    pub low: i16,
    /// What the opponent holds the player to move down to.
    pub high: i16,
}

/// What comes of a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next {
    /// Another node.
    Node(u32),
    /// The game ends with this margin for the player who moved.
    End(i16),
}

impl Tree {
    /// Grows the tree of a position and solves all of it.
    pub fn grow(start: Setup, options: &Options) -> Result<Self, TreeError> {
        start.board().map_err(TreeError::Setup)?;
        let mut tree = Self {
            nodes: Vec::new(),
            numbers: HashMap::new(),
            policy: options.policy,
        };
        tree.number(start, false);
        let mut next = 0;
        while next < tree.nodes.len() {
            if tree.nodes.len() > options.most_nodes {
                return Err(TreeError::TooLarge(options.most_nodes));
            }
            tree.expand(next as u32)?;
            next += 1;
        }
        values::solve(&mut tree.nodes);
        Ok(tree)
    }

    /// The nodes; the first is the start.
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// The start.
    pub fn root(&self) -> &Node {
        &self.nodes[0]
    }

    /// Which moves were looked at.
    pub const fn policy(&self) -> Policy {
        self.policy
    }

    /// The node of a situation, if the tree has it.
    pub fn find(&self, setup: &Setup, passed: bool) -> Option<u32> {
        let key = (setup.canonical().setup, passed);
        self.numbers.get(&key).copied()
    }

    /// The moves of a node in a position that belongs to it, and what comes of them.
    ///
    /// Positions of one node differ by symmetry and colours, and so do their moves.
    pub fn moves_in(&self, setup: &Setup, node: u32) -> Vec<(Move, Next)> {
        let own = &self.nodes[node as usize];
        let from = own.setup.canonical();
        let to = setup.canonical();
        let upright = to.setup.size;
        let turned = |action: Move| match action {
            Move::Pass => Move::Pass,
            Move::Play(point) => {
                let canonical = from.symmetry.apply(point, own.setup.size);
                Move::Play(to.symmetry.inverse().apply(canonical, upright))
            }
        };
        let moves = own.moves.iter();
        moves
            .map(|(action, next)| (turned(*action), *next))
            .collect()
    }

    /// The place, in each node's list, of the move with which a player gets what the score of the start promises, where
    /// that player is to move there.
    pub fn strategy(&self, player: Color) -> Vec<Option<usize>> {
        values::strategy(&self.nodes, player == self.root().setup.to_move)
    }

    fn number(&mut self, setup: Setup, passed: bool) -> u32 {
        let key = (setup.canonical().setup, passed);
        let next = self.nodes.len() as u32;
        let number = *self.numbers.entry(key).or_insert(next);
        if number == next {
            let area = setup.size.area() as i16;
            self.nodes.push(Node {
                setup,
                passed,
                moves: Vec::new(),
                parents: Vec::new(),
                low: -area,
                high: area,
            });
        }
        number
    }

    /// Makes the moves of a node.
    fn expand(&mut self, number: u32) -> Result<(), TreeError> {
        let Node { setup, passed, .. } = self.nodes[number as usize];
        let board = setup.board().map_err(TreeError::Setup)?;
        let mover = setup.to_move;
        let mut moves = Vec::new();
        let choices = self.policy.choices(&board, mover, passed);
        for action in choices {
            let next = match action {
                Move::Pass if passed => Next::End(margin(&board, mover)),
                Move::Pass => Next::Node(self.number(
                    Setup {
                        to_move: !mover,
                        ko: None,
                        ..setup
                    },
                    true,
                )),
                Move::Play(point) => {
                    let mut after = board.clone();
                    if after.play(point, mover, Suicide::Forbidden).is_err() {
                        continue;
                    }
                    Next::Node(self.number(Setup::of(&after, !mover), false))
                }
            };
            if moves.iter().any(|(_, known)| *known == next) {
                // A symmetric move.
                continue;
            }
            moves.push((action, next));
            if let Next::Node(child) = next {
                let parents = &mut self.nodes[child as usize].parents;
                if parents.last() != Some(&number) {
                    parents.push(number);
                }
            }
        }
        self.nodes[number as usize].moves = moves;
        Ok(())
    }
}

/// The points of a player minus those of the opponent if the game ends on this board.
fn margin(board: &Board, player: Color) -> i16 {
    let territory = board.territory(&Settlement::default());
    let points = |color: Color| (board.stones(color).len() + territory.owned[color].len()) as i16;
    points(player) - points(!player)
}

/// Why a tree was not grown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TreeError {
    /// The position cannot stand.
    #[error("{0}")]
    Setup(SetupError),
    /// There are more nodes than this.
    #[error("the tree has more than {0} nodes")]
    TooLarge(usize),
}
