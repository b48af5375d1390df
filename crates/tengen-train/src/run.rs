//! A training run: playing, learning and measuring, generation after generation.
//!
//! A run lives in a folder. Whatever happens to the program, it goes on where it was: a game is in the journal as soon
//! as it has ended, a step of learning depends on its number and on the games alone, and every file is there as a whole
//! or not at all.

mod due;
mod error;
mod event;
mod records;
mod standing;
mod start;

use std::collections::{HashMap, HashSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use rand_core::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;
use rayon::prelude::*;
use tengen_files::{Access, Disk, FileError, Files};
use tengen_nn::{Example, LearningState, Losses, Net, NetEvaluator, Trainer};
use tengen_search::Stop;

use crate::config::{Config, ConfigError};
use crate::evaluation::{Match, Player, fair_komi};
use crate::journal::Journal;
use crate::log::{Komi, Log, Played, Summary, Versus};
use crate::pool::Pool;
use crate::position::ReplayError;
use crate::record::GameRecord;
use crate::report::report;
use crate::resignations::Resignations;
use crate::seed::seed_of;
use crate::window::{Complaint, Window};
use records::Records;
use standing::Standing;
use start::{check_same, start};

pub use due::Due;
pub use error::RunError;
pub use event::Event;

/// What is learned is written down at least this often.
const CHECKPOINT_EVERY: Duration = Duration::from_secs(60);

/// Moves of an evaluation game that are drawn from the policy.
const OPENING_MOVES: u32 = 4;

/// Visits to see which komi is fair.
const KOMI_VISITS: u32 = 400;

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
    disk: Arc<dyn Files>,
    config: Config,
    threads: usize,
    window: Window,
    journal: Journal,
    trainer: Trainer,
    standing: Standing,
    log: Log,
    records: Option<Records>,
    /// Games that come in were played elsewhere since then.
    waiting_since: Instant,
}

impl Run {
    /// Opens a run in a folder, or begins one, on so many threads.
    pub fn open(
        folder: &Path,
        config: Config,
        threads: usize,
        events: &mut dyn FnMut(Event),
    ) -> Result<Self, RunError> {
        Self::open_with(Arc::new(Disk), folder, config, threads, events)
    }

