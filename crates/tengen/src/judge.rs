//! Who judges positions for the engine: a network, or rollouts.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use clap::Args;
use tengen_nn::{Net, NetEvaluator};
use tengen_search::Judge;

use crate::failure::Usage;

/// The name that stands for no network.
const NONE: &str = "none";

/// The option that names a network.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct JudgeArgs {
    /// The network to think with: a file that `tengen train` made. `none` thinks with rollouts alone, which is the default.
    #[arg(long, value_name = "FILE")]
    pub(crate) net: Option<String>,
}

impl JudgeArgs {
    /// The judge that was asked for.
    pub(crate) fn judge(&self) -> Result<Judge, Usage> {
        match self.net.as_deref() {
            None | Some(NONE) => Ok(Judge::default()),
            Some(file) => Ok(NetEvaluator::judge(Arc::new(read_net(Path::new(file))?))),
        }
    }
}

/// The network in a file.
pub(crate) fn read_net(file: &Path) -> Result<Net, Usage> {
    let name = file.display();
    let bytes = fs::read(file).map_err(|error| Usage::new(format_args!("{name}: {error}")))?;
    Net::from_bytes(&bytes).map_err(|error| Usage::new(format_args!("{name}: {error}")))
}
