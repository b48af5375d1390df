//! Queries in, answers out, engines in between.

use std::io::{self, BufRead, Read, Write};
use std::panic;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use serde::Serialize;
use serde_json::{Map, Value};
use tengen_search::{Engine, Evaluator, Judge, Options, RawQuery, Stop, Task};

use super::answer::{Answer, Before};
use super::complaint::Complaint;
use super::people::{Imitated, Role};
use super::queue::Queue;
use super::request::{Job, Reports, Request};
use super::settings::{AnalysisSettings, AtEnd, QueryDefaults};
use super::twins::Twins;
use crate::models::models_as_json;

/// The longest line that is read: a game of 100,000 moves is far shorter.
const LONGEST_LINE: u64 = 16 << 20;

/// While so many lines wait for a client that does not read, reports of searches that go on are left out.
const CROWD: usize = 100;

/// Answers queries with engines that trust this judge until the input ends and, unless they are to be abandoned, all of
/// them are answered.
///
/// An answer that cannot be written ends everything and is the error. A read that waits for the client then goes on in
/// a thread of its own, so that whoever calls this should end the process soon after.
///
/// # Panics
///
/// If an engine does.
pub fn serve(
    input: impl BufRead + Send + 'static,
    output: impl Write + Send + 'static,
    settings: &AnalysisSettings,
    judge: &Judge,
) -> io::Result<()> {
    let queue = Arc::new(Queue::default());
    let (events, happened) = mpsc::channel();
    let (outbox, writer) = start_writer(output, &queue, &events);
    let positions = settings.positions.max(1);
    let options = Options {
        memory: settings.engine.memory / positions,
        ..settings.engine
    };
    let workers: Vec<_> = (0..positions)
        .map(|_| start_worker(judge, options, &queue, &outbox, &events))
        .collect();
    let clerk = Clerk {
        defaults: settings.defaults.clone(),
        models: models(judge),
        outbox,
    };
    start_reader(input, clerk, &queue, events);

    let mut result = Ok(());
    let end = match happened.recv() {
        Ok(Event::InputEnded(how)) => {
            result = how;
            settings.at_end
        }
        Ok(Event::Broken) | Err(_) => AtEnd::Abandon,
    };
    queue.close(end);
    for worker in workers {
        if let Err(cause) = worker.join() {
            panic::resume_unwind(cause);
        }
    }
    match writer.join() {
        Ok(written) => written.and(result),
        Err(cause) => panic::resume_unwind(cause),
    }
}

/// What ends the service.
enum Event {
    /// There is nothing more to read.
    InputEnded(io::Result<()>),
    /// The output is closed, or an engine broke down.
    Broken,
}

/// Lines on their way to the client.
#[derive(Clone)]
struct Outbox {
    lines: Sender<String>,
    waiting: Arc<AtomicUsize>,
}

impl Outbox {
    fn send(&self, message: &impl Serialize) {
        let line = serde_json::to_string(message).expect("messages have no keys but strings");
        self.waiting.fetch_add(1, Ordering::Relaxed);
        // If nobody writes lines any more, the service is about to end.
        _ = self.lines.send(line);
    }

    /// Does the client fall behind?
    fn is_crowded(&self) -> bool {
        self.waiting.load(Ordering::Relaxed) > CROWD
    }
}

/// Lines are written by a thread of their own: a client that writes all its queries before it reads must not wait for
/// us while we wait for it.
fn start_writer(
    mut output: impl Write + Send + 'static,
    queue: &Arc<Queue>,
    events: &Sender<Event>,
) -> (Outbox, JoinHandle<io::Result<()>>) {
    let (lines, to_write): (_, Receiver<String>) = mpsc::channel();
    let waiting = Arc::new(AtomicUsize::new(0));
    let outbox = Outbox {
        lines,
        waiting: waiting.clone(),
    };
    let queue = queue.clone();
    let events = events.clone();
    let writer = thread::spawn(move || {
        for mut line in to_write {
            line.push('\n');
            let written = output.write_all(line.as_bytes());
            waiting.fetch_sub(1, Ordering::Relaxed);
            if let Err(error) = written.and_then(|()| output.flush()) {
                queue.close(AtEnd::Abandon);
                _ = events.send(Event::Broken);
                return Err(error);
            }
        }
        Ok(())
    });
    (outbox, writer)
}

/// Closes the service if the thread that holds it panics, so that no client waits for an answer that will not come.
struct Alarm {
    queue: Arc<Queue>,
    events: Sender<Event>,
}

impl Drop for Alarm {
    fn drop(&mut self) {
        if thread::panicking() {
            self.queue.close(AtEnd::Abandon);
            _ = self.events.send(Event::Broken);
        }
    }
}

