//! What each player forces from a position.

use std::collections::HashMap;
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use tengen_core::{Move, Setup, SetupError, Stop};

use crate::attempt::Attempt;
use crate::bound::Bound;
use crate::busy::Busy;
use crate::certificate::Derivation;
use crate::geometry::{Geometry, MAX_AREA, NO_MOVE, PASS, cells};
use crate::instinct::Instinct;
use crate::interval::{Enclosure, Interval};
use crate::life::{life_decides, wins};
use crate::narrowing::Narrowing;
use crate::outcome::Outcome;
use crate::position::{Position, turn_of};
use crate::retrograde::Retrograde;
use crate::search::{Shared, Worker};
use crate::table::{Fact, TranspositionTable};
use crate::techniques::Techniques;

/// How often a long search tells how far it has come.
const TELL_EVERY: Duration = Duration::from_secs(1);

/// How many nodes the retrograde analysis looks at before somebody else has a turn.
const GRAPH_PORTION: u64 = 1 << 16;

/// There is always room for this many bytes of its graph.
const LEAST_GRAPH_MEMORY: u64 = 1 << 25;

/// How much a solver may use.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Bytes for the table.
    pub memory: u64,
    /// Threads that search.
    pub threads: NonZeroUsize,
    /// Techniques that are used: all of them, but for measurements.
    pub techniques: Techniques,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            memory: 1 << 28,
            threads: NonZeroUsize::MIN,
            techniques: Techniques::ALL,
        }
    }
}

/// What was found out about a bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BoundStatus {
    /// It holds.
    Proven,
    /// It does not: the other player can keep the prover from it, if only by a game that goes on for ever.
    Refuted,
    /// Neither was found in the memory that there is, which says nothing.
    NotProven,
    /// The search was stopped.
    Stopped,
}

/// How far a search has come.
#[derive(Clone, Debug)]
pub struct Progress {
    /// What has been proven.
    pub interval: Interval,
    /// What is being tried.
    pub trying: Bound,
    /// How deep.
    pub depth: u16,
    /// Situations looked at so far.
    pub nodes: u64,
    /// The part of the table that is in use, or of the memory for it.
    pub table: f64,
}

/// Who is told how far a search has come.
pub type Watch<'a> = dyn FnMut(&Solver, &Progress) + 'a;

/// Why a position cannot be solved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SolverError {
    /// The board has more points than situations can be numbered for.
    #[error("the board has {0} points; up to {MAX_AREA} can be solved")]
    Area(usize),
    /// The position cannot stand.
    #[error("{0}")]
    Setup(SetupError),
}

/// Solves one position, and remembers what it found on the way.
///
/// ```
/// use tengen_core::{Color, Setup, Size};
/// use tengen_solver::{Bound, Options, Solver, BoundStatus};
/// let mut solver = Solver::new(&Setup::empty(Size::square(3)?), Options::default())?;
/// let all = Bound { prover: Color::Black, margin: 9 };
/// assert_eq!(solver.prove(all, &mut |_, _| {}), BoundStatus::Proven);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Solver {
    pub(crate) shared: Shared,
    pub(crate) root: Position,
    setup: Setup,
    /// Bytes for facts about one ko rule, if somebody has said how many.
    pub(crate) history_memory: Option<u64>,
    /// May the graph of a retrograde analysis be begun? Not while another one takes the memory for it: then whoever
    /// wants one is stopped.
    pub(crate) may_begin_graph: bool,
    threads: usize,
    known: Enclosure,
    /// Proofs under one ko rule, the last ones at the end.
    pub(crate) derivations: Vec<Derivation>,
}

