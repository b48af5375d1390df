//! Playing a strategy against everything that the opponent can do.

use tengen_core::{Board, Move};

use super::bound::Mover;
use super::referee::Referee;
use super::strategy::Strategy;
use super::{Flaw, REPORT, Refusal, Stage, Watch, report};
use crate::certificate::{Codes, Situation, point};

/// What the strategy leads to: for each entry that it needs the board after the prover's move, and the entries that the
/// opponent's replies lead to.
pub(super) struct Graph {
    /// The entries, in the order in which they were met. [`START`] is the start of a game that the opponent begins.
    pub(super) entries: Vec<u32>,
    /// The number of the stones after the prover's move, for each of them.
    pub(super) after: Codes,
    /// Where the replies to each of them begin.
    starts: Vec<u64>,
    /// The entries that replies lead to.
    replied: Vec<u32>,
    /// How many replies were played.
    pub(super) replies: u64,
    /// As which number each entry of the strategy was met.
    pub(super) met: Vec<u32>,
    /// For each that was met, when all lines from there were done: sooner than for all that lead there.
    pub(super) done: Vec<u32>,
}

/// Stands for the start of the game where the opponent is to move in it.
pub(super) const START: u32 = u32::MAX;

impl Graph {
    /// The prover's situations in it.
    pub(super) fn nodes(&self) -> u64 {
        let first_is_start = self.entries.first() == Some(&START);
        self.entries.len() as u64 - u64::from(first_is_start)
    }

    /// The entries that replies lead to, after what was met as number `met`.
    pub(super) fn replies_to(&self, met: usize) -> &[u32] {
        let start = self.starts[met] as usize;
        let end = self.starts.get(met + 1);
        &self.replied[start..end.map_or(self.replied.len(), |end| *end as usize)]
    }
}

/// Plays the whole strategy. What it returns has no cycle, and every line in it ends as the claim says.
pub(super) fn walk(
    strategy: &Strategy,
    referee: &Referee,
    watch: &mut Watch<'_>,
) -> Result<Graph, Refusal> {
    let board = Board::new(strategy.claim.start.size);
    let mut walk = Walk {
        strategy,
        referee,
        graph: Graph {
            entries: Vec::new(),
            after: Codes::below(strategy.classes.code_limit()),
            starts: Vec::new(),
            replied: Vec::new(),
            replies: 0,
            met: vec![UNMET; strategy.len()],
            done: Vec::new(),
        },
        finished: 0,
        path: Vec::new(),
        replies: Vec::new(),
        spare: board,
    };
    walk.run(watch)?;
    Ok(walk.graph)
}

/// An entry that was not met yet.
const UNMET: u32 = u32::MAX;

/// There are lines from there that are not done yet.
const UNDONE: u32 = u32::MAX;

struct Walk<'a> {
    strategy: &'a Strategy,
    referee: &'a Referee,
    graph: Graph,
    /// How many of those that were met have all their lines done.
    finished: u32,
    path: Vec<Step>,
    /// Room for the replies to one move.
    replies: Vec<Situation>,
    spare: Board,
}

/// A place on the line that is being looked at.
struct Step {
    /// As which number its entry was met.
    met: u32,
    /// The next of its replies.
    next: u64,
}

