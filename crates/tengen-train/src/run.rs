//! A training run: playing, learning and measuring, generation after generation.
//!
//! A run lives in a folder. Whatever happens to the program, it goes on where it was: a game is in the journal as soon as it
//! has ended, a step of learning depends on its number and on the games alone, and every file is there as a whole or not at
//! all.

use std::collections::{HashMap, HashSet};
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, mpsc};
use std::thread;
use std::time::{Duration, Instant};

use rand_core::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;
use rayon::prelude::*;
use tengen_nn::{
    Architecture, Example, LearningState, Losses, Net, NetEvaluator, Trainer, WeightsError,
};
use tengen_search::Stop;

use crate::config::{Config, ConfigError};
use crate::evaluation::{Match, Player, fair_komi};
use crate::file::{FileError, write_whole};
use crate::journal::Journal;
use crate::log::{Komi, Log, Played, Summary, Versus};
use crate::position::ReplayError;
use crate::record::GameRecord;
use crate::report::report;
use crate::resignations::Resignations;
use crate::selfplay::play_game;
use crate::settings::SettingsError;
use crate::teacher::teach_game;
use crate::window::{Complaint, Window};

/// What is learned is written down at least this often.
const CHECKPOINT_EVERY: Duration = Duration::from_secs(60);

/// Boards of one size that go through the network together.
const GROUP: usize = 16;

/// Moves of an evaluation game that are drawn from the policy.
const OPENING_MOVES: u32 = 4;

/// Visits to see which komi is fair.
const KOMI_VISITS: u32 = 400;

/// What a run is doing.
#[derive(Clone, Debug)]
pub enum Event {
    /// Something in its folder was left out.
    Complaint(String),
    /// A game of a generation has ended.
    Game {
        /// The generation.
        generation: u64,
        /// Games of it that have ended.
        played: u64,
        /// Games that it has.
        games: u64,
        /// Games in an hour.
        rate: f64,
    },
    /// A step was learned.
    Step {
        /// The generation.
        generation: u64,
        /// Steps since its start.
        step: u64,
        /// Steps that it has.
        steps: u64,
        /// How wrong the network was.
        losses: Losses,
    },
    /// A match begins, against this opponent.
    Match(String),
    /// A generation has ended.
    Generation(Box<Summary>),
}

/// Why a run cannot go on.
#[derive(Debug)]
pub enum RunError {
    /// A file could not be read or written.
    File(FileError),
    /// A file of weights is damaged or foreign.
    Weights(PathBuf, WeightsError),
    /// The run was begun with another network or seed.
    Other(String),
    /// The configuration is wrong.
    Config(ConfigError),
    /// Games cannot be played like this.
    Settings(SettingsError),
    /// A game that was recorded cannot be replayed.
    Replay(ReplayError),
    /// The network says numbers that are none: it learned too fast.
    Diverged(u64),
}

impl fmt::Display for RunError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(error) => write!(f, "{error}"),
            Self::Weights(path, error) => write!(f, "{}: {error}", path.display()),
            Self::Other(what) => f.write_str(what),
            Self::Config(error) => write!(f, "{error}"),
            Self::Settings(error) => write!(f, "{error}"),
            Self::Replay(error) => write!(f, "a recorded game cannot be replayed: {error}"),
            Self::Diverged(step) => write!(
                f,
                "after step {step} the network no longer says numbers; the last good state is kept, lower `learning.rate`"
            ),
        }
    }
}

impl std::error::Error for RunError {}

impl From<FileError> for RunError {
    fn from(error: FileError) -> Self {
        Self::File(error)
    }
}

impl From<SettingsError> for RunError {
    fn from(error: SettingsError) -> Self {
        Self::Settings(error)
    }
}

/// How a call of [`Run::generation`] ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Progress {
    /// A generation is complete.
    Complete,
    /// It was stopped in between, and goes on with the next call.
    Stopped,
}

/// A training run.
#[derive(Debug)]
pub struct Run {
    folder: PathBuf,
    config: Config,
    threads: usize,
    window: Window,
    journal: Journal,
    trainer: Trainer,
    place: Place,
    log: Log,
}