impl Solver {
    /// A solver for a position that did not come about by a pass.
    pub fn new(setup: &Setup, options: Options) -> Result<Self, SolverError> {
        setup.board().map_err(SolverError::Setup)?;
        let area = setup.size.area();
        let geometry = Geometry::new(setup.size).ok_or(SolverError::Area(area))?;
        Ok(Self {
            root: Position::of(&geometry, setup),
            shared: Shared {
                table: TranspositionTable::new(area, options.memory),
                techniques: options.techniques,
                stop: Stop::new(),
                nodes: AtomicU64::new(0),
                limit: AtomicU64::new(u64::MAX),
                advice: HashMap::new(),
                busy: (options.threads.get() > 1).then(Busy::new),
                geometry,
            },
            setup: *setup,
            history_memory: None,
            may_begin_graph: true,
            threads: options.threads.get(),
            known: Enclosure::of(Interval::of_area(area)),
            derivations: Vec::new(),
        })
    }

    /// The same position after a pass: another one ends the game.
    #[must_use]
    pub fn after_pass(mut self) -> Self {
        self.root.passed = true;
        self.root.ko = 0;
        self
    }

    /// The position.
    pub const fn setup(&self) -> &Setup {
        &self.setup
    }

    /// Was the last move before the position a pass?
    pub const fn passed(&self) -> bool {
        self.root.passed
    }

    /// The switch that stops the solver.
    pub fn stop(&self) -> Stop {
        self.shared.stop.clone()
    }

    /// Lets a solver go on that was stopped.
    pub fn go_on(&self) {
        self.shared.stop.reset();
    }

    /// Lets searches end, as if they were stopped, after about so many more situations, instead of what was said
    /// before.
    pub(crate) fn limit(&self, nodes: u64) {
        let end = self.nodes().saturating_add(nodes);
        self.shared.limit.store(end, Ordering::Relaxed);
    }

    /// What has been proven so far.
    pub const fn interval(&self) -> Interval {
        self.known.proven
    }

    /// Is it also proven that neither player forces more? Then the [interval](Self::interval) is what `docs/solver.md`
    /// defines, and not only bounds of it.
    pub fn is_exact(&self) -> bool {
        self.known.is_exact()
    }

    /// All that is known about the position.
    pub(crate) const fn known(&self) -> &Enclosure {
        &self.known
    }

    /// Takes over what was found out before.
    pub(crate) fn learn(&mut self, known: Enclosure) {
        self.known.learn(known);
    }

    /// Situations looked at so far.
    pub fn nodes(&self) -> u64 {
        self.shared.nodes.load(Ordering::Relaxed)
    }

    /// The bytes that the table takes.
    pub const fn table_bytes(&self) -> u64 {
        self.shared.table.bytes()
    }

    /// The same, but a search under one ko rule keeps at most so many bytes of facts besides the table. Without this it
    /// may keep as many as the table has, and 256 MiB in any case.
    #[must_use]
    pub const fn with_history_memory(mut self, bytes: u64) -> Self {
        self.history_memory = Some(bytes);
        self
    }

    /// Tries a move first wherever this position comes up, turned or mirrored.
    pub fn advise(&mut self, position: &Setup, action: Move) {
        let geometry = &self.shared.geometry;
        if position.size != geometry.size() {
            return;
        }
        let position = Position::of(geometry, position);
        let key = self.shared.key(&position);
        let place = geometry.place(usize::from(key.form), geometry.cell_of_move(action));
        self.shared.advice.insert(key.number, place);
    }

    /// Tries to prove a bound.
    pub fn prove(&mut self, bound: Bound, watch: &mut Watch<'_>) -> BoundStatus {
        let mut attempt = self.attempt(bound);
        let root = self.root;
        loop {
            if let Some(verdict) = self.deepen(&root, &mut attempt, self.known.proven, watch) {
                return verdict;
            }
        }
    }

    /// Finds out what both players force, from what is known already.
    pub fn solve(&mut self, watch: &mut Watch<'_>) -> Interval {
        let root = self.root;
        let mut known = self.known;
        _ = self.narrow(&root, &mut known, watch);
        self.known.learn(known);
        self.interval()
    }

