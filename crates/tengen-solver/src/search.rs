//! The loop-pessimistic search: can the prover force a margin without ever relying on a repetition?
//!
//! Depth-first with a zero window: the only question is whether the goal is reached. Wins never depend on the way that
//! led to a situation and are remembered for good. Failures carry what they rest on ([`Why`]).

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use tengen_core::Stop;

use crate::attempt::Effort;
use crate::bound::Bound;
use crate::busy::Busy;
use crate::geometry::{Geometry, MAX_AREA, NO_MOVE, PASS, cells};
use crate::instinct::{Candidate, Instinct, View};
use crate::life::{life_decides, wins};
use crate::outcome::{FREE, Outcome, UNKNOWN, Why};
use crate::position::{Key, Moves, Position, turn_of};
use crate::table::{FINAL, Fact, Known, TableSlot, TranspositionTable};
use crate::techniques::Techniques;

/// The deepest that a search goes.
pub(crate) const MAX_DEPTH: u8 = 120;

/// The table's move comes before all others but one that was advised.
const REMEMBERED: f32 = 1e30;

/// Threads keep out of each other's way where so many moves are to come at least.
const SHARED_DEPTH: u8 = 6;

/// How much the orders of threads differ.
const NOISE: f32 = 0.06;

/// What all threads of a search share.
pub(crate) struct Shared {
    pub(crate) geometry: Geometry,
    pub(crate) table: TranspositionTable,
    pub(crate) techniques: Techniques,
    /// Ends all searches soon.
    pub(crate) stop: Stop,
    pub(crate) nodes: AtomicU64,
    /// Ends all searches when so many situations have been looked at.
    pub(crate) limit: AtomicU64,
    /// What threads are looking at, if there are many.
    pub(crate) busy: Option<Busy>,
    /// Moves to try first in some situations, by the number of their keys.
    pub(crate) advice: HashMap<u64, u8>,
}

impl Shared {
    /// Is every search to end, after so many situations that were not counted yet?
    pub(crate) fn is_stopped(&self, uncounted: u64) -> bool {
        let nodes = self.nodes.load(Ordering::Relaxed) + uncounted;
        self.stop.is_stopped() || nodes >= self.limit.load(Ordering::Relaxed)
    }

    /// The key of a situation.
    pub(crate) fn key(&self, position: &Position) -> Key {
        if self.techniques.symmetry {
            position.key(&self.geometry)
        } else {
            position.upright_key(&self.geometry)
        }
    }

    /// What is known about a situation and a prover.
    pub(crate) fn known(&self, position: &Position, key: Key, prover: u8) -> Known {
        if self.techniques.table {
            self.table.get(slot(position, key, prover))
        } else {
            Known::default()
        }
    }

    /// Remembers a fact about a situation and a prover.
    pub(crate) fn remember(&self, position: &Position, key: Key, prover: u8, fact: Fact) {
        if self.techniques.table {
            self.table.put(slot(position, key, prover), fact);
        }
    }
}

/// The key of the table: the situation, and whether the player to move is the prover.
pub(crate) const fn slot(position: &Position, key: Key, prover: u8) -> u64 {
    key.number * 2 + (position.turn == prover) as u64
}

#[derive(Clone, Copy)]
struct Child {
    position: Position,
    key: Key,
    cell: u8,
    candidate: Candidate,
    /// Children are tried from the highest to the lowest.
    order: f32,
}

/// How far failures of the table are believed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Trust {
    /// Those that rested on another path, too: they may hide a win, but save most of the work.
    All,
    /// Only those that hold on every path.
    AnyPath,
}

/// One thread's search.
pub(crate) struct Worker<'a> {
    shared: &'a Shared,
    bound: Bound,
    /// Who proves: 0 for Black, 1 for White.
    prover: u8,
    /// The margin that is to be reached at least, from the prover's point of view.
    threshold: i32,
    effort: Effort,
    /// Are all moves looked up before one is searched?
    looks_ahead: bool,
    /// Ends this search, and that of all threads that have the same one.
    done: &'a AtomicBool,
    /// The boards on the way to the current situation, and the moves between them.
    path: Vec<[u64; 2]>,
    moves: Vec<u8>,
    children: Vec<Child>,
    instinct: &'a mut Instinct,
    nodes: u64,
    unreported: u64,
    /// Threads but the first order moves a little differently, so that they do not all do the same.
    noise: u64,
}

