//! What the player to move may do, and why not.

use super::{Game, Turn};
use crate::color::{ByColor, Color};
use crate::illegal_move::IllegalMove;
use crate::moves::Move;
use crate::point::Point;
use crate::point_set::{PointSet, SMALL, WORDS};
use crate::rows::Rows;
use crate::rules::{Ko, Suicide};

impl Game {
    /// May the player to move make this move, and if not, why?
    #[inline]
    pub fn check(&self, action: Move) -> Result<(), IllegalMove> {
        if self.is_over() {
            return Err(IllegalMove::GameOver);
        }
        let Move::Play(point) = action else {
            return Ok(());
        };
        self.board.check(point, self.to_move, self.rules.suicide)?;
        if self.repeats(point) {
            return Err(IllegalMove::Superko);
        }
        Ok(())
    }

    /// May the player to move make this move?
    #[inline]
    pub fn is_legal(&self, action: Move) -> bool {
        self.check(action).is_ok()
    }

    /// All points where the player to move may play. A pass is legal as well until the game is over.
    #[inline]
    pub fn legal_moves(&self) -> PointSet {
        if self.is_over() {
            return PointSet::EMPTY;
        }
        if self.board.is_small() {
            self.legal_in::<SMALL>().into()
        } else {
            self.legal_in::<WORDS>().into()
        }
    }

    /// [`Game::legal_moves`] on a board that fits into so many rows.
    ///
    /// What superko forbids is rare, and mostly a look at a few numbers tells that there is nothing of it. The rest is
    /// called, not inlined, and finds out anew what it needs, so that the whole-board steps here stay in registers.
    #[inline(always)]
    fn legal_in<const ROWS: usize>(&self) -> Rows<ROWS> {
        let outlook = self.board.outlook::<ROWS>(self.to_move);
        let mut legal = outlook.playable(self.rules.suicide, self.board.ko());
        if self.rules.ko == Ko::Simple {
            return legal;
        }
        if self.rules.suicide != Suicide::Forbidden {
            let suicides = legal - outlook.breathing;
            if !suicides.is_empty() {
                legal = legal - self.repeating_suicides(&suicides);
            }
        }
        if self.has_lost_since(self.since(|standing| standing[self.to_move])) {
            legal = legal - self.repeating_stones(&legal);
        }
        legal
    }

    /// Those of these suicides that recreate a position.
    #[inline(never)]
    fn repeating_suicides<const ROWS: usize>(&self, suicides: &Rows<ROWS>) -> Rows<ROWS> {
        let color = self.to_move;
        let joined = *suicides & Rows::of(self.board.stones(color)).neighbors();
        // A stone that dies alone leaves the board as it is, wherever that happens.
        let mut repeating = match self.repeats_by_lone_suicide() {
            true => *suicides - joined,
            false => Rows::EMPTY,
        };
        let since = self.since(|standing| standing[!color]);
        // The board as it stands is another, since it has stones that die.
        if since < self.history.last() {
            joined.for_each(|point| {
                if self.recreates(self.board.hash_after_suicide(point, color).0, since) {
                    repeating.insert(point);
                }
            });
        }
        repeating
    }

    /// Those of these points where a stone that lives recreates a position.
    ///
    /// That can only be where the player has stood before, since the position held the stone.
    #[inline(never)]
    fn repeating_stones<const ROWS: usize>(&self, points: &Rows<ROWS>) -> Rows<ROWS> {
        let color = self.to_move;
        let outlook = self.board.outlook::<ROWS>(color);
        let suspects = *points & outlook.breathing & Rows::of(&self.stood[color]);
        let capturing = suspects & outlook.doomed.neighbors();
        let mut repeating = Rows::EMPTY;
        let since = self.since(|standing| standing[color]);
        capturing.for_each(|point| {
            if self.recreates(self.board.hash_after_capture(point, color), since) {
                repeating.insert(point);
            }
        });
        if let Some(since) = self.since_one_more() {
            (suspects - capturing).for_each(|point| {
                if self.recreates(self.board.hash_with(point, color), since) {
                    repeating.insert(point);
                }
            });
        }
        repeating
    }

    /// Has the player to move lost stones after this position? If not, none of the positions from there on holds a
    /// stone of theirs that is gone now, and no stone that lives can recreate one.
    #[inline]
    fn has_lost_since(&self, position: usize) -> bool {
        self.history.is_long() || self.last_loss[self.to_move] as usize > position
    }

    /// Does a stone on this point, which is playable otherwise, recreate a position that the superko rule remembers?
    #[inline]
    fn repeats(&self, point: Point) -> bool {
        let color = self.to_move;
        if self.rules.ko == Ko::Simple {
            return false;
        }
        if self.rules.suicide != Suicide::Forbidden && self.board.is_suicide(point, color) {
            let (hash, lost) = self.board.hash_after_suicide(point, color);
            return match lost {
                0 => self.repeats_by_lone_suicide(),
                _ => self.recreates(hash, self.since(|standing| standing[!color])),
            };
        }
        let since = self.since(|standing| standing[color]);
        self.has_lost_since(since)
            && self.stood[color].contains(point)
            && self.recreates(self.board.hash_after_capture(point, color), since)
    }

