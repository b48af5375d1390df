//! A program that takes part in a match.

use std::time::Duration;

use tengen_core::{Color, Game, Move, Point, PointSet, Rules, Scoring, Settlement, Suicide};
use tengen_gtp::client::{Client, ClientError, CommandLine, CommandLineError, rules_for_katago};
use tengen_search::Stop;

use super::settings::{Restart, Settings};

/// How long a program may take for anything but a move, at least.
const PATIENCE: Duration = Duration::from_secs(60);

/// A program that takes part in a match, whether it runs at the moment or not.
#[derive(Debug)]
pub(crate) struct Player {
    command: String,
    client: Option<Client>,
    /// The game that the running program was started for.
    started_for: u32,
    patience: Duration,
    stop: Stop,
}

/// Why a program is not ready for a game.
#[derive(Debug)]
pub(crate) enum NotReady {
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
    pub(crate) fn new(command: &str, settings: &Settings, stop: &Stop) -> Self {
        Self {
            command: command.to_owned(),
            client: None,
            started_for: 0,
            patience: PATIENCE.max(settings.move_timeout),
            stop: stop.clone(),
        }
    }

    /// Makes the program ready for a game: started, its board empty, rules, komi and time as they are agreed.
    pub(crate) fn prepare(&mut self, settings: &Settings, number: u32) -> Result<(), NotReady> {
        let anew = settings.restart == Restart::EachGame || has_placeholder(&self.command);
        let usable = self.client.as_ref().is_some_and(Client::is_usable);
        if !usable || (anew && self.started_for != number) {
            self.start(settings, number)?;
        }
        let patience = self.patience;
        let Some(client) = &mut self.client else {
            return Ok(());
        };
        client.forget();
        let size = settings.size;
        let (width, height) = (size.width(), size.height());
        let boardsize = match size.is_square() {
            true => format!("boardsize {width}"),
            false if client.knows("rectangular_boardsize") => {
                format!("rectangular_boardsize {width} {height}")
            }
            false => format!("boardsize {width} {height}"),
        };
        client.send(&boardsize, patience)?;
        client.send("clear_board", patience)?;
        for (command, rules) in [
            ("kata-set-rules", Some(rules_for_katago(&settings.rules))),
            (
                "kgs-rules",
                rules_for_kgs(&settings.rules).map(str::to_owned),
            ),
        ] {
            if let Some(rules) = rules
                && client.knows(command)
            {
                match client.send(&format!("{command} {rules}"), patience) {
                    // What a program does not know about rules, the options of its command must say.
                    Ok(_) => break,
                    Err(error) if error.is_fatal() => return Err(error.into()),
                    Err(_) => {}
                }
            }
        }
        client.send(&format!("komi {}", settings.komi), patience)?;
        if let Some(time) = settings.time
            && client.knows("time_settings")
        {
            let (main, period, stones) = (time.main, time.period, time.stones);
            client.send(&format!("time_settings {main} {period} {stones}"), patience)?;
        }
        Ok(())
    }

    fn start(&mut self, settings: &Settings, number: u32) -> Result<(), NotReady> {
        self.retire();
        let command = self
            .command
            .replace("{seed}", &settings.seed_of(number).to_string())
            .replace("{game}", &number.to_string());
        let line: CommandLine = command.parse()?;
        let client = self.client.insert(Client::start(&line, &self.stop)?);
        self.started_for = number;
        client.learn_commands(self.patience)?;
        Ok(())
    }

    /// Ends the program, politely if it still listens.
    pub(crate) fn retire(&mut self) {
        if let Some(client) = self.client.take()
            && !self.stop.is_stopped()
        {
            client.quit(Duration::from_secs(2));
        }
    }

    /// The program's name for itself.
    pub(crate) fn name(&mut self) -> Option<String> {
        let patience = self.patience;
        let client = self.client.as_mut()?;
        let name = client.send("name", patience).ok()?;
        let name = name.lines().next().unwrap_or_default().trim().to_owned();
        (!name.is_empty()).then_some(name)
    }

    /// Tells the program about a move.
    pub(crate) fn play(
        &mut self,
        game: &Game,
        color: Color,
        action: Move,
    ) -> Result<(), ClientError> {
        let vertex = action.to_gtp(game.size());
        self.send(&format!("play {} {vertex}", letter(color)), self.patience)?;
        Ok(())
    }

