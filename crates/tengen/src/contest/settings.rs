//! What a match is about. Two runs with the same settings are parts of one match.

use std::collections::BTreeMap;
use std::fmt;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use tengen_core::{Color, Game, Komi, Rules, Size};

use super::opening::mix;

/// One of the two players of a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Side {
    First,
    Second,
}

impl Side {
    pub(crate) const BOTH: [Self; 2] = [Self::First, Self::Second];

    pub(crate) const fn index(self) -> usize {
        match self {
            Self::First => 0,
            Self::Second => 1,
        }
    }

    pub(crate) const fn other(self) -> Self {
        match self {
            Self::First => Self::Second,
            Self::Second => Self::First,
        }
    }
}

impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::First => "first",
            Self::Second => "second",
        })
    }
}

/// All that decides what the games of a match are like. How many there are and how many at once does not.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Settings {
    /// The commands of the first and the second player.
    pub(crate) commands: [String; 2],
    pub(crate) names: [String; 2],
    pub(crate) referee: Option<String>,
    pub(crate) size: Size,
    pub(crate) rules: Rules,
    pub(crate) komi: Komi,
    pub(crate) opening_moves: usize,
    pub(crate) seed: u64,
    pub(crate) max_moves: usize,
    pub(crate) move_timeout: Duration,
    pub(crate) time: Option<TimeSettings>,
    pub(crate) restart: Restart,
}

/// Are programs kept from one game to the next?
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Restart {
    /// As long as they live, unless their command is different for each game.
    AfterCrash,
    EachGame,
}

/// GTP's `time_settings`: main time, then periods for so many stones.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub(crate) struct TimeSettings {
    pub(crate) main: u32,
    pub(crate) period: u32,
    pub(crate) stones: u32,
}

impl Settings {
    /// The game before its first move.
    pub(crate) fn start(&self) -> Game {
        let mut game = Game::new(self.size, self.rules);
        game.set_komi(self.komi);
        game
    }

    /// Whose Black is in this game, from 1 on: colours change after each.
    pub(crate) const fn black(number: u32) -> Side {
        match number % 2 {
            1 => Side::First,
            _ => Side::Second,
        }
    }

    /// The pair that a game belongs to, from 0 on. Both games of it have one opening.
    pub(crate) const fn pair(number: u32) -> u32 {
        (number - 1) / 2
    }

    /// Who plays this colour in this game.
    pub(crate) fn side(number: u32, color: Color) -> Side {
        match color {
            Color::Black => Self::black(number),
            Color::White => Self::black(number).other(),
        }
    }

    /// A number for `{seed}` in the commands of a game. Programs read it as a whole number of 31 bits.
    pub(crate) fn seed_of(&self, number: u32) -> u32 {
        (mix(self.seed, u64::from(number) << 32) >> 33) as u32
    }

    /// As they are written down, each under the name of its option.
    pub(crate) fn to_map(&self) -> BTreeMap<&'static str, serde_json::Value> {
        let [first, second] = &self.commands;
        let [name_first, name_second] = &self.names;
        BTreeMap::from([
            ("first", first.as_str().into()),
            ("second", second.as_str().into()),
            ("name-first", name_first.as_str().into()),
            ("name-second", name_second.as_str().into()),
            ("referee", self.referee.clone().into()),
            ("size", self.size.to_string().into()),
            ("rules", self.rules.to_string().into()),
            ("komi", self.komi.to_string().into()),
            ("openings", self.opening_moves.into()),
            ("seed", self.seed.into()),
            ("max-moves", self.max_moves.into()),
            ("move-timeout", self.move_timeout.as_secs_f64().into()),
            ("time", serde_json::json!(self.time)),
            ("restart", serde_json::json!(self.restart)),
        ])
    }
}
