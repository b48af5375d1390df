//! What was found out about the situations of a local game: a graph with proof numbers.
//!
//! A situation is proven when its worth or situations proven before it show that the prover reaches the goal. So every
//! proof rests on earlier ones, no line of a strategy comes back to a situation, and no proof depends on how a
//! situation came about. What is never proven when nothing is left to look at cannot be proven at all.
//!
//! The numbers only say where to look next; they may be off where situations repeat.

use tengen_core::Stop;

use super::area::{ATTACKER, Area, DEFENDER, PASS};
use super::spot::{Spot, Standing};
use crate::certificate::local::{Goal, Supply};

/// The situations of one problem with one goal.
pub(super) struct Graph {
    area: Area,
    goal: Goal,
    nodes: Vec<Node>,
    edges: Vec<Edge>,
    links: Vec<Link>,
    /// The numbers of nodes plus one, by their hashes; 0 where there is none.
    table: Vec<u32>,
    /// How many nodes were expanded because numbers led nowhere, at the last time.
    widened: usize,
}

/// A situation.
struct Node {
    spot: Spot,
    state: State,
    /// Is it on the line that is being looked at?
    on_path: bool,
    /// How hard it seems to prove that the prover reaches the goal, and that not.
    proof: u32,
    disproof: u32,
    /// Its moves, if it has been expanded.
    first_edge: u32,
    edges: u16,
    /// How many of its moves lead to open nodes.
    open: u16,
    /// The move that wins, where the prover has won and is to move.
    best: u8,
    /// The last of the links from nodes whose moves lead here.
    link: u32,
}

/// What is known of a situation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum State {
    /// Not looked at yet.
    New,
    /// Its moves are known.
    Expanded,
    /// The prover reaches the goal.
    Proven,
    /// The prover cannot be sure to reach the goal without repetitions.
    Disproven,
}

impl State {
    const fn is_open(self) -> bool {
        matches!(self, Self::New | Self::Expanded)
    }
}

#[derive(Clone, Copy)]
struct Edge {
    action: u8,
    child: u32,
}

/// A way back to a node whose move leads here.
#[derive(Clone, Copy)]
struct Link {
    parent: u32,
    action: u8,
    next: u32,
}

const NONE: u32 = u32::MAX;

/// A proof number beyond all others that still stands for an open node.
const HUGE: u32 = 1 << 24;

/// What a node takes in memory, with its edges and links, as a rule.
pub(super) const NODE_BYTES: u64 = 200;

/// How many lines in a row may end without anything new before numbers are mistrusted.
const MOST_DEAD_ENDS: u32 = 100;

impl Graph {
    pub(super) fn new(area: Area, goal: Goal) -> Self {
        Self {
            area,
            goal,
            nodes: Vec::new(),
            edges: Vec::new(),
            links: Vec::new(),
            table: vec![0; 1 << 10],
            widened: 32,
        }
    }

    pub(super) const fn area(&self) -> &Area {
        &self.area
    }

    /// The player who wants to prove something.
    pub(super) const fn prover(&self) -> usize {
        match self.goal {
            Goal::Capture => ATTACKER,
            Goal::Stand | Goal::Live => DEFENDER,
        }
    }

    /// How many situations are known.
    pub(super) const fn len(&self) -> usize {
        self.nodes.len()
    }

    pub(super) fn spot(&self, node: u32) -> &Spot {
        &self.nodes[node as usize].spot
    }

    pub(super) fn state(&self, node: u32) -> State {
        self.nodes[node as usize].state
    }

    /// The move that wins where the prover has won and is to move, unless it is won already.
    pub(super) fn best(&self, node: u32) -> Option<(u8, u32)> {
        let action = self.nodes[node as usize].best;
        let mut moves = self.moves(node);
        moves.find(|(other, _)| *other == action)
    }

    /// The moves of a node that was expanded, and where they lead.
    pub(super) fn moves(&self, node: u32) -> impl Iterator<Item = (u8, u32)> {
        let edges = self.edges_of(node);
        self.edges[edges]
            .iter()
            .map(|Edge { action, child }| (*action, *child))
    }

    fn edges_of(&self, node: u32) -> std::ops::Range<usize> {
        let Node {
            first_edge, edges, ..
        } = self.nodes[node as usize];
        first_edge as usize..first_edge as usize + usize::from(edges)
    }