impl Walk<'_> {
    fn run(&mut self, watch: &mut Watch<'_>) -> Result<(), Refusal> {
        let start = self.referee.start();
        if self.strategy.claim.start.to_move == self.referee.prover() {
            match self.strategy.find(self.strategy.classes.class(&start)) {
                Some(entry) => self.enter(entry)?,
                None if self.referee.is_sure(&start, Mover::Prover) => {}
                None => return Err(self.refuse(Flaw::Missing, End::Before)),
            }
        } else {
            self.meet(START);
            let board = self.referee.board(&start, self.referee.opponent());
            self.expand(&board, &start)?;
        }
        while let Some(step) = self.path.last_mut() {
            let met = step.met as usize;
            let next = step.next as usize;
            step.next += 1;
            let end = self.graph.starts.get(met + 1);
            // Entries that were met later have their replies behind.
            let end = end.map_or(self.graph.replied.len(), |end| *end as usize);
            if next == end {
                self.graph.done[met] = self.finished;
                self.finished += 1;
                self.path.pop();
                continue;
            }
            let entry = self.graph.replied[next];
            let known = self.graph.met[entry as usize];
            if known == UNMET {
                self.enter(entry)?;
                let done = self.graph.entries.len() as u64;
                if done.is_multiple_of(REPORT) {
                    report(watch, Stage::Playing, done, self.strategy.len() as u64)?;
                }
            } else if self.graph.done[known as usize] == UNDONE {
                let back = End::Class(self.strategy.key(entry));
                return Err(self.refuse(Flaw::Cycle, back));
            }
        }
        Ok(())
    }

    /// Takes note of an entry and goes there.
    fn meet(&mut self, entry: u32) {
        let met = self.graph.entries.len() as u32;
        self.graph.entries.push(entry);
        if entry != START {
            self.graph.met[entry as usize] = met;
        }
        let start = self.graph.replied.len() as u64;
        self.graph.starts.push(start);
        self.graph.done.push(UNDONE);
        self.path.push(Step { met, next: start });
    }

    /// Plays what an entry says, and everything that the opponent can reply.
    fn enter(&mut self, entry: u32) -> Result<(), Refusal> {
        self.meet(entry);
        let situation = self.strategy.situation(entry);
        let situation = situation.expect("an entry is only met through a situation of its class");
        let reply = self.strategy.reply(entry);
        let (board, after) = match self.referee.play(&situation, reply) {
            Ok(played) => played,
            Err((action, reason)) => {
                let mut refusal = self.refuse(Flaw::Illegal(action, reason), End::Prover);
                // The line has the move as the board is really turned.
                if let Some(played) = refusal.line.pop() {
                    refusal.flaw = Flaw::Illegal(played, reason);
                }
                return Err(refusal);
            }
        };
        if reply.is_none() && situation.passed {
            self.graph.after.push(self.stones(&after));
            return self.score(&board, End::Prover);
        }
        self.expand(&board, &after)
    }

    /// The number of the stones, turned as the class of the situation wants.
    fn stones(&self, situation: &Situation) -> u128 {
        let classes = &self.strategy.classes;
        classes.stones(classes.class(situation).key)
    }

    /// Is the claim true if the game ends here?
    fn score(&self, board: &Board, end: End) -> Result<(), Refusal> {
        let margin = Referee::margin(board);
        if self.strategy.claim.bound.holds_for(margin) {
            Ok(())
        } else {
            Err(self.refuse(Flaw::Score(margin), end))
        }
    }

    /// Plays everything that the opponent can do.
    fn expand(&mut self, board: &Board, situation: &Situation) -> Result<(), Refusal> {
        self.graph.after.push(self.stones(situation));
        let first = self.graph.replied.len();
        self.replies.clear();
        if situation.passed {
            self.score(board, End::Pass)?;
        } else {
            self.replies.push(situation.after_pass());
        }
        let replies = &mut self.replies;
        self.referee
            .stones(board, &mut self.spare, |_, reply| replies.push(reply));
        self.graph.replies += self.replies.len() as u64 + u64::from(situation.passed);
        let mut must_be_sure = false;
        for reply in &self.replies {
            let class = self.strategy.classes.class(reply);
            if let Some(entry) = self.strategy.find(class) {
                self.graph.replied.push(entry);
                continue;
            }
            if !must_be_sure && self.referee.is_sure(situation, Mover::Opponent) {
                // The claim is true before the opponent moves: no reply needs an answer.
                self.graph.replied.truncate(first);
                return Ok(());
            }
            must_be_sure = true;
            if !self.referee.is_sure(reply, Mover::Prover) {
                return Err(self.refuse(Flaw::Missing, End::Class(class.key)));
            }
        }
        // Symmetric replies lead to one entry.
        let replied = &mut self.graph.replied;
        replied[first..].sort_unstable();
        let mut kept = first;
        for at in first..replied.len() {
            if at == first || replied[at] != replied[at - 1] {
                replied[kept] = replied[at];
                kept += 1;
            }
        }
        replied.truncate(kept);
        Ok(())
    }

    /// Says what is wrong, and where: in the last entry of the path.
    fn refuse(&self, flaw: Flaw, end: End) -> Refusal {
        let entries = self
            .path
            .iter()
            .map(|step| self.graph.entries[step.met as usize]);
        let path: Vec<u32> = entries.collect();
        let last = path.last().filter(|entry| **entry != START);
        Refusal {
            flaw,
            offset: last.map(|entry| self.strategy.offset(*entry)),
            line: line(self.strategy, self.referee, &path, end),
            size: Some(self.strategy.claim.start.size),
        }
    }
}

/// Where a line of moves ends.
#[derive(Clone, Copy)]
enum End {
    /// Before the prover's last move.
    Before,
    /// With the prover's last move.
    Prover,
    /// With a pass of the opponent.
    Pass,
    /// With a reply of the opponent that leads to a situation of this class.
    Class(u128),
}

/// The moves that lead through these entries.
///
/// Entries stand for classes of situations; here they are turned and mirrored as they really come about.
fn line(strategy: &Strategy, referee: &Referee, path: &[u32], end: End) -> Vec<Move> {
    let classes = &strategy.classes;
    let size = classes.size();
    let mut situation = referee.start();
    let mut spare = Board::new(size);
    let mut moves = Vec::new();
    for (at, entry) in path.iter().enumerate() {
        let is_last = at + 1 == path.len();
        let (board, after) = if *entry == START {
            (referee.board(&situation, referee.opponent()), situation)
        } else {
            if is_last && matches!(end, End::Before) {
                break;
            }
            let reply = classes.reply(classes.class(&situation), strategy.reply(*entry));
            moves.push(reply.map_or(Move::Pass, |place| Move::Play(point(place, size))));
            match referee.play(&situation, reply) {
                Ok(played) => played,
                Err(_) => break,
            }
        };
        let wanted = match (path.get(at + 1), end) {
            (Some(next), _) => strategy.key(*next),
            (None, End::Class(key)) => key,
            (None, End::Pass) => {
                moves.push(Move::Pass);
                break;
            }
            (None, End::Before | End::Prover) => break,
        };
        let is_wanted = |reply: &Situation| classes.class(reply).key == wanted;
        let pass = after.after_pass();
        let mut found = (!after.passed && is_wanted(&pass)).then_some((Move::Pass, pass));
        referee.stones(&board, &mut spare, |point, reply| {
            if found.is_none() && is_wanted(&reply) {
                found = Some((Move::Play(point), reply));
            }
        });
        let Some((action, reply)) = found else {
            break;
        };
        moves.push(action);
        situation = reply;
    }
    moves
}