impl<'a> Worker<'a> {
    /// A search with what an earlier one has learned. Searches with different numbers try moves in different orders.
    pub(crate) fn new(
        shared: &'a Shared,
        done: &'a AtomicBool,
        bound: Bound,
        effort: Effort,
        instinct: &'a mut Instinct,
        number: usize,
    ) -> Self {
        Self {
            shared,
            bound,
            prover: turn_of(bound.prover),
            threshold: bound.threshold(),
            effort,
            looks_ahead: shared.techniques.table && shared.techniques.lookahead,
            done,
            path: Vec::new(),
            moves: Vec::new(),
            children: Vec::new(),
            instinct,
            nodes: 0,
            unreported: 0,
            noise: number as u64,
        }
    }

    /// Searches a situation as the first of its game.
    pub(crate) fn prove(&mut self, position: &Position) -> Outcome {
        self.path.clear();
        self.moves.clear();
        self.children.clear();
        self.path.push(position.stones);
        let outcome = self.search(position, self.shared.key(position), self.effort.depth);
        self.report();
        outcome
    }

    fn report(&mut self) {
        let nodes = &self.shared.nodes;
        nodes.fetch_add(self.unreported, Ordering::Relaxed);
        self.unreported = 0;
    }

    /// What the table says about the goal, if that is enough for a search to this depth.
    fn verdict(&self, known: Known, depth: u8) -> Option<Outcome> {
        if let Some(Fact::Win { threshold, .. }) = known.win
            && threshold >= self.threshold
        {
            return Some(Outcome::Win);
        }
        if let Some(Fact::Fail {
            threshold,
            depth: searched,
            on_path,
            cut,
            ..
        }) = known.fail
            && threshold <= self.threshold
            && searched >= depth
            && (self.effort.trust == Trust::All || !on_path)
        {
            let base = if on_path { UNKNOWN } else { FREE };
            return Some(Outcome::Fail(Why { base, cut }));
        }
        None
    }

    fn search(&mut self, position: &Position, key: Key, depth: u8) -> Outcome {
        self.nodes += 1;
        self.unreported += 1;
        if self.unreported >= 4096 {
            self.report();
            if self.shared.is_stopped(0) || self.done.load(Ordering::Relaxed) {
                return Outcome::Stopped;
            }
        }
        if self.shared.techniques.life
            && let Some(reached) = life_decides(&self.shared.geometry, self.bound, position)
        {
            return if reached {
                Outcome::Win
            } else {
                Outcome::Fail(Why::FINAL)
            };
        }
        let known = self.shared.known(position, key, self.prover);
        if let Some(outcome) = self.verdict(known, depth) {
            return outcome;
        }
        if depth == 0 {
            return Outcome::Fail(Why::SHALLOW);
        }
        let before = self.nodes;
        let first = self.children.len();
        let (outcome, cell) = if position.turn == self.prover {
            self.prover_moves(position, key, depth, known)
        } else {
            self.enemy_moves(position, key, depth, known)
        };
        self.children.truncate(first);
        let outcome = match outcome {
            // A repetition of this very board, or of one further down, happens on every path.
            Outcome::Fail(why) if usize::from(why.base) >= self.path.len() => {
                Outcome::Fail(Why { base: FREE, ..why })
            }
            other => other,
        };
        let effort = (self.nodes - before).max(1).ilog2() as u8;
        self.remember(position, key, depth, outcome, cell, effort);
        outcome
    }

    fn remember(
        &self,
        position: &Position,
        key: Key,
        depth: u8,
        outcome: Outcome,
        cell: u8,
        effort: u8,
    ) {
        let threshold = self.threshold;
        let place = self.shared.geometry.place(usize::from(key.form), cell);
        let fact = match outcome {
            Outcome::Win => Fact::Win {
                threshold,
                place,
                effort,
            },
            Outcome::Fail(why) => Fact::Fail {
                threshold,
                place,
                depth: if why.is_final() { FINAL } else { depth },
                on_path: why.base != FREE,
                cut: why.cut,
            },
            Outcome::Stopped => return,
        };
        self.shared.remember(position, key, self.prover, fact);
    }

