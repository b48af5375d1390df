//! A proven bound as a strategy without cycles, for a certificate.
//!
//! The table is only a guide here. A situation is certified when the prover's move leads to a certified one, or all of the
//! enemy's moves do; what is on the way to the current situation counts as not certified. So each situation rests
//! on situations that were certified before it, and the strategy has no cycle, whatever the table has lost and found again.

use std::collections::{HashMap, HashSet};
use std::fmt;

use tengen_core::{ByColor, Color};

use crate::certificate::{Claim, ClaimError, Entry, Situation, Writer};
use crate::geometry::{Geometry, PASS, cells};
use crate::position::{Position, turn_of};
use crate::search::Goal;
use crate::solver::{Bound, Solver, Verdict};
use crate::table::Fact;

/// Why there is no certificate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StrategyError {
    /// The bound has not been proven, or its proof could not be found again.
    NotProven,
    /// The solver was stopped.
    Stopped,
    /// The claim cannot be written down.
    Claim(ClaimError),
}

impl fmt::Display for StrategyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotProven => f.write_str("the bound has not been proven"),
            Self::Stopped => f.write_str("stopped before the proof was complete"),
            Self::Claim(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for StrategyError {}

impl Solver {
    /// The certificate of a bound that has been proven: the prover's strategy, complete and without cycles.
    pub fn certificate(&self, bound: Bound) -> Result<Writer, StrategyError> {
        let claim = Claim {
            start: *self.setup(),
            passed: self.passed(),
            prover: bound.prover,
            margin: bound.margin as i16,
        };
        // A strategy that comes back to no board of its path is granted more ko rules; but there may be none.
        for repetitions in [Repetitions::Avoided, Repetitions::Allowed] {
            let mut extraction = Extraction {
                solver: self,
                bound,
                goal: bound.goal(),
                writer: Writer::new(claim).map_err(StrategyError::Claim)?,
                certified: HashSet::new(),
                by_stones: HashMap::new(),
                path: HashSet::new(),
                boards: HashSet::new(),
                repetitions,
                rejected: 0,
            };
            if extraction.certify(&self.root)? {
                return Ok(extraction.writer);
            }
        }
        Err(StrategyError::NotProven)
    }
}

/// May a line of the strategy come back to a board?
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Repetitions {
    /// Not on the way to the situation that is being certified.
    Avoided,
    Allowed,
}

/// So many moves are rejected for the board that they make before repetitions are allowed.
const MOST_REJECTED: u32 = 5_000;

struct Extraction<'a> {
    solver: &'a Solver,
    bound: Bound,
    goal: Goal,
    writer: Writer,
    certified: HashSet<u64>,
    /// The prover's moves by the stones alone. Where the same stones come up with another ko point or after a pass, the same
    /// move is tried first: strategies that are the same for the same stones are granted more ko rules.
    by_stones: HashMap<u64, u8>,
    /// Situations on the way to the current one, and their boards, turned and mirrored ones as one.
    path: HashSet<u64>,
    boards: HashSet<u64>,
    repetitions: Repetitions,
    /// How many moves were rejected for the board that they make.
    rejected: u32,
}

