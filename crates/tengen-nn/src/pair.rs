//! Two judges, one for small boards and one for large ones.

use tengen_core::{Game, Size};
use tengen_search::{Aim, Evaluator, Leaf, Model, Raw, RawQuery, Tuning};

use crate::expert::Expert;

/// Two experts: one for boards with no side longer than those that it has learned on, and one for all others.
#[derive(Debug)]
pub(crate) struct Pair {
    small: Expert,
    large: Expert,
    is_large: bool,
}

impl Pair {
    pub(crate) fn new(small: Expert, large: Expert) -> Self {
        Self {
            small,
            large,
            is_large: false,
        }
    }

    fn turn_to(&mut self, size: Size) {
        self.is_large = !self.small.knows(size);
    }

    fn active(&self) -> &Expert {
        match self.is_large {
            true => &self.large,
            false => &self.small,
        }
    }

    fn active_mut(&mut self) -> &mut Expert {
        match self.is_large {
            true => &mut self.large,
            false => &mut self.small,
        }
    }
}

impl Evaluator for Pair {
    fn batch(&self) -> usize {
        self.active().batch()
    }

    fn expand_after(&self) -> u32 {
        self.active().expand_after()
    }

    fn tuning(&self) -> Tuning {
        self.active().tuning()
    }

    fn most_visits(&self, game: &Game, aim: Aim) -> Option<u32> {
        match self.small.knows(game.size()) {
            true => self.small.most_visits(game, aim),
            false => self.large.most_visits(game, aim),
        }
    }

    fn prepare(&mut self, game: &Game, aim: Aim) {
        self.turn_to(game.size());
        self.active_mut().prepare(game, aim);
    }

    fn begin(&mut self, game: &Game, seed: u64) {
        self.turn_to(game.size());
        self.active_mut().begin(game, seed);
    }

    fn evaluate(&mut self, leaves: &mut [Leaf]) {
        self.active_mut().evaluate(leaves);
    }

    fn raw(&mut self, game: &Game, query: &RawQuery) -> Option<Raw> {
        self.turn_to(game.size());
        self.active_mut().raw(game, query)
    }

    fn models(&self) -> Vec<Model> {
        [&self.small, &self.large].map(Expert::models).concat()
    }
}
