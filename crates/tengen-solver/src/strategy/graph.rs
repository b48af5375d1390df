//! The situations that a strategy rests on, proven one after the other.
//!
//! A node is the stones, who is to move and the point that simple ko forbids. Whether the last move was a pass makes no
//! node of its own: after a pass the prover either ends the game, which is enough, or has the same moves as without.
//! So the strategy has one move for both, and a board does not come back because of passes.

use std::collections::{HashMap, HashSet};

use super::StrategyError;
use crate::geometry::{Geometry, NO_MOVE, PASS, cells};
use crate::position::Position;
use crate::search::Goal;
use crate::solver::{Bound, Solver, Verdict};
use crate::table::Fact;

/// The rank of a node that is not proven yet.
const OPEN: u32 = u32::MAX;

/// The rank of what is no node, since the goal is reached.
const AT_ONCE: u32 = 0;

/// No number: the end of a list.
const NONE: u32 = u32::MAX;

/// How another move for the prover is looked for, the cheapest way first.
const WAYS: [Way; 6] = [
    Way::Known,
    Way::Searched(1 << 12),
    Way::Searched(1 << 16),
    Way::KnownShunned,
    Way::SearchedShunned(1 << 22),
    Way::SearchedShunned(u64::MAX),
];

/// How another move is found.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    /// The table knows it.
    Known,
    /// By looking at so many situations.
    Searched(u64),
    /// The table knows it, and it may be shunned.
    KnownShunned,
    /// By looking at so many situations, and it may be shunned.
    SearchedShunned(u64),
}

/// A move of the prover, and all that are symmetric to it: the keys of the nodes before and after it.
pub(super) type Choice = (u64, u64);

/// What a situation comes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// The goal is reached without another move of the strategy, but for a pass that ends the game.
    Reached,
    /// The goal is out of reach.
    Missed,
    /// It has to be played out.
    Node(u64),
}

#[derive(Clone, Copy)]
struct Node {
    stones: [u64; 2],
    /// The moves of the prover that have been tried.
    tried: u64,
    /// In which order it was proven. What it rests on was proven before.
    rank: u32,
    /// The first of those who wait for it.
    watches: u32,
    /// The cell that simple ko forbids.
    ko: u8,
    /// The prover's move, when it is proven; the move that the enemy's node waits for, before.
    cell: u8,
    is_prover: bool,
}

/// A node that waits for another one.
#[derive(Clone, Copy)]
struct Watch {
    who: u32,
    next: u32,
}

/// Nodes and what is known about them.
pub(super) struct Graph<'a> {
    solver: &'a Solver,
    bound: Bound,
    goal: Goal,
    /// Moves that are played only where no other is found.
    shunned: &'a HashSet<Choice>,
    nodes: Vec<Node>,
    numbers: HashMap<u64, u32>,
    watches: Vec<Watch>,
    /// The first watch that is not in use.
    unused: u32,
    /// Nodes that may have something to do.
    todo: Vec<u32>,
    /// The rank of the node that is proven next.
    next_rank: u32,
}

impl<'a> Graph<'a> {
    pub(super) fn new(solver: &'a Solver, bound: Bound, shunned: &'a HashSet<Choice>) -> Self {
        Self {
            solver,
            bound,
            goal: bound.goal(),
            shunned,
            nodes: Vec::new(),
            numbers: HashMap::new(),
            watches: Vec::new(),
            unused: NONE,
            todo: Vec::new(),
            next_rank: AT_ONCE + 1,
        }
    }

