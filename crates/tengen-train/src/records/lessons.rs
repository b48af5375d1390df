//! The games of others, in the order in which they are learned from.

use rand_core::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;
use rayon::prelude::*;
use tengen_nn::Example;

use super::deck::{Card, Deck};
use super::library::Library;
use super::options::RecordsOptions;

/// The games of others, in the order in which they are learned from where no run and no tutor is about.
#[derive(Debug)]
pub struct Lessons {
    options: RecordsOptions,
    library: Library,
    deck: Deck,
}

impl Lessons {
    /// The games of a library, in an order that depends on the seed alone.
    pub fn new(library: Library, options: RecordsOptions, seed: u64) -> Self {
        Self {
            deck: Deck::new(library.lessons().len(), options.positions, seed),
            options,
            library,
        }
    }

    /// The games.
    pub const fn library(&self) -> &Library {
        &self.library
    }

    /// Which of them are learned from, and how.
    pub const fn options(&self) -> &RecordsOptions {
        &self.options
    }

    /// How many positions a pass over all games has.
    pub const fn pass(&self) -> u64 {
        self.deck.pass()
    }

    /// So many examples from this number on, which depend on the numbers alone. Positions from which nothing can be
    /// learned are left out.
    pub fn examples(&mut self, first: u64, count: usize) -> Vec<Example> {
        let games = self.library.lessons();
        let numbers = first..first + count as u64;
        let cards: Vec<Card> = numbers
            .filter_map(|number| self.deck.card(number, games))
            .collect();
        let examples = cards.par_iter().filter_map(|card| {
            let mut rng = Xoshiro256PlusPlus::seed_from_u64(card.seed);
            let example = games[card.game].example(card.turn, 0, &self.options, &mut rng);
            example.map(|(_, example)| example)
        });
        examples.collect()
    }
}
