//! What a match is about. Two runs with the same settings are parts of one match.

use std::collections::BTreeMap;
use std::fmt;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use tengen_core::{Color, Game, Komi, Rules, Size};

use super::opening::mix_seed;
use crate::client::TimeSettings;

/// One of the two players of a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Side {
    /// The player whose command is named first.
    First,
    /// The other.
    Second,
}

impl Side {
    /// Both of them.
    pub const BOTH: [Self; 2] = [Self::First, Self::Second];

    /// Its place in arrays with an element for each player.
    pub const fn index(self) -> usize {
        match self {
            Self::First => 0,
            Self::Second => 1,
        }
    }

    /// The opponent.
    #[must_use]
    pub const fn other(self) -> Self {
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
pub struct MatchSettings {
    /// The commands of the first and the second player.
    pub commands: [String; 2],
    /// Their names, in results and records.
    pub names: [String; 2],
    /// The command of a program that names dead stones when the players disagree.
    pub referee: Option<String>,
    /// The board.
    pub size: Size,
    /// The rules.
    pub rules: Rules,
    /// White's komi.
    pub komi: Komi,
    /// How many moves of each game are random.
    pub opening_moves: usize,
    /// The seed of all that is random.
    pub seed: u64,
    /// The board is counted after so many moves.
    pub max_moves: usize,
    /// How long a program may take for a move.
    pub move_timeout: Duration,
    /// The clocks, if there are any.
    pub time: Option<TimeSettings>,
    /// Are programs kept from one game to the next?
    pub restart: Restart,
}

/// Are programs kept from one game to the next?
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Restart {
    /// As long as they live, unless their command is different for each game.
    AfterCrash,
    /// They are started anew for each game.
    EachGame,
}

impl MatchSettings {
    /// The game before its first move.
    pub(super) fn start(&self) -> Game {
        let mut game = Game::new(self.size, self.rules);
        game.set_komi(self.komi);
        game
    }

    /// Whose Black is in this game, from 1 on: colours change after each.
    pub(super) const fn black(number: u32) -> Side {
        match number % 2 {
            1 => Side::First,
            _ => Side::Second,
        }
    }

    /// The pair that a game belongs to, from 0 on. Both games of it have one opening.
    pub(super) const fn pair(number: u32) -> u32 {
        (number - 1) / 2
    }

    /// Who plays this colour in this game.
    pub(super) fn side(number: u32, color: Color) -> Side {
        match color {
            Color::Black => Self::black(number),
            Color::White => Self::black(number).other(),
        }
    }

    /// A number for `{seed}` in the commands of a game. Programs read it as a whole number of 31 bits.
    pub(super) fn seed_of(&self, number: u32) -> u32 {
        (mix_seed(self.seed, u64::from(number) << 32) >> 33) as u32
    }

    /// As they are written to `settings.json`, each under the name of its option.
    pub(super) fn to_map(&self) -> BTreeMap<&'static str, serde_json::Value> {
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
