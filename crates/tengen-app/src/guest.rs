//! What a host knows about its viewers.

use crate::refusal::{Code, Refusal};

/// Whoever has connections to a host, however many: an address, a user. The host numbers them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Client(pub u64);

/// What a viewer may do.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Rights {
    /// Everything.
    #[default]
    Play,
    /// Look at games, and change nothing.
    Look,
}

/// What a host knows about a viewer. Nobody is a client, and may do everything, unless it says otherwise.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Guest {
    /// Whose games count together.
    pub client: Option<Client>,
    /// What it may do.
    pub rights: Rights,
}

/// What may be called by who may only look: it changes no game and asks no engine.
const LOOKS: [&str; 15] = [
    "about",
    "games.list",
    "games.search",
    "game.get",
    "game.view",
    "game.record",
    "game.branch",
    "game.picture",
    "game.file",
    "review.get",
    "watch",
    "unwatch",
    "runs.list",
    "runs.get",
    "runs.games",
];

impl Rights {
    /// Refuses a method that these rights do not allow.
    pub fn check(self, method: &str) -> Result<(), Refusal> {
        match self {
            Self::Play => Ok(()),
            Self::Look if LOOKS.contains(&method) => Ok(()),
            Self::Look => Err(Refusal::new(
                Code::ReadOnly,
                "this link is for looking on: it changes nothing",
            )),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_may_be_looked_at_is_there() {
        for look in LOOKS {
            assert!(crate::methods().any(|method| method == look), "{look}");
            assert_eq!(Rights::Look.check(look), Ok(()));
        }
        for method in crate::methods() {
            assert_eq!(Rights::Play.check(method), Ok(()));
        }
        for act in [
            "game.play",
            "games.new",
            "games.open",
            "analysis.watch",
            "no.method",
        ] {
            assert_eq!(Rights::Look.check(act).unwrap_err().code, Code::ReadOnly);
        }
    }
}
