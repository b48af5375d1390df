//! The answer to a problem: who lives, and what ko threats change.

use std::fmt;

use tengen_core::{Color, Move};

use super::{Finding, Goal, Race, Solver, Supply, Threats};

/// Who has ko threats, from what suits the defender best to what suits the attacker best.
///
/// More ko threats for a player never make that player's result worse, since nobody has to use them.
pub const SCENARIOS: [Threats; 5] = [
    Threats {
        attacker: Supply::Count(0),
        defender: Supply::Any,
    },
    Threats {
        attacker: Supply::Count(0),
        defender: Supply::Count(1),
    },
    Threats::NONE,
    Threats {
        attacker: Supply::Count(1),
        defender: Supply::Count(0),
    },
    Threats {
        attacker: Supply::Any,
        defender: Supply::Count(0),
    },
];

/// The order in which scenarios are looked at: each may settle others.
const ORDER: [usize; 5] = [2, 0, 4, 1, 3];

/// How many situations are looked at for the strongest statements before weaker ones are tried.
const STRONGEST: usize = 1 << 16;

/// What becomes of the target in one scenario.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It is captured.
    Captured,
    /// It is never captured.
    Stands,
    /// Neither player can force anything without coming back to where they were.
    Repeats,
    /// The search was stopped before it was known.
    Open,
}

impl Outcome {
    /// The name in reports.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Captured => "captured",
            Self::Stands => "stands",
            Self::Repeats => "repeats",
            Self::Open => "open",
        }
    }
}

/// What becomes of the target, whatever ko threats there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TargetStatus {
    /// It is made unconditionally alive, even if the attacker has any number of ko threats.
    Lives,
    /// It is never captured, but cannot be given unconditional life.
    Seki,
    /// It is never captured; whether it gets unconditional life was not found out.
    Stands,
    /// It is captured, even if the defender has any number of ko threats.
    Dies,
    /// That depends on ko threats.
    Ko,
    /// That depends on what repetitions do.
    Repetition,
    /// The search was stopped before it was known.
    Open,
}

impl TargetStatus {
    /// The name in reports.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Lives => "lives",
            Self::Seki => "seki",
            Self::Stands => "stands",
            Self::Dies => "dies",
            Self::Ko => "ko",
            Self::Repetition => "repetition",
            Self::Open => "open",
        }
    }
}

impl fmt::Display for TargetStatus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// What becomes of the target when one player moves first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// Who moves first.
    pub first: Color,
    /// What becomes of the target.
    pub verdict: TargetStatus,
    /// What becomes of it in each of the [`SCENARIOS`].
    pub outcomes: [Outcome; 5],
    /// The strongest statements that were proven: the goal and the ko threats.
    pub proven: Vec<(Goal, Threats)>,
    /// What the first player's best moves reach.
    pub reached: Option<(Goal, Threats)>,
    /// The first moves that reach it; a pass if no move is needed.
    pub moves: Vec<Move>,
}

impl Solver {
    /// What becomes of the target when this player moves first.
    pub fn answer(&mut self, first: Color) -> Answer {
        let outcomes = self.outcomes(first);
        let captured = outcomes
            .iter()
            .position(|outcome| *outcome == Outcome::Captured);
        let stands = outcomes
            .iter()
            .rposition(|outcome| *outcome == Outcome::Stands);
        let capture = captured.map(|at| (Goal::Capture, SCENARIOS[at]));
        let mut save = stands.map(|at| (Goal::Stand, SCENARIOS[at]));
        let verdict = match (captured, stands) {
            (Some(0), _) => TargetStatus::Dies,
            (_, Some(4)) => {
                let threats = SCENARIOS[4];
                match self.prove(Goal::Live, threats, first) {
                    Finding::Proven => {
                        save = Some((Goal::Live, threats));
                        TargetStatus::Lives
                    }
                    Finding::Impossible => TargetStatus::Seki,
                    Finding::Open => TargetStatus::Stands,
                }
            }
            _ if outcomes.contains(&Outcome::Open) => TargetStatus::Open,
            (Some(_), Some(_)) if !outcomes.contains(&Outcome::Repeats) => TargetStatus::Ko,
            _ => TargetStatus::Repetition,
        };
        let reached = if first == self.problem.defender {
            save
        } else {
            capture
        };
        let moves = reached.map_or_else(Vec::new, |(goal, threats)| {
            self.moves_that(goal, threats, first)
        });
        let proven = [capture, save].into_iter().flatten();
        Answer {
            first,
            verdict,
            outcomes,
            proven: proven.collect(),
            reached,
            moves,
        }
    }

    /// What becomes of the target in each scenario.
    fn outcomes(&mut self, first: Color) -> [Outcome; 5] {
        // Most problems have nothing to do with ko: then one of the strongest statements is true, and settles all.
        let best = self.start(SCENARIOS[0], first);
        let worst = self.start(SCENARIOS[4], first);
        let strongest = [(Goal::Capture, best), (Goal::Stand, worst)];
        match self.first_proven(strongest, STRONGEST) {
            Race::Proven(Goal::Capture) => return [Outcome::Captured; 5],
            Race::Proven(Goal::Stand | Goal::Live) => return [Outcome::Stands; 5],
            Race::Impossible | Race::Open => {}
        }
        let mut known: [Option<Outcome>; 5] = [None; 5];
        for at in ORDER {
            if known[at].is_some() {
                continue;
            }
            let start = self.start(SCENARIOS[at], first);
            let outcome = self.outcome(&start);
            // What one player reaches with few ko threats, that player reaches with more.
            match outcome {
                Outcome::Captured => known[at..].fill(Some(outcome)),
                Outcome::Stands => known[..=at].fill(Some(outcome)),
                Outcome::Repeats | Outcome::Open => known[at] = Some(outcome),
            }
        }
        known.map(|outcome| outcome.unwrap_or(Outcome::Open))
    }

    /// The first moves after which a goal of the first player is still reached.
    fn moves_that(&mut self, goal: Goal, threats: Threats, first: Color) -> Vec<Move> {
        let root = self.root(goal, threats, first);
        let children: Vec<(u8, u32)> = self.graph(goal).moves(root).collect();
        if children.is_empty() {
            // It was clear before the first move: then a pass will do.
            return vec![Move::Pass];
        }
        let mut moves = Vec::new();
        for (cell, child) in children {
            let spot = *self.graph(goal).spot(child);
            let is_reached = match (goal, self.outcome(&spot)) {
                (Goal::Capture, outcome) => outcome == Outcome::Captured,
                (Goal::Stand, outcome) => outcome == Outcome::Stands,
                (Goal::Live, Outcome::Captured | Outcome::Repeats) => false,
                (Goal::Live, _) => self.settle(goal, child) == Finding::Proven,
            };
            if is_reached {
                moves.push(self.graph(goal).action(cell));
            }
        }
        moves
    }
}
