//! Whether a bound can be forced at all, decided where the search has found nothing.
//!
//! The search takes the return to a board for a failure, and failures of its table may rest on another path: that it
//! ends without a proof says nothing. Here there are no paths. A graph of situations is grown from the one that is
//! asked about, with all moves of the prover and one move of the opponent, and retrograde analysis finds out which of
//! them are won: those from which the prover's move leads to a won one, and those from which all of the opponent's
//! moves do. Where the opponent's move turns out to lose, the next one is taken. When nothing is left to do, the
//! prover either wins the first situation, or the opponent has a move in each of those that are not won that leads to
//! another one of these: a game that is played so never ends as the bound says. That is exact.

use std::collections::HashMap;
use std::sync::atomic::Ordering;

use crate::bound::Bound;
use crate::geometry::{NO_MOVE, PASS, cells};
use crate::life::{life_decides, wins};
use crate::position::{Position, turn_of};
use crate::search::Shared;
use crate::table::Fact;

/// The memory that a node takes, about, and a link between two.
const NODE_BYTES: u64 = 72;
const LINK_BYTES: u64 = 8;

/// No node, or no link.
const NONE: u32 = u32::MAX;

/// How far the analysis has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Decision {
    /// The prover forces the bound.
    Proven,
    /// The opponent keeps the prover from it for ever.
    Refuted,
    /// There is more to do.
    GoesOn,
    /// It takes more memory than it may.
    TooLarge,
}

/// A situation whose fate is not plain.
struct Node {
    /// The number of its key, twice, and whether it is the prover's turn.
    key: u64,
    is_won: bool,
    /// Was it left alone, since nobody needed it any more?
    is_idle: bool,
    /// The first of the links to those that wait for it.
    waiting: u32,
    /// The opponent's moves that were not tried yet; all of them before the first.
    untried: u64,
    /// The node after the opponent's move that is relied on.
    relied_on: u32,
}

/// Says that a node waits for another one.
struct Link {
    who: u32,
    next: u32,
}

/// What a situation comes to.
enum Step {
    Won,
    Lost,
    Node(u32),
}

/// A graph that is grown in portions.
pub(crate) struct Retrograde {
    bound: Bound,
    prover: u8,
    root: Position,
    nodes: Vec<Node>,
    numbers: HashMap<u64, u32>,
    links: Vec<Link>,
    /// Nodes that have something to do: new ones, and those of the opponent whose move has turned out to lose.
    todo: Vec<u32>,
    is_begun: bool,
    /// What the root comes to, where that is plain.
    at_once: Option<Decision>,
    /// Bytes that it may take.
    memory: u64,
}

impl Retrograde {
    pub(crate) fn new(root: Position, bound: Bound, memory: u64) -> Self {
        Self {
            bound,
            prover: turn_of(bound.prover),
            root,
            nodes: Vec::new(),
            numbers: HashMap::new(),
            links: Vec::new(),
            todo: Vec::new(),
            is_begun: false,
            at_once: None,
            memory,
        }
    }

    /// Goes on for about so many nodes, or until the solver is stopped.
    pub(crate) fn go_on(&mut self, shared: &Shared, nodes: u64) -> Decision {
        if !std::mem::replace(&mut self.is_begun, true) {
            let root = self.root;
            self.at_once = match self.step(shared, &root) {
                Step::Won => Some(Decision::Proven),
                Step::Lost => Some(Decision::Refuted),
                Step::Node(_) => None,
            };
        }
        if let Some(decision) = self.at_once {
            return decision;
        }
        for done in 1..=nodes {
            // Node 0 is the root.
            if self.nodes[0].is_won {
                return Decision::Proven;
            }
            let Some(number) = self.todo.pop() else {
                return Decision::Refuted;
            };
            self.advance(shared, number);
            shared.nodes.fetch_add(1, Ordering::Relaxed);
            if done.is_multiple_of(1024) {
                if self.bytes() > self.memory {
                    return Decision::TooLarge;
                }
                if shared.is_stopped(0) {
                    break;
                }
            }
        }
        Decision::GoesOn
    }

