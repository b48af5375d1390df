//! What a position on the way to a solution is worth, and how to answer whoever tries to find it.

use std::collections::HashMap;

use tengen_core::{Color, Move};

use super::graph::Graph;
use super::spot::Standing;
use super::{Answer, Goal, SCENARIOS, Solver, TargetStatus, Threats};

/// What a position is worth, and what to play in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Judged {
    /// What becomes of the target when the player to move goes on.
    pub answer: Answer,
    /// Is the target captured already, or safe even if its owner plays no more?
    pub decided: bool,
    /// The move to play: the shortest way to what can be reached, or the one that holds out longest. `None` if there
    /// is nothing to play.
    pub reply: Option<Move>,
    /// How many moves the longest line has until it is decided, if it is known who wins.
    pub length: Option<u32>,
}

impl Solver {
    /// Judges the position with this player to move.
    pub fn judge(&mut self, first: Color) -> Judged {
        let answer = self.answer(first);
        let start = self.start(Threats::NONE, first);
        let decided = start.standing(self.graphs[0].area()) != Standing::Open;
        let (reply, length) = match decided {
            true => (None, Some(0)),
            false => self.best_reply(&answer),
        };
        Judged {
            answer,
            decided,
            reply,
            length,
        }
    }

    /// The move to play after an answer, and how long the longest line is behind it, the move included.
    fn best_reply(&mut self, answer: &Answer) -> (Option<Move>, Option<u32>) {
        let is_defender = answer.first == self.problem.defender;
        let wins = match answer.verdict {
            TargetStatus::Dies => !is_defender,
            TargetStatus::Lives | TargetStatus::Seki | TargetStatus::Stands => is_defender,
            // Whoever has something to fight for fights; how long that takes depends on ko threats.
            TargetStatus::Ko | TargetStatus::Repetition | TargetStatus::Open => {
                return (answer.moves.first().copied(), None);
            }
        };
        let claim = match (wins, is_defender) {
            (true, _) => answer.reached,
            (false, true) => Some((Goal::Capture, SCENARIOS[0])),
            (false, false) => answer.proven.last().copied(),
        };
        let Some((goal, threats)) = claim else {
            return (None, None);
        };
        let root = self.root(goal, threats, answer.first);
        let graph = self.graph(goal);
        let mut lengths = HashMap::new();
        let moves: Vec<(Move, u32)> = graph
            .moves(root)
            .map(|(cell, child)| (graph.action(cell), child))
            .filter(|(action, _)| !wins || answer.moves.contains(action))
            .map(|(action, child)| (action, 1 + graph.length(child, &mut lengths)))
            .collect();
        let stones = || moves.iter().filter(|(action, _)| *action != Move::Pass);
        // The first of several that are as good, so that the choice is the same everywhere.
        let best = match wins {
            true => stones().min_by_key(|(_, length)| *length),
            false => stones().rev().max_by_key(|(_, length)| *length),
        };
        let best = best.or(moves.first());
        (
            best.map(|(action, _)| *action),
            best.map(|(_, length)| *length),
        )
    }
}

impl Graph {
    /// How many moves the longest line of a proven strategy has. Passes count only where there is nothing else to
    /// play.
    fn length(&self, node: u32, known: &mut HashMap<u32, u32>) -> u32 {
        if let Some(length) = known.get(&node) {
            return *length;
        }
        // A strategy has no cycles; the entry only makes sure that this ends.
        known.insert(node, 0);
        let length = if self.spot(node).mover() == self.prover() {
            self.best(node)
                .map_or(0, |(_, child)| 1 + self.length(child, known))
        } else {
            let moves: Vec<(Move, u32)> = self
                .moves(node)
                .map(|(cell, child)| (self.action(cell), child))
                .collect();
            let has_stones = moves.iter().any(|(action, _)| *action != Move::Pass);
            moves
                .into_iter()
                .filter(|(action, _)| !has_stones || *action != Move::Pass)
                .map(|(_, child)| 1 + self.length(child, known))
                .max()
                .unwrap_or(0)
        };
        known.insert(node, length);
        length
    }
}
