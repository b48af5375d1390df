//! What is proven about a position of a small board, for messages, and what is remembered of it.

use std::collections::VecDeque;

use serde::Serialize;
use tengen_core::{Game, Ko, Move, Scoring, Setup, Suicide};
use tengen_solver::verify::KoRule;
use tengen_solver::{Bound, Interval, Options, Proving, Solver, Survey, Values};

use crate::rules::{KoName, SuperkoName};
use crate::walk::StoredProof;

/// How many positions are remembered.
const REMEMBERED: usize = 256;

/// "Go on" means so many times the effort.
const MORE: u64 = 4;

/// Bytes of the solver's table for each situation that it may look at, and for all of them together.
const BYTES_EACH: u64 = 16;
const LEAST_BYTES: u64 = 1 << 20;
const MOST_BYTES: u64 = 1 << 27;

/// What is proven about a position and each of its moves. Numbers are Black's points minus White's, by area and without
/// komi.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ExactMessage {
    /// The game.
    #[cfg_attr(test, schemars(with = "crate::words::GameId"))]
    pub game: String,
    /// The node of the position.
    #[cfg_attr(test, schemars(with = "crate::words::Node"))]
    pub node: usize,
    /// Black forces at least this.
    pub lower: i32,
    /// White forces at most this. Where both are equal, that is the value.
    pub upper: i32,
    /// Has everything been tried to narrow these bounds? If they do not meet then, the ko rule decides.
    pub complete: bool,
    /// The bounds under the superko rule of the game, where they are known and the ko rule decides.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rule: Option<ExactRule>,
    /// The ko rules under which an independent checker grants the value, if there is one and it was asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ko_rules: Option<Vec<KoName>>,
    /// Certificates that the host was started with and that have an answer here. The bounds do not know of them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub stored: Vec<StoredProof>,
    /// What the rules of the game have and the numbers leave out.
    pub ignored: Vec<Ignored>,
    /// All legal moves, row by row, a pass at the end.
    pub moves: Vec<ExactMove>,
    /// Situations that were looked at. Effort is counted in these and not in time, so that the same is found on every
    /// machine.
    pub nodes: u64,
    /// Is nothing more to come unless somebody asks for it?
    pub done: bool,
    /// Would a call with `more: true` find out more?
    pub more: bool,
}

/// What is proven about a move.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ExactMove {
    /// The move.
    #[serde(rename = "move")]
    #[cfg_attr(test, schemars(with = "crate::words::Move"))]
    pub action: String,
    /// Black forces at least this after it.
    pub lower: i32,
    /// White forces at most this.
    pub upper: i32,
    /// Has everything been tried to narrow these bounds?
    pub complete: bool,
    /// Is no other move known to be better, counting first what is sure and then what may be?
    pub best: bool,
}

/// What is proven under one ko rule.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ExactRule {
    /// The rule.
    pub ko: SuperkoName,
    /// Black forces at least this.
    pub lower: i32,
    /// White forces at most this.
    pub upper: i32,
}

/// What the rules of a game have and the solver leaves out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Ignored {
    /// The rules count territory; the numbers count area.
    Territory,
    /// The rules allow suicide.
    Suicide,
    /// Boards before the position may forbid something; it is taken for the first of its game.
    History,
}

/// How far a question was pursued.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Progress {
    /// More follows.
    GoesOn,
    /// That was all, and more effort is offered or not.
    Ended { more: bool },
}

/// Whether somebody is content with what is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Wish {
    Known,
    More,
}

/// All of a position that its exact value depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Question {
    setup: Setup,
    passed: bool,
    ko: Ko,
}

impl Question {
    pub(crate) fn of(game: &Game) -> Self {
        Self {
            setup: game.position(),
            passed: game.passes() > 0,
            ko: game.rules().ko,
        }
    }

    /// A search for the answer that looks at about so many situations, in so many bytes at most.
    pub(crate) fn pursue(&self, nodes: u64, memory: u64) -> Result<Pursuit, String> {
        let solver = self.solver(nodes, memory)?;
        Ok(Pursuit {
            survey: Survey::new(solver, Some(self.ko), nodes),
            told: None,
        })
    }

    /// A search for a proof of a bound, in the same way.
    pub(crate) fn prove(&self, bound: Bound, nodes: u64, memory: u64) -> Result<Proving, String> {
        let solver = self.solver(nodes, memory)?;
        Ok(Proving::new(solver, bound, nodes))
    }

    fn solver(&self, nodes: u64, memory: u64) -> Result<Solver, String> {
        let options = Options {
            memory: table_bytes(nodes, memory),
            ..Options::default()
        };
        let solver = Solver::new(&self.setup, options).map_err(|error| error.to_string())?;
        let solver = solver.with_history_memory(options.memory);
        Ok(match self.passed {
            true => solver.after_pass(),
            false => solver,
        })
    }
}

/// How large the table of a search is that looks at so many situations in so many bytes. A search under one ko rule
/// keeps as much again.
fn table_bytes(nodes: u64, memory: u64) -> u64 {
    let most = (memory / 2).clamp(LEAST_BYTES, MOST_BYTES);
    nodes.saturating_mul(BYTES_EACH).clamp(LEAST_BYTES, most)
}

