//! A client's game, and the engine that looks at it.

use std::io::{self, Write};
use std::time::{Duration, Instant};

use tengen_core::{ByColor, Color, Game, Move, Point, Rules, Setup};
use tengen_search::{Analysis, Engine, Judge, Limits, Task};

use crate::gtp::arguments::Arguments;
use crate::gtp::channel::Channel;
use crate::gtp::command;
use crate::gtp::failure::{Failure, Reply};
use crate::gtp::inbox::{Inbox, SearchEnd};
use crate::gtp::line::{Line, Request};
use crate::gtp::settings::GtpSettings;
use crate::gtp::timer::Timer;

/// All that the commands of one client read and change.
#[derive(Debug)]
pub struct Session {
    /// Size, rules and komi are those of the game, since commands change them here first.
    pub(crate) settings: GtpSettings,
    pub(crate) engine: Engine,
    /// Who judges positions for it.
    pub(crate) judge: Judge,
    pub(crate) game: Game,
    pub(crate) timers: ByColor<Timer>,
    /// What the last search found, and where.
    pub(crate) found: Option<Found>,
    /// How many times in a row each player was about to give up.
    pub(crate) hopeless_turns: ByColor<u8>,
    /// How long it has thought about moves.
    pub(crate) thought: Duration,
    /// Has it just moved, so that it can think while the opponent does?
    has_moved: bool,
    has_quit: bool,
}

/// What a search found, and the position that it looked at.
#[derive(Clone, Debug)]
pub(crate) struct Found {
    pub(crate) analysis: Analysis,
    hash: u64,
    turns: usize,
}

impl Session {
    /// A session on an empty board with an engine that thinks with rollouts.
    pub fn new(settings: GtpSettings) -> Self {
        Self::with_judge(settings, Judge::default())
    }

    /// A session on an empty board with an engine that trusts this judge.
    pub fn with_judge(settings: GtpSettings, judge: Judge) -> Self {
        let mut session = Self {
            engine: judge.engine(settings.engine),
            judge,
            game: Game::new(settings.size, settings.rules),
            settings,
            timers: ByColor::default(),
            found: None,
            hopeless_turns: ByColor::default(),
            thought: Duration::ZERO,
            has_moved: false,
            has_quit: false,
        };
        session.agree_on_komi();
        session
    }

    /// The reply to a line, or `None` for a line that has none. Nothing can end an analysis before its time here, so it
    /// ends by itself after as much thought as a move gets.
    pub fn answer(&mut self, line: &str) -> Option<String> {
        let mut out = Vec::new();
        // A vector takes all that is written to it.
        _ = self.obey(&Line::clean(line.as_bytes()), None, &mut out);
        (!out.is_empty()).then(|| String::from_utf8_lossy(&out).into_owned())
    }

    /// Has a command ended the session?
    pub const fn has_quit(&self) -> bool {
        self.has_quit
    }

    /// The game as it stands.
    pub const fn game(&self) -> &Game {
        &self.game
    }

    pub(crate) const fn linger(&self) -> Duration {
        self.settings.linger
    }

    /// Does what a line asks and writes the reply. An error means that the client is gone.
    pub(crate) fn obey(
        &mut self,
        line: &Line,
        inbox: Option<&Inbox>,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        let text = match line {
            Line::Text(text) => text,
            Line::Interrupt => return Ok(()),
            Line::TooLong => {
                let refusal = Err(Failure::because("line too long"));
                return Channel::new(out, inbox, "").finish(&refusal);
            }
        };
        let Some(request) = Request::read(text) else {
            return Ok(());
        };
        self.has_moved = false;
        let mut channel = Channel::new(out, inbox, request.id);
        let reply = match command::find(request.name) {
            Some(handler) => handler(self, &Arguments::new(request.rest), &mut channel),
            None => Err(Failure::UnknownCommand),
        };
        channel.finish(&reply)
    }

