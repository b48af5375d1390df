//! A friend elsewhere: an invitation takes one seat of one game, and no more.

use serde_json::{Value, json};
use tengen_core::Color;

use crate::call::Caller;
use crate::deed::Changed;
use crate::guest::{Invitation, Rights};
use crate::host::unsupported;
use crate::refusal::{Code, Refusal, Result};
use crate::request::Invite;
use crate::room::{Room, Viewer};
use crate::sheet::{Phase, Sheet};

/// The seat that an invitation is for.
#[derive(Clone, Debug)]
pub(crate) struct Invited {
    pub game: String,
    pub color: Color,
    /// What whoever was invited knows.
    secret: String,
}

/// How long a secret is, in letters: shorter ones are guessed.
const LENGTHS: std::ops::RangeInclusive<usize> = 16..=128;

impl Room {
    /// Invites whoever knows the secret to a seat, instead of whoever was invited to it before.
    pub(crate) fn invite(&mut self, game: &str, color: Color, secret: String) -> Result<()> {
        let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
        if !LENGTHS.contains(&secret.len()) || !secret.bytes().all(is_plain) {
            return Err(Refusal::params(
                "a secret has 16 to 128 letters, digits, - and _",
            ));
        }
        self.invitations
            .retain(|_, invited| (invited.game.as_str(), invited.color) != (game, color));
        self.last_invitation += 1;
        let invited = Invited {
            game: game.to_owned(),
            color,
            secret,
        };
        self.invitations
            .insert(Invitation(self.last_invitation), invited);
        Ok(())
    }

    /// The invitation of whoever knows this secret. The time that the answer takes does not tell how much was right.
    pub fn invited(&self, secret: &str) -> Option<Invitation> {
        let same = |invited: &Invited| {
            let (own, said) = (invited.secret.bytes(), secret.bytes());
            let differences = own.zip(said).fold(0, |all, (a, b)| all | (a ^ b));
            invited.secret.len() == secret.len() && differences == 0
        };
        let found = self.invitations.iter().find(|(_, one)| same(one));
        found.map(|(invitation, _)| *invitation)
    }

    /// May somebody with these rights see a game?
    pub fn may_see(&self, rights: Rights, game: &str) -> bool {
        match rights {
            Rights::Play | Rights::Look => true,
            Rights::Seat(invitation) => {
                let invited = self.invitations.get(&invitation);
                invited.is_some_and(|invited| invited.game == game)
            }
        }
    }

    /// The seat that a viewer was invited to.
    pub(crate) fn seat_of(&self, viewer: Viewer) -> Option<&Invited> {
        match self.rights(viewer) {
            Rights::Seat(invitation) => self.invitations.get(&invitation),
            Rights::Play | Rights::Look => None,
        }
    }

    /// Lets whoever was invited do what concerns their seat alone. Gives the params as they are to be taken.
    pub(crate) fn check_seat(
        &self,
        viewer: Viewer,
        method: &str,
        mut params: Value,
    ) -> Result<Value> {
        if !matches!(self.rights(viewer), Rights::Seat(_)) || method == "about" {
            return Ok(params);
        }
        let refused = |message| Err(Refusal::new(Code::ReadOnly, message));
        let Some(invited) = self.seat_of(viewer) else {
            return refused("this invitation does not hold any more");
        };
        if params.get("game") != Some(&json!(invited.game)) {
            return refused("this invitation is for another game");
        }
        let table = self.table(&invited.game)?;
        match method {
            "game.play" => {
                table.check_phase(&[Phase::Playing])?;
                if table.game.to_move() != invited.color {
                    let message = format!("{} is not yours to play", table.game.to_move());
                    return Err(Refusal::new(Code::NotYourTurn, message));
                }
            }
            "game.resign" => params["color"] = json!(invited.color),
            _ => {}
        }
        Ok(params)
    }
}

/// `game.invite`
pub(crate) fn invite(
    room: &mut Room,
    Invite {
        game,
        color,
        secret,
    }: Invite,
    caller: Caller,
) -> Result<Changed<Sheet>> {
    if room.settings().features.get("invite") != Some(&true) {
        return Err(unsupported("invite"));
    }
    let table = room.table(&game)?;
    table.check_phase(&[Phase::Playing, Phase::Marking])?;
    if !table.seats[color].is_person() {
        return Err(Refusal::params("a program sits there"));
    }
    room.invite(&game, color, secret)?;
    room.act(&game, caller, move |table, _| {
        table.guest = Some(color);
        Ok(())
    })
}
