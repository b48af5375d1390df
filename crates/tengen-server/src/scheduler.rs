//! Jobs of engines, in turns.

use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, OnceLock, PoisonError, Weak};
use std::thread::{self, JoinHandle};
use std::time::Duration;
use std::{io, mem};

use tengen_app::{Job, JobId, JobKind, Portion, Report, Viewer, Work};
use tengen_core::Color;
use tengen_search::{Judge, Stop};

use crate::desk::Desk;
use crate::engines::{Engines, Lent};
use crate::programs::Programs;
use crate::ring::Ring;

/// The time in which everybody should have had a turn, if there are not too many.
const ROUND: Duration = Duration::from_secs(1);

/// A slice that is shorter than this is spent on beginning and ending it.
const SHORTEST: Duration = Duration::from_millis(10);

/// A slice that is longer than this keeps a move waiting.
const LONGEST: Duration = Duration::from_millis(100);

/// Every so many turns, one is for what can wait even if something urgent is there.
const YIELD_EVERY: u64 = 4;

/// Jobs that wait for a thread, in two classes: moves and what else somebody waits for before they can go on, and
/// analyses. In each, viewers take turns. A job has a slice of time, and then goes to the end.
#[derive(Debug)]
pub(crate) struct Scheduler {
    threads: usize,
    state: Mutex<State>,
    changed: Condvar,
    programs: Arc<Programs>,
    desk: OnceLock<Weak<Desk>>,
    workers: Mutex<Vec<JoinHandle<()>>>,
}

#[derive(Debug)]
struct State {
    engines: Engines,
    urgent: Ring<Owner, Task>,
    patient: Ring<Owner, Task>,
    /// Jobs that have a slice right now, and what ends it.
    running: HashMap<JobId, Stop>,
    /// Threads that no slice uses.
    free: usize,
    turns: u64,
    closed: bool,
}

/// For whom a job is done.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Owner {
    Viewer(Viewer),
    Game(String),
}

/// A job and how far it has come.
#[derive(Debug)]
struct Task {
    id: JobId,
    class: Class,
    purpose: String,
    work: Work,
    lent: Option<Lent>,
}

/// How long a job can wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Class {
    Urgent,
    Patient,
}

/// A slice of time for a task.
struct Turn {
    owner: Owner,
    task: Task,
    lent: Lent,
    length: Duration,
    stop: Stop,
}

impl Scheduler {
    /// Nothing to do yet, and nobody to do it before [`Scheduler::start`].
    pub(crate) fn new(engines: Engines, threads: usize, programs: Arc<Programs>) -> Arc<Self> {
        let threads = threads.max(1);
        Arc::new(Self {
            threads,
            state: Mutex::new(State {
                engines,
                urgent: Ring::default(),
                patient: Ring::default(),
                running: HashMap::new(),
                free: threads,
                turns: 0,
                closed: false,
            }),
            changed: Condvar::new(),
            programs,
            desk: OnceLock::new(),
            workers: Mutex::default(),
        })
    }

    /// Starts the threads, which report to this desk.
    pub(crate) fn start(self: &Arc<Self>, desk: &Arc<Desk>) -> io::Result<()> {
        _ = self.desk.set(Arc::downgrade(desk));
        let mut workers = self.workers.lock().unwrap_or_else(PoisonError::into_inner);
        for number in 0..self.threads {
            let scheduler = self.clone();
            let worker = thread::Builder::new().name(format!("engine {number}"));
            workers.push(worker.spawn(move || scheduler.work())?);
        }
        Ok(())
    }

    /// Adds a job.
    pub(crate) fn begin(self: &Arc<Self>, job: Job) {
        if matches!(job.kind, JobKind::Program { .. }) {
            let scheduler = self.clone();
            self.programs
                .begin(job, move |id, report| scheduler.report(id, report));
            return;
        }
        let class = match job.kind {
            JobKind::Analyze { .. }
            | JobKind::Exact { .. }
            | JobKind::Proof { .. }
            | JobKind::Review { .. } => Class::Patient,
            _ => Class::Urgent,
        };
        let owner = match job.viewer {
            Some(viewer) => Owner::Viewer(viewer),
            None => Owner::Game(job.game.clone()),
        };
        let task = Task {
            id: job.id,
            class,
            purpose: purpose(&job),
            work: Work::new(job),
            lent: None,
        };
        self.state().push(owner, task);
        self.changed.notify_one();
    }

    /// Ends a job; what it found is lost.
    pub(crate) fn cancel(&self, job: JobId) {
        self.programs.cancel(job);
        let mut state = self.state();
        if let Some(stop) = state.running.get(&job) {
            stop.stop();
        }
        state.drop_waiting(job);
    }

    /// Lets all jobs that begin from now on trust this judge.
    pub(crate) fn trust(&self, judge: Judge) {
        self.state().engines.trust(judge);
    }

    /// Ends all jobs and threads.
    pub(crate) fn close(&self) {
        {
            let mut state = self.state();
            state.closed = true;
            state.running.values().for_each(Stop::stop);
        }
        self.changed.notify_all();
        self.programs.close();
        let workers = mem::take(&mut *self.workers.lock().unwrap_or_else(PoisonError::into_inner));
        for worker in workers {
            // A thread that panicked has said so.
            _ = worker.join();
        }
    }

    /// Ends programs that nobody needs.
    pub(crate) fn tidy(&self) {
        self.programs.tidy();
    }