fn start_worker(
    judge: &Judge,
    options: Options,
    queue: &Arc<Queue>,
    outbox: &Outbox,
    events: &Sender<Event>,
) -> JoinHandle<()> {
    let alarm = Alarm {
        queue: queue.clone(),
        events: events.clone(),
    };
    let (outbox, judge) = (outbox.clone(), judge.clone());
    thread::spawn(move || {
        // An engine that never gets a position is never made.
        let mut engine = Named::default();
        let mut people = Named::default();
        while let Some((job, ticket)) = alarm.queue.take() {
            let searching = job.people.as_ref();
            let searching = searching.filter(|people| people.role == Role::Searching);
            let judge = searching.map_or(&judge, |people| &people.judge);
            let engine = engine.of(judge.name(), || judge.engine(options));
            let people = job.people.as_ref().map(|Imitated { judge, .. }| {
                let evaluator = || judge.evaluator(&options);
                people.of(judge.name(), evaluator).as_mut()
            });
            let answer = search(engine, people, &job, &ticket.stop, &outbox);
            if alarm.queue.done(ticket) {
                outbox.send(&answer);
            }
            // Each position is searched afresh, so that what is found does not depend on what was asked before.
            engine.clear();
        }
    })
}

/// What was made for a judge, until another one is asked for.
struct Named<T>(Option<(String, T)>);

impl<T> Default for Named<T> {
    fn default() -> Self {
        Self(None)
    }
}

impl<T> Named<T> {
    fn of(&mut self, name: &str, make: impl FnOnce() -> T) -> &mut T {
        if self.0.as_ref().is_some_and(|(known, _)| known != name) {
            self.0 = None;
        }
        let (_, made) = self.0.get_or_insert_with(|| (name.to_owned(), make()));
        made
    }
}

fn search(
    engine: &mut Engine,
    people: Option<&mut dyn Evaluator>,
    job: &Job,
    stop: &Stop,
    outbox: &Outbox,
) -> Answer {
    let game = job.course.game_at(job.turn);
    let twins = match job.prunes_symmetries && job.restrictions.is_empty() {
        true => Twins::of(&game),
        false => Twins::default(),
    };
    let mut restrictions = job.restrictions.as_ref().clone();
    restrictions.0.extend(twins.restriction(&game));
    let task = Task {
        limits: job.limits,
        restrictions,
        report_every: job.reports.map(grain),
        tuning: job.tuning.clone(),
        ..Task::default()
    };
    let mut schedule = job.reports.map(Schedule::new);
    let query = RawQuery::default();
    let before = Before {
        // The network remembers it, so that the search does not ask again.
        raw: engine.raw(&game, &query),
        people: people.and_then(|people| people.raw(&game, &query)),
        twins,
    };
    let analysis = engine.analyze(&game, &task, stop, &mut |analysis| {
        let due = schedule
            .as_mut()
            .is_some_and(|schedule| schedule.is_due(Instant::now()));
        let nothing = analysis.visits == 0 || stop.is_stopped() || outbox.is_crowded();
        if due && !nothing {
            outbox.send(&Answer::so_far(job, &game, &before, analysis));
        }
    });
    match analysis.visits {
        0 => Answer::none(job),
        _ => Answer::of(job, &game, &before, &analysis),
    }
}

/// Picks, among the reports of a search, those that a query wants.
struct Schedule {
    reports: Reports,
    next: Option<Instant>,
}

impl Schedule {
    fn new(reports: Reports) -> Self {
        Self {
            reports,
            next: Instant::now().checked_add(reports.first - slack(reports)),
        }
    }

    fn is_due(&mut self, now: Instant) -> bool {
        if self.next.is_none_or(|next| now < next) {
            return false;
        }
        let every = self.reports.every;
        self.next = every.and_then(|every| now.checked_add(every - slack(self.reports)));
        true
    }
}

/// A search reports this often, so that no report is missed.
fn grain(reports: Reports) -> Duration {
    match reports.every {
        Some(every) => every.min(reports.first),
        None => reports.first,
    }
}

/// A report that comes a little before its time is taken, since the one after may come much later.
fn slack(reports: Reports) -> Duration {
    grain(reports) / 10
}

