//! What a network says about a position, and what is made of its numbers.

use tengen_core::{Game, Ko, Scoring, Size, Symmetry};

use super::heads::{Policy, Values};
use super::model::Multipliers;
use crate::softmax::softmax;
use crate::tangent::to_tangents;

/// What a network says about a position, as the player to move sees it.
#[derive(Clone, Debug, PartialEq)]
pub struct Output {
    /// A logit for each point, row by row, and one for a pass. Illegal moves have one too.
    pub policy: Vec<f32>,
    /// The same for moves that turn out better than expected, of networks since version 12.
    pub optimistic_policy: Option<Vec<f32>>,
    /// The chance to win.
    pub win: f32,
    /// The chance to lose.
    pub loss: f32,
    /// The chance that the game has no result, as by a triple ko. It is 0 where rules make that impossible.
    pub no_result: f32,
    /// By how many points the player will win on average, komi included.
    pub score_mean: f32,
    /// How far that is off: the standard deviation of the score.
    pub score_stdev: f32,
    /// By how many points komi would have to change for an even game.
    pub lead: f32,
    /// The variance of the time that is left, in turns, of networks since version 9.
    pub time_variance: Option<f32>,
    /// How far win less loss will change soon, of networks since version 9.
    pub value_error: Option<f32>,
    /// How far the score will change soon, of networks since version 9.
    pub score_error: Option<f32>,
    /// Whose each point will be, row by row: 1 is the player's, -1 the opponent's.
    pub ownership: Vec<f32>,
}

/// Can a game end without a result under the rules of a game?
pub(super) fn may_have_no_result(game: &Game) -> bool {
    let rules = game.rules();
    rules.ko == Ko::Simple || rules.scoring == Scoring::Territory
}

/// How the numbers of a network are meant.
#[derive(Clone, Copy, Debug)]
pub(super) struct Meaning {
    pub(super) version: u64,
    pub(super) multipliers: Multipliers,
}

impl Meaning {
    /// The output for a position that was turned before the network saw it.
    pub(super) fn output(
        &self,
        policy: Policy,
        values: &Values,
        may_have_no_result: bool,
        size: Size,
        symmetry: Symmetry,
    ) -> Output {
        let turned_back = |values: &[f32]| -> Vec<f32> {
            let points = size.points();
            let place = |point| values[size.index(symmetry.apply(point, size))];
            points.iter().map(place).collect()
        };
        let mut policies = policy.into_iter().map(|logits| {
            let mut turned = turned_back(&logits);
            turned.extend(logits.last());
            turned
        });
        let policy = policies.next().unwrap_or_default();
        let optimistic_policy = policies.next();

        let mut chances = values.outcome;
        if !may_have_no_result {
            chances[2] = f32::NEG_INFINITY;
        }
        softmax(&mut chances);
        let [win, loss, no_result] = chances;
        let by = self.multipliers;
        let [mean, deviation, lead, time, value_error, score_error] = values.score;
        // Without a result, the score is 0.
        let result = 1.0 - no_result;
        let mean = mean * by.score_mean;
        let deviation = softplus(deviation) * by.score_stdev;
        let score_mean = mean * result;
        let mean_square = (mean * mean + deviation * deviation) * result;
        let [value_error, score_error] = match self.version {
            14.. => [
                softplus(value_error / 2.0) * by.value_error.sqrt(),
                softplus(score_error / 2.0) * by.score_error.sqrt(),
            ],
            10.. => [
                (softplus(value_error) * by.value_error).sqrt(),
                (softplus(score_error) * by.score_error).sqrt(),
            ],
            _ => [softplus(value_error), softplus(score_error) * 10.0],
        };
        let known = |value: f32| (self.version >= 9).then_some(value);
        let mut ownership = turned_back(&values.ownership);
        to_tangents(&mut ownership);
        Output {
            policy,
            optimistic_policy,
            win,
            loss,
            no_result,
            score_mean,
            score_stdev: (mean_square - score_mean * score_mean).max(0.0).sqrt(),
            lead: lead * by.lead * result,
            time_variance: known(softplus(time) * by.time_variance),
            value_error: known(value_error),
            score_error: known(score_error),
            ownership,
        }
    }
}

impl Output {
    /// The policy, moved towards the optimistic one by a share from 0 to 1.
    pub fn policy_with_optimism(&self, share: f32) -> Vec<f32> {
        let Some(optimistic) = &self.optimistic_policy else {
            return self.policy.clone();
        };
        let both = self.policy.iter().zip(optimistic);
        both.map(|(plain, better)| plain + (better - plain) * share)
            .collect()
    }
}

/// `ln(1 + exp x)`.
fn softplus(x: f32) -> f32 {
    match x > 40.0 {
        true => x,
        false => libm::log1pf(libm::expf(x)),
    }
}
