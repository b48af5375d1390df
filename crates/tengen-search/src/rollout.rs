//! Evaluation by playing to the end.

mod features;
mod game;
mod patterns;
mod prior;
mod tactics;
mod weights;

use rand_core::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;
use tengen_core::{Board, Color, Game, Point, Scoring, Size, Ties};

use crate::evaluator::{Evaluation, Evaluator, Leaf};
use crate::tuning::Tuning;
use game::RolloutGame;

pub use features::near_stones;
pub use prior::{Priors, prior_features};
pub use weights::{Weights, WeightsError};

/// What boards are made of before the first position is judged.
const SMALLEST: Size = match Size::square(1) {
    Ok(size) => size,
    Err(_) => panic!("a board of one point is a board"),
};

/// Judges a position by one game that is played from there to its end.
#[derive(Debug)]
pub struct Rollouts {
    rng: Xoshiro256PlusPlus,
    tuning: Tuning,
    game: RolloutGame,
    priors: Priors,
}

impl Rollouts {
    /// Rollouts with these habits.
    pub fn new(tuning: &Tuning) -> Self {
        Self::with_weights(tuning, Weights::fitted())
    }

    /// Rollouts with these habits that judge moves by these weights.
    pub fn with_weights(tuning: &Tuning, weights: Weights) -> Self {
        Self {
            rng: Xoshiro256PlusPlus::seed_from_u64(0),
            tuning: *tuning,
            game: RolloutGame::new(&Board::new(SMALLEST), tuning),
            priors: Priors::new(weights),
        }
    }

    fn judge(&mut self, leaf: &mut Leaf) {
        if leaf.wants_priors {
            self.priors.judge(&leaf.game, &mut leaf.evaluation.priors);
        }
        self.play(&leaf.game, &mut leaf.evaluation);
    }

    /// Plays one game to its end, and says how it went. What was said about the moves is left as it is.
    pub fn play(&mut self, game: &Game, evaluation: &mut Evaluation) {
        let last = last_stones(game);
        let margin = self
            .game
            .play(game.board(), game.to_move(), last, &mut self.rng);
        evaluation.black_lead = margin as f32 - area_komi(game);
        evaluation.lead_spread = 0.0;
        evaluation.black_wins = match evaluation.black_lead {
            lead if lead > 0.0 => 1.0,
            lead if lead < 0.0 => 0.0,
            _ => value_of_tie(game.rules().ties),
        };
        evaluation.later.clear();
        evaluation.later.extend_from_slice(self.game.moves());
        evaluation.ownership.clear();
        let owners = game.size().points().iter().map(|point| {
            self.game
                .owner(point)
                .map_or(0.0, |owner| owner.sign(1) as f32)
        });
        evaluation.ownership.extend(owners);
    }
}

/// What White is ahead by when both have the same area.
///
/// Under territory rules a stone costs the point that it is put on, so that the score is that of the area less the
/// stones that each has played; what a rollout adds to them is no part of the real game.
pub fn area_komi(game: &Game) -> f32 {
    let compensation = game.rules().compensation.points(game.handicap());
    let komi = game.komi().halves() as f32 / 2.0 + f32::from(compensation);
    let prisoners = |color| game.prisoners(color) as f32;
    match game.rules().scoring {
        Scoring::Area => komi,
        Scoring::AreaAndPrisoners => komi + prisoners(Color::White) - prisoners(Color::Black),
        Scoring::Territory => {
            let stones = game.board().count_stones();
            let played = |color: Color| stones[color] as f32 + prisoners(!color);
            komi + played(Color::Black) - played(Color::White)
        }
    }
}

/// Where the last two moves were, the later first; nothing for a pass.
pub(crate) fn last_stones(game: &Game) -> [Option<Point>; 2] {
    let mut turns = game.turns().iter().rev();
    [turns.next(), turns.next()].map(|turn| turn.and_then(|turn| turn.action.point()))
}

/// What a tie is worth to Black.
const fn value_of_tie(ties: Ties) -> f32 {
    match ties {
        Ties::Draw => 0.5,
        Ties::Black => 1.0,
        Ties::White => 0.0,
    }
}

impl Evaluator for Rollouts {
    fn tuning(&self) -> Tuning {
        self.tuning
    }

    fn expand_after(&self) -> u32 {
        self.tuning.expand_after as u32
    }

    fn begin(&mut self, _game: &Game, seed: u64) {
        self.rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    }

    fn evaluate(&mut self, leaves: &mut [Leaf]) {
        for leaf in leaves {
            self.judge(leaf);
        }
    }
}
