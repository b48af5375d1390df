//! Which moves a tree has.

use tengen_core::{Board, Color, Move, Point, PointSet, Settlement, Suicide};

/// Which moves are looked at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Policy {
    /// All that are legal under simple ko. Scores are exact.
    #[default]
    Legal,
    /// Those that the player of the Go-Solver document would make. **Unsound**: a move that is left out may be the best
    /// one, so that scores are those of another game.
    ///
    /// Eyes and big eyes of the player's own are not filled, a pass is the last resort, and a second pass is only for
    /// boards on which no empty point is disputed.
    PlayerRules,
}

impl Policy {
    /// The moves of a player, stones before a pass.
    pub(super) fn choices(self, board: &Board, mover: Color, passed: bool) -> Vec<Move> {
        let legal = board.playable(mover, Suicide::Forbidden);
        let stones = legal.iter().filter(|point| match self {
            Self::Legal => true,
            Self::PlayerRules => !is_dumb(board, *point, mover),
        });
        let mut choices: Vec<Move> = stones.map(Move::Play).collect();
        let may_pass = match self {
            Self::Legal => true,
            Self::PlayerRules => choices.is_empty() && (!passed || is_settled(board)),
        };
        if may_pass {
            choices.push(Move::Pass);
        }
        choices
    }
}

/// Would a stone here fill an own eye that is in no danger, or an own big eye?
fn is_dumb(board: &Board, point: Point, mover: Color) -> bool {
    if board.is_surrounded(point, mover) {
        // The opponent can destroy the eye at once by a capture.
        return board.check(point, !mover, Suicide::Forbidden).is_err();
    }
    is_big_eye(board, point, mover)
}

/// Is the point one of two connected empty points around which connected stones of a player stand?
fn is_big_eye(board: &Board, point: Point, player: Color) -> bool {
    let eye = PointSet::from(point).flood(&board.empty_points());
    let around = (eye.neighbors() & *board.points()) - eye;
    let first = around.first().and_then(|stone| board.chain_at(stone));
    eye.len() == 2
        && first.is_some_and(|chain| chain.color == player && around.is_subset(&chain.stones))
}

/// Does every empty point belong to somebody?
fn is_settled(board: &Board) -> bool {
    board.territory(&Settlement::default()).dame.is_empty()
}

#[cfg(test)]
mod tests {
    use tengen_core::Setup;

    use super::*;

    /// Black's choices in GTP's words.
    fn choices(diagram: &str, passed: bool) -> Vec<String> {
        let board = diagram
            .parse::<Setup>()
            .expect("a diagram")
            .board()
            .expect("a board");
        let choices = Policy::PlayerRules.choices(&board, Color::Black, passed);
        choices
            .iter()
            .map(|choice| choice.to_gtp(board.size()))
            .collect()
    }

    #[test]
    fn eyes_are_not_filled_unless_they_are_in_danger() {
        assert_eq!(
            choices(". X .\nX X .\n. . .", false),
            ["C3", "C2", "A1", "B1", "C1"]
        );
        // White could capture a stone at A3, so Black may connect there.
        assert_eq!(choices(". X O\nX O O\n. O .", false), ["A3", "A1"]);
        assert_eq!(choices(". . X\nX X X\nX . X", false), ["pass"]);
    }

    #[test]
    fn the_second_pass_waits_until_nothing_is_disputed() {
        assert_eq!(choices(". X .\nX X X\n. X .", true), ["pass"]);
        assert_eq!(choices("X X . O\nX X . O", false), ["C2", "C1"]);
        let settled = |diagram: &str| {
            let setup = diagram.parse::<Setup>().expect("a diagram");
            is_settled(&setup.board().expect("a board"))
        };
        assert!(settled(". X O .") && settled("X . X"));
        assert!(!settled("X . O") && !settled(". . ."));
    }
}
