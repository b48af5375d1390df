//! Lines of a strategy that come back to a board, found by playing them.
//!
//! Elsewhere symmetric boards are one. Here they are told apart, because a rule of repetition does so.

use std::collections::HashSet;

use tengen_core::Move;

use super::cycles::NO_CYCLE;
use super::ko::{Boards, Mix};
use super::referee::Referee;
use super::strategy::Strategy;
use super::theorem::{KoRule, Repetition, RuleGrant};
use super::walk::{Graph, START};
use super::{REPORT, Refusal, Stage, Watch, report};
use crate::certificate::{Situation, point};

/// How many situations are looked at before the question is left open, unless there are more entries.
const MOST: u64 = 20_000_000;

/// Looks for a line that a rule of repetition spoils.
pub(super) struct Search<'a> {
    strategy: &'a Strategy,
    referee: &'a Referee,
    graph: &'a Graph,
    boards: &'a Boards,
    rule: KoRule,
    mix: Mix,
    /// The knot of cycles of each vertex.
    knots: &'a [u32],
    /// How many situations were looked at, and how many may be.
    looked_at: u64,
    most: u64,
}

/// A turn of the strategy, turned or mirrored in some way.
#[derive(Clone, Copy)]
struct Turn {
    situation: Situation,
    is_prover: bool,
    /// As which number its entry was met; that of the move before if it is the opponent's turn.
    met: u32,
    /// The turn before it, in the list of those looked at, and the move from there.
    from: Option<(u32, Move)>,
}

