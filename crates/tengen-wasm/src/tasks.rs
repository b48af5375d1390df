//! What is to be thought about.

use std::collections::VecDeque;
use std::time::Duration;

use tengen_app::{Job, JobId, JobKind, Portion, Report, Work};
use tengen_search::{Judge, Stop, Time};

use crate::engines::{Engines, Lent};

/// Every so many slices, one is for what can wait even if something urgent is there.
const YIELD_EVERY: u64 = 4;

/// How often an analysis tells what it has found so far. A page draws each of them.
const REPORT_EVERY: Duration = Duration::from_millis(150);

/// Jobs of engines, which take turns. Moves, and whatever else somebody waits for before they can go on, come before
/// analyses.
#[derive(Debug)]
pub(crate) struct Tasks {
    time: Time,
    engines: Engines,
    urgent: VecDeque<Task>,
    patient: VecDeque<Task>,
    turns: u64,
}

/// A job and the engine that does it, once it has begun.
#[derive(Debug)]
struct Task {
    work: Work,
    lent: Option<Lent>,
    /// When it has told something last.
    told: Option<Duration>,
}

impl Tasks {
    pub(crate) fn new(time: Time) -> Self {
        Self {
            time,
            engines: Engines::new(time),
            urgent: VecDeque::new(),
            patient: VecDeque::new(),
            turns: 0,
        }
    }

    /// Lets all jobs that begin from now on trust this judge.
    pub(crate) fn trust(&mut self, judge: Judge) {
        self.engines.trust(judge);
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.urgent.is_empty() && self.patient.is_empty()
    }

    pub(crate) fn begin(&mut self, job: Job) {
        let queue = match job.kind {
            JobKind::Analyze { .. }
            | JobKind::Exact { .. }
            | JobKind::Proof { .. }
            | JobKind::Review { .. } => &mut self.patient,
            _ => &mut self.urgent,
        };
        queue.push_back(Task {
            work: Work::new(job),
            lent: None,
            told: None,
        });
    }

    /// Ends a job; what it found is lost.
    pub(crate) fn cancel(&mut self, job: JobId) {
        for queue in [&mut self.urgent, &mut self.patient] {
            let place = queue.iter().position(|task| task.work.job().id == job);
            if let Some(Task { mut work, lent, .. }) = place.and_then(|place| queue.remove(place))
                && let Some(mut lent) = lent
            {
                // Stopped, it leaves to the engine what was searched: the next question may be about the same game.
                let stop = Stop::new();
                stop.stop();
                work.step(&mut lent.engine, Portion::default(), &stop, &mut |_| {});
                self.engines.give_back(lent);
            }
        }
    }

    /// Thinks for a while about whatever is next, and says what came of it.
    pub(crate) fn work(&mut self, time: Duration) -> Option<(JobId, Vec<Report>)> {
        self.turns += 1;
        let (first, second) = match self.turns.is_multiple_of(YIELD_EVERY) {
            true => (&mut self.patient, &mut self.urgent),
            false => (&mut self.urgent, &mut self.patient),
        };
        let queue = if first.is_empty() { second } else { first };
        let Task {
            mut work,
            lent,
            mut told,
        } = queue.pop_front()?;
        let id = work.job().id;
        let mut lent = lent.unwrap_or_else(|| self.engines.lend(work.job()));
        let portion = Portion {
            time: Some(time),
            ..Portion::default()
        };
        let mut reports = Vec::new();
        work.step(&mut lent.engine, portion, &Stop::new(), &mut |report| {
            reports.push(report);
        });
        let now = (self.time)();
        let is_due = told.is_none_or(|told| now.saturating_sub(told) >= REPORT_EVERY);
        if is_due && !reports.is_empty() {
            told = Some(now);
        } else if !work.is_done() {
            reports.clear();
        }
        if work.is_done() {
            self.engines.give_back(lent);
        } else {
            queue.push_back(Task {
                work,
                lent: Some(lent),
                told,
            });
        }
        Some((id, reports))
    }
}
