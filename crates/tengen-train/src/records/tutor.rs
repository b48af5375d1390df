//! A network that another one learns from: knowledge distillation.
//!
//! A record says which move was played and who won, once for two hundred positions. A strong network says of each of
//! them how good every move is, who wins, by how much, and whose each point will be. That is worth many records, most
//! of all for the value.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use tengen_core::{Game, Move, Size, Symmetry};
use tengen_env::Actions;
use tengen_nn::katago::{self, InputOptions, KataGoError, Position};
use tengen_nn::{Baseline, Inputs, Net, Target, WeightsError, Workspace, softmax};

/// A network that judges the positions of records, so that another one learns from it.
#[derive(Debug)]
pub(crate) struct Tutor {
    network: Network,
    /// How much of what is learned is what the tutor says, and not what the record says.
    share: f32,
}

#[derive(Debug)]
enum Network {
    Own(Arc<Net>),
    KataGo(Box<katago::Net>),
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
pub(crate) struct Desk {
    own: Workspace,
    katago: katago::Workspace,
}

/// What a tutor says about a position, as the player to move sees it.
#[derive(Debug)]
pub(crate) struct Answer {
    /// Logits of the points, row by row, and of the pass.
    policy: Vec<f32>,
    win_draw_loss: [f32; 3],
    lead: f32,
    ownership: Vec<f32>,
}

/// A position that a tutor is asked about, and how it is turned for that.
#[derive(Debug)]
pub(crate) struct Asked<'a> {
    pub(crate) game: &'a Game,
    pub(crate) inputs: &'a Inputs,
    pub(crate) symmetry: Symmetry,
}

impl Tutor {
    /// A large network judges so many positions faster together than one by one, since its weights come from far away.
    pub(crate) const TOGETHER: usize = 16;

    /// The network with this name: a file that `tengen train` made, one of KataGo, or a baseline.
    pub(crate) fn read(name: &Path, share: f32) -> Result<Self, TutorError> {
        let mut baselines = Baseline::ALL.into_iter();
        if let Some(known) = baselines.find(|known| name == Path::new(known.name())) {
            let network = Network::Own(known.net());
            return Ok(Self { network, share });
        }
        let path = || name.to_owned();
        let bytes = fs::read(name).map_err(|error| TutorError::Unreadable(path(), error))?;
        let network = if katago::Net::looks_like_one(&bytes) {
            let net = katago::Net::from_bytes(&bytes);
            Network::KataGo(Box::new(
                net.map_err(|error| TutorError::KataGo(path(), error))?,
            ))
        } else {
            let net = Net::from_bytes(&bytes);
            let net = net.map_err(|error| TutorError::Weights(path(), error))?;
            Network::Own(Arc::new(net))
        };
        Ok(Self { network, share })
    }

    /// Whether it can judge positions on such a board.
    pub(crate) fn knows(&self, size: Size) -> bool {
        match &self.network {
            Network::Own(_) => true,
            Network::KataGo(_) => size.width().max(size.height()) <= katago::Net::LONGEST_SIDE,
        }
    }

    /// What it says about positions on one board that it knows.
    pub(crate) fn answer(&self, desk: &mut Desk, asked: &[Asked<'_>]) -> Vec<Answer> {
        match &self.network {
            Network::Own(net) => {
                let positions: Vec<_> = asked
                    .iter()
                    .map(|asked| (asked.inputs.clone(), asked.symmetry))
                    .collect();
                let outputs = net.evaluate(&mut desk.own, &positions);
                let outputs = outputs.into_iter().map(|output| Answer {
                    policy: output.policy,
                    win_draw_loss: output.win_draw_loss,
                    lead: output.lead,
                    ownership: output.ownership,
                });
                outputs.collect()
            }
            Network::KataGo(net) => {
                let options = InputOptions::for_net(net);
                let inputs: Vec<_> = asked
                    .iter()
                    .map(|asked| katago::Inputs::of(asked.game, &options))
                    .collect();
                let positions: Vec<_> = asked
                    .iter()
                    .zip(&inputs)
                    .map(|(asked, inputs)| Position::of(asked.game, inputs, asked.symmetry))
                    .collect();
                let Some(first) = asked.first() else {
                    return Vec::new();
                };
                let outputs = net.evaluate(&mut desk.katago, first.game.size(), &positions);
                let outputs = outputs.into_iter().map(|output| Answer {
                    policy: output.policy,
                    // What is lacking of 1 is the chance of no result, which is not learned.
                    win_draw_loss: [output.win, 0.0, output.loss],
                    lead: output.lead,
                    ownership: output.ownership,
                });
                outputs.collect()
            }
        }
    }

    /// Moves a target towards an answer. Where the record says nothing, the answer is all that is known.
    pub(crate) fn teach(&self, answer: &Answer, target: &mut Target, size: Size) {
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
