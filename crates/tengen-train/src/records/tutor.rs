//! A network that another one learns from: knowledge distillation.
//!
//! A record says which move was played and who won, once for two hundred positions. A strong network says of each of
//! them how good every move is, who wins, by how much, and whose each point will be. That is worth many records, most
//! of all for the value.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use tengen_core::{Game, Move, Symmetry};
use tengen_env::Actions;
use tengen_nn::katago::{self, InputOptions, KataGoError, Position};
use tengen_nn::{Baseline, Example, Inputs, Net, Target, WeightsError, Workspace, softmax};

/// A network that judges the positions of records, so that another one learns from it.
#[derive(Debug)]
pub struct Tutor {
    network: Network,
    /// How much of what is learned is what the tutor says, and not what the record says.
    share: f32,
}

#[derive(Debug)]
enum Network {
    Own(Arc<Net>),
    KataGo(katago::Net),
}

/// Why there is no tutor.
#[derive(Debug, thiserror::Error)]
pub enum TutorError {
    /// Its file cannot be read.
    #[error("{path}: {1}", path = .0.display())]
    Unreadable(PathBuf, std::io::Error),
    /// Its file is not a network that `tengen train` made.
    #[error("{path}: {1}", path = .0.display())]
    Weights(PathBuf, WeightsError),
    /// Its file is a damaged one of KataGo.
    #[error("{path}: {1}", path = .0.display())]
    KataGo(PathBuf, KataGoError),
}

/// The memory that one thread needs to ask a tutor.
#[derive(Debug, Default)]
pub struct Desk {
    own: Workspace,
    katago: katago::Workspace,
}

/// What a tutor says, as the player to move sees it.
struct Said {
    /// Logits of the points, row by row, and of the pass.
    policy: Vec<f32>,
    win_draw_loss: [f32; 3],
    lead: f32,
    ownership: Vec<f32>,
}

impl Tutor {
    /// The network with this name: a file that `tengen train` made, one of KataGo, or a baseline.
    pub fn read(name: &Path, share: f32) -> Result<Self, TutorError> {
        let mut baselines = Baseline::ALL.into_iter();
        if let Some(known) = baselines.find(|known| name == Path::new(known.name())) {
            let network = Network::Own(known.net());
            return Ok(Self { network, share });
        }
        let path = || name.to_owned();
        let bytes = fs::read(name).map_err(|error| TutorError::Unreadable(path(), error))?;
        let network = if katago::Net::looks_like_one(&bytes) {
            let net = katago::Net::from_bytes(&bytes);
            Network::KataGo(net.map_err(|error| TutorError::KataGo(path(), error))?)
        } else {
            let net = Net::from_bytes(&bytes);
            let net = net.map_err(|error| TutorError::Weights(path(), error))?;
            Network::Own(Arc::new(net))
        };
        Ok(Self { network, share })
    }

    /// Adds to an example what the tutor says about its position. On a board that the network cannot know it adds
    /// nothing.
    pub(crate) fn teach(&self, desk: &mut Desk, game: &Game, example: &mut Example) {
        if let Some(said) = self.ask(desk, game, &example.inputs, example.symmetry) {
            said.mix_into(&mut example.target, game, self.share);
        }
    }

    fn ask(
        &self,
        desk: &mut Desk,
        game: &Game,
        inputs: &Inputs,
        symmetry: Symmetry,
    ) -> Option<Said> {
        let size = game.size();
        match &self.network {
            Network::Own(net) => {
                let positions = [(inputs.clone(), symmetry)];
                let output = net.evaluate(&mut desk.own, &positions).pop()?;
                Some(Said {
                    policy: output.policy,
                    win_draw_loss: output.win_draw_loss,
                    lead: output.lead,
                    ownership: output.ownership,
                })
            }
            Network::KataGo(_) if size.width().max(size.height()) > katago::Net::LONGEST_SIDE => {
                None
            }
            Network::KataGo(net) => {
                let inputs = katago::Inputs::of(game, &InputOptions::for_net(net));
                let position = Position::of(game, &inputs, symmetry);
                let output = net.evaluate(&mut desk.katago, size, &[position]).pop()?;
                Some(Said {
                    policy: output.policy,
                    // What is lacking of 1 is the chance of no result, which is not learned.
                    win_draw_loss: [output.win, 0.0, output.loss],
                    lead: output.lead,
                    ownership: output.ownership,
                })
            }
        }
    }
}

impl Said {
    /// Moves a target towards what was said. Where the record says nothing, what was said is all that is known.
    fn mix_into(self, target: &mut Target, game: &Game, share: f32) {
        let actions = Actions::on(game.size());
        let mut policy = vec![f32::NEG_INFINITY; actions.count()];
        let plays = target.legal.iter().map(Move::Play);
        for action in plays.chain([Move::Pass]) {
            let number = actions.number(action);
            policy[number] = self.policy[number];
        }
        softmax(&mut policy);
        mix(&mut target.policy, policy, share);
        let mut chances = match target.win_draw_loss == [0.0; 3] {
            true => Vec::new(),
            false => target.win_draw_loss.to_vec(),
        };
        mix(&mut chances, self.win_draw_loss.to_vec(), share);
        target.win_draw_loss.copy_from_slice(&chances);
        let lead = target.lead.unwrap_or(self.lead);
        target.lead = Some(lead + (self.lead - lead) * share);
        mix(&mut target.ownership, self.ownership, share);
    }
}

/// Moves what a record says towards what a tutor says; all of it where the record says nothing.
fn mix(recorded: &mut Vec<f32>, said: Vec<f32>, share: f32) {
    if recorded.is_empty() {
        *recorded = said;
        return;
    }
    for (recorded, said) in recorded.iter_mut().zip(said) {
        *recorded += (said - *recorded) * share;
    }
}
