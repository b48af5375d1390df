//! Other programs that play.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use tengen_app::{ClockSettings, Finding, Job, JobId, JobKind, Report};
use tengen_core::{Color, Game, Move, Rules, Setup, Turn};
use tengen_gtp::client::{Client, ClientError, NewGame, TimeSettings};
use tengen_search::Stop;

use crate::settings::Program;

/// How many programs run at a time.
const MOST_PROGRAMS: usize = 8;

/// How long a program may take for anything but a move, and beyond its time for one.
const REPLY_TIMEOUT: Duration = Duration::from_secs(60);

/// How long a program may take for a move in a game without clocks.
const MOVE_TIMEOUT: Duration = Duration::from_secs(600);

/// A program whose turn it was not for so long is ended; it is started again when it is needed.
const IDLE_TIMEOUT: Duration = Duration::from_secs(300);

/// The programs that may play, and those that do. A program is started for each seat when it has to move first, and
/// ends when it was not needed for some time, or with the server.
#[derive(Debug)]
pub(crate) struct Programs {
    known: Vec<Program>,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    idle: Vec<Seated>,
    thinking: HashMap<JobId, Thought>,
}

/// A program that thinks, or is about to.
#[derive(Debug, Default)]
struct Thought {
    /// Ends it, once it runs.
    stop: Option<Stop>,
    cancelled: bool,
}

/// A program at a game.
#[derive(Debug)]
struct Seated {
    seat: Seat,
    client: Client,
    stop: Stop,
    /// The game as the program knows it.
    known: Option<Known>,
    since: Instant,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Seat {
    program: String,
    game: String,
    color: Color,
}

/// What a program was told.
#[derive(Clone, Debug, PartialEq)]
struct Known {
    start: Setup,
    rules: Rules,
    komi: String,
    turns: Vec<Turn>,
}

/// What a program is to do.
struct Request<'a> {
    clock: Option<ClockSettings>,
    left: &'a [(Color, u32, u32)],
    position: &'a Game,
}

impl Programs {
    pub(crate) fn new(known: &[Program]) -> Arc<Self> {
        Arc::new(Self {
            known: known.to_vec(),
            state: Mutex::default(),
        })
    }

    /// Lets a program think in a thread of its own, which reports what came of it.
    pub(crate) fn begin(
        self: &Arc<Self>,
        job: Job,
        report: impl FnOnce(JobId, Report) + Send + 'static,
    ) {
        let id = job.id;
        let is_full = {
            let mut state = self.state();
            let is_full = state.thinking.len() >= MOST_PROGRAMS;
            state.thinking.insert(id, Thought::default());
            is_full
        };
        let programs = self.clone();
        let think = move || {
            let told = match is_full {
                true => Report::Failed(format!("{MOST_PROGRAMS} programs think already")),
                false => programs.think(&job),
            };
            let thought = programs.state().thinking.remove(&id);
            if !thought.is_some_and(|thought| thought.cancelled) {
                report(id, told);
            }
        };
        let name = "program".to_owned();
        // Without a thread the game waits, as it does for a program that thinks for ever.
        if thread::Builder::new().name(name).spawn(think).is_err() {
            self.state().thinking.remove(&id);
        }
    }

    /// Ends what a program thinks, and the program with it: GTP has no other way to interrupt one.
    pub(crate) fn cancel(&self, job: JobId) {
        if let Some(thought) = self.state().thinking.get_mut(&job) {
            thought.cancel();
        }
    }

    /// Ends programs that were not needed for long.
    pub(crate) fn tidy(&self) {
        let unused = {
            let mut state = self.state();
            let (used, unused) = state
                .idle
                .drain(..)
                .partition(|seated| seated.since.elapsed() < IDLE_TIMEOUT);
            state.idle = used;
            unused
        };
        retire(unused);
    }

    /// Ends all programs, and returns when they have ended.
    pub(crate) fn close(&self) {
        let idle = {
            let mut state = self.state();
            state.thinking.values_mut().for_each(Thought::cancel);
            std::mem::take(&mut state.idle)
        };
        drop(idle);
        let started = Instant::now();
        while !self.state().thinking.is_empty() && started.elapsed() < REPLY_TIMEOUT {
            thread::sleep(Duration::from_millis(5));
        }
    }

    fn think(&self, job: &Job) -> Report {
        let JobKind::Program { name, clock, left } = &job.kind else {
            return Report::Failed("this is no job for a program".to_owned());
        };
        let request = Request {
            clock: *clock,
            left,
            position: &job.position,
        };
        let seat = Seat {
            program: name.clone(),
            game: job.game.clone(),
            color: job.position.to_move(),
        };
        let failed = |error: &dyn std::fmt::Display| Report::Failed(format!("{name}: {error}"));
        let mut seated = match self.seated(seat, job.id) {
            Ok(seated) => seated,
            Err(error) => return failed(&error),
        };
        let result = seated.move_in(&request);
        if seated.client.is_usable() && !seated.stop.is_stopped() {
            seated.since = Instant::now();
            self.state().idle.push(seated);
        }
        match result {
            Ok(Reply::Resign) => Report::Done(Finding::Move(None)),
            Ok(Reply::Move(action)) => Report::Done(Finding::Move(Some(action))),
            Ok(Reply::Nonsense(text)) => {
                failed(&format_args!("it wants to play {text:?}, which it may not"))
            }
            Err(error) => failed(&error),
        }
    }