impl<'a> Search<'a> {
    pub(super) fn new(
        (strategy, referee, graph): (&'a Strategy, &'a Referee, &'a Graph),
        boards: &'a Boards,
        rule: KoRule,
        knots: &'a [u32],
    ) -> Self {
        Self {
            strategy,
            referee,
            graph,
            boards,
            rule,
            mix: Mix::of(rule),
            knots,
            looked_at: 0,
            most: MOST.max(strategy.len() as u64),
        }
    }

    /// Looks at each board on a cycle: is there a line from it that comes back to it in a way that the rule minds?
    pub(super) fn verdict(
        mut self,
        watch: &mut Watch<'_>,
    ) -> Result<(RuleGrant, Option<Repetition>), Refusal> {
        let mut sources = self.sources();
        sources.sort_unstable();
        let groups = sources.chunk_by(|a, b| a.0 == b.0);
        for same in groups.filter(|group| group.len() > 1) {
            let turns: Vec<Turn> = same
                .iter()
                .map(|(_, met, is_prover)| self.turn(*met, *is_prover))
                .collect();
            // No line comes back to a situation, not even turned: what comes back to a board has another one with it.
            let class = |turn: &Turn| self.strategy.classes.class(&turn.situation).key;
            let is_first = |turn: &Turn| {
                (turn.is_prover, class(turn)) == (turns[0].is_prover, class(&turns[0]))
            };
            if turns.iter().all(is_first) {
                continue;
            }
            let done = turns.iter().map(|turn| self.graph.done[turn.met as usize]);
            let first_done = done.min().unwrap_or(0);
            let mut turns: Vec<Turn> = turns.iter().flat_map(|turn| self.images(*turn)).collect();
            turns.sort_by_key(|turn| <[u64; 2]>::from(turn.situation.stones));
            for same_board in turns.chunk_by(|a, b| a.situation.stones == b.situation.stones) {
                if let Some(repetition) = self.comes_back(same_board, first_done, watch)? {
                    return Ok((RuleGrant::Refused, Some(repetition)));
                }
                if self.looked_at > self.most {
                    return Ok((RuleGrant::Unknown, None));
                }
            }
        }
        Ok((RuleGrant::Granted, None))
    }

    /// The turns on cycles that a line may come back to: vertex, entry and whether it is the prover's turn.
    fn sources(&self) -> Vec<(u32, u32, bool)> {
        let mut sources = Vec::new();
        for (met, entry) in (0..).zip(&self.graph.entries) {
            let after = self.boards.after[met as usize];
            sources.push((self.mix.vertex(after, false), met, false));
            // What situational superko can ban is a stone of the prover, and the opponent's turn comes of that.
            if *entry != START && self.rule != KoRule::Situational {
                let before = self.boards.before[met as usize];
                sources.push((self.mix.vertex(before, true), met, true));
            }
        }
        sources.retain(|(vertex, ..)| self.knots[*vertex as usize] != NO_CYCLE);
        sources
    }

    /// The turn before or after the prover's move of an entry that was met.
    fn turn(&self, met: u32, is_prover: bool) -> Turn {
        let entry = self.graph.entries[met as usize];
        let situation = if entry == START {
            self.referee.start()
        } else {
            let before = self.strategy.situation(entry);
            let before = before.expect("what was met can be");
            if is_prover {
                before
            } else {
                let played = self.referee.play(&before, self.strategy.reply(entry));
                played.expect("what was met is legal").1
            }
        };
        Turn {
            situation,
            is_prover,
            met,
            from: None,
        }
    }

    fn images(&self, turn: Turn) -> Vec<Turn> {
        let images = self.strategy.classes.images(&turn.situation);
        images.map(|situation| Turn { situation, ..turn }).collect()
    }

    /// Looks for a line from one of these turns, which have one board, that comes back to that board in a way that the
    /// rule minds. It leads through no entry whose lines were done before those of all entries with that board.
    fn comes_back(
        &mut self,
        from: &[Turn],
        first_done: u32,
        watch: &mut Watch<'_>,
    ) -> Result<Option<Repetition>, Refusal> {
        let target = from[0];
        let knot = self.knots[self.vertex(&target) as usize];
        let mut seen: HashSet<(Situation, bool)> = HashSet::new();
        let mut turns: Vec<Turn> = from.to_vec();
        let mut waiting: Vec<u32> = (0..turns.len() as u32).collect();
        while let Some(number) = waiting.pop() {
            let turn = turns[number as usize];
            if !seen.insert((turn.situation, turn.is_prover)) {
                continue;
            }
            self.looked_at += 1;
            if self.looked_at > self.most {
                return Ok(None);
            }
            if self.looked_at.is_multiple_of(REPORT) {
                report(watch, Stage::KoRules, self.looked_at, self.most)?;
            }
            for (action, next) in self.continuations(&turn) {
                let next = Turn {
                    from: Some((number, action)),
                    ..next
                };
                if Self::minds(action, &next, &target) {
                    return Ok(Some(self.repetition(&turns, &next)));
                }
                let may_lead_back = self.graph.done[next.met as usize] >= first_done;
                if may_lead_back && self.knots[self.vertex(&next) as usize] == knot {
                    waiting.push(turns.len() as u32);
                    turns.push(next);
                }
            }
        }
        Ok(None)
    }

    /// Does the rule mind this move, if the target was there before?
    fn minds(action: Move, after: &Turn, target: &Turn) -> bool {
        let is_prover_stone = !after.is_prover && action != Move::Pass;
        is_prover_stone && after.situation.stones == target.situation.stones
    }

    /// What the strategy, or the opponent, does next.
    fn continuations(&self, turn: &Turn) -> Vec<(Move, Turn)> {
        let classes = &self.strategy.classes;
        let size = classes.size();
        if turn.is_prover {
            let entry = self.graph.entries[turn.met as usize];
            let class = classes.class(&turn.situation);
            let reply = classes.reply(class, self.strategy.reply(entry));
            if reply.is_none() && turn.situation.passed {
                return Vec::new();
            }
            let played = self.referee.play(&turn.situation, reply);
            let (_, situation) =
                played.expect("what was met is legal, and what is symmetric to it");
            let after = Turn {
                situation,
                is_prover: false,
                ..*turn
            };
            let action = reply.map_or(Move::Pass, |place| Move::Play(point(place, size)));
            return vec![(action, after)];
        }
        let mut replies = Vec::new();
        if !turn.situation.passed {
            replies.push((Move::Pass, turn.situation.after_pass()));
        }
        let board = self.referee.board(&turn.situation, self.referee.opponent());
        let mut spare = board.clone();
        self.referee.stones(&board, &mut spare, |point, reply| {
            replies.push((Move::Play(point), reply));
        });
        let known = self.graph.replies_to(turn.met as usize);
        let followed = |(action, situation): (Move, Situation)| {
            let entry = self.strategy.find(classes.class(&situation))?;
            known.binary_search(&entry).ok()?;
            let after = Turn {
                situation,
                is_prover: true,
                met: self.graph.met[entry as usize],
                from: None,
            };
            Some((action, after))
        };
        replies.into_iter().filter_map(followed).collect()
    }

    /// The line that ends with this turn.
    fn repetition(&self, turns: &[Turn], last: &Turn) -> Repetition {
        let mut line = Vec::new();
        let mut turn = last;
        while let Some((before, action)) = turn.from {
            line.push(action);
            turn = &turns[before as usize];
        }
        line.reverse();
        let mover = match turn.is_prover {
            true => self.referee.prover(),
            false => self.referee.opponent(),
        };
        let size = self.strategy.classes.size();
        Repetition {
            rule: self.rule,
            start: turn.situation.setup(size, mover),
            passed: turn.situation.passed,
            line,
        }
    }

    /// The vertex of a turn.
    fn vertex(&self, turn: &Turn) -> u32 {
        let board = if turn.is_prover {
            self.boards.before[turn.met as usize]
        } else {
            self.boards.after[turn.met as usize]
        };
        self.mix.vertex(board, turn.is_prover)
    }
}
