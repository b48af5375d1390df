//! One game of a match, from the opening to the result.

use std::time::{Duration, Instant};

use tengen_core::{ByColor, Color, Game, Move, Outcome, Reason, Settlement};
use tengen_search::Stop;

use super::clock::Clock;
use super::player::{NotReady, Player};
use super::result::{Effort, End, GameResult, Settled};
use super::settings::{MatchSettings, Side};
use crate::client::ClientError;

/// A game that was played to its end.
#[derive(Clone, Debug)]
pub struct FinishedGame {
    /// Its result.
    pub result: GameResult,
    /// The game itself.
    pub game: Game,
    /// What was said with the first and the second player, if one was at fault.
    pub transcripts: Option<[String; 2]>,
}

/// Why a game has no result.
#[derive(Debug)]
pub enum Abandoned {
    /// A stop was requested.
    Interrupted,
    /// The command of a player, or of the referee (`None`), starts nothing.
    Command(Option<Side>, String),
}

/// The programs that play each other, with the referee if there is one.
pub(super) struct Players {
    players: [Player; 2],
    referee: Option<Player>,
    stop: Stop,
}

/// What a player did wrong.
struct Fault {
    side: Side,
    reason: String,
    end: End,
}

enum Stopped {
    Abandoned(Abandoned),
    Fault(Fault),
}

impl Stopped {
    fn of(side: Side, error: ClientError) -> Self {
        match error {
            ClientError::Interrupted => Self::Abandoned(Abandoned::Interrupted),
            error => Self::fault(side, error.to_string()),
        }
    }

    fn fault(side: Side, reason: String) -> Self {
        Self::Fault(Fault {
            side,
            reason,
            end: End::Forfeit,
        })
    }
}

impl Players {
    /// The programs of a match, none of which is started before the first game.
    pub(super) fn new(settings: &MatchSettings, stop: &Stop) -> Self {
        let player = |command: &String| Player::new(command, settings, stop);
        Self {
            players: settings.commands.each_ref().map(player),
            referee: settings.referee.as_ref().map(player),
            stop: stop.clone(),
        }
    }

    /// Ends all programs.
    pub(super) fn close(&mut self) {
        for player in self.players.iter_mut().chain(&mut self.referee) {
            player.retire();
        }
    }

    /// Plays the game with this number.
    pub(super) fn play(
        &mut self,
        settings: &MatchSettings,
        number: u32,
        opening: &[Move],
    ) -> Result<FinishedGame, Abandoned> {
        let started = Instant::now();
        let mut current = GameInProgress {
            programs: self,
            settings,
            number,
            game: settings.start(),
            efforts: [Effort::default(); 2],
            cpu_before: [None; 2],
        };
        let played = current.set_up(opening).and_then(|()| current.play_moves());
        current.measure_cpu();
        let (end, settled, reason) = match played {
            Ok(end @ (End::Passes | End::MaxMoves)) => (end, Some(current.settle()?), None),
            Ok(end) => (end, None, None),
            Err(Stopped::Abandoned(abandoned)) => return Err(abandoned),
            Err(Stopped::Fault(fault)) => {
                current.forfeit(&fault);
                let name = &settings.names[fault.side.index()];
                (fault.end, None, Some(format!("{name}: {}", fault.reason)))
            }
        };
        let GameInProgress { game, efforts, .. } = current;
        if self.stop.is_stopped() {
            // The program that was asked last may not have answered for that reason alone.
            return Err(Abandoned::Interrupted);
        }
        let transcripts = reason
            .is_some()
            .then(|| self.players.each_ref().map(Player::transcript));
        if reason.is_some() {
            // Whatever state it left the programs in, the next game has nothing to do with it.
            for player in &mut self.players {
                player.dismiss();
            }
        }
        let winner = game.outcome().and_then(Outcome::winner);
        let result = GameResult {
            game: number,
            black: MatchSettings::black(number),
            opening: opening
                .iter()
                .map(|action| action.to_gtp(game.size()))
                .collect(),
            result: game
                .outcome()
                .map_or_else(|| "Void".to_owned(), |outcome| outcome.to_string()),
            winner: winner.map(|color| MatchSettings::side(number, color)),
            end,
            settled: settled.map(|(settled, _)| settled),
            disputed: settled.and_then(|(_, disputed)| disputed),
            reason,
            moves: game.turns().len(),
            seconds: millis(started.elapsed()),
            first: efforts[0],
            second: efforts[1],
        };
        Ok(FinishedGame {
            result,
            game,
            transcripts,
        })
    }
}

