//! The last boards of a game.

use tengen_core::{Color, Game, Move, PointSet, Size};

use crate::action::Actions;

/// How many boards are remembered, the current one included.
pub const BOARDS: usize = 8;

/// The stones of the last eight boards of a game, one bit a board: bit 0 is the board as it stands, bit 1 the one
/// before the last move, and so on. Before the start all boards are empty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecentBoards {
    actions: Actions,
    /// Black's points first, then White's.
    points: Box<[u8]>,
}

impl RecentBoards {
    /// The last boards of this game, in a frame that the game's board fits into.
    pub fn of(game: &Game, actions: Actions) -> Self {
        let mut recent = Self {
            actions,
            points: vec![0; 2 * actions.pass()].into(),
        };
        recent.show(game);
        let mut earlier = game.clone();
        for board in 1..BOARDS {
            if earlier.undo().is_none() {
                break;
            }
            recent.add(&earlier, board);
        }
        recent
    }

    /// The frame that the boards lie in.
    pub const fn frame(&self) -> Size {
        self.actions.frame()
    }

    /// Forgets everything but the board as it stands.
    pub(crate) fn show(&mut self, game: &Game) {
        self.points.fill(0);
        self.add(game, 0);
    }

    fn add(&mut self, game: &Game, board: usize) {
        for color in Color::BOTH {
            for point in game.board().stones(color) {
                let place = self.actions.number(Move::Play(point));
                self.of_color_mut(color)[place] |= 1 << board;
            }
        }
    }

    /// Takes note of the move that the game has just made.
    #[inline]
    pub(crate) fn advance(&mut self, game: &Game) {
        for boards in &mut self.points {
            *boards = *boards << 1 | *boards & 1;
        }
        let Some(turn) = game.last_turn() else { return };
        let Move::Play(_) = turn.action else { return };
        if !turn.suicide {
            let place = self.actions.number(turn.action);
            self.of_color_mut(turn.color)[place] |= 1;
        }
        let gone = if turn.suicide {
            turn.color
        } else {
            !turn.color
        };
        for &stone in game.last_removed() {
            let place = self.actions.number(Move::Play(stone));
            self.of_color_mut(gone)[place] &= !1;
        }
    }

    /// One byte for each point of the frame, in the order of the actions.
    #[inline]
    pub(crate) fn of_color(&self, color: Color) -> &[u8] {
        let (black, white) = self.points.split_at(self.points.len() / 2);
        match color {
            Color::Black => black,
            Color::White => white,
        }
    }

    #[inline]
    fn of_color_mut(&mut self, color: Color) -> &mut [u8] {
        let (black, white) = self.points.split_at_mut(self.points.len() / 2);
        match color {
            Color::Black => black,
            Color::White => white,
        }
    }

    /// The stones of one colour so many boards ago.
    pub fn stones(&self, color: Color, ago: usize) -> PointSet {
        let boards = self.of_color(color).iter().enumerate();
        boards
            .filter(|(_, boards)| **boards >> ago & 1 != 0)
            .filter_map(|(place, _)| match self.actions.action(place) {
                Some(Move::Play(point)) => Some(point),
                _ => None,
            })
            .collect()
    }
}