    /// Thinks while the opponent does, until something arrives.
    pub(crate) fn ponder(&mut self, inbox: &Inbox) {
        if !self.settings.ponder || !std::mem::take(&mut self.has_moved) {
            return;
        }
        let stop = tengen_search::Stop::new();
        let _watch = inbox.watch(&stop, SearchEnd::AtAnyLine);
        self.resume();
        self.engine
            .analyze(&self.game, &Task::default(), &stop, &mut |_| {});
    }

    pub(crate) const fn quit(&mut self) {
        self.has_quit = true;
    }

    /// Goes on with a game that two passes or a rule have ended. A client decides when a game is over.
    pub(crate) const fn resume(&mut self) {
        if self.game.is_over() {
            self.game.resume();
        }
    }

    /// Starts another game. What was learnt about the last one is forgotten.
    pub(crate) fn start(&mut self, game: Game) {
        self.settings.size = game.size();
        self.settings.rules = *game.rules();
        self.game = game;
        self.agree_on_komi();
        self.forget();
        self.hopeless_turns = ByColor::default();
        self.timers.black.restart();
        self.timers.white.restart();
    }

    /// Gives the game the komi that was asked for, or that of the rules.
    pub(crate) fn agree_on_komi(&mut self) {
        let GtpSettings {
            size, rules, komi, ..
        } = self.settings;
        self.game
            .set_komi(komi.unwrap_or_else(|| rules.komi_for(size)));
    }

    /// Forgets what searches have found.
    pub(crate) fn forget(&mut self) {
        self.engine.clear();
        self.found = None;
    }

    /// Plays the game so far once more under other rules. What lies on the board stays.
    pub(crate) fn change_rules(&mut self, rules: Rules) -> Result<(), Failure> {
        self.game = under_rules(&self.game, rules)?;
        self.settings.rules = rules;
        self.agree_on_komi();
        self.forget();
        Ok(())
    }

    /// A move of this player, whose turn it becomes if it is not.
    pub(crate) fn play(&mut self, color: Color, action: Move) -> Result<(), Failure> {
        self.resume();
        let before = self.game.to_move();
        self.game.set_to_move(color);
        self.game.play(action).map_err(|_| {
            self.game.set_to_move(before);
            Failure::IllegalMove
        })
    }

    /// Takes note of a move of the engine's own.
    pub(crate) const fn note_move(&mut self) {
        self.has_moved = true;
    }

    /// The game with this player to move, not over.
    pub(crate) fn game_for(&self, color: Color) -> Game {
        let mut game = self.game.clone();
        if game.is_over() {
            game.resume();
        }
        game.set_to_move(color);
        game
    }

    /// How much thought this player may give to a move.
    pub(crate) fn limits(&self, color: Color) -> Limits {
        let GtpSettings {
            visits,
            time,
            level,
            lag,
            ..
        } = self.settings;
        let by_clock =
            self.timers[color]
                .clock()
                .for_move(self.game.size(), self.game.turns().len(), lag);
        let time = match (time, by_clock) {
            (Some(time), Some(by_clock)) => Some(time.min(by_clock)),
            (None, None) if visits.is_none() => Some(GtpSettings::DEFAULT_TIME),
            (time, by_clock) => time.or(by_clock),
        };
        let visits = [visits, level.skill().rollouts].into_iter().flatten().min();
        Limits {
            visits,
            time,
            may_end_early: by_clock.is_some(),
        }
    }

    /// Keeps what a search found about a position.
    pub(crate) fn keep(&mut self, game: &Game, analysis: Analysis) {
        self.found = Some(Found {
            analysis,
            hash: game.board().hash(),
            turns: game.turns().len(),
        });
    }

    /// What is known about the position: what the last search found, or what one finds that takes as long as a move.
    pub(crate) fn known(&mut self, channel: &Channel<'_>) -> Analysis {
        let game = self.game_for(self.game.to_move());
        if let Some(found) = &self.found
            && found.hash == game.board().hash()
            && found.turns == game.turns().len()
            && found.analysis.to_move == game.to_move()
        {
            return found.analysis.clone();
        }
        let task = Task {
            limits: self.limits(game.to_move()),
            ..Task::default()
        };
        let (stop, _watch) = channel.watch(SearchEnd::WhenDone);
        let analysis = self.engine.analyze(&game, &task, &stop, &mut |_| {});
        self.keep(&game, analysis.clone());
        analysis
    }