/// Reads queries in a thread of its own, which nobody waits for: a read that hangs must not keep the process.
fn start_reader(
    mut input: impl BufRead + Send + 'static,
    clerk: Clerk,
    queue: &Arc<Queue>,
    events: Sender<Event>,
) {
    let queue = queue.clone();
    thread::spawn(move || {
        let alarm = Alarm { queue, events };
        let mut line = Vec::new();
        let how = loop {
            line.clear();
            match read_line(&mut input, &mut line) {
                Ok(Line::End) => break Ok(()),
                Ok(Line::Whole) if line.trim_ascii().is_empty() => {}
                Ok(Line::Whole) => clerk.answer(&line, &alarm.queue),
                Ok(Line::TooLong) => {
                    let problem = format_args!("a line of more than {LONGEST_LINE} bytes");
                    clerk.outbox.send(&Complaint::general(problem));
                }
                Err(error) => break Err(error),
            }
        };
        // The writer ends when the last outbox is gone, and this one must not outlive the news.
        drop(clerk);
        _ = alarm.events.send(Event::InputEnded(how));
    });
}

enum Line {
    Whole,
    TooLong,
    End,
}

/// Reads a line, the end of which is taken off; what is too long is skipped.
fn read_line(input: &mut impl BufRead, line: &mut Vec<u8>) -> io::Result<Line> {
    let read = input.by_ref().take(LONGEST_LINE).read_until(b'\n', line)?;
    if read == 0 {
        return Ok(Line::End);
    }
    if line.last() == Some(&b'\n') {
        line.pop();
    } else if read as u64 == LONGEST_LINE {
        input.skip_until(b'\n')?;
        return Ok(Line::TooLong);
    }
    Ok(Line::Whole)
}

/// Answers what can be answered at once, and queues the rest.
struct Clerk {
    defaults: QueryDefaults,
    /// The networks that positions are judged by.
    models: Value,
    outbox: Outbox,
}

impl Clerk {
    fn answer(&self, line: &[u8], queue: &Queue) {
        match Request::read(line, &self.defaults) {
            Err(complaint) => self.outbox.send(&complaint),
            Ok(Request::Analyze { warnings, jobs }) => {
                for warning in &warnings {
                    self.outbox.send(warning);
                }
                queue.add(jobs);
            }
            Ok(Request::Version(query)) => {
                let version = Value::from(env!("CARGO_PKG_VERSION"));
                // KataGo's word for a program that does not know its commit.
                let git_hash = Value::from("<omitted>");
                self.echo(query, &[("version", version), ("git_hash", git_hash)]);
            }
            Ok(Request::Models(query)) => self.echo(query, &[("models", self.models.clone())]),
            // No engine keeps anything from one position to the next.
            Ok(Request::ClearCache(query)) => self.echo(query, &[]),
            Ok(Request::Terminate { which, echo: query }) => {
                for job in queue.terminate(&which) {
                    self.outbox.send(&Answer::none(&job));
                }
                self.echo(query, &[]);
            }
        }
    }

    /// A query as it came, with more fields.
    fn echo(&self, mut query: Map<String, Value>, fields: &[(&str, Value)]) {
        for (name, value) in fields {
            query.insert((*name).to_owned(), value.clone());
        }
        self.outbox.send(&query);
    }
}

/// What `query_models` says: the networks, if networks judge.
fn models(judge: &Judge) -> Value {
    // One that remembers nothing costs next to nothing.
    let options = Options {
        memory: 0,
        ..Options::default()
    };
    models_as_json(judge.name(), &judge.evaluator(&options).models())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_end_where_they_end() {
        let mut input = io::Cursor::new(b"one\r\n\ntwo".to_vec());
        let mut lines = Vec::new();
        let mut line = Vec::new();
        while let Line::Whole = read_line(&mut input, &mut line).unwrap() {
            lines.push(String::from_utf8(std::mem::take(&mut line)).unwrap());
        }
        assert_eq!(lines, ["one\r", "", "two"]);
    }

    #[test]
    fn a_line_that_is_too_long_is_skipped() {
        let mut input = vec![b'x'; LONGEST_LINE as usize + 5];
        input.extend(b"\nnext\n");
        let mut input = io::Cursor::new(input);
        let mut line = Vec::new();
        assert!(matches!(
            read_line(&mut input, &mut line).unwrap(),
            Line::TooLong
        ));
        line.clear();
        assert!(matches!(
            read_line(&mut input, &mut line).unwrap(),
            Line::Whole
        ));
        assert_eq!(line, b"next");
    }

    #[test]
    fn reports_follow_their_schedule() {
        let seconds = Duration::from_secs;
        let mut schedule = Schedule::new(Reports {
            first: seconds(1),
            every: Some(seconds(10)),
        });
        let start = Instant::now();
        let due: Vec<u64> = (0..40)
            .filter(|second| schedule.is_due(start + seconds(*second)))
            .collect();
        assert_eq!(due, [1, 11, 21, 31]);
        let mut once = Schedule::new(Reports {
            first: seconds(3),
            every: None,
        });
        let due: Vec<u64> = (0..40)
            .filter(|second| once.is_due(start + seconds(*second)))
            .collect();
        assert_eq!(due, [3]);
    }
}
