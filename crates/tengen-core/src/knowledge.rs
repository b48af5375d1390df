//! What a game knows about a point.

use crate::board::Chain;
use crate::color::Color;
use crate::game::Game;
use crate::illegal_move::IllegalMove;
use crate::moves::Move;
use crate::point::Point;
use crate::point_map::PointMap;
use crate::point_set::PointSet;
use crate::score::Settlement;

/// Everything about one point of a game's board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PointKnowledge {
    /// The chain on the point, if a stone is there.
    pub chain: Option<Chain>,
    /// May the player to move play here, and if not, why?
    pub verdict: Result<(), IllegalMove>,
    /// The stones that the player to move would capture here, whether or not a ko rule forbids the move.
    pub captures: PointSet,
    /// The stones of either colour whose last liberty this is.
    pub atari_of: PointSet,
    /// The number of the last move here, from 1.
    pub last_played: Option<usize>,
    /// Whose eye it is, if it is one that a rollout would not fill.
    pub eye: Option<Color>,
    /// Who owns the point whatever happens: pass-alive stones and the territory that they are sure of.
    pub pass_alive: Option<Color>,
    /// Who would own the point if the game were counted now, all stones alive.
    pub owner: Option<Color>,
}

impl Game {
    /// Everything about one point. For one question about many points ask the [`Board`](crate::Board) for a set.
    ///
    /// ```
    /// use tengen_core::{Color, Game, Point, Rules, Setup};
    /// let setup: Setup = ". O X\nX X X\n. . .".parse()?;
    /// let game = Game::from_setup(&setup, Rules::default())?;
    /// let corner = game.inspect(Point::new(0, 0));
    /// assert_eq!(corner.captures.len(), 1);
    /// assert_eq!(corner.atari_of, corner.captures);
    /// assert_eq!(corner.owner, None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn inspect(&self, point: Point) -> PointKnowledge {
        let board = self.board();
        let both = Color::BOTH.into_iter();
        let last_liberty_of = |color: Color| board.captures(point, !color);
        let owners = board.owners(&Settlement::default());
        PointKnowledge {
            chain: board.chain_at(point),
            verdict: self.check(Move::Play(point)),
            captures: board.captures(point, self.to_move()),
            atari_of: last_liberty_of(Color::Black) | last_liberty_of(Color::White),
            last_played: self.last_played(point),
            eye: both.clone().find(|color| board.is_eye(point, *color)),
            pass_alive: both.clone().find(|color| {
                let alive = board.pass_alive(*color, self.rules().suicide);
                alive.stones.contains(point) || alive.territory.contains(point)
            }),
            owner: both.clone().find(|color| owners[*color].contains(point)),
        }
    }

    /// The number of the last move on a point, from 1, whether or not the stone is still there.
    pub fn last_played(&self, point: Point) -> Option<usize> {
        let here = |turn: &crate::Turn| turn.action == Move::Play(point);
        self.turns().iter().rposition(here).map(|index| index + 1)
    }

    /// [`Game::last_played`] for all points at once.
    pub fn last_played_map(&self) -> PointMap<Option<usize>> {
        let mut map = PointMap::new(None);
        for (turn, number) in self.turns().iter().zip(1..) {
            if let Move::Play(point) = turn.action {
                map[point] = Some(number);
            }
        }
        map
    }
}
