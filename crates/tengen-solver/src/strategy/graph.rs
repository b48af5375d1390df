//! The situations that a strategy rests on, proven one after the other.
//!
//! A node is the stones, who is to move and the point that simple ko forbids. Whether the last move was a pass makes no
//! node of its own: after a pass the prover either ends the game, which is enough, or has the same moves as without.
//! So the strategy has one move for both, and a board does not come back because of passes.

use std::collections::{HashMap, HashSet};

use super::StrategyError;
use super::edges::Edges;
use super::nodes::{Moves, Nodes, OPEN};
use super::watches::Watches;
use super::way::{Shunned, WAYS, Way};
use crate::bound::Bound;
use crate::geometry::{Geometry, NO_MOVE, PASS, cells};
use crate::life::{life_decides, wins};
use crate::position::{Position, turn_of};
use crate::solver::{BoundStatus, Solver};
use crate::table::Fact;

/// The rank of what is no node, since the goal is reached, and that of the first node that is proven.
const AT_ONCE: u32 = 0;
const FIRST_RANK: u32 = AT_ONCE + 1;

/// After how many steps somebody is told how far it is.
const TELL_EVERY: u64 = 1 << 14;

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

/// Nodes and what is known about them.
pub(super) struct Graph<'a> {
    solver: &'a Solver,
    bound: Bound,
    prover: u8,
    /// Moves that are played only where no other is found.
    shunned: HashSet<Choice>,
    nodes: Nodes,
    /// What follows the nodes of the strategy.
    edges: Edges,
    watches: Watches,
    /// The moves of the prover that were tried, where there was more than one.
    tried: HashMap<u32, u64>,
    /// Where a search has found no other move, and with how much patience: it is not repeated.
    in_vain: HashMap<(u32, Shunned), u64>,
    /// Nodes that may have something to do.
    todo: Vec<u32>,
    /// The rank of the node that is proven next.
    next_rank: u32,
    /// How many nodes are proven.
    proven: usize,
}

impl<'a> Graph<'a> {
    pub(super) fn new(solver: &'a Solver, bound: Bound) -> Self {
        Self {
            solver,
            bound,
            prover: turn_of(bound.prover),
            shunned: HashSet::new(),
            nodes: Nodes::default(),
            edges: Edges::default(),
            watches: Watches::new(),
            tried: HashMap::new(),
            in_vain: HashMap::new(),
            todo: Vec::new(),
            next_rank: FIRST_RANK,
            proven: 0,
        }
    }

