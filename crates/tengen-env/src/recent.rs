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
        let turns = game.turns();
        let earlier = turns.len().min(BOARDS - 1);
        // A stone of now was there on all boards, as far as no turn changed its point.
        recent.add(game, boards_from(0, earlier));
        for ago in 1..=earlier {
            let index = turns.len() - ago;
            let (turn, boards) = (&turns[index], boards_from(ago, earlier));
            let Move::Play(_) = turn.action else {
                continue;
            };
            let gone = match turn.suicide {
                true => turn.color,
                false => !turn.color,
            };
            for stone in game.removed_by(index) {
                let place = actions.number(Move::Play(*stone));
                recent.of_color_mut(gone)[place] |= boards;
            }
            let place = actions.number(turn.action);
            recent.of_color_mut(turn.color)[place] &= !boards;
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
        self.add(game, 1);
    }

    /// Marks the stones of a game on these boards.
    fn add(&mut self, game: &Game, boards: u8) {
        for color in Color::BOTH {
            for point in game.board().stones(color) {
                let place = self.actions.number(Move::Play(point));
                self.of_color_mut(color)[place] |= boards;
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

/// The bits of the boards from one to another.
const fn boards_from(first: usize, last: usize) -> u8 {
    (((1_u16 << (last + 1)) - (1_u16 << first)) & 0xff) as u8
}