    /// Adds the time since then to what this player has used.
    pub(crate) fn charge(&mut self, color: Color, since: Instant) {
        let used = since.elapsed();
        self.thought += used;
        self.timers[color].spend(used);
    }

    /// A game from a position that was set up.
    pub(crate) fn set_up(&self, setup: &Setup) -> Result<Game, Failure> {
        Game::from_setup(setup, self.settings.rules).map_err(Failure::because)
    }

    pub(crate) fn vertex(&self, point: Point) -> String {
        point.to_gtp(self.game.size())
    }

    /// Points as the protocol lists them.
    pub(crate) fn vertices(&self, points: impl IntoIterator<Item = Point>) -> String {
        let vertices: Vec<String> = points.into_iter().map(|point| self.vertex(point)).collect();
        vertices.join(" ")
    }
}

/// The same moves from the same start under other rules. Moves that those forbid are made all the same.
pub(crate) fn under_rules(game: &Game, rules: Rules) -> Result<Game, Failure> {
    let mut changed = Game::from_setup(game.start(), rules).map_err(Failure::because)?;
    changed.set_handicap(game.handicap());
    for turn in game.turns() {
        changed.set_to_move(turn.color);
        changed.play_unchecked(turn.action);
    }
    changed.set_to_move(game.to_move());
    Ok(changed)
}

/// The empty reply.
pub(crate) const fn done() -> Reply {
    Ok(String::new())
}

#[cfg(test)]
mod tests {
    use super::*;
    use tengen_search::Level;

    fn limits(settings: &[(&str, &str)], commands: &[&str]) -> (Option<u32>, Option<Duration>) {
        let mut start = GtpSettings::default();
        for (key, value) in settings {
            start.set(key, value).unwrap();
        }
        let mut session = Session::new(start);
        for command in commands {
            assert!(
                session.answer(command).unwrap().starts_with('='),
                "{command}"
            );
        }
        let limits = session.limits(Color::Black);
        (limits.visits, limits.time)
    }

    #[test]
    fn a_move_is_limited_by_all_that_anybody_has_said() {
        let seconds = |seconds| Some(Duration::from_secs(seconds));
        assert_eq!(limits(&[], &[]), (None, Some(GtpSettings::DEFAULT_TIME)));
        assert_eq!(limits(&[("visits", "9")], &[]), (Some(9), None));
        assert_eq!(limits(&[("time", "7")], &[]), (None, seconds(7)));
        // A clock takes the place of the default, and can only shorten what was set.
        let period = "kgs-time_settings byoyomi 0 10 3";
        let no_lag = ("lag", "0");
        assert_eq!(limits(&[no_lag], &[period]), (None, seconds(10)));
        assert_eq!(
            limits(&[no_lag, ("time", "7")], &[period]),
            (None, seconds(7))
        );
        assert_eq!(
            limits(&[no_lag, ("time", "70")], &[period]),
            (None, seconds(10))
        );
        let left = "time_left b 4 1";
        assert_eq!(limits(&[no_lag], &[period, left]), (None, seconds(4)));
        // A new game has a new clock.
        let commands = [period, left, "clear_board"];
        assert_eq!(limits(&[no_lag], &commands), (None, seconds(10)));
        // A low level searches little, whatever else is allowed.
        let level = Level::LOWEST.skill().rollouts;
        assert_eq!(
            limits(&[("level", "1"), ("visits", "1000000")], &[]).0,
            level
        );
    }

    #[test]
    fn other_rules_leave_moves_and_turn_alone() {
        let mut session = Session::new(GtpSettings::default());
        session.answer("gogui-play_sequence b D4 b E4 w pass w pass b F4");
        session.answer("gogui-setup_player b");
        let before = session.game.clone();
        session
            .change_rules(tengen_core::Preset::Japanese.rules())
            .unwrap();
        assert_eq!(session.game.turns().len(), before.turns().len());
        assert_eq!(session.game.position(), before.position());
        assert_eq!(session.game.to_move(), Color::Black);
    }
}
