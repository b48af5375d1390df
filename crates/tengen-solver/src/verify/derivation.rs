//! Checking a proof under one superko rule: step by step, with the histories for which each step holds.

mod conditions;
mod register;

use tengen_core::{Board, Color, Ko, Move, Settlement, Suicide, Symmetry};

use super::bound::{Holding, Lines, Mover};
use super::theorem::{KoRules, RuleGrant, Theorem};
use super::{Flaw, Refusal, Stage, Watch, report};
use crate::certificate::{Derivation, Link, Situation, Step, point};
use conditions::Conditions;
use register::{Board as Seen, Image, Registers};

/// How many steps are checked between two reports.
const REPORT: usize = 1 << 8;

/// The most boards and holdings that all conditions may name at a time: four gigabytes of them.
const MOST: usize = 1 << 30;

/// Checks all steps of a derivation and says what it proves.
pub(super) fn check(derivation: &Derivation, watch: &mut Watch<'_>) -> Result<Theorem, Refusal> {
    let mut check = Check::new(derivation);
    for number in 0..derivation.len() {
        if number.is_multiple_of(REPORT) {
            report(
                watch,
                Stage::Playing,
                number as u64,
                derivation.len() as u64,
            )?;
        }
        check.step(number).map_err(|flaw| Refusal {
            offset: derivation.offset(number),
            ..Refusal::of(flaw)
        })?;
    }
    check.start().map_err(Refusal::of)?;
    let verdict = |ko| {
        if derivation.ko == ko {
            RuleGrant::Granted
        } else {
            RuleGrant::Refused
        }
    };
    Ok(Theorem {
        claim: derivation.claim,
        ko_rules: KoRules {
            simple: RuleGrant::Refused,
            situational: verdict(Ko::Situational),
            positional: verdict(Ko::Positional),
        },
        repetitions: Vec::new(),
        nodes: check.needed(),
        replies: check.replies,
        unused: derivation.len() as u64 - check.needed(),
    })
}

/// A check that is under way.
struct Check<'a> {
    derivation: &'a Derivation,
    lines: Lines,
    images: Vec<Image>,
    registers: Registers,
    /// Under which histories each step holds, as long as a step is to come that needs to know.
    conditions: Vec<Option<Conditions>>,
    /// The last step that needs each step: itself, if none does.
    last_use: Vec<u32>,
    /// How many boards and holdings the conditions name.
    named: usize,
    replies: u64,
}

impl<'a> Check<'a> {
    fn new(derivation: &'a Derivation) -> Self {
        let size = derivation.claim.start.size;
        let mut last_use: Vec<u32> = (0..derivation.len() as u32).collect();
        for number in 0..derivation.len() {
            for link in derivation.step(number).1 {
                if let Link::Step { step, .. } = link {
                    last_use[*step as usize] = number as u32;
                }
            }
        }
        Self {
            derivation,
            lines: Lines::of(size),
            images: Symmetry::onto_itself(size)
                .map(|symmetry| Image::of(symmetry, size))
                .collect(),
            registers: Registers::default(),
            conditions: vec![None; derivation.len()],
            last_use,
            named: 0,
            replies: 0,
        }
    }

    /// Checks a step, and finds out under which histories it holds.
    fn step(&mut self, number: usize) -> Result<(), Flaw> {
        let (step, links) = self.derivation.step(number);
        let claim = &self.derivation.claim;
        let mut setup = step.situation.setup(claim.start.size, step.to_move);
        if number + 1 == self.derivation.len() {
            // The point that simple ko forbids at the start is the claim's.
            setup.ko = claim.start.ko;
        }
        let board = setup.board().map_err(Flaw::Position)?;
        let mut conditions = Conditions::default();
        if step.to_move == claim.bound.prover {
            self.reply(step, &board, links, &mut conditions)?;
        } else {
            self.all_moves(step, &board, links, &mut conditions)?;
        }
        let own = self.seen(&step.situation, step.to_move);
        let own_number = self.registers.boards.number(own);
        conditions.finish(own_number);
        let spoiled = |holding: &u32| {
            let holding = self.registers.holdings.get(*holding);
            is_spoiled(holding, own.stones[claim.bound.prover])
        };
        if conditions.absent.binary_search(&own_number).is_ok()
            || conditions.holdings.iter().any(spoiled)
        {
            return Err(Flaw::Repetition);
        }
        self.keep(number, conditions)
    }

