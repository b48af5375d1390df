//! Counting a board.

use std::fmt;

use crate::board::Board;
use crate::color::{ByColor, Color};
use crate::komi::{Komi, write_halves};
use crate::outcome::{Outcome, Reason};
use crate::point_set::PointSet;
use crate::rules::{Scoring, Ties};

/// What the players agree on before they count. Nothing, by default: every stone is alive.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Settlement {
    /// Stones that are taken off as prisoners.
    pub dead: PointSet,
    /// Stones in seki: under territory scoring the empty points that they touch count for nobody.
    pub seki: PointSet,
}

/// Who owns the empty points of a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Territory {
    /// Points whose region touches one colour only.
    pub owned: ByColor<PointSet>,
    /// All other empty points.
    pub dame: PointSet,
}

impl Board {
    /// Divides the empty points, and those of dead stones, between the players.
    ///
    /// ```
    /// use tengen_core::{Setup, Settlement};
    /// let board = ". X . O .\n. X . O .".parse::<Setup>()?.board()?;
    /// let territory = board.territory(&Settlement::default());
    /// assert_eq!(territory.owned.black.len(), 2);
    /// assert_eq!(territory.dame.len(), 2);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn territory(&self, settlement: &Settlement) -> Territory {
        let alive = Color::BOTH.map(|color| *self.stones(color) - settlement.dead);
        let alive = ByColor::from(alive);
        let open = *self.points() - alive.black - alive.white;
        let reach = alive.map(|stones| stones.neighbors().flood(&open));
        let neutral = if settlement.seki.is_empty() {
            PointSet::EMPTY
        } else {
            settlement.seki.neighbors().flood(&open)
        };
        let owned = ByColor::new(
            reach.black - reach.white - neutral,
            reach.white - reach.black - neutral,
        );
        Territory {
            owned,
            dame: open - owned.black - owned.white,
        }
    }

    /// All points of each player: living stones and territory.
    ///
    /// ```
    /// use tengen_core::{Setup, Settlement};
    /// let board = ". X . O .\n. X . O .".parse::<Setup>()?.board()?;
    /// assert_eq!(board.owners(&Settlement::default()).black.len(), 4);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn owners(&self, settlement: &Settlement) -> ByColor<PointSet> {
        let territory = self.territory(settlement).owned;
        let owned = |color: Color| (*self.stones(color) - settlement.dead) | territory[color];
        ByColor::from(Color::BOTH.map(owned))
    }
}

/// A count with all its parts, so that nothing has to be counted again to be shown.
///
/// ```
/// use tengen_core::{Game, Rules, Setup};
/// let setup: Setup = ". X O .\n. X O .\n. X O .".parse()?;
/// let game = Game::from_setup(&setup, Rules::default().with_komi("0.5".parse()?))?;
/// let score = game.score();
/// assert_eq!((score.stones.black, score.territory.black, score.stones.white), (3, 3, 3));
/// assert_eq!(score.to_string(), "W+0.5");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Score {
    /// Which of the parts count.
    pub scoring: Scoring,
    /// Living stones on the board.
    pub stones: ByColor<u32>,
    /// Empty points, dead stones' points included, that belong to each player.
    pub territory: ByColor<u32>,
    /// Enemy stones that each player has captured or that are dead.
    pub prisoners: ByColor<u32>,
    /// Empty points that belong to nobody.
    pub dame: u32,
    /// White's komi.
    pub komi: Komi,
    /// White's points for Black's handicap stones.
    pub compensation: u16,
}

impl Score {
    /// A player's total in half-points, komi and compensation included.
    pub fn halves(&self, color: Color) -> i32 {
        let points = match self.scoring {
            Scoring::Area => self.stones[color] + self.territory[color],
            Scoring::Territory => self.territory[color] + self.prisoners[color],
            Scoring::AreaAndPrisoners => {
                self.stones[color] + self.territory[color] + self.prisoners[color]
            }
        };
        let bonus = match color {
            Color::Black => 0,
            Color::White => self.komi.halves() + 2 * i32::from(self.compensation),
        };
        2 * points as i32 + bonus
    }

    /// By how many half-points Black leads; negative where White does.
    pub fn margin_halves(&self) -> i32 {
        self.halves(Color::Black) - self.halves(Color::White)
    }

    /// The result of a game that ends with this count.
    pub fn outcome(&self, ties: Ties) -> Outcome {
        let margin = self.margin_halves();
        let winner = match (margin.signum(), ties) {
            (1, _) | (0, Ties::Black) => Color::Black,
            (-1, _) | (0, Ties::White) => Color::White,
            _ => return Outcome::Draw,
        };
        Outcome::Win(winner, Reason::Score(margin.unsigned_abs()))
    }
}

/// The margin as records write it: `B+3.5`, `W+12`, `0` for a tie.
impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_margin(f, self.margin_halves())
    }
}

pub(crate) fn write_margin(f: &mut fmt::Formatter<'_>, margin: i32) -> fmt::Result {
    match margin.signum() {
        1 => f.write_str("B+")?,
        -1 => f.write_str("W+")?,
        _ => {}
    }
    write_halves(f, margin.abs())
}