    /// The node of a situation, which is new if it was not known.
    pub(super) fn node(&mut self, spot: &Spot) -> u32 {
        if 2 * self.nodes.len() > self.table.len() {
            self.grow();
        }
        let mask = self.table.len() - 1;
        let mut at = hash(spot) as usize & mask;
        loop {
            match self.table[at] {
                0 => break,
                number if self.nodes[number as usize - 1].spot == *spot => return number - 1,
                _ => at = (at + 1) & mask,
            }
        }
        let number = self.nodes.len() as u32;
        self.table[at] = number + 1;
        let prover_wins = |wins: bool| match wins {
            true => State::Proven,
            false => State::Disproven,
        };
        let state = match spot.standing(&self.area) {
            Standing::Captured => prover_wins(self.goal == Goal::Capture),
            Standing::Safe => prover_wins(self.goal != Goal::Capture),
            Standing::Open => State::New,
        };
        let liberties = spot.target_liberties(&self.area).max(1);
        let (proof, disproof) = match self.goal {
            Goal::Capture => (liberties, 1),
            Goal::Stand | Goal::Live => (1, liberties),
        };
        self.nodes.push(Node {
            spot: *spot,
            state,
            on_path: false,
            proof,
            disproof,
            first_edge: 0,
            edges: 0,
            open: 0,
            best: PASS,
            link: NONE,
        });
        number
    }

    fn grow(&mut self) {
        let mask = 2 * self.table.len() - 1;
        self.table = vec![0; mask + 1];
        for (number, node) in (1..).zip(&self.nodes) {
            let mut at = hash(&node.spot) as usize & mask;
            while self.table[at] != 0 {
                at = (at + 1) & mask;
            }
            self.table[at] = number;
        }
    }

    /// Looks at so many situations more, at most, to find out about one. `false` if it was stopped or has no room left.
    pub(super) fn search(&mut self, root: u32, most: usize, budget: &Budget<'_>) -> bool {
        let mut path = vec![root];
        self.nodes[root as usize].on_path = true;
        let mut left = most;
        let mut dead_ends = 0;
        let mut may_go_on = true;
        while self.state(root).is_open() && left > 0 {
            if self.nodes.len() >= budget.most_nodes || budget.stop.is_stopped() {
                may_go_on = false;
                break;
            }
            if dead_ends > MOST_DEAD_ENDS || self.nodes[root as usize].proof >= HUGE {
                // Numbers lead nowhere: what they left out has to be looked at, if there is anything.
                for node in path.drain(1..) {
                    self.nodes[node as usize].on_path = false;
                }
                left = left.saturating_sub(self.widen(root));
                dead_ends = 0;
                continue;
            }
            let at = path[path.len() - 1];
            if self.state(at) == State::New {
                self.expand(at);
                left -= 1;
                dead_ends = 0;
            } else if let Some(child) = self.choose(at) {
                self.nodes[child as usize].on_path = true;
                path.push(child);
                continue;
            } else {
                dead_ends += 1;
            }
            self.ascend(&mut path);
        }
        for node in path {
            self.nodes[node as usize].on_path = false;
        }
        may_go_on
    }

    /// Goes back along a line, as far as numbers change or nodes are settled.
    fn ascend(&mut self, path: &mut Vec<u32>) {
        while let Some(&at) = path.last() {
            let changed = self.update(at);
            if path.len() == 1 || !changed && self.nodes[at as usize].proof < HUGE {
                return;
            }
            self.nodes[at as usize].on_path = false;
            path.pop();
        }
    }

    /// The child of an open node that seems to be easiest, if there is one that is not on the line.
    fn choose(&self, at: u32) -> Option<u32> {
        let is_prover = self.is_prover(at);
        let open = self.edges[self.edges_of(at)].iter().filter(|edge| {
            let child = &self.nodes[edge.child as usize];
            child.state.is_open() && !child.on_path
        });
        let best = open.min_by_key(|edge| {
            let child = &self.nodes[edge.child as usize];
            if is_prover {
                (child.proof, child.disproof)
            } else {
                (child.disproof, child.proof)
            }
        });
        best.map(|edge| edge.child)
    }

    fn is_prover(&self, at: u32) -> bool {
        self.nodes[at as usize].spot.mover() == self.prover()
    }

