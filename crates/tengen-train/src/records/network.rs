//! A network of any kind, asked about positions.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use tengen_core::{Game, Size, Symmetry};
use tengen_nn::katago::{self, InputOptions, KataGoError, Position};
use tengen_nn::{Baseline, Inputs, Net, Output, WeightsError, Workspace};

/// The shortest side of the boards that networks of KataGo have learned on.
const SHORTEST_SIDE: u8 = 7;

/// A network of any kind.
#[derive(Clone, Debug)]
pub enum Network {
    /// One that `tengen train` made, or a baseline.
    Own(Arc<Net>),
    /// One of KataGo.
    KataGo(Arc<katago::Net>),
}

/// Why there is no network.
#[derive(Debug, thiserror::Error)]
pub enum NetworkError {
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

/// The memory that one thread needs to ask a network.
#[derive(Debug, Default)]
pub(crate) struct Desk {
    own: Workspace,
    katago: katago::Workspace,
}

/// A position that a network is asked about, and how it is turned for that.
#[derive(Debug)]
pub(crate) struct Asked<'a> {
    pub(crate) game: &'a Game,
    pub(crate) inputs: &'a Inputs,
    pub(crate) symmetry: Symmetry,
}

impl Network {
    /// A large network judges so many positions faster together than one by one, since its weights come from far away.
    pub(crate) const TOGETHER: usize = 16;

    /// The network with this name: a file that `tengen train` made, one of KataGo, or a baseline.
    pub fn read(name: &Path) -> Result<Self, NetworkError> {
        let mut baselines = Baseline::ALL.into_iter();
        if let Some(known) = baselines.find(|known| name == Path::new(known.name())) {
            return Ok(Self::Own(known.net()));
        }
        let path = || name.to_owned();
        let bytes = fs::read(name).map_err(|error| NetworkError::Unreadable(path(), error))?;
        if katago::Net::looks_like_one(&bytes) {
            let net = katago::Net::from_bytes(&bytes);
            let net = net.map_err(|error| NetworkError::KataGo(path(), error))?;
            return Ok(Self::KataGo(Arc::new(net)));
        }
        let net = Net::from_bytes(&bytes);
        let net = net.map_err(|error| NetworkError::Weights(path(), error))?;
        Ok(Self::Own(Arc::new(net)))
    }

    /// Whether it can judge positions on such a board. What networks of KataGo say of smaller ones than they have
    /// learned on is nonsense: White passes on an empty board of 5 × 5.
    pub(crate) fn knows(&self, size: Size) -> bool {
        let (width, height) = (size.width(), size.height());
        match self {
            Self::Own(_) => true,
            Self::KataGo(_) => {
                width.min(height) >= SHORTEST_SIDE && width.max(height) <= katago::Net::LONGEST_SIDE
            }
        }
    }

    /// What it says about positions on one board that it knows, as the player to move sees them.
    pub(crate) fn answer(&self, desk: &mut Desk, asked: &[Asked<'_>]) -> Vec<Output> {
        match self {
            Self::Own(net) => {
                let positions: Vec<_> = asked
                    .iter()
                    .map(|asked| (asked.inputs.clone(), asked.symmetry))
                    .collect();
                net.evaluate(&mut desk.own, &positions)
            }
            Self::KataGo(net) => {
                let Some(first) = asked.first() else {
                    return Vec::new();
                };
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
                let outputs = net.evaluate(&mut desk.katago, first.game.size(), &positions);
                let outputs = outputs.into_iter().map(|output| Output {
                    policy: output.policy,
                    // What is lacking of 1 is the chance of no result.
                    win_draw_loss: [output.win, 0.0, output.loss],
                    lead: output.lead,
                    ownership: output.ownership,
                });
                outputs.collect()
            }
        }
    }
}

impl From<Arc<Net>> for Network {
    fn from(net: Arc<Net>) -> Self {
        Self::Own(net)
    }
}
