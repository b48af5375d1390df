//! Rules as independent axes.

use crate::komi::Komi;
use crate::size::Size;

/// A rule set: one choice on each axis. The named ones are in [`Preset`](crate::Preset).
///
/// ```
/// use tengen_core::{Ko, Rules};
/// let rules: Rules = "chinese".parse().unwrap();
/// assert_eq!(rules.ko, Ko::Positional);
/// assert_eq!("koPOSITIONALscoreAREAsui0whbN".parse(), Ok(rules));
/// assert_eq!(rules.to_string(), "chinese");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Rules {
    /// Which repetitions are illegal.
    pub ko: Ko,
    /// What happens when a legal stone recreates an earlier board.
    pub repetition: Repetition,
    /// Whether a player may take the own stones off.
    pub suicide: Suicide,
    /// What counts at the end.
    pub scoring: Scoring,
    /// What happens to dead stones before they are counted.
    pub dead_stones: DeadStones,
    /// White's compensation; `None` is [`Komi::fair`] for the size.
    pub komi: Option<Komi>,
    /// Who wins when both have the same score.
    pub ties: Ties,
    /// Where handicap stones go.
    pub handicap: HandicapPlacement,
    /// What White gets for Black's handicap stones.
    pub compensation: Compensation,
    /// How many passes in a row end the game. With none, the first move ends it, whatever it is.
    pub passes: u8,
    /// How long a game may last before it is scored as it stands.
    pub max_moves: MoveLimit,
}

impl Rules {
    /// Positional superko, suicide allowed, area counted as it stands: the rules of Tromp and Taylor.
    pub const TROMP_TAYLOR: Self = Self {
        ko: Ko::Positional,
        repetition: Repetition::PLAY_ON,
        suicide: Suicide::Allowed,
        scoring: Scoring::Area,
        dead_stones: DeadStones::Captured,
        komi: None,
        ties: Ties::Draw,
        handicap: HandicapPlacement::Free,
        compensation: Compensation::None,
        passes: 2,
        max_moves: MoveLimit::None,
    };

    /// The komi of a game on this size.
    pub fn komi_for(&self, size: Size) -> Komi {
        self.komi.unwrap_or_else(|| Komi::fair(size, self.scoring))
    }

    /// The same rules with this komi.
    #[must_use]
    pub const fn with_komi(self, komi: Komi) -> Self {
        Self {
            komi: Some(komi),
            ..self
        }
    }
}

/// Tromp-Taylor.
impl Default for Rules {
    fn default() -> Self {
        Self::TROMP_TAYLOR
    }
}

/// Which repetitions are illegal. A pass is always legal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Ko {
    /// Only the immediate retaking of a single stone.
    Simple,
    /// Any stone that recreates an earlier board of the game, the starting board included.
    Positional,
    /// Any stone that recreates an earlier board with the same player to move. A pass records the situation it creates.
    Situational,
}

/// What follows when a stone that the ko rule allows recreates an earlier board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Repetition {
    /// What happens to the game.
    pub effect: RepetitionEffect,
    /// Compare only with this many boards before the current one; `None` compares with all.
    pub window: Option<u16>,
}

impl Repetition {
    /// Nothing follows.
    pub const PLAY_ON: Self = Self::all(RepetitionEffect::PlayOn);

    /// This effect, whenever the earlier board was.
    pub const fn all(effect: RepetitionEffect) -> Self {
        Self {
            effect,
            window: None,
        }
    }
}

/// What a repetition does to the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RepetitionEffect {
    /// Nothing.
    PlayOn,
    /// The player who repeated has lost.
    Loses,
    /// The game is drawn.
    Draws,
    /// The game is void, as under Japanese rules.
    NoResult,
}

/// Whether a player may take the own stones off.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Suicide {
    /// Never.
    Forbidden,
    /// Two stones or more at once.
    MultiStone,
    /// Any number. A single stone leaves the board as it was, so superko forbids it in most cases.
    Allowed,
}

/// What counts at the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Scoring {
    /// Stones, and empty regions that touch one colour only.
    Area,
    /// Empty regions that touch one colour only, and prisoners.
    Territory,
    /// Stones, empty regions that touch one colour only, and prisoners.
    AreaAndPrisoners,
}

/// What happens to dead stones before a board is counted. [`Game::score`](crate::Game::score) counts every stone that
/// stands; whoever plays by agreement brings a [`Settlement`](crate::Settlement).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DeadStones {
    /// Nothing: the stones count as they stand, so that dead ones must be captured before the game ends.
    Captured,
    /// The players agree on what is dead. KataGo calls this a friendly pass.
    Agreed,
}

/// Who wins when both have the same score.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Ties {
    /// Nobody.
    Draw,
    /// Black.
    Black,
    /// White.
    White,
}

/// Where handicap stones go.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum HandicapPlacement {
    /// On the star points, in the customary order.
    Fixed,
    /// Where Black likes.
    Free,
}

/// What White gets for Black's handicap stones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Compensation {
    /// Nothing.
    None,
    /// A point for each stone.
    PerStone,
    /// A point for each stone but the first.
    PerStoneButFirst,
}

impl Compensation {
    /// The points for a handicap of so many stones.
    pub const fn points(self, stones: u16) -> u16 {
        match self {
            Self::None => 0,
            Self::PerStone => stones,
            Self::PerStoneButFirst => stones.saturating_sub(1),
        }
    }
}

/// How long a game may last before it is scored as it stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MoveLimit {
    /// Any length.
    None,
    /// This many moves, passes included.
    Moves(u32),
    /// This many times the number of points.
    TimesArea(u8),
}

impl MoveLimit {
    /// The number of moves on a board of this size, if there is a limit.
    pub const fn moves(self, size: Size) -> Option<u32> {
        match self {
            Self::None => None,
            Self::Moves(moves) => Some(moves),
            Self::TimesArea(factor) => Some(factor as u32 * size.area() as u32),
        }
    }
}
