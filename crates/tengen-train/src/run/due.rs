//! Games that are to be played.

use tengen_nn::NetEvaluator;

use crate::config::Config;
use crate::record::GameRecord;
use crate::selfplay::play_game;
use crate::settings::SelfPlayError;
use crate::teacher::teach_game;

/// A game that is to be played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Due {
    /// Its number among all games of the run.
    pub number: u64,
    /// Its seed.
    pub seed: u64,
    /// The step of the network that plays it.
    pub network: u64,
}

impl Config {
    /// Plays a game of a run: the teacher's, or one of the network with itself. Where that is done does not matter.
    pub fn play(
        &self,
        due: Due,
        evaluator: &mut NetEvaluator,
    ) -> Result<GameRecord, SelfPlayError> {
        let record = match &self.teacher {
            Some(teacher) if due.number < teacher.games => {
                teach_game(teacher, &self.self_play, due.seed)
            }
            _ => play_game(evaluator, &self.self_play, due.seed),
        };
        Ok(GameRecord {
            network: due.network,
            ..record?
        })
    }
}