    /// The same with these files.
    pub fn open_with(
        disk: Arc<dyn Files>,
        folder: &Path,
        config: Config,
        threads: usize,
        events: &mut dyn FnMut(Event),
    ) -> Result<Self, RunError> {
        disk.make_folder(&folder.join("nets"), Access::Usual)
            .map_err(|error| FileError::new(folder, error))?;
        let (window, complaints) =
            Window::open_with(disk.clone(), &folder.join("games"), config.window)?;
        for complaint in &complaints {
            events(Event::Complaint(Complaint::to_string(complaint)));
        }
        let state_path = folder.join("state.safetensors");
        let random = Net::random(config.network, config.seed)
            .map_err(|error| RunError::Config(ConfigError::Network(error)))?;
        let (trainer, standing) = match fs::read(&state_path) {
            Ok(bytes) => {
                let failed = |error| RunError::Weights(state_path.clone(), error);
                let (state, architecture, notes) =
                    LearningState::from_bytes(&bytes).map_err(failed)?;
                check_same(&config, architecture, &notes)?;
                let standing = Standing::from_notes(&notes).ok_or_else(|| {
                    RunError::Other(format!(
                        "{} does not say where the run is",
                        state_path.display()
                    ))
                })?;
                (Trainer::new(&random, state, threads), standing)
            }
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                let beginning = match &config.start {
                    Some(name) => start(name, config.network, config.seed)?,
                    None => Arc::new(random),
                };
                let state = LearningState::new(beginning.weights().to_vec());
                let standing = Standing {
                    generation: 0,
                    games_before: window.total_games(),
                    steps_before: 0,
                    steps_due: None,
                    play_seconds: 0.0,
                    learn_seconds: 0.0,
                    losses: Losses::default(),
                };
                (Trainer::new(&beginning, state, threads), standing)
            }
            Err(error) => return Err(FileError::new(&state_path, error).into()),
        };
        let records = match &config.records {
            Some(options) => Some(Records::read(options, config.seed, events)?),
            None => None,
        };
        let run = Self {
            records,
            journal: Journal::open(disk.clone(), &folder.join("journal.tgr"))?,
            log: Log::open_with(disk.clone(), folder)?,
            folder: folder.to_owned(),
            disk,
            config,
            threads: threads.max(1),
            window,
            trainer,
            standing,
            waiting_since: Instant::now(),
        };
        run.save()?;
        Ok(run)
    }

    /// The generation that is under way or comes next.
    pub const fn current_generation(&self) -> u64 {
        self.standing.generation
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
        // A folder that is named by two dots has another name too.
        let folder = fs::canonicalize(&self.folder).unwrap_or_else(|_| self.folder.clone());
        let name = folder.file_name().unwrap_or_default().to_string_lossy();
        let page = report(&name, &self.config, &self.log);
        self.write("report.html", page.as_bytes())
    }

    /// Is the end of the run reached?
    pub fn is_complete(&self) -> bool {
        let until = self.config.until;
        until
            .generations
            .is_some_and(|most| self.standing.generation >= most)
            || until.hours.is_some_and(|most| self.hours() >= most)
    }

    /// Plays, learns and measures one generation, or what is left of it.
    pub fn generation(
        &mut self,
        stop: &Stop,
        events: &mut dyn FnMut(Event),
    ) -> Result<Progress, RunError> {
        if self.standing.steps_due.is_none() && self.config.is_without_games() {
            self.standing.steps_due =
                Some(self.standing.steps_before + self.config.generation.steps);
        }
        let mut progress = match self.standing.steps_due {
            Some(_) => Ok(Progress::Complete),
            None => self.play(&Arc::new(self.net()), stop, events),
        };
        if let Ok(Progress::Complete) = progress {
            progress = self.learn(stop, events);
        }
        if let Ok(Progress::Complete) = progress {
            progress = self.finish(stop, events);
        }
        self.waiting_since = Instant::now();
        progress
    }

    /// How many games this generation has.
    fn games(&self) -> u64 {
        match self.config.teacher {
            _ if self.config.is_without_games() => 0,
            Some(teacher) if self.standing.games_before < teacher.games => {
                teacher.games - self.standing.games_before
            }
            _ => self.config.generation.games,
        }
    }

    /// The games of this generation.
    fn scheduled(&self) -> impl Iterator<Item = Due> + use<> {
        let first = self.standing.games_before;
        let (seed, network) = (self.config.seed, self.trainer.state().steps);
        (first..first + self.games()).map(move |number| Due {
            number,
            seed: seed_of(seed, number),
            network,
        })
    }

    /// The games of this generation that are yet to be played; none while it learns.
    pub fn due(&self) -> Vec<Due> {
        if self.standing.steps_due.is_some() {
            return Vec::new();
        }
        let done: HashSet<u64> = self.journal.games().iter().map(|game| game.seed).collect();
        let due = self.scheduled().filter(|game| !done.contains(&game.seed));
        due.collect()
    }

    /// Takes a game that was due and was played elsewhere. Says whether it was of use: a game that is there already, or
    /// that was never due, is not.
    pub fn accept(&mut self, record: GameRecord) -> Result<bool, RunError> {
        let is_due = self.due().iter().any(|game| game.seed == record.seed);
        if is_due {
            self.standing.play_seconds += self.waiting_since.elapsed().as_secs_f64();
            self.waiting_since = Instant::now();
            self.journal.add(record)?;
        }
        Ok(is_due)
    }

    fn play(
        &mut self,
        net: &Arc<Net>,
        stop: &Stop,
        events: &mut dyn FnMut(Event),
    ) -> Result<Progress, RunError> {
        let games = self.games();
        // The program may have ended after the games went into the window and before the journal was cleared.
        let already = self.window.total_games() >= self.standing.games_before + games;
        if !already && self.play_games(net, games, stop, events)? == Progress::Stopped {
            self.save()?;
            return Ok(Progress::Stopped);
        }
        if !already {
            let mut played = self.journal.take();
            // In the order of their numbers, so that it does not matter which of them ended first.
            let order: HashMap<u64, u64> = self
                .scheduled()
                .map(|game| (game.seed, game.number))
                .collect();
            played.sort_by_key(|record| order.get(&record.seed).copied());
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
        let own_share = 1.0 - self.config.records_share();
        let steps = (settings.reuse * new / (own_share * settings.batch as f64)).ceil() as u64;
        self.standing.steps_due = Some(self.standing.steps_before + steps);
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
        let due = self.due();
        let config = &self.config;
        let started = Instant::now();
        let before = self.journal.games().len();
        let journal = &mut self.journal;
        let generation = self.standing.generation;
        let pool = Pool {
            threads: self.threads,
            stop,
        };
        let result: Result<(), RunError> = pool.run(
            &due,
            || NetEvaluator::new(Arc::clone(net)),
            |evaluator, due| config.play(*due, evaluator),
            |_, record| {
                journal.add(record?)?;
                let played = journal.games().len();
                events(Event::Game {
                    generation,
                    played: played as u64,
                    games,
                    rate: 3600.0 * (played - before) as f64 / started.elapsed().as_secs_f64(),
                });
                Ok(())
            },
        );
        self.standing.play_seconds += started.elapsed().as_secs_f64();
        result?;
        if (self.journal.games().len() as u64) < games {
            return Ok(Progress::Stopped);
        }
        Ok(Progress::Complete)
    }

    fn learn(&mut self, stop: &Stop, events: &mut dyn FnMut(Event)) -> Result<Progress, RunError> {
        let due = self
            .standing
            .steps_due
            .unwrap_or(self.standing.steps_before);
        let generation = self.standing.generation;
        let mut saved = Instant::now();
        while self.trainer.state().steps < due {
            if stop.is_stopped() {
                self.save()?;
                return Ok(Progress::Stopped);
            }
            let started = Instant::now();
            let groups = self.batch()?;
            let learning = self
                .config
                .learning_at(generation, self.trainer.state().steps);
            let losses = self.trainer.step(&groups, &learning);
            let step = self.trainer.state().steps;
            if !losses.total(learning.loss).is_finite() {
                return Err(RunError::Diverged(step));
            }
            self.standing.losses += losses;
            self.standing.learn_seconds += started.elapsed().as_secs_f64();
            events(Event::Step {
                generation,
                step: step - self.standing.steps_before,
                steps: due - self.standing.steps_before,
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
    fn batch(&mut self) -> Result<Vec<Vec<Example>>, RunError> {
        let step = self.trainer.state().steps;
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed_of(self.config.seed ^ LEARNING, step));
        let settings = &self.config.generation;
        let recorded = (self.config.records_share() * settings.batch as f64).round() as usize;
        let samples: Vec<_> = (recorded..settings.batch)
            .filter_map(|_| self.window.sample(&mut rng))
            .collect();
        let examples: Result<Vec<Example>, ReplayError> = samples
            .par_iter()
            .map(|sample| sample.example(settings.search_share))
            .collect();
        let mut examples = examples.map_err(RunError::Replay)?;
        if let Some(records) = &mut self.records {
            examples.extend(records.examples(step, recorded));
        }
        let mut groups: Vec<Vec<Example>> = Vec::new();
        for example in examples {
            let size = example.inputs.size();
            let most = Trainer::group(size);
            let group = groups
                .iter_mut()
                .find(|group| group.len() < most && group[0].inputs.size() == size);
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
        let generation = self.standing.generation;
        let games = self.games();
        let evaluation = self.config.evaluation.clone();
        let measured = evaluation.every > 0 && (generation + 1).is_multiple_of(evaluation.every);
        let mut summary = Summary {
            generation,
            steps: self.trainer.state().steps,
            games: self.window.total_games(),
            positions: self.window.total_positions(),
            window: self.window.positions(),
            play_seconds: self.standing.play_seconds,
            learn_seconds: self.standing.learn_seconds,
            measure_seconds: 0.0,
            losses: self.standing.losses.mean(),
            played: self.played(games),
            versus: Vec::new(),
            fair_komi: Vec::new(),
            learned: self.standing.losses.examples as u64,
            recorded: self.records.as_ref().map_or(0, |records| {
                records.learned(self.trainer.state().steps, &self.config)
            }),
            exam: None,
        };
        let started = Instant::now();
        if let Some(records) = &self.records {
            events(Event::Exam);
            summary.exam = records.examine(Arc::clone(&net));
            summary.measure_seconds = started.elapsed().as_secs_f64();
        }
        if measured {
            for opponent in self.opponents()? {
                let (name, player) = opponent;
                events(Event::Match(name.clone()));
                let tally = Match {
                    size: evaluation.size,
                    komi: evaluation.komi(),
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
            self.write(
                &format!("nets/{generation:06}.safetensors"),
                &summary.net_bytes(&net, self.longest_side()),
            )?;
        }
        self.write(
            "net.safetensors",
            &summary.net_bytes(&net, self.longest_side()),
        )?;
        self.log.add(summary.clone())?;
        self.standing = Standing {
            generation: generation + 1,
            games_before: self.standing.games_before + games,
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

    /// The longest side of the boards that it learns on.
    fn longest_side(&self) -> u8 {
        let recorded = self.records.as_ref().map_or(0, Records::longest_side);
        recorded.max(self.config.longest_side())
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
        let mut notes = self.standing.notes();
        notes.push(("seed", self.config.seed.to_string()));
        let notes: Vec<(&str, &str)> = notes
            .iter()
            .map(|(name, value)| (*name, value.as_str()))
            .collect();
        let bytes = self.trainer.state().to_bytes(self.config.network, &notes);
        self.write("state.safetensors", &bytes)
    }

    /// Writes a file of the folder as a whole.
    fn write(&self, name: &str, bytes: &[u8]) -> Result<(), RunError> {
        let path = self.folder.join(name);
        Ok(self.disk.replace(&path, bytes, Access::Usual)?)
    }
}

/// Different streams of random numbers from one seed.
const LEARNING: u64 = 0x4c65_6172;
const MEASURING: u64 = 0x4d65_6173;
