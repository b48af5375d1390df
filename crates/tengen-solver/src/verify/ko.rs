//! Under which rules of repetition a strategy can be played.
//!
//! A strategy without cycles never comes back to a situation, so no game goes on for ever: that is all that simple ko
//! asks. It may come back to a board, which the superko rules mind. Boards are looked at first as vertices of a graph,
//! symmetric ones as one: where that has no cycle, no board comes back. The cycles that there are are then played
//! through.

use super::concrete::Search;
use super::cycles::{Edges, NO_CYCLE};
use super::referee::Referee;
use super::strategy::Strategy;
use super::theorem::{KoRule, KoRules, Repetition, RuleGrant};
use super::walk::{Graph, START};
use super::{Refusal, Stage, Watch, report};
use crate::certificate::Codes;

/// What can be said about each rule.
pub(super) fn rules(
    strategy: &Strategy,
    referee: &Referee,
    graph: &Graph,
    watch: &mut Watch<'_>,
) -> Result<(KoRules, Vec<Repetition>), Refusal> {
    report(watch, Stage::KoRules, 0, 1)?;
    let boards = Boards::of(strategy, graph);
    let positions = boards.edges(strategy, graph, Mix::Boards).knots();
    if positions.iter().all(|knot| *knot == NO_CYCLE) {
        let all = KoRules {
            simple: RuleGrant::Granted,
            situational: RuleGrant::Granted,
            positional: RuleGrant::Granted,
        };
        return Ok((all, Vec::new()));
    }
    let parts = (strategy, referee, graph);
    let turns = boards.edges(strategy, graph, Mix::Turns).knots();
    let mut repetitions = Vec::new();
    let mut verdict = |rule| -> Result<RuleGrant, Refusal> {
        let knots = match Mix::of(rule) {
            Mix::Boards => &positions,
            Mix::Turns => &turns,
        };
        let (verdict, found) = Search::new(parts, &boards, rule, knots).verdict(watch)?;
        repetitions.extend(found);
        Ok(verdict)
    };
    let positional = verdict(KoRule::Positional)?;
    let rules = KoRules {
        simple: RuleGrant::Granted,
        // What situational superko bans, positional superko does, too.
        situational: match positional {
            RuleGrant::Granted => RuleGrant::Granted,
            RuleGrant::Refused | RuleGrant::Unknown => verdict(KoRule::Situational)?,
        },
        positional,
    };
    Ok((rules, repetitions))
}

/// What a vertex stands for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Mix {
    /// A board, whoever is to move.
    Boards,
    /// A board and who is to move.
    Turns,
}

impl Mix {
    /// What a rule compares.
    pub(super) const fn of(rule: KoRule) -> Self {
        match rule {
            KoRule::Positional => Self::Boards,
            KoRule::Simple | KoRule::Situational => Self::Turns,
        }
    }

    /// The vertex of a board with the prover to move, or the opponent.
    pub(super) const fn vertex(self, board: u32, is_prover: bool) -> u32 {
        match self {
            Self::Boards => board,
            Self::Turns => 2 * board + !is_prover as u32,
        }
    }
}

/// The boards of a strategy, numbered, symmetric ones as one.
pub(super) struct Boards {
    stones: Codes,
    /// The board before and after the prover's move, for each entry that was met.
    pub(super) before: Vec<u32>,
    pub(super) after: Vec<u32>,
}

impl Boards {
    fn of(strategy: &Strategy, graph: &Graph) -> Self {
        let mut stones = graph.after.clone();
        let of_entry = |entry: u32| strategy.classes.stones(strategy.key(entry));
        for entry in graph.entries.iter().filter(|entry| **entry != START) {
            stones.push(of_entry(*entry));
        }
        stones.sort();
        let number = |board: u128| stones.lower_bound(board) as u32;
        let after: Vec<u32> = graph.after.iter().map(number).collect();
        let before = graph
            .entries
            .iter()
            .zip(&after)
            .map(|(entry, after)| match *entry {
                START => *after,
                entry => number(of_entry(entry)),
            });
        Self {
            before: before.collect(),
            after,
            stones,
        }
    }

    /// The moves of the strategy from vertex to vertex. A pass does not change the board, and after another pass it
    /// leads nowhere.
    fn edges(&self, strategy: &Strategy, graph: &Graph, mix: Mix) -> Edges {
        let vertices = self.stones.len() * if mix == Mix::Turns { 2 } else { 1 };
        let comes_of_stone = |entry: u32| strategy.key(entry).is_multiple_of(2);
        Edges::collect(vertices, |tell| {
            for (met, entry) in graph.entries.iter().enumerate() {
                let after = mix.vertex(self.after[met], false);
                if *entry != START {
                    let is_stone = strategy.reply(*entry).is_some();
                    if is_stone || (mix == Mix::Turns && comes_of_stone(*entry)) {
                        tell(mix.vertex(self.before[met], true), after);
                    }
                }
                for reply in graph.replies_to(met) {
                    if mix == Mix::Turns || comes_of_stone(*reply) {
                        let to = self.before[graph.met[*reply as usize] as usize];
                        tell(after, mix.vertex(to, true));
                    }
                }
            }
        })
    }
}
