//! What has been proven.

use std::fmt;

use tengen_core::{Move, Setup};

use crate::certificate::{Claim, write_rows, write_turn};

/// A claim whose certificate was found to be right.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Theorem {
    /// What is true.
    pub claim: Claim,
    /// For which rules of repetition.
    pub ko_rules: KoRules,
    /// For each rule that is refused a line of the strategy that shows why.
    pub repetitions: Vec<Repetition>,
    /// The prover's situations that the strategy leads to, symmetric ones counted once and leaves left out.
    pub nodes: u64,
    /// The opponent's moves that were played.
    pub replies: u64,
    /// Entries of the file that the strategy never needs.
    pub unused: u64,
}

/// The theorem as a sentence. The rules of repetition are told apart.
impl fmt::Display for Theorem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.claim.fmt(f)
    }
}

/// A rule about repeated boards.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum KoRule {
    /// Only the immediate recapture of a ko is forbidden; a game that goes on for ever has no result.
    Simple,
    /// No stone may recreate a board with the same player to move.
    Situational,
    /// No stone may recreate a board.
    Positional,
}

impl KoRule {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Simple, Self::Situational, Self::Positional];

    /// The name in reports.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Simple => "simple",
            Self::Situational => "situational",
            Self::Positional => "positional",
        }
    }
}

/// What is known about the strategy under a rule of repetition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RuleGrant {
    /// The claim holds.
    Granted,
    /// Some line of the strategy asks for a stone that the rule bans, or repeats itself; the claim may still be true.
    Refused,
    /// To find out would have taken too long.
    Unknown,
}

/// The rules of repetition under which a claim is proven.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KoRules {
    /// Simple ko, where a game that goes on for ever has no result and is not won by the prover.
    pub simple: RuleGrant,
    /// Situational superko.
    pub situational: RuleGrant,
    /// Positional superko.
    pub positional: RuleGrant,
}

impl KoRules {
    /// What is known about one rule.
    pub const fn get(&self, rule: KoRule) -> RuleGrant {
        match rule {
            KoRule::Simple => self.simple,
            KoRule::Situational => self.situational,
            KoRule::Positional => self.positional,
        }
    }

    /// The rules under which the claim holds.
    pub fn granted(&self) -> impl Iterator<Item = KoRule> {
        KoRule::ALL
            .into_iter()
            .filter(|rule| self.get(*rule) == RuleGrant::Granted)
    }
}

/// A line of a strategy that comes back to the board on which it begins, in a way that a rule minds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Repetition {
    /// The rule.
    pub rule: KoRule,
    /// The position in which the line begins, perhaps turned or mirrored.
    pub start: Setup,
    /// Was the move before it a pass?
    pub passed: bool,
    /// The moves, the last of which repeats the board.
    pub line: Vec<Move>,
}

/// `X../.O., black to move: B2 pass A1`
impl fmt::Display for Repetition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_rows(f, &self.start)?;
        write_turn(f, &self.start, self.passed)?;
        f.write_str(":")?;
        for action in &self.line {
            write!(f, " {}", action.to_gtp(self.start.size))?;
        }
        Ok(())
    }
}
