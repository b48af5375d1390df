//! The games of others, in the order in which they are learned from.

use rand_core::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;
use rayon::prelude::*;
use tengen_core::Game;
use tengen_nn::Example;

use super::deck::Deck;
use super::library::Library;
use super::options::RecordsOptions;

/// The games of others, in the order in which they are learned from.
#[derive(Debug)]
pub struct Lessons {
    options: RecordsOptions,
    library: Library,
    deck: Deck,
}

/// A position to learn from.
pub(crate) struct Lesson {
    pub(crate) number: u64,
    pub(crate) game: Game,
    pub(crate) example: Example,
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
        let numbers = first..first + count as u64;
        let lessons = self.lessons(numbers.map(|number| (number, 0)));
        lessons.into_iter().map(|lesson| lesson.example).collect()
    }

    /// The positions with these numbers, each as its first, second, … view.
    pub(crate) fn lessons(&mut self, views: impl Iterator<Item = (u64, u64)>) -> Vec<Lesson> {
        let games = self.library.lessons();
        let mut cards = Vec::new();
        for (number, view) in views {
            if let Some(card) = self.deck.card(number, games) {
                cards.push((number, view, card));
            }
        }
        let lessons = cards.par_iter().filter_map(|(number, view, card)| {
            let mut rng = Xoshiro256PlusPlus::seed_from_u64(card.seed);
            let example = games[card.game].example(card.turn, *view, &self.options, &mut rng);
            let (game, example) = example?;
            Some(Lesson {
                number: *number,
                game,
                example,
            })
        });
        lessons.collect()
    }
}
