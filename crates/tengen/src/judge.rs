//! Who judges positions for the engine: a network, or rollouts.

use std::path::Path;

use clap::Args;
use tengen_nn::katago::KataGoEvaluator;
use tengen_nn::{Expert, LONGEST_SIDE, Net};
use tengen_search::Judge;

use crate::failure::Usage;
use crate::named_net::{AnyNet, NamedNet};

/// The name that stands for no network.
const NONE: &str = "none";

/// The option that names a network.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct JudgeArgs {
    /// The network to think with: a file that `tengen train` made, a file of KataGo, such as kata1-….bin.gz, `baseline`
    /// for the networks that are part of the program, which is the default, or `none` for rollouts alone. On boards
    /// larger than a network has learned on, rollouts judge, and it has a say in which moves are searched unless it is
    /// one of KataGo.
    #[arg(long, value_name = "FILE")]
    pub(crate) net: Option<String>,
}

impl JudgeArgs {
    /// The judge that was asked for.
    pub(crate) fn judge(&self) -> Result<Judge, Usage> {
        match self.net.as_deref() {
            None => Ok(Expert::baseline()),
            Some(NONE) => Ok(Judge::default()),
            Some(name) => match AnyNet::read(Path::new(name))? {
                AnyNet::Own(NamedNet { net, bytes }) => {
                    let notes = Net::notes(&bytes).map_err(Usage::new)?;
                    let side = notes.get(LONGEST_SIDE).map(String::as_str);
                    Ok(Expert::judge_by_note(&net, side))
                }
                AnyNet::KataGo(net, _) => Ok(KataGoEvaluator::judge(&net)),
            },
        }
    }
}