/// Where a run is.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Place {
    generation: u64,
    /// Games of all generations before.
    games_before: u64,
    /// The steps at the start of this generation.
    steps_before: u64,
    /// The steps at the end of this generation, once its games are complete.
    steps_due: Option<u64>,
    /// Seconds that this generation has taken so far.
    play_seconds: f64,
    learn_seconds: f64,
    losses: Losses,
}

impl Place {
    fn notes(&self) -> Vec<(&'static str, String)> {
        let mut notes = vec![
            ("generation", self.generation.to_string()),
            ("games_before", self.games_before.to_string()),
            ("steps_before", self.steps_before.to_string()),
            ("play_seconds", self.play_seconds.to_string()),
            ("learn_seconds", self.learn_seconds.to_string()),
            (
                "losses",
                serde_json::to_string(&self.losses).unwrap_or_default(),
            ),
        ];
        notes.extend(self.steps_due.map(|due| ("steps_due", due.to_string())));
        notes
    }

    fn from_notes(notes: &HashMap<String, String>) -> Option<Self> {
        let whole = |name: &str| notes.get(name)?.parse().ok();
        let fraction = |name: &str| notes.get(name)?.parse().ok();
        Some(Self {
            generation: whole("generation")?,
            games_before: whole("games_before")?,
            steps_before: whole("steps_before")?,
            steps_due: match notes.get("steps_due") {
                Some(due) => Some(due.parse().ok()?),
                None => None,
            },
            play_seconds: fraction("play_seconds")?,
            learn_seconds: fraction("learn_seconds")?,
            losses: serde_json::from_str(notes.get("losses")?).ok()?,
        })
    }
}

