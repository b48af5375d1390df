//! The server of a soak, and who decides its fate.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::process::Command;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use serde_json::json;

use super::World;
use super::dice::Dice;
use super::http::{PATIENCE, Reply, call};
use super::process::{Line, Process, address};

/// The furthest that a calendar jumps, in seconds: two days.
const JUMP: u64 = 48 * 3600;

/// The two programs that serve.
pub(super) struct Programs {
    pub(super) tengen: PathBuf,
    pub(super) driven: PathBuf,
}

/// Which program serves.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Program {
    /// `tengen serve`, as users have it.
    Tengen,
    /// The same server with a calendar and files that obey us.
    Driven,
}

/// A server that is killed, stopped and started again, and whose disk is full at times.
pub(super) struct Host<'a> {
    world: &'a World,
    dice: Dice,
    running: Option<(Program, Process)>,
}

impl<'a> Host<'a> {
    pub(super) fn new(world: &'a World) -> Self {
        Self {
            world,
            dice: Dice::new(world.seed, "fate"),
            running: None,
        }
    }

    /// Lets things happen until the time is over; at the end all games are compared once more, with a server that has
    /// just been started.
    pub(super) fn run(&mut self) -> Result<()> {
        self.restart(None)?;
        while !self.world.is_over() {
            self.pass(300, 3000);
            match self.dice.below(100) {
                0..=29 => {
                    self.kill();
                    self.restart(None)?;
                }
                30..=44 => {
                    self.stop()?;
                    self.restart(None)?;
                }
                45..=79 => self.live_with_a_full_disk()?,
                _ => self.jump(),
            }
        }
        self.stop()?;
        self.restart(Some(Program::Tengen))?;
        self.stop()?;
        self.world.close();
        let damaged = self.world.disk.data().join("damaged");
        if damaged.exists() {
            self.world.figures.problem(format_args!(
                "records were set aside: {}",
                damaged.display()
            ));
        }
        Ok(())
    }

    /// Lets so many milliseconds pass, and looks at the memory of the server.
    fn pass(&mut self, least: u64, most: u64) {
        let time = Duration::from_millis(self.dice.between(least, most));
        let end = Instant::now() + time;
        while Instant::now() < end && !self.world.is_over() {
            thread::sleep(Duration::from_millis(100).min(time));
            if let Some((_, process)) = &self.running {
                self.world.figures.weigh("the server", process.id());
            }
        }
    }

    /// The disk is full for a while. Meanwhile the server may be killed, or stopped.
    fn live_with_a_full_disk(&mut self) -> Result<()> {
        self.world.figures.counts().full_disks += 1;
        let is_driven = matches!(self.running, Some((Program::Driven, _)));
        if is_driven && self.dice.percent(70) {
            self.tell("full");
            self.pass(100, 4000);
            match self.dice.below(4) {
                0 => self.kill(),
                1 => self.stop()?,
                _ => self.tell("space"),
            }
        } else {
            self.world.disk.fill()?;
            self.pass(100, 4000);
            match self.dice.below(4) {
                0 => self.kill(),
                1 => self.stop()?,
                _ => {}
            }
            if self.running.is_none() && self.dice.percent(50) {
                self.try_to_start_on_a_full_disk()?;
            }
            self.world.disk.free()?;
        }
        match self.running {
            Some(_) => Ok(()),
            None => self.restart(None),
        }
    }

    /// Somebody sets the calendar of the server, or at least would like to.
    fn jump(&mut self) {
        if matches!(self.running, Some((Program::Driven, _))) {
            self.world.figures.counts().clock_jumps += 1;
            let seconds = self.dice.between(1, JUMP);
            let sign = if self.dice.percent(50) { "-" } else { "" };
            self.tell(&format!("date {sign}{seconds}"));
        }
    }

    fn tell(&mut self, line: &str) {
        if let Some((_, process)) = &mut self.running {
            process.say(line.as_bytes());
        }
    }