    fn bytes(&self) -> u64 {
        NODE_BYTES * self.nodes.len() as u64 + LINK_BYTES * self.links.len() as u64
    }

    /// What a situation comes to, by itself or as the table knows; a node if that is open.
    fn step(&mut self, shared: &Shared, at: &Position) -> Step {
        let geometry = &shared.geometry;
        let is_prover = at.turn == self.prover;
        match life_decides(geometry, self.bound, at) {
            Some(true) => return Step::Won,
            Some(false) => return Step::Lost,
            None => {}
        }
        if at.passed && wins(geometry, self.bound, at) == is_prover {
            // Whoever is to move ends the game.
            return if is_prover { Step::Won } else { Step::Lost };
        }
        let key = at.key(geometry).number * 2 + u64::from(is_prover);
        if let Some(number) = self.numbers.get(&key) {
            return match self.nodes[*number as usize].is_won {
                true => Step::Won,
                false => Step::Node(*number),
            };
        }
        if self.is_known(shared, at) {
            return Step::Won;
        }
        let number = self.nodes.len() as u32;
        self.numbers.insert(key, number);
        self.nodes.push(Node {
            key,
            is_won: false,
            is_idle: false,
            waiting: NONE,
            untried: u64::MAX,
            relied_on: NONE,
        });
        self.todo.push(number);
        Step::Node(number)
    }

    /// Does the table know that a situation is won?
    fn is_known(&self, shared: &Shared, at: &Position) -> bool {
        let known = shared.known(at, shared.key(at), self.prover).win;
        let needed = self.bound.threshold();
        known.is_some_and(|fact| matches!(fact, Fact::Win { threshold, .. } if threshold >= needed))
    }

    /// Whether it is the prover's turn at a node, and a situation that belongs to it.
    fn position(&self, shared: &Shared, number: u32) -> (bool, Position) {
        let key = self.nodes[number as usize].key;
        let is_prover = key % 2 == 1;
        let turn = self.prover ^ u8::from(!is_prover);
        (
            is_prover,
            Position::numbered(&shared.geometry, key / 2, turn),
        )
    }

    fn advance(&mut self, shared: &Shared, number: u32) {
        if self.nodes[number as usize].is_won {
            return;
        }
        if !self.is_needed(number) {
            self.nodes[number as usize].is_idle = true;
            return;
        }
        let (is_prover, at) = self.position(shared, number);
        // Who would end the game by passing again has done so already, unless that is bad.
        let pass = u64::from(!at.passed) << PASS;
        let moves = at.moves(&shared.geometry).legal | pass;
        if is_prover {
            self.advance_prover(shared, number, &at, moves);
        } else {
            self.advance_opponent(shared, number, &at, moves);
        }
    }

    /// The prover waits for all moves.
    fn advance_prover(&mut self, shared: &Shared, number: u32, at: &Position, moves: u64) {
        // What is known to win comes before anything is grown.
        for cell in cells(moves) {
            let after = at.after(&shared.geometry, cell);
            if self.is_known(shared, &after) {
                return self.settle(shared, number, cell);
            }
        }
        for cell in cells(moves) {
            match self.step(shared, &at.after(&shared.geometry, cell)) {
                Step::Won => return self.settle(shared, number, cell),
                Step::Lost => {}
                Step::Node(child) => self.wait(number, child),
            }
        }
    }

    /// The opponent relies on one move until it turns out to lose.
    fn advance_opponent(&mut self, shared: &Shared, number: u32, at: &Position, moves: u64) {
        let mut untried = self.nodes[number as usize].untried & moves;
        while untried != 0 {
            let cell = self.likeliest(shared, at, untried);
            untried &= !(1 << cell);
            match self.step(shared, &at.after(&shared.geometry, cell)) {
                Step::Won => continue,
                Step::Lost => self.nodes[number as usize].relied_on = NONE,
                Step::Node(child) => {
                    self.nodes[number as usize].relied_on = child;
                    self.wait(number, child);
                }
            }
            self.nodes[number as usize].untried = untried;
            return;
        }
        self.settle(shared, number, NO_MOVE);
    }