    /// The prover needs one move that wins.
    fn prover_moves(
        &mut self,
        position: &Position,
        key: Key,
        depth: u8,
        known: Known,
    ) -> (Outcome, u8) {
        if position.passed && wins(&self.shared.geometry, self.bound, position) {
            return (Outcome::Win, PASS);
        }
        let first = self.children.len();
        let moves = position.moves(&self.shared.geometry);
        let eyes = own_eyes(&self.shared.geometry, position, &moves);
        let view = self.expand(position, &moves, moves.legal & !eyes, key, known);
        // A pass after a pass ends the game, and that score was not enough.
        if !position.passed {
            self.add_pass(position);
        }
        if self.looks_ahead && depth > 1 {
            let places = self.places(first);
            for (child, place) in self.children[first..].iter().zip(places) {
                let known = self.shared.table.at(place);
                if self.verdict(known, depth - 1) == Some(Outcome::Win)
                    && self.repeated(child).is_none()
                {
                    return (Outcome::Win, child.cell);
                }
            }
        }
        let mut whole = Why::FINAL;
        let mut best = NO_MOVE;
        for at in first..self.children.len() {
            let rank = at - first;
            let cost = 1 + rank * self.effort.rank_cost;
            if rank >= self.effort.width || cost > usize::from(depth) {
                whole = whole.and(Why::SHALLOW);
                break;
            }
            let child = self.next_child(at);
            match self.descend(&child, depth - cost as u8) {
                Outcome::Win => {
                    self.learn(&view, first, at);
                    return (Outcome::Win, child.cell);
                }
                Outcome::Fail(why) => {
                    whole = whole.and(why);
                    if best == NO_MOVE {
                        best = child.cell;
                    }
                }
                Outcome::Stopped => return (Outcome::Stopped, NO_MOVE),
            }
        }
        (Outcome::Fail(whole), best)
    }

    /// The prover has to win whatever the enemy does.
    fn enemy_moves(
        &mut self,
        position: &Position,
        key: Key,
        depth: u8,
        known: Known,
    ) -> (Outcome, u8) {
        if position.passed && !wins(&self.shared.geometry, self.bound, position) {
            return (Outcome::Fail(Why::FINAL), PASS);
        }
        let first = self.children.len();
        let moves = position.moves(&self.shared.geometry);
        let view = self.expand(position, &moves, moves.legal, key, known);
        if !position.passed {
            self.add_pass(position);
        }
        if self.looks_ahead && depth > 1 {
            let places = self.places(first);
            for (child, place) in self.children[first..].iter().zip(places) {
                if let Some(base) = self.repeated(child) {
                    return (Outcome::Fail(Why::repetition(base)), child.cell);
                }
                let known = self.shared.table.at(place);
                if let Some(Outcome::Fail(why)) = self.verdict(known, depth - 1) {
                    return (Outcome::Fail(why), child.cell);
                }
            }
        }
        // All of the enemy's moves have to be looked at, so what another thread is looking at comes last. The first one
        // is the likeliest to refute, and then the others do not matter.
        let mut postponed = 0_u64;
        for at in first..self.children.len() {
            let child = self.next_child(at);
            if at > first && self.is_busy(&child, depth) {
                postponed |= 1 << (at - first);
            } else if let Some(end) = self.refuted(&view, first, at, depth) {
                return end;
            }
        }
        for place in cells(postponed) {
            if let Some(end) = self.refuted(&view, first, first + usize::from(place), depth) {
                return end;
            }
        }
        (Outcome::Win, NO_MOVE)
    }

    /// Where the table has each child, from the first on.
    fn places(&self, first: usize) -> [TableSlot; MAX_AREA + 1] {
        let mut places = [TableSlot::default(); MAX_AREA + 1];
        for (place, child) in places.iter_mut().zip(&self.children[first..]) {
            let slot = slot(&child.position, child.key, self.prover);
            *place = self.shared.table.call(slot);
        }
        places
    }

    /// Searches the enemy's move at a place, of those from the first on. What comes of them all, if that is decided.
    fn refuted(
        &mut self,
        view: &View,
        first: usize,
        at: usize,
        depth: u8,
    ) -> Option<(Outcome, u8)> {
        let child = self.children[at];
        match self.descend_alone(&child, depth) {
            Outcome::Win => None,
            Outcome::Fail(why) => {
                self.learn(view, first, at);
                Some((Outcome::Fail(why), child.cell))
            }
            Outcome::Stopped => Some((Outcome::Stopped, NO_MOVE)),
        }
    }

    /// Is another thread looking at what comes after a move of the enemy?
    fn is_busy(&self, child: &Child, depth: u8) -> bool {
        depth >= SHARED_DEPTH
            && self
                .shared
                .busy
                .as_ref()
                .is_some_and(|busy| busy.has(slot(&child.position, child.key, self.prover)))
    }

    /// Searches what comes after a move of the enemy, and lets other threads know.
    fn descend_alone(&mut self, child: &Child, depth: u8) -> Outcome {
        let busy = self.shared.busy.as_ref().filter(|_| depth >= SHARED_DEPTH);
        let Some(busy) = busy else {
            return self.descend(child, depth - 1);
        };
        let situation = slot(&child.position, child.key, self.prover);
        busy.enter(situation);
        let outcome = self.descend(child, depth - 1);
        busy.leave(situation);
        outcome
    }

