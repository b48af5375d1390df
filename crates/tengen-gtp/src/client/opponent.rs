//! A game with a program that is spoken to in GTP: how it begins, moves and clocks.

use std::time::Duration;

use serde::Serialize;
use tengen_core::{Color, Komi, Move, Rules, Setup, Size};

use super::dialect::{rules_for_katago, rules_for_kgs};
use super::{Client, ClientError};

/// A game as a program is told of it before the first move.
#[derive(Clone, Copy, Debug)]
pub struct NewGame<'a> {
    /// The board and the stones that are on it.
    pub start: &'a Setup,
    /// The rules.
    pub rules: &'a Rules,
    /// White's komi.
    pub komi: Komi,
    /// The clock of each player, if there are clocks.
    pub time: Option<TimeSettings>,
}

/// GTP's `time_settings`: main time, then periods for so many stones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct TimeSettings {
    /// Main time in seconds.
    pub main: u32,
    /// Seconds of each period after it.
    pub period: u32,
    /// Stones to be played in each period.
    pub stones: u32,
}

impl Client {
    /// Begins a game: board, rules, komi, clocks, and the stones that are there at the start.
    ///
    /// Size and komi must be accepted. Rules and clocks are told to programs that know the commands, and a program may
    /// refuse them: what it does not know about rules, the options of its command must say. Which commands it knows is
    /// asked with [`Client::learn_commands`] before.
    pub fn begin_game(&mut self, game: &NewGame<'_>, timeout: Duration) -> Result<(), ClientError> {
        let size = game.start.size;
        let (width, height) = (size.width(), size.height());
        let boardsize = match size.is_square() {
            true => format!("boardsize {width}"),
            false if self.knows("rectangular_boardsize") => {
                format!("rectangular_boardsize {width} {height}")
            }
            false => format!("boardsize {width} {height}"),
        };
        self.send(&boardsize, timeout)?;
        self.send("clear_board", timeout)?;
        self.tell_rules(game.rules, timeout)?;
        self.send(&format!("komi {}", game.komi), timeout)?;
        if let Some(time) = game.time
            && self.knows("time_settings")
        {
            let (main, period, stones) = (time.main, time.period, time.stones);
            self.send(&format!("time_settings {main} {period} {stones}"), timeout)?;
        }
        self.set_up_stones(game.start, timeout)
    }

    fn tell_rules(&mut self, rules: &Rules, timeout: Duration) -> Result<(), ClientError> {
        for (command, rules) in [
            ("kata-set-rules", Some(rules_for_katago(rules))),
            ("kgs-rules", rules_for_kgs(rules).map(str::to_owned)),
        ] {
            if let Some(rules) = rules
                && self.knows(command)
            {
                match self.send(&format!("{command} {rules}"), timeout) {
                    Ok(_) => break,
                    Err(error) if error.is_fatal() => return Err(error),
                    Err(_) => {}
                }
            }
        }
        Ok(())
    }

    /// Puts stones on the empty board. Black stones alone are a handicap, where a program knows of those.
    fn set_up_stones(&mut self, start: &Setup, timeout: Duration) -> Result<(), ClientError> {
        let (size, stones) = (start.size, &start.stones);
        let is_handicap = stones.white.is_empty() && stones.black.len() > 1;
        if is_handicap && self.knows("set_free_handicap") {
            let points: Vec<String> = stones
                .black
                .iter()
                .map(|point| point.to_gtp(size))
                .collect();
            self.send(&format!("set_free_handicap {}", points.join(" ")), timeout)?;
            return Ok(());
        }
        for color in Color::BOTH {
            for point in &stones[color] {
                self.play(color, Move::Play(point), size, timeout)?;
            }
        }
        Ok(())
    }

    /// Tells the program about a move.
    pub fn play(
        &mut self,
        color: Color,
        action: Move,
        size: Size,
        timeout: Duration,
    ) -> Result<(), ClientError> {
        let vertex = action.to_gtp(size);
        self.send(&format!("play {} {vertex}", letter(color)), timeout)?;
        Ok(())
    }

    /// Tells the program how much time a player has left, if it wants to know.
    pub fn time_left(
        &mut self,
        color: Color,
        seconds: u64,
        stones: u32,
        timeout: Duration,
    ) -> Result<(), ClientError> {
        if self.knows("time_left") {
            let command = format!("time_left {} {seconds} {stones}", letter(color));
            self.send(&command, timeout)?;
        }
        Ok(())
    }

    /// Asks the program for a move, and returns its words: a vertex, `pass`, `resign`, or nonsense.
    pub fn genmove(&mut self, color: Color, timeout: Duration) -> Result<String, ClientError> {
        let reply = self.send(&format!("genmove {}", letter(color)), timeout)?;
        Ok(reply.trim().to_owned())
    }
}

const fn letter(color: Color) -> char {
    match color {
        Color::Black => 'b',
        Color::White => 'w',
    }
}