impl Extraction<'_> {
    fn geometry(&self) -> &Geometry {
        &self.solver.shared.geometry
    }

    /// Certifies a situation, if it is won and what it rests on is not on the path.
    fn certify(&mut self, at: &Position) -> Result<bool, StrategyError> {
        if self.goal.bound(self.geometry(), at) == Some(true) {
            return Ok(true);
        }
        let slot = self.solver.table_slot(at, self.goal);
        if self.certified.contains(&slot) {
            return Ok(true);
        }
        if self.path.contains(&slot) {
            return Ok(false);
        }
        let is_new = self.boards.insert(self.board(at));
        // A pass leaves the board as it is.
        if !is_new && !at.passed && self.repetitions == Repetitions::Avoided {
            self.rejected += 1;
            return Ok(false);
        }
        self.path.insert(slot);
        let certified = if self.rejected > MOST_REJECTED {
            Ok(false)
        } else if at.turn == self.goal.prover {
            self.certify_prover(at)
        } else {
            self.certify_enemy(at)
        };
        self.path.remove(&slot);
        if is_new {
            self.boards.remove(&self.board(at));
        }
        if certified? {
            self.certified.insert(slot);
            return Ok(true);
        }
        Ok(false)
    }

    /// A number for the stones, whoever is to move.
    fn board(&self, at: &Position) -> u64 {
        self.solver.shared.key(&at.board()).number
    }

    fn certify_prover(&mut self, at: &Position) -> Result<bool, StrategyError> {
        if at.passed && self.goal.is_reached(self.geometry(), at) {
            self.write(at, PASS);
            return Ok(true);
        }
        let mut tried = 0_u64;
        for choice in [Choice::SameStones, Choice::Table] {
            let cell = match choice {
                Choice::SameStones => self.move_for_same_stones(at),
                Choice::Table => self.remembered(at)?,
            };
            let Some(cell) = cell.filter(|cell| tried >> cell & 1 == 0) else {
                continue;
            };
            tried |= 1 << cell;
            if self.certify(&at.after(self.geometry(), cell))? {
                self.write(at, cell);
                return Ok(true);
            }
        }
        // The move leads back to where we come from: there must be another way.
        let legal = at.moves(self.geometry()).legal;
        let pass = (!at.passed).then_some(PASS);
        for cell in cells(legal).chain(pass) {
            let after = at.after(self.geometry(), cell);
            if tried >> cell & 1 == 0 && self.is_won(&after)? && self.certify(&after)? {
                self.write(at, cell);
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn certify_enemy(&mut self, at: &Position) -> Result<bool, StrategyError> {
        if at.passed && !self.goal.is_reached(self.geometry(), at) {
            return Ok(false);
        }
        let legal = at.moves(self.geometry()).legal;
        let pass = (!at.passed).then_some(PASS);
        for cell in cells(legal).chain(pass) {
            let after = at.after(self.geometry(), cell);
            if !self.certify(&after)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The move that was chosen for the same stones, if the table knows that it wins here, too.
    fn move_for_same_stones(&self, at: &Position) -> Option<u8> {
        let shared = &self.solver.shared;
        let key = shared.key(&at.without_ko_and_pass());
        let place = *self.by_stones.get(&key.number)?;
        let cell = shared.geometry.unplace(usize::from(key.form), place);
        let legal = match cell {
            PASS => !at.passed,
            _ => at.moves(&shared.geometry).legal >> cell & 1 != 0,
        };
        if !legal {
            return None;
        }
        let after = at.after(&shared.geometry, cell);
        let known = shared.known(&after, shared.key(&after), self.goal.prover);
        let wins =
            |fact| matches!(fact, Fact::Win { threshold, .. } if threshold >= self.goal.threshold);
        known.win.is_some_and(wins).then_some(cell)
    }

    /// The prover's move that the table remembers, or that a search finds again where it has forgotten.
    fn remembered(&self, at: &Position) -> Result<Option<u8>, StrategyError> {
        if let Some(cell) = self.solver.winning_cell(at, self.goal) {
            return Ok(Some(cell));
        }
        if self.is_won(at)? {
            return Ok(self.solver.winning_cell(at, self.goal));
        }
        Ok(None)
    }

    /// Is the situation won? Searched deeper and deeper, unless the table knows.
    fn is_won(&self, at: &Position) -> Result<bool, StrategyError> {
        let mut attempt = self.solver.attempt(self.bound);
        loop {
            let before = self.solver.nodes();
            let outcome = self.solver.iterate(at, &mut attempt);
            match attempt.learn(outcome, self.solver.nodes() - before) {
                Some(Verdict::Proven) => return Ok(true),
                Some(Verdict::Stopped) => return Err(StrategyError::Stopped),
                Some(Verdict::Refuted | Verdict::NotProven) => return Ok(false),
                None => {}
            }
        }
    }

    fn write(&mut self, at: &Position, cell: u8) {
        let geometry = self.geometry();
        let number = |cell: u8| {
            let point = geometry.point_of(cell);
            point.y() * geometry.size().width() + point.x()
        };
        let bits = |set: u64| cells(set).fold(0, |bits, cell| bits | 1_u64 << number(cell));
        let [black, white] = Color::BOTH.map(|color| bits(at.stones[usize::from(turn_of(color))]));
        let entry = Entry {
            situation: Situation {
                stones: ByColor::new(black, white),
                ko: (at.ko != 0).then(|| number(at.ko.trailing_zeros() as u8)),
                passed: at.passed,
            },
            reply: (cell != PASS).then(|| number(cell)),
        };
        self.writer.add(&entry);
        let key = self.solver.shared.key(&at.without_ko_and_pass());
        let place = self.geometry().place(usize::from(key.form), cell);
        self.by_stones.entry(key.number).or_insert(place);
    }
}

/// Where a move of the prover comes from.
#[derive(Clone, Copy)]
enum Choice {
    SameStones,
    Table,
}
