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
    /// The standard deviation of that number, as far as the evaluator knows it.
    pub lead_spread: f32,
}

/// What a score is worth beside winning.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct ScoreUtility {
    /// The weight of the lead.
    pub(crate) weight: f32,
    /// The weight of the lead as seen from the centre.
    pub(crate) centered_weight: f32,
    /// The centre: a lead of Black.
    pub(crate) center: f32,
    /// How many points away from the centre half of that weight is reached.
    pub(crate) scale: f32,
}

impl ScoreUtility {
    /// What a lead of Black with this standard deviation is worth as seen from the centre, from 0 to 1.
    ///
    /// It is the arc tangent of a lead. For the mean of all leads that are likely, the width of the curve becomes that
    /// of its convolution with a normal distribution (Olivero and Longbothum, 1977).
    pub(crate) fn centered(&self, lead: f32, spread: f32) -> f32 {
        let (scale, spread) = (self.scale, 1.1775 * spread);
        let width = 0.5346 * scale + (0.2166 * scale * scale + spread * spread).sqrt();
        0.5 + libm::atanf((lead - self.center) / width) / std::f32::consts::PI
    }
}

impl Value {
    /// What an evaluation is worth to Black on a board of so many points, where the score weighs so much beside
    /// winning.
    ///
    /// A lead counts by its hyperbolic tangent: the first points matter, and a lead that is large already does not gain
    /// by growing. On larger boards a point matters less.
    pub fn for_black(evaluation: &Evaluation, area: usize, score_weight: f32) -> Self {
        let score = ScoreUtility {
            weight: score_weight,
            ..ScoreUtility::default()
        };
        Self::with_score(evaluation, area, &score)
    }

    /// What an evaluation is worth to Black on a board of so many points, where scores are worth this.
    pub(crate) fn with_score(evaluation: &Evaluation, area: usize, score: &ScoreUtility) -> Self {
        let (win, lead) = (evaluation.black_wins, evaluation.black_lead);
        let lead_spread = evaluation.lead_spread;
        let from_zero = 0.5 + 0.5 * libm::tanhf(lead / (2.0 * (area as f32).sqrt()));
        let (weight, centered_weight) = (score.weight, score.centered_weight);
        let mut utility = (1.0 - weight - centered_weight) * win + weight * from_zero;
        if centered_weight > 0.0 {
            utility += centered_weight * score.centered(lead, lead_spread);
        }
        Self {
            utility,
            win,
            lead,
            lead_spread,
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
            lead_spread: self.lead_spread,
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
        self.lead_spread = 0.0;
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
