//! Who plays against itself, outside of a training run.

use std::sync::Arc;

use rand_core::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use tengen_nn::katago::{self, KataGoEvaluator};
use tengen_nn::{Net, NetEvaluator};

use crate::pool::Pool;
use crate::record::GameRecord;
use crate::selfplay::play_game;
use crate::settings::{SelfPlay, SelfPlayError};
use crate::teacher::{Teacher, teach_game};

/// Who plays against itself.
#[derive(Clone, Debug)]
pub enum SelfPlayer {
    /// A network, and how many steps it has learned.
    Network(Arc<Net>, u64),
    /// A network of KataGo, from whose games others may learn.
    KataGo(Arc<katago::Net>),
    /// The search with rollouts.
    Teacher(Teacher),
}

impl SelfPlayer {
    /// How its games are marked: the steps that the network has learned.
    pub const fn step(&self) -> u64 {
        match self {
            Self::Network(_, step) => *step,
            Self::KataGo(_) | Self::Teacher(_) => 0,
        }
    }

    /// The seeds of so many games, each of which is the same however many there are.
    pub fn seeds(seed: u64, games: usize) -> Vec<u64> {
        let mut generator = Xoshiro256PlusPlus::seed_from_u64(seed);
        (0..games).map(|_| generator.next_u64()).collect()
    }

    /// Plays a game for each seed, and hands it on when it has ended. A game depends on the player, the settings and
    /// its seed alone.
    pub fn play_games<E: From<SelfPlayError>>(
        &self,
        settings: &SelfPlay,
        seeds: &[u64],
        pool: Pool<'_>,
        mut keep: impl FnMut(GameRecord) -> Result<(), E>,
    ) -> Result<(), E> {
        let keep = |_: &u64, record: Result<GameRecord, SelfPlayError>| keep(record?);
        match self {
            Self::Network(net, step) => pool.run(
                seeds,
                || NetEvaluator::new(Arc::clone(net)),
                |evaluator, seed| {
                    let record = play_game(evaluator, settings, *seed)?;
                    Ok(GameRecord {
                        network: *step,
                        ..record
                    })
                },
                keep,
            ),
            Self::KataGo(net) => pool.run(
                seeds,
                || KataGoEvaluator::new(Arc::clone(net)),
                |evaluator, seed| play_game(evaluator, settings, *seed),
                keep,
            ),
            Self::Teacher(teacher) => pool.run(
                seeds,
                || (),
                |(), seed| teach_game(teacher, settings, *seed),
                keep,
            ),
        }
    }
}