impl Run {
    /// Opens a run in a folder, or begins one, on so many threads.
    pub fn open(
        folder: &Path,
        config: Config,
        threads: usize,
        events: &mut dyn FnMut(Event),
    ) -> Result<Self, RunError> {
        fs::create_dir_all(folder.join("nets")).map_err(|error| FileError::new(folder, error))?;
        let (window, complaints) = Window::open(&folder.join("games"), config.window)?;
        for complaint in &complaints {
            events(Event::Complaint(Complaint::to_string(complaint)));
        }
        let state_path = folder.join("state.safetensors");
        let beginning = Net::random(config.network, config.seed)
            .map_err(|error| RunError::Config(ConfigError::Network(error)))?;
        let (trainer, place) = match fs::read(&state_path) {
            Ok(bytes) => {
                let failed = |error| RunError::Weights(state_path.clone(), error);
                let (state, architecture, notes) =
                    LearningState::from_bytes(&bytes).map_err(failed)?;
                check_same(&config, architecture, &notes)?;
                let place = Place::from_notes(&notes).ok_or_else(|| {
                    RunError::Other(format!(
                        "{} does not say where the run is",
                        state_path.display()
                    ))
                })?;
                (Trainer::new(&beginning, state, threads), place)
            }
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                let state = LearningState::new(beginning.weights().to_vec());
                let place = Place {
                    generation: 0,
                    games_before: window.total_games(),
                    steps_before: 0,
                    steps_due: None,
                    play_seconds: 0.0,
                    learn_seconds: 0.0,
                    losses: Losses::default(),
                };
                (Trainer::new(&beginning, state, threads), place)
            }
            Err(error) => return Err(FileError::new(&state_path, error).into()),
        };
        let run = Self {
            journal: Journal::open(&folder.join("journal.tgr"))?,
            log: Log::open(folder)?,
            folder: folder.to_owned(),
            config,
            threads: threads.max(1),
            window,
            trainer,
            place,
        };
        run.save()?;
        Ok(run)
    }

    /// The generation that is under way or comes next.
    pub const fn current_generation(&self) -> u64 {
        self.place.generation
    }

    /// The hours that all generations have taken.
    pub fn hours(&self) -> f64 {
        self.log.seconds() / 3600.0
    }

    /// The log of all generations.
    pub const fn log(&self) -> &Log {
        &self.log
    }

    /// Where it lives.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The network that plays: averaged weights.
    pub fn net(&self) -> Net {
        self.trainer.averaged_net()
    }

    /// Writes `report.html`, a page with curves of all that was measured.
    pub fn write_report(&self) -> Result<(), RunError> {
        let page = report(&self.config, &self.log);
        Ok(write_whole(
            &self.folder.join("report.html"),
            page.as_bytes(),
        )?)
    }

    /// Is the end of the run reached?
    pub fn is_complete(&self) -> bool {
        let until = self.config.until;
        until
            .generations
            .is_some_and(|most| self.place.generation >= most)
            || until.hours.is_some_and(|most| self.hours() >= most)
    }

    /// Plays, learns and measures one generation, or what is left of it.
    pub fn generation(
        &mut self,
        stop: &Stop,
        events: &mut dyn FnMut(Event),
    ) -> Result<Progress, RunError> {
        let net = Arc::new(self.net());
        if self.place.steps_due.is_none() && self.play(&net, stop, events)? == Progress::Stopped {
            return Ok(Progress::Stopped);
        }
        if self.learn(stop, events)? == Progress::Stopped {
            return Ok(Progress::Stopped);
        }
        self.finish(stop, events)
    }

    /// How many games this generation has.
    fn games(&self) -> u64 {
        match self.config.teacher {
            Some(teacher) if self.place.games_before < teacher.games => {
                teacher.games - self.place.games_before
            }
            _ => self.config.generation.games,
        }
    }

    /// The numbers and seeds of the games of this generation.
    fn seeds(&self, games: u64) -> Vec<(u64, u64)> {
        let first = self.place.games_before;
        let numbers = first..first + games;
        numbers
            .map(|number| (number, seed_of(self.config.seed, number)))
            .collect()
    }

    fn play(
        &mut self,
        net: &Arc<Net>,
        stop: &Stop,
        events: &mut dyn FnMut(Event),
    ) -> Result<Progress, RunError> {
        let games = self.games();
        // The program may have ended after the games went into the window and before the journal was cleared.
        let already = self.window.total_games() >= self.place.games_before + games;
        if !already && self.play_games(net, games, stop, events)? == Progress::Stopped {
            self.save()?;
            return Ok(Progress::Stopped);
        }
        if !already {
            let mut played = self.journal.take();
            // In the order of their numbers, so that it does not matter which of them ended first.
            let seeds = self.seeds(games);
            played.sort_by_key(|record| seeds.iter().position(|(_, seed)| *seed == record.seed));
            self.window.append(played)?;
        }
        self.journal.clear()?;
        let new = self
            .window
            .games()
            .rev()
            .take(games as usize)
            .map(GameRecord::positions)
            .sum::<usize>() as f64;
        let settings = &self.config.generation;
        let steps = (settings.reuse * new / settings.batch as f64).ceil() as u64;
        self.place.steps_due = Some(self.place.steps_before + steps);
        self.save()?;
        Ok(Progress::Complete)
    }

    fn play_games(
        &mut self,
        net: &Arc<Net>,
        games: u64,
        stop: &Stop,
        events: &mut dyn FnMut(Event),
    ) -> Result<Progress, RunError> {
        let done: HashSet<u64> = self.journal.games().iter().map(|game| game.seed).collect();
        let mut due = self.seeds(games);
        due.retain(|(_, seed)| !done.contains(seed));
        let next = AtomicU64::new(0);
        let (config, version) = (&self.config, self.trainer.state().steps);
        let started = Instant::now();
        let before = self.journal.games().len();
        let (sender, receiver) = mpsc::channel();
        let worker = |sender: mpsc::Sender<Result<GameRecord, SettingsError>>| {
            let mut evaluator = NetEvaluator::new(Arc::clone(net));
            loop {
                let place = next.fetch_add(1, Ordering::Relaxed) as usize;
                let Some(&(number, seed)) = due.get(place).filter(|_| !stop.is_stopped()) else {
                    return;
                };
                let game = match &config.teacher {
                    Some(teacher) if number < teacher.games => {
                        teach_game(teacher, &config.self_play, seed)
                    }
                    _ => play_game(&mut evaluator, &config.self_play, seed),
                };
                let game = game.map(|record| GameRecord {
                    network: version,
                    ..record
                });
                if sender.send(game).is_err() {
                    return;
                }
            }
        };
        let journal = &mut self.journal;
        let generation = self.place.generation;
        let mut result = Ok(());
        thread::scope(|scope| {
            for _ in 0..self.threads {
                let sender = sender.clone();
                scope.spawn(|| worker(sender));
            }
            drop(sender);
            for game in receiver {
                let kept = game
                    .map_err(RunError::from)
                    .and_then(|record| Ok(journal.add(record)?));
                if let Err(error) = kept {
                    stop.stop();
                    result = Err(error);
                    return;
                }
                let played = journal.games().len();
                events(Event::Game {
                    generation,
                    played: played as u64,
                    games,
                    rate: 3600.0 * (played - before) as f64 / started.elapsed().as_secs_f64(),
                });
            }
        });
        self.place.play_seconds += started.elapsed().as_secs_f64();
        result?;
        if (self.journal.games().len() as u64) < games {
            return Ok(Progress::Stopped);
        }
        Ok(Progress::Complete)
    }

    fn learn(&mut self, stop: &Stop, events: &mut dyn FnMut(Event)) -> Result<Progress, RunError> {
        let due = self.place.steps_due.unwrap_or(self.place.steps_before);
        let generation = self.place.generation;
        let learning = self
            .config
            .generation
            .learning(&self.config.learning, generation);
        let mut saved = Instant::now();
        while self.trainer.state().steps < due {
            if stop.is_stopped() {
                self.save()?;
                return Ok(Progress::Stopped);
            }
            let started = Instant::now();
            let groups = self.batch()?;
            let losses = self.trainer.step(&groups, &learning);
            let step = self.trainer.state().steps;
            if !losses.total(learning.loss).is_finite() {
                return Err(RunError::Diverged(step));
            }
            self.place.losses += losses;
            self.place.learn_seconds += started.elapsed().as_secs_f64();
            events(Event::Step {
                generation,
                step: step - self.place.steps_before,
                steps: due - self.place.steps_before,
                losses: losses.mean(),
            });
            if saved.elapsed() > CHECKPOINT_EVERY {
                self.save()?;
                saved = Instant::now();
            }
        }
        Ok(Progress::Complete)
    }

    /// The examples of the next step, which depend on its number and the games alone, in groups of one size.
    fn batch(&self) -> Result<Vec<Vec<Example>>, RunError> {
        let step = self.trainer.state().steps;
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed_of(self.config.seed ^ LEARNING, step));
        let settings = &self.config.generation;
        let samples: Vec<_> = (0..settings.batch)
            .filter_map(|_| self.window.sample(&mut rng))
            .collect();
        let examples: Result<Vec<Example>, ReplayError> = samples
            .par_iter()
            .map(|sample| sample.example(settings.search_share))
            .collect();
        let mut groups: Vec<Vec<Example>> = Vec::new();
        for example in examples.map_err(RunError::Replay)? {
            let size = example.inputs.size();
            let group = groups
                .iter_mut()
                .find(|group| group.len() < GROUP && group[0].inputs.size() == size);
            match group {
                Some(group) => group.push(example),
                None => groups.push(vec![example]),
            }
        }
        Ok(groups)
    }

    /// Measures, and goes on to the next generation.
    fn finish(&mut self, stop: &Stop, events: &mut dyn FnMut(Event)) -> Result<Progress, RunError> {
        let net = Arc::new(self.net());
        let generation = self.place.generation;
        let games = self.games();
        let evaluation = self.config.evaluation.clone();
        let measured = evaluation.every > 0 && (generation + 1).is_multiple_of(evaluation.every);
        let mut summary = Summary {
            generation,
            steps: self.trainer.state().steps,
            games: self.window.total_games(),
            positions: self.window.total_positions(),
            window: self.window.positions(),
            play_seconds: self.place.play_seconds,
            learn_seconds: self.place.learn_seconds,
            measure_seconds: 0.0,
            losses: self.place.losses.mean(),
            played: self.played(games),
            versus: Vec::new(),
            fair_komi: Vec::new(),
        };
        if measured {
            let started = Instant::now();
            for opponent in self.opponents()? {
                let (name, player) = opponent;
                events(Event::Match(name.clone()));
                let tally = Match {
                    size: evaluation.size,
                    games: evaluation.games,
                    opening_moves: OPENING_MOVES,
                    threads: self.threads,
                    seed: seed_of(self.config.seed ^ MEASURING, generation),
                }
                .play(
                    &Player::Network(Arc::clone(&net), evaluation.visits),
                    &player,
                    stop,
                );
                summary.versus.push(Versus { name, tally });
            }
            for size in &evaluation.fair_komi {
                summary.fair_komi.push(Komi {
                    size: size.to_string(),
                    komi: fair_komi(&net, *size, KOMI_VISITS),
                });
            }
            if stop.is_stopped() {
                // The matches are not complete, so they are played again.
                self.save()?;
                return Ok(Progress::Stopped);
            }
            summary.measure_seconds = started.elapsed().as_secs_f64();
            let path = self
                .folder
                .join("nets")
                .join(format!("{generation:06}.safetensors"));
            write_whole(&path, &summary.net_bytes(&net))?;
        }
        write_whole(
            &self.folder.join("net.safetensors"),
            &summary.net_bytes(&net),
        )?;
        self.log.add(summary.clone())?;
        self.place = Place {
            generation: generation + 1,
            games_before: self.place.games_before + games,
            steps_before: self.trainer.state().steps,
            steps_due: None,
            play_seconds: 0.0,
            learn_seconds: 0.0,
            losses: Losses::default(),
        };
        self.save()?;
        events(Event::Generation(Box::new(summary)));
        Ok(Progress::Complete)
    }

    /// Whom to measure the network against: the rollouts, and the latest networks that were measured themselves.
    fn opponents(&self) -> Result<Vec<(String, Player)>, RunError> {
        let evaluation = &self.config.evaluation;
        let mut opponents = Vec::new();
        if evaluation.rollout_visits > 0 {
            let visits = evaluation.rollout_visits;
            opponents.push((format!("rollouts {visits}"), Player::Rollouts(visits)));
        }
        let measured = self.log.measured();
        for generation in measured.rev().take(evaluation.opponents) {
            let name = format!("{generation:06}");
            let path = self.folder.join("nets").join(format!("{name}.safetensors"));
            let bytes = fs::read(&path).map_err(|error| FileError::new(&path, error))?;
            let net = Net::from_bytes(&bytes).map_err(|error| RunError::Weights(path, error))?;
            opponents.push((name, Player::Network(Arc::new(net), evaluation.visits)));
        }
        Ok(opponents)
    }

    /// What the games of this generation were like.
    fn played(&self, games: u64) -> Played {
        let mut played = Played::default();
        let mut resignations = Resignations::default();
        for record in self.window.games().rev().take(games as usize) {
            played.add(record);
            resignations.add(record);
        }
        played.with_resignations(&resignations)
    }

    /// Writes down where the run is.
    fn save(&self) -> Result<(), RunError> {
        let mut notes = self.place.notes();
        notes.push(("seed", self.config.seed.to_string()));
        let notes: Vec<(&str, &str)> = notes
            .iter()
            .map(|(name, value)| (*name, value.as_str()))
            .collect();
        let bytes = self.trainer.state().to_bytes(self.config.network, &notes);
        Ok(write_whole(&self.folder.join("state.safetensors"), &bytes)?)
    }
}

/// Different streams of random numbers from one seed.
const LEARNING: u64 = 0x4c65_6172;
const MEASURING: u64 = 0x4d65_6173;

/// A seed that depends on two numbers.
fn seed_of(seed: u64, number: u64) -> u64 {
    let mixed = seed
        .wrapping_mul(0x9e37_79b9_7f4a_7c15)
        .wrapping_add(number);
    let mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ mixed >> 31
}

fn check_same(
    config: &Config,
    architecture: Architecture,
    notes: &HashMap<String, String>,
) -> Result<(), RunError> {
    if architecture != config.network {
        return Err(RunError::Other(format!(
            "the run was begun with a network of {architecture}, and the configuration has one of {}: use another folder",
            config.network
        )));
    }
    if notes.get("seed") != Some(&config.seed.to_string()) {
        return Err(RunError::Other(
            "the run was begun with another seed: use another folder".to_owned(),
        ));
    }
    Ok(())
}