    /// The program at this seat, started if it is not there.
    fn seated(&self, seat: Seat, job: JobId) -> Result<Seated, ClientError> {
        let mut surplus = Vec::new();
        let (found, stop) = {
            let mut state = self.state();
            let place = state.idle.iter().position(|seated| seated.seat == seat);
            let found = place.map(|place| state.idle.remove(place));
            while found.is_none()
                && state.idle.len() + state.thinking.len() > MOST_PROGRAMS
                && !state.idle.is_empty()
            {
                surplus.push(state.idle.remove(0));
            }
            let stop = found
                .as_ref()
                .map(|seated| seated.stop.clone())
                .unwrap_or_default();
            if let Some(thought) = state.thinking.get_mut(&job) {
                if thought.cancelled {
                    stop.stop();
                }
                thought.stop = Some(stop.clone());
            }
            (found, stop)
        };
        retire(surplus);
        if let Some(seated) = found {
            return Ok(seated);
        }
        let Some(program) = self
            .known
            .iter()
            .find(|program| program.name == seat.program)
        else {
            // Games of an earlier start may name programs that nobody named this time.
            return Err(ClientError::Start {
                program: seat.program,
                error: std::io::Error::other("it was not named when the server was started"),
            });
        };
        let mut client = Client::start(&program.command, &stop)?;
        client.learn_commands(REPLY_TIMEOUT)?;
        Ok(Seated {
            seat,
            client,
            stop,
            known: None,
            since: Instant::now(),
        })
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Asks programs to end.
fn retire(programs: Vec<Seated>) {
    for seated in programs {
        seated.client.quit(Duration::from_secs(2));
    }
}

impl Thought {
    fn cancel(&mut self) {
        self.cancelled = true;
        if let Some(stop) = &self.stop {
            stop.stop();
        }
    }
}

/// What a program answers when it is to move.
enum Reply {
    Resign,
    Move(Move),
    /// Something that is no legal move.
    Nonsense(String),
}

impl Seated {
    /// The program's move in this position.
    fn move_in(&mut self, request: &Request<'_>) -> Result<Reply, ClientError> {
        let game = request.position;
        self.catch_up(request)?;
        for (color, seconds, stones) in request.left {
            self.client
                .time_left(*color, u64::from(*seconds), *stones, REPLY_TIMEOUT)?;
        }
        let own = request
            .left
            .iter()
            .find(|(color, ..)| *color == game.to_move());
        let timeout = own.map_or(MOVE_TIMEOUT, |(_, seconds, _)| {
            Duration::from_secs(u64::from(*seconds)) + REPLY_TIMEOUT
        });
        let text = self.client.genmove(game.to_move(), timeout)?;
        if text.eq_ignore_ascii_case("resign") {
            return Ok(Reply::Resign);
        }
        let action = match Move::from_gtp(&text, game.size()) {
            Ok(action) if game.check(action).is_ok() => action,
            // What it believes is on the board is not what is there.
            _ => {
                self.known = None;
                return Ok(Reply::Nonsense(text.chars().take(20).collect()));
            }
        };
        if let Some(known) = &mut self.known {
            let mut after = game.clone();
            if after.play(action).is_ok() {
                known.turns = after.turns().to_vec();
            }
        }
        Ok(Reply::Move(action))
    }

    /// Tells the program all that it does not know about the game.
    fn catch_up(&mut self, request: &Request<'_>) -> Result<(), ClientError> {
        let game = request.position;
        let now = Known {
            start: *game.start(),
            rules: *game.rules(),
            komi: game.komi().to_string(),
            turns: game.turns().to_vec(),
        };
        let told = match self.known.take() {
            Some(known) if known.is_before(&now) => known.turns.len(),
            _ => {
                self.begin(request)?;
                0
            }
        };
        for turn in &now.turns[told..] {
            self.client
                .play(turn.color, turn.action, game.size(), REPLY_TIMEOUT)?;
        }
        self.known = Some(now);
        Ok(())
    }

    /// Sets the board up as the game began.
    fn begin(&mut self, request: &Request<'_>) -> Result<(), ClientError> {
        let game = request.position;
        let new_game = NewGame {
            start: game.start(),
            rules: game.rules(),
            komi: game.komi(),
            time: request.clock.map(time_settings),
        };
        self.client.begin_game(&new_game, REPLY_TIMEOUT)
    }
}

/// A clock in the words of GTP, which knows one kind of period.
fn time_settings(clock: ClockSettings) -> TimeSettings {
    let (period, stones) = match (clock.byoyomi, clock.canadian) {
        (Some(byoyomi), _) => (byoyomi.seconds, 1),
        (None, Some(canadian)) => (canadian.seconds, canadian.stones),
        (None, None) => (0, 0),
    };
    TimeSettings {
        main: clock.main_seconds,
        period,
        stones,
    }
}

impl Known {
    /// Does the game go on from here to there?
    fn is_before(&self, now: &Self) -> bool {
        let begun_alike =
            self.start == now.start && self.rules == now.rules && self.komi == now.komi;
        begun_alike && now.turns.starts_with(&self.turns)
    }
}