    /// Searches what comes after a move.
    fn descend(&mut self, child: &Child, depth: u8) -> Outcome {
        if let Some(base) = self.repeated(child) {
            return Outcome::Fail(Why::repetition(base));
        }
        self.path.push(child.position.stones);
        self.moves.push(child.cell);
        let outcome = self.search(&child.position, child.key, depth);
        self.moves.pop();
        self.path.pop();
        outcome
    }

    /// The number of the situation on the path that has the board which this move makes. A pass makes none.
    fn repeated(&self, child: &Child) -> Option<u16> {
        if child.cell == PASS {
            return None;
        }
        let stones = child.position.stones;
        let at = self.path.iter().position(|earlier| *earlier == stones)?;
        Some(at as u16 + 1)
    }

    /// Adds the stones that may be played to the children, with what they promise.
    fn expand(
        &mut self,
        position: &Position,
        moves: &Moves,
        legal: u64,
        key: Key,
        known: Known,
    ) -> View {
        let geometry = &self.shared.geometry;
        let form = usize::from(key.form);
        let remembered = known.fail.or(known.win).map_or(NO_MOVE, |fact| {
            let (Fact::Win { place, .. } | Fact::Fail { place, .. }) = fact;
            geometry.unplace(form, place)
        });
        let advised = match self.shared.advice.is_empty() {
            true => NO_MOVE,
            false => (self.shared.advice.get(&key.number))
                .map_or(NO_MOVE, |place| geometry.unplace(form, *place)),
        };
        let view = self.instinct.view(geometry, position, &self.moves);
        for cell in cells(legal) {
            let after = position.play(geometry, moves, cell);
            let mut candidate = Candidate::default();
            if self.shared.techniques.ordering {
                candidate = self.instinct.judge(geometry, &view, moves, cell, &after);
            }
            let order = match cell {
                _ if cell == advised => f32::MAX,
                _ if cell == remembered => REMEMBERED,
                _ => candidate.score + NOISE * draw(&mut self.noise),
            };
            self.children.push(Child {
                key: self.shared.key(&after),
                position: after,
                cell,
                candidate,
                order,
            });
        }
        view
    }

    /// Adds a pass to the children, which is tried last.
    fn add_pass(&mut self, position: &Position) {
        let passed = position.pass();
        self.children.push(Child {
            key: self.shared.key(&passed),
            position: passed,
            cell: PASS,
            candidate: Candidate::default(),
            order: f32::MIN,
        });
    }

    /// Brings the most promising child that is left to a place, and returns it.
    fn next_child(&mut self, at: usize) -> Child {
        let mut best = at;
        for other in at + 1..self.children.len() {
            if self.children[other].order > self.children[best].order {
                best = other;
            }
        }
        self.children.swap(at, best);
        self.children[at]
    }

    /// Takes note that the child at a place decided, of those from the first on.
    fn learn(&mut self, view: &View, first: usize, at: usize) {
        if !self.shared.techniques.ordering || self.children[at].cell == PASS {
            return;
        }
        let mut candidates = [Candidate::default(); MAX_AREA];
        let mut decisive = 0;
        let mut count = 0;
        for (number, child) in self.children.iter().enumerate().skip(first) {
            if child.cell == PASS {
                continue;
            }
            if number == at {
                decisive = count;
            }
            candidates[count] = child.candidate;
            count += 1;
        }
        self.instinct.learn(view, &candidates[..count], decisive);
    }
}

/// Empty points all of whose neighbours are one chain of the player to move.
///
/// The prover does not fill them. That cannot make a proof wrong: the prover may leave out what it likes.
fn own_eyes(geometry: &Geometry, position: &Position, moves: &Moves) -> u64 {
    let own = position.stones[usize::from(position.turn)];
    let inside = moves.legal & !moves.capturing & !geometry.beside(geometry.mask & !own);
    cells(inside).fold(0, |eyes, cell| {
        let around = geometry.beside(1 << cell);
        let chain = geometry.flood(around & around.wrapping_neg(), own);
        if around & !chain == 0 {
            eyes | 1 << cell
        } else {
            eyes
        }
    })
}

/// A number from 0 to 1 that looks random, by xorshift; always 0 from a state of 0.
const fn draw(state: &mut u64) -> f32 {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    (*state >> 40) as f32 / (1 << 24) as f32
}
