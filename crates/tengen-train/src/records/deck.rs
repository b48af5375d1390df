//! Which position is learned from when.

use rand_core::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

use super::recorded::RecordedGame;
use crate::dice;
use crate::seed::seed_of;

/// All positions in an order that depends on the seed alone. A pass takes some positions of every game, spread over the
/// game, and shuffles those of all games together; the next pass takes others.
#[derive(Debug)]
pub struct Deck {
    seed: u64,
    games: usize,
    /// Positions of a game in a pass.
    positions: usize,
    /// The pass whose order is known, and the order.
    shuffled: Option<(u64, Vec<u32>)>,
}

/// A position to learn from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Card {
    /// The number of the game.
    pub game: usize,
    /// The turn: how many moves came before.
    pub turn: usize,
    /// The seed of all else that is drawn for it.
    pub seed: u64,
}

impl Deck {
    /// A deck of so many positions of each of so many games.
    pub const fn new(games: usize, positions: usize, seed: u64) -> Self {
        Self {
            seed,
            games,
            positions,
            shuffled: None,
        }
    }

    /// How many positions a pass has.
    pub const fn pass(&self) -> u64 {
        (self.games * self.positions) as u64
    }

    /// The position with this number, counted over all passes; `None` if there are no games.
    pub fn card(&mut self, number: u64, games: &[RecordedGame]) -> Option<Card> {
        let pass = number.checked_div(self.pass())?;
        let place = (number % self.pass()) as usize;
        let slot = self.order(pass)[place] as usize;
        let (game, part) = (slot % self.games, slot / self.games);
        let seed = seed_of(seed_of(self.seed ^ CARDS, pass), slot as u64);
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        // One position of each part of the game, so that those of a pass are far from each other.
        let share = (part as f64 + dice::unit(&mut rng)) / self.positions as f64;
        let turns = games.get(game)?.turns();
        Some(Card {
            game,
            turn: ((share * turns as f64) as usize).min(turns.saturating_sub(1)),
            seed: seed_of(seed, 1),
        })
    }

    fn order(&mut self, pass: u64) -> &[u32] {
        if self
            .shuffled
            .as_ref()
            .is_none_or(|(known, _)| *known != pass)
        {
            let mut order: Vec<u32> = (0..self.pass() as u32).collect();
            let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed_of(self.seed ^ ORDER, pass));
            for last in (1..order.len()).rev() {
                order.swap(last, dice::below(&mut rng, last as u64 + 1) as usize);
            }
            self.shuffled = Some((pass, order));
        }
        self.shuffled.as_ref().map_or(&[], |(_, order)| order)
    }
}

/// Different streams of random numbers from one seed.
const CARDS: u64 = 0x4361_7264;
const ORDER: u64 = 0x4f72_6465;