    /// The prover's move.
    fn reply(
        &mut self,
        step: &Step,
        board: &Board,
        links: &[Link],
        conditions: &mut Conditions,
    ) -> Result<(), Flaw> {
        let [link] = links else {
            return Err(Flaw::Replies(links.len(), 1));
        };
        let opponent = !step.to_move;
        let after = match step.reply {
            None if step.situation.passed => return self.ends_well(board),
            None => step.situation.after_pass(),
            Some(place) => {
                let point = point(place, board.size());
                let mut board = board.clone();
                let played = board.play(point, step.to_move, Suicide::Forbidden);
                played.map_err(|reason| Flaw::Illegal(Move::Play(point), reason))?;
                let after = after_stone(&board);
                let seen = self.seen(&after, opponent);
                conditions.absent.push(self.registers.boards.number(seen));
                after
            }
        };
        self.join(*link, &after, opponent, conditions)
    }

    /// All moves of the opponent.
    fn all_moves(
        &mut self,
        step: &Step,
        board: &Board,
        links: &[Link],
        conditions: &mut Conditions,
    ) -> Result<(), Flaw> {
        let prover = !step.to_move;
        let stones = board.playable(step.to_move, Suicide::Forbidden);
        let passes = usize::from(!step.situation.passed);
        if links.len() != stones.len() + passes {
            return Err(Flaw::Replies(links.len(), stones.len() + passes));
        }
        self.replies += links.len() as u64;
        for (point, link) in stones.iter().zip(links) {
            let mut board = board.clone();
            board.play_unchecked(point, step.to_move, |_| {});
            let after = after_stone(&board);
            if *link == Link::Banned {
                let seen = self.seen(&after, prover);
                conditions.present.push(self.registers.boards.number(seen));
            } else {
                self.join(*link, &after, prover, conditions)?;
            }
        }
        match links.get(stones.len()) {
            Some(link) => self.join(*link, &step.situation.after_pass(), prover, conditions),
            None => self.ends_well(board),
        }
    }

    /// Does the prover win after a move, and under which histories?
    fn join(
        &mut self,
        link: Link,
        after: &Situation,
        to_move: Color,
        conditions: &mut Conditions,
    ) -> Result<(), Flaw> {
        match link {
            Link::Banned => Err(Flaw::Mismatch),
            Link::Leaf => {
                let holding = self.leaf(after, to_move)?;
                let holding = holding.map(|holding| self.registers.holdings.number(holding));
                conditions.holdings.extend(holding);
                Ok(())
            }
            Link::Step { step, symmetry } => {
                let image = self.images.get(usize::from(symmetry));
                let image = image.ok_or(Flaw::Mismatch)?;
                let (earlier, _) = self.derivation.step(step as usize);
                let stones = earlier.situation.stones.map(|stones| image.turn(stones));
                if (stones, earlier.situation.passed, earlier.to_move)
                    != (after.stones, after.passed, to_move)
                {
                    return Err(Flaw::Mismatch);
                }
                let needed = self.conditions[step as usize].as_ref();
                let needed = needed.expect("conditions are kept until their last use");
                conditions.add(needed, &mut self.registers, usize::from(symmetry), image);
                Ok(())
            }
        }
    }

