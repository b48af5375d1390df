//! Those who play.

use std::collections::HashMap;
use std::convert::Infallible;
use std::fmt;
use std::path::Path;
use std::str::FromStr;

use tengen_train::Player;

use crate::failure::Usage;
use crate::named_net::{AnyNet, NamedNet};

/// The word for the search without a network.
const ROLLOUTS: &str = "rollouts";

/// A player as the command line names it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Name {
    /// A file, `baseline`, or the word for the search without a network.
    who: String,
    visits: Option<u32>,
}

/// The number of visits comes behind the last `@`. A file may have that sign in its name.
impl FromStr for Name {
    type Err = Infallible;

    fn from_str(text: &str) -> Result<Self, Infallible> {
        let parts = text.rsplit_once('@').and_then(|(who, visits)| {
            let visits = visits.parse().ok()?;
            Some((who, visits))
        });
        Ok(match parts {
            Some((who, visits)) => Self {
                who: who.to_owned(),
                visits: Some(visits),
            },
            None => Self {
                who: text.to_owned(),
                visits: None,
            },
        })
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.who)?;
        self.visits.map_or(Ok(()), |visits| write!(f, "@{visits}"))
    }
}

/// A player of the tournament.
pub(super) struct Contender {
    pub(super) name: String,
    pub(super) player: Player,
}

impl Contender {
    /// All players, each network read once.
    pub(super) fn all(names: &[Name], visits: u32) -> Result<Vec<Self>, Usage> {
        let mut players: HashMap<&str, Player> = HashMap::new();
        let mut all: Vec<Self> = Vec::new();
        for given in names {
            let visits = given.visits.unwrap_or(visits);
            let name = Name {
                who: given.who.clone(),
                visits: Some(visits),
            };
            let name = name.to_string();
            if all.iter().any(|known| known.name == name) {
                return Err(Usage::new(format_args!("{name} is named twice")));
            }
            let player = if given.who == ROLLOUTS {
                if visits == 0 {
                    return Err(Usage::new("rollouts need a visit or more: rollouts@1000"));
                }
                Player::Rollouts(visits)
            } else {
                let known = players.get(given.who.as_str()).cloned();
                let player = match known {
                    Some(player) => player,
                    None => match AnyNet::read(Path::new(&given.who))? {
                        AnyNet::Own(NamedNet { net, .. }) => Player::Network(net, visits),
                        AnyNet::KataGo(net, _) => Player::KataGo(net, visits),
                    },
                };
                let player = player.with_visits(visits);
                players.insert(&given.who, player.clone());
                player
            };
            all.push(Self { name, player });
        }
        Ok(all)
    }
}