    /// Works out the numbers of a node from those of its children; true if they are others now, or the node is settled.
    fn update(&mut self, at: u32) -> bool {
        let node = &self.nodes[at as usize];
        if !node.state.is_open() {
            return true;
        }
        let is_prover = self.is_prover(at);
        // Easy is what one child suffices for, hard what all are needed for.
        let (mut easy, mut hard, mut count) = (HUGE, 0, 0);
        for edge in &self.edges[self.edges_of(at)] {
            let child = &self.nodes[edge.child as usize];
            if !child.state.is_open() {
                continue;
            }
            let (own, other) = match (child.on_path, is_prover) {
                // A repetition is lost for the prover.
                (true, true) => continue,
                (true, false) => (1, HUGE),
                (false, true) => (child.proof, child.disproof),
                (false, false) => (child.disproof, child.proof),
            };
            easy = easy.min(own);
            hard = hard.max(other);
            count += 1;
        }
        let hard = (hard + u32::max(count, 1) - 1).clamp(1, HUGE);
        let easy = easy.max(1);
        let numbers = match is_prover {
            true => (easy, hard),
            false => (hard, easy),
        };
        let node = &mut self.nodes[at as usize];
        let changed = numbers != (node.proof, node.disproof);
        (node.proof, node.disproof) = numbers;
        changed
    }

    /// Finds the moves of a node, and what follows from them.
    fn expand(&mut self, at: u32) {
        let spot = self.nodes[at as usize].spot;
        let first_edge = self.edges.len();
        let mut moves = Vec::new();
        spot.moves(&self.area, self.goal, |action, next| {
            moves.push((action, next));
        });
        for (action, next) in moves {
            let child = self.node(&next);
            self.edges.push(Edge { action, child });
        }
        let edges = first_edge..self.edges.len();
        let mut open = 0;
        let mut won = None;
        let mut lost = false;
        for edge in edges.clone() {
            let Edge { action, child } = self.edges[edge];
            match self.state(child) {
                State::New | State::Expanded => {
                    open += 1;
                    let next = self.nodes[child as usize].link;
                    self.nodes[child as usize].link = self.links.len() as u32;
                    self.links.push(Link {
                        parent: at,
                        action,
                        next,
                    });
                }
                State::Proven => won = won.or(Some(action)),
                State::Disproven => lost = true,
            }
        }
        let is_prover = self.is_prover(at);
        let node = &mut self.nodes[at as usize];
        node.state = State::Expanded;
        node.first_edge = first_edge as u32;
        node.edges = edges.len() as u16;
        node.open = open;
        match (is_prover, won, lost) {
            (true, Some(action), _) => self.settle(at, State::Proven, action),
            (true, None, _) if open == 0 => self.settle(at, State::Disproven, PASS),
            (false, _, true) => self.settle(at, State::Disproven, PASS),
            (false, _, false) if open == 0 => self.settle(at, State::Proven, PASS),
            _ => {}
        }
    }

    /// Settles a node, and all that follows from that.
    fn settle(&mut self, at: u32, state: State, action: u8) {
        let mut waiting = vec![(at, state, action)];
        while let Some((at, state, action)) = waiting.pop() {
            let node = &mut self.nodes[at as usize];
            if !node.state.is_open() {
                continue;
            }
            node.state = state;
            node.best = action;
            let mut link = node.link;
            while link != NONE {
                let Link {
                    parent,
                    action,
                    next,
                } = self.links[link as usize];
                link = next;
                if !self.state(parent).is_open() {
                    continue;
                }
                let decides = self.is_prover(parent) == (state == State::Proven);
                let parent_node = &mut self.nodes[parent as usize];
                parent_node.open -= 1;
                if decides || parent_node.open == 0 {
                    waiting.push((parent, state, action));
                }
            }
        }
    }

    /// Expands the open nodes that are nearest, whatever their numbers say. If there are none left, nothing that is
    /// open can be proven.
    fn widen(&mut self, root: u32) -> usize {
        let mut met = vec![false; self.nodes.len()];
        met[root as usize] = true;
        let mut order = vec![root];
        let mut new = Vec::new();
        let mut next = 0;
        while next < order.len() {
            let at = order[next];
            next += 1;
            if self.state(at) == State::New {
                new.push(at);
                continue;
            }
            for edge in self.edges_of(at) {
                let child = self.edges[edge].child;
                if self.state(child).is_open() && !met[child as usize] {
                    met[child as usize] = true;
                    order.push(child);
                }
            }
        }
        if new.is_empty() {
            self.exhaust(&order);
            return 1;
        }
        self.widened = (2 * self.widened).min(1 << 14);
        new.truncate(self.widened);
        for at in &new {
            if self.state(*at) == State::New {
                self.expand(*at);
            }
        }
        for at in order.iter().rev() {
            let node = &mut self.nodes[*at as usize];
            if node.proof >= HUGE {
                (node.proof, node.disproof) = (1, 1);
            }
        }
        for at in order.into_iter().rev() {
            if self.state(at) == State::Expanded {
                self.update(at);
            }
        }
        if self.nodes[root as usize].proof >= HUGE {
            (
                self.nodes[root as usize].proof,
                self.nodes[root as usize].disproof,
            ) = (1, 1);
        }
        new.len()
    }
}