    fn kill(&mut self) {
        if let Some((_, process)) = self.running.take() {
            self.world.figures.counts().killed += 1;
            self.world.figures.weigh("the server", process.id());
            process.kill();
            self.world.close();
        }
    }

    fn stop(&mut self) -> Result<()> {
        let Some((_, process)) = self.running.take() else {
            return Ok(());
        };
        self.world.figures.counts().stopped += 1;
        self.world.figures.weigh("the server", process.id());
        process.terminate()?;
        match process.wait() {
            Ok(status) if status.success() => {}
            Ok(status) => self.world.figures.problem(format_args!(
                "a server that was stopped ended with {status}"
            )),
            Err(error) => self
                .world
                .figures
                .problem(format_args!("a server was stopped: {error:#}")),
        }
        self.world.close();
        Ok(())
    }

    fn command(&self, program: Program) -> Command {
        let programs = &self.world.programs;
        let data = self.world.disk.data();
        match program {
            Program::Tengen => {
                let mut command = Command::new(&programs.tengen);
                command.args(["serve", "--no-open", "--port", "0", "--threads", "1"]);
                command.args(["--memory", "64", "--data"]).arg(data);
                command
            }
            Program::Driven => {
                let mut command = Command::new(&programs.driven);
                command.arg(data);
                command
            }
        }
    }

    /// Starts a server and waits for its address. One that ends instead says so in the log.
    fn start(&self, program: Program) -> Result<Option<(Process, SocketAddr)>> {
        let begin = Instant::now();
        let process = Process::start(&mut self.command(program), &self.world.log)?;
        match process.hear(PATIENCE) {
            Line::Text(line) => {
                let address = address(&line).with_context(|| format!("a server says {line:?}"))?;
                let mut counts = self.world.figures.counts();
                counts.longest_start = counts.longest_start.max(begin.elapsed().as_secs_f64());
                Ok(Some((process, address)))
            }
            Line::End => Ok(None),
            Line::Nothing => bail!("a server does not start"),
        }
    }

    /// On a full disk a server may start or refuse to, and must lose nothing by either.
    fn try_to_start_on_a_full_disk(&mut self) -> Result<()> {
        match self.start(Program::Tengen)? {
            Some((process, address)) => {
                self.running = Some((Program::Tengen, process));
                self.compare(address);
                self.world.open(address);
            }
            None => self.world.figures.counts().refused_starts += 1,
        }
        Ok(())
    }

    /// Starts a server and compares all games with what was promised, before anybody else may talk to it.
    fn restart(&mut self, program: Option<Program>) -> Result<()> {
        let either = *self.dice.pick(&[Program::Tengen, Program::Driven]);
        let program = program.unwrap_or(either);
        let (process, address) = self
            .start(program)?
            .with_context(|| format!("a server ended at once: see {}", self.world.log.display()))?;
        self.running = Some((program, process));
        self.compare(address);
        self.world.open(address);
        Ok(())
    }

    fn compare(&self, address: SocketAddr) {
        let mut ledger = self.world.ledger();
        let mut gone = Vec::new();
        for (game, entry) in &mut ledger.games {
            match call(address, "game.get", &json!({ "game": game })) {
                Reply::Done(sheet) => self.world.compare(game, entry, Some(&sheet)),
                Reply::Refused(code) if code == "no_game" => {
                    self.world.compare(game, entry, None);
                    gone.push(game.clone());
                }
                other => self
                    .world
                    .figures
                    .problem(format_args!("a server that was just started: {other:?}")),
            }
        }
        for game in gone {
            ledger.games.remove(&game);
        }
        let Reply::Done(list) = call(address, "games.list", &json!({})) else {
            self.world
                .figures
                .problem("a server that was just started lists no games");
            return;
        };
        let listed = list["games"].as_array().into_iter().flatten();
        for game in listed.filter_map(|game| game["id"].as_str()) {
            if self.world.is_deleted(game) {
                let figures = &self.world.figures;
                figures.problem(format_args!("game {game} was deleted, and is back"));
            }
        }
    }
}
