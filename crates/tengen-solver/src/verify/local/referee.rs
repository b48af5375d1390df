//! Moves of the local game, by the rules of `tengen-core`.

use tengen_core::{Board, Color, IllegalMove, Move, Setup, Suicide};

use crate::certificate::local::{Goal, LocalClaim, LocalSituation, Places, Supply, Threats};
use crate::verify::Flaw;

/// Plays games of one claim.
pub(super) struct Referee<'a> {
    claim: &'a LocalClaim,
    places: &'a Places,
    /// The points of the target, a bit a place.
    target: u64,
}

impl<'a> Referee<'a> {
    pub(super) fn new(claim: &'a LocalClaim, places: &'a Places) -> Self {
        let is_target = |place: &u8| claim.target.contains(places.point(*place));
        let target = (0..places.count()).filter(is_target);
        Self {
            claim,
            places,
            target: target.fold(0, |set, place| set | 1 << place),
        }
    }

    /// The situation in which the game begins.
    pub(super) fn start(&self) -> LocalSituation {
        self.places.situation(&self.claim.start, self.claim.threats)
    }

    /// The board of a situation, without a ban.
    pub(super) fn board(&self, situation: &LocalSituation) -> Board {
        let unbanned = LocalSituation {
            ko: None,
            ..*situation
        };
        // Nobody's turn matters to a board without a ban.
        let setup = self.places.setup(self.claim, &unbanned, Color::Black);
        setup
            .board()
            .expect("a situation comes from a board on which it stood")
    }

    /// Is no stone of the target left?
    pub(super) fn is_captured(&self, situation: &LocalSituation) -> bool {
        situation.stones[self.claim.defender] & self.target == 0
    }

    /// What comes of a move, a stone or a pass, on the board of a situation.
    pub(super) fn play(
        &self,
        situation: &LocalSituation,
        board: &Board,
        by: Color,
        reply: Option<u8>,
    ) -> Result<LocalSituation, Flaw> {
        let Some(place) = reply else {
            return match self.may_pass(situation, by) {
                true => Ok(LocalSituation {
                    ko: None,
                    ..*situation
                }),
                false => Err(Flaw::GivesUp),
            };
        };
        let point = self.places.point(place);
        let illegal = |reason| Flaw::Illegal(Move::Play(point), reason);
        let threats = if situation.ko == Some(place) {
            self.spend(situation.threats, by)
                .ok_or_else(|| illegal(IllegalMove::Ko))?
        } else {
            situation.threats
        };
        let mut after = board.clone();
        after.play(point, by, Suicide::Forbidden).map_err(illegal)?;
        Ok(self.places.situation(&Setup::of(&after, !by), threats))
    }

    /// The defender may always pass. The attacker who passes gives up, unless a ko forbids a stone, or the defender has
    /// to make life anyway.
    fn may_pass(&self, situation: &LocalSituation, by: Color) -> bool {
        by == self.claim.defender || situation.ko.is_some() || self.claim.goal == Goal::Live
    }

    /// Does a player spend one of any number of ko threats for this move?
    pub(super) fn is_endless(
        &self,
        situation: &LocalSituation,
        by: Color,
        reply: Option<u8>,
    ) -> bool {
        let Threats { attacker, defender } = situation.threats;
        let supply = if by == self.claim.defender {
            defender
        } else {
            attacker
        };
        reply.is_some() && reply == situation.ko && supply == Supply::Any
    }

    fn spend(&self, threats: Threats, by: Color) -> Option<Threats> {
        let Threats { attacker, defender } = threats;
        Some(if by == self.claim.defender {
            Threats {
                defender: defender.spend()?,
                ..threats
            }
        } else {
            Threats {
                attacker: attacker.spend()?,
                ..threats
            }
        })
    }
}
