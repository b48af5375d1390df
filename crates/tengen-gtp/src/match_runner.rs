//! Matches between two programs that speak GTP.
//!
//! [`MatchSettings`] say what the games are like. [`MatchRunner::play`] plays those that have no result yet, several at
//! once, and a [`MatchFolder`] keeps them, so that a match can go on after an interruption. A [`Report`] is what the
//! results say about the players. The rules are those of `tengen-core`; a program that crashes, hangs or breaks them
//! forfeits a game, never the match.

mod clock;
mod folder;
mod game;
mod opening;
mod player;
mod report;
mod result;
mod settings;
mod statistics;

use std::sync::Mutex;
use std::sync::mpsc::{Sender, channel};
use std::thread;

use tengen_search::Stop;

pub use folder::{FolderError, MatchFolder};
pub use game::{Abandoned, FinishedGame};
pub use report::{EffortReport, Ends, Report, SprtReport};
pub use result::{Effort, End, GameResult, Settled};
pub use settings::{MatchSettings, Restart, Side};
pub use statistics::{Estimate, Pairs, Sprt, SprtDecision, Tally};

use crate::client::ClientError;
use game::Players;
use player::{NotReady, Player};

/// A match that is played.
#[derive(Clone, Copy, Debug)]
pub struct MatchRunner<'a> {
    /// What the games are like.
    pub settings: &'a MatchSettings,
    /// How many games there are, those of earlier runs included.
    pub games: u32,
    /// The test that ends the match before that.
    pub sprt: Option<Sprt>,
    /// Ends the match, and the programs with it.
    pub stop: &'a Stop,
}

impl MatchRunner<'_> {
    /// Plays the games that have no result yet, `parallel` of them at once. Each is kept in the folder, if there is
    /// one, then added to the results and told to `on_game`. Comes back early, with the reason, if they cannot all be
    /// played.
    pub fn play(
        &self,
        parallel: usize,
        results: &mut Vec<GameResult>,
        mut folder: Option<&mut MatchFolder>,
        on_game: &mut dyn FnMut(&FinishedGame, &Report<'_>),
    ) -> Result<Option<Abandoned>, FolderError> {
        if self.report(results).is_decided() {
            return Ok(None);
        }
        let open = (1..=self.games).filter(|number| results.iter().all(|r| r.game != *number));
        let open: Vec<u32> = open.collect();
        let workers = parallel.min(open.len());
        let queue = Mutex::new(open.into_iter());
        // Once the match is decided, no further game begins.
        let decided = Stop::new();
        thread::scope(|scope| {
            let (sender, receiver) = channel();
            for _ in 0..workers {
                let (sender, queue, decided) = (sender.clone(), &queue, &decided);
                scope.spawn(move || self.work(queue, decided, &sender));
            }
            drop(sender);
            let mut failure = None;
            let mut trouble = Ok(());
            for finished in receiver {
                match finished {
                    Ok(finished) if trouble.is_ok() => {
                        let kept = folder
                            .as_deref_mut()
                            .map_or(Ok(()), |folder| folder.keep(self.settings, &finished));
                        if kept.is_ok() {
                            results.push(finished.result.clone());
                            let report = self.report(results);
                            on_game(&finished, &report);
                            if report.is_decided() {
                                decided.stop();
                            }
                        }
                        trouble = kept;
                    }
                    Ok(_) => {}
                    Err(abandoned) => {
                        failure.get_or_insert(abandoned);
                    }
                }
                if failure.is_some() || trouble.is_err() {
                    // What is still being played cannot be kept, and is not waited for.
                    self.stop.stop();
                }
            }
            // A stop between two games has failed none of them, but they are not all played.
            let is_over = decided.is_stopped() || results.len() >= self.games as usize;
            if self.stop.is_stopped() && !is_over {
                failure.get_or_insert(Abandoned::Interrupted);
            }
            trouble.map(|()| failure)
        })
    }

    /// What these results say about the players.
    pub fn report(&self, results: &[GameResult]) -> Report<'_> {
        Report::of(self.settings, results, self.sprt)
    }

    /// Plays one game after the other until there are no more.
    fn work(
        &self,
        queue: &Mutex<impl Iterator<Item = u32>>,
        decided: &Stop,
        sender: &Sender<Result<FinishedGame, Abandoned>>,
    ) {
        let settings = self.settings;
        let mut players = Players::new(settings, self.stop);
        let start = settings.start();
        while !decided.is_stopped() && !self.stop.is_stopped() {
            let next = queue.lock().map(|mut queue| queue.next());
            let Ok(Some(number)) = next else {
                break;
            };
            let pair = u64::from(MatchSettings::pair(number));
            let moves = opening::opening(&start, settings.opening_moves, settings.seed, pair);
            let played = players.play(settings, number, &moves);
            let failed = played.is_err();
            if sender.send(played).is_err() || failed {
                break;
            }
        }
        players.close();
    }
}

/// Why a match cannot begin.
#[derive(Debug, thiserror::Error)]
pub enum CannotBegin {
    /// A command makes no sense, or nothing can be started with it.
    #[error("--{side}: {problem}")]
    Command {
        /// Whose command.
        side: Side,
        /// What is wrong with it.
        problem: String,
    },
    /// A program runs, and did not do as it should.
    #[error("--{side}: {error}\n{transcript}")]
    Program {
        /// Whose program.
        side: Side,
        /// What it did.
        error: ClientError,
        /// The last lines of what was said.
        transcript: String,
    },
    /// A stop was requested.
    #[error("interrupted")]
    Interrupted,
}

/// How many lines of a transcript show why a program failed at the start.
const LINES_OF_FAILURE: usize = 10;

impl MatchSettings {
    /// Starts both programs once, to see whether they play at all and what their names are. `given` are names to be
    /// used instead.
    pub fn introduce(&mut self, given: [Option<&str>; 2], stop: &Stop) -> Result<(), CannotBegin> {
        let mut names = [String::new(), String::new()];
        for side in Side::BOTH {
            let mut player = Player::new(&self.commands[side.index()], self, stop);
            player.prepare(self, 1).map_err(|problem| match problem {
                NotReady::Command(problem) => CannotBegin::Command { side, problem },
                NotReady::Program(ClientError::Interrupted) => CannotBegin::Interrupted,
                NotReady::Program(error) => CannotBegin::Program {
                    side,
                    error,
                    transcript: last_lines(&player.transcript(), LINES_OF_FAILURE).join("\n"),
                },
            })?;
            names[side.index()] = match given[side.index()] {
                Some(name) => safe_name(name),
                None => player
                    .name()
                    .map(|name| safe_name(&name))
                    .unwrap_or_default(),
            };
            if names[side.index()].is_empty() {
                names[side.index()] = side.to_string();
            }
            player.retire();
        }
        if names[0] == names[1] {
            names = Side::BOTH.map(|side| format!("{} ({side})", names[side.index()]));
        }
        self.names = names;
        Ok(())
    }
}

/// How many characters the name of a program may have.
const LONGEST_NAME: usize = 60;

/// A name that can stand in a line on a terminal, whatever the program calls itself.
fn safe_name(name: &str) -> String {
    let name = tengen_sgf::printable_line(name.trim());
    match name.char_indices().nth(LONGEST_NAME) {
        Some((end, _)) => format!("{}…", &name[..end]),
        None => name.into_owned(),
    }
}

/// The last lines of a transcript, at most so many.
pub fn last_lines(text: &str, most: usize) -> Vec<&str> {
    let lines: Vec<&str> = text.lines().collect();
    lines[lines.len().saturating_sub(most)..].to_vec()
}
