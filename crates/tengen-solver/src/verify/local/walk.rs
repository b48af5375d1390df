//! Playing a strategy of the local game against everything that the opponent can do.

use tengen_core::{Board, Move};

use super::referee::Referee;
use super::safety::safe_stones;
use super::{LocalTheorem, Strategy};
use crate::certificate::local::{Goal, LocalSituation};
use crate::verify::{Flaw, REPORT, Refusal, Stage, Watch, report};

/// Plays the whole strategy: no line of it comes back to a situation, and every line ends as the claim says.
pub(super) fn walk(strategy: &Strategy, watch: &mut Watch<'_>) -> Result<LocalTheorem, Refusal> {
    let mut walk = Walk {
        strategy,
        referee: Referee::new(&strategy.claim, &strategy.places),
        visits: vec![Visit::Unmet; strategy.codes.len()],
        path: Vec::new(),
        later: Vec::new(),
        before: Vec::new(),
        nodes: 0,
        replies: 0,
    };
    walk.run(watch)?;
    Ok(LocalTheorem {
        claim: strategy.claim,
        nodes: walk.nodes,
        replies: walk.replies,
        unused: strategy.codes.len() as u64 - walk.nodes,
    })
}

struct Walk<'a> {
    strategy: &'a Strategy,
    referee: Referee<'a>,
    visits: Vec<Visit>,
    path: Vec<Step>,
    /// Entries that the opponent comes to by one of any number of ko threats, and the moves that lead there. A line may
    /// come back by such a move, since the opponent makes finitely many.
    later: Vec<(u32, Vec<Move>)>,
    /// The moves before the path.
    before: Vec<Move>,
    nodes: u64,
    replies: u64,
}

/// How far an entry has been followed.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Visit {
    Unmet,
    OnPath,
    Done,
}

/// A place on the line that is being looked at.
struct Step {
    /// The entry; none at a start at which the opponent is to move.
    entry: Option<u32>,
    /// The opponent's move that leads here.
    from: Option<Move>,
    /// The opponent's moves that have to be followed from here, and where they lead.
    open: Vec<(Move, u32)>,
}

