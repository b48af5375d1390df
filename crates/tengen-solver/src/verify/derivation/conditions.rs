//! Under which histories a step holds.

use super::register::{Image, Registers};

/// What a step needs of the boards before it. Boards and holdings go by the numbers of their registers.
#[derive(Clone, Debug, Default)]
pub(super) struct Conditions {
    /// None of these boards was there, or a stone of the prover is banned.
    pub(super) absent: Vec<u32>,
    /// Each of these boards was there, or a stone of the opponent is not banned.
    pub(super) present: Vec<u32>,
    /// None of these holdings is spoiled by a board that was there.
    pub(super) holdings: Vec<u32>,
}

impl Conditions {
    /// How many boards and holdings they name.
    pub(super) const fn len(&self) -> usize {
        self.absent.len() + self.present.len() + self.holdings.len()
    }

    /// Adds what an earlier step needs, turned.
    pub(super) fn add(
        &mut self,
        earlier: &Self,
        registers: &mut Registers,
        symmetry: usize,
        image: &Image,
    ) {
        let Registers { boards, holdings } = registers;
        for (from, to) in [
            (&earlier.absent, &mut self.absent),
            (&earlier.present, &mut self.present),
        ] {
            to.extend(
                from.iter()
                    .map(|number| boards.turn(*number, symmetry, image)),
            );
        }
        let turned = earlier.holdings.iter();
        self.holdings
            .extend(turned.map(|number| holdings.turn(*number, symmetry, image)));
    }

    /// Puts them in order. The board of the step itself is there.
    pub(super) fn finish(&mut self, own: u32) {
        self.present.retain(|number| *number != own);
        for numbers in [&mut self.absent, &mut self.present, &mut self.holdings] {
            numbers.sort_unstable();
            numbers.dedup();
            numbers.shrink_to_fit();
        }
    }
}
