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
    /// Look at one game, and play one colour of it.
    Seat(Invitation),
}

/// The number of an invitation. The room knows which seat it is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Invitation(pub u64);

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

/// What may be called by who was invited to a seat, of the game with that seat.
const SITS: [&str; 13] = [
    "about",
    "game.get",
    "game.view",
    "game.record",
    "game.picture",
    "game.file",
    "review.get",
    "watch",
    "unwatch",
    "game.play",
    "game.resign",
    "game.dead",
    "game.accept",
];

impl Rights {
    /// Refuses a method that these rights do not allow.
    pub fn check(self, method: &str) -> Result<(), Refusal> {
        match self {
            Self::Play => Ok(()),
            Self::Look if LOOKS.contains(&method) => Ok(()),
            Self::Seat(_) if SITS.contains(&method) => Ok(()),
            Self::Seat(_) => Err(Refusal::new(
                Code::ReadOnly,
                "this invitation is for one seat of one game",
            )),
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
        for sits in SITS {
            assert!(crate::methods().any(|method| method == sits), "{sits}");
        }
        for act in ["game.undo", "game.seats", "games.list", "games.new"] {
            let refused = Rights::Seat(Invitation(1)).check(act).unwrap_err();
            assert_eq!(refused.code, Code::ReadOnly);
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