    /// One thread: a slice after the other.
    fn work(&self) {
        while let Some(mut turn) = self.next() {
            let portion = Portion {
                time: Some(turn.length),
                ..Portion::default()
            };
            let mut reports = Vec::new();
            let Task { id, work, .. } = &mut turn.task;
            let engine = &mut turn.lent.engine;
            let step = || {
                work.step(engine, portion, &turn.stop, &mut |report| {
                    reports.push(report);
                });
            };
            if catch_unwind(AssertUnwindSafe(step)).is_err() {
                // What it left behind is not to be trusted, and neither is a second try.
                *work = Work::new(work.job().clone());
                engine.clear();
                turn.stop.stop();
                self.report(
                    *id,
                    Report::Failed("a mistake of the program; see its log".to_owned()),
                );
            }
            for report in reports {
                if turn.stop.is_stopped() {
                    break;
                }
                // A slice may be over before anything was seen in it.
                if matches!(&report, Report::Progress(analysis) if analysis.visits == 0) {
                    continue;
                }
                self.report(*id, report);
            }
            self.put_back(turn);
        }
    }

    /// Waits for the next slice; `None` at the end.
    fn next(&self) -> Option<Turn> {
        let mut state = self.state();
        loop {
            if state.closed {
                return None;
            }
            if let Some(turn) = state.pick(self.threads) {
                // There may be threads for yet another one.
                self.changed.notify_one();
                return Some(turn);
            }
            state = self
                .changed
                .wait(state)
                .unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// A slice is over.
    fn put_back(&self, turn: Turn) {
        let Turn {
            owner,
            mut task,
            lent,
            stop,
            ..
        } = turn;
        let goes_on = !task.work.is_done() && !stop.is_stopped();
        let width = lent.width();
        let lent = match goes_on {
            true => lent,
            false => wound_up(&mut task.work, lent),
        };
        let mut state = self.state();
        state.free += width;
        state.running.remove(&task.id);
        // The room may have cancelled the job in this moment.
        if goes_on && !stop.is_stopped() && !state.closed {
            task.lent = Some(lent);
            state.push(owner, task);
        } else {
            state.engines.give_back(lent);
        }
        drop(state);
        self.changed.notify_all();
    }

    fn report(&self, job: JobId, report: Report) {
        if let Some(desk) = self.desk.get().and_then(Weak::upgrade) {
            desk.report(job, report);
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn push(&mut self, owner: Owner, task: Task) {
        self.ring(task.class).push(owner, task);
    }

    const fn ring(&mut self, class: Class) -> &mut Ring<Owner, Task> {
        match class {
            Class::Urgent => &mut self.urgent,
            Class::Patient => &mut self.patient,
        }
    }

    /// The next slice, if there are threads for it.
    fn pick(&mut self, threads: usize) -> Option<Turn> {
        if self.free == 0 {
            return None;
        }
        let active = self.urgent.len() + self.patient.len() + self.running.len();
        let classes = match self.turns % YIELD_EVERY {
            0 => [Class::Patient, Class::Urgent],
            _ => [Class::Urgent, Class::Patient],
        };
        let next = classes.into_iter().find_map(|class| self.ring(class).pop());
        let (owner, mut task) = next?;
        // A proof needs no engine but one thread, even if nobody wants the others.
        let kind = &task.work.job().kind;
        let is_proof = matches!(kind, JobKind::Exact { .. } | JobKind::Proof { .. });
        let active = if is_proof { active.max(2) } else { active };
        let lent = match task.lent.take() {
            // It has to begin anew with less memory than it was given when there was more.
            Some(lent) if self.engines.is_greedy(&lent, active) => {
                self.engines.discard(&lent);
                task.work = Work::new(task.work.job().clone());
                self.engines.lend(&task.purpose, active)
            }
            Some(lent) => lent,
            None => self.engines.lend(&task.purpose, active),
        };
        if lent.width() > self.free {
            // It needs all threads, and the others will be done in a moment.
            task.lent = Some(lent);
            self.ring(task.class).put_back(owner, task);
            return None;
        }
        self.turns += 1;
        self.free -= lent.width();
        let stop = Stop::new();
        self.running.insert(task.id, stop.clone());
        Some(Turn {
            length: slice(threads, active, lent.width()),
            owner,
            task,
            lent,
            stop,
        })
    }

    fn drop_waiting(&mut self, job: JobId) {
        let mut dropped = self.urgent.take_out(|task| task.id == job);
        dropped.extend(self.patient.take_out(|task| task.id == job));
        for mut task in dropped {
            if let Some(lent) = task.lent {
                self.engines.give_back(wound_up(&mut task.work, lent));
            }
        }
    }
}

/// The engine of a job that has ended, with what it learnt so far: it may be of use for what is asked next.
fn wound_up(work: &mut Work, mut lent: Lent) -> Lent {
    let stop = Stop::new();
    stop.stop();
    let step = || work.step(&mut lent.engine, Portion::default(), &stop, &mut |_| {});
    if catch_unwind(AssertUnwindSafe(step)).is_err() {
        lent.engine.clear();
    }
    lent
}

/// How long a slice is: so that all have had one in a round, and one that needs many threads no more of them than
/// others.
fn slice(threads: usize, active: usize, width: usize) -> Duration {
    let fair = ROUND * u32::try_from(threads).unwrap_or(1)
        / u32::try_from(active.max(1)).unwrap_or(u32::MAX);
    let fair = fair.clamp(SHORTEST, LONGEST);
    match active {
        0 | 1 => fair,
        _ => (fair / u32::try_from(width).unwrap_or(1)).max(SHORTEST),
    }
}

/// What an engine can be used for again: what it learnt about a game helps with what is asked about it next. A player
/// must not know what an analyst has found.
fn purpose(job: &Job) -> String {
    let kind = match job.kind {
        JobKind::Move { .. } => match job.position.to_move() {
            Color::Black => "black",
            Color::White => "white",
        },
        _ => "analysis",
    };
    format!("{kind} {}", job.game)
}
