//! What the player to move may do, and why not.

use super::Game;
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
    /// A stone that lives can recreate a position only if the player has stood on the point before, since that position
    /// held the stone: in an ordinary game few points are left to look at, and often none. A suicide leaves a board
    /// without the stone that was played, and is looked at by itself.
    #[inline(always)]
    fn legal_in<const ROWS: usize>(&self) -> Rows<ROWS> {
        let color = self.to_move;
        let outlook = self.board.outlook::<ROWS>(color);
        let mut legal = outlook.playable(self.rules.suicide, self.board.ko());
        if self.rules.ko == Ko::Simple {
            return legal;
        }
        let mut suspects = legal & Rows::of(&self.stood[color]);
        if self.rules.suicide != Suicide::Forbidden {
            let suicides = legal - outlook.breathing;
            if !suicides.is_empty() {
                suspects = suspects & outlook.breathing;
                // A stone that dies alone leaves the board as it is, wherever that happens.
                let alone = suicides - outlook.own.neighbors();
                if self.recreates(self.board.hash()) {
                    legal = legal - alone;
                }
                let joined = suicides - alone;
                if !joined.is_empty() {
                    for point in joined.points() {
                        let (hash, lost) = self.board.hash_after_suicide(point, color);
                        if self.has_had_stones_but(lost) && self.recreates(hash) {
                            legal.remove(point);
                        }
                    }
                }
            }
        }
        if suspects.is_empty() {
            return legal;
        }
        let capturing = suspects & outlook.doomed.neighbors();
        if !capturing.is_empty() {
            for point in capturing.points() {
                let (hash, captured) = self.board.hash_after_capture(point, color);
                if self.has_had_stones(captured) && self.recreates(hash) {
                    legal.remove(point);
                }
            }
        }
        if self.has_had_stones(0) {
            for point in (suspects - capturing).points() {
                if self.recreates(self.board.hash_with(point, color)) {
                    legal.remove(point);
                }
            }
        }
        legal
    }

    /// Does a stone on this point, which is playable otherwise, recreate a position that the superko rule remembers?
    #[inline]
    fn repeats(&self, point: Point) -> bool {
        let color = self.to_move;
        if self.rules.ko == Ko::Simple {
            return false;
        }
        if self.rules.suicide != Suicide::Forbidden && self.board.is_suicide(point, color) {
            return self.recreates(self.board.hash_after_suicide(point, color).0);
        }
        self.stood[color].contains(point)
            && self.recreates(self.board.hash_after_capture(point, color).0)
    }

    /// Has the superko rule seen this board, if the player to move makes it?
    #[inline]
    fn recreates(&self, hash: u64) -> bool {
        let to_move = match self.rules.ko {
            Ko::Situational => Some(!self.to_move),
            Ko::Simple | Ko::Positional => None,
        };
        self.history.contains(hash, to_move)
    }

    /// Was there ever a position with as many stones of either colour as after a move that captures so many?
    #[inline]
    fn has_had_stones(&self, captured: usize) -> bool {
        let mut stones = self.stones;
        stones[self.to_move] += 1;
        stones[!self.to_move] -= captured as u32;
        self.history.had_stones(stones)
    }

    /// Was there ever a position with as many stones of either colour as after a suicide that loses so many?
    #[inline]
    fn has_had_stones_but(&self, lost: usize) -> bool {
        let mut stones = self.stones;
        stones[self.to_move] -= lost as u32;
        self.history.had_stones(stones)
    }
}
