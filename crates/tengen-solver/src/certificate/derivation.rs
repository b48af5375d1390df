//! Proofs under one superko rule: steps that rest on earlier steps.
//!
//! `docs/proofs.md` says what a step proves, under which histories, and describes the file.

mod reader;
mod writer;

use tengen_core::{Color, Ko};

use super::{Claim, Situation};

/// The number in the file that stands for proofs of this kind.
pub(crate) const KIND: u8 = 2;

/// The most steps that one block holds.
const BLOCK: usize = 1 << 12;

/// How many symmetries the numbers of links have room for.
const SYMMETRIES: u128 = 8;

/// A claim under one superko rule, and the steps that prove it.
#[derive(Clone, Debug)]
pub struct Derivation {
    /// What is to be proven.
    pub claim: Claim,
    /// The rule of repetition, which is not simple ko.
    pub ko: Ko,
    steps: Vec<Step>,
    /// The links of all steps, one after the other.
    links: Vec<Link>,
    /// Where the links of each step end.
    ends: Vec<u64>,
    /// The places of the steps in the file that they were read from.
    offsets: Vec<u64>,
}

/// That the prover wins a situation, whoever is to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// The stones and whether the last move was a pass. There is no ko point: the history says what is banned.
    pub situation: Situation,
    /// Who is to move.
    pub to_move: Color,
    /// If it is the prover: the point of the stone, or `None` for a pass.
    pub reply: Option<u8>,
}

/// What becomes of a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Link {
    /// It is banned, because the board that it makes was there before.
    Banned,
    /// The prover has won: by stones that are alive for certain, or by ending the game.
    Leaf,
    /// It leads to the situation of an earlier step, turned.
    Step {
        /// The step.
        step: u32,
        /// The symmetry, by its number, that turns the step's situation into the one after the move.
        symmetry: u8,
    },
}

impl Derivation {
    /// A claim without steps.
    pub const fn new(claim: Claim, ko: Ko) -> Self {
        Self {
            claim,
            ko,
            steps: Vec::new(),
            links: Vec::new(),
            ends: Vec::new(),
            offsets: Vec::new(),
        }
    }

    /// Adds a step: the prover's with the link of the reply, the opponent's with one link for each stone that is no
    /// suicide, by their points, and one for the pass if it does not end the game. The last step is about the start of
    /// the claim.
    pub fn push(&mut self, step: Step, links: impl IntoIterator<Item = Link>) {
        self.steps.push(step);
        self.links.extend(links);
        self.ends.push(self.links.len() as u64);
    }

    /// How many steps there are.
    pub const fn len(&self) -> usize {
        self.steps.len()
    }

    /// Are there none?
    pub const fn is_empty(&self) -> bool {
        self.steps.is_empty()
    }

    /// A step, and its links.
    ///
    /// # Panics
    ///
    /// If there are fewer steps.
    pub fn step(&self, number: usize) -> (&Step, &[Link]) {
        let start = number.checked_sub(1).map_or(0, |before| self.ends[before]);
        let links = &self.links[start as usize..self.ends[number] as usize];
        (&self.steps[number], links)
    }

    /// The place of a step in the file that it was read from.
    pub fn offset(&self, number: usize) -> Option<u64> {
        self.offsets.get(number).copied()
    }
}