    /// The opponent's move to try first: what leads to a node that there is already, so that the graph stays small, or
    /// what the table remembers.
    fn likeliest(&self, shared: &Shared, at: &Position, untried: u64) -> u8 {
        let geometry = &shared.geometry;
        let key = shared.key(at);
        let remembered = shared.known(at, key, self.prover).fail;
        let remembered = remembered.map_or(NO_MOVE, |fact| {
            let (Fact::Win { place, .. } | Fact::Fail { place, .. }) = fact;
            geometry.unplace(usize::from(key.form), place)
        });
        if remembered != NO_MOVE && untried >> remembered & 1 != 0 {
            return remembered;
        }
        let leads_to_node = |cell: &u8| {
            let after = at.after(geometry, *cell);
            let number = self.numbers.get(&(after.key(geometry).number * 2 + 1));
            number.is_some_and(|number| !self.nodes[*number as usize].is_won)
        };
        let known = cells(untried).find(leads_to_node);
        known.unwrap_or(untried.trailing_zeros() as u8)
    }

    fn wait(&mut self, who: u32, child: u32) {
        let waited_for = &mut self.nodes[child as usize];
        let next = std::mem::replace(&mut waited_for.waiting, self.links.len() as u32);
        self.links.push(Link { who, next });
        if std::mem::take(&mut waited_for.is_idle) {
            self.todo.push(child);
        }
    }

    /// Does anything that is not won wait for a node?
    fn is_needed(&self, number: u32) -> bool {
        let mut link = self.nodes[number as usize].waiting;
        while link != NONE {
            let Link { who, next } = self.links[link as usize];
            let waiting = &self.nodes[who as usize];
            if !waiting.is_won && (waiting.key % 2 == 1 || waiting.relied_on == number) {
                return true;
            }
            link = next;
        }
        // Nothing waits for the root, which is what it is all about.
        number == 0
    }

    /// A node is won, by this move if it is the prover's turn; so may be those that wait for it.
    fn settle(&mut self, shared: &Shared, number: u32, cell: u8) {
        let mut won = vec![(number, cell)];
        while let Some((number, cell)) = won.pop() {
            if std::mem::replace(&mut self.nodes[number as usize].is_won, true) {
                continue;
            }
            let (_, at) = self.position(shared, number);
            self.remember(shared, &at, cell);
            let mut link = self.nodes[number as usize].waiting;
            while link != NONE {
                let Link { who, next } = self.links[link as usize];
                link = next;
                let waiting = &self.nodes[who as usize];
                if waiting.is_won {
                    continue;
                }
                if waiting.key % 2 == 1 {
                    won.push((who, self.move_between(shared, who, number)));
                } else if waiting.relied_on == number {
                    self.todo.push(who);
                }
            }
        }
    }

    /// The prover's move at a node that leads to another one.
    fn move_between(&self, shared: &Shared, from: u32, to: u32) -> u8 {
        let geometry = &shared.geometry;
        let (_, at) = self.position(shared, from);
        let key = self.nodes[to as usize].key;
        let leads_there = |cell: &u8| at.after(geometry, *cell).key(geometry).number * 2 == key;
        let moves = at.moves(geometry).legal | 1 << PASS;
        cells(moves).find(leads_there).unwrap_or(NO_MOVE)
    }

    /// Lets the table know, for strategies are read off from there.
    fn remember(&self, shared: &Shared, at: &Position, cell: u8) {
        let key = shared.key(at);
        let fact = Fact::Win {
            threshold: self.bound.threshold(),
            place: shared.geometry.place(usize::from(key.form), cell),
            effort: 1,
        };
        shared.remember(at, key, self.prover, fact);
    }
}
