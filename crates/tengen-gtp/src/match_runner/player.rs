//! A program that takes part in a match.

use std::time::Duration;

use tengen_core::{Color, Game, Move, Point, PointSet, Scoring, Settlement};
use tengen_search::Stop;

use super::settings::{MatchSettings, Restart};
use crate::client::{Client, ClientError, CommandLine, CommandLineError, NewGame};

/// How long a program may take for anything but a move, at least.
const LEAST_REPLY_TIMEOUT: Duration = Duration::from_secs(60);

/// A program that takes part in a match, whether it runs at the moment or not.
#[derive(Debug)]
pub(super) struct Player {
    command: String,
    client: Option<Client>,
    /// The game that the running program was started for.
    started_for: u32,
    reply_timeout: Duration,
    stop: Stop,
}

/// Why a program is not ready for a game.
#[derive(Debug)]
pub(super) enum NotReady {
    /// The command makes no sense, or nothing can be started with it.
    Command(String),
    /// The program runs, and did not do as it should.
    Program(ClientError),
}

impl From<ClientError> for NotReady {
    fn from(error: ClientError) -> Self {
        match error {
            ClientError::Start { .. } => Self::Command(error.to_string()),
            other => Self::Program(other),
        }
    }
}

impl From<CommandLineError> for NotReady {
    fn from(error: CommandLineError) -> Self {
        Self::Command(error.to_string())
    }
}

/// Does a command differ from game to game?
fn has_placeholder(command: &str) -> bool {
    command.contains("{seed}") || command.contains("{game}")
}

impl Player {
    pub(super) fn new(command: &str, settings: &MatchSettings, stop: &Stop) -> Self {
        Self {
            command: command.to_owned(),
            client: None,
            started_for: 0,
            reply_timeout: LEAST_REPLY_TIMEOUT.max(settings.move_timeout),
            stop: stop.clone(),
        }
    }

    /// Makes the program ready for a game: started, its board empty, rules, komi and time as they are agreed.
    pub(super) fn prepare(
        &mut self,
        settings: &MatchSettings,
        number: u32,
    ) -> Result<(), NotReady> {
        let anew = settings.restart == Restart::EachGame || has_placeholder(&self.command);
        let usable = self.client.as_ref().is_some_and(Client::is_usable);
        if !usable || (anew && self.started_for != number) {
            self.start(settings, number)?;
        }
        let timeout = self.reply_timeout;
        let Some(client) = &mut self.client else {
            return Ok(());
        };
        client.forget();
        client.begin_game(
            &NewGame {
                start: settings.start().start(),
                rules: &settings.rules,
                komi: settings.komi,
                time: settings.time,
            },
            timeout,
        )?;
        Ok(())
    }

    fn start(&mut self, settings: &MatchSettings, number: u32) -> Result<(), NotReady> {
        self.retire();
        let command = self
            .command
            .replace("{seed}", &settings.seed_of(number).to_string())
            .replace("{game}", &number.to_string());
        let line: CommandLine = command.parse()?;
        let client = self.client.insert(Client::start(&line, &self.stop)?);
        self.started_for = number;
        client.learn_commands(self.reply_timeout)?;
        Ok(())
    }

    /// Ends the program, politely if it still listens.
    pub(super) fn retire(&mut self) {
        if let Some(client) = self.client.take()
            && !self.stop.is_stopped()
        {
            client.quit(Duration::from_secs(2));
        }
    }

    /// The program's name for itself.
    pub(super) fn name(&mut self) -> Option<String> {
        let timeout = self.reply_timeout;
        let client = self.client.as_mut()?;
        let name = client.send("name", timeout).ok()?;
        let name = name.lines().next().unwrap_or_default().trim().to_owned();
        (!name.is_empty()).then_some(name)
    }

    /// Tells the program about a move.
    pub(super) fn play(
        &mut self,
        game: &Game,
        color: Color,
        action: Move,
    ) -> Result<(), ClientError> {
        let timeout = self.reply_timeout;
        self.client("play")?
            .play(color, action, game.size(), timeout)
    }

    /// Tells the program how much time a player has left, if it wants to know.
    pub(super) fn time_left(
        &mut self,
        color: Color,
        seconds: u64,
        stones: u32,
    ) -> Result<(), ClientError> {
        let timeout = self.reply_timeout;
        self.client("time_left")?
            .time_left(color, seconds, stones, timeout)
    }

    /// Asks the program for a move.
    pub(super) fn genmove(
        &mut self,
        color: Color,
        timeout: Duration,
    ) -> Result<String, ClientError> {
        self.client("genmove")?.genmove(color, timeout)
    }

    /// Which stones the program takes for dead or in seki, or `None` if it has no opinion that makes sense.
    pub(super) fn settlement(&mut self, game: &Game) -> Option<Settlement> {
        if !self.knows("final_status_list") {
            return None;
        }
        let dead = self.status_list(game, "dead")?;
        let seki = match game.rules().scoring {
            Scoring::Territory => self.status_list(game, "seki").unwrap_or_default(),
            Scoring::Area | Scoring::AreaAndPrisoners => PointSet::EMPTY,
        };
        Some(Settlement { dead, seki })
    }

    fn status_list(&mut self, game: &Game, status: &str) -> Option<PointSet> {
        let command = format!("final_status_list {status}");
        let timeout = self.reply_timeout;
        let reply = self.client(&command).ok()?.send(&command, timeout).ok()?;
        let mut listed = PointSet::EMPTY;
        for word in reply.split_whitespace() {
            let point = Point::from_gtp(word, game.size()).ok()?;
            // A chain lives or dies as a whole, and some programs name only one stone of it.
            listed |= game.board().chain_at(point)?.stones;
        }
        Some(listed)
    }

    pub(super) fn cpu_time(&mut self) -> Option<Duration> {
        let timeout = self.reply_timeout;
        self.client.as_mut()?.cpu_time(timeout)
    }

    pub(super) fn transcript(&self) -> String {
        self.client
            .as_ref()
            .map(|client| client.transcript().to_string())
            .unwrap_or_default()
    }

    /// Adds a remark to the transcript.
    pub(super) fn note(&self, text: &str) {
        if let Some(client) = &self.client {
            client.note(text);
        }
    }

    /// A program that has broken the rules is not trusted with the next game.
    pub(super) fn dismiss(&mut self) {
        self.client = None;
    }

    fn knows(&self, command: &str) -> bool {
        self.client
            .as_ref()
            .is_some_and(|client| client.knows(command))
    }

    /// The running program, which is asked for this.
    fn client(&mut self, command: &str) -> Result<&mut Client, ClientError> {
        self.client.as_mut().ok_or_else(|| ClientError::Gone {
            command: command.to_owned(),
            status: None,
        })
    }
}