    /// Tells the program how much time a player has left, if it wants to know.
    pub(crate) fn time_left(
        &mut self,
        color: Color,
        seconds: u64,
        stones: u32,
    ) -> Result<(), ClientError> {
        if !self.knows("time_left") {
            return Ok(());
        }
        let command = format!("time_left {} {seconds} {stones}", letter(color));
        self.send(&command, self.patience)?;
        Ok(())
    }

    /// Asks the program for a move.
    pub(crate) fn genmove(
        &mut self,
        color: Color,
        patience: Duration,
    ) -> Result<String, ClientError> {
        self.send(&format!("genmove {}", letter(color)), patience)
    }

    /// Which stones the program takes for dead or in seki, or `None` if it has no opinion that makes sense.
    pub(crate) fn settlement(&mut self, game: &Game) -> Option<Settlement> {
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
        let reply = self.send(&command, self.patience).ok()?;
        let mut listed = PointSet::EMPTY;
        for word in reply.split_whitespace() {
            let point = Point::from_gtp(word, game.size()).ok()?;
            // A chain lives or dies as a whole, and some programs name only one stone of it.
            listed |= game.board().chain_at(point)?.stones;
        }
        Some(listed)
    }

    pub(crate) fn cpu_time(&mut self) -> Option<Duration> {
        let patience = self.patience;
        self.client.as_mut()?.cpu_time(patience)
    }

    pub(crate) fn transcript(&self) -> String {
        self.client
            .as_ref()
            .map(|client| client.transcript().to_string())
            .unwrap_or_default()
    }

    /// Adds a remark to the transcript.
    pub(crate) fn note(&self, text: &str) {
        if let Some(client) = &self.client {
            client.note(text);
        }
    }

    /// A program that has broken the rules is not trusted with the next game.
    pub(crate) fn dismiss(&mut self) {
        self.client = None;
    }

    fn knows(&self, command: &str) -> bool {
        self.client
            .as_ref()
            .is_some_and(|client| client.knows(command))
    }

    fn send(&mut self, command: &str, patience: Duration) -> Result<String, ClientError> {
        match &mut self.client {
            Some(client) => client.send(command, patience),
            None => Err(ClientError::Gone {
                command: command.to_owned(),
                status: None,
            }),
        }
    }
}

const fn letter(color: Color) -> char {
    match color {
        Color::Black => 'b',
        Color::White => 'w',
    }
}

/// The rules of the KGS server that come nearest, if any do.
fn rules_for_kgs(rules: &Rules) -> Option<&'static str> {
    use tengen_core::Ko;
    match (rules.scoring, rules.suicide, rules.ko) {
        (Scoring::Territory, Suicide::Forbidden, Ko::Simple) => Some("japanese"),
        (Scoring::Area, Suicide::Forbidden, Ko::Situational) => Some("aga"),
        (Scoring::Area, Suicide::Forbidden, _) => Some("chinese"),
        (Scoring::Area, _, Ko::Situational) => Some("new_zealand"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use tengen_core::Preset;

    use super::*;

    #[test]
    fn rules_are_sent_as_others_know_them() {
        for (preset, katago, kgs) in [
            (
                Preset::Chinese,
                "koPOSITIONALscoreAREAtaxNONEsui0",
                Some("chinese"),
            ),
            (
                Preset::TrompTaylor,
                "koPOSITIONALscoreAREAtaxNONEsui1",
                None,
            ),
            (
                Preset::Japanese,
                "koSIMPLEscoreTERRITORYtaxSEKIsui0",
                Some("japanese"),
            ),
            (
                Preset::Aga,
                "koSITUATIONALscoreAREAtaxNONEsui0",
                Some("aga"),
            ),
            (
                Preset::NewZealand,
                "koSITUATIONALscoreAREAtaxNONEsui1",
                Some("new_zealand"),
            ),
        ] {
            let rules = preset.rules();
            assert_eq!(rules_for_katago(&rules), katago);
            assert_eq!(rules_for_kgs(&rules), kgs);
            let read: Rules = katago.parse().unwrap();
            assert_eq!((read.ko, read.scoring), (rules.ko, rules.scoring));
        }
    }
}
