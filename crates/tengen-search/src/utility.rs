//! What positions and outcomes are worth: the one formula of every search.

use tengen_core::{Color, Game, Outcome, Reason, Settlement};

use crate::evaluator::Evaluation;

/// What a position is worth, as one player sees it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Value {
    /// What the search makes as large as it can, from 0 to 1.
    pub utility: f32,
    /// The chance to win, a draw being half a win.
    pub win: f32,
    /// By how many points the player leads.
    pub lead: f32,
}

impl Value {
    /// What an evaluation is worth to Black on a board of so many points, where the score weighs so much beside
    /// winning.
    ///
    /// A lead counts by its hyperbolic tangent: the first points matter, and a lead that is large already does not gain
    /// by growing. On larger boards a point matters less.
    pub fn for_black(evaluation: &Evaluation, area: usize, score_weight: f32) -> Self {
        let (win, lead) = (evaluation.black_wins, evaluation.black_lead);
        let score = 0.5 + 0.5 * libm::tanhf(lead / (2.0 * (area as f32).sqrt()));
        Self {
            utility: (1.0 - score_weight) * win + score_weight * score,
            win,
            lead,
        }
    }

    /// What this player sees, if this is what Black sees.
    #[must_use]
    pub fn seen_by(self, color: Color) -> Self {
        match color {
            Color::Black => self,
            Color::White => self.reversed(),
        }
    }

    /// The same as the other player sees it.
    #[must_use]
    pub fn reversed(self) -> Self {
        Self {
            utility: 1.0 - self.utility,
            win: 1.0 - self.win,
            lead: -self.lead,
        }
    }
}

impl Evaluation {
    /// Becomes what the result of a game says. The stones count as they stand, and a win without a count as a lead of
    /// half the board.
    pub fn set_outcome(&mut self, game: &Game, outcome: Outcome) {
        self.black_wins = match outcome.winner() {
            Some(Color::Black) => 1.0,
            Some(Color::White) => 0.0,
            None => 0.5,
        };
        self.black_lead = match outcome {
            Outcome::Win(_, Reason::Score(_)) => game.score().margin_halves() as f32 / 2.0,
            Outcome::Win(winner, _) => winner.sign(1) as f32 * game.size().area() as f32 / 2.0,
            Outcome::Draw | Outcome::NoResult => 0.0,
        };
        let owners = game.board().owners(&Settlement::default());
        let owner = |point| {
            f32::from(i8::from(owners.black.contains(point)))
                - f32::from(i8::from(owners.white.contains(point)))
        };
        self.ownership.clear();
        self.ownership
            .extend(game.size().points().iter().map(owner));
        self.priors.clear();
        self.later.clear();
    }
}