/// Seconds that are no more precise than they deserve.
fn millis(time: Duration) -> f64 {
    (time.as_secs_f64() * 1000.0).round() / 1000.0
}

/// A game while it is played.
struct GameInProgress<'a> {
    programs: &'a mut Players,
    settings: &'a MatchSettings,
    number: u32,
    game: Game,
    efforts: [Effort; 2],
    cpu_before: [Option<Duration>; 2],
}

impl GameInProgress<'_> {
    fn player(&mut self, side: Side) -> &mut Player {
        &mut self.programs.players[side.index()]
    }

    fn set_up(&mut self, opening: &[Move]) -> Result<(), Stopped> {
        let (settings, number) = (self.settings, self.number);
        for side in Side::BOTH {
            let ready = self.player(side).prepare(settings, number);
            ready.map_err(|problem| match problem {
                NotReady::Command(problem) => {
                    Stopped::Abandoned(Abandoned::Command(Some(side), problem))
                }
                NotReady::Program(error) => Stopped::of(side, error),
            })?;
        }
        for &action in opening {
            let color = self.game.to_move();
            for side in Side::BOTH {
                let told = self.programs.players[side.index()].play(&self.game, color, action);
                told.map_err(|error| Stopped::of(side, error))?;
            }
            self.game.play_unchecked(action);
        }
        self.cpu_before = Side::BOTH.map(|side| self.player(side).cpu_time());
        Ok(())
    }

    /// Lets the players move in turn until the game is over.
    fn play_moves(&mut self) -> Result<End, Stopped> {
        let time = self.settings.time;
        let limit = self.game.rules().max_moves.moves(self.game.size());
        let limit = limit.map_or(usize::MAX, |moves| moves as usize);
        let max_moves = limit.min(self.settings.max_moves);
        let mut clocks = time.map(|time| ByColor::new(Clock::new(time), Clock::new(time)));
        loop {
            if self.game.passes() >= self.game.rules().passes {
                return Ok(End::Passes);
            }
            if self.game.turns().len() >= max_moves {
                return Ok(End::MaxMoves);
            }
            if self.game.is_over() {
                return Ok(End::Repetition);
            }
            let color = self.game.to_move();
            let clock = clocks.as_mut().map(|clocks| &mut clocks[color]);
            let Some(action) = self.ask(color, clock)? else {
                self.game.resign(color);
                return Ok(End::Resignation);
            };
            let before = &self.game;
            let other = MatchSettings::side(self.number, !color);
            self.programs.players[other.index()]
                .play(before, color, action)
                .map_err(|error| Stopped::of(other, error))?;
            self.game.play_unchecked(action);
        }
    }

    /// The legal move that a player makes, or `None` if it resigns.
    fn ask(&mut self, color: Color, clock: Option<&mut Clock>) -> Result<Option<Move>, Stopped> {
        let side = MatchSettings::side(self.number, color);
        let timeout = self.settings.move_timeout;
        let of = |error| Stopped::of(side, error);
        if let Some(clock) = &clock {
            let (seconds, stones) = clock.left();
            self.player(side)
                .time_left(color, seconds, stones)
                .map_err(of)?;
        }
        let asked = Instant::now();
        let reply = self.player(side).genmove(color, timeout).map_err(of)?;
        let took = asked.elapsed();
        let effort = &mut self.efforts[side.index()];
        effort.moves += 1;
        effort.wall += took.as_secs_f64();
        effort.slowest = effort.slowest.max(millis(took));
        if clock.is_some_and(|clock| !clock.spend(took)) {
            let seconds = took.as_secs_f64();
            return Err(Stopped::Fault(Fault {
                side,
                reason: format!("lost on time with a move that took {seconds:.1} s"),
                end: End::Time,
            }));
        }
        let word = reply.as_str();
        if word.eq_ignore_ascii_case("resign") {
            return Ok(None);
        }
        let number = self.game.turns().len() + 1;
        let wrong = |problem: &dyn std::fmt::Display| {
            Stopped::fault(side, format!("move {number}, {word:?}: {problem}"))
        };
        let action = Move::from_gtp(word, self.game.size()).map_err(|error| wrong(&error))?;
        self.game
            .check(action)
            .map_err(|illegal| wrong(&format_args!("illegal: {illegal}")))?;
        Ok(Some(action))
    }

    fn measure_cpu(&mut self) {
        for side in Side::BOTH {
            let before = self.cpu_before[side.index()];
            let effort = &mut self.efforts[side.index()];
            effort.wall = millis(Duration::from_secs_f64(effort.wall));
            if let Some(before) = before {
                let now = self.programs.players[side.index()].cpu_time();
                effort.cpu = now.map(|now| millis(now.saturating_sub(before)));
            }
        }
    }

    fn forfeit(&mut self, fault: &Fault) {
        let loser = match MatchSettings::black(self.number) == fault.side {
            true => Color::Black,
            false => Color::White,
        };
        let why = match fault.end {
            End::Time => Reason::Time,
            _ => Reason::Forfeit,
        };
        self.game.end(Outcome::Win(!loser, why));
        self.player(fault.side).note(&fault.reason);
    }

    /// Counts the board without the dead stones that were named. Also returns what the players thought if they
    /// disagree.
    fn settle(&mut self) -> Result<(Settled, Option<[i32; 2]>), Abandoned> {
        let game = &self.game;
        let [first, second] = &mut self.programs.players;
        let opinions = [first.settlement(game), second.settlement(game)];
        let disputed = match opinions {
            [Some(first), Some(second)] if first != second => Some([
                game.score_settled(&first).margin_halves(),
                game.score_settled(&second).margin_halves(),
            ]),
            _ => None,
        };
        let (settled, settlement) = match opinions {
            [Some(first), Some(second)] if first == second => (Settled::Agreed, first),
            [Some(first), None] => (Settled::First, first),
            [None, Some(second)] => (Settled::Second, second),
            [_, second] => match (self.ask_referee()?, second) {
                (Some(settlement), _) => (Settled::Referee, settlement),
                (None, Some(second)) => (Settled::Second, second),
                (None, None) => (Settled::Board, Settlement::default()),
            },
        };
        let game = &mut self.game;
        let outcome = game.score_settled(&settlement).outcome(game.rules().ties);
        game.end(outcome);
        Ok((settled, disputed))
    }

    fn ask_referee(&mut self) -> Result<Option<Settlement>, Abandoned> {
        let Some(referee) = &mut self.programs.referee else {
            return Ok(None);
        };
        match referee.prepare(self.settings, self.number) {
            Ok(()) => {}
            Err(NotReady::Command(problem)) => return Err(Abandoned::Command(None, problem)),
            Err(NotReady::Program(ClientError::Interrupted)) => return Err(Abandoned::Interrupted),
            Err(NotReady::Program(_)) => return Ok(None),
        }
        for turn in self.game.turns() {
            match referee.play(&self.game, turn.color, turn.action) {
                Ok(()) => {}
                Err(ClientError::Interrupted) => return Err(Abandoned::Interrupted),
                Err(_) => return Ok(None),
            }
        }
        Ok(referee.settlement(&self.game))
    }
}