/// A search for an answer.
#[derive(Debug)]
pub(crate) struct Pursuit {
    survey: Survey,
    /// What was told last.
    told: Option<Values>,
}

impl Pursuit {
    /// Looks at about so many situations, and says what is known, if that is not what it said before.
    pub(crate) fn go_on(&mut self, nodes: u64) -> Option<Values> {
        self.survey.go_on(nodes);
        let values = self.survey.values();
        let is_old = self.told.as_ref().is_some_and(|told| {
            let nodes = values.nodes;
            let told = Values {
                nodes,
                ..told.clone()
            };
            told == values
        });
        if is_old && !self.is_done() {
            return None;
        }
        self.told = Some(values.clone());
        Some(values)
    }

    pub(crate) fn is_done(&self) -> bool {
        self.survey.is_done()
    }
}

/// What was found out about the latest positions.
#[derive(Debug, Default)]
pub(crate) struct Archive {
    /// The oldest first.
    known: VecDeque<Known>,
}

/// What was found out about a position.
#[derive(Clone, Debug)]
pub(crate) struct Known {
    question: Question,
    pub values: Values,
    /// The effort that was allowed.
    pub nodes: u64,
}

impl Known {
    /// The effort that is worth trying next, if there is more to find out and more is allowed.
    pub(crate) fn next_nodes(&self, most: u64) -> Option<u64> {
        let is_over = self.values.is_finished || self.nodes >= most;
        (!is_over).then(|| self.nodes.saturating_mul(MORE).min(most))
    }
}

impl Archive {
    pub(crate) fn find(&self, question: &Question) -> Option<&Known> {
        self.known.iter().find(|known| known.question == *question)
    }

    /// Remembers what was found out, with what was known before.
    pub(crate) fn keep(&mut self, question: Question, values: Values, nodes: u64) {
        let place = self
            .known
            .iter()
            .position(|known| known.question == question);
        let before = place.and_then(|place| self.known.remove(place));
        let nodes = before.map_or(nodes, |before| before.nodes.max(nodes));
        if self.known.len() >= REMEMBERED {
            self.known.pop_front();
        }
        self.known.push_back(Known {
            question,
            values,
            nodes,
        });
    }
}

impl ExactMessage {
    pub(crate) fn new(
        (game, node): (&str, usize),
        position: &Game,
        values: &Values,
        stored: Vec<StoredProof>,
        progress: Progress,
    ) -> Self {
        let Interval { lower, upper } = values.interval;
        let size = position.size();
        let mover = position.to_move();
        // Moves that the history forbids are none, though the values do not know of it.
        let legal = values.moves.iter().filter(|value| match value.action {
            Move::Play(_) => position.is_legal(value.action),
            Move::Pass => true,
        });
        let moves = legal.map(|value| ExactMove {
            action: value.action.to_gtp(size),
            lower: value.interval.lower,
            upper: value.interval.upper,
            complete: value.is_complete,
            best: values.is_best(value, mover),
        });
        Self {
            game: game.to_owned(),
            node,
            lower,
            upper,
            complete: values.is_complete,
            rule: values.ruled.and_then(|(ko, interval)| {
                Some(ExactRule {
                    ko: SuperkoName::of(ko)?,
                    lower: interval.lower,
                    upper: interval.upper,
                })
            }),
            ko_rules: values
                .granted
                .as_ref()
                .map(|granted| granted.iter().map(|rule| ko_name(*rule)).collect()),
            stored,
            ignored: ignored(position),
            moves: moves.collect(),
            nodes: values.nodes,
            done: progress != Progress::GoesOn,
            more: progress == Progress::Ended { more: true },
        }
    }
}

pub(crate) const fn ko_name(rule: KoRule) -> KoName {
    match rule {
        KoRule::Simple => KoName::Simple,
        KoRule::Positional => KoName::Positional,
        KoRule::Situational => KoName::Situational,
    }
}

/// What the solver knows nothing of: it counts area, forbids suicide, and takes every position for the first of its
/// game.
fn ignored(position: &Game) -> Vec<Ignored> {
    let rules = position.rules();
    let was_played = |turn: &tengen_core::Turn| matches!(turn.action, Move::Play(_));
    let has_history = rules.ko != Ko::Simple && position.turns().iter().any(was_played);
    [
        (Ignored::Territory, rules.scoring != Scoring::Area),
        (Ignored::Suicide, rules.suicide != Suicide::Forbidden),
        (Ignored::History, has_history),
    ]
    .into_iter()
    .filter_map(|(ignored, is)| is.then_some(ignored))
    .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_proof_stays_within_its_memory() {
        for memory in [2, 3, 16, 128, 1024] {
            let memory = memory << 20;
            for nodes in [1, 1_500_000, 24_000_000, u64::MAX] {
                let table = table_bytes(nodes, memory);
                assert!(
                    table >= LEAST_BYTES && 2 * table <= memory,
                    "{nodes} {memory}"
                );
            }
        }
    }
}
