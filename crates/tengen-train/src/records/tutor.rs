//! A network that another one learns from: knowledge distillation.
//!
//! A record says which move was played and who won, once for two hundred positions. A strong network says of each of
//! them how good every move is, who wins, by how much, and whose each point will be. That is worth many records, most
//! of all for the value.

use tengen_core::{Move, Size};
use tengen_env::Actions;
use tengen_nn::{Output, Target, softmax};

use super::network::Network;

/// A network that judges the positions of records, so that another one learns from it.
#[derive(Debug)]
pub(crate) struct Tutor {
    pub(crate) network: Network,
    /// How much of what is learned is what the tutor says, and not what the record says.
    pub(crate) share: f32,
    /// The share of positions that it is asked about.
    pub(crate) asked_share: f64,
}

impl Tutor {
    /// Whether it is asked about the position with this number, on such a board. Numbers in a row are asked about as
    /// evenly as can be, so that every batch has its share.
    pub(crate) fn is_asked(&self, number: u64, size: Size) -> bool {
        let asked_before = |number: u64| (number as f64 * self.asked_share).floor();
        asked_before(number + 1) > asked_before(number) && self.network.knows(size)
    }

    /// Moves a target towards an answer. Where the record says nothing, the answer is all that is known.
    pub(crate) fn teach(&self, answer: &Output, target: &mut Target, size: Size) {
        let actions = Actions::on(size);
        let mut policy = vec![f32::NEG_INFINITY; actions.count()];
        let plays = target.legal.iter().map(Move::Play);
        for action in plays.chain([Move::Pass]) {
            let number = actions.number(action);
            policy[number] = answer.policy[number];
        }
        softmax(&mut policy);
        mix(&mut target.policy, &policy, self.share);
        let mut chances = match target.win_draw_loss == [0.0; 3] {
            true => Vec::new(),
            false => target.win_draw_loss.to_vec(),
        };
        mix(&mut chances, &answer.win_draw_loss, self.share);
        target.win_draw_loss.copy_from_slice(&chances);
        let lead = target.lead.unwrap_or(answer.lead);
        target.lead = Some(lead + (answer.lead - lead) * self.share);
        mix(&mut target.ownership, &answer.ownership, self.share);
    }
}

/// Moves what a record says towards what a tutor says; all of it where the record says nothing.
fn mix(recorded: &mut Vec<f32>, said: &[f32], share: f32) {
    if recorded.is_empty() {
        recorded.extend_from_slice(said);
        return;
    }
    for (recorded, said) in recorded.iter_mut().zip(said) {
        *recorded += (said - *recorded) * share;
    }
}