    /// What comes of each move: Black's margin after it. Symmetric moves are all there.
    pub fn moves(&mut self, watch: &mut Watch<'_>) -> Vec<(Move, Interval)> {
        let root = self.root;
        let geometry = self.shared.geometry.clone();
        let mut results: Vec<(Move, Interval)> = Vec::new();
        let mut by_key: HashMap<u64, Interval> = HashMap::new();
        let legal = root.moves(&geometry).legal;
        for cell in cells(legal).chain([PASS]) {
            let interval = if cell == PASS && root.passed {
                Interval::point(root.margin(&geometry))
            } else {
                let after = root.after(&geometry, cell);
                let key = self.shared.key(&after).number;
                match by_key.get(&key) {
                    Some(interval) => *interval,
                    None => {
                        let mut known = Enclosure::of(Interval::of_area(geometry.area));
                        _ = self.narrow(&after, &mut known, watch);
                        by_key.insert(key, known.proven);
                        known.proven
                    }
                }
            };
            results.push((geometry.move_of(cell), interval));
        }
        results.sort_by_key(|(action, _)| match action {
            Move::Play(point) => (0, point.y(), point.x()),
            Move::Pass => (1, 0, 0),
        });
        results
    }

    /// Narrows the bounds of a situation as far as both players can prove something.
    fn narrow(
        &mut self,
        at: &Position,
        known: &mut Enclosure,
        watch: &mut Watch<'_>,
    ) -> BoundStatus {
        let mut narrowing = Narrowing::new(*at, *known);
        let verdict = loop {
            if let Some(verdict) = narrowing.step(self, watch) {
                break verdict;
            }
        };
        *known = *narrowing.known();
        verdict
    }

    pub(crate) fn attempt(&self, bound: Bound) -> Attempt {
        Attempt::new(bound, &self.shared.geometry, self.shared.techniques)
    }

    /// An attempt without any search.
    pub(crate) fn decision(&self, bound: Bound) -> Attempt {
        Attempt::decision(bound, &self.shared.geometry, self.shared.techniques)
    }

    /// One iteration of an attempt. Says when it has come to an end.
    pub(crate) fn deepen(
        &mut self,
        at: &Position,
        attempt: &mut Attempt,
        interval: Interval,
        watch: &mut Watch<'_>,
    ) -> Option<BoundStatus> {
        let trying = attempt.bound;
        let depth = attempt.effort.depth;
        let mut tell = |solver: &Self| {
            let progress = Progress {
                interval,
                trying,
                depth: depth.into(),
                nodes: solver.nodes(),
                table: solver.shared.table.fullness(),
            };
            watch(solver, &progress);
        };
        let verdict = self.go_deeper(at, attempt, &mut tell);
        if at.is(&self.root) {
            match verdict {
                Some(BoundStatus::Proven) => self.known.prove(trying),
                Some(BoundStatus::Refuted) => self.known.refute(trying),
                Some(BoundStatus::NotProven | BoundStatus::Stopped) | None => {}
            }
        }
        tell(self);
        verdict
    }

    /// One iteration of the search, or a portion of the retrograde analysis that follows when searches find nothing.
    pub(crate) fn go_deeper(
        &self,
        at: &Position,
        attempt: &mut Attempt,
        tell: &mut dyn FnMut(&Self),
    ) -> Option<BoundStatus> {
        let before = self.nodes();
        if !attempt.is_exhausted {
            let outcome = self.iterate(at, attempt, tell);
            return attempt.learn(outcome, self.nodes() - before);
        }
        if self.shared.is_stopped(0) {
            return Some(BoundStatus::Stopped);
        }
        if attempt.graph.is_none() && !self.may_begin_graph {
            return Some(BoundStatus::Stopped);
        }
        let memory = self.table_bytes().max(LEAST_GRAPH_MEMORY);
        let graph = attempt
            .graph
            .get_or_insert_with(|| Retrograde::new(*at, attempt.bound, memory));
        let decision = graph.go_on(&self.shared, GRAPH_PORTION);
        attempt.conclude(decision, self.nodes() - before)
    }

