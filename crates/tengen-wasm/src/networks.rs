//! The networks that engines may trust. None is part of the module: whoever plays need not wait for them.

use std::sync::Arc;

use tengen_nn::{Expert, Net, judge_by_file};
use tengen_search::Judge;

/// What a network is to a host.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NetworkKind {
    /// The baseline for small boards.
    SmallBaseline,
    /// The baseline for large boards.
    LargeBaseline,
    /// One that somebody has brought, of whatever kind.
    Own,
}

/// The networks that have arrived.
#[derive(Debug, Default)]
pub(crate) struct Networks {
    small: Option<Arc<Net>>,
    large: Option<Arc<Net>>,
    own: Option<Judge>,
}

impl Networks {
    /// Reads a network; the error says in one line what is wrong with its file.
    pub(crate) fn add(&mut self, kind: NetworkKind, bytes: &[u8]) -> Result<(), String> {
        let baseline = || match Net::from_bytes(bytes) {
            Ok(net) => Ok(Some(Arc::new(net))),
            Err(error) => Err(error.to_string()),
        };
        match kind {
            NetworkKind::SmallBaseline => self.small = baseline()?,
            NetworkKind::LargeBaseline => self.large = baseline()?,
            NetworkKind::Own => {
                let judge = judge_by_file(bytes).map_err(|error| error.to_string())?;
                self.own = Some(judge);
            }
        }
        Ok(())
    }

    /// Goes back to the baselines.
    pub(crate) fn drop_own(&mut self) {
        self.own = None;
    }

    /// Who judges: the network that somebody has brought, the baselines, or rollouts until these have arrived.
    pub(crate) fn judge(&self) -> Judge {
        match (&self.own, &self.small, &self.large) {
            (Some(own), ..) => own.clone(),
            (None, Some(small), Some(large)) => Expert::pair(small, large),
            (None, Some(small), None) => {
                let name = format!("baseline network {}", small.architecture());
                Expert::judge(&name, small, Net::BASELINE_SIDE)
            }
            (None, None, _) => Judge::default(),
        }
    }
}
