//! Earlier boards of a game, without a copy of the game.

use super::Game;
use crate::lean_board::LeanBoard;
use crate::moves::Move;
use crate::point::Point;

impl Game {
    /// The points that the turn with this index took stones off, its own point included where it was suicide.
    ///
    /// ```
    /// use tengen_core::{Game, Move, Point, Rules, Setup};
    /// let setup: Setup = "X O .\n. . .\nWhite to move".parse()?;
    /// let mut game = Game::from_setup(&setup, Rules::default())?;
    /// game.play(Move::Play(Point::new(0, 1)))?;
    /// game.play(Move::Pass)?;
    /// assert_eq!(game.removed_by(0), [Point::new(0, 0)]);
    /// assert_eq!(game.removed_by(1), []);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn removed_by(&self, turn: usize) -> &[Point] {
        let Some(turns) = self.turns.get(turn..) else {
            return &[];
        };
        let from_here = turns.iter().map(|turn| usize::from(turn.removed));
        let first = self.removed.len() - from_here.sum::<usize>();
        let removed = turns.first().map_or(0, |turn| turn.removed);
        &self.removed[first..first + usize::from(removed)]
    }

    /// Makes of the board after the turn with this index the board before it, simple ko included.
    ///
    /// Whoever looks back a few turns starts with a copy of [`Game::board`] and the last turn. That is cheaper than a
    /// copy of the game, which has a history to copy as well.
    ///
    /// ```
    /// use tengen_core::{Content, Game, LeanBoard, Move, Point, Rules, Size};
    /// let mut game = Game::new(Size::square(9)?, Rules::default());
    /// game.play(Move::Play(Point::new(4, 4)))?;
    /// let mut board = LeanBoard::new(game.board());
    /// game.rewind(0, &mut board);
    /// assert_eq!(board.content(Point::new(4, 4)), Content::Empty);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn rewind(&self, turn: usize, board: &mut LeanBoard) {
        let Some(turn_taken) = self.turns.get(turn) else {
            return;
        };
        let Move::Play(point) = turn_taken.action else {
            board.set_ko(turn_taken.ko_before);
            return;
        };
        let removed = self.removed_by(turn);
        if turn_taken.suicide {
            let others = removed.iter().copied().filter(|stone| *stone != point);
            board.undo_suicide(others, turn_taken.color);
            board.set_ko(turn_taken.ko_before);
        } else {
            board.retract(point, turn_taken.color, removed, turn_taken.ko_before);
        }
    }
}

#[cfg(test)]
mod tests {
    use rand_core::{Rng, SeedableRng};
    use rand_xoshiro::Xoshiro256PlusPlus;

    use super::*;
    use crate::rules::{Rules, Suicide};
    use crate::size::Size;

    #[test]
    fn rewinding_leads_through_all_boards_of_the_game() {
        // Small boards, so that there are ko, captures and suicides.
        let mut dice = Xoshiro256PlusPlus::seed_from_u64(7);
        let mut suicides = 0;
        for (width, height) in [(2, 3), (4, 4), (7, 3)].repeat(20) {
            let size = Size::new(width, height).unwrap();
            let rules = Rules {
                suicide: Suicide::Allowed,
                ..Rules::TROMP_TAYLOR
            };
            let mut game = Game::new(size, rules);
            let mut boards = vec![game.board().clone()];
            while !game.is_over() && boards.len() < 200 {
                let legal = game.legal_moves();
                let choice = dice.next_u32() as usize % (legal.len() + 1);
                game.play(legal.nth(choice).map_or(Move::Pass, Move::Play))
                    .unwrap();
                boards.push(game.board().clone());
            }
            suicides += game.turns().iter().filter(|turn| turn.suicide).count();
            let mut lean = LeanBoard::new(game.board());
            for turn in (0..game.turns().len()).rev() {
                game.rewind(turn, &mut lean);
                let expected = LeanBoard::new(&boards[turn]);
                assert_eq!(lean.ko(), expected.ko(), "turn {turn}\n{}", boards[turn]);
                for point in size.points() {
                    assert_eq!(lean.content(point), expected.content(point));
                    if boards[turn].color_at(point).is_some() {
                        let liberties = |board: &LeanBoard| board.liberties::<4>(point).count();
                        assert_eq!(liberties(&lean), liberties(&expected), "{}", boards[turn]);
                        assert_eq!(lean.chain_len(point), expected.chain_len(point));
                    }
                }
            }
        }
        assert!(suicides > 0);
    }
}
