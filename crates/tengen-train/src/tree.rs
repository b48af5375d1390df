//! The positions that a search of self-play has looked at.

use libm::log;
use tengen_core::{Color, Move};
use tengen_search::{Leaf, Value};

/// A judged position of the tree.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Node {
    /// What it is worth to Black by itself.
    pub(crate) value: Value,
    /// The sum of the values of it and of what follows.
    pub(crate) sum: Sum,
    pub(crate) visits: u32,
    /// Its moves: a part of the edges. None if the game is over.
    pub(crate) first: u32,
    pub(crate) moves: u32,
    /// So many of the first moves were tried, where moves are tried in order of likelihood: not at the root.
    pub(crate) tried: u32,
    /// So many of the first moves are in order of likelihood, at least.
    ordered: u32,
    pub(crate) to_move: Color,
}

/// A sum of values for Black.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Sum {
    utility: f64,
    pub(crate) wins: f64,
    pub(crate) lead: f64,
}

/// A move of a position.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Edge {
    pub(crate) action: Move,
    pub(crate) prior: f32,
    child: u32,
}

/// The root is nobody's child.
const NO_CHILD: u32 = 0;

/// The number of the root.
pub(crate) const ROOT: usize = 0;

/// No prior is so small that its logarithm would decide alone.
pub(crate) const LEAST_PRIOR: f64 = 1e-12;

impl Edge {
    pub(crate) fn logit(&self) -> f64 {
        log(f64::from(self.prior).max(LEAST_PRIOR))
    }

    /// The position behind the move, if it was tried.
    pub(crate) const fn child(&self) -> Option<usize> {
        match self.child {
            NO_CHILD => None,
            child => Some(child as usize),
        }
    }
}

impl Node {
    /// The mean utility of it and of what follows, as this player sees it.
    pub(crate) fn mean(&self, color: Color) -> f64 {
        view(self.sum.utility / f64::from(self.visits), color)
    }

    /// What it is worth by itself to the player to move.
    pub(crate) fn raw(&self) -> f64 {
        view(f64::from(self.value.utility), self.to_move)
    }

    const fn range(&self) -> std::ops::Range<usize> {
        self.first as usize..(self.first + self.moves) as usize
    }
}

/// A utility for Black as this player sees it.
const fn view(for_black: f64, color: Color) -> f64 {
    match color {
        Color::Black => for_black,
        Color::White => 1.0 - for_black,
    }
}

/// The positions that a search has looked at, the root first.
#[derive(Debug, Default)]
pub(crate) struct Tree {
    pub(crate) nodes: Vec<Node>,
    pub(crate) edges: Vec<Edge>,
    /// The memory of the tree before the last move.
    spare: (Vec<Node>, Vec<Edge>),
}

impl Tree {
    pub(crate) fn clear(&mut self) {
        self.nodes.clear();
        self.edges.clear();
    }

    pub(crate) fn root(&self) -> &Node {
        &self.nodes[ROOT]
    }

    /// The moves of the root.
    pub(crate) fn root_edges(&self) -> &[Edge] {
        self.nodes.first().map_or(&[], |root| self.moves_of(root))
    }

    /// The moves of a node.
    pub(crate) fn moves_of(&self, node: &Node) -> &[Edge] {
        &self.edges[node.range()]
    }

    /// Adds a position that was judged, and says its number.
    pub(crate) fn add(&mut self, leaf: &Leaf, score_weight: f64) -> u32 {
        let area = leaf.game.size().area();
        let value = Value::for_black(&leaf.evaluation, area, score_weight as f32);
        let priors = &leaf.evaluation.priors;
        let first = self.edges.len() as u32;
        let sum: f32 = priors.iter().map(|(_, prior)| prior.max(0.0)).sum();
        let edges = priors.iter().map(|(action, prior)| Edge {
            action: *action,
            prior: match sum > 0.0 && sum.is_finite() {
                true => prior.max(0.0) / sum,
                false => 1.0 / priors.len() as f32,
            },
            child: NO_CHILD,
        });
        self.edges.extend(edges);
        self.nodes.push(Node {
            value,
            sum: Sum::default(),
            visits: 0,
            first,
            moves: self.edges.len() as u32 - first,
            tried: 0,
            ordered: 0,
            to_move: leaf.game.to_move(),
        });
        self.nodes.len() as u32 - 1
    }

    /// The move at this place leads to this position.
    pub(crate) fn connect(&mut self, place: usize, child: u32) {
        self.edges[place].child = child;
    }

    /// Puts the most likely move that was not tried behind those that were, where no more are in order.
    pub(crate) fn bring_forward(&mut self, index: usize) {
        let node = &mut self.nodes[index];
        if node.tried == node.moves || node.ordered > node.tried {
            return;
        }
        let from = (node.first + node.ordered) as usize;
        let to = (node.first + node.moves) as usize;
        node.ordered += 1;
        let mut best = from;
        for place in from + 1..to {
            if self.edges[place].prior > self.edges[best].prior {
                best = place;
            }
        }
        self.edges.swap(from, best);
    }

    /// How often a move was tried.
    pub(crate) fn visits(&self, edge: &Edge) -> u32 {
        edge.child().map_or(0, |child| self.nodes[child].visits)
    }

    /// What a move that was tried is worth to this player.
    pub(crate) fn value(&self, edge: &Edge, color: Color) -> Option<f64> {
        edge.child().map(|child| self.nodes[child].mean(color))
    }

    /// Takes the value of the last position of the path up to the root.
    pub(crate) fn back_up(&mut self, path: &[u32]) {
        let Some(last) = path.last() else {
            return;
        };
        let value = self.nodes[*last as usize].value;
        for index in path {
            let node = &mut self.nodes[*index as usize];
            node.visits += 1;
            node.sum.utility += f64::from(value.utility);
            node.sum.wins += f64::from(value.win);
            node.sum.lead += f64::from(value.lead);
        }
    }

    /// Keeps what follows this move of the root, which is played: the position behind it becomes the root. Nothing is
    /// left if it was not tried.
    pub(crate) fn keep(&mut self, action: Move) {
        let mut edges = self.root_edges().iter();
        let kept = edges.find(|edge| edge.action == action);
        let Some(child) = kept.and_then(Edge::child) else {
            return self.clear();
        };
        std::mem::swap(&mut self.nodes, &mut self.spare.0);
        std::mem::swap(&mut self.edges, &mut self.spare.1);
        self.clear();
        let (nodes, edges) = &self.spare;
        // Each node that is copied has its children copied behind all that were there before.
        self.nodes.push(nodes[child]);
        let mut next = 0;
        while let Some(node) = self.nodes.get(next).copied() {
            self.nodes[next].first = self.edges.len() as u32;
            for edge in &edges[node.range()] {
                let mut kept = *edge;
                if let Some(child) = edge.child() {
                    kept.child = self.nodes.len() as u32;
                    self.nodes.push(nodes[child]);
                }
                self.edges.push(kept);
            }
            next += 1;
        }
    }

    /// The moves that were tried most, from the root on.
    pub(crate) fn variation(&self, first: Move) -> Vec<Move> {
        let mut line = vec![first];
        let mut edges = self.root_edges().iter();
        let mut edge = edges.find(|edge| edge.action == first);
        while let Some(child) = edge.and_then(Edge::child) {
            let moves = self.moves_of(&self.nodes[child]);
            let tried = moves.iter().filter(|edge| edge.child().is_some());
            // The first of those that were tried equally often.
            edge = tried.rev().max_by_key(|edge| self.visits(edge));
            line.extend(edge.map(|edge| edge.action));
        }
        line
    }
}
