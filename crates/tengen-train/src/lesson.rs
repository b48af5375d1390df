//! What a network learns from a recorded position.

use tengen_core::{Color, Move, Symmetry};
use tengen_env::Actions;
use tengen_nn::{Example, Inputs};

use crate::position::ReplayError;
use crate::record::PARTS;
use crate::window::Sample;

impl Sample {
    /// The position and what is known about it, as the player to move sees it.
    ///
    /// `search_share` is how much of the value is what the search thought, and not how the game ended.
    pub fn example(&self, search_share: f32) -> Result<Example, ReplayError> {
        let record = &self.record;
        let target = &record.targets[self.target];
        let game = record.position(usize::from(target.turn))?;
        let (size, player) = (record.size, game.to_move());
        let inputs = Inputs::new(&game);
        let legal = inputs.worth_playing();
        let actions = Actions::on(size);
        let mut policy = vec![0.0; actions.count()];
        for (number, parts) in &target.policy {
            let number = usize::from(*number);
            // Searches that are not led by a network look at moves that cannot change anything.
            let counts = match actions.action(number) {
                Some(Move::Play(point)) => legal.contains(point),
                Some(Move::Pass) => true,
                None => false,
            };
            if counts {
                policy[number] = f32::from(*parts) / f32::from(PARTS);
            }
        }
        let sum: f32 = policy.iter().sum();
        if sum > 0.0 {
            for share in &mut policy {
                *share /= sum;
            }
        } else {
            policy.clear();
        }
        let outcome = match record.winner {
            Some(winner) if winner == player => [1.0, 0.0, 0.0],
            Some(_) => [0.0, 0.0, 1.0],
            None => [0.0, 1.0, 0.0],
        };
        let wins = match player {
            Color::Black => target.black_wins,
            Color::White => 1.0 - target.black_wins,
        };
        let thought = [wins, 0.0, 1.0 - wins];
        let mut win_draw_loss = [0.0; 3];
        for (place, share) in win_draw_loss.iter_mut().enumerate() {
            *share = (1.0 - search_share) * outcome[place] + search_share * thought[place];
        }
        let sign = player.sign(1) as f32;
        Ok(Example {
            inputs,
            symmetry: keeping_size(self.symmetry, size),
            target: tengen_nn::Target {
                policy,
                legal,
                win_draw_loss,
                lead: Some(sign * record.lead_halves as f32 / 2.0),
                ownership: record
                    .ownership
                    .iter()
                    .map(|owner| sign * f32::from(*owner))
                    .collect(),
            },
        })
    }
}

/// A symmetry that turns a board into one of the same size: this one, if it does.
pub(crate) fn keeping_size(symmetry: Symmetry, size: tengen_core::Size) -> Symmetry {
    if symmetry.size(size) == size {
        return symmetry;
    }
    let mut kept = Symmetry::onto_itself(size);
    let count = Symmetry::onto_itself(size).count();
    kept.nth(usize::from(symmetry.number()) % count)
        .unwrap_or(Symmetry::IDENTITY)
}