    fn geometry(&self) -> &'a Geometry {
        &self.solver.shared.geometry
    }

    /// What a situation comes to.
    pub(super) fn step(&self, at: &Position) -> Step {
        let geometry = self.geometry();
        match self.goal.bound(geometry, at) {
            Some(true) => return Step::Reached,
            Some(false) => return Step::Missed,
            None => {}
        }
        if at.passed {
            let reached = self.goal.is_reached(geometry, at);
            match at.turn == self.goal.prover {
                true if reached => return Step::Reached,
                false if !reached => return Step::Missed,
                _ => {}
            }
        }
        Step::Node(self.key(at))
    }

    fn key(&self, at: &Position) -> u64 {
        let at = before_pass(at);
        at.key(self.geometry()).number * 2 + u64::from(at.turn == self.goal.prover)
    }

    /// Proves a situation, with all that it rests on.
    pub(super) fn prove(&mut self, at: &Position) -> Result<bool, StrategyError> {
        let root = match self.step(at) {
            Step::Reached => return Ok(true),
            Step::Missed => return Ok(false),
            Step::Node(key) => self.node(key, at),
        };
        loop {
            while let Some(number) = self.todo.pop() {
                if self.solver.shared.is_stopped(0) {
                    return Err(StrategyError::Stopped);
                }
                self.advance(number)?;
            }
            if self.is_proven(root) {
                return Ok(true);
            }
            // What is left goes round in circles: somewhere the prover needs another move.
            let mut found = false;
            for way in WAYS {
                found = found || self.unblock(root, way)?;
            }
            if !found {
                return Ok(false);
            }
        }
    }

    /// The move for a situation with the prover to move that was proven.
    pub(super) fn reply(&self, at: &Position) -> Option<u8> {
        let number = *self.numbers.get(&self.key(at))?;
        self.is_proven(number)
            .then(|| self.translated(number, at, self.nodes[number as usize].cell))
    }

    /// Chooses the final moves: since a node was proven, more has been, and there may be a better move. Returns all nodes
    /// of the strategy.
    pub(super) fn choose(&mut self, root: &Position) -> Vec<u32> {
        let mut chosen = Vec::new();
        let mut seen = vec![false; self.nodes.len()];
        let mut waiting: Vec<u32> = self.existing(root).into_iter().collect();
        while let Some(number) = waiting.pop() {
            if std::mem::replace(&mut seen[number as usize], true) {
                continue;
            }
            let Node {
                is_prover, rank, ..
            } = self.nodes[number as usize];
            if is_prover && let Some(cell) = self.best(&self.position(number), rank) {
                self.nodes[number as usize].cell = cell;
            }
            waiting.extend(self.continuations(number));
            chosen.push(number);
        }
        chosen
    }

    /// The nodes that come after one that was proven.
    pub(super) fn continuations(&self, number: u32) -> Vec<u32> {
        let at = self.position(number);
        let node = &self.nodes[number as usize];
        let cells = cells(match node.is_prover {
            true => 1 << node.cell,
            false => at.moves(self.geometry()).legal | 1 << PASS,
        });
        cells
            .filter_map(|cell| self.existing(&at.after(self.geometry(), cell)))
            .collect()
    }

    /// The node of a situation, if it has to be played out and has been met.
    fn existing(&self, at: &Position) -> Option<u32> {
        match self.step(at) {
            Step::Node(key) => self.numbers.get(&key).copied(),
            Step::Reached | Step::Missed => None,
        }
    }

    /// A number for the stones of a node, symmetric ones as one.
    pub(super) fn board(&self, number: u32) -> u64 {
        self.position(number).board().key(self.geometry()).number
    }

    /// In which order a node was proven.
    pub(super) fn rank_of(&self, number: u32) -> u32 {
        self.nodes[number as usize].rank
    }

    /// Is it the prover's turn?
    pub(super) fn is_prover(&self, number: u32) -> bool {
        self.nodes[number as usize].is_prover
    }

    /// Does the prover pass at a node that was proven?
    pub(super) fn passes(&self, number: u32) -> bool {
        self.nodes[number as usize].cell == PASS
    }

    /// The prover's move at a node that was proven.
    pub(super) fn choice(&self, number: u32) -> Choice {
        let at = self.position(number);
        self.choice_of(&at, self.nodes[number as usize].cell)
    }

    fn choice_of(&self, at: &Position, cell: u8) -> Choice {
        let after = at.after(self.geometry(), cell);
        (self.key(at), self.key(&after))
    }

    fn is_shunned(&self, at: &Position, cell: u8) -> bool {
        !self.shunned.is_empty() && self.shunned.contains(&self.choice_of(at, cell))
    }

    fn is_proven(&self, number: u32) -> bool {
        self.nodes[number as usize].rank != OPEN
    }

    /// A move of a node as a move of a situation that is symmetric to it.
    fn translated(&self, number: u32, at: &Position, cell: u8) -> u8 {
        let geometry = self.geometry();
        let form = |at: &Position| usize::from(at.key(geometry).form);
        let place = geometry.place(form(&self.position(number)), cell);
        geometry.unplace(form(&before_pass(at)), place)
    }

    fn position(&self, number: u32) -> Position {
        let node = &self.nodes[number as usize];
        let ko = if node.ko == NO_MOVE { 0 } else { 1 << node.ko };
        let turn = self.goal.prover ^ u8::from(!node.is_prover);
        Position::new(self.geometry(), node.stones, turn, ko, false)
    }

    fn node(&mut self, key: u64, at: &Position) -> u32 {
        let next = self.nodes.len() as u32;
        let number = *self.numbers.entry(key).or_insert(next);
        if number == next {
            self.nodes.push(Node {
                stones: at.stones,
                tried: 0,
                rank: OPEN,
                watches: NONE,
                ko: match at.ko {
                    0 => NO_MOVE,
                    ko => ko.trailing_zeros() as u8,
                },
                cell: 0,
                is_prover: at.turn == self.goal.prover,
            });
            self.todo.push(number);
        }
        number
    }

    /// The moves of a node. A pass that leaves the score short is none.
    fn moves(&self, at: &Position) -> u64 {
        let pass = u64::from(self.goal.is_reached(self.geometry(), at)) << PASS;
        at.moves(self.geometry()).legal | pass
    }

    /// Goes on with a node as far as it goes.
    fn advance(&mut self, number: u32) -> Result<(), StrategyError> {
        if self.is_proven(number) {
            return Ok(());
        }
        if !self.nodes[number as usize].is_prover {
            self.advance_enemy(number);
        } else if self.nodes[number as usize].tried == 0 {
            self.begin(number)?;
        } else {
            let at = self.position(number);
            let mut tried = cells(self.nodes[number as usize].tried);
            let is_proven = |cell: &u8| self.rank(&at.after(self.geometry(), *cell)).is_some();
            if let Some(cell) = tried.find(is_proven) {
                self.settle(number, cell);
            }
        }
        Ok(())
    }

    /// In which order a situation was proven, if it was.
    fn rank(&self, at: &Position) -> Option<u32> {
        match self.step(at) {
            Step::Reached => Some(AT_ONCE),
            Step::Missed => None,
            Step::Node(key) => {
                let number = *self.numbers.get(&key)?;
                let rank = self.nodes[number as usize].rank;
                (rank != OPEN).then_some(rank)
            }
        }
    }

    /// The enemy's moves have to be proven one by one. Those before the one that it waits for are.
    fn advance_enemy(&mut self, number: u32) {
        let at = self.position(number);
        let next = self.nodes[number as usize].cell;
        let legal = at.moves(self.geometry()).legal | 1 << PASS;
        for cell in cells(legal & (u64::MAX << next)) {
            let after = at.after(self.geometry(), cell);
            let key = match self.step(&after) {
                Step::Reached => continue,
                // Then the prover's move before did not win: the node stays open for good.
                Step::Missed => return,
                Step::Node(key) => key,
            };
            let child = self.node(key, &after);
            if !self.is_proven(child) {
                self.nodes[number as usize].cell = cell;
                self.watch(child, number);
                return;
            }
        }
        self.settle(number, NO_MOVE);
    }

    /// The first move that is tried for the prover: what ends it, what is proven already, what the table knows.
    fn begin(&mut self, number: u32) -> Result<(), StrategyError> {
        let at = self.position(number);
        if let Some(cell) = self.best(&at, OPEN) {
            self.settle(number, cell);
            return Ok(());
        }
        let mut cell = self.solver.winning_cell(&at, self.goal);
        if cell.is_none() && self.is_won(&at, u64::MAX)? {
            cell = self.solver.winning_cell(&at, self.goal);
        }
        let is_quiet =
            |cell: u8| at.after(self.geometry(), cell).ko == 0 && !self.is_shunned(&at, cell);
        if !cell.is_some_and(is_quiet) {
            let mut others = cells(self.moves(&at)).filter(|cell| is_quiet(*cell));
            let known = others.find(|cell| self.is_known(&at.after(self.geometry(), *cell)));
            cell = known.or(cell.filter(|cell| !self.is_shunned(&at, *cell)));
        }
        if let Some(cell) = cell {
            self.attempt(number, &at, cell);
        }
        Ok(())
    }

    /// The prover's best move to what was proven before this rank, shunned ones aside: one that ends it, a pass, what was proven
    /// first. One that begins a ko comes last: with it, the same stones come up in two nodes, and a line may join them.
    fn best(&self, at: &Position, before: u32) -> Option<u8> {
        let ranked = cells(self.moves(at)).filter_map(|cell| {
            let after = at.after(self.geometry(), cell);
            let rank = self.rank(&after).filter(|rank| *rank < before)?;
            let order = (rank != AT_ONCE, after.ko != 0, cell != PASS, rank, cell);
            (!self.is_shunned(at, cell)).then_some(order)
        });
        ranked.min().map(|(.., cell)| cell)
    }

    /// Lets the prover try a move.
    fn attempt(&mut self, number: u32, at: &Position, cell: u8) {
        self.nodes[number as usize].tried |= 1 << cell;
        let after = at.after(self.geometry(), cell);
        match self.step(&after) {
            Step::Reached => self.settle(number, cell),
            Step::Missed => {}
            Step::Node(key) => {
                let child = self.node(key, &after);
                if self.is_proven(child) {
                    self.settle(number, cell);
                } else {
                    self.watch(child, number);
                }
            }
        }
    }

    /// A node is proven: whoever waits for it goes on.
    fn settle(&mut self, number: u32, cell: u8) {
        let node = &mut self.nodes[number as usize];
        node.cell = cell;
        node.rank = self.next_rank;
        self.next_rank += 1;
        let mut next = std::mem::replace(&mut node.watches, NONE);
        while next != NONE {
            let watch = self.watches[next as usize];
            self.todo.push(watch.who);
            self.watches[next as usize].next = self.unused;
            self.unused = next;
            next = watch.next;
        }
    }

    fn watch(&mut self, child: u32, who: u32) {
        let watches = &mut self.nodes[child as usize].watches;
        let watch = Watch {
            who,
            next: *watches,
        };
        if self.unused == NONE {
            *watches = self.watches.len() as u32;
            self.watches.push(watch);
        } else {
            *watches = self.unused;
            self.unused = self.watches[self.unused as usize].next;
            self.watches[*watches as usize] = watch;
        }
    }

    /// Finds another move for the prover somewhere below an open node, as deep as possible: one that the table knows, or
    /// one that a search finds.
    fn unblock(&mut self, root: u32, way: Way) -> Result<bool, StrategyError> {
        let mut seen = HashSet::from([root]);
        let mut path = vec![(root, self.waits_for(root))];
        while let Some((number, below)) = path.last_mut() {
            let number = *number;
            if let Some(child) = below.pop() {
                if seen.insert(child) {
                    path.push((child, self.waits_for(child)));
                }
                continue;
            }
            path.pop();
            if self.nodes[number as usize].is_prover && self.try_another(number, way)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The open nodes that an open node waits for.
    fn waits_for(&self, number: u32) -> Vec<u32> {
        let node = &self.nodes[number as usize];
        let tried = if node.is_prover {
            node.tried
        } else {
            1 << node.cell
        };
        let at = self.position(number);
        let children =
            cells(tried).filter_map(|cell| self.existing(&at.after(self.geometry(), cell)));
        children.filter(|child| !self.is_proven(*child)).collect()
    }

    /// Lets the prover try one more move that wins, if one is found.
    fn try_another(&mut self, number: u32, way: Way) -> Result<bool, StrategyError> {
        let at = self.position(number);
        let untried = self.moves(&at) & !self.nodes[number as usize].tried;
        for cell in cells(untried) {
            let is_allowed = match way {
                Way::Known | Way::Searched(_) => !self.is_shunned(&at, cell),
                Way::KnownShunned | Way::SearchedShunned(_) => true,
            };
            let after = at.after(self.geometry(), cell);
            let wins = is_allowed
                && match way {
                    Way::Known | Way::KnownShunned => {
                        self.rank(&after).is_some() || self.is_known(&after)
                    }
                    Way::Searched(patience) | Way::SearchedShunned(patience) => {
                        self.is_won(&after, patience)?
                    }
                };
            if wins {
                self.attempt(number, &at, cell);
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Does the table know that a situation is won?
    fn is_known(&self, at: &Position) -> bool {
        let shared = &self.solver.shared;
        let known = shared.known(at, shared.key(at), self.goal.prover);
        let wins =
            |fact| matches!(fact, Fact::Win { threshold, .. } if threshold >= self.goal.threshold);
        known.win.is_some_and(wins)
    }

    /// Is the situation won? Searched deeper and deeper, unless the table knows, until patience is at an end.
    fn is_won(&self, at: &Position, patience: u64) -> Result<bool, StrategyError> {
        let mut attempt = self.solver.attempt(self.bound);
        while attempt.nodes < patience {
            let before = self.solver.nodes();
            let outcome = self.solver.iterate(at, &mut attempt, &mut |_| {});
            match attempt.learn(outcome, self.solver.nodes() - before) {
                Some(Verdict::Proven) => return Ok(true),
                Some(Verdict::Stopped) => return Err(StrategyError::Stopped),
                Some(Verdict::Refuted | Verdict::NotProven) => return Ok(false),
                None => {}
            }
        }
        Ok(false)
    }
}

/// The same situation as if the last move had been no pass.
const fn before_pass(at: &Position) -> Position {
    let mut before = *at;
    before.passed = false;
    before
}
