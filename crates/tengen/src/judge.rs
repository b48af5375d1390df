//! Who judges positions for the engine: a network, or rollouts.

use std::path::Path;
use std::sync::Arc;

use clap::Args;
use tengen_nn::katago::{self, KataGoEvaluator, Profile};
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
    /// Whom a network of KataGo imitates that has learned from people (humanSL): `rank_5k`, `rank_5k_2d` for Black and
    /// White, `preaz_5k` for people before 2017, or professionals such as `proyear_1990`. Moves are drawn as those
    /// players would play them, and not searched for.
    #[arg(long, value_name = "NAME")]
    pub(crate) profile: Option<Profile>,
}

impl JudgeArgs {
    /// The judge that was asked for.
    pub(crate) fn judge(&self) -> Result<Judge, Usage> {
        self.read().map(|(judge, _)| judge)
    }

    /// The same, and its network if that imitates people.
    pub(crate) fn read(&self) -> Result<(Judge, Option<Arc<katago::Net>>), Usage> {
        let nobody = |name: &str| {
            let problem =
                format_args!("{name} does not imitate people, so --profile has no effect");
            Usage::new(problem)
        };
        let judge = match self.net.as_deref() {
            None if self.profile.is_some() => return Err(nobody("the baseline")),
            None => Expert::baseline(),
            Some(NONE) if self.profile.is_some() => return Err(nobody(NONE)),
            Some(NONE) => Judge::default(),
            Some(name) => match AnyNet::read(Path::new(name))? {
                AnyNet::KataGo(net, _) if net.about().has_metadata => {
                    let judge = match self.profile {
                        Some(profile) => KataGoEvaluator::judge_imitating(&net, profile),
                        None => KataGoEvaluator::judge(&net),
                    };
                    return Ok((judge, Some(net)));
                }
                _ if self.profile.is_some() => return Err(nobody(name)),
                AnyNet::Own(NamedNet { net, bytes }) => {
                    let notes = Net::notes(&bytes).map_err(Usage::new)?;
                    let side = notes.get(LONGEST_SIDE).map(String::as_str);
                    Expert::judge_by_note(&net, side)
                }
                AnyNet::KataGo(net, _) => KataGoEvaluator::judge(&net),
            },
        };
        Ok((judge, None))
    }
}