/// The end of a graph: nodes that are open, all of whose moves are known.
impl Graph {
    /// Settles nodes that are open and lead to each other and to settled ones only.
    ///
    /// Each of them needs another of them to be proven first, so none can be proven; but an opponent with any number of
    /// ko threats makes finitely many. So a line may come back by such a threat, as often as the opponent likes: what
    /// is left when all that needs more than that was taken away is proven.
    fn exhaust(&mut self, nodes: &[u32]) {
        let mut sure = vec![false; self.nodes.len()];
        for node in nodes {
            sure[*node as usize] = true;
        }
        let mut count = nodes.len();
        let proven = loop {
            let proven = self.proven_if(nodes, &sure);
            if proven.len() == count {
                break proven;
            }
            count = proven.len();
            sure.fill(false);
            for (node, _) in &proven {
                sure[*node as usize] = true;
            }
        };
        for (node, action) in proven {
            self.settle(node, State::Proven, action);
        }
        for node in nodes {
            self.settle(*node, State::Disproven, PASS);
        }
    }

    /// The nodes that are proven if ko threats may lead to those that are sure, and the moves that win. They come in an
    /// order in which each rests on earlier ones.
    fn proven_if(&self, nodes: &[u32], sure: &[bool]) -> Vec<(u32, u8)> {
        let mut proven = Vec::new();
        let mut is_proven = vec![false; self.nodes.len()];
        loop {
            let before = proven.len();
            // Nodes that were met last are nearest to the ends.
            for node in nodes.iter().rev() {
                if is_proven[*node as usize] {
                    continue;
                }
                let is_won =
                    |child: u32| is_proven[child as usize] || self.state(child) == State::Proven;
                let won = if self.is_prover(*node) {
                    let mut moves = self.moves(*node);
                    moves
                        .find(|(_, child)| is_won(*child))
                        .map(|(action, _)| action)
                } else {
                    let mut moves = self.moves(*node);
                    let holds = |(action, child): (u8, u32)| {
                        is_won(child) || sure[child as usize] && self.is_endless(*node, action)
                    };
                    moves.all(holds).then_some(PASS)
                };
                if let Some(action) = won {
                    is_proven[*node as usize] = true;
                    proven.push((*node, action));
                }
            }
            if proven.len() == before {
                return proven;
            }
        }
    }

    /// Does the opponent spend a ko threat for this move, of which there are any number?
    fn is_endless(&self, node: u32, action: u8) -> bool {
        let spot = &self.nodes[node as usize].spot;
        action != PASS && spot.ko == action && spot.threats[spot.mover()] == Supply::Any.code()
    }
}

/// How much may be looked at.
pub(super) struct Budget<'a> {
    pub(super) most_nodes: usize,
    pub(super) stop: &'a Stop,
}

/// A number of a situation by which it is found.
fn hash(spot: &Spot) -> u64 {
    const FACTORS: [u64; 5] = [
        0x9e37_79b9_7f4a_7c15,
        0xbf58_476d_1ce4_e5b9,
        0x94d0_49bb_1331_11eb,
        0xd6e8_feb8_6659_fd93,
        0xff51_afd7_ed55_8ccd,
    ];
    let [attacker, defender] = spot.stones;
    let [threats, more] = spot.threats;
    let rest = u64::from(spot.ko)
        | u64::from(spot.turn) << 8
        | u64::from(threats) << 16
        | u64::from(more) << 24;
    let words = [
        attacker as u64,
        (attacker >> 64) as u64,
        defender as u64,
        (defender >> 64) as u64,
        rest,
    ];
    let mut mixed = 0_u64;
    for (word, factor) in words.iter().zip(FACTORS) {
        mixed = (mixed ^ word).wrapping_mul(factor).rotate_left(29);
    }
    mixed ^ mixed >> 32
}