    /// All threads search the same; the first that has the answer ends it for all. While they do, `tell` is called now
    /// and then.
    pub(crate) fn iterate(
        &self,
        at: &Position,
        attempt: &mut Attempt,
        tell: &mut dyn FnMut(&Self),
    ) -> Outcome {
        if self.shared.is_stopped(0) {
            return Outcome::Stopped;
        }
        let done = AtomicBool::new(false);
        let Attempt {
            bound,
            effort,
            ref mut instinct,
            last,
            ..
        } = *attempt;
        let run = |instinct: &mut Instinct, number: usize| {
            let mut worker = Worker::new(&self.shared, &done, bound, effort, instinct, number);
            let outcome = worker.prove(at);
            if outcome != Outcome::Stopped {
                done.store(true, Ordering::Relaxed);
            }
            outcome
        };
        let instinct = instinct.get_or_insert_with(|| Instinct::new(&self.shared.geometry));
        // Threads cost more than they save on a short search, and a search in portions is limited to this thread.
        let is_limited = self.shared.limit.load(Ordering::Relaxed) != u64::MAX;
        if last < 1 << 16 || is_limited {
            return run(instinct, 0);
        }
        let (sender, outcomes) = mpsc::channel();
        thread::scope(|scope| {
            let run = &run;
            for number in 1..self.threads {
                let mut own = instinct.clone();
                let sender = sender.clone();
                scope.spawn(move || _ = sender.send(run(&mut own, number)));
            }
            scope.spawn(move || _ = sender.send(run(instinct, 0)));
            let mut answer = Outcome::Stopped;
            loop {
                match outcomes.recv_timeout(TELL_EVERY) {
                    // A proof counts, whatever another thread has failed to see at the same moment.
                    Ok(outcome) if answer == Outcome::Stopped || outcome == Outcome::Win => {
                        answer = outcome;
                    }
                    Ok(_) => {}
                    Err(RecvTimeoutError::Timeout) => tell(self),
                    Err(RecvTimeoutError::Disconnected) => return answer,
                }
            }
        })
    }

    /// The move with which a player forces a bound at the root, if the table remembers it and it is that player's turn.
    pub fn winning_move(&self, bound: Bound) -> Option<Move> {
        self.winning_cell(&self.root, bound)
            .map(|cell| self.shared.geometry.move_of(cell))
    }

    pub(crate) fn winning_cell(&self, at: &Position, bound: Bound) -> Option<u8> {
        let geometry = &self.shared.geometry;
        let prover = turn_of(bound.prover);
        if at.turn != prover {
            return None;
        }
        if at.passed && wins(geometry, bound, at) {
            return Some(PASS);
        }
        let key = self.shared.key(at);
        match self.shared.known(at, key, prover).win {
            Some(Fact::Win {
                threshold, place, ..
            }) if threshold >= bound.threshold() => {
                let cell = geometry.unplace(usize::from(key.form), place);
                (cell != NO_MOVE).then_some(cell)
            }
            _ => None,
        }
    }

    /// A line in which the prover of a bound plays the strategy and the other player what was hardest to refute.
    pub fn line(&self, bound: Bound) -> Vec<Move> {
        let geometry = &self.shared.geometry;
        let prover = turn_of(bound.prover);
        let mut line = Vec::new();
        let mut at = self.root;
        while line.len() < 4 * geometry.area && life_decides(geometry, bound, &at).is_none() {
            let cell = if at.turn == prover {
                self.winning_cell(&at, bound)
            } else {
                let effort = |cell: u8| {
                    let after = at.after(geometry, cell);
                    let key = self.shared.key(&after);
                    match self.shared.known(&after, key, prover).win {
                        Some(Fact::Win { effort, .. }) => i32::from(effort),
                        _ => -1,
                    }
                };
                cells(at.moves(geometry).legal).max_by_key(|cell| effort(*cell))
            };
            let Some(cell) = cell else { break };
            line.push(geometry.move_of(cell));
            if cell == PASS && at.passed {
                break;
            }
            at = at.after(geometry, cell);
        }
        line
    }
}