    fn geometry(&self) -> &'a Geometry {
        &self.solver.shared.geometry
    }

    /// What a situation comes to.
    pub(super) fn step(&self, at: &Position) -> Step {
        let geometry = self.geometry();
        match life_decides(geometry, self.bound, at) {
            Some(true) => return Step::Reached,
            Some(false) => return Step::Missed,
            None => {}
        }
        if at.passed {
            let reached = wins(geometry, self.bound, at);
            match at.turn == self.prover {
                true if reached => return Step::Reached,
                false if !reached => return Step::Missed,
                _ => {}
            }
        }
        Step::Node(self.key(at))
    }

    fn key(&self, at: &Position) -> u64 {
        let at = before_pass(at);
        at.key(self.geometry()).number * 2 + u64::from(at.turn == self.prover)
    }

    /// Proves a situation, with all that it rests on. Tells now and then how many nodes were met and proven.
    pub(super) fn prove(
        &mut self,
        at: &Position,
        tell: &mut dyn FnMut(usize, usize),
    ) -> Result<bool, StrategyError> {
        let root = match self.step(at) {
            Step::Reached => return Ok(true),
            Step::Missed => return Ok(false),
            Step::Node(key) => self.node(key),
        };
        let mut steps = 0_u64;
        loop {
            while let Some(number) = self.todo.pop() {
                self.check_stop()?;
                self.advance(number)?;
                steps += 1;
                if steps.is_multiple_of(TELL_EVERY) {
                    tell(self.len(), self.proven);
                }
            }
            if self.nodes.is_proven(root) {
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

    /// How many nodes there are.
    pub(super) const fn len(&self) -> usize {
        self.nodes.len()
    }

    /// The number of the node that a situation belongs to, with or without a pass before it.
    pub(super) fn number(&self, at: &Position) -> Option<u32> {
        self.nodes.find(self.key(at))
    }

    /// The move for a situation with the prover to move that was proven.
    pub(super) fn reply(&self, at: &Position) -> Option<u8> {
        let number = self.number(at)?;
        let is_proven = self.nodes.is_proven(number);
        is_proven.then(|| self.translated(number, at, self.nodes.cell(number)))
    }

    /// Chooses the final moves: since a node was proven, more has been, and there may be a better move. Returns all
    /// nodes of the strategy. The others are asleep from now on. Tells now and then how many nodes there are so far.
    pub(super) fn choose(
        &mut self,
        root: &Position,
        tell: &mut dyn FnMut(usize),
    ) -> Result<Vec<u32>, StrategyError> {
        let mut chosen = Vec::new();
        let mut seen = vec![false; self.nodes.len()];
        let mut waiting: Vec<u32> = self.existing(root).into_iter().collect();
        while let Some(number) = waiting.pop() {
            if std::mem::replace(&mut seen[number as usize], true) {
                continue;
            }
            if self.edges.of(number).is_none() {
                self.improve(number);
                let following = self.continuations(number);
                self.edges.set(number, following);
            }
            waiting.extend(self.following(number));
            chosen.push(number);
            if (chosen.len() as u64).is_multiple_of(TELL_EVERY) {
                self.check_stop()?;
                tell(chosen.len());
            }
        }
        for (number, _) in seen.iter().enumerate().filter(|(_, is_seen)| !**is_seen) {
            self.put_to_sleep(number as u32);
        }
        Ok(chosen)
    }

    fn check_stop(&self) -> Result<(), StrategyError> {
        match self.solver.shared.is_stopped(0) {
            true => Err(StrategyError::Stopped),
            false => Ok(()),
        }
    }

    /// Takes the best move for the prover at a node that was proven, to what was proven before it. Is there one?
    fn improve(&mut self, number: u32) -> bool {
        let rank = self.nodes.rank(number);
        let best = match self.is_prover(number) {
            true => self.best(&self.position(number), rank),
            false => None,
        };
        if let Some(cell) = best {
            self.nodes.set_cell(number, cell);
        }
        best.is_some()
    }

    /// From now on these moves of nodes of the strategy are shunned. Where the prover has no other move, the node and
    /// all that rests on it have to be proven again.
    pub(super) fn shun(&mut self, strategy: &mut [u32], moves: &[(u32, Choice)]) {
        self.shunned.extend(moves.iter().map(|(_, choice)| *choice));
        let changed: HashSet<u32> = moves.iter().map(|(number, _)| *number).collect();
        strategy.sort_unstable_by_key(|number| self.nodes.rank(*number));
        for number in strategy.iter().copied() {
            let rests_on_sleepers = self
                .following(number)
                .iter()
                .any(|next| !self.nodes.is_proven(*next));
            if !rests_on_sleepers && !changed.contains(&number) {
                continue;
            }
            self.edges.forget(number);
            if !self.improve(number) {
                self.put_to_sleep(number);
            }
        }
    }

    /// A node counts as one that was never met, until it is met again.
    fn put_to_sleep(&mut self, number: u32) {
        self.proven -= usize::from(self.nodes.is_proven(number));
        self.nodes.put_to_sleep(number);
        self.tried.remove(&number);
        self.edges.forget(number);
    }

    /// The moves of the prover as they are, to be brought back when later ones turn out to be no better.
    pub(super) fn moves_so_far(&self) -> Moves {
        self.nodes.moves()
    }

    /// Brings back the moves of the prover. The graph is good for replies from now on, and for nothing else.
    pub(super) fn bring_back(&mut self, moves: Moves) {
        self.nodes.bring_back(moves);
    }

    /// The nodes that come after one of the strategy.
    pub(super) fn following(&self, number: u32) -> &[u32] {
        self.edges.of(number).unwrap_or_default()
    }

    /// The nodes that come after one that was proven.
    fn continuations(&self, number: u32) -> Vec<u32> {
        let at = self.position(number);
        let cells = cells(match self.is_prover(number) {
            true => 1 << self.nodes.cell(number),
            false => at.moves(self.geometry()).legal | 1 << PASS,
        });
        cells
            .filter_map(|cell| self.existing(&at.after(self.geometry(), cell)))
            .collect()
    }

    /// The node of a situation, if it has to be played out and has been met.
    fn existing(&self, at: &Position) -> Option<u32> {
        match self.step(at) {
            Step::Node(key) => self.nodes.find(key),
            Step::Reached | Step::Missed => None,
        }
    }

    /// A number for the stones of a node, symmetric ones as one.
    pub(super) fn board(&self, number: u32) -> u64 {
        self.position(number).board().key(self.geometry()).number
    }

    /// In which order a node was proven.
    pub(super) fn rank_of(&self, number: u32) -> u32 {
        self.nodes.rank(number)
    }

    /// Is it the prover's turn?
    pub(super) fn is_prover(&self, number: u32) -> bool {
        self.nodes.is_prover(number)
    }

    /// Does the prover pass at a node that was proven?
    pub(super) fn passes(&self, number: u32) -> bool {
        self.nodes.cell(number) == PASS
    }

    /// The prover's move at a node that was proven.
    pub(super) fn choice(&self, number: u32) -> Choice {
        let at = self.position(number);
        self.choice_of(&at, self.nodes.cell(number))
    }

    fn choice_of(&self, at: &Position, cell: u8) -> Choice {
        let after = at.after(self.geometry(), cell);
        (self.key(at), self.key(&after))
    }

    /// Is a move shunned already?
    pub(super) fn has_shunned(&self, choice: &Choice) -> bool {
        self.shunned.contains(choice)
    }

    fn is_shunned(&self, at: &Position, cell: u8) -> bool {
        !self.shunned.is_empty() && self.has_shunned(&self.choice_of(at, cell))
    }

    /// A move of a node as a move of a situation that is symmetric to it.
    fn translated(&self, number: u32, at: &Position, cell: u8) -> u8 {
        let geometry = self.geometry();
        let form = |at: &Position| usize::from(at.key(geometry).form);
        let place = geometry.place(form(&self.position(number)), cell);
        geometry.unplace(form(&before_pass(at)), place)
    }

    /// The situation of a node, or one that is symmetric to it.
    fn position(&self, number: u32) -> Position {
        let turn = self.prover ^ u8::from(!self.is_prover(number));
        Position::numbered(self.geometry(), self.nodes.key(number) / 2, turn)
    }

    /// The node with a key, which is new if it was not met before, and awake in any case.
    fn node(&mut self, key: u64) -> u32 {
        let known = self.nodes.find(key);
        let number = known.unwrap_or_else(|| self.nodes.add(key));
        if known.is_none() || self.nodes.is_asleep(number) {
            self.nodes.wake(number);
            self.todo.push(number);
        }
        number
    }

    /// The moves of the prover that have been tried at a node.
    fn tried(&self, number: u32) -> u64 {
        match self.nodes.cell(number) {
            NO_MOVE => 0,
            cell => self.tried.get(&number).copied().unwrap_or(1 << cell),
        }
    }

    /// The moves of a node. A pass that leaves the score short is none.
    fn moves(&self, at: &Position) -> u64 {
        let pass = u64::from(wins(self.geometry(), self.bound, at)) << PASS;
        at.moves(self.geometry()).legal | pass
    }

    /// Goes on with a node as far as it goes.
    fn advance(&mut self, number: u32) -> Result<(), StrategyError> {
        if self.nodes.is_proven(number) || self.nodes.is_asleep(number) {
            return Ok(());
        }
        let tried = self.tried(number);
        if !self.is_prover(number) {
            self.advance_enemy(number);
        } else if tried == 0 {
            self.begin(number)?;
        } else {
            let at = self.position(number);
            let mut tried = cells(tried);
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
                let number = self.nodes.find(key)?;
                let is_proven = self.nodes.is_proven(number);
                is_proven.then(|| self.nodes.rank(number))
            }
        }
    }

    /// The enemy's moves have to be proven one by one. Those before the one that it waits for are.
    fn advance_enemy(&mut self, number: u32) {
        let at = self.position(number);
        let next = self.nodes.cell(number);
        let legal = at.moves(self.geometry()).legal | 1 << PASS;
        for cell in cells(legal & (u64::MAX << next)) {
            let after = at.after(self.geometry(), cell);
            let key = match self.step(&after) {
                Step::Reached => continue,
                // Then the prover's move before did not win: the node stays open for good.
                Step::Missed => return,
                Step::Node(key) => key,
            };
            let child = self.node(key);
            if !self.nodes.is_proven(child) {
                self.nodes.set_cell(number, cell);
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
        let mut cell = self.solver.winning_cell(&at, self.bound);
        if cell.is_none() && self.is_won(&at, u64::MAX)? {
            cell = self.solver.winning_cell(&at, self.bound);
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

    /// The prover's best move to what was proven before this rank, shunned ones aside: one that ends it, a pass, what
    /// was proven first. One that begins a ko comes last: with it, the same stones come up in two nodes, and a line may
    /// join them.
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
        let tried = self.tried(number);
        if tried != 0 {
            self.tried.insert(number, tried | 1 << cell);
        }
        self.nodes.set_cell(number, cell);
        let after = at.after(self.geometry(), cell);
        match self.step(&after) {
            Step::Reached => self.settle(number, cell),
            Step::Missed => {}
            Step::Node(key) => {
                let child = self.node(key);
                if self.nodes.is_proven(child) {
                    self.settle(number, cell);
                } else {
                    self.watch(child, number);
                }
            }
        }
    }

    /// A node is proven: whoever waits for it goes on.
    fn settle(&mut self, number: u32, cell: u8) {
        self.nodes.set_cell(number, cell);
        self.nodes.set_rank(number, self.next_rank);
        self.next_rank += 1;
        self.proven += 1;
        let waiting = self.nodes.watches_mut(number);
        self.watches.drain(waiting, &mut self.todo);
    }

    fn watch(&mut self, child: u32, who: u32) {
        self.watches.push(self.nodes.watches_mut(child), who);
    }

    /// Finds another move for the prover somewhere below an open node, as deep as possible: one that the table knows,
    /// or one that a search finds.
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
            if self.is_prover(number) && self.try_another(number, way)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The open nodes that an open node waits for.
    fn waits_for(&self, number: u32) -> Vec<u32> {
        let tried = match self.is_prover(number) {
            true => self.tried(number),
            false => 1 << self.nodes.cell(number),
        };
        let at = self.position(number);
        let children =
            cells(tried).filter_map(|cell| self.existing(&at.after(self.geometry(), cell)));
        children
            .filter(|child| !self.nodes.is_proven(*child))
            .collect()
    }

    /// Lets the prover try one more move that wins, if one is found.
    fn try_another(&mut self, number: u32, way: Way) -> Result<bool, StrategyError> {
        let Way { patience, shunned } = way;
        let longest = self.in_vain.get(&(number, shunned)).copied().unwrap_or(0);
        if patience > 0 && patience <= longest {
            return Ok(false);
        }
        let at = self.position(number);
        let untried = self.moves(&at) & !self.tried(number);
        for cell in cells(untried) {
            if shunned == Shunned::LeftOut && self.is_shunned(&at, cell) {
                continue;
            }
            let after = at.after(self.geometry(), cell);
            let is_known = self.rank(&after).is_some() || self.is_known(&after);
            if is_known || self.is_won(&after, patience)? {
                self.attempt(number, &at, cell);
                return Ok(true);
            }
        }
        if patience > 0 {
            self.in_vain.insert((number, shunned), patience);
        }
        Ok(false)
    }

    /// Does the table know that a situation is won?
    fn is_known(&self, at: &Position) -> bool {
        let shared = &self.solver.shared;
        let known = shared.known(at, shared.key(at), self.prover);
        let wins = |fact| matches!(fact, Fact::Win { threshold, .. } if threshold >= self.bound.threshold());
        known.win.is_some_and(wins)
    }

    /// Is the situation won? Searched deeper and deeper, unless the table knows, until patience is at an end.
    fn is_won(&self, at: &Position, patience: u64) -> Result<bool, StrategyError> {
        let mut attempt = self.solver.attempt(self.bound);
        while attempt.nodes < patience {
            match self.solver.go_deeper(at, &mut attempt, &mut |_| {}) {
                Some(BoundStatus::Proven) => return Ok(true),
                Some(BoundStatus::Stopped) => return Err(StrategyError::Stopped),
                Some(BoundStatus::Refuted | BoundStatus::NotProven) => return Ok(false),
                // The graph of what is not won may be large: it is grown only where there is no other way.
                None if attempt.is_exhausted && patience < u64::MAX => return Ok(false),
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