    /// Does a suicide of one stone recreate a position? It leaves the board as it is.
    #[inline]
    fn repeats_by_lone_suicide(&self) -> bool {
        self.rules.ko == Ko::Positional || self.recreates(self.board.hash(), self.since_standing())
    }

    /// Has the superko rule seen this board, if the player to move makes it? No position before `since` can have it.
    #[inline]
    fn recreates(&self, hash: u64, since: usize) -> bool {
        let to_move = match self.rules.ko {
            Ko::Situational => Some(!self.to_move),
            Ko::Simple | Ko::Positional => None,
        };
        self.history.contains(hash, to_move, since)
    }

    /// The first position that can have all stones that stand now, but for those that the move takes off.
    #[inline]
    fn since(&self, left: impl Fn(&ByColor<u32>) -> u32) -> usize {
        left(&self.standing_since) as usize
    }

    /// The first position that can have the board as it stands.
    #[inline]
    pub(super) fn since_standing(&self) -> usize {
        self.since(|standing| standing.black.max(standing.white))
    }

    /// The first position that a stone which captures nothing can recreate, as far as numbers of stones tell.
    #[inline]
    fn since_one_more(&self) -> Option<usize> {
        let mut stones = self.stones;
        stones[self.to_move] += 1;
        self.history.with_stones(stones, self.since_standing())
    }

    /// Stones of this colour are gone, perhaps the one that came last.
    #[inline]
    pub(super) fn forget_standing(&mut self, color: Color) {
        let Some(turn) = (self.standing_since[color] as usize).checked_sub(1) else {
            return;
        };
        let stands = self.turns.get(turn).and_then(|turn| turn.action.point());
        if !stands.is_some_and(|point| self.board.stones(color).contains(point)) {
            self.find_standing(color, turn.min(self.turns.len()));
        }
    }

    /// Finds the stone of this colour anew that came to its point last of all that stand there, among the turns before
    /// this position.
    #[cold]
    pub(super) fn find_standing(&mut self, color: Color, before: usize) {
        let stones = self.board.stones(color);
        let stands = |turn: &Turn| match turn.action {
            Move::Play(point) => turn.first_stand && turn.color == color && stones.contains(point),
            Move::Pass => false,
        };
        let last = self.turns[..before].iter().rposition(stands);
        self.standing_since[color] = last.map_or(0, |turn| turn as u32 + 1);
    }
}

#[cfg(test)]
mod tests {
    use rand_core::{Rng, SeedableRng};
    use rand_xoshiro::Xoshiro256PlusPlus;

    use super::*;
    use crate::rules::Rules;
    use crate::size::Size;

    /// Does no earlier board, with this player to move where the rules ask, come back by a stone that the board allows?
    fn is_new(game: &Game, point: Point) -> bool {
        let mut board = game.board().clone();
        board.play_unchecked(point, game.to_move(), |_| ());
        !game.history.positions().iter().any(|position| {
            position.hash == board.hash()
                && (game.rules().ko == Ko::Positional || position.to_move != game.to_move())
        })
    }

    #[test]
    fn masks_are_exact_while_moves_are_played_and_undone() {
        let mut dice = Xoshiro256PlusPlus::seed_from_u64(11);
        let mut banned = 0;
        for round in 0..40 {
            let (width, height) = [(2, 2), (3, 1), (3, 3), (4, 3)][round % 4];
            let rules = Rules {
                ko: [Ko::Positional, Ko::Situational][round / 4 % 2],
                suicide: [Suicide::Allowed, Suicide::MultiStone, Suicide::Forbidden][round % 3],
                ..Rules::TROMP_TAYLOR
            };
            let mut game = Game::new(Size::new(width, height).unwrap(), rules);
            for _ in 0..300 {
                let playable = game.board().playable(game.to_move(), rules.suicide);
                let expected: PointSet = playable
                    .iter()
                    .filter(|point| !game.is_over() && is_new(&game, *point))
                    .collect();
                assert_eq!(game.legal_moves(), expected, "{rules}\n{}", game.board());
                for point in playable {
                    let legal = game.is_legal(Move::Play(point));
                    assert_eq!(legal, expected.contains(point), "{rules}\n{}", game.board());
                }
                banned += playable.len() - expected.len();
                let drawn = dice.next_u32() as usize;
                if game.is_over() || drawn.is_multiple_of(3) {
                    for _ in 0..drawn / 3 % 5 {
                        game.undo();
                    }
                } else {
                    let choice = expected.nth(drawn / 3 % (expected.len() + 1));
                    game.play_unchecked(choice.map_or(Move::Pass, Move::Play));
                }
            }
        }
        assert!(banned > 1000, "only {banned} points were banned");
    }
}
