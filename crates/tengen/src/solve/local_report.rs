//! What is printed of a problem of life and death.

use std::io::{self, Write};

use serde::Serialize;
use tengen_core::{Color, PointSet};
use tengen_solver::certificate::local::{Goal, Supply, Threats};
use tengen_solver::local::{Answer, Outcome, Problem, SCENARIOS, TargetStatus};

use super::report::Proof;

/// All that was found out about a problem.
pub(super) struct LocalReport {
    /// Which of many problems it is.
    pub(super) number: Option<usize>,
    pub(super) problem: Problem,
    pub(super) answers: Vec<Answer>,
    pub(super) proofs: Vec<Proof>,
    /// Was the search neither stopped nor short of memory?
    pub(super) complete: bool,
    pub(super) nodes: u64,
    pub(super) seconds: f64,
}

impl LocalReport {
    fn names(&self, points: &PointSet) -> Vec<String> {
        let size = self.problem.setup.size;
        points.iter().map(|point| point.to_gtp(size)).collect()
    }

    fn moves(&self, answer: &Answer) -> Vec<String> {
        let size = self.problem.setup.size;
        let moves = answer.moves.iter();
        moves.map(|action| action.to_gtp(size)).collect()
    }

    /// Prints it for people.
    pub(super) fn print(&self, out: &mut impl Write) -> io::Result<()> {
        if let Some(number) = self.number {
            write!(out, "Problem {number}: ")?;
        }
        writeln!(
            out,
            "{} at {}, playing on {} points of {}",
            self.problem.defender,
            self.names(&self.problem.target).join(" "),
            self.problem.region.len(),
            self.problem.setup.size
        )?;
        for answer in &self.answers {
            writeln!(out, "{} first: {}", answer.first, describe(answer.verdict))?;
            if matches!(
                answer.verdict,
                TargetStatus::Ko | TargetStatus::Repetition | TargetStatus::Open
            ) {
                for (threats, outcome) in SCENARIOS.iter().zip(answer.outcomes) {
                    let who = self.holder(*threats);
                    writeln!(out, "  {who}: {}", outcome.name())?;
                }
            }
            if let Some((_, threats)) = answer.reached {
                let with = match answer.verdict {
                    TargetStatus::Ko | TargetStatus::Repetition | TargetStatus::Open => {
                        format!(", if {}", self.holder(threats))
                    }
                    _ => String::new(),
                };
                writeln!(
                    out,
                    "  Moves that do it{with}: {}",
                    self.moves(answer).join(" ")
                )?;
            }
        }
        for proof in &self.proofs {
            proof.print(out, "that")?;
        }
        writeln!(out, "{} nodes in {:.2} seconds", self.nodes, self.seconds)
    }

    /// Who has how many ko threats: `White has one ko threat`.
    fn holder(&self, threats: Threats) -> String {
        let (who, supply) = match threats {
            Threats::NONE => return "nobody has ko threats".to_owned(),
            Threats {
                attacker: Supply::Count(0),
                defender,
            } => (self.problem.defender, defender),
            Threats { attacker, .. } => (self.problem.attacker(), attacker),
        };
        match supply {
            Supply::Any => format!("{who} has any number of ko threats"),
            Supply::Count(1) => format!("{who} has one ko threat"),
            Supply::Count(count) => format!("{who} has {count} ko threats"),
        }
    }

    /// Prints it for programs.
    pub(super) fn print_json(&self, out: &mut impl Write) -> anyhow::Result<()> {
        let color = |color: Color| color.to_string().to_lowercase();
        let answers = self.answers.iter().map(|answer| AnswerRow {
            first: color(answer.first),
            verdict: answer.verdict.name(),
            outcomes: SCENARIOS
                .iter()
                .zip(answer.outcomes)
                .map(|(threats, outcome)| OutcomeRow::of(*threats, outcome))
                .collect(),
            reached: answer.reached.map(|(goal, _)| goal.name()),
            moves: self.moves(answer),
            proven: answer
                .proven
                .iter()
                .map(|(goal, threats)| ProvenRow::of(*goal, *threats))
                .collect(),
        });
        let json = Json {
            problem: self.number,
            board: self.problem.setup.size.to_string(),
            to_move: color(self.problem.setup.to_move),
            defender: color(self.problem.defender),
            target: self.names(&self.problem.target),
            region: self.names(&self.problem.region),
            answers: answers.collect(),
            proofs: &self.proofs,
            complete: self.complete,
            nodes: self.nodes,
            seconds: self.seconds,
        };
        writeln!(out, "{}", serde_json::to_string(&json)?)?;
        Ok(())
    }
}

/// A verdict as a sentence.
const fn describe(verdict: TargetStatus) -> &'static str {
    match verdict {
        TargetStatus::Lives => "lives",
        TargetStatus::Seki => "stands without two eyes, as in a seki",
        TargetStatus::Stands => "stands; whether it gets two eyes is open",
        TargetStatus::Dies => "dies",
        TargetStatus::Ko => "ko",
        TargetStatus::Repetition => "repetitions decide",
        TargetStatus::Open => "open, as far as was searched",
    }
}

#[derive(Serialize)]
struct Json<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    problem: Option<usize>,
    board: String,
    to_move: String,
    defender: String,
    target: Vec<String>,
    region: Vec<String>,
    answers: Vec<AnswerRow>,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    proofs: &'a [Proof],
    complete: bool,
    nodes: u64,
    seconds: f64,
}

#[derive(Serialize)]
struct AnswerRow {
    first: String,
    verdict: &'static str,
    outcomes: Vec<OutcomeRow>,
    reached: Option<&'static str>,
    moves: Vec<String>,
    proven: Vec<ProvenRow>,
}

/// What becomes of the target with so many ko threats.
#[derive(Serialize)]
struct OutcomeRow {
    attacker: String,
    defender: String,
    outcome: &'static str,
}

impl OutcomeRow {
    fn of(threats: Threats, outcome: Outcome) -> Self {
        Self {
            attacker: threats.attacker.to_string(),
            defender: threats.defender.to_string(),
            outcome: outcome.name(),
        }
    }
}

/// A statement that has a proof.
#[derive(Serialize)]
struct ProvenRow {
    goal: &'static str,
    attacker: String,
    defender: String,
}

impl ProvenRow {
    fn of(goal: Goal, threats: Threats) -> Self {
        Self {
            goal: goal.name(),
            attacker: threats.attacker.to_string(),
            defender: threats.defender.to_string(),
        }
    }
}