    /// Has the prover won? If it is by stones that are alive for certain, their holding.
    fn leaf(&self, at: &Situation, to_move: Color) -> Result<Option<Holding>, Flaw> {
        let claim = &self.derivation.claim;
        let is_prover = to_move == claim.bound.prover;
        let ends_well = || {
            let board = at.setup(claim.start.size, to_move).board();
            board.is_ok_and(|board| claim.bound.holds_for(margin(&board)))
        };
        if at.passed && is_prover && ends_well() {
            return Ok(None);
        }
        let mover = if is_prover {
            Mover::Prover
        } else {
            Mover::Opponent
        };
        let [own, enemy] = [
            at.stones[claim.bound.prover],
            at.stones[!claim.bound.prover],
        ];
        let holding = self.lines.holding(own, enemy, mover);
        let area = claim.start.size.area() as i32;
        let margin = 2 * holding.points() as i32 - area;
        let is_sure = claim.bound.holds_for(claim.bound.prover.sign(margin));
        // After the prover's pass the opponent may end the game at once.
        let may_end = at.passed && !is_prover;
        if is_sure && (!may_end || ends_well()) {
            Ok(Some(holding))
        } else {
            Err(Flaw::Missing)
        }
    }

    /// Is the board as the claim says, now that the game has ended on it?
    fn ends_well(&self, board: &Board) -> Result<(), Flaw> {
        let margin = margin(board);
        if self.derivation.claim.bound.holds_for(margin) {
            Ok(())
        } else {
            Err(Flaw::Score(margin))
        }
    }

    /// What the rule of repetition remembers of a situation.
    fn seen(&self, situation: &Situation, to_move: Color) -> Seen {
        Seen {
            stones: situation.stones,
            to_move: (self.derivation.ko == Ko::Situational).then_some(to_move),
        }
    }

    /// Keeps the conditions of a step, and forgets what is not needed any more.
    fn keep(&mut self, number: usize, conditions: Conditions) -> Result<(), Flaw> {
        let is_last = number + 1 == self.derivation.len();
        if self.last_use[number] as usize > number || is_last {
            self.named += conditions.len();
            self.conditions[number] = Some(conditions);
        }
        for link in self.derivation.step(number).1 {
            if let Link::Step { step, .. } = link
                && self.last_use[*step as usize] as usize == number
                && let Some(done) = self.conditions[*step as usize].take()
            {
                self.named -= done.len();
            }
        }
        if self.named > MOST {
            return Err(Flaw::TooManyBoards);
        }
        Ok(())
    }

    /// Is the last step about the start, and does it hold if there was nothing before?
    fn start(&self) -> Result<(), Flaw> {
        let claim = &self.derivation.claim;
        let start = claim.start.board().map_err(Flaw::Position)?;
        let start = Situation {
            passed: claim.passed,
            ..after_stone(&start)
        };
        let Some(last) = self.derivation.len().checked_sub(1) else {
            return self.leaf(&start, claim.start.to_move).map(|_| ());
        };
        let (step, _) = self.derivation.step(last);
        if (step.situation, step.to_move) != (start, claim.start.to_move) {
            return Err(Flaw::Mismatch);
        }
        match &self.conditions[last] {
            Some(conditions) if conditions.present.is_empty() => Ok(()),
            _ => Err(Flaw::NotBanned),
        }
    }

    /// How many steps the last one rests on, itself included.
    fn needed(&self) -> u64 {
        let mut is_needed = vec![false; self.derivation.len()];
        if let Some(last) = is_needed.last_mut() {
            *last = true;
        }
        for number in (0..is_needed.len()).rev() {
            if is_needed[number] {
                for link in self.derivation.step(number).1 {
                    if let Link::Step { step, .. } = link {
                        is_needed[*step as usize] = true;
                    }
                }
            }
        }
        is_needed.iter().filter(|needed| **needed).count() as u64
    }
}

/// The situation on a board after a stone, without the ko point: the history says what is banned.
fn after_stone(board: &Board) -> Situation {
    Situation {
        ko: None,
        ..Situation::of(board)
    }
}

/// Could a stone that the prover needs for a holding make a board with these stones of the prover?
const fn is_spoiled(holding: &Holding, prover: u64) -> bool {
    prover & holding.alive == holding.alive && prover & holding.territory != 0
}

/// Black's margin if the game ends on this board.
fn margin(board: &Board) -> i32 {
    let territory = board.territory(&Settlement::default());
    let points = |color| board.stones(color).len() + territory.owned[color].len();
    points(Color::Black) as i32 - points(Color::White) as i32
}
