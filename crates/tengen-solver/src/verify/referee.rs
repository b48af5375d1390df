//! Moves and scores, by the rules of `tengen-core`.

use tengen_core::{Board, Color, IllegalMove, Move, Point, Settlement, Suicide};

use super::bound::{Lines, Mover};
use crate::certificate::{Claim, Situation, point};

/// Plays games of one claim, and counts them.
pub(super) struct Referee {
    claim: Claim,
    lines: Lines,
}

impl Referee {
    pub(super) fn new(claim: Claim) -> Self {
        Self {
            claim,
            lines: Lines::of(claim.start.size),
        }
    }

    pub(super) const fn prover(&self) -> Color {
        self.claim.bound.prover
    }

    pub(super) const fn opponent(&self) -> Color {
        match self.claim.bound.prover {
            Color::Black => Color::White,
            Color::White => Color::Black,
        }
    }

    /// The situation in which the game begins.
    pub(super) fn start(&self) -> Situation {
        let board = self.claim.start.board();
        let board = board.expect("a claim is checked when it is read");
        Situation {
            passed: self.claim.passed,
            ..Situation::of(&board)
        }
    }

    /// The board of a situation, with the player to move for whom its ko point is.
    pub(super) fn board(&self, situation: &Situation, to_move: Color) -> Board {
        let setup = situation.setup(self.claim.start.size, to_move);
        setup
            .board()
            .expect("a situation comes from a board, and all its symmetric ones can stand, too")
    }

    /// Plays the prover's reply. The opponent is to move afterwards.
    pub(super) fn play(
        &self,
        situation: &Situation,
        reply: Option<u8>,
    ) -> Result<(Board, Situation), (Move, IllegalMove)> {
        let Some(place) = reply else {
            let after = situation.after_pass();
            return Ok((self.board(&after, self.opponent()), after));
        };
        let mut board = self.board(situation, self.prover());
        let point = point(place, board.size());
        match board.play(point, self.prover(), Suicide::Forbidden) {
            Ok(_) => {
                let after = Situation::of(&board);
                Ok((board, after))
            }
            Err(reason) => Err((Move::Play(point), reason)),
        }
    }

    /// All stones that the opponent can play, and the situations that come of them.
    pub(super) fn stones(
        &self,
        board: &Board,
        spare: &mut Board,
        mut visit: impl FnMut(Point, Situation),
    ) {
        let opponent = self.opponent();
        let capturing = board.capturing(opponent);
        let now = Situation::of(board);
        let width = board.size().width();
        for point in board.playable(opponent, Suicide::Forbidden) {
            let after = if capturing.contains(point) {
                spare.clone_from(board);
                spare.play_unchecked(point, opponent, |_| {});
                Situation::of(spare)
            } else {
                // Most stones capture nothing: nothing changes but that they are there.
                let mut after = Situation { ko: None, ..now };
                after.stones[opponent] |= 1 << (point.y() * width + point.x());
                after
            };
            visit(point, after);
        }
    }

    /// Black's margin if the game ends on this board.
    pub(super) fn margin(board: &Board) -> i32 {
        let territory = board.territory(&Settlement::default());
        let points = |color| board.stones(color).len() + territory.owned[color].len();
        points(Color::Black) as i32 - points(Color::White) as i32
    }

    /// Does the claim follow from what the prover's stones guarantee?
    pub(super) fn is_sure(&self, situation: &Situation, mover: Mover) -> bool {
        if mover == Mover::Opponent && situation.passed {
            return false;
        }
        let prover = situation.stones[self.prover()];
        let opponent = situation.stones[self.opponent()];
        let sure = self.lines.guaranteed(prover, opponent, mover) as i32;
        let area = self.claim.start.size.area() as i32;
        // Without stones that live nothing is sure, not even the whole board for the opponent.
        self.claim
            .bound
            .holds_for(self.prover().sign(2 * sure - area))
    }
}

#[cfg(test)]
mod tests {
    use rand_core::{Rng, SeedableRng};
    use rand_xoshiro::Xoshiro256PlusPlus;
    use tengen_core::Setup;

    use super::*;
    use crate::bound::Bound;

    /// Stones that capture nothing are put down in a shorter way, with the same result.
    #[test]
    fn replies_are_those_of_the_board() {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(7);
        let mut kos = 0;
        for size in ["3x3", "5x4", "1x7"] {
            let start = Setup::empty(size.parse().expect("a size"));
            let referee = Referee::new(Claim::new(start, Bound::new(Color::Black, 0)));
            let mut board = Board::new(start.size);
            let mut spare = board.clone();
            for turn in 0..600 {
                let mut expected = Vec::new();
                for point in board.playable(Color::White, Suicide::Forbidden) {
                    let mut after = board.clone();
                    let played = after.play(point, Color::White, Suicide::Forbidden);
                    assert!(played.is_ok());
                    expected.push((point, Situation::of(&after)));
                    kos += usize::from(after.ko().is_some());
                }
                let mut found = Vec::new();
                referee.stones(&board, &mut spare, |point, after| {
                    found.push((point, after));
                });
                assert_eq!(found, expected, "{board}");
                let mover = Color::BOTH[turn % 2];
                let legal = board.playable(mover, Suicide::Forbidden);
                match legal.nth(random.next_u32() as usize % legal.len().max(1)) {
                    Some(point) => _ = board.play_unchecked(point, mover, |_| {}),
                    None => board = Board::new(start.size),
                }
            }
        }
        assert!(kos > 20, "{kos}");
    }
}