impl Walk<'_> {
    fn run(&mut self, watch: &mut Watch<'_>) -> Result<(), Refusal> {
        let start = self.referee.start();
        let claim = &self.strategy.claim;
        if claim.start.to_move == claim.prover() {
            match self.strategy.find(self.strategy.places.key(&start)) {
                Some(entry) => self.enter(entry, None)?,
                None if self.is_safe(&self.referee.board(&start)) => {}
                None => return Err(self.refuse(Flaw::Missing, &[])),
            }
        } else {
            let open = self.replies(&start, None)?;
            self.path.push(Step {
                entry: None,
                from: None,
                open,
            });
        }
        self.follow(watch)?;
        while let Some((entry, moves)) = self.later.pop() {
            if self.visits[entry as usize] == Visit::Unmet {
                self.before = moves;
                self.enter(entry, None)?;
                self.follow(watch)?;
            }
        }
        Ok(())
    }

    /// Plays all lines from the path on.
    fn follow(&mut self, watch: &mut Watch<'_>) -> Result<(), Refusal> {
        while let Some(step) = self.path.last_mut() {
            let Some((action, entry)) = step.open.pop() else {
                if let Some(entry) = step.entry {
                    self.visits[entry as usize] = Visit::Done;
                }
                self.path.pop();
                continue;
            };
            match self.visits[entry as usize] {
                Visit::Done => {}
                Visit::OnPath => {
                    let own = step.entry.map(|entry| self.strategy.entry(entry).1);
                    let own = own.map(|reply| self.action(reply));
                    let behind: Vec<Move> = own.into_iter().chain([action]).collect();
                    return Err(self.refuse(Flaw::Cycle, &behind));
                }
                Visit::Unmet => {
                    self.enter(entry, Some(action))?;
                    if self.nodes.is_multiple_of(REPORT) {
                        let all = self.visits.len() as u64;
                        report(watch, Stage::Playing, self.nodes, all)?;
                    }
                }
            }
        }
        Ok(())
    }

    /// Plays what an entry says, and everything that the opponent can reply.
    fn enter(&mut self, entry: u32, from: Option<Move>) -> Result<(), Refusal> {
        self.visits[entry as usize] = Visit::OnPath;
        self.nodes += 1;
        self.path.push(Step {
            entry: Some(entry),
            from,
            open: Vec::new(),
        });
        let (key, reply) = self.strategy.entry(entry);
        let situation = self.strategy.places.from_key(key);
        let situation = situation.expect("an entry is only met through its situation");
        let board = self.referee.board(&situation);
        let prover = self.strategy.claim.prover();
        let after = match self.referee.play(&situation, &board, prover, reply) {
            Ok(after) => after,
            Err(flaw) => return Err(self.refuse(flaw, &[])),
        };
        let is_done = self.strategy.claim.goal == Goal::Capture && self.referee.is_captured(&after);
        if !is_done {
            let action = self.action(reply);
            let open = self.replies(&after, Some(action))?;
            if let Some(step) = self.path.last_mut() {
                step.open = open;
            }
        }
        Ok(())
    }

    /// Plays everything that the opponent can do, and finds the entries for what comes of it.
    fn replies(
        &mut self,
        situation: &LocalSituation,
        played: Option<Move>,
    ) -> Result<Vec<(Move, u32)>, Refusal> {
        let strategy = self.strategy;
        let opponent = !strategy.claim.prover();
        let board = self.referee.board(situation);
        let places = (0..strategy.places.count()).map(Some);
        let mut is_safe = None;
        let mut open = Vec::new();
        for reply in places.chain([None]) {
            let Ok(after) = self.referee.play(situation, &board, opponent, reply) else {
                continue;
            };
            self.replies += 1;
            let action = self.action(reply);
            let line: Vec<Move> = played.into_iter().chain([action]).collect();
            if self.referee.is_captured(&after) {
                return Err(self.refuse(Flaw::Captured, &line));
            }
            if let Some(entry) = strategy.find(strategy.places.key(&after)) {
                if !self.referee.is_endless(situation, opponent, reply) {
                    open.push((action, entry));
                } else if self.visits[entry as usize] == Visit::Unmet {
                    self.later.push((entry, self.line(&line)));
                }
                continue;
            }
            // If the claim is true before the opponent moves, no reply needs an answer.
            if *is_safe.get_or_insert_with(|| self.is_safe(&board)) {
                return Ok(Vec::new());
            }
            if !self.is_safe(&self.referee.board(&after)) {
                return Err(self.refuse(Flaw::Missing, &line));
            }
        }
        Ok(open)
    }

    /// Does the claim follow from stones that nobody can capture any more?
    fn is_safe(&self, board: &Board) -> bool {
        let claim = &self.strategy.claim;
        match claim.goal {
            Goal::Capture => false,
            Goal::Stand | Goal::Live => {
                let safe = safe_stones(board, &claim.region, claim.defender);
                !safe.is_disjoint(&claim.target)
            }
        }
    }

    fn action(&self, reply: Option<u8>) -> Move {
        reply.map_or(Move::Pass, |place| {
            Move::Play(self.strategy.places.point(place))
        })
    }

    /// The moves that lead to the last entry of the path, and these behind it.
    fn line(&self, behind: &[Move]) -> Vec<Move> {
        let mut moves = self.before.clone();
        let last = self.path.len().saturating_sub(1);
        for (at, step) in self.path.iter().enumerate() {
            moves.extend(step.from);
            let own = step.entry.filter(|_| at < last);
            moves.extend(own.map(|entry| self.action(self.strategy.entry(entry).1)));
        }
        moves.extend(behind);
        moves
    }

    /// Says what is wrong, and where: after these moves behind the last entry of the path.
    fn refuse(&self, flaw: Flaw, behind: &[Move]) -> Refusal {
        let entry = self.path.last().and_then(|step| step.entry);
        Refusal {
            flaw,
            offset: entry.map(|entry| self.strategy.offsets[entry as usize]),
            line: self.line(behind),
            size: Some(self.strategy.claim.start.size),
        }
    }
}
